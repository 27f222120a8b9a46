"""Counts that are given outcome by outcome -> a table of them."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy.typing as npt

from pytest_bayesf1.counts.encoding import encode
from pytest_bayesf1.counts.labels import Label
from pytest_bayesf1.counts.number_arrays import as_numbers, whole_counts
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.settings import Invalid

Labels: TypeAlias = Iterable[Label] | None
"""The classes in their order, or all that occur."""


def tally_cells(
    columns: Mapping[str, Iterable[Any]], count: npt.ArrayLike, labels: Iterable[Label], invalid: Invalid
) -> tuple[OutcomeTable, tuple[Label, ...]]:
    """Count outcomes that are given with their numbers.

    Parameters
    ----------
    columns
        Columns of labels by the name that error messages use: the truth first, then each side's predictions.
    count : (K,)
        Examples with each outcome.
    labels
        The classes in their order.
    invalid
        As in `encode`.

    Returns
    -------
    table, labels
        Outcomes that are given twice are added up.

    Raises
    ------
    InputError
        When the columns do not fit together, or a count is no whole number.
    """
    codes, names = encode(columns, labels, invalid=invalid)
    true, *predicted = codes.values()
    weight = whole_counts(as_numbers(count, "counts", "whole numbers"))
    if weight.shape != true.shape:
        raise InputError("counts", f"{true.size} counts, one per cell", f"shape {weight.shape}")
    return OutcomeTable.tally(len(names), true, *predicted, weight=weight), names
