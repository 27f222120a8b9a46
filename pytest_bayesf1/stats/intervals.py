"""The highest-density interval of draws, and the Monte Carlo standard error of what batches of draws estimate."""

from collections.abc import Callable
from functools import cache
from math import sqrt

import numpy as np

from pytest_bayesf1.arrays import Floats

N_BATCHES = 20
_LOWEST, _STEP, _N_LOGITS = -8.0, 0.025, 641  # where the HDI's lower tail may begin, as logit(t / (1 - prob))
_SHARES = 1 / (1 + np.exp(-(_LOWEST + _STEP * np.arange(_N_LOGITS))))
_WINDOW = 60  # steps on both sides of the narrowest interval: wide enough to average noise, narrow for a cubic


def hdi(draws: Floats, prob: float) -> Floats:
    """Narrowest interval that holds ``prob`` of the draws.

    The interval runs between the quantiles t and t + prob. The t with the smallest width in the raw draws is a rough
    estimate: its error shrinks with the cube root of their number. The width is therefore smoothed by a cubic in
    logit(t / (1 - prob)) around that minimum, which makes the error shrink with the square root, as it should.

    Parameters
    ----------
    draws : (..., n)
        From posteriors with one mode each.
    prob
        Between 0 and 1.

    Returns
    -------
    (..., 2)
        Lower and upper bounds.

    References
    ----------
    Kruschke, Doing Bayesian Data Analysis, 2nd ed., section 25.2.

    Examples
    --------
    >>> hdi(np.linspace(0, 1, 1001) ** 2, 0.5).round(2).tolist()
    [0.0, 0.25]
    """
    return hdi_of_ordered(np.sort(draws), prob)


def hdi_of_ordered(ordered: Floats, prob: float) -> Floats:
    """Narrowest interval that holds ``prob`` of draws that are in order, as by `hdi`.

    Parameters
    ----------
    ordered : (..., n)
        Draws, in ascending order.
    prob
        Between 0 and 1.
    """
    tail = (1 - prob) * _SHARES
    ends = quantiles(ordered, np.concatenate([tail, tail + prob]))
    widths = ends[..., _N_LOGITS:] - ends[..., :_N_LOGITS]
    narrowest = [_smooth_argmin(each) for each in widths.reshape(-1, _N_LOGITS)]
    below = (1 - prob) / (1 + np.exp(-(_LOWEST + _STEP * np.reshape(narrowest, (*widths.shape[:-1], 1)))))
    return quantiles(ordered, np.concatenate([below, below + prob], axis=-1))


def quantiles(ordered: Floats, probability: Floats) -> Floats:
    """Interpolate quantiles.

    Parameters
    ----------
    ordered : (..., n)
        Draws, in ascending order.
    probability : (k,) or (..., k)
        Of a draw to be below.

    Returns
    -------
    (..., k)
        The quantiles.
    """
    last = ordered.shape[-1] - 1
    position = np.clip(probability * (last + 1) - 0.5, 0, last)
    below, take = position.astype(np.int64), np.take if position.ndim == 1 else np.take_along_axis
    low, high = take(ordered, below, -1), take(ordered, np.minimum(below + 1, last), -1)
    return np.asarray(low + (position - below) * (high - low))


def _smooth_argmin(y: Floats) -> float:
    """Return the position at which values, smoothed, are lowest."""
    best = float(y.argmin())
    for _ in range(2):
        first, end = max(round(best) - _WINDOW, 0), min(round(best) + _WINDOW + 1, y.size)
        half = (end - 1 - first) / 2
        best = first + half + _lowest((_fit(end - first) @ y[first:end]).tolist(), half)
    return best


@cache
def _fit(n: int) -> Floats:
    """Return the (4, n) matrix that fits a cubic to n values, in steps from their middle, its constant first."""
    return np.linalg.pinv(np.vander(np.arange(n) - (n - 1) / 2, 4, increasing=True))


def _lowest(cubic: list[float], half: float) -> float:
    """Return where a cubic is lowest, within half a range on both sides of 0."""
    c0, c1, c2, c3 = cubic
    root = sqrt(max(c2**2 - 3 * c1 * c3, 0.0))
    turns = [-c1 / (c2 + root)] if c2 + root else []
    tried = [-half, half, *(turn for turn in turns if abs(turn) < half)]
    return min(tried, key=lambda x: c0 + x * (c1 + x * (c2 + x * c3)))


def mean_mcse(draws: Floats) -> float:
    """Monte Carlo standard error of the mean, as by `batch_mcse`.

    Parameters
    ----------
    draws : (n,)
        In the order in which they were drawn.
    """
    return float(batch_mcse(draws, lambda batches: batches.mean(axis=-1)))


def batch_mcse(draws: Floats, statistic: Callable[[Floats], Floats]) -> Floats:
    """Monte Carlo standard error of a statistic of the draws, by batch means.

    The draws are cut into consecutive batches; the standard deviation of the statistic over them, divided by the root
    of their number, estimates its error on all draws. It is too small for a statistic that does not vary smoothly, such
    as the HDI of a flat posterior.

    Parameters
    ----------
    draws : (n,)
        In the order in which they were drawn; what is left over after the last whole batch is not used.
    statistic
        Of batches of draws, (N_BATCHES, n / N_BATCHES): a number, or several, (K,), of each.

    Returns
    -------
    () or (K,)
        The standard errors.

    References
    ----------
    Flegal and Jones (2010), Batch means and spectral variance estimators in Markov chain Monte Carlo.
    """
    usable = draws.size - draws.size % N_BATCHES
    values = statistic(draws[:usable].reshape(N_BATCHES, -1))
    return np.asarray(values.std(axis=0, ddof=1) / np.sqrt(N_BATCHES))
