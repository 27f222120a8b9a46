"""The commit that is checked out: what continuous integration tells of it, and git."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.git import git


@dataclass(frozen=True)
class _Service:
    """The environment variables of a service; the first that is set counts."""

    commit: tuple[str, ...]
    branch: tuple[str, ...]


SERVICES: Mapping[str, _Service] = MappingProxyType(
    {
        "GITHUB_ACTIONS": _Service(("GITHUB_SHA",), ("GITHUB_HEAD_REF", "GITHUB_REF_NAME")),
        "GITLAB_CI": _Service(
            ("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", "CI_COMMIT_SHA"),
            ("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_REF_NAME"),
        ),
        "JENKINS_URL": _Service(("GIT_COMMIT",), ("CHANGE_BRANCH", "BRANCH_NAME", "GIT_BRANCH")),
        "TF_BUILD": _Service(
            ("SYSTEM_PULLREQUEST_SOURCECOMMITID", "BUILD_SOURCEVERSION"),
            ("SYSTEM_PULLREQUEST_SOURCEBRANCH", "BUILD_SOURCEBRANCH"),
        ),
        "CIRCLECI": _Service(("CIRCLE_SHA1",), ("CIRCLE_BRANCH",)),
        "BUILDKITE": _Service(("BUILDKITE_COMMIT",), ("BUILDKITE_BRANCH",)),
        "BITBUCKET_BUILD_NUMBER": _Service(("BITBUCKET_COMMIT",), ("BITBUCKET_BRANCH",)),
    }
)
"""By a variable that each sets."""

_PREFIXES = ("refs/heads/", "refs/tags/", "origin/")


@dataclass(frozen=True)
class Checkout:
    """What is checked out; what nobody knows is empty.

    Attributes
    ----------
    commit
        Its full hash: of a pull request its last commit, not the service's merge of it.
    branch
        Or the tag.
    date
        The day of the commit as ISO 8601 writes it, or of ``SOURCE_DATE_EPOCH`` where that is set. No clock has a part
        in it: the same commit makes the same report.
    """

    commit: str = ""
    branch: str = ""
    date: str = ""

    @classmethod
    def of(cls, folder: Path, environment: Mapping[str, str] = os.environ) -> "Checkout":
        """Look at what is checked out now.

        Parameters
        ----------
        folder
            In the repository, or where it will be; it need not be there yet.
        environment
            The variables that tell of continuous integration.
        """
        there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.is_dir())
        told = _told_by_service(environment)
        commit, _, day = _said(there, "log", "-1", "--format=%H %cs").partition(" ")
        if told.commit and told.commit != commit:
            commit, day = told.commit, _said(there, "log", "-1", "--format=%cs", told.commit, "--") or day
        branch = told.branch or _said(there, "symbolic-ref", "--quiet", "--short", "HEAD")
        return cls(commit, branch, _source_date(environment) or day)


def _said(folder: Path, *arguments: str) -> str:
    with suppress(BaselineError):  # without git nothing is known
        return (git(folder, *arguments) or b"").decode("utf-8", "replace").strip()
    return ""


def _told_by_service(environment: Mapping[str, str]) -> Checkout:
    service = next((service for name, service in SERVICES.items() if environment.get(name)), None)
    if service is None:
        return Checkout()
    commit, branch = (
        next((environment[name] for name in names if environment.get(name)), "")
        for names in (service.commit, service.branch)
    )
    for prefix in _PREFIXES:
        branch = branch.removeprefix(prefix)
    return Checkout(_head_of_pull_request(environment) or commit, branch)


def _head_of_pull_request(environment: Mapping[str, str]) -> str:
    """Return the commit that GitHub merged for a run on a pull request; empty in other runs."""
    try:
        event: Any = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_bytes())
        return str(event["pull_request"]["head"]["sha"])
    except (LookupError, OSError, RecursionError, TypeError, ValueError):
        return ""


def _source_date(environment: Mapping[str, str]) -> str:
    """Return the day that reproducible builds take for today."""
    try:
        return datetime.fromtimestamp(int(environment["SOURCE_DATE_EPOCH"]), UTC).date().isoformat()
    except (KeyError, ValueError, OverflowError, OSError):
        return ""
