"""The prior's part of the gamma variables, group by group of outcomes, over all cells and in bounded memory."""

import math
from typing import Protocol

import numpy as np

from pytest_bayesf1.engines.group_mass import GroupMass, Masses
from pytest_bayesf1.engines.side_sums import SideSums
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.arrays import Codes, Floats
from pytest_bayesf1.stats.gamma_process import jump_counts, jump_rate, jump_sizes
from pytest_bayesf1.stats.outcomes import OutcomeTable

IGNORED_PROBABILITY = 1e-12
"""Largest expected share of a row's probability that belongs to the jumps left out."""

_MOST_CELLS = 50_000  # of a group; beyond, there are jumps
_MOST_NUMBERS = 2_000_000
_NUMBERS_PER_JUMP = 4
_SAFE_MASS = 0.125  # all cells of a group underflow together with probability exp(-700 mass)
_FEWEST_JUMPS = 30.0  # expected in a group whose share is split by jumps alone: exp(-30) for none at all


class PriorPart:
    """The prior's part of all groups that hold several outcomes, each drawn in the cheaper way.

    Raises
    ------
    InputError
        When a draw would take too long.
    """

    def __init__(self, table: OutcomeTable, mass: GroupMass) -> None:
        self._groups = {
            group: _group_part(table, group, float(mass.expected_on_cells[group]), mass.least_on_cells)
            for group in np.flatnonzero(table.group_sizes > 1).tolist()
        }
        self.numbers_per_draw = sum(part.numbers_per_draw for part in self._groups.values())
        if self.numbers_per_draw > _MOST_NUMBERS:
            raise InputError(
                "prior",
                f"at most {_MOST_CELLS:,} cells under a prior with a pseudo-count in each",
                f"{table.n_classes} classes, {table.n_outcomes**table.n_sides:,} outcomes a class",
                "Such a prior outweighs the data; use prior='hierarchical', whose weight is 1 a class.",
            )

    def draw(self, masses: Masses, rng: np.random.Generator) -> "PriorDraw":
        """Draw it once for each of the masses."""
        apart = masses.split is not None
        return PriorDraw(
            {group: part.draw(masses.on_cells[:, group], apart, rng) for group, part in self._groups.items()}
        )


class PriorDraw:
    """n draws of the prior's part, by group."""

    def __init__(self, groups: "dict[int, GroupDraw]") -> None:
        self._groups = groups

    def add_to_groups(self, held: Floats) -> None:
        """Add what each group holds in each row to (n, M, groups)."""
        for index, group in self._groups.items():
            held[:, :, index] += group.sums

    def rescale(self, factor: Floats) -> None:
        """Multiply the cells of each row and group by their factor, (n, M, groups)."""
        for index, group in self._groups.items():
            group.rescale(factor[:, :, index])

    def add_to(self, sums: Floats, layout: SideSums) -> None:
        """Add to the sums of what each side predicts wrongly, (sides, n, width)."""
        for group in self._groups.values():
            group.add_to(sums, layout)


class GroupDraw(Protocol):
    """n draws of one group's part."""

    sums: Floats
    """(n, M), what the group holds in each row."""

    def rescale(self, factor: Floats) -> None:
        """Multiply each row by its factor, (n, M)."""
        ...

    def add_to(self, sums: Floats, layout: SideSums) -> None:
        """Add to the sums of what each side predicts wrongly, (sides, n, width)."""
        ...


class GroupPart(Protocol):
    """A way to draw one group's part."""

    numbers_per_draw: int

    def draw(self, mass: Floats, apart: bool, rng: np.random.Generator) -> GroupDraw:
        """Draw it once for each mass, (n,); ``apart`` says that only the cells' relative sizes will matter."""
        ...


def _group_part(table: OutcomeTable, group: int, expected: float, least: float) -> GroupPart:
    """Choose the cheaper way; jumps where the gamma variables of all cells may underflow."""
    jumps, cells = JumpPart(table, group, expected), CellPart(table, group)
    affordable = cells.numbers_per_draw <= min(_MOST_CELLS, jumps.expected)
    return cells if affordable and least >= _SAFE_MASS else jumps


