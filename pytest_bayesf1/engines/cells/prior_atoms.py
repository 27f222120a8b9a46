"""The prior's part of a group of outcomes whose share is split apart: a Dirichlet process, atom by atom.

A symmetric Dirichlet of total rho is a Dirichlet process over the cells: a sum of atoms on random cells, each of which
takes a share Beta(1, rho) of what the ones before it have left (Sethuraman 1994). After k atoms, what is left is put on
the cells by something simpler with the very same means, variances and covariances, whatever k is: L equal atoms hold a
share sqrt(L / (1 + rho)) of it, the rest is spread evenly. Of the third central moment of any sum of
cells, a share (rho / (rho + 3))^k is in what is left, and there (rho + 2) / (2 sqrt(L (rho + 1))) times what it should
be. L is chosen to bring this factor close to one, and k to make the error small.
"""

import math

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums

SKEW_ERROR = 0.01
"""Largest relative error of a third central moment where cells are only added up."""

CELL_ERROR = 1e-12
"""The same where cells are looked at one by one."""

_NUMBERS_PER_ROW = 8
_ATOMS_PER_GAMMA = 3  # that take as long as one gamma variable of a small shape


def n_equal_atoms(rho: float) -> int:
    """Return L, the number of equal atoms that stand for all but the first.

    Parameters
    ----------
    rho
        Total of the symmetric Dirichlet.

    Examples
    --------
    >>> n_equal_atoms(0.25), n_equal_atoms(16)
    (1, 5)
    """
    return max(round((rho + 2) ** 2 / (4 * (rho + 1))), 1)


def n_atoms(rho: float, error: float) -> int:
    """Return k, the number of atoms after which the third moments are good enough.

    Parameters
    ----------
    rho
        Total of the symmetric Dirichlet.
    error
        Largest relative error of a third central moment.
    """
    factor = (rho + 2) / (2 * math.sqrt(n_equal_atoms(rho) * (rho + 1)))
    return max(math.ceil(math.log(error / abs(factor - 1)) / math.log(rho / (rho + 3))), 1)


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
    error
        Largest relative error of a third central moment.

    Attributes
    ----------
    expected
        Time of a draw, in gamma variables.
    """

    def __init__(self, table: OutcomeTable, group: int, expected: float, error: float) -> None:
        self._may_be_true, self._wrong, self._error = table.may_be_true, table.wrong_sides(group), error
        atoms = n_atoms(expected, error) + n_equal_atoms(expected)
        self.expected = table.n_classes * atoms / _ATOMS_PER_GAMMA
        self.numbers_per_draw = _NUMBERS_PER_ROW * table.n_classes

    def draw(self, mass: Floats, rng: np.random.Generator) -> "AtomDraw":
        """Draw what every row holds; its split is drawn when it is added."""
        held = rng.standard_gamma(mass[:, None] * self._may_be_true)
        return AtomDraw(held, mass, self._wrong, self._error, rng)


class AtomDraw:
    """n draws of what a group holds in every row, still to be split over its cells."""

    def __init__(self, sums: Floats, rho: Floats, wrong: list[int], error: float, rng: np.random.Generator) -> None:
        self.sums = sums
        self._rho, self._wrong, self._error, self._rng = rho, wrong, error, rng

    def rescale(self, factor: Floats) -> None:
        """Multiply what each row holds by its factor, (n, M), before it is split."""
        self.sums = self.sums * factor

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Split each row's sum and add it to the sides' sums; draws of the same rho have as many atoms."""
        for rho in np.unique(self._rho).tolist():
            draws = np.flatnonzero(self._rho == rho)
            split = _Split(self.sums[draws], layout, len(self._wrong), self._rng)
            split.into_atoms(rho, n_atoms(rho, self._error))
            for side, added in zip(self._wrong, split.added, strict=True):
                sums[side][draws] += added


class _Split:
    """What the rows of some draws hold, (n, M), put on cells added up for every wrong side: (sides, n, width)."""

    def __init__(self, held: Floats, layout: ErrorSums, n_wrong: int, rng: np.random.Generator) -> None:
        n_draws, self._n_classes = held.shape
        self._left, self._layout, self._rng = held, layout, rng
        self._start = np.repeat(np.arange(n_draws) * self._n_classes, self._n_classes)
        self._true = np.tile(np.arange(self._n_classes), n_draws)
        self._row = self._start + self._true
        self.added = np.zeros((n_wrong, n_draws, layout.width))

    def into_atoms(self, rho: float, n: int) -> None:
        """Put n atoms of every row on cells, and something simpler in place of all others."""
        for _ in range(n):
            left = self._rng.standard_exponential(self._left.shape)
            left /= -rho
            np.exp(left, out=left)
            left *= self._left
            self._put(self._left - left)
            self._left = left
        equal = n_equal_atoms(rho)
        atoms = math.sqrt(equal / (1 + rho)) * self._left
        for _ in range(equal):
            self._put(atoms / equal)
        self.added += self._layout.evenly(self._left - atoms)

    def _put(self, atoms: Floats) -> None:
        """Put one atom of every row on a cell at random."""
        weight = atoms.ravel()
        for side in self.added:
            targets = self._layout.targets(self._row, self._other_class(), self._start)
            np.add(side, np.bincount(targets, weight, side.size).reshape(side.shape), out=side)

    def _other_class(self) -> Codes:
        other = self._rng.integers(0, self._n_classes - 1, self._true.size)
        other += other >= self._true
        return other
