"""The sufficient statistic of every model: how many examples of each true class met each outcome.

Multi-label data are L two-class problems side by side. One table holds them all as 2L classes, of which class 2l is
"label l is absent" and class 2l + 1 "label l is present": predictions stay within their own pair of classes. Spans are
such data too, by type; but no cell counts what is rightly absent.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pytest_bayesf1.arrays import Codes, Weights
from pytest_bayesf1.counts.shape import OutcomeShape
from pytest_bayesf1.counts.units import UnitContents

_LARGEST_KEY = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class OutcomeTable(OutcomeShape):
    """Sparse counts of outcomes, for one classifier (S = 1 side) or for several on the same examples.

    An outcome is what each side predicted. The outcomes of a true class fall into 2^S groups, by which sides are
    right; bit ``S - 1 - s`` of a group's number is set when side s is wrong. With two sides the groups are: both
    right, only the baseline right, only the candidate right, both wrong.

    Attributes
    ----------
    n_classes
        Number of classes, M; of multi-label data 2L.
    true : (K,)
        True class of each non-zero cell.
    predicted : (S, K)
        Predicted class of each side.
    count : (K,)
        Examples in the cell, more than 0; whole numbers, unless a prior's pseudo-counts are among them, or several
        runs share an example.
    multilabel
        Whether the classes are pairs, one per label.
    units
        The units that the examples belong to, over these cells; None where every example is its own.
    spans
        Whether the labels are types of spans, of which nobody counts those that are rightly not there.
    never_true
        Classes that are predicted at most, for the truth has none of them: they are no classes of the problem, and
        their rows stay empty whatever the prior.
    """

    n_classes: int
    true: Codes
    predicted: Codes
    count: Weights
    multilabel: bool = False
    units: UnitContents | None = None
    spans: bool = False
    never_true: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Keep the counts from being changed after they were checked."""
        for array in (self.true, self.predicted, self.count):
            array.flags.writeable = False

    @classmethod
    def tally(
        cls,
        n_classes: int,
        true: Codes,
        *predicted: Codes,
        weight: Weights | None = None,
        multilabel: bool = False,
        units: UnitContents | None = None,
        spans: bool = False,
    ) -> "OutcomeTable":
        """Count equal outcomes, in an order that depends on the content alone.

        Parameters
        ----------
        n_classes
            M; of multi-label data 2L.
        true : (N,)
            True class of each example, or of each cell.
        *predicted : (N,)
            Each side's predictions.
        weight : (N,), optional
            Examples that each row stands for, by default one; cells of weight 0 are dropped. With units they know it.
        multilabel
            Whether the classes are pairs, one per label.
        units
            The units that the rows belong to, if not every example is its own.
        spans
            Whether the labels are types of spans.

        Examples
        --------
        >>> table = OutcomeTable.tally(2, np.array([0, 0, 1]), np.array([0, 0, 0]))
        >>> table.true.tolist(), table.predicted.tolist(), table.count.tolist()
        ([0, 1], [[0, 0]], [2, 1])
        """
        sides = np.stack([true, *predicted])
        _, first, inverse = np.unique(_keys(sides, n_classes), return_index=True, return_inverse=True)
        kinds = sides[:, first]
        if units is not None:
            weight = units.counts
        if weight is None:
            count = np.bincount(inverse, minlength=first.size)
        else:
            count = _sum_by(inverse, weight, first.size)
            kept = np.cumsum(count > 0) - 1
            inverse = np.where(count > 0, kept, -1)[inverse]
            kinds, count = kinds[:, count > 0], count[count > 0]
        if units is not None:
            units = units.merged(inverse, count.size)
        return cls(n_classes, kinds[0], kinds[1:], count, multilabel, units, spans)

    @classmethod
    def of_labels(cls, counts: Weights) -> "OutcomeTable":
        """Read every label's counts.

        Parameters
        ----------
        counts : (L, 2, 2) or (L, 2, 2, 2)
            Absent or present in the truth, then in each side's prediction.
        """
        label, *says = cells = np.nonzero(counts)
        codes = [2 * label + present for present in says]
        return cls.tally(2 * len(counts), *codes, weight=counts[cells], multilabel=True)

    @classmethod
    def empty(cls, n_classes: int, n_sides: int, *, multilabel: bool = False, spans: bool = False) -> "OutcomeTable":
        """Return a table without examples, for a prior alone.

        Parameters
        ----------
        n_classes
            M; of multi-label data 2L.
        n_sides
            1 or 2.
        multilabel
            Whether the classes are pairs, one per label.
        spans
            Whether the labels are types of spans.
        """
        none = np.empty(0, dtype=np.int64)
        return cls(n_classes, none, np.empty((n_sides, 0), dtype=np.int64), none, multilabel, spans=spans)

    @property
    def n_samples(self) -> int:
        """Number of examples, N; of spans the true ones."""
        if self.spans:
            return round(float(self.row_totals[self.named].sum()))
        return round(float(self.count.sum()) / self.n_problems)

    @property
    def counts_as_of_units(self) -> Weights:
        """(K,) the counts of examples that would tell as much if they were drawn one by one."""
        if self.units is None:
            return self.count
        return np.asarray(np.maximum(self.count / self.design_effect, 1.0))

    @cached_property
    def design_effect(self) -> float:
        """How many examples of a unit tell as much as one that is drawn on its own; see `UnitContents`.

        Spans count in full beside their prior, which is small and of each type on its own: types keep to documents of
        their own, which says nothing of how a type's spans are found.
        """
        return 1.0 if self.units is None or self.spans else self.units.design_effect(self.cells_per_example)

    @property
    def cells_per_example(self) -> int:
        """How many cells an example is counted in: one for every label, or a single one."""
        return 1 if self.spans else self.n_problems

    @property
    def cell_numbers(self) -> Codes:
        """Give every cell of the only side's matrix a number, row by row."""
        (predicted,) = self.predicted
        return np.asarray(self.true * self.n_classes + predicted)

    @cached_property
    def shared_weights(self) -> UnitContents | None:
        """The units, if any holds several examples: the weights of those of one example say no more than counts."""
        return None if self.units is None or self.units.hold_one_example else self.units

    @cached_property
    def row_totals(self) -> Weights:
        """(M,) examples of each true class."""
        return _sum_by(self.true, self.count, self.n_classes)

    @property
    def times_predicted(self) -> Weights:
        """(M,) examples that the only side predicts as each class."""
        return _sum_by(self.predicted[0], self.count, self.n_classes)

    @cached_property
    def group(self) -> Codes:
        """(K,) the group of each cell, by which sides are right."""
        wrong = (self.predicted != self.true).astype(np.int64)
        return np.asarray(sum(wrong[s] << (self.n_sides - 1 - s) for s in range(self.n_sides)))

    @cached_property
    def group_counts(self) -> Weights:
        """(M, 2^S) examples of each true class in each group."""
        n_groups = 2**self.n_sides
        totals = _sum_by(self.true * n_groups + self.group, self.count, self.n_classes * n_groups)
        return totals.reshape(self.n_classes, n_groups)

    @property
    def label_counts(self) -> Weights:
        """(L, 2, ...) of multi-label data, in the manner of `of_labels`."""
        counts = np.zeros((self.n_problems, *[2] * (1 + self.n_sides)), dtype=self.count.dtype)
        counts[(self.true // 2, self.true % 2, *(self.predicted % 2))] = self.count
        return counts

    def side(self, index: int) -> "OutcomeTable":
        """One side alone: its confusion matrix; without the spans that only the other side predicts."""
        if self.n_sides == 1:
            return self
        predicted = self.predicted[index]
        if not self.spans:
            return self._tallied(self.true, predicted[None], self.count, self.units)
        seen = (self.true % 2 == 1) | (predicted % 2 == 1)
        units = self.units and self.units.merged(np.where(seen, seen.cumsum() - 1, -1), int(seen.sum()))
        return self._tallied(self.true[seen], predicted[None, seen], self.count[seen], units)

    def pooled(self) -> "OutcomeTable":
        """Return the same spans as if all were of one type."""
        return self.tally(
            2, self.true % 2, *(self.predicted % 2), weight=self.count, multilabel=True, units=self.units, spans=True
        )

    def without_units(self) -> "OutcomeTable":
        """Return the same counts as if every example were drawn on its own."""
        return replace(self, units=None)

    def plus(self, other: "OutcomeTable") -> "OutcomeTable":
        """Add the counts of another table over the same classes and sides."""
        true, count = (np.concatenate(pair) for pair in ((self.true, other.true), (self.count, other.count)))
        predicted = np.concatenate([self.predicted, other.predicted], axis=1)
        if self.units is None and other.units is None:
            return self._tallied(true, predicted, count)
        units = [table.units or UnitContents.of_one_example(table.count) for table in (self, other)]
        return self._tallied(true, predicted, count, units[0].beside(units[1]))

    def relabelled(self, codes: Sequence[int] | Codes, n_labels: int) -> "OutcomeTable":
        """Return the same counts over other labels; labels that are new to multi-label data are absent.

        Parameters
        ----------
        codes
            Label i gets the code ``codes[i]``.
        n_labels
            How many labels there are then.
        """
        to = np.asarray(codes, dtype=np.int64)
        if not self.multilabel:
            return self.tally(n_labels, to[self.true], *to[self.predicted], weight=self.count, units=self.units)
        new = np.setdiff1d(np.arange(n_labels), to) if not self.spans else to[:0]
        to = np.stack([2 * to, 2 * to + 1], axis=1).ravel()
        true = np.concatenate([to[self.true], 2 * new])
        predicted = [np.concatenate([to[side], 2 * new]) for side in self.predicted]
        weight = np.concatenate([self.count, np.full(new.size, self.count.sum() / self.n_problems, self.count.dtype)])
        units = self.units and self.units.with_rows(new.size, self.units.sizes / self.n_problems)
        return self.tally(2 * n_labels, true, *predicted, weight=weight, multilabel=True, units=units, spans=self.spans)

    def _tallied(
        self, true: Codes, predicted: Codes, count: Weights, units: UnitContents | None = None
    ) -> "OutcomeTable":
        counted = self.tally(
            self.n_classes,
            true,
            *predicted,
            weight=count,
            multilabel=self.multilabel,
            units=units,
            spans=self.spans,
        )
        return replace(counted, never_true=self.never_true)


def _keys(columns: Codes, n_codes: int) -> Codes:
    """Give every different outcome, (1 + S, N) codes, a number in their order: a single sort then finds equal ones."""
    keys, n_keys = columns[0], n_codes
    for column in columns[1:]:
        if n_keys > _LARGEST_KEY // n_codes:
            known, keys = np.unique(keys, return_inverse=True)
            n_keys = known.size
        keys, n_keys = keys * n_codes + column, n_keys * n_codes
    return np.asarray(keys)


def _sum_by(index: Codes, weight: Weights, size: int) -> Weights:
    totals: Weights = np.zeros(size, dtype=weight.dtype)
    np.add.at(totals, index, weight)
    return totals
