"""What GitHub tells a job about itself, by environment variables and the event that started it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_bayesf1.github.event import Pull, WorkflowRun, read_event
from pytest_bayesf1.reports.markdown import Source


@dataclass(frozen=True)
class PullRequest:
    """The pull request that a job is about.

    Attributes
    ----------
    head_sha, base_sha
        Its last commit, and the commit that it is to be merged into.
    from_fork
        Whether its branch is in another repository, so that the job's token can only read.
    """

    number: int
    head_sha: str
    base_sha: str
    from_fork: bool


@dataclass(frozen=True)
class FinishedRun:
    """The workflow run that started this one (``on: workflow_run``), with what GitHub itself says of it."""

    run_id: int
    head_sha: str
    head_branch: str
    head_owner: str
    url: str


@dataclass(frozen=True)
class Context:
    """A job's surroundings.

    Attributes
    ----------
    repository
        ``owner/name``.
    sha
        The commit to tell people of: of a pull request its last one, not GitHub's merge of it.
    api_url, server_url
        GitHub's own, or those of an Enterprise server.
    run_url
        The page of this workflow run.
    folder
        Where pytest runs, relative to the repository.
    """

    event: str
    repository: str
    sha: str
    api_url: str
    server_url: str
    run_url: str
    folder: str
    pull_request: PullRequest | None
    finished_run: FinishedRun | None

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Context":
        """Read it off the environment variables of a job."""
        event = read_event(environment.get("GITHUB_EVENT_PATH", ""))
        workspace = Path(environment.get("GITHUB_WORKSPACE", "."))
        server = environment.get("GITHUB_SERVER_URL", "https://github.com")
        repository = environment.get("GITHUB_REPOSITORY", "")
        pull_request = _pull_request(event.pull_request, repository)
        return cls(
            event=environment.get("GITHUB_EVENT_NAME", ""),
            repository=repository,
            sha=pull_request.head_sha if pull_request else environment.get("GITHUB_SHA", ""),
            api_url=environment.get("GITHUB_API_URL", "https://api.github.com"),
            server_url=server,
            run_url=f"{server}/{repository}/actions/runs/{environment.get('GITHUB_RUN_ID', '')}",
            folder=os.path.relpath(workspace / environment.get("BAYESF1_FOLDER", "."), workspace),
            pull_request=pull_request,
            finished_run=_finished_run(event.workflow_run),
        )

    @property
    def source(self) -> Source:
        """The commit to tell people of, for links to its files."""
        return Source(f"{self.server_url}/{self.repository}", self.sha, Path(self.folder).as_posix())


def _pull_request(told: Pull | None, repository: str) -> PullRequest | None:
    if told is None:
        return None
    home = told.head.repo.full_name if told.head.repo else ""  # the fork may have been deleted
    return PullRequest(told.number, told.head.sha, told.base.sha, from_fork=home != repository)


def _finished_run(told: WorkflowRun | None) -> FinishedRun | None:
    if told is None:
        return None
    owner = told.head_repository.owner if told.head_repository else None
    return FinishedRun(
        run_id=told.id,
        head_sha=told.head_sha,
        head_branch=told.head_branch or "",
        head_owner=owner.login if owner else "",
        url=told.html_url,
    )
