"""The prior's part of a group of outcomes whose mass is spread over its cells, as the jumps of a gamma process."""

import math

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums
from pytest_bayesf1.engines.cells.gamma_process import jump_sizes, jumps_per_mass, spread_per_mass

DEPTH = 4.0
"""Of `gamma_process`, where cells are added up beside an example: no quantile moves by 1e-3 standard deviations."""

CELL_DEPTH = 28.0
"""The same where a sum may hold nothing else."""

_NUMBERS_PER_JUMP = 4


def has_examples_everywhere(table: OutcomeTable) -> bool:
    """Whether every side has every class right once: then there is an example in all that scores divide by or multiply.

    Parameters
    ----------
    table
        The counts; of units, as many as tell what an example does.
    """
    right = [table.side(index).group_counts[table.may_be_true, 0].min() for index in range(table.n_sides)]
    return bool(min(right) >= table.design_effect)


class JumpPart:
    """A group's mass, spread evenly over its cells.

    Parameters
    ----------
    table
        The counts that the prior is beside.
    group
        The group of outcomes.
    expected
        Mean of the mass, by which the work is estimated.
    depth
        Where jumps begin to be replaced.

    Attributes
    ----------
    expected
        Number of jumps in a draw.
    """

    def __init__(self, table: OutcomeTable, group: int, expected: float, depth: float) -> None:
        self._may_be_true, self._rows = table.may_be_true, np.flatnonzero(table.may_be_true)
        self._wrong, self._depth = table.wrong_sides(group), depth
        self.expected = jumps_per_mass(depth) * expected * self._rows.size
        self.numbers_per_draw = int(_NUMBERS_PER_JUMP * self.expected)

    def draw(self, mass: Floats, rng: np.random.Generator) -> "JumpDraw":
        """Draw the jumps of every row, as many as the mass calls for, each on a cell at random."""
        n_classes, n_rows = self._may_be_true.size, self._rows.size
        times = rng.poisson(jumps_per_mass(self._depth) * n_rows * mass)
        start = np.repeat(np.arange(mass.size) * n_classes, times)
        true = rng.integers(0, n_rows, start.size)
        if n_rows < n_classes:
            true = self._rows[true]
        predicted = {}
        for side in self._wrong:
            predicted[side] = rng.integers(0, n_classes - 1, start.size)
            predicted[side] += predicted[side] >= true
        spread = spread_per_mass(self._depth) * mass[:, None] * self._may_be_true
        return JumpDraw(start, true, predicted, jump_sizes(start.size, self._depth, rng), spread)


class JumpDraw:
    """n draws of jumps, and of what is spread evenly over every row, (n, M).

    Of each jump there are its draw, its true class and wrong predictions, as in `ErrorSums.targets`, and its size.
    """

    def __init__(self, start: Codes, true: Codes, predicted: dict[int, Codes], size: Floats, spread: Floats) -> None:
        self._start, self._true, self._predicted, self._size, self._spread = start, true, predicted, size, spread
        self.sums = spread + _scatter(start + true, size, spread.shape)

    def rescale(self, factor: Floats) -> None:
        """Multiply what is in each row by its factor, (n, M)."""
        self._size *= np.take(factor, self._start + self._true)
        self._spread = self._spread * factor

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Add to the sums of what each side predicts wrongly."""
        spread = layout.evenly(self._spread)
        for side, predicted in self._predicted.items():
            targets = layout.targets(self._true, predicted, self._start)
            sums[side] += _scatter(targets, self._size, spread.shape)
            sums[side] += spread


def _scatter(position: Codes, size: Floats, shape: tuple[int, ...]) -> Floats:
    # what bincount makes of no jumps at all is whole numbers
    return np.bincount(position, size, math.prod(shape)).astype(np.float64, copy=False).reshape(shape)
