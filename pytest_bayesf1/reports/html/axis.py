"""An axis of a drawing that is as wide as the page lets it be."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pytest_bayesf1._util import MINUS
from pytest_bayesf1.figures.ticks import round_numbers

WIDTH = 1_000
"""Of every drawing, in units of its own: the page stretches it."""

_MARGIN = 0.03
_EDGE = 6
"""Per cent of the width at either end where half of a number would stick out."""


@dataclass(frozen=True)
class Label:
    """A text, and where on the axis it belongs, in per cent of the width."""

    place: float
    text: str
    kind: str = ""


@dataclass(frozen=True)
class Axis:
    """The numbers that a drawing shows, from ``low`` to ``high``."""

    low: float
    high: float

    @classmethod
    def over(cls, numbers: Iterable[float]) -> "Axis":
        """Show all of some numbers, with a little room around them."""
        shown = list(numbers)
        low, high = min(shown), max(shown)
        margin = _MARGIN * (high - low) or 1.0
        return cls(low - margin, high + margin)

    def place(self, value: float) -> float:
        """Say where a number stands, in per cent of the width; what lies beyond an end stands there."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 1)

    def across(self, value: float) -> int:
        """Say the same in units of the drawing."""
        return round(WIDTH / 100 * self.place(value))

    def label(self, value: float, text: str, kind: str = "") -> Label:
        """Put a text at a number."""
        return Label(self.place(value), text, kind)

    def ticks(self, most: int = 5) -> Iterator[Label]:
        """Yield round numbers that do not stick out; differences, which have two sides, with their signs."""
        has_sides = self.low < 0 < self.high
        for number in round_numbers(self.low, self.high, most):
            place = self.place(number)
            if number == 0 or _EDGE <= place <= 100 - _EDGE:
                yield Label(place, f"{number:{'+' if has_sides and number else ''}g}".replace("-", MINUS))
