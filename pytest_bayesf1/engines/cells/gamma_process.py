"""A small prior mass spread evenly over very many cells, drawn without visiting them.

Gamma variables of tiny shape are nearly all nearly zero. They are the increments of a gamma process, a sum of jumps on
random cells. Bondesson (1982) draws them by depth: a process of mass A has A of them for every unit of depth, and one
at the depth t has the size V exp(-t), where V is exponential. From the depth d on they are exp(-d) times a process like
the whole. In its place there is something simpler with the very same mean, variance and third central moment on any set
of cells: half of its mean is spread evenly, and for every four units of mass there is one jump of size two.
"""

import math

import numpy as np

from pytest_bayesf1.arrays import Floats

_FAINT_PER_MASS = 1 / 4
_FAINT_SIZE = 2.0
_EVEN_PER_MASS = 1 - _FAINT_PER_MASS * _FAINT_SIZE


def jumps_per_mass(depth: float) -> float:
    """Return the expected number of jumps for every unit of mass.

    Parameters
    ----------
    depth
        Where the substitute begins.
    """
    return depth + _FAINT_PER_MASS


def spread_per_mass(depth: float) -> float:
    """Return what is spread evenly for every unit of mass.

    Parameters
    ----------
    depth
        Where the substitute begins.
    """
    return _EVEN_PER_MASS * math.exp(-depth)


def jump_sizes(n: int, depth: float, rng: np.random.Generator) -> Floats:
    """Draw sizes of jumps.

    Parameters
    ----------
    n
        How many.
    depth
        Where the substitute begins.
    rng
        Where the randomness comes from.

    Returns
    -------
    (n,)
        The sizes.
    """
    height = rng.random(n)
    height *= -jumps_per_mass(depth)
    faint = np.flatnonzero(height < -depth)
    size = np.exp(height, out=height)
    size *= rng.standard_exponential(n)
    size[faint] = _FAINT_SIZE * math.exp(-depth)
    return size
