"""Few atoms that stand for a whole Dirichlet process, with the same first four moments on any set of cells.

A row holds either one large atom, beside which there may be small ones, or small ones alone; what is left is spread
evenly. With shares s of the atoms, the moments of a set's mass follow from the means of sum s^2, sum s^3, sum s^4 and
(sum s^2)^2. Of a process of total rho, 1 + rho times the mean of sum s^(2 + k) is the mean of V^k, V ~ Beta(2, rho). A
variable that is either of two numbers has V's mean and variance where one lies z standard deviations above the mean,
the other 1 / z below, and the first has the probability 1 / (1 + z^2): so do the sizes of the atoms. How often there is
a large one follows, and from the last mean how many small ones there are beside it and alone.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from pytest_bayesf1.arrays import Codes, Counts, Floats

_DISTANCE = 2.0
"""The most that z is: the larger it is, the fewer atoms, but the less is right about the fifth moment."""
_CLOSE = 1e-9  # how well z is found where it is less


class Sizes(NamedTuple):
    """What is the same in all rows and draws of one rho.

    Attributes
    ----------
    large, small
        Shares of the atoms.
    chance
        Probability that there is a large one.
    beside, alone
        How many small ones there are on average, beside a large one and alone.
    """

    large: float
    small: float
    chance: float
    beside: float
    alone: float


@cache
def sizes(rho: float) -> Sizes:
    """Choose the atoms, the large one as far from the mean as it may be without fewer than no small ones beside it.

    Parameters
    ----------
    rho
        Total of the symmetric Dirichlet.
    """
    high = math.sqrt(rho * (3 + rho) / 2)  # where the large atom is all there is
    low, farthest = high / 2, max(_DISTANCE, math.sqrt(rho) / 4)
    if farthest < high and _sizes(rho, farthest).beside >= 0:
        return _sizes(rho, farthest)
    while high - low > _CLOSE:
        z = (low + high) / 2
        low, high = (z, high) if _sizes(rho, z).beside > 0 else (low, z)
    return _sizes(rho, low)


def _sizes(rho: float, z: float) -> Sizes:
    mean = 2 / (2 + rho)
    sd = mean * math.sqrt(rho / (6 + 2 * rho))
    large, small = mean + z * sd, mean - sd / z
    chance = 1 / ((1 + rho) * (1 + z**2) * large**2)
    n_small = z**2 / ((1 + rho) * (1 + z**2) * small**2)
    sd_of_squares = math.sqrt(2 * rho / ((2 + rho) * (3 + rho))) / (1 + rho)
    fewer = (large**2 - sd_of_squares / math.sqrt(chance * (1 - chance))) / small**2
    return Sizes(large, small, chance, n_small - (1 - chance) * fewer, n_small + chance * fewer)


@dataclass(frozen=True, eq=False)
class LateAtoms:
    """The atoms of some rows in each of n draws.

    How many small ones are alone is the same in all rows of a draw. So their sizes are such that sum s^2 does not
    depend on it: else rows would vary together.

    Attributes
    ----------
    draws, rows : (J,)
        Where there is a large one.
    large, beside : (J,)
        Its share, and that of each of the small ones beside it.
    n_beside : (J,)
        How many these are.
    small, n_small : (n,)
        Share of each of the small ones that are alone, and how many they are.
    """

    draws: Codes
    rows: Codes
    large: Floats
    beside: Floats
    n_beside: Counts
    small: Floats
    n_small: Counts

    @classmethod
    def draw(cls, rho: Floats, n_rows: int, rng: np.random.Generator) -> "LateAtoms":
        """Draw them.

        Parameters
        ----------
        rho : (n,)
            Totals of symmetric Dirichlet distributions.
        n_rows
            How many rows a draw has.
        rng
            Where the randomness comes from.
        """
        values, which = np.unique(rho, return_inverse=True)
        large, small, chance, beside, alone = np.array([sizes(value) for value in values.tolist()])[which].T
        has_large = rng.random((rho.size, n_rows), np.float32) < chance[:, None].astype(np.float32)
        draws, rows = np.divmod(np.flatnonzero(has_large), n_rows)
        n_beside = np.floor(beside[draws] + rng.random(draws.size)).astype(np.int64)
        n_small = _rounded(alone, small, rng)
        return cls(draws, rows, large[draws], small[draws], n_beside, small * np.sqrt(alone / n_small), n_small)

    @property
    def rest(self) -> Floats:
        """(n,) share that small ones which are alone leave, to be spread evenly."""
        return np.asarray(1 - self.n_small * self.small)

    @property
    def rest_beside(self) -> Floats:
        """(J,) share that the large ones leave, and those beside them."""
        return np.asarray(1 - self.large - self.n_beside * self.beside)


def _rounded(number: Floats, share: Floats, rng: np.random.Generator) -> Counts:
    """Round a number of atoms down or up such that 1 / sqrt of it is right on average; down where more find no room."""
    fewer = np.floor(number)
    more_fit = share * np.sqrt(number * (fewer + 1)) <= 1
    chance = (fewer**-0.5 - number**-0.5) / (fewer**-0.5 - (fewer + 1) ** -0.5)
    rounded: Counts = (fewer + ((rng.random(number.size) < chance) & more_fit)).astype(np.int64)
    return rounded
