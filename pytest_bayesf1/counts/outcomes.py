"""The sufficient statistic of every model: how many examples of each true class met each outcome.

Multi-label data are L two-class problems side by side. One table holds them all as 2L classes, of which class 2l is
"label l is absent" and class 2l + 1 "label l is present": predictions stay within their own pair of classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Codes, Counts, Weights


@dataclass(frozen=True, eq=False)
class OutcomeTable:
    """Sparse counts of outcomes, for one classifier (S = 1 side) or for two on the same examples (S = 2).

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
        Examples in the cell, more than 0; whole numbers, unless a prior's pseudo-counts are among them.
    multilabel
        Whether the classes are pairs, one per label.
    never_true
        Classes that are predicted at most, for the truth has none of them: they are no classes of the problem, and
        their rows stay empty whatever the prior.
    """

    n_classes: int
    true: Codes
    predicted: Codes
    count: Weights
    multilabel: bool = False
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
            Examples that each row stands for, by default one; cells of weight 0 are dropped.
        multilabel
            Whether the classes are pairs, one per label.

        Examples
        --------
        >>> table = OutcomeTable.tally(2, np.array([0, 0, 1]), np.array([0, 0, 0]))
        >>> table.true.tolist(), table.predicted.tolist(), table.count.tolist()
        ([0, 1], [[0, 0]], [2, 1])
        """
        key = true  # one number per outcome, so that a single sort finds the equal ones
        for side in predicted:
            key = key * n_classes + side
        keys, inverse, count = np.unique(key, return_inverse=True, return_counts=True)
        if weight is not None:
            count = _sum_by(inverse, weight, keys.size)
            keys, count = keys[count > 0], count[count > 0]
        sides: list[Codes] = []
        for _ in predicted:
            keys, side = np.divmod(keys, n_classes)
            sides.insert(0, side)
        return cls(n_classes, keys, np.stack(sides), count, multilabel)

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
    def empty(cls, n_classes: int, n_sides: int, *, multilabel: bool = False) -> "OutcomeTable":
        """Return a table without examples, for a prior alone.

        Parameters
        ----------
        n_classes
            M; of multi-label data 2L.
        n_sides
            1 or 2.
        multilabel
            Whether the classes are pairs, one per label.
        """
        none = np.empty(0, dtype=np.int64)
        return cls(n_classes, none, np.empty((n_sides, 0), dtype=np.int64), none, multilabel)

    @property
    def n_sides(self) -> int:
        """Number of sides, S."""
        return int(self.predicted.shape[0])

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return int(self.count.sum()) // self.n_problems

    @property
    def n_outcomes(self) -> int:
        """Predictions that are possible for an example of a given true class, for each side."""
        return 2 if self.multilabel else self.n_classes

    @property
    def n_problems(self) -> int:
        """Classification problems side by side: L, or 1."""
        return self.n_classes // self.n_outcomes

    @property
    def class_shape(self) -> tuple[int, ...]:
        """Shape of an array with a number for every class: (M,), or (L, 2)."""
        return (self.n_problems, 2) if self.multilabel else (self.n_classes,)

    @property
    def cell_shape(self) -> tuple[int, ...]:
        """Shape of an array with all outcomes of every class: (M, M, ...), or (L, 2, 2, ...)."""
        return (*self.class_shape, *[self.n_outcomes] * self.n_sides)

    @property
    def cell_numbers(self) -> Codes:
        """Give every cell of the only side's matrix a number, row by row."""
        (predicted,) = self.predicted
        return np.asarray(self.true * self.n_classes + predicted)

    @property
    def named(self) -> slice:
        """The classes that labels name: all, or the one of each pair that says "present"."""
        return slice(1, None, 2) if self.multilabel else slice(None)

    @cached_property
    def may_be_true(self) -> npt.NDArray[np.bool_]:
        """(M,) whether the truth can be of the class."""
        possible = np.ones(self.n_classes, dtype=bool)
        possible[list(self.never_true)] = False
        return possible

    @property
    def occurring(self) -> npt.NDArray[np.bool_]:
        """Whether the truth can be of each class or label that has a name, (M,) or (L,)."""
        return self.may_be_true[self.named]

    @property
    def row_kinds(self) -> Codes:
        """(M,) true classes that learn from one another have the same kind: presences, absences; else all of them."""
        return np.arange(self.n_classes) % 2 if self.multilabel else np.zeros(self.n_classes, dtype=np.int64)

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

    @property
    def group_sizes(self) -> Counts:
        """(2^S,) outcomes that each group holds in every row: M - 1 for each side that is wrong."""
        return np.array([(self.n_outcomes - 1) ** group.bit_count() for group in range(2**self.n_sides)])

    def is_right(self, side: int, group: int) -> bool:
        """Whether a side is right in a group of outcomes.

        Parameters
        ----------
        side, group
            Their numbers.
        """
        return not group >> (self.n_sides - 1 - side) & 1

    def wrong_sides(self, group: int) -> list[int]:
        """List the sides that are wrong in this group."""
        return [side for side in range(self.n_sides) if not self.is_right(side, group)]

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
        """One side alone: its confusion matrix."""
        return self._tallied(self.true, self.predicted[index][None], self.count)

    def plus(self, other: "OutcomeTable") -> "OutcomeTable":
        """Add the counts of another table over the same classes and sides."""
        true, count = (np.concatenate(pair) for pair in ((self.true, other.true), (self.count, other.count)))
        predicted = np.concatenate([self.predicted, other.predicted], axis=1)
        return self._tallied(true, predicted, count)

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
        if self.multilabel:
            known = self.label_counts
            cells = np.zeros((n_labels, *known.shape[1:]), dtype=known.dtype)
            cells.reshape(n_labels, -1)[:, 0] = self.n_samples
            cells[to] = known
            return self.of_labels(cells)
        return self.tally(n_labels, to[self.true], *to[self.predicted], weight=self.count)

    def _tallied(self, true: Codes, predicted: Codes, count: Weights) -> "OutcomeTable":
        counted = self.tally(self.n_classes, true, *predicted, weight=count, multilabel=self.multilabel)
        return replace(counted, never_true=self.never_true)


def _sum_by(index: Codes, weight: Weights, size: int) -> Weights:
    totals: Weights = np.zeros(size, dtype=weight.dtype)
    np.add.at(totals, index, weight)
    return totals
