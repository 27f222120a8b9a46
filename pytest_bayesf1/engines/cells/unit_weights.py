"""The weights of units, and how much wider they scatter where few units tell of chance.

Plain weights, Gamma(1), are as sure as if many units had been drawn. With few, or where few hold what differs, the
variance that units show is too small on average, for every unit has helped to make the mean that it is compared with,
and it is itself uncertain. So a draw's weights are Gamma(a) / a with one a for all of them,

    a = (chi2_d / d) / v,

which makes of a normal posterior one of Student's with d degrees of freedom and v times the variance, and leaves every
score within its bounds. Both come from what each unit adds to the difference, in examples that only one side has right
(of one side alone: that are right). v is the variance by leaving out one unit at a time (Bell & McCaffrey's CR3) over
the one that plain weights have, d comes by Satterthwaite's rule from the fourth moment. The correction fades with the
share of examples that are not alone in their unit, so that units of one example have the posterior that examples have.
"""

from dataclasses import dataclass
from math import inf
from typing import Self

import numpy as np

from pytest_bayesf1.arrays import Floats, Weights
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.gammas import GammaRows

_NEGLIGIBLE = 0.005
"""A share of the interval's width."""


@dataclass(frozen=True)
class Spread:
    """How the posterior's spread differs from that of plain weights.

    Attributes
    ----------
    variance
        By which the variance is multiplied, v.
    dof
        Degrees of freedom, d.
    """

    variance: float = 1.0
    dof: float = inf

    @classmethod
    def of_units(cls, added: Floats, sizes: Floats, n_units: Weights) -> Self:
        """Learn it from what units of each content add to a difference.

        Parameters
        ----------
        added : (D,)
            What a unit adds.
        sizes : (D,)
            How many examples it holds.
        n_units : (D,)
            How many units are alike.
        """
        n, n_examples = n_units.sum(), n_units @ sizes
        together = 1 - n / n_examples
        if not together > 0 or n <= 1:
            return cls()
        others = 1 - sizes / n_examples
        own = added - sizes * (n_units @ added / n_examples)
        squares = np.ones(own.size) if np.allclose(own, 0) else (own / others) ** 2
        total = n_units @ squares
        variance = float(total / (n_units @ (squares * others**2)))
        unevenness = float(n_units @ (squares - total / n) ** 2)
        dof = min(2 * total**2 / unevenness, n - 1) if unevenness > 0 else n - 1
        return cls(1 + together * (variance - 1), max(float(dof), 1.0) / together)

    @property
    def negligible(self) -> bool:
        """Whether a 95% interval of plain weights is wide enough; of Student's, by the first terms of its series."""
        return (1.96**2 + 1) / (4 * self.dof) + (self.variance - 1) / 2 < _NEGLIGIBLE


class UnitWeights:
    """Draws of the weight of all units of each content.

    Parameters
    ----------
    table
        Counts with units.

    Attributes
    ----------
    order : (D,)
        The contents in the order in which the weights come.
    """

    def __init__(self, table: OutcomeTable) -> None:
        units = table.units
        assert units is not None
        right = (table.predicted == table.true).astype(np.float64)
        gained = right[-1] - right[0] if table.n_sides > 1 else right[0]
        self._spread = Spread.of_units(gained @ units.cells, units.sizes / table.cells_per_example, units.n_units)
        self.order = GammaRows.order(units.n_units)
        self._n_units = units.n_units[self.order]
        self._plain = GammaRows(self._n_units)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw every weight n times: (D, n)."""
        if self._spread.negligible:
            return self._plain.draw(n, rng)
        dof, variance = self._spread.dof, self._spread.variance
        shapes = rng.chisquare(dof, n) / (dof * variance)
        return np.asarray(rng.standard_gamma(self._n_units[:, None] * shapes) / shapes)
