"""The prior's part of a group of outcomes, as the jumps of a gamma process.

Jumps above `SHARED_BELOW` are drawn anew for every draw. So are all others where they matter on their own: where rows
are rescaled afterwards, cells are looked at one by one, or a class is so rare that a score may divide by next to
nothing. Elsewhere the draws of a block share the others: the process runs with its mass as time, and every draw reads
the same path at its own mass. The distribution of each draw stays as it is; the correlation between draws of a block is
negligible, for of the variance of the prior's part, jumps below x have at most x^2 / 2.
"""

import math
from collections.abc import Iterator

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums
from pytest_bayesf1.engines.cells.gamma_process import jump_counts, jump_rate, jump_sizes

IGNORED_PROBABILITY = 1e-12
"""Largest expected share of a row's probability that belongs to the jumps left out."""

SHARED_VARIANCE = 1e-5
"""Largest share of the variance of the prior's part that belongs to jumps which the draws of a block share."""

SHARED_BELOW = math.sqrt(2 * SHARED_VARIANCE)

_NUMBERS_PER_JUMP = 4
_ENOUGH = 3  # examples


def deepest(table: OutcomeTable) -> float:
    """Return the depth from which on jumps are left out: those below a size x have a mean of up to x.

    Parameters
    ----------
    table
        The counts; the rarest class decides.
    """
    fewest = float(table.row_totals[table.may_be_true].min())
    return -math.log(min(IGNORED_PROBABILITY * (fewest + 1), 1e-6))


def may_share(table: OutcomeTable) -> bool:
    """Whether all that scores divide by or multiply is large beside shared jumps: 1 / Gamma(3) has a variance.

    What a side gets right of a class is among the class's examples, and among its predictions.

    Parameters
    ----------
    table
        The counts; the class that a side gets right least often decides.
    """
    right = [table.side(index).group_counts[table.may_be_true, 0] for index in range(table.n_sides)]
    return bool(min(counts.min() for counts in right) >= _ENOUGH)


class JumpCells:
    """The cells that a group's jumps fall on: of any true class, and any other class as what each wrong side predicts.

    Parameters
    ----------
    table
        The counts that the prior is beside.
    group
        The group of outcomes.

    Attributes
    ----------
    n_rows
        True classes.
    """

    def __init__(self, table: OutcomeTable, group: int) -> None:
        self._n_classes, self._wrong = table.n_classes, table.wrong_sides(group)
        self._rows = np.flatnonzero(table.may_be_true)
        self.n_rows = self._rows.size

    def put(self, size: Floats, draw: Codes, n: int, rng: np.random.Generator) -> "JumpDraw":
        """Put jumps on cells at random.

        Parameters
        ----------
        size, draw : (K,)
            Of each jump its size, and which draw it belongs to.
        n
            Number of draws.
        rng
            Where the randomness comes from.
        """
        true = rng.integers(0, self.n_rows, size.size)
        if self.n_rows < self._n_classes:
            true = self._rows[true]
        predicted = {side: self._other_class(true, rng) for side in self._wrong}
        start = draw * self._n_classes
        true += start
        return JumpDraw(start, true, predicted, size, (n, self._n_classes))

    def _other_class(self, true: Codes, rng: np.random.Generator) -> Codes:
        other = rng.integers(0, self._n_classes - 1, true.size)
        other += other >= true
        return other


class JumpPart:
    """A group's mass, spread evenly over its cells: jumps down to a depth, of every draw its own.

    Parameters
    ----------
    table
        The counts that the prior is beside.
    group
        The group of outcomes.
    expected
        Mean of the mass, by which the work is estimated.
    depth
        Where jumps begin to be left out, as log(1 / size).

    Attributes
    ----------
    expected
        Number of jumps in a draw.
    """

    def __init__(self, table: OutcomeTable, group: int, expected: float, depth: float) -> None:
        self._cells, self._depth = JumpCells(table, group), depth
        self.expected = jump_rate(math.exp(-depth)) * expected * self._cells.n_rows
        self.numbers_per_draw = int(_NUMBERS_PER_JUMP * self.expected)

    def draw(self, mass: Floats, rng: np.random.Generator) -> "JumpDraw":
        """Draw the jumps of every row, as many as the mass calls for."""
        times = jump_counts(self._cells.n_rows * mass, self._depth, rng)
        draw = np.repeat(np.arange(mass.size), times)
        size = jump_sizes(draw.size, self._depth, rng)
        return self._cells.put(size, draw, mass.size, rng)


class JumpDraw:
    """n draws of jumps: of each its draw and its true class, as in `ErrorSums.targets`, wrong predictions, size."""

    def __init__(
        self, start: Codes, row: Codes, predicted: dict[int, Codes], size: Floats, shape: tuple[int, int]
    ) -> None:
        self._start, self._row, self._predicted, self._size = start, row, predicted, size
        self.sums = _scatter(row, size, shape)

    def rescale(self, factor: Floats) -> None:
        """Multiply the jumps of each row by its factor, (n, M)."""
        self._size *= np.take(factor, self._row)

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Add to the sums of what each side predicts wrongly."""
        for side, added in self.by_side(layout):
            sums[side] += added

    def by_side(self, layout: ErrorSums) -> Iterator[tuple[int, Floats]]:
        """Yield the sides that are wrong, and the sums (n, width) of what they predict."""
        for side, predicted in self._predicted.items():
            targets = layout.targets(self._row, predicted, self._start)
            yield side, _scatter(targets, self._size, (len(self.sums), layout.width))


def _scatter(position: Codes, size: Floats, shape: tuple[int, ...]) -> Floats:
    # what bincount makes of no jumps at all is whole numbers
    return np.bincount(position, size, math.prod(shape)).astype(np.float64, copy=False).reshape(shape)


class SharedJumpPart:
    """The jumps of a group from one depth to another: one path of the process for all draws.

    Parameters
    ----------
    table
        The counts that the prior is beside.
    group
        The group of outcomes.
    start, depth
        The depths, log(1 / size), between which the jumps lie, the larger last.
    """

    def __init__(self, table: OutcomeTable, group: int, start: float, depth: float) -> None:
        self._cells, self._start, self._depth = JumpCells(table, group), start, depth

    def draw(self, mass: Floats, rng: np.random.Generator) -> "SharedJumpDraw":
        """Draw the path, and read it at every mass."""
        order = np.argsort(mass)
        ordered = mass[order]
        until = ordered[-1:]
        (n,) = jump_counts(self._cells.n_rows * until, self._depth, rng, self._start)
        size = jump_sizes(n, self._depth, rng, self._start)
        first_seen = np.searchsorted(ordered, until * rng.random(n))
        return SharedJumpDraw(self._cells.put(size, first_seen, mass.size, rng), np.argsort(order))


class SharedJumpDraw:
    """n draws that read one path: each what has jumped up to its rank, in the order of their masses."""

    def __init__(self, steps: JumpDraw, rank: Codes) -> None:
        self._steps, self._rank = steps, rank
        self.sums = np.take(steps.sums.cumsum(axis=0), rank, axis=0)

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Add to the sums of what each side predicts wrongly."""
        for side, steps in self._steps.by_side(layout):
            sums[side] += np.take(steps.cumsum(axis=0), self._rank, axis=0)
