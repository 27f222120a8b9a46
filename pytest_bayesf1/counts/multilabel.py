"""What a user hands in when examples have any number of labels: `MultilabelCounts`."""

from collections.abc import Iterable
from typing import Any

import numpy.typing as npt

from pytest_bayesf1.arrays import Counts
from pytest_bayesf1.counts.examples import Examples
from pytest_bayesf1.counts.indicators import encode_labels
from pytest_bayesf1.counts.labels import Label, row_labels
from pytest_bayesf1.counts.number_arrays import as_numbers, whole_counts
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.counts.predictions import LabelPredictions
from pytest_bayesf1.counts.shown import Show, read_shown
from pytest_bayesf1.counts.side_counts import SideCounts
from pytest_bayesf1.errors import InputError


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
        dense = _checked_counts(counts)
        names = row_labels(labels, len(dense))
        self._set(OutcomeTable.of_labels(dense), names, "position" if labels is None else "caller")

    @classmethod
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
        """
        indicators, names, labels_from = encode_labels({"y_true": y_true, "y_pred": y_pred}, labels)
        examples = Examples.read(indicators["y_true"].shape[0], ids, clusters)
        shown = read_shown(show, examples.n)
        keep = LabelPredictions(indicators["y_true"], indicators["y_pred"], *examples.belonging, shown)
        return cls.from_table(keep.tally(len(names)), names, labels_from, keep)

    @property
    def counts(self) -> Counts:
        """The counts, shape (L, 2, 2), as a new array of 64-bit integers."""
        return self._table.label_counts

    def cells(self) -> dict[str, list[Any]]:
        """Write every label's counts out: ``label``, ``tn``, ``fp``, ``fn``, ``tp``."""
        counts = self.counts.reshape(-1, 4).T.tolist()
        return {"label": list(self._labels), **dict(zip(("tn", "fp", "fn", "tp"), counts, strict=True))}


def _checked_counts(counts: npt.ArrayLike) -> Counts:
    array = as_numbers(counts, "counts", "an array (L, 2, 2) of whole numbers")
    if array.ndim != 3 or array.shape[1:] != (2, 2) or not len(array):
        raise InputError("counts", "[[tn, fp], [fn, tp]] for every label, (L, 2, 2)", f"shape {array.shape}")
    whole = whole_counts(array)
    totals = whole.sum(axis=(1, 2))
    if (totals != totals[0]).any():
        odd = int((totals != totals[0]).argmax())
        expected = f"{totals[0]} examples, as of the first label"
        raise InputError(f"counts[{odd}]", expected, f"{totals[odd]}", "Every label is about every example.")
    return whole
