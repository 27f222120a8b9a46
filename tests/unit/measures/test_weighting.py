import numpy as np

from pytest_bayesf1.data.outcomes import ScoreTable
from pytest_bayesf1.measures.ranking import Weighting


def test_every_observed_example_weighs_one():
    table = ScoreTable.tally(2, np.array([0, 1, 1]), np.array([[0.1], [0.9], [0.9]]))
    observed = Weighting.observed(table)
    assert observed.outcomes.tolist() == [[1, 2]]
    assert observed.totals.tolist() == [3]


def test_imagined_examples_add_to_the_total():
    weighting = Weighting(np.array([[1.0, 2.0]]), np.array([[0]]), np.array([1]), np.array([[0.5]]))
    assert weighting.totals.tolist() == [3.5]
