"""Where errors moved, as a table: the candidate's confusion matrix minus the baseline's."""

from dataclasses import dataclass
from math import sqrt

from pytest_bayesf1._util import MINUS
from pytest_bayesf1.results.comparison import Breakdown
from pytest_bayesf1.results.formatting import name_text

MOST_CLASSES = 20
NUMBERED = 8
"""Up to so many classes have room for numbers."""

SHADES = 4
_FULL = 0.25
"""Share of a class from which on a shade is the darkest; by a square root, so that small changes show too."""


@dataclass(frozen=True)
class Cell:
    """How a class's share of examples that are predicted as another one changed; no kind where it did not.

    Attributes
    ----------
    kind
        ``worse`` or ``better`` and its shade, from 1.
    points
        Of the class's examples.
    """

    kind: str = ""
    points: str = ""


@dataclass(frozen=True)
class HeatMap:
    """The classes whose cells changed most, in the order of their changes, and a row of cells for each.

    Attributes
    ----------
    names
        Of the classes.
    rows
        By true class, its cells by predicted class.
    n_classes
        Of which these are.
    full
        From which share of a class on a change has the darkest shade.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_classes: int
    full: float = _FULL

    @property
    def numbered(self) -> bool:
        """Whether its cells have numbers in them."""
        return len(self.names) <= NUMBERED

    @classmethod
    def of(cls, breakdown: Breakdown, n_classes: int) -> "HeatMap | None":
        """Show at most 20 classes; None where no cell changed."""
        if not breakdown.cells:
            return None
        sizes = [each.n_samples for each in breakdown.classes]
        changes: dict[tuple[int, int], float] = {}
        moved = [0.0] * len(sizes)
        for true, predicted, *counts in breakdown.cells:
            before, after = (count / max(size, 1) for count, size in zip(counts, sizes[true], strict=True))
            changes[true, predicted] = after - before
            moved[true] += abs(after - before)
            moved[predicted] += abs(after - before)
        shown = sorted(sorted(range(len(sizes)), key=lambda place: -moved[place])[:MOST_CLASSES])
        labels = [breakdown.classes[place].label for place in shown]
        rows = (
            tuple(_cell(changes.get((true, predicted), 0.0), is_error=true != predicted) for predicted in shown)
            for true in shown
        )
        return cls(tuple(name_text(str(label)) for label in labels), tuple(rows), n_classes)


def _cell(change: float, *, is_error: bool) -> Cell:
    if change == 0:
        return Cell()
    shade = max(1, round(SHADES * min(sqrt(abs(change) / _FULL), 1.0)))
    kind = "worse" if (change > 0) == is_error else "better"
    return Cell(f"{kind}-{shade}", f"{100 * change:+.1f}".replace("-", MINUS))
