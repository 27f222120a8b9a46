"""The comment on a pull request."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, Report
from pytest_bayesf1.reports.markdown import Source, escape_markdown, markdown

MOST_BYTES = 60_000  # GitHub takes 65,536 characters
_ID = re.compile(r"[\w.-]{1,64}", flags=re.ASCII)


class When(StrEnum):
    """When to comment."""

    AUTO = "auto"
    """When something failed, warned, is undecided, missing or loosened; and to update a comment that is there."""
    ALWAYS = "always"
    ON_CHANGE = "on-change"
    """When the result is another one than the last comment's."""
    NEVER = "never"


class CommentAction(StrEnum):
    """What to do."""

    CREATE = "create"
    UPDATE = "update"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Comment:
    """A comment that is there."""

    number: int
    author: str
    body: str


@dataclass(frozen=True)
class Origin:
    """Where a report comes from, for its reader.

    Attributes
    ----------
    source
        What was tested.
    run_url, artefact_url
        Pages of the workflow run and of the report's files; empty when there are none.
    """

    source: Source
    run_url: str = ""
    artefact_url: str = ""


def marker(comment_id: str) -> str:
    """Return the hidden line by which a comment is found again; raise `InputError` for an id that could break out."""
    if not _ID.fullmatch(comment_id):
        raise InputError("comment-id", "up to 64 letters, digits, '.', '_' and '-'", repr(comment_id))
    return f"<!-- pytest-bayesf1:{comment_id} -->"


def body(
    report: Report, comment_id: str, origin: Origin, notices: Iterable[str] = (), most_bytes: int = MOST_BYTES
) -> str:
    """Write the comment: hidden lines, what to know first, the report as far as it fits, and where it comes from."""
    first = "".join(f"> {escape_markdown(notice)}\n\n" for notice in notices)
    head = f"{marker(comment_id)}\n{_result(report)}\n{first}"
    foot = f"\n\n<sub>{_origin(origin)}</sub>\n"
    room = most_bytes - len((head + foot).encode())
    return f"{head}{markdown(report, room, origin.source)}{foot}"


def choose(when: When, report: Report, existing: Comment | None) -> CommentAction:
    """Decide whether to create, update or leave the comment."""
    if when is When.NEVER:
        return CommentAction.NOTHING
    if when is When.ON_CHANGE and existing is not None and _result(report) in existing.body:
        return CommentAction.NOTHING
    if existing is not None:
        return CommentAction.UPDATE
    worth_it = (
        report.verdict != "passed"
        or any(entry.needs_attention for entry in report.entries)
        or bool(report.changed)
        or bool(report.findings)
    )
    return CommentAction.NOTHING if when is When.AUTO and not worth_it else CommentAction.CREATE


def own_comments(comments: Iterable[Comment], comment_id: str, author: str) -> list[Comment]:
    """Find the comments that carry our marker and are by us: anybody can write the marker."""
    line = marker(comment_id)
    return [each for each in comments if each.author == author and each.body.startswith(line)]


def _result(report: Report) -> str:
    """Return a hidden line that stays the same as long as the verdicts do."""
    rows = [(entry.test, entry.part, entry.verdict, _decision(entry)) for entry in report.entries]
    loosened = [(finding.gate, finding.text) for finding in report.findings]
    content = repr((sorted(rows), report.missing, report.changed, loosened)).encode("utf-8", "replace")
    return f"<!-- result {sha256(content).hexdigest()[:16]} -->"


def _decision(entry: AnyEntry) -> str:
    return entry.decision.value if isinstance(entry, ComparisonEntry) else ""


def _origin(origin: Origin) -> str:
    pages = {"workflow run": origin.run_url, "report with figures": origin.artefact_url}
    return " · ".join(f"[{name}]({url})" for name, url in pages.items() if url)
