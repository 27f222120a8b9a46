"""Tables with labelled rows and columns, such as pandas' crosstab."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_bayesf1._util import require_once
from pytest_bayesf1.arrays import LabelArray
from pytest_bayesf1.counts.labels import Label, kind_of, label_column
from pytest_bayesf1.counts.spelling import in_order
from pytest_bayesf1.counts.vocabulary import require_one_vocabulary
from pytest_bayesf1.errors import InputError


def is_crosstab(value: object) -> bool:
    """Whether the rows and columns have labels of their own.

    Parameters
    ----------
    value
        Anything; a data frame whose axes merely count is no crosstab.
    """
    if not (hasattr(value, "index") and hasattr(value, "columns")):
        return False
    return not all(is_mere_position(axis) for axis in (value.index, value.columns))


def is_mere_position(axis: Any) -> bool:
    """Whether a data frame's axis has no names, only numbers that count it.

    Parameters
    ----------
    axis
        The index or the columns of a pandas data frame.
    """
    return type(axis).__name__ == "RangeIndex" and axis.name is None


def read_crosstab(table: Any) -> tuple[npt.NDArray[Any], tuple[Label, ...]]:
    """Read true classes off the index and predicted classes off the columns.

    Parameters
    ----------
    table
        A pandas data frame; a class may be missing from either axis.

    Returns
    -------
    counts, labels
        (M, M) and M.

    Raises
    ------
    InputError
        As `square_crosstab` does.
    """
    axes = {"index": label_column(list(table.index), "index"), "columns": label_column(list(table.columns), "columns")}
    return square_crosstab(np.asarray(table), axes)


def square_crosstab(
    counts: npt.NDArray[Any], axes: Mapping[str, LabelArray]
) -> tuple[npt.NDArray[Any], tuple[Label, ...]]:
    """Bring a table to the same classes in its rows and columns, with zeros where one lacked.

    Parameters
    ----------
    counts
        Its cells.
    axes
        The true classes of the rows, then the predicted ones of the columns, by the name that error messages use.

    Returns
    -------
    counts, labels
        (M, M) and M.

    Raises
    ------
    InputError
        When an axis has a class twice, the axes have labels of different kinds, or the last row and column are totals.
    """
    (first, rows), (second, columns) = axes.items()
    for name, axis in axes.items():
        require_once(axis.tolist(), name, "class")
    if kind_of(rows) != kind_of(columns):
        raise InputError(second, f"{kind_of(rows)}, as in the {first}", kind_of(columns))
    _refuse_totals(counts)
    if counts.dtype.kind in "iuf" and counts.sum() > 0:
        examples = zip((rows, columns), (counts.sum(axis=1), counts.sum(axis=0)), strict=True)
        of_axes = (dict(zip(axis.tolist(), n.tolist(), strict=True)) for axis, n in examples)
        require_one_vocabulary(dict(zip(axes, of_axes, strict=True)))
    same = set(rows.tolist()) == set(columns.tolist())
    labels = rows.tolist() if same else in_order({*rows.tolist(), *columns.tolist()})
    position = {label: code for code, label in enumerate(labels)}
    square = np.zeros((len(labels), len(labels)), dtype=counts.dtype)
    square[np.ix_([position[row] for row in rows.tolist()], [position[column] for column in columns.tolist()])] = counts
    return square, tuple(labels)


def _refuse_totals(counts: npt.NDArray[Any]) -> None:
    """Refuse a crosstab with margins, which would count every example twice under a class called All."""
    if min(counts.shape) < 3 or counts.dtype.kind not in "iuf":
        return
    inner = counts[:-1, :-1]
    if (counts[-1, :-1] == inner.sum(axis=0)).all() and (counts[:-1, -1] == inner.sum(axis=1)).all():
        raise InputError("last row and column", "a class", "the totals of the others", "Use margins=False.")
