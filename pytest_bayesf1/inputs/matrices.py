"""Anything that holds a confusion matrix -> `ConfusionMatrix`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.counts import ConfusionMatrix, PairedCounts
from pytest_bayesf1.stats.labels import kind_of, label_column


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
        if hasattr(value, "index") and hasattr(value, "columns"):
            return _from_crosstab(value)
        return ConfusionMatrix(value)
    except InputError as error:
        raise InputError(f"{where}: {error.where}", error.expected, error.found, error.advice) from None


def _from_crosstab(table: Any) -> ConfusionMatrix:
    """Read true classes off the index and predicted classes off the columns; a class may be missing from either."""
    counts = np.asarray(table)
    rows, columns = label_column(list(table.index), "index"), label_column(list(table.columns), "columns")
    for name, axis in (("index", rows), ("columns", columns)):
        if np.unique(axis).size < axis.size:
            raise InputError(name, "each class once", "a class twice")
    if kind_of(rows) != kind_of(columns):
        raise InputError("columns", f"{kind_of(rows)}, as in the index", kind_of(columns))
    _refuse_totals(counts)
    labels = rows.tolist() if set(rows.tolist()) == set(columns.tolist()) else np.union1d(rows, columns).tolist()
    if kind_of(rows) == "integers" and labels == list(range(counts.shape[0])) == columns.tolist():
        return ConfusionMatrix(counts)  # a data frame without names of its own
    position = {label: code for code, label in enumerate(labels)}
    square = np.zeros((len(labels), len(labels)), dtype=counts.dtype)
    square[np.ix_([position[row] for row in rows.tolist()], [position[column] for column in columns.tolist()])] = counts
    return ConfusionMatrix(square, labels)


def _refuse_totals(counts: npt.NDArray[Any]) -> None:
    """Refuse a crosstab with margins, which would count every example twice under a class called All."""
    if min(counts.shape) < 3 or counts.dtype.kind not in "iuf":
        return
    inner = counts[:-1, :-1]
    if (counts[-1, :-1] == inner.sum(axis=0)).all() and (counts[:-1, -1] == inner.sum(axis=1)).all():
        raise InputError("last row and column", "a class", "the totals of the others", "Use margins=False.")
