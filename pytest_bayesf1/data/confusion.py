"""Confusion matrices of one side, for one label or several."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from enum import Enum
from functools import partial
from numbers import Real
from typing import Any, ClassVar, Self, TypeAlias, TypedDict, Unpack, overload

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, issparse

from pytest_bayesf1.arrays import Codes, Counts, LabelArray
from pytest_bayesf1.choices import INVALID_DEFAULT, Invalid
from pytest_bayesf1.data import table_engines
from pytest_bayesf1.data.labels import (
    IF_CLASS,
    encode,
    encode_any_number,
    explicit_labels,
    in_order,
    is_mere_position,
    kind_of,
    label_column,
    require_one_vocabulary,
    require_same_index,
    row_labels,
)
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.data.predictions import (
    WHAT_RUNS_ARE,
    ClassPredictions,
    Examples,
    LabelPredictions,
    Predictions,
    Show,
    read_shown,
    require_no_repetition,
)
from pytest_bayesf1.errors import InputError, ends_here, shown
from pytest_bayesf1.results.schema import UNREADABLE, Label
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.values import require_once

Labels: TypeAlias = Iterable[Label] | None
"""The classes in their order, or all that occur."""


class FrameOptions(TypedDict, total=False):
    """What every constructor that counts data frames also takes; see `ConfusionMatrix.from_frame`."""

    y_true: str
    clusters: str | None
    labels: Labels
    invalid: Invalid


def _rows_of_runs(y_pred: Iterable[Any]) -> list[list[Any]] | None:
    """Return a row of predictions per example; None where there is a single column."""
    if getattr(y_pred, "ndim", 1) == 2:
        return [list(row) for row in np.ma.asarray(y_pred).tolist()]
    if isinstance(y_pred, list | tuple) and any(isinstance(row, list | tuple | np.ndarray) for row in y_pred):
        return [list(row) if isinstance(row, list | tuple | np.ndarray) else [row] for row in y_pred]
    return None


def _runs_of_each(y_true: LabelArray, rows: list[list[Any]], run_ids: Iterable[Any] | None) -> list[int]:
    """Return how many runs every example has, at least one."""
    if len(rows) != y_true.size:
        expected = f"{counted(y_true.size, 'row')} of predictions, one per example of y_true"
        raise InputError("y_pred", expected, f"{len(rows)}")
    if [] in rows:
        raise InputError.plain("y_pred", f"No prediction at position {rows.index([])}", WHAT_RUNS_ARE)
    if run_ids is not None:
        raise InputError.plain("run_ids", "The columns of y_pred, of shape (N, R), are the runs already")
    return list(map(len, rows))


def is_crosstab(value: object) -> bool:
    """Whether the rows and columns have labels of their own."""
    if not (hasattr(value, "index") and hasattr(value, "columns")):
        return False
    return not all(is_mere_position(axis) for axis in (value.index, value.columns))


def read_crosstab(table: Any) -> tuple[npt.NDArray[Any], tuple[Label, ...]]:
    """Read the true classes off the index, and the predicted ones off the columns."""
    axes = {
        place: label_column(list(axis), place, if_null=IF_CLASS)
        for place, axis in (("index", table.index), ("columns", table.columns))
    }
    require_axes(table.index.name, table.columns.name)
    return square_crosstab(as_numbers(table, "counts", _SQUARE), axes)


_SQUARE = "a square matrix (M, M) of whole numbers"


def require_axes(rows: object, columns: object) -> None:
    """Refuse rows called predictions, and columns called the truth."""
    if rows in ("y_pred", "pred") or columns in ("y_true", "true"):
        problem = f"The rows are called {shown(rows)}, the columns {shown(columns)}"
        advice = "Rows must be the true classes, columns the predicted ones: transpose the table."
        raise InputError.plain("axes", problem, advice)


def square_crosstab(
    counts: npt.NDArray[Any], axes: Mapping[str, LabelArray]
) -> tuple[npt.NDArray[Any], tuple[Label, ...]]:
    """Bring a table to the same classes in its rows, which are true, and columns, with zeros where one lacked."""
    for place, labels in axes.items():
        require_once(labels.tolist(), place, "class")
    (rows, true), (columns, predicted) = axes.items()
    if kind_of(true) != kind_of(predicted):
        raise InputError(columns, f"{kind_of(true)}, as in the {rows}", kind_of(predicted))
    same = set(true.tolist()) == set(predicted.tolist())
    classes = true.tolist() if same else in_order({*true.tolist(), *predicted.tolist()})
    position = {label: code for code, label in enumerate(classes)}
    square = np.zeros((len(classes), len(classes)), dtype=counts.dtype)
    square[np.ix_([position[row] for row in true.tolist()], [position[column] for column in predicted.tolist()])] = (
        counts
    )
    if counts.sum() > 0:
        _refuse_sums(square, classes, " and ".join(axes))
        times = {rows: (true, counts.sum(axis=1)), columns: (predicted, counts.sum(axis=0))}
        require_one_vocabulary(
            {place: dict(zip(labels.tolist(), n.tolist(), strict=True)) for place, (labels, n) in times.items()}
        )
    return square, tuple(classes)


_TOTALS = frozenset({"all", "sum", "sums", "support", "total", "totals"})
_FEWEST_SUMMED = 30


def _refuse_sums(counts: npt.NDArray[Any], labels: Sequence[Label], where: str) -> None:
    """Refuse totals: a class that holds the sums of the others, or one called so in rows or columns alone."""
    for code, label in enumerate(labels) if len(labels) > 2 else ():
        row, column = counts[code], counts[:, code]
        in_row = (counts.sum(axis=0) - row == row).all()
        in_column = (counts.sum(axis=1) - column == column).all()
        are_sums = (in_row or not row.any()) and (in_column or not column.any()) and (in_row or in_column)
        others = np.delete(np.delete(counts, code, 0), code, 1)
        are_enough = others.sum() >= _FEWEST_SUMMED and np.count_nonzero(others) > 2
        is_alone = not (row.any() and column.any())
        is_called_so = str(label).strip().lower() in _TOTALS
        if (are_sums and are_enough) or (is_called_so and (are_sums or is_alone)):
            problem = f"{shown(label)} looks like totals, which would count every example twice"
            raise InputError.plain(where, problem, _LEAVE_OUT)


_LEAVE_OUT = "Leave out totals. If it is a class, pass the bare array of counts, and labels."


def _refuse_totals(counts: npt.NDArray[Any]) -> None:
    """Refuse totals without a name, which would count every example twice under a class of their own."""
    if min(counts.shape) < 3:
        return
    inner = counts[:-1, :-1]
    sums = np.append(inner.sum(axis=0), inner.sum()), inner.sum(axis=1)
    if inner.any() and (counts[-1] == sums[0]).all() and (counts[:-1, -1] == sums[1]).all():
        problem = "These are the sums of the others"
        advice = "Leave out totals. If this is a class, name all of them in labels."
        raise InputError.plain("last row and column", problem, advice)


_MAX_COUNT = 2**53  # beyond it a float no longer holds every whole number


def as_numbers(values: Any, where: str, expected: str, *, or_booleans: bool = False) -> npt.NDArray[Any]:
    """Make an array of numbers of what a caller handed in, never out of text."""
    if np.ma.is_masked(values):
        raise InputError(where, expected, "masked values")
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(where, expected, "rows of different lengths") from None
    if array.dtype.kind == "O" and all(isinstance(value, Real | None) for value in array.ravel()):
        try:
            array = array.astype(float)
        except OverflowError:
            raise InputError(where, expected, "a number beyond 10^308") from None
    if array.dtype.kind not in ("biuf" if or_booleans else "iuf"):
        found = {"U": "text", "S": "text", "b": "booleans", "O": f"{type(values).__name__}"}
        raise InputError(where, expected, found.get(array.dtype.kind, str(array.dtype)))
    return array


def require_cells(array: npt.NDArray[Any], where: str, rules: Iterable[tuple[npt.NDArray[np.bool_], str, str]]) -> None:
    """Require that no cell of an array breaks a rule."""
    for broken, expected, advice in rules:
        if broken.any():
            cell = tuple(np.argwhere(broken)[0].tolist())
            raise InputError(f"{where}[{', '.join(map(str, cell))}]", expected, str(array[cell]), advice)


def whole_counts(array: npt.NDArray[Any]) -> Counts:
    """Return numbers of examples as 64-bit integers."""
    require_cells(
        array,
        "counts",
        (
            (~np.isfinite(array), "finite counts", ""),
            (array < 0, "no negative count", ""),
            (array != np.floor(array), "whole numbers", "Pass counts, not normalised rates."),
            (array > _MAX_COUNT, "counts up to 2^53", ""),
        ),
    )
    if array.sum(dtype=float) > _MAX_COUNT:
        raise InputError("counts", "at most 2^53 examples in all", f"{array.sum(dtype=float):.3g}")
    if not array.any():
        raise InputError.plain("counts", "All counts are 0")
    return array.astype(np.int64)


def tally_cells(
    columns: Mapping[str, Iterable[Any]], count: npt.ArrayLike, labels: Iterable[Label], invalid: Invalid
) -> tuple[OutcomeTable, tuple[Label, ...]]:
    """Count outcomes that are given with their numbers."""
    codes, names = encode(columns, labels, invalid=invalid)
    true, *predicted = codes.values()
    weight = whole_counts(as_numbers(count, "counts", "whole numbers"))
    if weight.shape != true.shape:
        raise InputError("counts", f"{true.size} counts, one per cell", f"shape {weight.shape}")
    return OutcomeTable.tally(len(names), true, *predicted, weight=weight), names


LabelsFrom: TypeAlias = str  # "caller", "data" or "position"


@dataclass(frozen=True, eq=False, repr=False, init=False)
class SideCounts(ABC):
    """One classifier's counts, the names of the classes, and the predictions where they are known."""

    _noun: ClassVar[str]
    _example_noun: ClassVar[str] = "examples"

    table: OutcomeTable
    """The counts that are not 0, in the form that the statistics work with."""
    labels: tuple[Label, ...]
    """The labels, in the order of the counts."""
    labels_from: LabelsFrom
    """Where the labels come from: the ``caller``, the ``data`` themselves, or merely the ``position``."""
    predictions: Predictions[OutcomeTable] | None = None
    """The examples behind the counts, when they are known."""
    notes: tuple[str, ...] = ()
    """What a careful reader of a result should know of how the data were read."""

    @classmethod
    def from_table(
        cls,
        table: OutcomeTable,
        labels: tuple[Label, ...],
        labels_from: LabelsFrom = "caller",
        predictions: Predictions[OutcomeTable] | None = None,
    ) -> Self:
        """Wrap counts that were checked before.

        Parameters
        ----------
        table
            Counts of one side.
        labels
            The names of the classes or labels.
        labels_from
            Where these come from, see `labels_from`.
        predictions
            The examples behind the counts, when they are known.
        """
        counts = cls.__new__(cls)
        vars(counts).update(table=table, labels=labels, labels_from=labels_from, predictions=predictions)
        return counts

    def _with(self, **changed: Any) -> Self:
        counts = copy(self)
        vars(counts).update(changed)
        return counts

    @property
    def classes(self) -> tuple[Label, ...]:
        """The labels that an example can have: those of which `UNREADABLE` is none."""
        return tuple(label for label in self.labels if label is not UNREADABLE)

    def with_notes(self, notes: tuple[str, ...]) -> Self:
        """Return the same counts with these notes."""
        return self._with(notes=notes)

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return self.table.n_samples

    @property
    @abstractmethod
    def counts(self) -> Counts:
        """The counts, as a new array of 64-bit integers."""

    @abstractmethod
    def cells(self) -> dict[str, list[Any]]:
        """Write the counts out by names, as columns of equal length."""

    def renamed(self, labels: tuple[Label, ...]) -> Self:
        """Return the same counts under other names."""
        return self._with(labels=labels, labels_from="caller")

    def of_examples(self, predictions: Predictions[OutcomeTable]) -> Self:
        """Return the counts of other examples, over the same labels."""
        return self._with(table=predictions.tally(len(self.labels)), predictions=predictions)

    def relabelled(self, labels: tuple[Label, ...]) -> Self:
        """Return the same counts over ``labels``: reordered, and with those that it lacked, of which it has none."""
        position = {label: code for code, label in enumerate(labels)}
        codes = np.array([position[label] for label in self.labels])
        kept = None if self.predictions is None else self.predictions.relabelled(codes, len(labels))
        return self._with(table=self.table.relabelled(codes, len(labels)), labels=labels, predictions=kept)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Serve wherever numpy takes an array."""
        return self.counts if dtype is None else self.counts.astype(dtype)

    def __eq__(self, other: object) -> bool:
        """Whether labels and counts are equal; predictions behind them do not matter."""
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.labels == other.labels and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Sizes, not cells: a matrix of 20 classes would fill the screen."""
        kept = ", predictions kept" if self.predictions else ""
        return f"<{type(self).__name__} {len(self.labels)} {self._noun}, {self.n_samples} {self._example_noun}{kept}>"


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
                raise InputError.plain("labels", "The table names its rows already", "Leave labels out.")
            counts, labels = read_crosstab(counts)
        dense = _checked_counts(counts)
        if labels is None:
            _refuse_totals(dense)
        shares = (f"{problem}: if so, the interval is wrong. Pass counts." for problem in on_shares(dense))
        notes = tuple(shares)
        names = row_labels(labels, len(dense))
        true, predicted = np.nonzero(dense)
        table = OutcomeTable.tally(len(dense), true, predicted, weight=dense[true, predicted])
        vars(self).update(
            table=table, labels=names, labels_from="position" if labels is None else "caller", notes=notes
        )

    @classmethod
    @ends_here
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
            for every prediction, and ``ids`` name the example of each.
        labels : sequence of M labels, optional
            The classes in their order; by default all that occur, sorted.
        ids : sequence of N identifiers, optional
            Which example is which. Without them examples pair up by position.
        clusters : sequence of N identifiers, optional
            Which examples belong together, such as those of a document or a user: these are the clusters that were
            drawn independently. Without them every example is.
        runs : str, optional
            What several predictions of an example are: ``"samples"``, answers of one system that you asked again, or
            ``"seeds"``, at least three trainings of one recipe.
        run_ids : sequence of identifiers, optional
            Which run each row is of, where an example has several rows.
        invalid : "error" or "wrong"
            What becomes of a prediction that is missing, or none of the classes: of ``labels`` or, without these, of
            those that the truth has. ``"wrong"`` counts it as wrong, and as no class of any average; it is then
            predicted as the last of the labels, ``(unreadable)``.
        show : sequence of N values, or a dictionary of several, optional
            What reports show of an example that changed, next to its id: its text, its address. The first 200
            characters are shown, wherever the report goes; by default nothing is.

        Raises
        ------
        InputError
            When the columns do not fit together, or hold something else than labels.

        Examples
        --------
        >>> from pytest_bayesf1 import ConfusionMatrix
        >>> ConfusionMatrix.from_predictions(["ham", "spam", "spam"], ["ham", "spam", "ham"]).counts.tolist()
        [[1, 0], [1, 1]]
        """
        rows, n_runs = None if runs is None else _rows_of_runs(y_pred), None
        if rows is not None:
            require_same_index({"y_true": y_true, "y_pred": y_pred})
            of_examples = label_column(y_true, "y_true")
            n_runs = _runs_of_each(of_examples, rows, run_ids)
            y_true, y_pred = np.repeat(of_examples, n_runs), [label for row in rows for label in row]
        columns, apart = {"y_true": y_true, "y_pred": y_pred}, {"runs": runs, "run_ids": run_ids, "per_row": n_runs}
        return cls.of_columns(columns, labels, ids=ids, clusters=clusters, invalid=invalid, show=show, **apart)[0]

    @classmethod
    def of_columns(
        cls,
        columns: Mapping[str, Iterable[Any]],
        labels: Labels = None,
        *,
        ids: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        invalid: Invalid = INVALID_DEFAULT,
        show: Show = None,
        **apart: Any,
    ) -> "list[ConfusionMatrix]":
        """Count the predictions of every column after the truth, over the same classes."""
        codes, names = encode(columns, labels, invalid=invalid)
        true, *sides = codes.values()
        n_runs, runs = apart.get("per_row"), apart.get("runs")
        examples = Examples.read(true.size if n_runs is None else len(n_runs), ids, clusters, **apart)
        if examples.ids is None and runs is None:
            require_no_repetition(true, examples.clusters)
        if runs is not None:
            examples.require_agreement(true, "y_true")
        shown = read_shown(show, *((true.size, examples.first) if n_runs is None else (len(n_runs),)))
        found = []
        for side in sides:
            predicted = examples.in_runs(side)
            examples.require_whole_runs(predicted)
            kept = ClassPredictions(true[examples.first], predicted, *examples.belonging, shown)
            labels_from = "data" if labels is None else "caller"
            found.append(cls.from_table(kept.tally(len(names)), names, labels_from, kept))
        return found

    @overload
    @classmethod
    def from_frame(
        cls, frame: Any, *, y_pred: str = "y_pred", by: None = None, **options: Unpack[FrameOptions]
    ) -> "ConfusionMatrix": ...

    @overload
    @classmethod
    def from_frame(
        cls, frame: Any, *, y_pred: str = "y_pred", by: str, **options: Unpack[FrameOptions]
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
    ) -> Any:
        """Count the rows of a table where it is; only the counts come back.

        Parameters
        ----------
        frame : data frame or relation
            Of pandas, Polars, PyArrow, DuckDB, Ibis, PySpark, or anything else that Narwhals knows.
        y_true, y_pred : str
            Names of the columns of labels.
        by : str, optional
            Name of a column of slices: the result is then a dictionary with a matrix for each of its values, in their
            order, and for None where rows have none.
        clusters : str, optional
            Name of the column of clusters: examples that belong together, such as those of a document or a user.
            Slices divide them. Lazy tables have none: collect the columns first.
        labels : sequence of M labels, optional
            The classes in their order; by default all that occur (in the slice), sorted.
        invalid : "error" or "wrong"
            As in `from_predictions`.

        Raises
        ------
        InputError
            When a column is missing or not one of labels, or rows lack a label: it counts them.

        Examples
        --------
        >>> import pandas as pd
        >>> ConfusionMatrix.from_frame(pd.DataFrame({"y_true": [0, 1, 1], "y_pred": [0, 1, 0]})).counts.tolist()
        [[1, 0], [1, 1]]
        """
        make = partial(cls.from_table, labels_from="data" if labels is None else "caller")
        columns, options = {"y_true": y_true, "y_pred": y_pred}, {"labels": labels, "invalid": invalid}
        return table_engines().count_frame(frame, columns, make, by=by, clusters=clusters, **options)

    @property
    def counts(self) -> Counts:
        """The matrix, shape (M, M), as a new array of 64-bit integers; of shares where runs share an example."""
        dense = np.zeros((self.table.n_classes,) * 2, dtype=self.table.count.dtype)
        dense[self.table.true, self.table.predicted[0]] = self.table.count
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
        return named_cells(self.table, self.labels, "y_true", "y_pred")


def named_cells(table: OutcomeTable, labels: Sequence[Label], *names: str) -> dict[str, list[Any]]:
    """Write the cells that are not 0 out, as `from_cells` takes them."""
    columns = zip(names, (table.true, *table.predicted), strict=True)
    named = {name: [labels[code] for code in codes.tolist()] for name, codes in columns}
    return named | {"count": table.count.tolist()}


_WHOLES = {100: "percentages", 1000: "per mille"}


def on_shares(counts: npt.NDArray[Any]) -> Iterator[str]:
    """Say so where counts may be percentages: their rows, or their columns, sum to about 100, or to about 1000."""
    for axis, what in ((1, "row"), (0, "column")):
        with np.errstate(over="ignore"):  # no share is so large, and counts are checked elsewhere
            sums = counts.sum(axis=axis)
        for whole, called in _WHOLES.items() if np.count_nonzero(sums) > 1 else ():
            if (abs(sums[sums != 0] - whole) <= 1).all():
                yield f"Every {what} sums to about {whole}, as {called} do"


def _checked_counts(counts: npt.ArrayLike) -> Counts:
    """Return the counts as a square array of whole numbers, or say which cell is wrong."""
    array = as_numbers(counts, "counts", _SQUARE)
    if array.size == 0:
        raise InputError("counts", "at least two classes", "an empty matrix")
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise InputError("counts", "a square matrix (M, M)", f"shape {array.shape}")
    if len(array) == 1:
        raise InputError("counts", "at least two classes", "one class only")
    return whole_counts(array)


Indicators: TypeAlias = Any
"""A sparse (N, L) array of ones."""
Encoded: TypeAlias = tuple[dict[str, Indicators], tuple[Label, ...], str]
Sets: TypeAlias = list[Collection[Any]]

_FORMS = "indicators of shape (N, L), or N sets of labels"


def encode_labels(columns: Mapping[str, Any], labels: Iterable[Any] | None) -> Encoded:
    """Bring examples' labels, all in one form, to indicators over the same labels."""
    require_same_index(columns)
    tables = [name for name, values in columns.items() if _is_table_of_numbers(values)]
    if len(tables) == len(columns) and all(map(_has_one_each, columns.values())):
        problem = "Every row has exactly one 1, true and predicted, as single classes have"
        advice = f"If an example has one class, {_CLASS_OF_LARGEST}. If it may have several, pass sets of labels."
        raise InputError.plain(" and ".join(columns), problem, advice)
    if tables and any(_is_column(values) for values in columns.values()):
        expected, other = "a class for every example, as the other column has", "a row of numbers for an example"
        raise InputError(tables[0], expected, other, f"If these are scores or indicators, {_CLASS_OF_LARGEST}.")
    rows = {name: _collections(values, name) for name, values in columns.items()}
    forms = {name: "sets of labels" if _are_sets(each) else "indicators" for name, each in rows.items()}
    (first, form), *others = forms.items()
    for name, other in others:
        if other != form:
            raise InputError(name, f"{form}, as in {first}", other, "Convert one.")
    encoded = _from_sets(rows, labels) if form == "sets of labels" else _from_tables(rows, labels)
    sizes = {name: table.shape[0] for name, table in encoded[0].items()}
    for name, size in sizes.items():
        if size != sizes[first]:
            raise InputError(name, f"{counted(sizes[first], 'example')}, as in {first}", f"{size}")
    return encoded


