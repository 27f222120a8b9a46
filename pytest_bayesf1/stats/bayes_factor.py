"""Bayes factors of "no difference that matters": above 3 the data speak for it, below 1/3 against it."""

import numpy as np

from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.density import density_at


def interval_bayes_factor(posterior: Floats, prior: Floats, rope: Rope) -> float:
    """Posterior odds of delta inside the ROPE over its prior odds.

    Half a draw is added to either count, so that the factor stays finite: where no draw falls inside the ROPE, it is
    an upper bound.
    """
    return _odds(posterior, rope) / _odds(prior, rope)


def _odds(delta: Floats, rope: Rope) -> float:
    inside = int(((delta >= rope.low) & (delta <= rope.high)).sum())
    return (inside + 0.5) / (delta.size - inside + 0.5)


def savage_dickey(posterior: Floats, prior: Floats) -> float:
    """Posterior density of delta at 0 over its prior density there (Zhang et al. 2015, section II-B1).

    Fragile: where the prior density diverges at 0, as under the paired uniform prior, the kernel estimate measures its
    own bandwidth. Read the interval factor first.
    """
    at_zero = np.zeros(1)
    return float(density_at(posterior, at_zero)[0] / density_at(prior, at_zero)[0])
