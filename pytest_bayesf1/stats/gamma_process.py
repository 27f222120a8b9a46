"""A small prior mass spread evenly over very many cells, drawn without visiting them.

Gamma variables of tiny shape are nearly all nearly zero. They are the increments of a gamma process, whose jumps above
a cut form a Poisson process: over a total shape A there are Poisson(A E1(cut)) of them, each of a size with density
exp(-x) / (x E1(cut)), each falling on a cell at random. What the jumps below the cut leave out has mean A cut.
"""

import numpy as np
from scipy.special import exp1

from pytest_bayesf1.stats.arrays import Floats


def jump_rate(cut: Floats | float) -> Floats:
    """Return the expected number of jumps above ``cut`` for every unit of shape, E1(cut)."""
    return np.asarray(exp1(cut))


def jump_sizes(n: int, cut: float, rng: np.random.Generator) -> Floats:
    """Draw n jump sizes with density proportional to exp(-x) / x above ``cut``, by rejection.

    Below 1 the proposal is log-uniform, thinned by exp(-x); above 1 it is 1 plus an exponential, thinned by 1 / x.
    """
    sizes, missing = [], n
    while missing > 0:
        batch = _propose(missing + missing // 16 + 16, cut, rng)[:missing]
        sizes.append(batch)
        missing -= batch.size
    return np.concatenate(sizes) if sizes else np.empty(0)


def _propose(n: int, cut: float, rng: np.random.Generator) -> Floats:
    log_cut = np.log(cut)
    below_one = -log_cut / (np.exp(-1) - log_cut)  # the proposal's mass below 1: integral of 1/x against exp(-x)
    position = rng.random(n) / below_one
    size = np.exp(log_cut * position)
    chance = np.exp(-size)
    above = np.flatnonzero(position >= 1)
    # what is left of the same uniform number, rescaled, is uniform again
    rest = (position[above] - 1) / (1 / below_one - 1)
    size[above] = 1 - np.log1p(-np.minimum(rest, 1 - 2**-53))
    chance[above] = 1 / size[above]
    accepted: Floats = size[rng.random(n) < chance]
    return accepted