class JumpPart:
    """A group's mass, spread evenly over its cells: the jumps of a gamma process.

    Attributes
    ----------
    expected
        Number of jumps in a draw.
    """

    def __init__(self, table: OutcomeTable, group: int, expected: float) -> None:
        self._n_classes, self._wrong = table.n_classes, table.wrong_sides(group)
        cut = min(float(IGNORED_PROBABILITY * (table.row_totals.min() + 1)), 1e-6)
        self._depth = -np.log(cut)
        self.expected = jump_rate(cut) * expected * table.n_classes
        self.numbers_per_draw = int(_NUMBERS_PER_JUMP * self.expected)

    def draw(self, mass: Floats, apart: bool, rng: np.random.Generator) -> "JumpDraw":
        """Draw the jumps of every row."""
        n_classes = self._n_classes
        depth = _FEWEST_JUMPS * np.maximum(1, 1 / mass) if apart else np.full(mass.size, self._depth)
        times = jump_counts(n_classes * mass, depth, rng)
        start = np.repeat(np.arange(0, mass.size * n_classes, n_classes), times)
        size = jump_sizes(start.size, np.repeat(depth, times) if apart else self._depth, rng)
        true = rng.integers(0, n_classes, start.size)
        predicted = {side: self._other_class(true, rng) for side in self._wrong}
        true += start
        return JumpDraw(start, true, predicted, size, (mass.size, n_classes))

    def _other_class(self, true: Codes, rng: np.random.Generator) -> Codes:
        other = rng.integers(0, self._n_classes - 1, true.size)
        other += other >= true
        return other


class JumpDraw:
    """n draws of jumps: of each its draw and its true class, as in `SideSums.targets`, wrong predictions, size."""

    def __init__(
        self, start: Codes, row: Codes, predicted: dict[int, Codes], size: Floats, shape: tuple[int, int]
    ) -> None:
        self._start, self._row, self._predicted, self._size = start, row, predicted, size
        self.sums = _scatter(row, size, shape)

    def rescale(self, factor: Floats) -> None:
        """Multiply each row by its factor."""
        self._size *= np.take(factor, self._row)

    def add_to(self, sums: Floats, layout: SideSums) -> None:
        """Add to the sums of what each side predicts wrongly."""
        for side, predicted in self._predicted.items():
            sums[side] += _scatter(layout.targets(self._row, predicted, self._start), self._size, sums[side].shape)


def _scatter(position: Codes, size: Floats, shape: tuple[int, ...]) -> Floats:
    # what bincount makes of no jumps at all is whole numbers
    return np.bincount(position, size, math.prod(shape)).astype(np.float64, copy=False).reshape(shape)


class CellPart:
    """A group's mass, cell by cell, one row after the other.

    The sums that a measure needs are margins of an array of independent gamma variables. No closed form gives their
    joint distribution, so every cell is visited; that bounds the number of classes.
    """

    def __init__(self, table: OutcomeTable, group: int) -> None:
        self._n_classes, self._size = table.n_classes, int(table.group_sizes[group])
        self._wrong = table.wrong_sides(group)
        self.numbers_per_draw = self._n_classes * self._size

    def draw(self, mass: Floats, apart: bool, rng: np.random.Generator) -> "CellDraw":  # noqa: ARG002
        """Draw what every row holds; its split is drawn when it is added."""
        held = rng.standard_gamma(np.repeat(mass[:, None], self._n_classes, axis=1))
        return CellDraw(held, mass / self._size, self._wrong, rng)


class CellDraw:
    """n draws of what a group holds in every row, still to be split over its cells."""

    def __init__(self, sums: Floats, cell_mass: Floats, wrong: list[int], rng: np.random.Generator) -> None:
        self.sums = sums
        self._cell_mass, self._wrong, self._rng = cell_mass, wrong, rng

    def rescale(self, factor: Floats) -> None:
        """Multiply each row by its factor."""
        self.sums = self.sums * factor

    def add_to(self, sums: Floats, layout: SideSums) -> None:
        """Split each row's sum, by a Dirichlet that does not depend on it, and add it to the sides' sums."""
        n_classes = self.sums.shape[1]
        for true in range(n_classes):
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
