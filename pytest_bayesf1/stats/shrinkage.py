"""Scores of many groups pulled toward each other by as much as they are alike.

The true values are taken to vary normally about a common mean, theta_i ~ N(mu, tau^2), and each posterior on its own
for a normal measurement of its value, mean_i ~ N(theta_i, sd_i^2). Given tau all is normal; tau is integrated out.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtr

from pytest_bayesf1.arrays import Codes, Floats

_ROUGH, _NODES = 1_501, 151
_LOWEST, _BEYOND = -15.0, 12.0  # of log tau: below a typical sd, and above the largest distance of two means
_NEGLIGIBLE = 18.0  # logarithm of how much lower than its peak a density may be left out
_ZOOMS, _FEW_POINTS, _POINTS, _STARTS = 4, 41, 301, 401
_REACH = 6.0  # standard deviations
_MOST_NUMBERS = 1 << 22  # at once
_LEAST_TAIL = 200  # of what the HDI leaves out, the least share in either tail


@dataclass(frozen=True, eq=False)
class Shrinkage:
    """The posterior of the parts' true values, of their mean mu and of tau, how much they vary.

    mu has a flat prior, tau a half-Cauchy one, which Gelman (2006) recommends where there are few groups: it is proper,
    allows that all are alike, and has a tail so heavy that parts which really differ are hardly shrunk. Its scale,
    which is its median too, is the root of the mean of the sd_i^2: wide, for it is the vaguest parts that make it.

    Attributes
    ----------
    means, stds : (J,)
        Of each part's posterior on its own; J is at least 2, every sd positive.
    tau, weight : (K,)
        Nodes of a quadrature over tau, evenly spaced in log tau, and their probabilities.

    References
    ----------
    Gelman (2006), Prior distributions for variance parameters in hierarchical models;
    Gelman et al., Bayesian Data Analysis, 3rd ed., section 5.4.
    """

    means: Floats
    stds: Floats
    tau: Floats
    weight: Floats

    @classmethod
    def of(cls, means: Floats, stds: Floats) -> "Shrinkage":
        """Find the posterior of tau.

        Examples
        --------
        >>> both = Shrinkage.of(np.array([-0.04, 0.0]), np.array([0.02, 0.02]))
        >>> both.mean.round(3).tolist()
        [-0.029, -0.011]
        """
        scale = float(np.sqrt(np.mean(stds**2)))
        apart = float(np.ptp(means)) / scale
        highest = np.log(max(apart, 1.0)) + _BEYOND
        rough = np.linspace(_LOWEST, highest, _ROUGH)
        density = _log_density(rough, means, stds, scale)
        matters = np.flatnonzero(density > density.max() - _NEGLIGIBLE)
        fine = np.linspace(rough[max(matters[0] - 1, 0)], rough[min(matters[-1] + 1, _ROUGH - 1)], _NODES)
        density = _log_density(fine, means, stds, scale)
        weight = np.exp(density - density.max())
        return cls(means, stds, scale * np.exp(fine), weight / weight.sum())

    @cached_property
    def mean(self) -> Floats:
        """Posterior means of the true values, (J,)."""
        return np.asarray(self._centre @ self.weight)

    @cached_property
    def std(self) -> Floats:
        """Posterior standard deviations of the true values, (J,)."""
        return np.sqrt((self._spread**2 + (self._centre - self.mean[:, None]) ** 2) @ self.weight)

    def hdi(self, prob: float) -> Floats:
        """Highest-density intervals of the true values, (J, 2)."""
        return np.array([self._narrowest(*each, prob) for each in zip(self._centre, self._spread, strict=True)])

    @cached_property
    def common(self) -> float:
        """Posterior mean of mu."""
        _, mu, _ = self._nodes
        return float(mu @ self.weight)

    def common_hdi(self, prob: float) -> Floats:
        """Highest-density interval of mu, (2,)."""
        _, mu, mu_std = self._nodes
        return self._narrowest(mu, mu_std, prob)

    def tau_at(self, probability: Floats) -> Floats:
        """Quantiles of tau."""
        below = np.cumsum(self.weight) - self.weight / 2
        return np.exp(np.interp(probability, below, np.log(self.tau)))

    @cached_property
    def _nodes(self) -> tuple[Floats, Floats, Floats]:
        return _given(self.tau, self.means, self.stds)

    @cached_property
    def _centre(self) -> Floats:
        own, mu, _ = self._nodes
        return own * self.means[:, None] + (1 - own) * mu

    @cached_property
    def _spread(self) -> Floats:
        own, _, mu_std = self._nodes
        return np.sqrt(own * self.stds[:, None] ** 2 + ((1 - own) * mu_std) ** 2)

    def _narrowest(self, centre: Floats, spread: Floats, prob: float) -> Floats:
        """Find the narrowest interval of a mixture of normals, one per node: its quantiles are read off a grid."""
        least = (1 - prob) / _LEAST_TAIL
        low, high = float((centre - _REACH * spread).min()), float((centre + _REACH * spread).max())
        for _ in range(_ZOOMS):  # mu of two parts may have tails a thousand times as wide as its HDI
            points = np.linspace(low, high, _FEW_POINTS)
            below = self._below(points, centre, spread)
            low = float(points[np.flatnonzero(below <= least)[-1]])
            high = float(points[np.flatnonzero(below >= 1 - least)[0]])
        points = np.linspace(low, high, _POINTS)
        below = self._below(points, centre, spread)
        start = np.linspace(least, 1 - prob - least, _STARTS)
        lower, upper = (np.interp(tail, below, points) for tail in (start, start + prob))
        best = int((upper - lower).argmin())
        return np.array([lower[best], upper[best]])

    def _below(self, points: Floats, centre: Floats, spread: Floats) -> Floats:
        return np.asarray(ndtr((points[:, None] - centre) / spread) @ self.weight)


_WIDE = 2.0
"""Scale of the half-Cauchy prior of how much systems vary, in typical standard deviations of a contrast."""
_LEAST_VARIANCE = 1e-9  # of a contrast, in the largest one's: below are rounding errors


def shrink_jointly(draws: Floats, rng: np.random.Generator) -> Floats:
    """Shrink joint draws of several values toward each other, by as much as the values are alike.

    The true values vary normally about a common mean, as in `Shrinkage`; but their errors may depend on each other. So
    the differences are turned into uncorrelated contrasts, each of which shrinks by itself, given tau. Of fewer than
    three different values nothing can be learned of tau, and they are left as they are.

    Parameters
    ----------
    draws : (J, n)
        Of the joint posterior under priors that do not know of each other. Rows that are mostly equal are one value.
    rng
        Draws tau.

    Returns
    -------
    Floats
        Joint draws of the shrunk values, (J, n).
    """
    first = _first_alike(draws)
    different, place = np.unique(first, return_inverse=True)
    if different.size < 3:
        return draws
    values = draws[different]
    apart = values - values.mean(axis=0)
    variances, contrasts = np.linalg.eigh(np.cov(apart))
    matters = variances > _LEAST_VARIANCE * variances[-1]
    variances, contrasts = variances[matters, None], contrasts[:, matters]
    apart = contrasts.T @ apart
    means = apart.mean(axis=1, keepdims=True)
    tau = _draws_of_tau(means, variances, np.asarray(rng.random(draws.shape[1])))
    own = tau**2 / (variances + tau**2)
    shrunk = values.mean(axis=0) + contrasts @ (own * means + np.sqrt(own) * (apart - means))
    return np.asarray(shrunk[place] + (draws - draws[first]))  # so that equal draws stay equal


def _first_alike(draws: Floats) -> Codes:
    """Return for every row the first one that most draws are equal to, (J,)."""
    first = np.arange(len(draws))
    for row in range(len(draws)):
        if first[row] == row:
            alike = np.flatnonzero((draws[row:] == draws[row]).mean(axis=1) > 0.5) + row
            first[alike] = np.minimum(first[alike], row)
    return first


def _draws_of_tau(means: Floats, variances: Floats, probability: Floats) -> Floats:
    """Return quantiles of tau's posterior, given contrasts (J, 1) whose true values have mean 0."""
    scale = _WIDE * np.sqrt(variances.mean())
    log_tau = np.linspace(_LOWEST, np.log(max(abs(means).max() / scale, 1.0)) + _BEYOND, _ROUGH)
    total = variances + (scale * np.exp(log_tau)) ** 2
    density = -(np.log(total) + means**2 / total).sum(axis=0) / 2 - np.log1p(np.exp(2 * log_tau)) + log_tau
    below = np.cumsum(np.exp(density - density.max()))
    return np.asarray(scale * np.exp(np.interp(probability * below[-1], below, log_tau)))


