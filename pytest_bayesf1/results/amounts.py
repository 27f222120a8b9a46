"""Differences of a measure as people read them, in every text and figure: no more digits than they carry."""

from collections.abc import Sequence
from math import floor, log10

from pytest_bayesf1._util import MINUS, Interval, Scale, rope_width, scale_of
from pytest_bayesf1.results.results import ComparisonFigures

_MOST_DECIMALS = 6


class Amounts:
    """Writes differences of a measure, all with the same decimals: as many as the width of their interval deserves.

    Parameters
    ----------
    scale
        Points, or as they are.
    interval
        Of the differences.
    rope
        There are so many decimals that the interval's ends are seen to lie on the side of the ROPE's ends where they
        do lie.
    """

    def __init__(self, scale: Scale, interval: Interval, rope: Sequence[float] = ()) -> None:
        self._scale, self._rope = scale, rope
        low, high = (scale.factor * end for end in interval)
        decimals = min(max(1 - floor(log10(high - low)), 1), 4) if high > low else 1
        ends = [(end, scale.factor * bound) for end in (low, high) for bound in rope]
        while decimals < _MOST_DECIMALS and any(_seems(end, decimals, bound) for end, bound in ends):
            decimals += 1
        self._decimals = decimals

    @classmethod
    def of(cls, comparison: ComparisonFigures, interval: Interval | None = None) -> "Amounts":
        """Write the differences of a comparison.

        Parameters
        ----------
        comparison
            Whose measure and ROPE they have.
        interval
            Of them; by default the comparison's HDI.
        """
        scale = scale_of(custom_measure=comparison.custom_measure)
        return cls(scale, comparison.hdi if interval is None else interval, comparison.rope)

    @property
    def unit(self) -> str:
        """``points``, or nothing."""
        return f"{self._scale.unit}s" if self._scale.unit else ""

    @property
    def factor(self) -> float:
        """By what a difference is multiplied to be read."""
        return self._scale.factor

    @property
    def tolerated(self) -> str:
        """The ROPE with its unit and with the digits that somebody gave it."""
        low, high = self._rope
        return rope_width((low, high), self._scale)

    @property
    def rope(self) -> str:
        """The ROPE in the column of a table."""
        low, high = (self._scale.factor * bound for bound in self._rope)
        return f"±{high:g}" if -low == high else f"{low:+g} to {high:+g}".replace("-", MINUS)

    def signed(self, change: float) -> str:
        """Write a difference with its sign."""
        return self._digits(change, "+z")

    def with_unit(self, change: float) -> str:
        """Write a difference with its sign and its unit."""
        return self._scale.amount(self.signed(change))

    def size(self, change: float) -> str:
        """Write how far a measure moved, whichever way."""
        return self._scale.amount(self._digits(abs(change)))

    def move(self, change: float) -> str:
        """Say which way a measure moves, and how far."""
        if float(self._digits(abs(change))) == 0:
            return f"changes by less than {self._scale.amount(f'{10**-self._decimals:g}')}"
        return f"{'falls' if change < 0 else 'rises'} by {self.size(change)}"

    def interval(self, interval: Interval) -> str:
        """Write an interval of differences with their signs."""
        return " to ".join(map(self.signed, interval))

    def spoken(self, interval: Interval) -> str:
        """Write an interval as part of a sentence: of sizes, unless it holds 0 and needs its signs."""
        low, high = interval
        if low < 0 < high:
            return self.interval(interval)
        return " to ".join(self._digits(size) for size in sorted((abs(low), abs(high))))

    def width(self, interval: Interval) -> str:
        """Write how wide an interval is."""
        return self._digits(interval[1] - interval[0])

    def told(self, mean: float, interval: Interval) -> str:
        """Write a difference and its interval."""
        return f"{self.signed(mean)} ({self.interval(interval)})"

    def _digits(self, change: float, sign: str = "") -> str:
        return f"{self._scale.factor * change:{sign}.{self._decimals}f}".replace("-", MINUS)


def _seems(end: float, decimals: int, bound: float) -> bool:
    """Whether a number, once it is rounded, seems not to be on the side of a bound where it is."""
    shown = round(end, decimals)
    return end != bound and (shown - bound) * (end - bound) <= 0
