"""Where clusters fall, and how sure a spread over few clusters is.

Weights that are Gamma(1), one for every cluster, are as sure as if many clusters had been drawn. Where clusters are
few, or few of them hold what differs, the variance that they show is too small on average, since every cluster has
pulled the mean that it is compared with, and it is itself uncertain. Both follow from what each cluster adds to the
result.

PYTEST_DONT_REWRITE
"""

from dataclasses import dataclass
from math import inf
from statistics import median
from typing import Self

import numpy as np

from pytest_bayesf1.arrays import Floats, Weights
from pytest_bayesf1.data.outcomes import ScoreTable


def placements(table: ScoreTable, side: int) -> Floats:
    """Return the share of the other classes' examples that score lower for the example's own class, ties half.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more correlated ROC curves.

    Examples
    --------
    >>> table = ScoreTable.tally(2, np.array([0, 0, 1, 1]), np.array([[0.1], [0.4], [0.35], [0.8]]))
    >>> placements(table, 0).tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    scores, found = table.scores[side], np.zeros(table.count.size)
    if table.n_classes == 1:
        return np.asarray(scores[:, 0])
    for code in range(table.n_classes):
        own = scores[:, code] if scores.shape[1] > 1 else scores[:, 0] * (2 * code - 1)
        of_class = table.true == code
        others = np.flatnonzero(~of_class)[np.argsort(own[~of_class], kind="stable")]
        below = np.concatenate([[0], np.cumsum(table.count[others])])
        ends = (np.searchsorted(own[others], own[of_class], side=end) for end in ("left", "right"))
        found[of_class] = sum(below[end] for end in ends) / max(2 * below[-1], 1)
    return found


_NEGLIGIBLE = 0.005
"""As a share of an interval's width."""


@dataclass(frozen=True)
class SmallSample:
    """A Student's t distribution in place of the normal one that many clusters lead to.

    Attributes
    ----------
    variance
        What the variance of plain weights is multiplied by.
    dof
        Degrees of freedom.
    """

    variance: float = 1.0
    dof: float = inf

    @classmethod
    def of_influence(cls, influence: Floats, sizes: Floats, n_clusters: Weights) -> Self:
        """Learn it from how far each cluster moves the result.

        The variance is that of leaving out one cluster at a time over that of plain weights (CR3 and CR0 in the words
        of Bell & McCaffrey 2002), the degrees of freedom follow from the fourth moment by Satterthwaite's rule. Both
        fade with the share of examples that are not alone in their cluster: clusters of one example are what examples
        are.
        """
        n, n_examples = float(n_clusters.sum()), float(n_clusters @ sizes)
        together = 1 - n / n_examples
        if together <= 0 or n <= 1:
            return cls()
        others = 1 - sizes / n_examples
        squares = (influence / others if influence.any() else sizes) ** 2
        total = float(n_clusters @ squares)
        variance = total / float(n_clusters @ (squares * others**2))
        unevenness = float(n_clusters @ (squares - total / n) ** 2)
        dof = min(2 * total**2 / unevenness, n - 1) if unevenness > 0 else n - 1
        return cls(1 + together * (variance - 1), max(dof, 1.0) / together)

    @classmethod
    def of_sides(cls, influences: Floats, sizes: Floats, n_clusters: Weights) -> Self:
        """Take the median of several sides, whose results share one spread."""
        chances = [cls.of_influence(influence, sizes, n_clusters) for influence in influences]
        return cls(median(each.variance for each in chances), median(each.dof for each in chances))

    @property
    def is_plain(self) -> bool:
        """Whether plain weights do: a 95% interval would be hardly wider, by the first terms of t's series."""
        return (1.96**2 + 1) / (4 * self.dof) + (self.variance - 1) / 2 < _NEGLIGIBLE


def influence_on_mean(added: Floats, sizes: Floats, n_clusters: Weights) -> Floats:
    """Return the influence of clusters on the mean of what their examples add up to."""
    return added - sizes * (n_clusters @ added) / (n_clusters @ sizes)
