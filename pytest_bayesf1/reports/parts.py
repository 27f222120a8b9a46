"""The classes of a comparison, and what pairing brings it, as every format tells them."""

from math import hypot

from pytest_bayesf1._util import POINTS
from pytest_bayesf1.reports.entry import ComparisonEntry
from pytest_bayesf1.results.comparison import ClassDifference, ComparisonFigures
from pytest_bayesf1.results.formatting import Amounts


def class_change(part: ClassDifference) -> str:
    """Write how the F1 of a class changed, in points."""
    return Amounts(POINTS, part.hdi).told(part.mean, part.hdi)


def pairing_gain(comparison: ComparisonFigures) -> float:
    """By what factor the interval would be wider if the two sides had nothing in common."""
    apart = hypot(comparison.baseline.std, comparison.candidate.std)
    return apart / comparison.std if comparison.std > 0 else 1.0


def clearly_worse(comparison: ComparisonEntry) -> list[ClassDifference]:
    """Return the classes whose whole HDI lies below the ROPE."""
    breakdown = comparison.breakdown
    return [part for part in breakdown.classes if part.hdi[1] < comparison.rope[0]] if breakdown else []
