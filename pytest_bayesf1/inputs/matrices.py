"""Anything that holds a confusion matrix -> `ConfusionMatrix`."""

from typing import Any

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.counts import ConfusionMatrix, PairedCounts


def as_confusion_matrix(value: Any, where: str) -> ConfusionMatrix:
    """Take a `ConfusionMatrix`, a table with labelled rows and columns (a pandas crosstab) or plain counts.

    Raises
    ------
    InputError
        Naming ``where`` the counts were handed in.
    """
    if isinstance(value, ConfusionMatrix):
        return value
    if isinstance(value, PairedCounts):
        raise InputError(
            where,
            "one side's counts",
            "PairedCounts",
            "Pass them alone as baseline, or .baseline or .candidate of them.",
        )
    if value is None:
        raise InputError(where, "a confusion matrix", "None")
    try:
        return ConfusionMatrix(value)
    except InputError as error:
        raise InputError(f"{where}: {error.where}", error.expected, error.found, error.advice) from None
