"""Where a cell's probability is added up: each side's diagonal and column sums, or its whole matrix."""

from collections.abc import Iterator

import numpy as np

from pytest_bayesf1.stats.arrays import Codes, Floats
from pytest_bayesf1.stats.joint import Joint
from pytest_bayesf1.stats.measure_names import Detail


class SideSums:
    """The layout of one draw's sums, side by side in a row of ``width`` numbers."""

    def __init__(self, n_classes: int, n_sides: int, detail: Detail) -> None:
        self._n_classes, self._n_sides = n_classes, n_sides
        self._whole_matrix = detail is Detail.MATRIX
        self._side_width = n_classes**2 if self._whole_matrix else 2 * n_classes
        self.width = n_sides * self._side_width

    def targets(self, side: int, true: Codes, predicted: Codes, right: bool) -> Iterator[Codes]:
        """Yield the positions that cells of this side count towards; ``right`` says whether true equals predicted."""
        start = side * self._side_width
        if self._whole_matrix:
            yield start + true * self._n_classes + predicted
            return
        yield start + self._n_classes + predicted
        if right:
            yield start + true

    def add_row(self, sums: Floats, side: int, true: int, mass: Floats) -> None:
        """Add a whole row of one side's matrix, (n, M), to the sums (n, width)."""
        start, n_classes = side * self._side_width, self._n_classes
        if self._whole_matrix:
            sums[:, start + true * n_classes : start + (true + 1) * n_classes] += mass
        else:
            sums[:, start + n_classes : start + 2 * n_classes] += mass
            sums[:, start + true] += mass[:, true]

    def joints(self, sums: Floats, true: Floats) -> Iterator[Joint]:
        """Read each side's joint probabilities off the sums (n, width) and the row sums (n, M)."""
        for block in np.split(sums, self._n_sides, axis=1):
            if self._whole_matrix:
                matrix = block.reshape(len(block), self._n_classes, self._n_classes)
                yield Joint(true, np.diagonal(matrix, axis1=1, axis2=2), matrix.sum(axis=1), matrix)
            else:
                correct, predicted = np.split(block, 2, axis=1)
                yield Joint(true, correct, predicted)
