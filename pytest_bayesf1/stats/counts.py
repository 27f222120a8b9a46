"""What a user hands in: `ConfusionMatrix` and `PairedCounts`. Rows are the true class, as in scikit-learn."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.arrays import Codes, Counts
from pytest_bayesf1.stats.cells import number_array, require_cells
from pytest_bayesf1.stats.crosstab import is_crosstab, read_crosstab
from pytest_bayesf1.stats.labels import Label, encode, explicit_labels, label_column
from pytest_bayesf1.stats.outcomes import OutcomeTable
from pytest_bayesf1.stats.scalars import counted

MAX_COUNT = 2**53  # beyond it a float no longer holds every whole number
LabelsFrom: TypeAlias = str  # "caller", "data" or "position"


@dataclass(frozen=True, eq=False)
class Predictions:
    """The examples behind a confusion matrix, kept so that two matrices can be paired.

    Attributes
    ----------
    y_true, y_pred : (N,)
        Class codes.
    ids : (N,) or None
        One identifier an example, each once.
    """

    y_true: Codes
    y_pred: Codes
    ids: npt.NDArray[Any] | None


class ConfusionMatrix:
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

    def __init__(self, counts: npt.ArrayLike, labels: Iterable[Label] | None = None) -> None:
        if is_crosstab(counts):
            if labels is not None:
                raise InputError("labels", "nothing beside a table that names its rows", "labels")
            counts, labels = read_crosstab(counts)
        dense = _checked_counts(counts)
        names = tuple(range(len(dense))) if labels is None else explicit_labels(labels)
        if len(names) != len(dense):
            raise InputError("labels", f"{len(dense)} labels, one a row", f"{len(names)}")
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
    ) -> "ConfusionMatrix":
        """Count predictions, and keep them: two matrices of the same examples can then be compared as pairs.

        Parameters
        ----------
        y_true, y_pred : sequences of N labels
            Strings, integers or booleans.
        labels : sequence of M labels, optional
            The classes in their order; by default all that occur, sorted.
        ids : sequence of N identifiers, optional
            Which example is which. Without them examples pair up by position.
        """
        codes, names = encode({"y_true": y_true, "y_pred": y_pred}, labels)
        true, predicted = codes["y_true"], codes["y_pred"]
        keep = Predictions(true, predicted, None if ids is None else _checked_ids(ids, true.size))
        table = OutcomeTable.tally(len(names), true, predicted)
        return cls.from_table(table, names, "data" if labels is None else "caller", keep)

    @classmethod
    def from_table(
        cls,
        table: OutcomeTable,
        labels: tuple[Label, ...],
        labels_from: LabelsFrom = "caller",
        predictions: Predictions | None = None,
    ) -> "ConfusionMatrix":
        """Wrap counts that were checked before: a table with one side."""
        matrix = cls.__new__(cls)
        matrix._set(table, labels, labels_from, predictions)  # noqa: SLF001 (its own)
        return matrix

    def _set(
        self,
        table: OutcomeTable,
        labels: tuple[Label, ...],
        labels_from: LabelsFrom,
        predictions: Predictions | None = None,
    ) -> None:
        self._table, self._labels, self._labels_from = table, labels, labels_from
        self._predictions = predictions

    @property
    def labels(self) -> tuple[Label, ...]:
        """The M class labels, in the order of the rows."""
        return self._labels

    @property
    def labels_from(self) -> LabelsFrom:
        """Where the labels come from: the ``caller``, the ``data`` themselves, or merely the ``position``."""
        return self._labels_from

    @property
    def table(self) -> OutcomeTable:
        """The non-zero counts."""
        return self._table

    @property
    def predictions(self) -> Predictions | None:
        """The examples behind the counts, when they are known."""
        return self._predictions

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return self._table.n_samples

    @property
    def counts(self) -> Counts:
        """The matrix, shape (M, M), as a new array of 64-bit integers."""
        dense = np.zeros((self._table.n_classes,) * 2, dtype=np.int64)
        dense[self._table.true, self._table.predicted[0]] = self._table.count
        return dense

    def relabelled(self, labels: tuple[Label, ...]) -> "ConfusionMatrix":
        """Return the same matrix over ``labels``: reordered, and with empty rows for labels it lacked."""
        position = {label: code for code, label in enumerate(labels)}
        codes = np.array([position[label] for label in self._labels])
        kept = self._predictions
        if kept is not None:
            kept = Predictions(codes[kept.y_true], codes[kept.y_pred], kept.ids)
        table = self._table.relabelled(codes, len(labels))
        return self.from_table(table, labels, self._labels_from, kept)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Serve wherever numpy takes an array."""
        return self.counts if dtype is None else self.counts.astype(dtype)

    def __eq__(self, other: object) -> bool:
        """Equal counts over equal labels."""
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return self.labels == other.labels and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Sizes, not cells: a matrix of 20 classes would fill the screen."""
        kept = ", predictions kept" if self._predictions else ""
        return f"<ConfusionMatrix {len(self._labels)} classes, {self.n_samples} examples{kept}>"


@dataclass(frozen=True, eq=False)
class PairedCounts:
    """Joint outcomes of two classifiers on the same examples, non-zero cells only.

    Attributes
    ----------
    table : OutcomeTable
        Side 0 is the baseline, side 1 the candidate.
    labels : tuple of M labels

    Examples
    --------
    >>> from pytest_bayesf1 import PairedCounts
    >>> pairs = PairedCounts.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 0])
    >>> pairs.candidate.counts.tolist()
    [[2, 0], [1, 1]]
    """

    table: OutcomeTable
    labels: tuple[Label, ...]

    @classmethod
    def from_predictions(
        cls,
        y_true: Iterable[Any],
        baseline_pred: Iterable[Any],
        candidate_pred: Iterable[Any],
        *,
        labels: Iterable[Label] | None = None,
    ) -> "PairedCounts":
        """Count the joint outcomes of N examples; raise `InputError` when the columns do not fit together."""
        columns = {"y_true": y_true, "baseline_pred": baseline_pred, "candidate_pred": candidate_pred}
        codes, names = encode(columns, labels)
        return cls(OutcomeTable.tally(len(names), *codes.values()), names)

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return self.table.n_samples

    @cached_property
    def baseline(self) -> ConfusionMatrix:
        """The baseline's confusion matrix."""
        return ConfusionMatrix.from_table(self.table.side(0), self.labels)

    @cached_property
    def candidate(self) -> ConfusionMatrix:
        """The candidate's confusion matrix."""
        return ConfusionMatrix.from_table(self.table.side(1), self.labels)

    def __repr__(self) -> str:
        """Sizes, not cells."""
        return f"<PairedCounts {len(self.labels)} classes, {self.n_samples} examples>"