_FEWEST_ROWS = 20


def _is_table_of_numbers(values: Any) -> bool:
    """Whether every example has a row of as many numbers."""
    if issparse(values):
        return True
    if isinstance(values, list | tuple) and not all(isinstance(row, list | tuple | np.ndarray) for row in values):
        return False
    with suppress(ValueError):  # rows of different lengths
        array = np.asarray(values)
        return array.ndim == 2 and array.shape[1] > 1 and array.dtype.kind in "biuf"
    return False


def _is_column(values: Any) -> bool:
    """Whether every example has one label."""
    if isinstance(values, list | tuple):
        return all(isinstance(value, str | int | np.generic) for value in values)
    return np.ndim(values) == 1 and getattr(values, "dtype", np.dtype(object)).kind in "biuU"


def _has_one_each(table: Any) -> bool:
    """Whether each of many rows has a 1 in one place, and nothing else."""
    cells = csr_array(table if issparse(table) else np.asarray(table))
    return cells.shape[0] >= _FEWEST_ROWS and bool((cells.data == 1).all() and (np.diff(cells.indptr) == 1).all())


_CLASS_OF_LARGEST = "take the class of the largest number in each row"


def _collections(values: Any, where: str) -> Any:
    """Return a table as it is, anything else as a list with a collection for every example."""
    if len(getattr(values, "shape", (0,))) != 1:
        return values
    in_order = isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping | AbstractSet)
    rows = list(values) if in_order else []
    wrong = [values]
    if in_order:
        wrong = [row for row in rows if isinstance(row, str | bytes | Mapping) or not isinstance(row, Collection)]
    if wrong:
        advice = "For one class per example there is ConfusionMatrix."
        if len(wrong) < len(rows):
            advice = "Write each row as a list. If a list holds accepted answers, compare grades: 1 and 0."
        raise InputError(where, _FORMS, f"{type(wrong[0]).__name__} for an example", advice)
    if not rows:
        raise InputError(where, "at least one example", "an empty sequence")
    return rows


