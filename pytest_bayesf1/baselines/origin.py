"""Which of a test's baselines the anchor is: the commit and the day of it, and how many came after it."""

import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.git import git
from pytest_bayesf1.text import counted

_SHORT = 7
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True)
class Origin:
    """Where an anchor is from; what nobody knows is empty.

    Attributes
    ----------
    date
        The day of the commit as ISO 8601 writes it, or of ``SOURCE_DATE_EPOCH`` where that is set.
    commit
        Full hash of the commit that was checked out when it was made the anchor.
    baselines_ago
        How often the baseline has moved since.
    """

    date: str = ""
    commit: str = ""
    baselines_ago: int = 0

    @classmethod
    def here(cls, folder: Path) -> "Origin":
        """Look at what is checked out now.

        Parameters
        ----------
        folder
            Where baselines are, or will be.
        """
        there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.is_dir())
        found = None
        with suppress(BaselineError):  # without git nothing is known
            found = git(there, "log", "-1", "--format=%H %cs")
        commit, _, day = (found or b"").decode().strip().partition(" ")
        return cls(_source_date() or day, commit)

    @property
    def words(self) -> str:
        """All that is known, such as ``2 May 2026, 1a2b3c4, 6 baselines ago``; empty where nothing is."""
        moved = f"{counted(self.baselines_ago, 'baseline')} ago" if self.baselines_ago else ""
        return ", ".join(filter(None, (_spoken(self.date), self.commit[:_SHORT], moved)))


def _source_date() -> str:
    """Return the day that reproducible builds take for today."""
    try:
        return datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC).date().isoformat()
    except (KeyError, ValueError, OverflowError, OSError):
        return ""


def _spoken(day: str) -> str:
    if not day:
        return ""
    found = date.fromisoformat(day)
    return f"{found.day} {_MONTHS[found.month - 1]} {found.year}"
