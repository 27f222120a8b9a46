"""The prior's part of a group of outcomes whose share is split apart: a Dirichlet process, atom by atom.

A symmetric Dirichlet of total rho is a Dirichlet process over the cells: a sum of atoms on random cells, each of which
takes a share Beta(1, rho) of what the ones before it have left (Sethuraman 1994). What the first ones leave is split
like the whole. In its place there is something simpler, with the very same mean, variance and third central moment on
any set of cells: L equal atoms hold a share sqrt(L / (1 + rho)) of it, the rest is spread evenly. That gives the
variance for every L, and the third moment where L is a whole number next to (2 + rho)^2 / (4 (1 + rho)), drawn such
that 1 / sqrt(L) is right on average; below rho = 1 there is one atom, whose third moment is too large by up to 6%.
"""

import math

import numpy as np

from pytest_bayesf1.arrays import Counts, Floats
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums

ATOMS = 2
"""How many come first where cells are only added up: beside three examples no end of an interval moves by 1e-3 sd."""

CELL_ERROR = 1e-12
"""Where cells are looked at one by one, as many come first as leave so little of the fourth moment of what is held."""

_NUMBERS_PER_ROW = 8


def equal_atoms(rho: Floats, rng: np.random.Generator) -> Counts:
    """Draw L, the number of equal atoms that stand for all but the first ones.

    Parameters
    ----------
    rho : (n,)
        Totals of symmetric Dirichlet distributions.
    rng
        Where the randomness comes from.

    Returns
    -------
    (n,)
        At most 1 + rho, so that their share is at most one.
    """
    wanted = 2 * np.sqrt(1 + rho) / (2 + rho)  # the mean of 1 / sqrt(L)
    fewer = np.maximum(np.floor(wanted**-2), 1)
    chance = (fewer**-0.5 - wanted) / (fewer**-0.5 - (fewer + 1) ** -0.5)
    return (fewer + ((rng.random(rho.size) < chance) & (rho >= 1))).astype(np.int64)


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
        self._wrong, self._one_by_one = table.wrong_sides(group), one_by_one
        self._has_examples = table.group_counts[:, group] > 0
        first = cell_atoms(expected) if one_by_one else ATOMS
        self.expected = float(table.n_classes * (1 + first))  # what the row holds, and its atoms
        self.numbers_per_draw = _NUMBERS_PER_ROW * table.n_classes

    def draw(self, mass: Floats, rng: np.random.Generator) -> "AtomDraw":
        """Draw what every row holds, to be rescaled; its split is drawn when it is added."""
        held = rng.standard_gamma(mass[:, None] * self._has_examples)
        held[:, ~self._has_examples] = 1  # beside nothing else, whatever it is
        first = cell_atoms(float(mass.max())) if self._one_by_one else ATOMS
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
        """Split each row's sum and add it to the sides' sums."""
        equal = equal_atoms(self._rho, self._rng)
        order = np.argsort(-equal)
        split = _Split(self.sums[order], layout, len(self._wrong), self._rng)
        split.into_atoms(self._rho[order, None], self._first, equal[order])
        for side, added in zip(self._wrong, split.added, strict=True):
            sums[side][order] += added


class _Split:
    """What the rows of some draws hold, (n, M), put on cells added up for every wrong side: (sides, n, width)."""

    def __init__(self, held: Floats, layout: ErrorSums, n_wrong: int, rng: np.random.Generator) -> None:
        n_draws, self._n_classes = held.shape
        self._left, self._layout, self._rng = held, layout, rng
        self._start = np.repeat(np.arange(n_draws) * self._n_classes, self._n_classes)
        classes = np.arange(self._n_classes, dtype=np.min_scalar_type(self._n_classes))  # random ones come fastest
        self._true = np.tile(classes, n_draws)
        self._row = self._start + self._true
        self.added = np.zeros((n_wrong, n_draws, layout.width))

    def into_atoms(self, rho: Floats, n_first: int, n_equal: Counts) -> None:
        """Put the first atoms of every row on cells, and something simpler in place of all others.

        Parameters
        ----------
        rho : (n, 1)
            Of every draw.
        n_first
            How many come first.
        n_equal : (n,)
            How many equal ones follow, the draws with the most of them first.
        """
        for _ in range(n_first):
            left = self._rng.random(self._left.shape) ** (1 / rho)  # 1 - Beta(1, rho)
            left *= self._left
            self._put(self._left - left)
            self._left = left
        share = np.sqrt(n_equal[:, None] / (1 + rho))
        atom = self._left * (share / n_equal[:, None])
        for number in range(n_equal[0]):
            self._put(atom[: np.count_nonzero(n_equal > number)])
        self.added += self._layout.evenly(self._left * (1 - share))

    def _put(self, atoms: Floats) -> None:
        """Put one atom of every row of the first draws on a cell at random."""
        true, row, start = (each[: atoms.size] for each in (self._true, self._row, self._start))
        for side in self.added:
            other = self._rng.integers(0, self._n_classes - 1, atoms.size, dtype=self._true.dtype)
            other += other >= true
            np.add.at(side.reshape(-1), self._layout.targets(row, other, start), atoms.ravel())
