"""Ranks of several systems by joint draws of their scores."""

from collections.abc import Sequence

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats

_POINTS = 1_501
_LOWEST, _BEYOND = -15.0, 12.0  # of log tau: below a typical sd, and above the largest distance of two means
_WIDE = 2.0
"""Scale of the half-Cauchy prior of how much systems vary, in typical standard deviations of a contrast."""
_LEAST_VARIANCE = 1e-9  # of a contrast, in the largest one's: below are rounding errors


def shrink_jointly(draws: Floats, rng: np.random.Generator) -> Floats:
    """Shrink joint draws of several values toward each other, by as much as the values are alike.

    The true values vary normally about a common mean, with a standard deviation tau whose prior is half-Cauchy (Gelman
    2006): it allows that all are alike, and hardly moves values that really differ. The differences are turned into
    uncorrelated contrasts, each of which shrinks by itself, given tau. Of fewer than three different values nothing can
    be learned of tau, and they are left as they are.

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
    log_tau = np.linspace(_LOWEST, np.log(max(abs(means).max() / scale, 1.0)) + _BEYOND, _POINTS)
    total = variances + (scale * np.exp(log_tau)) ** 2
    density = -(np.log(total) + means**2 / total).sum(axis=0) / 2 - np.log1p(np.exp(2 * log_tau)) + log_tau
    below = np.cumsum(np.exp(density - density.max()))
    return np.asarray(scale * np.exp(np.interp(probability * below[-1], below, log_tau)))


_ROUNDING = 1e-9


def rank_probabilities(scores: Floats) -> Floats:
    """Return how likely each system has each rank; equal scores share their ranks evenly.

    Examples
    --------
    >>> rank_probabilities(np.array([[0.9, 0.9, 0.8, 0.8], [0.7, 0.9, 0.9, 0.9]])).tolist()
    [[0.375, 0.625], [0.625, 0.375]]
    """
    n_systems, n_draws = scores.shape
    probabilities = np.zeros((n_systems, n_systems))
    for system, own in enumerate(scores):
        better, equal = (scores > own).sum(axis=0), (scores == own).sum(axis=0)
        for behind in range(int(equal.max())):
            shares = (equal > behind) / equal
            probabilities[system] += np.bincount((better + behind) * (equal > behind), shares, n_systems)
    return np.asarray(probabilities / n_draws)


def rank_interval(probabilities: Floats, prob: float) -> tuple[int, int]:
    """Return the shortest run of ranks that is at least so likely; of several the likeliest.

    Examples
    --------
    >>> rank_interval(np.array([0.02, 0.5, 0.46, 0.02]), 0.95)
    (2, 3)
    """
    up_to = np.append(0.0, probabilities.cumsum())
    for length in range(1, probabilities.size + 1):
        held = up_to[length:] - up_to[:-length]
        if held.max() >= prob - _ROUNDING:
            break
    first = int(held.argmax())
    return first + 1, first + length


def expected_losses(scores: Floats) -> Floats:
    """Return how far each system lies behind the best of the draw, on average."""
    return np.asarray((scores.max(axis=0) - scores).mean(axis=1))


def runs_of_ties(tied: Sequence[Sequence[bool]]) -> list[tuple[int, int]]:
    """Return the longest runs of systems that are tied with one another, each from its first to its last.

    Examples
    --------
    >>> runs_of_ties([[True, True, False], [True, True, True], [False, True, True]])
    [(0, 1), (1, 2)]
    """
    runs: list[tuple[int, int]] = []
    for start in range(len(tied)):
        end = start
        while end + 1 < len(tied) and all(tied[each][end + 1] for each in range(start, end + 1)):
            end += 1
        if end > start and (not runs or end > runs[-1][1]):
            runs.append((start, end))
    return runs
