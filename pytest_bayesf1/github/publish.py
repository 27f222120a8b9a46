"""A report becomes the one comment on a pull request. What goes wrong is told, and never changes a verdict."""

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_bayesf1.github.api import ApiError, GitHubApi
from pytest_bayesf1.github.comment import MOST_BYTES, Comment, CommentAction, Origin, When, body, choose, own_comments
from pytest_bayesf1.reports.entry import Report

_READ_ONLY = (
    "The report could not be posted as a comment, for the job's token can only read: it needs the permission "
    "pull-requests: write, which pull requests from forks never have. The report is in the job summary and among the "
    "artefacts; see 'Forks' in the documentation of the Action."
)


@dataclass(frozen=True)
class Draft:
    """What is to be published.

    Attributes
    ----------
    notices
        What a reader should know first.
    """

    report: Report
    comment_id: str
    origin: Origin
    notices: Sequence[str] = ()

    def text(self, most_bytes: int = MOST_BYTES) -> str:
        """Write the comment's body."""
        return body(self.report, self.comment_id, self.origin, self.notices, most_bytes)


@dataclass(frozen=True)
class Published:
    """What became of it: the comment's address, or the problem; neither when there was nothing to do."""

    url: str = ""
    problem: str = ""


def publish(api: GitHubApi, number: int, when: When, draft: Draft) -> Published:
    """Create or update the comment on pull request ``number``."""
    if when is When.NEVER:
        return Published()
    try:
        own = own_comments(api.comments(number), draft.comment_id, api.own_login())
        action = choose(when, draft.report, own[0] if own else None)
        if action is CommentAction.NOTHING:
            return Published()
        url = _write(api, number, own[0] if own else None, draft)
        for duplicate in own[1:]:
            api.delete(number, duplicate.number)
    except ApiError as error:
        return Published(problem=_READ_ONLY if error.status == 403 else f"The report could not be posted: {error}.")
    return Published(url=url)


def _write(api: GitHubApi, number: int, existing: Comment | None, draft: Draft) -> str:
    """Write the comment; a shorter one where GitHub finds it too long, a new one where the old one is gone."""
    try:
        return _written(api, number, existing, draft.text())
    except ApiError as error:
        if error.status != 422:
            raise
        return _written(api, number, existing, draft.text(MOST_BYTES // 4))


def _written(api: GitHubApi, number: int, existing: Comment | None, text: str) -> str:
    if existing is None:
        return api.create(number, text)
    try:
        return api.update(number, existing.number, text)
    except ApiError as error:
        if error.status != 404:
            raise
        return api.create(number, text)
