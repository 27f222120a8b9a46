"""Where a project keeps baselines, the manifest and gate files, and what a run may write there."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from math import inf
from pathlib import Path

from pytest_bayesf1.errors import InputError, shown

FOLDER = "__bayesf1__"

MANIFEST = "gates.json"

ANCHOR = ".anchor.json"
"""How the name of an anchor's file ends, beside its baseline."""

GATE_FILES = ("bayesf1*.yaml", "bayesf1*.yml")


class Update(StrEnum):
    """What a run may do to baselines and to the manifest."""

    NONE = "none"
    NEW = "new"
    ALL = "all"
    ANCHOR = "anchor"
    FORCE = "force"


def gate_files(folder: Path) -> list[Path]:
    """List a folder's gate files."""
    return sorted(path for pattern in GATE_FILES for path in folder.glob(pattern) if path.is_file())


def gate_files_in_or_below(folder: Path) -> list[Path]:
    """List a folder's gate files or, where it has none, those of the folders below it."""
    return gate_files(folder) or every_gate_file(folder)


def every_gate_file(folder: Path) -> list[Path]:
    """List the gate files of a folder and of those below it."""
    return [file for each in _folders(folder) for file in gate_files(each)]


_PASSED_BY = (".*", "*.egg", "CVS", "_darcs", "build", "dist", "node_modules", "venv", "{arch}")
"""Folders that pytest does not look into either."""


def _folders(folder: Path) -> Iterator[Path]:
    """List a folder and those below it, passing by what is no part of the project."""
    for where, folders, _ in os.walk(folder):
        folders[:] = sorted(name for name in folders if not any(fnmatchcase(name, each) for each in _PASSED_BY))
        yield Path(where)


def folders_from(folder: Path) -> Iterator[Path]:
    """List a folder and those above, up to the root of its repository: what lies above has none of its gates."""
    for each in (folder.absolute(), *folder.absolute().parents):
        yield each
        if (each / ".git").exists():
            return


def store_directory(module: Path) -> Path:
    """Return where a module's baselines are."""
    return module.parent / FOLDER / module.stem


def baselines_below(folder: Path) -> Iterator[Path]:
    """Find the stored baselines in a project."""
    for here in _folders(folder):
        if FOLDER in here.parts:
            files = (path for path in sorted(here.iterdir()) if path.is_file())
            yield from (path for path in files if is_baseline(path.name) and not _is_manifest(path))


def is_baseline(name: str) -> bool:
    """Whether a file in a store is a baseline."""
    return name.endswith(".json") and not name.endswith(ANCHOR) and not name.startswith(".")


def manifest_path(root: Path) -> Path:
    """Return where a project's manifest of gates is: always there, so that no setting can hide it."""
    return root / FOLDER / MANIFEST


def _is_manifest(path: Path) -> bool:
    """Whether a file is a manifest: a baseline never stands in the folder itself, but below it."""
    return path.name == MANIFEST and path.parent.name == FOLDER


def require_updatable(update: Update, where: str, force: str = "") -> None:
    """Refuse to write where it would not be reviewed and committed, with an `InputError` that offers what forces it."""
    if update not in (Update.NONE, Update.FORCE) and in_ci():
        problem = f"No one reviews or commits what a run writes in CI (CI={os.environ['CI']})"
        advice = f"Run it on your own machine{f'; or pass {force}' if force else ''}."
        raise InputError.plain(where, problem, advice)


_LONGEST_REASON = 500
_FEWEST_WORDS = 3


@dataclass(frozen=True)
class Wanted:
    """Why losses are accepted, and the largest that is accepted of later candidates too, if any."""

    reason: str
    up_to: float | None

    @classmethod
    def of(cls, reason: str, up_to: float | None) -> "Wanted":
        """Check what options say; raise `InputError` for a reason that says nothing, or a limit that is none."""
        if len(reason.split()) < _FEWEST_WORDS or len(reason) > _LONGEST_REASON:
            found = f"{len(reason):,} characters" if len(reason) > _LONGEST_REASON else shown(reason)
            expected = f"a reason of at least {_FEWEST_WORDS} words, up to {_LONGEST_REASON} characters"
            raise InputError("--reason", expected, found)
        if up_to is not None and not 0 < up_to < inf:
            raise InputError("--up-to", "a loss, such as 0.02 for two points", f"{up_to:g}")
        return cls(" ".join(reason.split()), up_to)


def in_ci() -> bool:
    """Whether this is a machine whose files are not reviewed."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")
