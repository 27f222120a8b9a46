"""The prior's part of the gamma variables, group by group of outcomes, over all cells and in bounded memory."""

from typing import Protocol

import numpy as np

from pytest_bayesf1.engines.group_mass import GroupMass, Masses
from pytest_bayesf1.engines.side_sums import SideSums
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.arrays import Codes, Floats
from pytest_bayesf1.stats.gamma_process import jump_rate, jump_sizes
from pytest_bayesf1.stats.outcomes import OutcomeTable

IGNORED_PROBABILITY = 1e-12
"""Largest expected share of a row's probability that belongs to the jumps left out."""

_MOST_CELLS = 50_000  # of a group; beyond, there are jumps
_MOST_NUMBERS = 2_000_000
_SAFE_MASS = 0.125  # all cells of a group underflow together with probability exp(-700 mass)
_FEWEST_JUMPS = 30.0  # expected in a group whose share is split by jumps alone: exp(-30) for none at all


class PriorPart:
    """The prior's part of all groups, each drawn in the cheaper way.

    Raises
    ------
    InputError
        When a draw would take too long.
    """

    def __init__(self, table: OutcomeTable, mass: GroupMass) -> None:
        expected = mass.expected_on_cells.tolist()
        self._groups = [_group_part(table, group, each, mass.least_on_cells) for group, each in enumerate(expected)]
        self.numbers_per_draw = sum(part.numbers_per_draw for part in self._groups)
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
            [part.draw(mass, apart, rng) for part, mass in zip(self._groups, masses.on_cells.T, strict=True)]
        )


class PriorDraw:
    """n draws of the prior's part."""

    def __init__(self, groups: "list[GroupDraw]") -> None:
        self._groups = groups

    @property
    def group_sums(self) -> Floats:
        """(n, M, groups)."""
        return np.stack([group.sums for group in self._groups], axis=2)

    def rescale(self, factor: Floats) -> None:
        """Multiply the cells of each row and group by their factor, (n, M, groups)."""
        for index, group in enumerate(self._groups):
            group.rescale(factor[:, :, index])

    def add_to(self, sums: Floats, layout: SideSums) -> None:
        """Add to both sides' sums, (n, width)."""
        for group in self._groups:
            group.add_to(sums, layout)


class GroupDraw(Protocol):
    """n draws of one group's part."""

    sums: Floats
    """(n, M), what the group holds in each row."""

    def rescale(self, factor: Floats) -> None:
        """Multiply each row by its factor, (n, M)."""
        ...

    def add_to(self, sums: Floats, layout: SideSums) -> None:
        """Add to both sides' sums, (n, width)."""
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
    affordable = cells.numbers_per_draw <= min(_MOST_CELLS, jumps.numbers_per_draw)
    return cells if affordable and least >= _SAFE_MASS else jumps


class JumpPart:
    """A group's mass, spread evenly over its cells: the jumps of a gamma process."""

    def __init__(self, table: OutcomeTable, group: int, expected: float) -> None:
        self._n_classes = table.n_classes
        self._right = [table.is_right(side, group) for side in range(table.n_sides)]
        self._cut = min(float(IGNORED_PROBABILITY * (table.row_totals.min() + 1)), 1e-6)
        self.numbers_per_draw = int(4 * jump_rate(self._cut) * expected * table.n_classes)

    def draw(self, mass: Floats, apart: bool, rng: np.random.Generator) -> "JumpDraw":
        """Draw the jumps of every row."""
        cuts = _relative_cuts(mass) if apart else np.full(mass.shape, self._cut)
        times = rng.poisson(jump_rate(cuts) * self._n_classes * mass)
        order = np.argsort(cuts, kind="stable")
        draw = np.repeat(order, times[order])
        size = np.concatenate([jump_sizes(int(times[cuts == cut].sum()), cut, rng) for cut in np.unique(cuts)])
        true = rng.integers(0, self._n_classes, draw.size)
        predicted = [true if right else self._other_class(true, rng) for right in self._right]
        return JumpDraw(draw, size, true, predicted, (times.size, self._n_classes))

    def _other_class(self, true: Codes, rng: np.random.Generator) -> Codes:
        other = rng.integers(0, self._n_classes - 1, true.size)
        return other + (other >= true)