def _are_sets(rows: Any) -> bool:
    """Whether rows hold labels: those of numbers must be sets, or be taken for indicators."""
    if not isinstance(rows, list):
        return False
    holds_labels = any(isinstance(row, AbstractSet) for row in rows) or not any(len(row) for row in rows)
    return holds_labels or any(isinstance(label, str | Enum) for row in rows for label in row)


def _from_sets(columns: Mapping[str, Sets], labels: Iterable[Any] | None) -> Encoded:
    if not any(len(row) for rows in columns.values() for row in rows):
        raise InputError.plain(" and ".join(columns), "No example has a label")
    codes, names = encode_any_number(columns, labels, "label")
    indicators = {name: _indicators(rows, codes[name], len(names)) for name, rows in columns.items()}
    return indicators, names, "data" if labels is None else "caller"


def _indicators(rows: Sets, codes: Codes, n_labels: int) -> Indicators:
    ends = np.cumsum([0, *map(len, rows)])
    table = csr_array((np.ones(codes.size, dtype=np.int8), codes, ends), shape=(len(rows), n_labels))
    table.sum_duplicates()
    table.data[:] = 1
    return table


def _from_tables(columns: Mapping[str, Any], labels: Iterable[Any] | None) -> Encoded:
    tables = {name: _read_table(values, name) for name, values in columns.items()}
    own = {name: _column_names(values, name) for name, values in columns.items()}
    named = [names for names in own.values() if names is not None]
    known = explicit_labels(labels) if labels is not None else named[0] if named else None
    names = tuple(range(next(iter(tables.values())).shape[1])) if known is None else known
    indicators = {name: _with_columns(table, own[name], names, name) for name, table in tables.items()}
    return indicators, names, "position" if known is None else "caller"