def _log_density(log_tau: Floats, means: Floats, stds: Floats, scale: float) -> Floats:
    """Log posterior density of log(tau / scale), up to a constant, (K,)."""
    blocks = np.array_split(scale * np.exp(log_tau), -(-log_tau.size * means.size // _MOST_NUMBERS))
    likelihood = np.concatenate([_log_likelihood(tau, means, stds) for tau in blocks])
    return np.asarray(likelihood - np.log1p(np.exp(2 * log_tau)) + log_tau)


def _log_likelihood(tau: Floats, means: Floats, stds: Floats) -> Floats:
    """Log likelihood of tau with mu integrated out, up to a constant, (K,)."""
    _, mu, mu_std = _given(tau, means, stds)
    variance = stds[:, None] ** 2 + tau**2
    apart = (means[:, None] - mu) ** 2 / variance
    return np.asarray(np.log(mu_std) - (np.log(variance) + apart).sum(axis=0) / 2)


def _given(tau: Floats, means: Floats, stds: Floats) -> tuple[Floats, Floats, Floats]:
    """Return what is normal given tau: the weight of each part's own mean (J, K), and mean and sd of mu (K,)."""
    variance = stds[:, None] ** 2 + tau**2
    precision = np.sum(1 / variance, axis=0)
    return tau**2 / variance, np.sum(means[:, None] / variance, axis=0) / precision, precision**-0.5
