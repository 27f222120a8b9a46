"""One side of a comparison: counts of predicted classes, labels or spans, or scores."""

from typing import Any, TypeAlias

from pytest_bayesf1.data.confusion import ConfusionMatrix, SideCounts
from pytest_bayesf1.data.paired import PairedCounts
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.errors import InputError, within

Side: TypeAlias = SideCounts | Scores


def as_side(value: Any, where: str) -> Side:
    """Take scores as they are, and anything else as `as_side_counts` does."""
    return value if isinstance(value, Scores) else as_side_counts(value, where)


def as_side_counts(value: Any, where: str) -> SideCounts:
    """Take counts as they are; make a `ConfusionMatrix` of a labelled table or of plain counts."""
    if isinstance(value, SideCounts):
        return value
    if isinstance(value, PairedCounts):
        raise InputError(
            where,
            "one side's counts",
            "PairedCounts",
            "Pass them alone as baseline, or .baseline or .candidate of them.",
        )
    if isinstance(value, Scores):
        raise InputError(where, "counts of predicted classes", "Scores", "Scores.at(threshold) counts them.")
    if value is None:
        raise InputError(where, "a confusion matrix", "None")
    with within(where):
        return ConfusionMatrix(value)
