"""Intervals below one another on one axis, as places in per cent of its width."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_bayesf1.text import Interval


@dataclass(frozen=True)
class Bar:
    """An interval, its mean, and the ROPE."""

    hdi: Interval
    mean: float
    rope: Interval


@dataclass(frozen=True)
class PlacedBar:
    """The same in per cent of the axis; where the interval goes on beyond it, the axis cuts it."""

    left: float
    width: float
    mean: float
    rope_left: float
    rope_width: float


@dataclass(frozen=True)
class Axis:
    """What part of the numbers a forest shows, from ``low`` to ``high``."""

    low: float
    high: float

    @classmethod
    def over(cls, bars: Sequence[Bar]) -> "Axis":
        """Show every interval, every ROPE and 0."""
        ends = [end for bar in bars for end in (*bar.hdi, *bar.rope)] + [0.0]
        low, high = min(ends), max(ends)
        margin = 0.03 * (high - low) or 1.0
        return cls(low - margin, high + margin)

    def place(self, value: float) -> float:
        """Say where a number stands, in per cent of the width."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 2)

    def placed(self, bar: Bar) -> PlacedBar:
        """Place a bar."""
        (left, right), (rope_left, rope_right) = (tuple(map(self.place, ends)) for ends in (bar.hdi, bar.rope))
        return PlacedBar(
            left, round(right - left, 2), self.place(bar.mean), rope_left, round(rope_right - rope_left, 2)
        )

    def ticks(self, numbers: Iterable[float]) -> list[tuple[float, str]]:
        """Place numbers and write them out; those near the ends, which would stick out, are left out."""
        written = [(self.place(number), f"{number:+g}" if number else "0") for number in numbers]
        return [(place, number) for place, number in written if 4 <= place <= 96]