def _checked_counts(counts: npt.ArrayLike) -> Counts:
    """Return the counts as a square array of whole numbers, or say which cell is wrong."""
    array = number_array(counts, "counts", "a square matrix of whole numbers")
    if array.size == 0:
        raise InputError("counts", "at least two classes", "an empty matrix")
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise InputError("counts", "a square matrix (M, M)", f"shape {array.shape}")
    require_cells(
        array,
        "counts",
        (
            (~np.isfinite(array), "finite counts", ""),
            (array < 0, "no negative count", ""),
            (array != np.floor(array), "whole numbers", "Pass counts, not normalised rates."),
            (array > MAX_COUNT, "counts up to 2^53", ""),
        ),
    )
    if len(array) == 1:
        raise InputError("counts", "at least two classes", "one class only")
    if array.sum(dtype=float) > MAX_COUNT:
        raise InputError("counts", "at most 2^53 examples in all", f"{array.sum(dtype=float):.3g}")
    if not array.any():
        raise InputError("counts", "at least one example", "zeros only")
    return array.astype(np.int64)


def _checked_ids(ids: Iterable[Any], n_samples: int) -> npt.NDArray[Any]:
    array = label_column(ids, "ids", noun="id").copy()
    if array.size != n_samples:
        raise InputError("ids", f"{n_samples} ids, one an example", f"{array.size}")
    unique, counts = np.unique(array, return_counts=True)
    if unique.size < array.size:
        twice = unique[counts > 1].tolist()
        shown = ", ".join(repr(value) for value in twice[:5])
        raise InputError("ids", "each id once", f"{counted(len(twice), 'duplicate id')} ({shown})")
    return array
