"""Which run a report is of, which files it used, and how its gates differ from those that the manifest lists."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pytest_bayesf1.git import Checkout, FileSource, commit_of
from pytest_bayesf1.results.schema import ByValue, Check, Count, Declared, Described, Text
from pytest_bayesf1.text import short_commit, spoken_day

_NUMBER = re.compile("[1-9][0-9]{0,5}")


def _is_day(text: str) -> bool:
    try:
        return not text or bool(date.fromisoformat(text))
    except ValueError:
        return False


def _is_address(text: str) -> bool:
    return not text or text.startswith(("https://", "http://"))


def github_run(environment: Mapping[str, str]) -> str:
    """Return where GitHub, or an Enterprise server, shows the workflow run that a job is of."""
    server = environment.get("GITHUB_SERVER_URL", "https://github.com")
    repository, run = (environment.get(name, "") for name in ("GITHUB_REPOSITORY", "GITHUB_RUN_ID"))
    return f"{server}/{repository}/actions/runs/{run}"


def _address() -> str:
    """Return where GitHub or GitLab shows this run."""
    if os.environ.get("GITHUB_REPOSITORY") and os.environ.get("GITHUB_RUN_ID"):
        return github_run(os.environ)
    job = os.environ.get("CI_JOB_URL", "")
    return job if _is_address(job) else ""


@dataclass(frozen=True, kw_only=True)
class RunIdentity(Declared):
    """Which run a report is of; what is not known is empty."""

    commit: Annotated[Text, Described("Full hash; of a pull request its last commit.")]
    branch: Annotated[Text, Described("Or the tag.")]
    date: Annotated[
        Text, Check(_is_day, "a day, such as 2026-05-02, or nothing"), Described("Day of the commit, as 2026-05-02.")
    ]
    attempt: Annotated[Count, Described("Which attempt of the workflow's run it is, in GitHub Actions; else 1.")] = 1
    about: Annotated[Text, Described("What the command says of two folders of logs; else empty.")] = ""
    base_commit: Annotated[Text, Described("Full hash of the commit that baselines are read from.")] = ""
    base_branch: Annotated[Text, Described("The branch of that commit.")] = ""
    url: Annotated[
        Text, Check(_is_address, "an address, or nothing"), Described("Where GitHub or GitLab shows the run.")
    ] = ""

    @classmethod
    def of(cls, folder: Path, base: str | None = None) -> "RunIdentity":
        """Put down what is checked out in a folder, and the commit that baselines are read from."""
        checkout = Checkout.of(folder)
        known = {"commit": checkout.commit, "branch": checkout.branch, "date": checkout.date}
        attempt = os.environ.get("GITHUB_RUN_ATTEMPT", "")
        attempt_number = int(attempt) if _NUMBER.fullmatch(attempt) else 1
        found = cls(**known, attempt=attempt_number, url=_address())
        commit = commit_of(base, folder) if base else None
        if not base or commit is None:
            return found
        branch = checkout.target or ("" if commit.startswith(base) else base)
        return replace(found, base_commit=commit, base_branch=branch)

    @property
    def text(self) -> tuple[str, ...]:
        """All that is known, in the words of reports."""
        commit = f"commit {short_commit(self.commit)}" if self.commit else ""
        return (*filter(None, (commit,)), *self.lines_without_commit)

    @property
    def lines_without_commit(self) -> tuple[str, ...]:
        """The same without the commit, where that is shown already."""
        branch = f"branch {self.branch}" if self.branch else ""
        of_branch = f" of {self.base_branch}" if self.base_branch else ""
        base = f"compared with {short_commit(self.base_commit)}{of_branch}" if self.base_commit else ""
        return (*filter(None, (branch, spoken_day(self.date), base, self.about)),)


UNKNOWN_RUN = RunIdentity(commit="", branch="", date="")


ReadFrom: TypeAlias = Literal["base", "checked out", "new"]
"""Which version of a file counted that differs from that of the base commit, or that this has not."""


class Use(StrEnum):
    """What a test or an update did with a file that candidates are judged by, or found out about it."""

    USED = "used"
    CREATED = "created"
    REPLACED = "replaced"
    KEPT = "kept"
    """Nothing was to replace it, or only the same again."""
    REFUSED = "refused"
    """A gate fails the candidate, and not only because the data leave the question open."""
    DIFFERS = "differs"
    """The file that is checked out is another one than that of the commit that baselines are read from."""


@dataclass(frozen=True)
class FileUse:
    """The use of a file: a baseline, a pool, labels or a gate file; ``read`` is known of one that differs."""

    use: Use
    path: str
    read: ReadFrom | None = None
    about: str = ""
    """What else an update tells of it."""

    @classmethod
    def differing(cls, files: FileSource, path: Path, *, checked_out: bool = False) -> "list[FileUse]":
        """Return that a file differs from that of the commit, and which of the two is read, if it does."""
        if not files.changed(path):
            return []
        return [cls(Use.DIFFERS, str(path), _read_from(files, path, checked_out=checked_out))]


def _read_from(files: FileSource, path: Path, *, checked_out: bool) -> ReadFrom:
    if files.committed(path) is None:
        return "new"
    return "checked out" if checked_out else "base"


class FindingKind(StrEnum):
    """How a gate, or the manifest itself, differs from what is listed."""

    MISSING = "missing"
    """The gate did not judge: its test is gone, was skipped, or ran without it."""
    LOOSENED = "loosened"
    """What it failed before may pass now."""
    CHANGED = "changed"
    """It asks something else, or of other data."""
    FILE = "file"
    """The manifest is damaged, or lists what neither the base commit nor this run does; ``gate`` is the file."""
    OUTDATED = "outdated"
    """The manifest lacks a new gate, or accepts what no longer occurs: an update puts that right."""


_LOOSENS = (FindingKind.MISSING, FindingKind.LOOSENED, FindingKind.CHANGED, FindingKind.FILE)


@dataclass(frozen=True)
class Finding(Declared):
    """How a gate differs from the one that the manifest of gates lists, in words.

    Attributes
    ----------
    gate
        The test that makes the gate, and which of its gates where it makes several; empty where it is about all.
    about
        What differs, such as ``rope``; empty when the gate as a whole does.
    text
        What was, and what is.
    change
        What `bayesf1 accept --loosened` takes to accept all that loosens or changes the gate; empty where nothing can
        be accepted.
    accepted
        Why it is wanted, as the change itself says; empty where it is not accepted.
    """

    gate: Annotated[Text, Described("The test that makes it, and which of its gates; empty where it is about all.")]
    kind: Annotated[
        FindingKind,
        ByValue(),
        Described(
            "The first four need a reason. file: the manifest itself. outdated: it lacks a gate, or lists what is gone."
        ),
    ]
    about: Annotated[Text, Described("What differs; empty when the gate as a whole does.")]
    text: Text
    change: Annotated[Text, Described("What bayesf1 accept --loosened takes; empty where nothing needs it.")] = ""
    accepted: Annotated[Text, Described("The reason for accepting it, as the change says; empty without.")] = ""

    @property
    def is_looser(self) -> bool:
        """Whether a regression might pass now that was listed to fail, wanted or not."""
        return self.kind in _LOOSENS

    @property
    def loosens(self) -> bool:
        """Whether it is looser, and not accepted."""
        return self.is_looser and not self.accepted
