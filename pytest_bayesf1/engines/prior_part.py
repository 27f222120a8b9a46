"""The prior's part of the gamma variables, over all cells and in bounded memory."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pytest_bayesf1.engines.group_mass import GroupMass
from pytest_bayesf1.engines.side_sums import SideSums
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.arrays import Codes, Floats
from pytest_bayesf1.stats.gamma_process import jump_rate, jump_sizes
from pytest_bayesf1.stats.outcomes import OutcomeTable

IGNORED_PROBABILITY = 1e-12
"""Largest expected share of a row's probability that belongs to the jumps left out."""

_MOST_CELLS = 50_000


class PriorDraw(Protocol):
    """n draws of the prior's part."""

    @property
    def row_sums(self) -> Floats:
        """(n, M)."""
        ...

    def rescale(self, factor: Floats) -> None:
        """Multiply each row by its factor, (n, M)."""
        ...

    def add_to(self, sums: Floats, layout: SideSums) -> None:
        """Add to both sides' sums, (n, width)."""
        ...


class PriorPart(Protocol):
    """A way to draw the prior's part."""

    numbers_per_draw: int

    def draw(self, n: int, rng: np.random.Generator) -> PriorDraw:
        """Draw it n times."""
        ...


class JumpPart:
    """One unit of mass a row, spread evenly within groups of outcomes: the jumps of a gamma process."""

    def __init__(self, table: OutcomeTable, mass: GroupMass) -> None:
        self._table, self._mass = table, mass
        smallest_row = int(table.row_totals.min()) + 1
        self._cut = min(IGNORED_PROBABILITY * smallest_row, 1e-6)
        self.numbers_per_draw = int(4 * jump_rate(self._cut) * table.n_classes)

    def draw(self, n: int, rng: np.random.Generator) -> "JumpDraw":
        """Draw the jumps of every group."""
        expected = jump_rate(self._cut) * self._table.n_classes * self._mass.draw(n, rng)
        jumps = [self._jumps(group, rng.poisson(expected[:, group]), rng) for group in range(expected.shape[1])]
        return JumpDraw(self._table, jumps, n)

    def _jumps(self, group: int, times: Codes, rng: np.random.Generator) -> "_Jumps":
        draw = np.repeat(np.arange(times.size), times)
        size = jump_sizes(draw.size, self._cut, rng)
        true = rng.integers(0, self._table.n_classes, draw.size)
        predicted = [
            true if self._table.is_right(side, group) else self._other_class(true, rng)
            for side in range(self._table.n_sides)
        ]
        return _Jumps(group, draw, size, true, predicted)

    def _other_class(self, true: Codes, rng: np.random.Generator) -> Codes:
        other = rng.integers(0, self._table.n_classes - 1, true.size)
        return other + (other >= true)


@dataclass
class _Jumps:
    """Jumps of one group: in which draw, how large, in which cell."""

    group: int
    draw: Codes
    size: Floats
    true: Codes
    predicted: list[Codes]


class JumpDraw:
    """n draws of jumps."""

    def __init__(self, table: OutcomeTable, jumps: list[_Jumps], n: int) -> None:
        self._table, self._jumps = table, jumps
        self.row_sums = np.zeros((n, table.n_classes))
        for jump in jumps:
            self.row_sums += _scatter(jump.draw, jump.true, jump.size, self.row_sums.shape)

    def rescale(self, factor: Floats) -> None:
        """Multiply each row by its factor."""
        for jump in self._jumps:
            jump.size = jump.size * factor[jump.draw, jump.true]

    def add_to(self, sums: Floats, layout: SideSums) -> None:
        """Add to both sides' sums."""
        for jump in self._jumps:
            for side, predicted in enumerate(jump.predicted):
                for target in layout.targets(side, jump.true, predicted, self._table.is_right(side, jump.group)):
                    sums += _scatter(jump.draw, target, jump.size, sums.shape)


def _scatter(draw: Codes, column: Codes, size: Floats, shape: tuple[int, ...]) -> Floats:
    n, width = shape
    return np.bincount(draw * width + column, size, n * width).astype(np.float64).reshape(shape)


class RowPart:
    """The same pseudo-count in every cell, one row of outcomes after the other: M^S cells at a time.

    The sums that a measure needs are margins of an array of independent gamma variables. No closed form gives their
    joint distribution, so every cell is visited; that bounds the number of classes.
    """

    def __init__(self, table: OutcomeTable, cell_weight: float) -> None:
        self._table, self._cell_weight = table, cell_weight
        self._row_cells = table.n_classes**table.n_sides
        self.numbers_per_draw = 2 * self._row_cells
        if self._row_cells * table.n_classes > _MOST_CELLS:
            raise InputError(
                "prior",
                f"at most {_MOST_CELLS:,} cells under a prior with a pseudo-count of {cell_weight:g} in each",
                f"{table.n_classes} classes, {self._row_cells:,} outcomes a class",
                "Such a prior outweighs the data; use prior='hierarchical', whose weight is 1 a class.",
            )

    def draw(self, n: int, rng: np.random.Generator) -> "RowDraw":
        """Draw the row totals; their split is drawn when it is added."""
        totals = rng.standard_gamma(self._row_cells * self._cell_weight, size=(n, self._table.n_classes))
        return RowDraw(self._table, self._cell_weight, totals, rng)


class RowDraw:
    """n draws of row totals, each still to be split over its cells."""

    def __init__(self, table: OutcomeTable, cell_weight: float, totals: Floats, rng: np.random.Generator) -> None:
        self._table, self._cell_weight, self._rng = table, cell_weight, rng
        self.row_sums = totals

    def rescale(self, factor: Floats) -> None:
        """Multiply each row by its factor."""
        self.row_sums = self.row_sums * factor

    def add_to(self, sums: Floats, layout: SideSums) -> None:
        """Split each row's total, a Dirichlet that is independent of the total, and add it to both sides' sums."""
        n, sides = len(sums), range(self._table.n_sides)
        for true in range(self._table.n_classes):
            cells = self._rng.standard_gamma(self._cell_weight, size=(n, *[self._table.n_classes] * len(sides)))
            scale = self.row_sums[:, true] / cells.reshape(n, -1).sum(axis=1)
            for side in sides:
                others = tuple(1 + other for other in sides if other != side)
                layout.add_row(sums, side, true, cells.sum(axis=others) * scale[:, None])
