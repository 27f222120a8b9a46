import numpy as np
import pytest

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import Joint
from pytest_bayesf1.settings import COMPARISONS, Model
from tests.unit.comparison.planning.populations import assumed, dense, population

JOINT = [[[0.5, 0.04], [0.02, 0.04]], [[0.03, 0.01], [0.05, 0.31]]]


def test_delta_and_agreement():
    found = population(JOINT)
    assert found.delta == pytest.approx(0.02 + 0.01 - 0.04 - 0.05)
    assert found.agreement == pytest.approx(0.5 + 0.04 + 0.03 + 0.31)


def test_paired_accuracies_spread_as_mcnemar_has_it():
    joint = np.asarray(JOINT)
    lost, gained = joint[0, 0, 1] + joint[1, 1, 0], joint[0, 1, 0] + joint[1, 0, 1]
    expected = np.sqrt(lost + gained - (gained - lost) ** 2)
    assert population(JOINT).spread(Model.PAIRED) == pytest.approx((expected, expected), rel=1e-6)


def test_independent_accuracies_spread_as_binomials_do():
    joint = np.asarray(JOINT)
    accuracies = joint[0, 0].sum() + joint[1, 1].sum(), joint[0, :, 0].sum() + joint[1, :, 1].sum()
    expected = np.sqrt(sum(each * (1 - each) for each in accuracies))
    assert population(JOINT).spread(Model.INDEPENDENT) == pytest.approx((expected, expected), rel=1e-6)


@pytest.mark.parametrize("measure", ["accuracy", "f1_macro", "matthews_corrcoef", "balanced_accuracy"])
def test_pairing_never_costs_anything(measure):
    paired, same_set, independent = (assumed(measure).population.spread(model)[1] for model in COMPARISONS)
    assert paired < same_set <= independent * (1 + 1e-9)


@pytest.mark.parametrize("model", [Model.PAIRED, Model.INDEPENDENT])
def test_the_estimate_scatters_as_much_on_test_sets(model):
    """400 observed differences: their standard deviation is known to 3.5%."""
    found, rng, n = assumed("f1_macro").population.with_delta(-0.03), np.random.default_rng(0), 2_000
    measure = found.measure
    deltas = []
    for _ in range(400):
        sides = found.experiment(model, n, rng).sides
        baseline, candidate = (measure(Joint.observed(side, measure.detail)) for side in sides)
        deltas.append(candidate - baseline)
    assert np.std(deltas) * np.sqrt(n) == pytest.approx(found.spread(model)[0], rel=4 / np.sqrt(800))
    assert np.mean(deltas) == pytest.approx(-0.03, abs=4 * found.spread(model)[0] / np.sqrt(n * 400) + 1e-3)


def test_another_difference_leaves_the_baseline_and_the_classes_as_they_are():
    before = assumed().population
    after = before.with_delta(-0.04)
    assert after.delta == pytest.approx(-0.04, abs=1e-8)
    np.testing.assert_allclose(dense(after).sum(axis=2), dense(before).sum(axis=2))


def test_a_difference_that_no_candidate_can_have():
    with pytest.raises(InputError, match=r"loss: expected one that some candidate has beside this baseline, got 0\.99"):
        assumed().population.with_delta(-0.99)


def test_spread_within_classes_is_that_of_the_influences():
    """Of accuracy the influence of an example is 1, 0 or -1: what it gains."""
    joint = np.asarray(JOINT)
    found = population(JOINT).spread_within_classes()
    for label in range(2):
        row = joint[label] / joint[label].sum()
        gained, lost = row[1 - label, label], row[label, 1 - label]
        assert found[label] == pytest.approx(np.sqrt(gained + lost - (gained - lost) ** 2), rel=1e-6)


def test_a_sample_has_its_size_and_its_cells():
    sample = population(JOINT).sample(500, np.random.default_rng(0))
    assert sample.count.sum() == 500
    assert sample.count.min() > 0