def _relative_cuts(mass: Floats) -> Floats:
    """Cut so low that a group is hardly ever left without a jump."""
    return np.exp(-_FEWEST_JUMPS * np.maximum(1, 1 / mass))


class JumpDraw:
    """n draws of jumps: in which draw, how large, in which cell."""

    def __init__(self, draw: Codes, size: Floats, true: Codes, predicted: list[Codes], shape: tuple[int, int]) -> None:
        self._draw, self._size, self._true, self._predicted = draw, size, true, predicted
        self.sums = _scatter(draw, true, size, shape)

    def rescale(self, factor: Floats) -> None:
        """Multiply each row by its factor."""
        self._size = self._size * factor[self._draw, self._true]

    def add_to(self, sums: Floats, layout: SideSums) -> None:
        """Add to both sides' sums."""
        for side, predicted in enumerate(self._predicted):
            for target in layout.targets(side, self._true, predicted, predicted is self._true):
                sums += _scatter(self._draw, target, self._size, sums.shape)


def _scatter(draw: Codes, column: Codes, size: Floats, shape: tuple[int, int]) -> Floats:
    n, width = shape
    return np.bincount(draw * width + column, size, n * width).astype(np.float64).reshape(shape)


class CellPart:
    """A group's mass, cell by cell, one row after the other.

    The sums that a measure needs are margins of an array of independent gamma variables. No closed form gives their
    joint distribution, so every cell is visited; that bounds the number of classes.
    """

    def __init__(self, table: OutcomeTable, group: int) -> None:
        self._n_classes, self._size = table.n_classes, int(table.group_sizes[group])
        self._right = [table.is_right(side, group) for side in range(table.n_sides)]
        self.numbers_per_draw = self._n_classes * self._size

    def draw(self, mass: Floats, apart: bool, rng: np.random.Generator) -> "CellDraw":  # noqa: ARG002
        """Draw what every row holds; its split is drawn when it is added."""
        held = rng.standard_gamma(np.repeat(mass[:, None], self._n_classes, axis=1))
        return CellDraw(held, mass / self._size, self._right, rng)


class CellDraw:
    """n draws of what a group holds in every row, still to be split over its cells."""

    def __init__(self, sums: Floats, cell_mass: Floats, right: list[bool], rng: np.random.Generator) -> None:
        self.sums = sums
        self._cell_mass, self._right, self._rng = cell_mass, right, rng

    def rescale(self, factor: Floats) -> None:
        """Multiply each row by its factor."""
        self.sums = self.sums * factor

    def add_to(self, sums: Floats, layout: SideSums) -> None:
        """Split each row's sum, by a Dirichlet that does not depend on it, and add it to both sides' sums."""
        n_classes = self.sums.shape[1]
        for true in range(n_classes):
            cells = self._split(self.sums[:, true], n_classes)
            others = np.arange(n_classes) != true
            for side, right in enumerate(self._right):
                mass = np.zeros((len(sums), n_classes))
                margin = cells.sum(axis=tuple(1 + axis for axis in range(len(self._right)) if axis != side))
                mass[:, ~others if right else others] = margin
                layout.add_row(sums, side, true, mass)

    def _split(self, held: Floats, n_classes: int) -> Floats:
        """Split over the sides' predictions, (n, 1 or M - 1 a side)."""
        shape = (held.size, *[1 if right else n_classes - 1 for right in self._right])
        per_draw = (-1, *[1] * len(self._right))
        cells = self._rng.standard_gamma(self._cell_mass.reshape(per_draw), size=shape)
        together = cells.sum(axis=tuple(range(1, cells.ndim)))
        return np.asarray(cells * (held / together).reshape(per_draw))
