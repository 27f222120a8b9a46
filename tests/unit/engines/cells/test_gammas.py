"""Gamma variables, however they are drawn, have the distribution of their shape."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.engines.data_draws import GammaRows

SHAPES = np.array([0.25, 1, 1, 2, 2.5, 3, 4, 5, 6, 40])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_row_is_of_its_shape(dtype):
    rows = GammaRows(SHAPES).draw(30_000, np.random.default_rng(0), dtype)
    assert (rows.dtype, rows.shape) == (dtype, (SHAPES.size, 30_000))
    for shape, row in zip(SHAPES, rows, strict=True):
        assert stats.kstest(row, stats.gamma(shape).cdf).pvalue > 1e-4  # 20 tests: one false alarm in 500 seeds


def test_rows_of_equal_shapes_are_independent():
    rows = GammaRows(np.repeat([1, 3], 60)).draw(4_000, np.random.default_rng(1))
    correlations = np.corrcoef(rows)[np.triu_indices(120, 1)]
    assert abs(correlations).max() < 5.2 / np.sqrt(4_000)  # of 7,140: one false alarm in 700 seeds
