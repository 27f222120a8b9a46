"""Which of a test's baselines the anchor is: the commit and the day of it, and how many came after it."""

from dataclasses import dataclass
from pathlib import Path

from pytest_bayesf1._util import counted, spoken_day
from pytest_bayesf1.git import Checkout

_SHORT = 7


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
        checkout = Checkout.of(folder)
        return cls(checkout.date, checkout.commit)

    @property
    def words(self) -> str:
        """All that is known, such as ``2 May 2026, 1a2b3c4, 6 baselines ago``; empty where nothing is."""
        moved = f"{counted(self.baselines_ago, 'baseline')} ago" if self.baselines_ago else ""
        return ", ".join(filter(None, (spoken_day(self.date), self.commit[:_SHORT], moved)))