def _read_table(values: Any, where: str) -> Indicators:
    array = values if issparse(values) else as_numbers(values, where, _FORMS, or_booleans=True)
    if len(array.shape) != 2 or not all(array.shape):
        raise InputError(where, _FORMS, f"shape {array.shape}")
    table = csr_array(array, copy=True)
    table.sum_duplicates()
    table.eliminate_zeros()
    wrong = np.flatnonzero(table.data != 1)
    if wrong.size:
        cells = table.tocoo()
        row, column, value = (each[wrong[0]].item() for each in (cells.row, cells.col, cells.data))
        advice = "Pass decisions, not scores; and labels that are numbers in sets: {0, 2}."
        if value % 1 > 0:
            advice = f"Pass decisions, not scores. If an example has one class, {_CLASS_OF_LARGEST}."
        raise InputError(f"{where}[{row}, {column}]", "0 or 1", f"{value:g}", advice)
    return table.astype(np.int8)


def _column_names(values: Any, where: str) -> tuple[Label, ...] | None:
    columns = getattr(values, "columns", None)
    if columns is None or is_mere_position(columns):
        return None
    return explicit_labels(list(columns), f"{where}.columns")


def _with_columns(table: Indicators, own: tuple[Label, ...] | None, names: tuple[Label, ...], where: str) -> Indicators:
    """Put the columns in the order of the names."""
    if own is None:
        if table.shape[1] != len(names):
            raise InputError(where, f"{counted(len(names), 'column')}, one per label", f"{table.shape[1]}")
        return table
    if set(own) != set(names):
        differing = sorted(map(shown, set(own) ^ set(names)))
        raise InputError.plain(f"{where}.columns", f"Labels that only one of both has: {first_few(differing)}")
    column = {label: code for code, label in enumerate(own)}
    return table[:, [column[label] for label in names]]


