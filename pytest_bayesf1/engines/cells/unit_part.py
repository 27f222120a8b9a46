"""The data's part of the gamma variables where examples belong to units: the mass of a cell is what the units hold.

Every unit has a weight of its own, Gamma(1), which all its examples share: the posterior under a Dirichlet process on
the population of units (Ferguson 1973), or, but for the prior's part, Rubin's Bayesian bootstrap (1981) over units. The
prior is about examples that are drawn one by one: beside it, those of a unit count by the design effect less.
"""

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums
from pytest_bayesf1.engines.cells.selectors import selector
from pytest_bayesf1.engines.cells.unit_weights import UnitWeights
from pytest_bayesf1.stats.clusters import UnitChance, influence_on_mean


class UnitGroups:
    """What the units hold of every true class and group of outcomes.

    Parameters
    ----------
    table
        Counts with units.

    Attributes
    ----------
    undrawn : (groups, M)
        Nothing: no shape is left to be drawn together with the prior's.
    """

    def __init__(self, table: OutcomeTable) -> None:
        assert table.units is not None
        self._weights = unit_weights(table)
        self._contents = table.units.cells[:, self._weights.order] / table.design_effect
        self.undrawn = np.zeros(table.group_counts.T.shape)
        self.numbers_per_draw = self._weights.order.size
        n_cells = table.count.size
        to_group = selector(table.group * table.n_classes + table.true, np.arange(n_cells), self.undrawn.size, n_cells)
        self._group_contents = (to_group @ self._contents).tocsr()

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the weights of all units of each content n times: (D, n)."""
        return self._weights.draw(n, rng)

    def group_sums(self, drawn: Floats) -> Floats:
        """Sum by group and true class: (groups, n, M)."""
        sums = (self._group_contents @ drawn).reshape(*self.undrawn.shape, -1)
        return np.ascontiguousarray(sums.swapaxes(1, 2), dtype=np.float64)


class UnitPart(UnitGroups):
    """What the units hold of every cell.

    Parameters
    ----------
    table
        Counts with units.
    sums
        The layout of what is added up.
    """

    def __init__(self, table: OutcomeTable, sums: ErrorSums) -> None:
        super().__init__(table)
        spread = table.group_sizes[table.group] > 1
        self._side_contents = []
        for predicted in table.predicted:
            wrong = np.flatnonzero(spread & (predicted != table.true))
            targets = sums.targets(table.true[wrong], predicted[wrong])
            to_sums = selector(targets, wrong, sums.width, table.count.size)
            self._side_contents.append((to_sums @ self._contents).tocsr())

    def side_sums(self, drawn: Floats) -> Floats:
        """Sum what each side predicts wrongly, of the groups that hold several outcomes: (sides, n, width)."""
        return np.ascontiguousarray(np.stack([(contents @ drawn).T for contents in self._side_contents]))


def unit_weights(table: OutcomeTable) -> UnitWeights:
    """Make the source of the weights that the units of a table have.

    What few units tell of chance is learned from the examples that one of two sides has right and the other has not, or
    that the only side has; of more sides, on average over them, from those that a side has right and others have not.
    One spread for all measures keeps their draws together; the tables of docs/studies/units.md hold for it.

    Parameters
    ----------
    table
        Counts with units.
    """
    assert table.units is not None
    units, right = table.units, (table.predicted == table.true).astype(np.float64)
    gained = right if table.n_sides == 1 else right - right.mean(axis=0)
    sizes = units.sizes / table.cells_per_example
    influences = np.stack([influence_on_mean(added, sizes, units.n_units) for added in gained @ units.cells])
    return UnitWeights(units.n_units, UnitChance.of_sides(influences, sizes, units.n_units))
