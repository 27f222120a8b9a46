"""The event that started a job: the part of GitHub's document that the Action needs."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter


@dataclass(frozen=True)
class Owner:
    """A person or an organisation."""

    login: str


@dataclass(frozen=True)
class Repository:
    """A repository; ``full_name`` is owner/name."""

    full_name: str = ""
    owner: Owner | None = None


@dataclass(frozen=True)
class Commit:
    """An end of a pull request; its repository is None when a fork was deleted."""

    sha: str
    repo: Repository | None = None


@dataclass(frozen=True)
class Pull:
    """A pull request."""

    number: int
    head: Commit
    base: Commit


@dataclass(frozen=True)
class WorkflowRun:
    """A workflow run that has finished."""

    id: int
    head_sha: str
    head_branch: str | None = None
    head_repository: Repository | None = None
    html_url: str = ""


@dataclass(frozen=True)
class Event:
    """What started the job; of other events than these two nothing is needed."""

    pull_request: Pull | None = None
    workflow_run: WorkflowRun | None = None


def read_event(path: str) -> Event:
    """Read the document that ``GITHUB_EVENT_PATH`` names; an empty path is an event of which nothing is known."""
    return TypeAdapter(Event).validate_json(Path(path).read_bytes()) if path else Event()