class MultilabelCounts(SideCounts):
    """Counts of a multi-label classifier's decisions: for every label ``[[tn, fp], [fn, tp]]``.

    Parameters
    ----------
    counts : array-like, shape (L, 2, 2)
        Whole numbers, none negative, that add up to the same number of examples for every label; as scikit-learn's
        `multilabel_confusion_matrix` gives them.
    labels : sequence of L labels, optional
        Their names; by default 0 .. L-1.

    Raises
    ------
    InputError
        When the counts or the labels cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import MultilabelCounts
    >>> counts = MultilabelCounts.from_predictions([{"art", "war"}, {"art"}, set()], [{"war"}, {"art"}, {"war"}])
    >>> counts.labels
    ('art', 'war')
    >>> counts.counts.tolist()
    [[[1, 0], [1, 1]], [[1, 1], [0, 1]]]
    """

    _noun = "labels"

    def __init__(self, counts: npt.ArrayLike, labels: Iterable[Label] | None = None) -> None:
        dense = _checked_label_counts(counts)
        names = row_labels(labels, len(dense))
        labels_from = "position" if labels is None else "caller"
        vars(self).update(table=OutcomeTable.of_labels(dense), labels=names, labels_from=labels_from)

    @classmethod
    @ends_here
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Iterable[Label] | None = None,
        ids: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        show: Show = None,
    ) -> "MultilabelCounts":
        """Count decisions, and keep them: two classifiers on the same examples can then be compared as pairs.

        Parameters
        ----------
        y_true, y_pred : (N, L) indicators, or N sets of labels
            Indicators are 0 or 1 in a numpy array, nested lists, a data frame (its columns are the labels) or a sparse
            array. A set may also be a list, if its labels are strings.
        labels : sequence of L labels, optional
            The labels in their order; by default the columns' names, else their positions; of sets all that occur,
            sorted.
        ids : sequence of N identifiers, optional
            Which example is which. Without them examples pair up by position.
        clusters : sequence of N identifiers, optional
            Which examples belong together, as in `ConfusionMatrix.from_predictions`.
        show : sequence of N values, or a dictionary of several, optional
            What reports show of an example that changed, as there.

        Raises
        ------
        InputError
            When the two do not fit together, or hold something else than labels.

        Examples
        --------
        >>> from pytest_bayesf1 import MultilabelCounts
        >>> counts = MultilabelCounts.from_predictions([{"sport"}, {"sport", "news"}], [{"sport"}, {"news"}])
        >>> counts.labels
        ('news', 'sport')
        """
        columns = {"y_true": y_true, "y_pred": y_pred}
        return cls.of_columns(columns, labels, ids=ids, clusters=clusters, show=show)[0]

    @classmethod
    def of_columns(
        cls,
        columns: Mapping[str, Any],
        labels: Labels = None,
        *,
        ids: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        show: Show = None,
    ) -> "list[MultilabelCounts]":
        """Count the decisions of every column after the truth, over the same labels."""
        indicators, names, labels_from = encode_labels(columns, labels)
        (_, true), *sides = indicators.items()
        examples = Examples.read(true.shape[0], ids, clusters)
        shown, found = read_shown(show, examples.n), []
        for name, side in sides:
            _require_same_order(true, side, names, name)
            kept = LabelPredictions(true, side, *examples.belonging, shown)
            has_one_each = examples.n >= _FEWEST_ROWS and all((each.sum(axis=1) == 1).all() for each in (true, side))
            counts = cls.from_table(kept.tally(len(names)), names, labels_from, kept)
            found.append(counts.with_notes((_ONE_LABEL_EACH,)) if has_one_each else counts)
        return found

    @property
    def counts(self) -> Counts:
        """The counts, shape (L, 2, 2), as a new array of 64-bit integers."""
        return self.table.label_counts

    def cells(self) -> dict[str, list[Any]]:
        """Write every label's counts out: ``label``, ``tn``, ``fp``, ``fn``, ``tp``."""
        counts = self.counts.reshape(-1, 4).T.tolist()
        return {"label": list(self.labels), **dict(zip(("tn", "fp", "fn", "tp"), counts, strict=True))}


