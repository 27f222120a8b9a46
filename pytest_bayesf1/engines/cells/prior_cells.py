"""The prior's part of a group of outcomes, cell by cell."""

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums


class CellPart:
    """A group's mass, cell by cell, one row after the other.

    The sums that a measure needs are margins of an array of independent gamma variables. No closed form gives their
    joint distribution, so every cell is visited; that bounds the number of classes.

    Parameters
    ----------
    table
        The counts that the prior is beside.
    group
        The group of outcomes.
    """

    def __init__(self, table: OutcomeTable, group: int) -> None:
        self._may_be_true, self._size = table.may_be_true, int(table.group_sizes[group])
        self._wrong = table.wrong_sides(group)
        self.numbers_per_draw = table.n_classes * self._size

    def draw(self, mass: Floats, rng: np.random.Generator) -> "CellDraw":
        """Draw what every row holds; its split is drawn when it is added."""
        held = rng.standard_gamma(mass[:, None] * self._may_be_true)
        return CellDraw(held, mass / self._size, self._wrong, rng)


class CellDraw:
    """n draws of what a group holds in every row, still to be split over its cells."""

    def __init__(self, sums: Floats, cell_mass: Floats, wrong: list[int], rng: np.random.Generator) -> None:
        self.sums = sums
        self._cell_mass, self._wrong, self._rng = cell_mass, wrong, rng

    def rescale(self, factor: Floats) -> None:
        """Multiply what each row holds by its factor, (n, M), before it is split."""
        self.sums = self.sums * factor

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Split each row's sum, by a Dirichlet that does not depend on it, and add it to the sides' sums."""
        n_classes = self.sums.shape[1]
        for true in np.flatnonzero(self.sums.any(axis=0)).tolist():
            cells = self._split(self.sums[:, true], n_classes - 1)
            others = np.delete(np.arange(n_classes), true)
            for axis, side in enumerate(self._wrong):
                rest = tuple(1 + other for other in range(len(self._wrong)) if other != axis)
                sums[side][:, layout.targets(true, others)] += cells.sum(axis=rest)

    def _split(self, held: Floats, n_others: int) -> Floats:
        """Split over the predictions of the sides that are wrong: (n, M - 1), or (n, M - 1, M - 1)."""
        per_draw = (-1, *[1] * len(self._wrong))
        shape = (held.size, *[n_others] * len(self._wrong))
        cells = self._rng.standard_gamma(self._cell_mass.reshape(per_draw), size=shape)
        together = cells.sum(axis=tuple(range(1, cells.ndim)))
        return np.asarray(cells * (held / together).reshape(per_draw))
