"""How sure a gate must be at each of several looks at a growing test set (O'Brien and Fleming 1979).

A candidate at the edge of the ROPE, judged whenever another part of the test set is in, moves like the sum S of that
many independent normal steps. The gate fails where S is beyond one constant, the same at every look: early looks, at
which S is small, need far more than the last. The constant is such that all looks fail as rarely as one does.
"""

from dataclasses import dataclass
from functools import cache
from math import sqrt

import numpy as np
from scipy.special import ndtr, ndtri

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.text import level

MOST_LOOKS = 100
_NODES = 200
_LOWEST = -8.0  # standard deviations of the sum, below which it hardly ever is
_SUREST = 0.9999
"""The widest interval that draws resolve. It lets a look that is meant never to fail do so in 1 of 20,000."""


def hdi_prob_at_look(n_looks: int, fraction: float, prob: float = 0.95) -> float:
    """Return the probability of the interval to judge a share of the planned examples by.

    With looks at 1/K, 2/K, ..., 1, a candidate at the edge of the ROPE fails at any of the K as rarely as at a single
    one that is judged by ``prob``. From the planned number on it stays the level of the last look.

    Examples
    --------
    >>> [round(hdi_prob_at_look(4, fraction), 4) for fraction in (0.25, 0.5, 0.75, 1)]
    [0.9999, 0.9958, 0.9806, 0.9571]
    """
    z = _last_boundary(n_looks, prob) / sqrt(min(fraction, 1.0))
    return min(1 - 2 * float(ndtr(-z)), max(_SUREST, prob))


@dataclass(frozen=True)
class LookSchedule:
    """How often a growing test set is judged, and how many examples it is to have in the end."""

    n: int
    planned: int

    def prob_at(self, n_examples: int, prob: float) -> float:
        """Return the probability of the interval to judge so many examples by, as short to write as it may be."""
        outside = 1 - hdi_prob_at_look(self.n, n_examples / self.planned, prob)
        return 1 - float(f"{outside:.3g}")

    def note(self, n_examples: int, prob: float) -> str:
        """Say by what this look is judged."""
        at = f"This is a look at {n_examples:,} of {self.planned:,} planned examples"
        together = f"so that {self.n} looks together fail falsely about as rarely as one"
        if n_examples > self.planned:
            more = "Looks beyond the plan add false failures: raise planned_examples before you add examples."
            return f"{at}, judged as the last of {self.n} by a {level(prob)} interval. {more}"
        return f"{at}. The gate uses a {level(prob)} interval, {together}."


@cache
def _last_boundary(n_looks: int, prob: float) -> float:
    """Find the standard deviations from 0 that the last of several looks needs."""
    tail = (1 - prob) / 2
    alone = -float(ndtri(tail))
    if n_looks == 1:
        return alone
    from scipy.optimize import brentq  # noqa: PLC0415 (it takes a tenth of a second)

    # at most as often beyond as at all looks apart, each as often as at the last
    most = -float(ndtri(tail / n_looks))
    return float(brentq(lambda z: _ever_beyond(z, n_looks) - tail, alone, most))


def _ever_beyond(z: float, n_looks: int) -> float:
    """Integrate how often a sum of standard normal steps is ever beyond z times the last sum's standard deviation."""
    end = z * sqrt(n_looks)
    start = _LOWEST * sqrt(n_looks)
    places, weights = np.polynomial.legendre.leggauss(_NODES)
    sums, weights = start + (places + 1) * (end - start) / 2, weights * (end - start) / 2
    step = _normal_density(sums[:, None] - sums)
    density, beyond = _normal_density(sums), float(ndtr(-end))
    for _ in range(n_looks - 1):
        mass = weights * density  # of those that were not beyond so far
        beyond += float(mass @ ndtr(sums - end))
        density = step @ mass
    return beyond


def _normal_density(x: Floats) -> Floats:
    density: Floats = np.exp(-x * x / 2) / sqrt(2 * np.pi)
    return density
