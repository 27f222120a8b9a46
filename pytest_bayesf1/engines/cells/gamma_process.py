"""A small prior mass spread evenly over very many cells, drawn without visiting them.

Gamma variables of tiny shape are nearly all nearly zero. They are the increments of a gamma process, whose jumps above
a cut form a Poisson process: a total shape A has A exp(-x) / x of them around each size x > cut, each on a cell at
random. What the jumps below the cut leave out has mean A cut.

The jumps are thinned from a process with A / x around sizes below 1 and A exp(-x) above. It is simple in terms of a
jump's depth, log(1 / x) below 1: its depths are even from 0 to that of the cut, and depths from `SHALLOWEST` to 0 stand
for all sizes above 1.
"""

import numpy as np
from scipy.special import exp1

from pytest_bayesf1.arrays import Counts, Floats

SHALLOWEST = -float(np.exp(-1))
"""The depth at which the largest jumps begin."""


def jump_rate(cut: float) -> float:
    """Return the expected number of jumps above a cut for every unit of shape, E1(cut).

    Parameters
    ----------
    cut
        The size below which jumps are left out.
    """
    return float(exp1(cut))


def jump_counts(shape: Floats, depth: float, rng: np.random.Generator, start: float = SHALLOWEST) -> Counts:
    """Draw how many jumps there are before thinning, for each shape.

    Parameters
    ----------
    shape : (n,)
        Total shapes of gamma processes.
    depth, start
        The depths, log(1 / size), between which the jumps lie, the larger first.
    rng
        Where the randomness comes from.

    Returns
    -------
    (n,)
        Whole numbers.
    """
    return np.asarray(rng.poisson(shape * (depth - start)))


def jump_sizes(n: int, depth: float, rng: np.random.Generator, start: float = SHALLOWEST) -> Floats:
    """Draw sizes of jumps; those of jumps that are thinned out are 0.

    Parameters
    ----------
    n
        How many.
    depth, start
        The depths, log(1 / size), between which they lie, the larger first.
    rng
        Where the randomness comes from.

    Returns
    -------
    (n,)
        The sizes.
    """
    height = rng.random(n)
    height *= start - depth
    height -= start
    above_one = np.flatnonzero(height > 0)
    size = np.exp(height, out=height)
    chance = rng.random(n)
    doubtful = np.flatnonzero(chance < size)  # few: a size x is left out with probability 1 - exp(-x), which is below x
    size[doubtful[chance[doubtful] < -np.expm1(-size[doubtful])]] = 0
    large = 1 + rng.standard_exponential(above_one.size)
    size[above_one] = np.where(rng.random(above_one.size) * large < 1, large, 0)
    return size
