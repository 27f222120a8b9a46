"""Bayes factors of "no difference that matters": above 3 the data speak for it, below 1/3 against it."""

import numpy as np

from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.density import density_at


def interval_bayes_factor(posterior: Floats, prior: Floats, rope: Rope) -> float:
    """Posterior odds of delta inside the ROPE over its prior odds.

    A probability below half a draw, or above all but half a draw, counts as that, so that the factor stays finite. Not
    a number where that holds before and after the data, on the same side: then the draws say nothing about it.
    """
    before, after = _share_inside(prior, rope), _share_inside(posterior, rope)
    if before == after and before in (0, 1):
        return float("nan")
    return _odds(after, posterior.size) / _odds(before, prior.size)


def _share_inside(delta: Floats, rope: Rope) -> float:
    return float(((delta >= rope.low) & (delta <= rope.high)).mean())


def _odds(share: float, n: int) -> float:
    share = min(max(share, 0.5 / n), 1 - 0.5 / n)
    return share / (1 - share)


def savage_dickey(posterior: Floats, prior: Floats) -> float:
    """Posterior density of delta at 0 over its prior density there (Zhang et al. 2015, section II-B1).

    Fragile: where the prior density diverges at 0, as under the paired uniform prior, the kernel estimate measures its
    own bandwidth. Read the interval factor first. Not a number where delta does not vary, or where its prior density at
    0 is estimated as 0.
    """
    if posterior.std() == 0 or prior.std() == 0:
        return float("nan")
    at_zero = np.zeros(1)
    before = float(density_at(prior, at_zero)[0])
    return float(density_at(posterior, at_zero)[0]) / before if before > 0 else float("nan")
