import numpy as np
import pytest

from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable

TRUE = np.array([0, 0, 1, 1, 1])
PAIRED = OutcomeTable.tally(3, TRUE, np.array([0, 1, 1, 1, 2]), np.array([0, 0, 1, 2, 2]))
ONE = OutcomeTable.tally(3, TRUE, np.array([0, 1, 1, 1, 2]))


def test_sides_of_one_table_or_of_two():
    (baseline, candidate) = Experiment("paired", (PAIRED,)).sides
    assert baseline.times_predicted.tolist() == [1, 3, 1]
    assert candidate.times_predicted.tolist() == [2, 1, 2]
    assert [side.n_samples for side in Experiment("independent", (ONE, ONE)).sides] == [5, 5]


def test_evidence_adds_up():
    assert Experiment("paired", (PAIRED,)).known == (PAIRED,)
    (both,) = Experiment("paired", (PAIRED,), (PAIRED,)).known
    assert both.n_samples == 10
    np.testing.assert_array_equal(both.row_totals, 2 * PAIRED.row_totals)


def test_a_class_without_examples_is_set_apart():
    experiment = Experiment("paired", (PAIRED,)).without_unsupported_classes()
    assert experiment.unsupported == (2,)
    assert experiment.unsupported_predicted() == {2: (1, 2)}


def test_unless_earlier_examples_have_it():
    third = OutcomeTable.tally(3, np.array([2]), np.array([2]), np.array([0]))
    assert Experiment("paired", (PAIRED,), (third,)).without_unsupported_classes().unsupported == ()


@pytest.mark.parametrize(("model", "n_tables"), [("paired", 1), ("same-set", 2), ("independent", 2)])
def test_before_any_data(model, n_tables):
    experiment = Experiment.before_data(model, 4, unsupported=(3,))
    assert len(experiment.tables) == n_tables
    assert [side.n_samples for side in experiment.sides] == [0, 0]
    assert (experiment.n_classes, experiment.unsupported) == (4, (3,))
