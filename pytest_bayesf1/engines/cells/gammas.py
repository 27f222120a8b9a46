"""Gamma variables of many shapes, drawn in runs of equal ones."""

from typing import TypeAlias

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats, Weights

# so many exponential variables, whose sum is the log of a product of uniform ones, take less time than a gamma variable
_FEW_EXPONENTIALS = range(1, 6)
_AT_ONCE = 20_000  # numbers that stay in a processor's cache

Precision: TypeAlias = type[np.float32] | type[np.float64]


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

    def draw(self, n: int, rng: np.random.Generator, dtype: Precision = np.float64) -> Floats:
        """Draw every row.

        Parameters
        ----------
        n
            How many times.
        rng
            Where the randomness comes from.
        dtype
            Single precision rounds to 6e-8 of a number, and halves what goes through memory.

        Returns
        -------
        (K, n)
            The draws.
        """
        rows = np.empty((self._bounds[-1], n), dtype)
        for shape, start, end in zip(self._shapes.tolist(), self._bounds, self._bounds[1:], strict=False):
            if shape in _FEW_EXPONENTIALS:
                step = max(_AT_ONCE // n, 1)
                for first in range(start, end, step):
                    _add_exponentials(rows[first : min(first + step, end)], int(shape), rng)
            else:
                rng.standard_gamma(shape, out=rows[start:end], dtype=dtype)
        return rows


def gamma_rows(shapes: Weights, n: int, rng: np.random.Generator) -> Floats:
    """Draw a row for each shape.

    Parameters
    ----------
    shapes : (K,)
        In any order.
    n
        How many times.
    rng
        Where the randomness comes from.

    Returns
    -------
    (K, n)
        The draws.
    """
    order, rows = GammaRows.order(shapes), np.empty((shapes.size, n))
    rows[order] = GammaRows(shapes[order]).draw(n, rng)
    return rows


def _add_exponentials(rows: Floats, times: int, rng: np.random.Generator) -> None:
    """Fill rows with sums of so many exponential variables."""
    rng.random(out=rows, dtype=rows.dtype)
    np.subtract(1, rows, out=rows)  # never 0
    for _ in range(1, times):
        rows *= 1 - rng.random(rows.shape, rows.dtype)
    np.log(rows, out=rows)
    np.negative(rows, out=rows)
