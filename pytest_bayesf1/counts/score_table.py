"""The sufficient statistic of scores: how many examples of each class were given which scores by every side."""

from dataclasses import dataclass

import numpy as np

from pytest_bayesf1.arrays import Codes, Counts, Floats
from pytest_bayesf1.counts.units import UnitContents


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Different outcomes and how often each occurred, in an order that depends on the content alone.

    Attributes
    ----------
    n_classes
        Number of classes, M; 1 where examples have a value each and no class.
    true : (K,)
        True class of each outcome.
    scores : (S, K, C)
        What each side gave it: the score of the positive class, C = 1; a score of every class, C = M; or a value.
    count : (K,)
        Examples with the outcome.
    units
        The units that the examples belong to, over these outcomes; None where every example is its own.
    """

    n_classes: int
    true: Codes
    scores: Floats
    count: Counts
    units: UnitContents | None = None

    @classmethod
    def tally(cls, n_classes: int, true: Codes, *scores: Floats, units: UnitContents | None = None) -> "ScoreTable":
        """Count equal outcomes.

        Parameters
        ----------
        n_classes
            M, or 1.
        true : (N,)
            True classes of the examples.
        *scores : (N, C)
            Each side's.
        units
            The units that the examples belong to, over these; None where every example is its own.

        Examples
        --------
        >>> table = ScoreTable.tally(2, np.array([1, 0, 1]), np.array([[0.9], [0.2], [0.9]]))
        >>> table.true.tolist(), table.scores[0].ravel().tolist(), table.count.tolist()
        ([0, 1], [0.2, 0.9], [1, 2])
        """
        columns = [true, *np.concatenate(scores, axis=1).T]
        order = np.lexsort(columns[::-1])
        differs = np.zeros(true.size, dtype=bool)
        for column in columns:
            differs[1:] |= np.diff(column[order]) != 0
        outcome = np.empty_like(order)
        outcome[order] = np.cumsum(differs)
        first = order[np.concatenate([[0], np.flatnonzero(differs)])]
        count = np.bincount(outcome)
        pooled = units and units.merged(outcome, count.size)
        return cls(n_classes, true[first], np.stack([side[first] for side in scores]), count, pooled)

    @property
    def n_sides(self) -> int:
        """Number of sides, S."""
        return len(self.scores)

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return int(self.count.sum())

    @property
    def class_totals(self) -> Counts:
        """(M,) examples of each true class."""
        return np.bincount(self.true, self.count, self.n_classes).astype(np.int64)
