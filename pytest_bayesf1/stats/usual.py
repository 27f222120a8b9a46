"""How likely a loss is, going by how much the score changed before.

A decision rests on the test set alone: as if a change of ten points were as likely beforehand as none. Where earlier
changes are known, the draws of delta are weighed by a normal about 0 with their own spread: their mean square, less
what their standard errors put there. That is uncertain itself, so it is at least its standard error where nothing ever
changed.
"""

from collections.abc import Sequence

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.comparison import EarlierChange

FEWEST_CHANGES = 10
"""Fewer earlier changes say too little of what is usual."""


def usual_variance(history: Sequence[EarlierChange]) -> float:
    """Return how much true changes vary about 0, given earlier ones with their standard errors.

    Examples
    --------
    >>> round(usual_variance([EarlierChange(0.03, 0.004), EarlierChange(-0.03, 0.004)] * 10) ** 0.5, 3)
    0.03
    """
    means, errors = np.array([(each.mean, each.std) for each in history]).T
    noise = np.mean(errors**2)
    return float(max(np.mean(means**2) - noise, noise * np.sqrt(2 / len(history))))


def usual_weights(delta: Floats, history: Sequence[EarlierChange]) -> Floats:
    """Weigh draws of a change by how usual each is: they add up to 1."""
    weights = np.exp((np.square(delta).min() - np.square(delta)) / (2 * usual_variance(history)))
    return np.asarray(weights / weights.sum())
