"""Where the probability of wrong predictions is added up: each side's column sums, or its whole matrix.

What is right is known from the groups of outcomes; it is added at the end.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.measures.classification import Joint, total
from pytest_bayesf1.measures.names import Detail

_Classes: TypeAlias = npt.NDArray[np.integer[Any]]


class ErrorSums:
    """The layout of a draw's sums: ``width`` numbers for each side.

    Parameters
    ----------
    n_classes, n_sides
        M and S.
    detail
        `Detail.MARGINS` for column sums, `Detail.MATRIX` for whole matrices.
    """

    def __init__(self, n_classes: int, n_sides: int, detail: Detail) -> None:
        self._n_classes, self.n_sides = n_classes, n_sides
        self._whole_matrix = detail is Detail.MATRIX
        self.width = n_classes**2 if self._whole_matrix else n_classes

    def targets(self, true: _Classes | int, predicted: _Classes, start: Codes | int = 0) -> Codes:
        """Return the positions that cells count towards, among the sums of one draw or of many one after the other.

        Parameters
        ----------
        true
            True class of each cell.
        predicted
            Predicted class of each cell.
        start
            First class of each cell's draw, counted through all draws.
        """
        first = (start + true) * self._n_classes if self._whole_matrix else start
        return np.asarray(first + predicted, np.int64)

    def evenly(self, mass: Floats) -> Floats:
        """Spread the mass of each row, (n, M), evenly over what is wrong there: the sums of one side, (n, width)."""
        each = mass / (self._n_classes - 1)
        if self._whole_matrix:
            wrong = 1 - np.eye(self._n_classes)
            return np.asarray(each[:, :, None] * wrong).reshape(len(mass), -1)
        return np.asarray(total(each)[:, None] - each)

    def joints(self, sums: Floats, true: Floats, correct: Sequence[Floats]) -> Iterator[Joint]:
        """Read each side's joint probabilities off the sums.

        Parameters
        ----------
        sums : (sides, n, width)
            What each side predicts wrongly.
        true : (n, M)
            Row sums.
        correct : (n, M) each
            What each side gets right.
        """
        for wrong, right in zip(sums, correct, strict=True):
            if self._whole_matrix:
                matrix = wrong.reshape(-1, self._n_classes, self._n_classes)
                np.einsum("nii->ni", matrix)[:] += right
                yield Joint(true, right, matrix.sum(axis=1), matrix)
            else:
                yield Joint(true, right, wrong + right)
