"""Anything that holds a confusion matrix -> `ConfusionMatrix`."""

from typing import Any

import numpy as np

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.counts import ConfusionMatrix
from pytest_bayesf1.stats.labels import label_array


def as_confusion_matrix(value: Any, where: str) -> ConfusionMatrix:
    """Take a `ConfusionMatrix`, a table with labelled rows and columns (a pandas crosstab) or plain counts.

    Raises
    ------
    InputError
        Naming ``where`` the counts were handed in.
    """
    if isinstance(value, ConfusionMatrix):
        return value
    try:
        if hasattr(value, "index") and hasattr(value, "columns"):
            return _from_crosstab(value)
        return ConfusionMatrix(value)
    except InputError as error:
        raise InputError(f"{where}: {error.where}", error.expected, error.found, error.advice) from None


def _from_crosstab(table: Any) -> ConfusionMatrix:
    """Read true classes off the index and predicted classes off the columns; a class may be missing from either."""
    counts = np.asarray(table)
    rows, columns = label_array(list(table.index), "index"), label_array(list(table.columns), "columns")
    for name, axis in (("index", rows), ("columns", columns)):
        if np.unique(axis).size < axis.size:
            raise InputError(name, "each class once", "a class twice")
    if rows.dtype.kind != columns.dtype.kind:
        raise InputError("columns", f"labels like the index ({rows[0]!r}, ...)", f"{columns[0]!r}, ...")
    labels = rows.tolist() if set(rows.tolist()) == set(columns.tolist()) else np.union1d(rows, columns).tolist()
    if labels == list(range(counts.shape[0])) == columns.tolist():
        return ConfusionMatrix(counts)  # a data frame without names of its own
    position = {label: code for code, label in enumerate(labels)}
    square = np.zeros((len(labels), len(labels)), dtype=counts.dtype)
    square[np.ix_([position[row] for row in rows.tolist()], [position[column] for column in columns.tolist()])] = counts
    return ConfusionMatrix(square, labels)
