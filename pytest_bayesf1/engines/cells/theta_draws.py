"""Joint probabilities from draws of theta itself, every outcome of every true class."""

from collections.abc import Iterator

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import Joint


class ThetaDraws:
    """Given draws of theta, in their order.

    Parameters
    ----------
    table
        The counts; their shape alone matters.
    theta : (N, M, outcomes)
        As a Markov chain drew them.
    """

    def __init__(self, table: OutcomeTable, theta: Floats) -> None:
        self._table, self._theta, self._next = table, theta, 0
        self.numbers_per_draw = theta[0].size

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:  # noqa: ARG002
        """Yield the joint probabilities of each side for the next n draws."""
        assert class_mass is not None
        table = self._table
        theta = self._theta[self._next : self._next + n] * class_mass[:, :, None]
        self._next += n
        cells = theta.reshape(n, table.n_problems, table.n_outcomes, *[table.n_outcomes] * table.n_sides)
        cells /= cells.sum(axis=tuple(range(2, cells.ndim)), keepdims=True)
        for side in range(table.n_sides):
            matrix = cells.sum(axis=tuple(3 + other for other in range(table.n_sides) if other != side))
            matrix = matrix if table.multilabel else matrix[:, 0]
            correct = np.diagonal(matrix, axis1=-2, axis2=-1)
            yield Joint(matrix.sum(axis=-1), correct, matrix.sum(axis=-2), matrix)
