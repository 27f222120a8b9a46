"""Differences and scores of an entry as people read them: in points where they think in points, no false precision."""

from math import hypot

from pytest_bayesf1.reports.entry import ComparisonEntry
from pytest_bayesf1.reports.wording import change_format
from pytest_bayesf1.results.breakdown import ClassDifference
from pytest_bayesf1.results.results import ComparisonFigures
from pytest_bayesf1.text import ChangeFormat, Interval, scale_of

_MINUS = str.maketrans("-", "\N{MINUS SIGN}")


class Amounts:
    """Writes the differences of one comparison, all with the same decimals."""

    def __init__(self, comparison: ComparisonFigures) -> None:
        self._rope = comparison.rope
        self._scale = scale_of(custom_measure=comparison.custom_measure)
        self._form = change_format(comparison)

    @property
    def unit(self) -> str:
        """``points``, or nothing."""
        return f"{self._scale.unit}s" if self._scale.unit else ""

    @property
    def factor(self) -> float:
        """By what a difference is multiplied to be read."""
        return self._scale.factor

    def change(self, difference: float) -> str:
        """Write a difference with its sign."""
        return self._form.signed(difference).translate(_MINUS)

    def interval(self, interval: Interval) -> str:
        """Write an interval of differences."""
        return " to ".join(map(self.change, interval))

    def width(self, interval: Interval) -> str:
        """Write how wide an interval is."""
        return self._form.signed(interval[1] - interval[0]).removeprefix("+")

    @property
    def rope(self) -> str:
        """Write the ROPE with the digits that somebody gave it."""
        low, high = (self._scale.factor * bound for bound in self._rope)
        return f"±{high:g}" if -low == high else f"{low:+g} to {high:+g}".translate(_MINUS)


def class_change(part: ClassDifference) -> str:
    """Write how the F1 of a class changed, in points."""
    form = ChangeFormat(scale_of(custom_measure=False), part.hdi)
    low, high = (form.signed(bound) for bound in part.hdi)
    return f"{form.signed(part.mean)} ({low} to {high})".translate(_MINUS)


def pairing_gain(comparison: ComparisonFigures) -> float:
    """By what factor the interval would be wider if the two sides had nothing in common."""
    apart = hypot(comparison.baseline.std, comparison.candidate.std)
    return apart / comparison.std if comparison.std > 0 else 1.0


def clearly_worse(comparison: ComparisonEntry) -> list[ClassDifference]:
    """Return the classes whose whole HDI lies below the ROPE."""
    breakdown = comparison.breakdown
    return [part for part in breakdown.classes if part.hdi[1] < comparison.rope[0]] if breakdown else []
