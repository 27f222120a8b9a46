"""Where clusters fall, and how sure a spread over few clusters is.

Weights that are Gamma(1), one for every cluster, are as sure as if many clusters had been drawn. Where clusters are
few, or few of them hold what differs, the variance that they show is too small on average, since every cluster has
pulled the mean that it is compared with, and it is itself uncertain. Both follow from what each cluster adds to the
result.

Where sizes are skewed, the largest clusters of the population are rarely in the sample. Where the result goes with the
size, it is then off to one side, with a variance that looks small. So draws favour larger clusters by an uncertain
power of their size.
"""

from dataclasses import dataclass
from math import inf, log
from typing import Self

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats, Weights
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
    if table.n_classes == 1:
        return np.asarray(table.scores[side][:, 0])
    found = np.zeros(table.count.size)
    for code in range(table.n_classes):
        of_class = table.true == code
        found[of_class] = shares_below(table, side, code)[of_class]
    return found


def shares_below(table: ScoreTable, side: int, code: int) -> Floats:
    """Return the share of the other classes' examples that score lower for a class than each outcome, ties half."""
    scores = table.scores[side]
    own = scores[:, code] if scores.shape[1] > 1 else scores[:, 0] * (2 * code - 1)
    others = np.flatnonzero(table.true != code)
    others = others[np.argsort(own[others], kind="stable")]
    below = np.concatenate([[0], np.cumsum(table.count[others])])
    ends = (np.searchsorted(own[others], own, side=end) for end in ("left", "right"))
    return np.asarray(sum(below[end] for end in ends) / max(2 * below[-1], 1))


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
        return cls(*np.median([(each.variance, each.dof) for each in chances], axis=0).tolist())

    @property
    def is_plain(self) -> bool:
        """Whether plain weights do: a 95% interval would be hardly wider, by the first terms of t's series."""
        return (1.96**2 + 1) / (4 * self.dof) + (self.variance - 1) / 2 < _NEGLIGIBLE


def influence_on_mean(added: Floats, sizes: Floats, n_clusters: Weights) -> Floats:
    """Return the influence of clusters on the mean of what their examples add up to."""
    return added - sizes * (n_clusters @ added) / (n_clusters @ sizes)


_SIZE_PULL = 2.5
"""Mean shift of the mean size, in its standard errors per skewness of it: benchmarks/studies/clusters.md tries it."""


@dataclass(frozen=True, eq=False)
class SizeTilt:
    """A power of its size that a cluster's weight is multiplied by, for the large clusters that a sample lacks.

    Attributes
    ----------
    logs : (S,)
        Logarithm of each size that occurs, about the mean of these over the examples.
    size : (D,)
        Which of the sizes each content has.
    exponent
        Mean of the power, which is exponential; negative where small clusters are the rare ones.
    """

    logs: Floats
    size: Codes
    exponent: float

    @classmethod
    def of(cls, sizes: Floats, n_clusters: Weights) -> Self:
        """Learn it from how skewed the mean of the logarithms is, whose influence function that of the clusters is.

        Like the small sample's, it fades with the share of examples that are not alone in their cluster.
        """
        sizes, size = np.unique(sizes, return_inverse=True)
        n_clusters = np.bincount(size, n_clusters)
        n_examples = float(n_clusters @ sizes)
        logs = np.log(np.where(sizes > 0, sizes, 1))
        logs -= n_clusters @ (sizes * logs) / n_examples
        influence = sizes * logs
        together = 1 - float(n_clusters.sum()) / n_examples
        if together <= 0 or np.abs(influence).max() < _ROUNDING:
            return cls(logs, size, 0.0)
        skewness = float(n_clusters @ influence**3) / float(n_clusters @ influence**2)
        return cls(logs, size, together * _SIZE_PULL * skewness / float(n_clusters @ (influence * logs)))

    @property
    def usual(self) -> Floats:
        """(D,) what the weights of each content are multiplied by at the median power."""
        return np.asarray(np.exp(self.exponent * log(2) * self.logs)[self.size])

    def factors(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw what the weights of each content are multiplied by: (D, n)."""
        powers = self.exponent * rng.standard_exponential(n)
        return np.asarray(np.exp(np.outer(self.logs, powers))[self.size])


_ROUNDING = 1e-9
"""Of sizes that are equal."""
