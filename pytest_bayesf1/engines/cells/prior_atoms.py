"""The prior's part of a group of outcomes whose share is split apart: a Dirichlet process, atom by atom.

A symmetric Dirichlet of total rho is a Dirichlet process over the cells: a sum of atoms on random cells, each of which
takes a share Beta(1, rho) of what the ones before it have left (Sethuraman 1994). What the first ones leave is split
like the whole. In its place there are few atoms with the very same first four moments on any set of cells
(`late_atoms`); where cells are only added up, they stand for all.
"""

import math
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums
from pytest_bayesf1.engines.cells.gammas import gamma_rows
from pytest_bayesf1.engines.cells.late_atoms import LateAtoms

CELL_ERROR = 1e-12
"""Where cells are looked at one by one, as many come first as leave so little of the fourth moment of what is held."""

_NUMBERS_PER_ROW = 8
_TIME_PER_ROW = 3  # of what the row holds and of its atoms, in gamma variables


def cell_atoms(rho: float) -> int:
    """Return how many atoms come first where cells are looked at one by one.

    Parameters
    ----------
    rho
        Total of the symmetric Dirichlet.
    """
    return math.ceil(math.log(CELL_ERROR) / math.log(rho / (rho + 4)))  # the mean of (1 - Beta(1, rho))^4


class AtomPart:
    """A group's mass, spread evenly over its cells, with few atoms in each row.

    Parameters
    ----------
    table
        The counts that the prior is beside.
    group
        The group of outcomes.
    expected
        Mean of rho, by which the work is estimated.
    one_by_one
        Whether the cells are looked at one by one, so that many atoms have to come first.

    Attributes
    ----------
    expected
        Time of a draw, in gamma variables.
    """

    def __init__(self, table: OutcomeTable, group: int, expected: float, *, one_by_one: bool) -> None:
        self._wrong = table.wrong_sides(group)
        self._has_examples = table.group_counts[:, group] > 0
        self._one_by_one = one_by_one
        self.expected = float(table.n_classes * (1 + cell_atoms(expected) if one_by_one else _TIME_PER_ROW))
        self.numbers_per_draw = _NUMBERS_PER_ROW * table.n_classes

    def draw(self, mass: Floats, rng: np.random.Generator) -> "AtomDraw":
        """Draw what every row holds, to be rescaled; its split is drawn when it is added."""
        held = gamma_rows(mass, self._has_examples.size, rng)
        held[:, ~self._has_examples] = 1  # beside nothing else, whatever it is
        first = cell_atoms(float(mass.max())) if self._one_by_one else 0
        return AtomDraw(held, mass, self._wrong, first, rng)


class AtomDraw:
    """n draws of what a group holds in every row, still to be split over its cells."""

    def __init__(self, sums: Floats, rho: Floats, wrong: list[int], first: int, rng: np.random.Generator) -> None:
        self.sums = sums
        self._rho, self._wrong, self._first, self._rng = rho, wrong, first, rng

    def rescale(self, factor: Floats) -> None:
        """Multiply what each row holds by its factor, (n, M), before it is split."""
        self.sums = self.sums * factor

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Split each row's sum and add it to the sides' sums: the first atoms, and something simpler for all others."""
        assert sums.flags.c_contiguous  # whose flat views are no copies
        left, power, n_rows = self.sums, (1 / self._rho[:, None]).astype(np.float32), self.sums.shape[1]
        split = _Split([sums[side] for side in self._wrong], n_rows, layout, self._rng)
        draws, rows = np.arange(len(left))[:, None], np.arange(n_rows)
        for _ in range(self._first):
            rest = left * self._rng.random(left.shape, np.float32) ** power  # 1 - Beta(1, rho)
            split.put(left - rest, draws, rows)
            left = rest
        late = LateAtoms.draw(self._rho, n_rows, self._rng)
        of_large = left[late.draws, late.rows]
        left = left.copy()
        left[late.draws, late.rows] = 0
        small = left * late.small[:, None]
        for number in range(int(late.n_small.max())):
            here = late.n_small > number
            split.put(small[here], draws[here], rows)
        split.put(of_large * late.large, late.draws, late.rows)
        beside = of_large * late.beside
        for number in range(int(late.n_beside.max(initial=0))):
            here = late.n_beside > number
            split.put(beside[here], late.draws[here], late.rows[here])
        left *= late.rest[:, None]
        left[late.draws, late.rows] = of_large * late.rest_beside
        split.put_evenly(left)


class _Split:
    """What every wrong side predicts, (n, width) each, to which it is added."""

    def __init__(self, sides: list[Floats], n_classes: int, layout: ErrorSums, rng: np.random.Generator) -> None:
        self._sides, self._n_classes, self._layout, self._rng = sides, n_classes, layout, rng

    def put(self, atoms: Floats, draws: Codes, true: Codes) -> None:
        """Put atoms on cells at random; each is of the draw and of the true class that are broadcast to it."""
        few: type[np.integer[Any]] = np.uint16 if self._n_classes < 1 << 16 else np.int64
        start, true_few = draws * self._n_classes, true.astype(few)
        for side in self._sides:
            other = self._rng.integers(0, self._n_classes - 1, atoms.shape, few)
            other += other >= true_few
            np.add.at(side.reshape(-1), self._layout.targets(true_few, other, start).ravel(), atoms.ravel())

    def put_evenly(self, mass: Floats) -> None:
        """Spread what is left of every row, (n, M)."""
        evenly = self._layout.evenly(mass)
        for side in self._sides:
            np.add(side, evenly, out=side)
