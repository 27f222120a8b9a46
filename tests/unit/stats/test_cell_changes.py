import numpy as np

from pytest_bayesf1.stats.attribution import CellChanges
from tests.unit.stats.test_pairings import side


def between(baseline, candidate):
    return CellChanges.between(side(baseline), side(candidate))


def test_every_cell_that_either_side_has():
    found = between([[5, 0], [1, 4]], [[3, 2], [0, 5]])
    assert list(zip(found.true.tolist(), found.predicted.tolist(), *found.counts.tolist(), strict=True)) == [
        (0, 0, 5, 3),
        (0, 1, 0, 2),
        (1, 0, 1, 0),
        (1, 1, 4, 5),
    ]
    np.testing.assert_allclose(found.shares, [-0.2, 0.2, -0.1, 0.1])


def test_the_largest_come_first_and_those_that_stay_are_left_out():
    found = between([[5, 0, 1], [1, 4, 0], [0, 0, 9]], [[3, 2, 1], [0, 5, 0], [0, 0, 9]])
    largest = found.largest(5, found.wrong)
    assert largest.true.tolist() == [0, 1]
    assert largest.predicted.tolist() == [1, 0]
    assert found.largest(1, found.wrong).counts.tolist() == [[0], [2]]


def test_other_numbers_of_examples_are_compared_as_shares():
    assert not between([[5, 1], [0, 4]], [[50, 10], [0, 40]]).shares.any()
