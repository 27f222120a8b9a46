"""Gamma variables of many shapes, drawn in runs of equal ones."""

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats, Weights

_FEW_EXPONENTIALS = range(
    1, 6
)  # their sum, the log of a product of uniform variables, takes less than a gamma variable


class GammaRows:
    """A row of independent gamma variables for each shape.

    Parameters
    ----------
    shapes : (K,)
        In ascending order.
    """

    def __init__(self, shapes: Weights) -> None:
        self._shapes, starts = np.unique(shapes, return_index=True)
        self._bounds = [*starts.tolist(), shapes.size]

    @staticmethod
    def order(shapes: Weights) -> Codes:
        """Return the positions that bring shapes into ascending order."""
        return np.argsort(shapes, kind="stable")

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw every row n times: (K, n)."""
        rows = np.empty((self._bounds[-1], n))
        for shape, start, end in zip(self._shapes.tolist(), self._bounds, self._bounds[1:], strict=False):
            _fill(rows[start:end], shape, rng)
        return rows


def _fill(rows: Floats, shape: float, rng: np.random.Generator) -> None:
    if shape not in _FEW_EXPONENTIALS:
        rng.standard_gamma(shape, out=rows)
        return
    rows[:] = 1
    for _ in range(int(shape)):
        rows *= 1 - rng.random(rows.shape)  # never 0
    np.log(rows, out=rows)
    np.negative(rows, out=rows)
