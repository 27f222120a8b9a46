"""How far the highest and the lowest of several true scores are apart, by noisy estimates of unequal precision.

Nothing is assumed of how the true scores vary. Each has an estimate x_i, its posterior mean, with standard deviation
s_i. The estimates are further apart than the true scores, for luck raises the highest and lowers the lowest. So every
range r is tested (test inversion by the bootstrap; Carpenter 1999). The statistic is the largest t for which some
x_i - t s_i and x_j + t s_j are still r apart. It is compared with that of data drawn about the most likely scores of
which no two are more than r apart.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.stats.posterior import tail_probability

_HALVINGS = 20
_PLACES = 60  # halvings of where the interval of length r lies


@dataclass(frozen=True, eq=False)
class ScoreRange:
    """The range of J true scores, highest minus lowest.

    Attributes
    ----------
    draws : (J, n)
        Of the posterior of each, independent from one to the next.

    References
    ----------
    Carpenter (1999), Test inversion bootstrap confidence intervals;
    Zou and Donner (2008), Construction of confidence limits about effect measures.
    """

    draws: Floats

    @cached_property
    def estimate(self) -> float:
        """The median-unbiased estimate: the range at which one so wide is as likely observed as not."""
        return self._least(0.5)

    def interval(self, prob: float) -> tuple[float, float]:
        """Return the confidence interval of the range.

        The upper end is the largest of all pairs. Only the pair that is truly highest and lowest need be right, so it
        has to pay for no selection.
        """
        tail = (1 - prob) / 2
        low, high = np.abs(np.quantile(self.draws, [tail, 1 - tail], axis=1) - self._means)
        apart = self._means[:, None] - self._means + np.hypot(high[:, None], low)
        np.fill_diagonal(apart, 0)
        return self._least(tail), float(apart.max())

    def p_value(self, limit: float) -> float:
        """Return how likely a range so clearly wide is observed where the true one is the limit, never too low."""
        return tail_probability(1 - self._exceeding(limit), self.draws.shape[1])

    def clearest(self, apart: float) -> tuple[int, int]:
        """Return the pair, highest first, that is most clearly so far apart."""
        clearness = self._clearness(apart)
        np.fill_diagonal(clearness, -np.inf)
        first, second = np.unravel_index(clearness.argmax(), clearness.shape)
        return int(first), int(second)

    @cached_property
    def _means(self) -> Floats:
        return np.asarray(self.draws.mean(axis=1))

    @cached_property
    def _stds(self) -> Floats:
        return np.asarray(self.draws.std(axis=1))

    @cached_property
    def _noise(self) -> Floats:
        return self.draws - self._means[:, None]

    def _least(self, tail: float) -> float:
        """Return the least range that a test of this level does not reject."""
        if self._exceeding(0.0) > tail:
            return 0.0
        low, high = 0.0, float(np.ptp(self._means))
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._exceeding(middle) > tail else (middle, high)
        return high

    def _exceeding(self, apart: float) -> float:
        """Return how often data of scores so far apart are as clearly further apart as these are."""
        within = float(self._clearness(apart).max()) * self._stds
        highest, lowest = np.full((2, self.draws.shape[1]), [[-np.inf], [np.inf]])
        for moved, noise, width in zip(self._moved(apart), self._noise, within, strict=True):
            np.maximum(highest, moved - width - noise, out=highest)
            np.minimum(lowest, moved + width - noise, out=lowest)
        return float(np.mean(highest - lowest >= apart))

    def _clearness(self, apart: float) -> Floats:
        """Return by how many standard deviations of both every two are further apart, (J, J)."""
        return np.asarray((self._means[:, None] - self._means - apart) / (self._stds[:, None] + self._stds))

    def _moved(self, apart: float) -> Floats:
        """Return the most likely scores that are no further apart, (J,)."""
        means, precision = self._means, self._stds**-2
        low, high = means.min() - apart, means.max()
        for _ in range(_PLACES):
            start = (low + high) / 2
            beyond = means - means.clip(start, start + apart)
            low, high = (start, high) if precision @ beyond > 0 else (low, start)
        return np.asarray(means.clip(high, high + apart))
