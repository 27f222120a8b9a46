"""What a user hands in of one classifier: `ConfusionMatrix`. Rows are the true class, as in scikit-learn."""

from collections.abc import Iterable
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Counts
from pytest_bayesf1.counts.class_columns import class_predictions
from pytest_bayesf1.counts.crosstab import is_crosstab, read_crosstab
from pytest_bayesf1.counts.from_cells import Labels, tally_cells
from pytest_bayesf1.counts.labels import Label, row_labels
from pytest_bayesf1.counts.number_arrays import as_numbers, whole_counts
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.counts.shown import Show
from pytest_bayesf1.counts.side_counts import SideCounts
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.settings import INVALID_DEFAULT, Invalid


class ConfusionMatrix(SideCounts):
    """Counts of a classifier's outcomes on a test set: ``counts[j, k]`` examples of class j were predicted as k.

    Parameters
    ----------
    counts : array-like, shape (M, M)
        Whole numbers, none negative; rows are the true class. M is at least 2. A table that names its rows and columns,
        such as pandas' crosstab, gives the labels too.
    labels : sequence of M labels, optional
        Names of the classes, in the order of the rows; by default 0 .. M-1.

    Raises
    ------
    InputError
        When the counts or the labels cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import ConfusionMatrix
    >>> cm = ConfusionMatrix([[50, 2], [5, 43]], labels=["ham", "spam"])
    >>> cm.n_samples
    100
    >>> ConfusionMatrix.from_predictions(["a", "b", "b"], ["a", "b", "a"]).counts.tolist()
    [[1, 0], [1, 1]]
    """

    _noun = "classes"

    def __init__(self, counts: npt.ArrayLike, labels: Iterable[Label] | None = None) -> None:
        if is_crosstab(counts):
            if labels is not None:
                raise InputError("labels", "nothing beside a table that names its rows", "labels")
            counts, labels = read_crosstab(counts)
        dense = _checked_counts(counts)
        names = row_labels(labels, len(dense))
        true, predicted = np.nonzero(dense)
        table = OutcomeTable.tally(len(dense), true, predicted, weight=dense[true, predicted])
        self._set(table, names, "position" if labels is None else "caller")

    @classmethod
    def from_predictions(
        cls,
        y_true: Iterable[Any],
        y_pred: Iterable[Any],
        *,
        labels: Iterable[Label] | None = None,
        ids: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        runs: str | None = None,
        run_ids: Iterable[Any] | None = None,
        invalid: Invalid = INVALID_DEFAULT,
        show: Show = None,
    ) -> "ConfusionMatrix":
        """Count predictions, and keep them: two matrices of the same examples can then be compared as pairs.

        Parameters
        ----------
        y_true, y_pred : sequences of N labels
            Strings, integers or booleans. With ``runs`` ``y_pred`` has several per example, (N, R); or both have a row
            for every prediction, and ``ids`` tell which are of the same example.
        labels : sequence of M labels, optional
            The classes in their order; by default all that occur, sorted.
        ids : sequence of N identifiers, optional
            Which example is which. Without them examples pair up by position.
        clusters : sequence of N identifiers, optional
            Which examples belong together, such as those of a document or a user: these are the units that were drawn
            independently. Without them every example is.
        runs : str, optional
            What several predictions of an example are: ``"samples"`` of a system that does not always answer alike, or
            ``"seeds"``, trainings of the same recipe, of which there must be three.
        run_ids : sequence of identifiers, optional
            Which run each row is of, where an example has several rows.
        invalid : "error" or "wrong"
            What becomes of a prediction that is missing, or none of the classes: of ``labels`` or, without these, of
            those that the truth has. ``"wrong"`` counts it as wrong, and as no class of any average; it is then
            predicted as the last of the labels, ``(unreadable)``.
        show : sequence of N values, or a dictionary of several, optional
            What reports show of an example that changed, beside its id: its text, its address. The first 200
            characters are shown, wherever the report goes; by default nothing is.

        Raises
        ------
        InputError
            When the columns do not fit together, or hold something else than labels.
        """
        keep, names = class_predictions(y_true, y_pred, labels, (ids, clusters), (runs, run_ids), invalid, show)
        return cls.from_table(keep.tally(len(names)), names, "data" if labels is None else "caller", keep)

    @overload
    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str = ...,
        y_pred: str = ...,
        by: None = ...,
        clusters: str | None = ...,
        labels: Labels = ...,
        invalid: Invalid = ...,
    ) -> "ConfusionMatrix": ...
    @overload
    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str = ...,
        y_pred: str = ...,
        by: str,
        clusters: str | None = ...,
        labels: Labels = ...,
        invalid: Invalid = ...,
    ) -> "dict[Any, ConfusionMatrix]": ...
    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str = "y_true",
        y_pred: str = "y_pred",
        by: str | None = None,
        clusters: str | None = None,
        labels: Labels = None,
        invalid: Invalid = INVALID_DEFAULT,
    ) -> "ConfusionMatrix | dict[Any, ConfusionMatrix]":
        """Count the rows of a table where it is; only the counts come back.

        Parameters
        ----------
        frame : data frame, relation, or path
            Of pandas, Polars, PyArrow, DuckDB, Ibis, PySpark, or anything else that Narwhals knows; or the path of CSV
            or Parquet files, which may hold ``*``.
        y_true, y_pred : str
            Names of the columns of labels.
        by : str, optional
            Name of a column of slices: the result is then a dictionary with a matrix for each of its values, in their
            order, and for None where rows have none.
        clusters : str, optional
            Name of a column that tells which examples belong together, such as those of a document or a user: these are
            the units that were drawn independently. The slices cut them.
        labels : sequence of M labels, optional
            The classes in their order; by default all that occur (in the slice), sorted.
        invalid : "error" or "wrong"
            As in `from_predictions`.

        Raises
        ------
        InputError
            When a column is missing or not one of labels, or rows lack a label: it counts them.
        """
        from pytest_bayesf1.counts.from_frames import count_frame  # noqa: PLC0415 (loads Narwhals)

        counted = count_frame(frame, {"y_true": y_true, "y_pred": y_pred}, (by, clusters, None), labels, invalid)
        origin = "data" if labels is None else "caller"
        made = {value: cls.from_table(*counts, origin) for value, counts in counted.items()}
        return made[None] if by is None else made

    @property
    def counts(self) -> Counts:
        """The matrix, shape (M, M), as a new array of 64-bit integers; of shares where runs share an example."""
        dense = np.zeros((self._table.n_classes,) * 2, dtype=self._table.count.dtype)
        dense[self._table.true, self._table.predicted[0]] = self._table.count
        return dense

    @classmethod
    def from_cells(
        cls,
        y_true: Iterable[Any],
        y_pred: Iterable[Any],
        count: npt.ArrayLike,
        *,
        labels: Iterable[Label],
        invalid: Invalid = INVALID_DEFAULT,
    ) -> "ConfusionMatrix":
        """Take counts cell by cell: ``count`` examples of class ``y_true`` that were predicted as ``y_pred``.

        Parameters
        ----------
        y_true, y_pred : sequences of K labels
            The cells; those that are left out are 0.
        count : sequence of K whole numbers
            Examples in each cell.
        labels : sequence of M labels
            The classes in their order.
        invalid : "error" or "wrong"
            As in `from_predictions`.

        Raises
        ------
        InputError
            When a label is not among ``labels``, or a count is no whole number.

        Examples
        --------
        >>> ConfusionMatrix.from_cells(["a", "b"], ["a", "a"], [7, 2], labels=["a", "b"]).counts.tolist()
        [[7, 0], [2, 0]]
        """
        return cls.from_table(*tally_cells({"y_true": y_true, "y_pred": y_pred}, count, labels, invalid))

    def cells(self) -> dict[str, list[Any]]:
        """Write the cells that are not 0 out, as `from_cells` takes them."""
        true, predicted = (
            [self._labels[code] for code in c.tolist()] for c in (self._table.true, self._table.predicted[0])
        )
        return {"y_true": true, "y_pred": predicted, "count": self._table.count.tolist()}


def _checked_counts(counts: npt.ArrayLike) -> Counts:
    """Return the counts as a square array of whole numbers, or say which cell is wrong."""
    array = as_numbers(counts, "counts", "a square matrix (M, M) of whole numbers")
    if array.size == 0:
        raise InputError("counts", "at least two classes", "an empty matrix")
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise InputError("counts", "a square matrix (M, M)", f"shape {array.shape}")
    if len(array) == 1:
        raise InputError("counts", "at least two classes", "one class only")
    return whole_counts(array)
