"""A small prior mass spread evenly over very many cells, drawn without visiting them.

Gamma variables of tiny shape are nearly all nearly zero. They are the increments of a gamma process, whose jumps above
a cut form a Poisson process: a total shape A has A exp(-x) / x of them around each size x > cut, each on a cell at
random. What the jumps below the cut leave out has mean A cut.

The jumps are thinned from a process with A / x around sizes below 1 and A exp(-x) above. It is simple in terms of a
jump's depth, log(1 / x) below 1: its depths are even from 0 to that of the cut, and a further exp(-1) stands for all
sizes above 1.
"""

import numpy as np
from scipy.special import exp1

from pytest_bayesf1.stats.arrays import Counts, Floats

_ABOVE_ONE = np.exp(-1)


def jump_rate(cut: float) -> float:
    """Return the expected number of jumps above ``cut`` for every unit of shape, E1(cut)."""
    return float(exp1(cut))


def jump_counts(shape: Floats, depth: Floats | float, rng: np.random.Generator) -> Counts:
    """Draw how many jumps there are to thin, for each shape, above a cut of ``exp(-depth)``."""
    return np.asarray(rng.poisson(shape * (depth + _ABOVE_ONE)))


def jump_sizes(n: int, depth: Floats | float, rng: np.random.Generator) -> Floats:
    """Draw n sizes; those of jumps that are thinned out are 0."""
    height = rng.random(n)
    height *= -(depth + _ABOVE_ONE)
    above_one = np.flatnonzero(height < -depth)
    size = np.exp(height, out=height)
    chance = rng.random(n)
    doubtful = np.flatnonzero(chance < size)  # few: a size x is left out with probability 1 - exp(-x), which is below x
    size[doubtful[chance[doubtful] < -np.expm1(-size[doubtful])]] = 0
    large = 1 + rng.standard_exponential(above_one.size)
    size[above_one] = np.where(rng.random(above_one.size) * large < 1, large, 0)
    return size
