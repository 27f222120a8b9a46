"""The highest-density interval of draws, and the Monte Carlo standard error of what batches of draws estimate."""

from collections.abc import Callable
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import Floats

N_BATCHES = 20
_LOGITS = np.linspace(-8, 8, 641)  # where the HDI's lower tail may begin, as logit(t / (1 - prob))
_WINDOW = 1.5  # on both sides of the narrowest interval, in logits: wide enough to average noise, narrow for a cubic


def hdi(draws: Floats, prob: float) -> Floats:
    """Narrowest interval that holds ``prob`` of the draws.

    The interval runs between the quantiles t and t + prob. The t with the smallest width in the raw draws is a rough
    estimate: its error shrinks with the cube root of their number. The width is therefore smoothed by a cubic in
    logit(t / (1 - prob)) around that minimum, which makes the error shrink with the square root, as it should.

    Parameters
    ----------
    draws : (n,)
        From a posterior with one mode.
    prob
        Between 0 and 1.

    Returns
    -------
    (2,)
        Lower and upper bound.

    References
    ----------
    Kruschke, Doing Bayesian Data Analysis, 2nd ed., section 25.2.

    Examples
    --------
    >>> hdi(np.linspace(0, 1, 1001) ** 2, 0.5).round(2).tolist()
    [0.0, 0.25]
    """
    ordered = np.sort(draws)
    if ordered[0] == ordered[-1]:
        return ordered[[0, -1]]
    tail = (1 - prob) / (1 + np.exp(-_LOGITS))
    low, high = _quantile(ordered, tail), _quantile(ordered, tail + prob)
    best = _smooth_argmin(_LOGITS, high - low)
    below = (1 - prob) / (1 + np.exp(-best))
    return _quantile(ordered, np.array([below, below + prob]))


def _quantile(ordered: Floats, probability: Floats) -> Floats:
    position = probability * ordered.size - 0.5
    return np.interp(position, np.arange(ordered.size), ordered)


def _smooth_argmin(x: Floats, y: Floats) -> float:
    best = float(x[y.argmin()])
    for _ in range(2):
        near = np.abs(x - best) <= _WINDOW
        place = x[near] - best
        cubic = np.linalg.lstsq(np.vander(place, 4), y[near], rcond=None)[0]
        fine = np.linspace(place[0], place[-1], 601)
        best += float(fine[np.polyval(cubic, fine).argmin()])
    return best


def batch_mcse(draws: Floats, statistic: Callable[[Floats], Floats | np.floating[Any]]) -> Floats:
    """Monte Carlo standard error of a statistic of the draws, by batch means.

    The draws are cut into consecutive batches; the standard deviation of the statistic over them, divided by the root
    of their number, estimates its error on all draws. It is too small for a statistic that does not vary smoothly, such
    as the HDI of a flat posterior.

    Parameters
    ----------
    draws : (n,)
        In the order in which they were drawn; what is left over after the last whole batch is not used.
    statistic
        Of draws, a number or an array.

    Returns
    -------
    array
        The standard error, in the shape of the statistic.

    References
    ----------
    Flegal and Jones (2010), Batch means and spectral variance estimators in Markov chain Monte Carlo.
    """
    usable = draws.size - draws.size % N_BATCHES
    values = np.array([statistic(batch) for batch in np.split(draws[:usable], N_BATCHES)])
    return np.asarray(values.std(axis=0, ddof=1) / np.sqrt(N_BATCHES))
