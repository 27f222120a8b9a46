import numpy as np
import pytest

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import Joint
from pytest_bayesf1.measures.names import Detail


@pytest.fixture
def table():
    """Ten examples: 4 of class 0 right, 1 taken for 2, 2 of class 1 taken for 0, 3 of class 1 right."""
    true, predicted, count = np.array([[0, 0, 1, 1], [0, 2, 0, 1], [4, 1, 2, 3]])
    return OutcomeTable.tally(3, true, predicted, weight=count)


def test_observed_proportions(table):
    joint = Joint.observed(table, Detail.MATRIX)
    np.testing.assert_allclose(joint.true, [0.5, 0.5, 0.0])
    np.testing.assert_allclose(joint.correct, [0.4, 0.3, 0.0])
    np.testing.assert_allclose(joint.predicted, [0.6, 0.3, 0.1])
    np.testing.assert_allclose(joint.matrix, [[0.4, 0.0, 0.1], [0.2, 0.3, 0.0], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize("detail", [Detail.CORRECT, Detail.MARGINS])
def test_the_matrix_is_built_only_where_it_is_needed(table, detail):
    assert Joint.observed(table, detail).matrix is None


@pytest.mark.parametrize("detail", [Detail.MARGINS, Detail.MATRIX])
def test_of_two_classes_what_is_right_tells_the_rest(detail):
    counts = OutcomeTable.tally(2, np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), weight=np.array([4, 1, 2, 3]))
    observed = Joint.observed(counts, detail)
    found = Joint(observed.true, observed.correct).of_two_classes(detail)
    np.testing.assert_allclose(found.predicted, observed.predicted)
    assert (found.matrix is None) == (detail is Detail.MARGINS)
    assert found.matrix is None or found.matrix == pytest.approx(observed.matrix)


def test_single_distributions_are_stacked(table):
    one, other = Joint.observed(table, Detail.MATRIX), Joint.observed(table.side(0), Detail.MATRIX)
    both = Joint.stacked([one, other])
    assert both.matrix is not None
    assert both.true.shape == both.predicted.shape == (2, 3)
    np.testing.assert_array_equal(both.matrix[1], one.matrix)
