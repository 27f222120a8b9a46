"""The prior's part of a group of outcomes whose share is split apart: a Dirichlet process, atom by atom.

A symmetric Dirichlet of total rho is a Dirichlet process over the cells: a sum of atoms on random cells, each of which
takes a share Beta(1, rho) of what the ones before it have left (Sethuraman 1994). What the first ones leave is split
like the whole. In its place there is something simpler, with the very same mean, variance and third central moment on
any set of cells: L equal atoms hold a share sqrt(L / (1 + rho)) of it, the rest is spread evenly. That gives the
variance for every L, and the third moment where L is a whole number next to (2 + rho)^2 / (4 (1 + rho)), drawn such
that 1 / sqrt(L) is right on average; below rho = 1 there is one atom, whose third moment is too large by up to 6%.
"""

import math
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import Codes, Counts, Floats
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums
from pytest_bayesf1.engines.cells.gammas import GammaRows

ATOMS = {16: 0, 6: 1, 0: 2}
"""How many come first where cells are only added up, by the fewest examples beside a sum.

From three examples on no end of an interval moves by 1e-3 standard deviations.
"""

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


def examples_beside(table: OutcomeTable) -> int:
    """Count the examples by which a side's wrong predictions of a class differ from the other's, or from none at all.

    Parameters
    ----------
    table
        The counts.

    Returns
    -------
    int
        Of the class with the fewest.
    """
    differ = (table.predicted != np.roll(table.predicted, 1, axis=0)).any(axis=0) | (table.n_sides == 1)
    wrong = differ & (table.predicted != table.true)
    counts = np.broadcast_to(table.count, wrong.shape)[wrong]
    return int(np.bincount(table.predicted[wrong], counts, table.n_classes).min())


def cell_atoms(rho: float) -> int:
    """Return how many atoms come first where cells are looked at one by one.

    Parameters
    ----------
    rho
        Total of the symmetric Dirichlet.
    """
    return math.ceil(math.log(CELL_ERROR) / math.log(rho / (rho + 4)))  # the mean of (1 - Beta(1, rho))^4


def _first_atoms(beside: int) -> int:
    return next(atoms for least, atoms in ATOMS.items() if beside >= least)


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
        self._first = None if one_by_one else _first_atoms(examples_beside(table))
        most = cell_atoms(expected) if one_by_one else max(ATOMS.values())
        self.expected = float(table.n_classes * (1 + most))  # what the row holds, and its atoms
        self.numbers_per_draw = _NUMBERS_PER_ROW * table.n_classes

    def draw(self, mass: Floats, rng: np.random.Generator) -> "AtomDraw":
        """Draw what every row holds, to be rescaled; its split is drawn when it is added."""
        order = GammaRows.order(mass)
        held = np.empty((mass.size, self._has_examples.size))
        held[order] = GammaRows(mass[order]).draw(self._has_examples.size, rng)
        held[:, ~self._has_examples] = 1  # beside nothing else, whatever it is
        first = cell_atoms(float(mass.max())) if self._first is None else self._first
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
        rho, left, draws = self._rho[:, None], self.sums, np.arange(len(self.sums))
        power = (1 / rho).astype(np.float32)
        assert sums.flags.c_contiguous  # whose flat views are no copies
        split = _Split([sums[side] for side in self._wrong], layout, self._rng)
        for _ in range(self._first):
            rest = left * self._rng.random(left.shape, np.float32) ** power  # 1 - Beta(1, rho)
            split.put(left - rest, draws)
            left = rest
        equal = equal_atoms(self._rho, self._rng)
        share = np.sqrt(equal[:, None] / (1 + rho))
        atom = left * (share / equal[:, None])
        for number in range(equal.max()):
            here = equal > number
            split.put(atom[here], draws[here])
        split.put_evenly(left * (1 - share))


class _Split:
    """What every wrong side predicts, (n, width) each, to which it is added."""

    def __init__(self, sides: list[Floats], layout: ErrorSums, rng: np.random.Generator) -> None:
        self._sides, self._layout, self._rng = sides, layout, rng

    def put(self, atoms: Floats, draws: Codes) -> None:
        """Put an atom of every row on a cell at random: (K, M), of the K draws that are named."""
        n_classes = atoms.shape[1]
        few: type[np.integer[Any]] = np.uint16 if n_classes < 1 << 16 else np.int64
        true, start = np.arange(n_classes, dtype=few), draws[:, None] * n_classes
        for side in self._sides:
            other = self._rng.integers(0, n_classes - 1, atoms.shape, few)
            other += other >= true
            np.add.at(side.reshape(-1), self._layout.targets(true, other, start).ravel(), atoms.ravel())

    def put_evenly(self, mass: Floats) -> None:
        """Spread what is left of every row, (n, M)."""
        evenly = self._layout.evenly(mass)
        for side in self._sides:
            np.add(side, evenly, out=side)
