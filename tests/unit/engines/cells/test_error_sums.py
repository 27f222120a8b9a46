import numpy as np
import pytest

from pytest_bayesf1.engines.data_draws import ErrorSums
from pytest_bayesf1.measures.names import Detail

N_CLASSES = 4
MASS = np.array([[1.0, 2.0, 0.0, 3.0], [0.5, 0.5, 0.5, 0.5]])


def spread(mass):
    """Each row's mass, a third on every wrong cell."""
    return mass[:, :, None] / (N_CLASSES - 1) * (1 - np.eye(N_CLASSES))


def test_columns_are_sums_of_the_matrix():
    margins, matrix = (ErrorSums(N_CLASSES, 1, detail).evenly(MASS) for detail in (Detail.MARGINS, Detail.MATRIX))
    np.testing.assert_allclose(matrix.reshape(2, N_CLASSES, N_CLASSES), spread(MASS))
    np.testing.assert_allclose(margins, spread(MASS).sum(axis=1))


@pytest.mark.parametrize("detail", [Detail.MARGINS, Detail.MATRIX])
def test_what_is_added_to_targets_is_read_off(detail):
    layout, n = ErrorSums(N_CLASSES, 2, detail), 2
    sums = np.zeros((2, n, layout.width))
    for true, predicted in ((0, 1), (3, 2), (3, 1)):
        sums[0][:, layout.targets(true, np.array([predicted]))] += 1.0
    right = np.full((n, N_CLASSES), 2.0)
    baseline, candidate = layout.joints(sums, right, [right, right])
    assert baseline.predicted is not None
    assert candidate.predicted is not None
    np.testing.assert_array_equal(baseline.predicted, [[2, 4, 3, 2]] * n)
    np.testing.assert_array_equal(candidate.predicted, right)
    if detail is Detail.MATRIX:
        assert baseline.matrix is not None
        assert baseline.matrix[0, 3].tolist() == [0, 1, 1, 2]
