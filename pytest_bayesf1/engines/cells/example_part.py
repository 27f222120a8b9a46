"""The data's part of the gamma variables where every example is drawn on its own."""

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums
from pytest_bayesf1.engines.cells.gammas import GammaRows
from pytest_bayesf1.engines.cells.selectors import selector


class ExamplePart:
    """A gamma variable of shape c for every non-zero cell of the groups that hold several.

    Parameters
    ----------
    table
        The counts.
    sums
        The layout of what is added up.

    Attributes
    ----------
    undrawn : (groups, M)
        Examples of the groups that hold one outcome: shapes that are left to be drawn together with the prior's.
    """

    def __init__(self, table: OutcomeTable, sums: ErrorSums) -> None:
        spread = np.flatnonzero(table.group_sizes[table.group] > 1)
        order = spread[GammaRows.order(table.count[spread])]
        true, predicted, group = table.true[order], table.predicted[:, order], table.group[order]
        self.undrawn = np.ascontiguousarray(table.group_counts.T)
        self.numbers_per_draw = order.size
        self._group_row = group * table.n_classes + true
        self._gammas = GammaRows(table.count[order])
        self._to_group = selector(self._group_row, np.arange(order.size), self.undrawn.size, order.size)
        wrong = [np.flatnonzero(side != true) for side in predicted]
        targets = [sums.targets(true[at], predicted[side, at]) for side, at in enumerate(wrong)]
        self._to_sums = [
            selector(target, at, sums.width, order.size) for target, at in zip(targets, wrong, strict=True)
        ]

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw every cell n times: (K, n), cells in the order of their counts, in single precision."""
        return self._gammas.draw(n, rng, np.float32)

    def group_sums(self, drawn: Floats) -> Floats:
        """Sum by group and true class: (groups, n, M)."""
        sums = (self._to_group @ drawn).reshape(*self.undrawn.shape, -1)
        return np.ascontiguousarray(sums.swapaxes(1, 2), dtype=np.float64)

    def rescale(self, drawn: Floats, factor: Floats) -> None:
        """Multiply the cells of each row and group, in place.

        Parameters
        ----------
        drawn
            Of `draw`.
        factor : (groups, n, M)
            What by.
        """
        by_row = np.ascontiguousarray(factor.swapaxes(1, 2), np.float32)
        drawn *= by_row.reshape(self.undrawn.size, -1)[self._group_row]

    def side_sums(self, drawn: Floats) -> Floats:
        """Sum into the sides' sums: (sides, n, width)."""
        return np.stack([(to_sums @ drawn).T for to_sums in self._to_sums]).astype(np.float64, order="C")
