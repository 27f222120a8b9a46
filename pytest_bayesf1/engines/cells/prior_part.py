"""The prior's part of the gamma variables, group by group of outcomes, over all cells and in bounded memory."""

from typing import Protocol

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums
from pytest_bayesf1.engines.cells.prior_atoms import AtomPart
from pytest_bayesf1.engines.cells.prior_cells import CellPart
from pytest_bayesf1.engines.cells.prior_jumps import CELL_DEPTH, DEPTH, JumpPart, has_examples_everywhere
from pytest_bayesf1.engines.posteriors.group_mass import GroupMass, Masses
from pytest_bayesf1.errors import InputError

_MOST_CELLS = 50_000  # of a group; beyond, there are jumps
_MOST_NUMBERS = 1_000_000
_SAFE_MASS = 0.125  # all cells of a group underflow together with probability exp(-700 mass)


class PriorPart:
    """The prior's part of all groups that hold several outcomes, each drawn in the cheaper way.

    Parameters
    ----------
    table
        The counts that the prior is beside.
    mass
        Where the groups' masses come from.
    rescaled
        Whether the cells of each row and group are rescaled afterwards.
    one_by_one
        Whether the measure looks at cells one by one.

    Raises
    ------
    InputError
        When a draw would take too long.
    """

    def __init__(self, table: OutcomeTable, mass: GroupMass, *, rescaled: bool, one_by_one: bool) -> None:
        together = not rescaled and not one_by_one and has_examples_everywhere(table)
        depth = DEPTH if together else CELL_DEPTH
        self._parts = {
            group: _part(table, group, mass, depth, one_by_one=one_by_one)
            for group in np.flatnonzero(table.group_sizes > 1).tolist()
        }
        self.numbers_per_draw = sum(part.numbers_per_draw for part in self._parts.values())
        if any(part.numbers_per_draw > _MOST_NUMBERS for part in self._parts.values()):
            raise InputError(
                "prior",
                f"at most {_MOST_CELLS:,} cells under a prior with a pseudo-count in each",
                f"{table.n_classes} classes, {table.n_outcomes**table.n_sides:,} outcomes per class",
                "Such a prior outweighs the data; use prior='hierarchical', whose weight is 1 per class.",
            )

    def draw(self, masses: Masses, rng: np.random.Generator) -> "PriorDraw":
        """Draw the prior's part of every group once for each of the masses.

        Parameters
        ----------
        masses
            n draws of the groups' Dirichlet masses.
        rng
            Where the randomness comes from.
        """
        on_cells = masses.on_cells
        return PriorDraw({group: part.draw(on_cells[:, group], rng) for group, part in self._parts.items()})


class PriorDraw:
    """n draws of the prior's part, by group."""

    def __init__(self, groups: "dict[int, GroupDraw]") -> None:
        self._groups = groups

    def add_to_groups(self, held: Floats) -> None:
        """Add what each group holds in each row to (groups, n, M)."""
        for index, group in self._groups.items():
            held[index] += group.sums

    def rescale(self, factor: Floats) -> None:
        """Multiply the cells of each row and group by their factor, (groups, n, M)."""
        for index, group in self._groups.items():
            group.rescale(factor[index])

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Add to the sums of what each side predicts wrongly.

        Parameters
        ----------
        sums : (sides, n, width)
            Changed in place.
        layout
            What their columns are.
        """
        for group in self._groups.values():
            group.add_to(sums, layout)


class GroupDraw(Protocol):
    """n draws of what the prior puts on one group's cells."""

    sums: Floats
    """(n, M), what the group holds in each row."""

    def rescale(self, factor: Floats) -> None:
        """Multiply each row by its factor, (n, M)."""
        ...

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Add to the sums of what each side predicts wrongly.

        Parameters
        ----------
        sums : (sides, n, width)
            Changed in place.
        layout
            What their columns are.
        """
        ...


class GroupPart(Protocol):
    """A way to draw what the prior puts on one group's cells."""

    numbers_per_draw: int

    def draw(self, mass: Floats, rng: np.random.Generator) -> GroupDraw:
        """Draw it once for each mass.

        Parameters
        ----------
        mass : (n,)
            Dirichlet mass on the cells of the group in every row.
        rng
            Where the randomness comes from.
        """
        ...


def _part(table: OutcomeTable, group: int, mass: GroupMass, depth: float, *, one_by_one: bool) -> GroupPart:
    """Choose the cheaper way; not that by cells where the gamma variables of all of them may underflow."""
    expected, cells = float(mass.expected_on_cells[group]), CellPart(table, group)
    few = (
        AtomPart(table, group, expected, one_by_one=one_by_one)
        if mass.splits_apart
        else JumpPart(table, group, expected, depth)
    )
    affordable = cells.numbers_per_draw <= min(_MOST_CELLS, few.expected)
    return cells if affordable and mass.least_on_cells >= _SAFE_MASS else few
