"""Draws of imagined examples: what they weigh, and which of several systems are wrong about them.

The weights of a class's imagined examples are the jumps of a gamma process. It has the mass of the prior, and each jump
is an example of its own.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Codes, Floats, Weights
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.gamma_process import jump_sizes, jumps_per_mass
from pytest_bayesf1.priors import ImaginedExamples

_DEPTH = -math.log(1e-6)
"""Beyond, few jumps stand for all; what they leave out weighs half a millionth of the prior's mass."""


@dataclass(frozen=True, eq=False)
class Imagined:
    """The imagined examples of n draws.

    Attributes
    ----------
    true : (J,)
        True class of each.
    start : (J,)
        First class of each one's draw, counted through all draws.
    weight : (J,)
        What each weighs, in real examples.
    wrong : (S, J)
        Which systems are wrong about it.
    predicted : (S, J)
        What each system predicts if it is wrong.
    """

    true: Codes
    start: Codes
    weight: Floats
    wrong: npt.NDArray[np.bool_]
    predicted: Codes

    @property
    def row(self) -> Codes:
        """(J,) true class of each, counted through all draws."""
        return self.start + self.true

    def rescaled(self, factor: Floats) -> "Imagined":
        """Multiply the weights in each row by its factor, (n, M)."""
        return replace(self, weight=self.weight * np.take(factor, self.row))

    def of_side(self, index: int) -> "Imagined":
        """Keep the examples that one system is wrong about."""
        at = np.flatnonzero(self.wrong[index])
        wrong, predicted = self.wrong[index : index + 1, at], self.predicted[index : index + 1, at]
        return Imagined(self.true[at], self.start[at], self.weight[at], wrong, predicted)

    def summed(self, target: Codes, shape: tuple[int, int]) -> Floats:
        """Add the weights up.

        Parameters
        ----------
        target : (J,)
            Where each goes, among the positions of an array.
        shape
            Of the array.
        """
        return np.bincount(target, self.weight, math.prod(shape)).astype(np.float64, copy=False).reshape(shape)


class ImaginedDraws:
    """A source of imagined examples.

    Parameters
    ----------
    table
        The joint outcomes of all systems.
    prior
        What is imagined of every class.

    Attributes
    ----------
    numbers_per_draw
        How many numbers a draw needs at once.
    """

    def __init__(self, table: OutcomeTable, prior: ImaginedExamples) -> None:
        self._table = table
        self._rows = np.flatnonzero(table.may_be_true)
        self._mass = self._rows.size * prior.mass
        wrong, kinds = table.predicted != table.true, table.row_kinds[table.true]
        known = range(int(table.row_kinds.max()) + 1) if prior.as_observed else ()
        self._patterns = [_Patterns(wrong[:, kinds == kind], table.count[kinds == kind]) for kind in known]
        self.numbers_per_draw = int((4 + 2 * table.n_sides) * self._mass * jumps_per_mass(_DEPTH))

    def draw(self, n: int, rng: np.random.Generator) -> Imagined:
        """Draw the imagined examples of n draws.

        Parameters
        ----------
        n
            Number of draws.
        rng
            Where the randomness comes from.
        """
        table = self._table
        times = rng.poisson(self._mass * jumps_per_mass(_DEPTH), n)
        start = np.repeat(table.n_classes * np.arange(n), times)
        true = self._rows[rng.integers(0, self._rows.size, start.size)]
        weight, wrong = jump_sizes(start.size, _DEPTH, rng), self._who_is_wrong(true, rng)
        if table.spans:  # what is not there, and what nobody says is there, is nothing
            counts = (true % 2 == 1) | wrong.any(axis=0)
            start, true, weight, wrong = start[counts], true[counts], weight[counts], wrong[:, counts]
        return Imagined(true, start, weight, wrong, self._other_class(true, rng))

    def _who_is_wrong(self, true: Codes, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        wrong = rng.integers(0, 2, (self._table.n_sides, true.size), dtype=np.int8).astype(np.bool_)
        kinds = self._table.row_kinds[true]
        for kind, patterns in enumerate(self._patterns):
            patterns.put_into(wrong, np.flatnonzero(kinds == kind), rng)
        return wrong

    def _other_class(self, true: Codes, rng: np.random.Generator) -> Codes:
        table = self._table
        if table.n_outcomes == 2:
            return np.broadcast_to(true ^ 1, (table.n_sides, true.size))
        other = rng.integers(0, table.n_classes - 1, (table.n_sides, true.size))
        other += other >= true
        return other


class _Patterns:
    """Which systems are wrong together about the examples of the test set, of one kind of true class."""

    _HEADS_OR_TAILS = 2  # examples beside those of the test set of which nothing is known

    def __init__(self, wrong: npt.NDArray[np.bool_], count: Weights) -> None:
        self._patterns, pattern = np.unique(wrong, axis=1, return_inverse=True)
        self._up_to = np.cumsum(np.bincount(pattern.ravel(), count))
        self._total = float(count.sum()) + self._HEADS_OR_TAILS

    def put_into(self, wrong: npt.NDArray[np.bool_], at: Codes, rng: np.random.Generator) -> None:
        """Take an example of the test set for each of some positions; few stay as they are."""
        chosen = np.searchsorted(self._up_to, self._total * rng.random(at.size))
        known = chosen < self._up_to.size
        wrong[:, at[known]] = self._patterns[:, chosen[known]]
