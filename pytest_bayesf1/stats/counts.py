"""What a user hands in: `ConfusionMatrix` and `PairedCounts`. Rows are the true class, as in scikit-learn."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.arrays import Counts
from pytest_bayesf1.stats.crosstab import is_crosstab, read_crosstab
from pytest_bayesf1.stats.labels import Label, encode, row_labels
from pytest_bayesf1.stats.number_arrays import as_numbers, whole_counts
from pytest_bayesf1.stats.outcomes import OutcomeTable
from pytest_bayesf1.stats.predictions import ClassPredictions, checked_ids
from pytest_bayesf1.stats.side_counts import SideCounts


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
        keep = ClassPredictions(codes["y_true"], codes["y_pred"], checked_ids(ids, codes["y_true"].size))
        return cls.from_table(keep.tally(len(names)), names, "data" if labels is None else "caller", keep)

    @property
    def counts(self) -> Counts:
        """The matrix, shape (M, M), as a new array of 64-bit integers."""
        dense = np.zeros((self._table.n_classes,) * 2, dtype=np.int64)
        dense[self._table.true, self._table.predicted[0]] = self._table.count
        return dense

    @classmethod
    def from_cells(
        cls, y_true: Iterable[Any], y_pred: Iterable[Any], count: npt.ArrayLike, *, labels: Iterable[Label]
    ) -> "ConfusionMatrix":
        """Take counts cell by cell: ``count`` examples of class ``y_true`` that were predicted as ``y_pred``."""
        codes, names = encode({"y_true": y_true, "y_pred": y_pred}, labels)
        weight = whole_counts(as_numbers(count, "counts", "whole numbers"))
        if weight.shape != codes["y_true"].shape:
            raise InputError("counts", f"{codes['y_true'].size} counts, one a cell", f"shape {weight.shape}")
        return cls.from_table(OutcomeTable.tally(len(names), *codes.values(), weight=weight), names)

    def cells(self) -> dict[str, list[Any]]:
        """Write the cells that are not 0 out, as `from_cells` takes them."""
        true, predicted = (
            [self._labels[code] for code in c.tolist()] for c in (self._table.true, self._table.predicted[0])
        )
        return {"y_true": true, "y_pred": predicted, "count": self._table.count.tolist()}


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
    array = as_numbers(counts, "counts", "a square matrix (M, M) of whole numbers")
    if array.size == 0:
        raise InputError("counts", "at least two classes", "an empty matrix")
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise InputError("counts", "a square matrix (M, M)", f"shape {array.shape}")
    if len(array) == 1:
        raise InputError("counts", "at least two classes", "one class only")
    return whole_counts(array)
