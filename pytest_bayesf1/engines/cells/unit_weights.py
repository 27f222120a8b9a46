"""The weights of units.

Few units tell less than weights Gamma(1) suppose. A draw's weights are then Gamma(a) / a, with one a for all of them:

    a = (chi2_d / d) / v.

That turns a normal posterior into Student's t with d degrees of freedom and v times the variance (see `UnitChance`),
and every score stays within its bounds.
"""

import numpy as np

from pytest_bayesf1.arrays import Floats, Weights
from pytest_bayesf1.engines.cells.gammas import GammaRows
from pytest_bayesf1.stats.clusters import UnitChance


class UnitWeights:
    """Draws of the weight of all units of each content.

    Parameters
    ----------
    n_units : (D,)
        How many units have each content.
    chance
        What they tell of chance.

    Attributes
    ----------
    order : (D,)
        The contents in the order in which the weights come.
    """

    def __init__(self, n_units: Weights, chance: UnitChance) -> None:
        self.order = GammaRows.order(n_units)
        self._n_units, self._chance = n_units[self.order], chance
        self._plain = GammaRows(self._n_units)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw every weight n times: (D, n)."""
        if self._chance.is_plain:
            return self._plain.draw(n, rng)
        dof, variance = self._chance.dof, self._chance.variance
        shares = rng.chisquare(dof, n) / (dof * variance)
        return np.asarray(rng.standard_gamma(self._n_units[:, None] * shares) / shares)
