"""The sufficient statistic of every model: how many examples of each true class met each outcome."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytest_bayesf1.stats.arrays import Codes, Counts


@dataclass(frozen=True, eq=False)
class OutcomeTable:
    """Sparse counts of outcomes, for one classifier (S = 1 side) or for two on the same examples (S = 2).

    An outcome is what each side predicted. The outcomes of a true class fall into 2^S groups, by which sides are
    right; bit ``S - 1 - s`` of a group's number is set when side s is wrong. With two sides the groups are: both
    right, only the baseline right, only the candidate right, both wrong.

    Attributes
    ----------
    n_classes
        M.
    true : (K,)
        True class of each non-zero cell.
    predicted : (S, K)
        Predicted class of each side.
    count : (K,)
        Examples in the cell, at least 1.
    """

    n_classes: int
    true: Codes
    predicted: Codes
    count: Counts

    def __post_init__(self) -> None:
        """Keep the counts from being changed after they were checked."""
        for array in (self.true, self.predicted, self.count):
            array.flags.writeable = False

    @classmethod
    def tally(cls, n_classes: int, true: Codes, *predicted: Codes, weight: Counts | None = None) -> "OutcomeTable":
        """Count equal outcomes, in an order that depends on the content alone; cells of weight 0 are dropped."""
        key = true
        for side in predicted:
            key = key * n_classes + side
        keys, inverse, count = np.unique(key, return_inverse=True, return_counts=True)
        if weight is not None:
            count = np.zeros(keys.size, dtype=np.int64)
            np.add.at(count, inverse, weight)
            keys, count = keys[count > 0], count[count > 0]
        sides: list[Codes] = []
        for _ in predicted:
            keys, side = np.divmod(keys, n_classes)
            sides.insert(0, side)
        return cls(n_classes, keys, np.stack(sides), count)

    @classmethod
    def empty(cls, n_classes: int, n_sides: int) -> "OutcomeTable":
        """Return a table without examples."""
        none = np.empty(0, dtype=np.int64)
        return cls(n_classes, none, np.empty((n_sides, 0), dtype=np.int64), none)

    @property
    def n_sides(self) -> int:
        """S."""
        return int(self.predicted.shape[0])

    @property
    def n_samples(self) -> int:
        """N, the number of examples."""
        return int(self.count.sum())

    @cached_property
    def row_totals(self) -> Counts:
        """(M,) examples of each true class."""
        return _sum_by(self.true, self.count, self.n_classes)

    @cached_property
    def group(self) -> Codes:
        """(K,) the group of each cell."""
        wrong = (self.predicted != self.true).astype(np.int64)
        return np.asarray(sum(wrong[s] << (self.n_sides - 1 - s) for s in range(self.n_sides)))

    @property
    def group_sizes(self) -> Counts:
        """(2^S,) outcomes that each group holds in every row: M - 1 for each side that is wrong."""
        return np.array([(self.n_classes - 1) ** group.bit_count() for group in range(2**self.n_sides)])

    def is_right(self, side: int, group: int) -> bool:
        """Whether this side is right in this group."""
        return not group >> (self.n_sides - 1 - side) & 1

    @cached_property
    def group_counts(self) -> Counts:
        """(M, 2^S) examples of each true class in each group."""
        n_groups = 2**self.n_sides
        totals = _sum_by(self.true * n_groups + self.group, self.count, self.n_classes * n_groups)
        return totals.reshape(self.n_classes, n_groups)

    def side(self, index: int) -> "OutcomeTable":
        """One side alone: its confusion matrix."""
        return self.tally(self.n_classes, self.true, self.predicted[index], weight=self.count)

    def relabelled(self, codes: Sequence[int] | Codes, n_classes: int) -> "OutcomeTable":
        """Give class i the code ``codes[i]`` among ``n_classes``."""
        to = np.asarray(codes, dtype=np.int64)
        return self.tally(n_classes, to[self.true], *to[self.predicted], weight=self.count)


def _sum_by(index: Codes, weight: Counts, size: int) -> Counts:
    totals = np.zeros(size, dtype=np.int64)
    np.add.at(totals, index, weight)
    return totals
