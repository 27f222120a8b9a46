"""An axis of a drawing that is as wide as the page lets it be."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pytest_bayesf1.figures.ticks import round_numbers
from pytest_bayesf1.text import MINUS

WIDTH = 1_000
"""Of every drawing, in units of its own: the page stretches it."""

_MARGIN = 0.03
_ROOM = 15
"""Per cent of the width that the words at 0 keep clear on either side, and a number half of it."""


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

    def ticks(self, at_zero: str = "0", most: int = 5) -> Iterator[Label]:
        """Yield round numbers that neither stick out nor touch what is written at 0.

        Parameters
        ----------
        at_zero
            What is written there: no difference means something.
        most
            Numbers.
        """
        zero = self.place(0.0)
        room = _ROOM if at_zero != "0" else _ROOM / 2
        for number in round_numbers(self.low, self.high, most):
            place = self.place(number)
            if number == 0:
                yield Label(place, at_zero)
            elif not self.low < 0 < self.high:
                yield Label(place, f"{number:g}")
            elif abs(place - zero) >= room and _ROOM / 5 <= place <= 100 - _ROOM / 5:
                yield Label(place, f"{number:+g}".replace("-", MINUS))