_ONE_LABEL_EACH = (
    "every example has one label, true and predicted. If an example has one class, ConfusionMatrix compares them: here "
    "a wrong label is wrong about two labels, and right about all others."
)
_SURELY, _FURTHER = 0.7, 0.3
"""F1 by which two labels are surely the same, and by how much it must exceed that of the label itself."""


def _require_same_order(true: Any, predicted: Any, labels: Sequence[Label], where: str) -> None:
    """Refuse predictions of which several labels are, example by example, another label of the truth."""
    true, predicted = (each.astype(np.float64) for each in (true, predicted))
    together = (true.T @ predicted).tocoo()
    n_true, n_said = (np.asarray(each.sum(axis=0)).ravel() for each in (true, predicted))
    f1 = 2 * together.data / (n_true[together.row] + n_said[together.col])
    own = 2 * together.diagonal() / np.maximum(n_true + n_said, 1)
    moved = (f1 >= _SURELY) & (f1 - own[together.col] >= _FURTHER) & (n_said[together.col] >= _FEWEST_POSITIVE)
    said, meant = together.col[moved].tolist(), together.row[moved].tolist()
    if len({*said}) == len({*meant}) == len(said) > 1:
        pairs = sorted(zip(said, meant, strict=True))
        names = first_few(f"{shown(labels[old])} means {shown(labels[new])}" for old, new in pairs)
        problem = f"The labels are in another order than in y_true, as it seems: {names}"
        advice = "Bring the columns of both into one order. If they are, pass counts of each label."
        raise InputError.plain(where, problem, advice)


_FEWEST_POSITIVE = 10


def _checked_label_counts(counts: npt.ArrayLike) -> Counts:
    array = as_numbers(counts, "counts", "an array (L, 2, 2) of whole numbers")
    if array.ndim != 3 or array.shape[1:] != (2, 2) or not len(array):
        raise InputError("counts", "[[tn, fp], [fn, tp]] for every label, (L, 2, 2)", f"shape {array.shape}")
    whole = whole_counts(array)
    totals = whole.sum(axis=(1, 2))
    if (totals != totals[0]).any():
        odd = int((totals != totals[0]).argmax())
        expected = f"{counted(totals[0], 'example')}, as of the first label"
        raise InputError(f"counts[{odd}]", expected, f"{totals[odd]}", "Every label is about every example.")
    return whole
