"""What must not matter: the order of the classes, and, but for the sign, which side is called the candidate."""

import numpy as np
import pytest

from pytest_bayesf1 import PairedCounts, compare

MODELS = ["paired", "same-set", "independent"]


@pytest.fixture(scope="module")
def predictions():
    rng = np.random.default_rng(8)
    true = rng.choice(5, p=[0.4, 0.3, 0.15, 0.1, 0.05], size=600)
    baseline = np.where(rng.random(600) < 0.8, true, rng.integers(0, 5, 600))
    candidate = np.where(rng.random(600) < 0.7, baseline, rng.integers(0, 5, 600))
    return true, baseline, candidate


def run(predictions, model, measure):
    return compare(PairedCounts.from_predictions(*predictions), model=model, measure=measure, rope=0.01, n_draws=40_000)


def assert_same_posterior(one, other, sign=1):
    error = np.sqrt(2 / 40_000) * one.std
    assert abs(one.mean - sign * other.mean) < 4 * error
    assert abs(one.std - other.std) < 4 * error
    low, high = sorted(sign * bound for bound in other.hdi)
    assert one.hdi == pytest.approx((low, high), abs=4 * np.hypot(max(one.mcse_hdi), max(other.mcse_hdi)))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("measure", ["accuracy", "f1_macro", "matthews_corrcoef"])
@pytest.mark.one_of_many
def test_permuting_the_classes_changes_nothing(predictions, model, measure):
    permutation = np.array([3, 0, 4, 2, 1])
    permuted = [permutation[column] for column in predictions]
    one, other = run(predictions, model, measure), run(permuted, model, measure)
    assert one.baseline.observed == pytest.approx(other.baseline.observed, abs=1e-12)
    assert_same_posterior(one, other)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("measure", ["accuracy", "f1_macro", "f1[3]"])
@pytest.mark.one_of_many
def test_swapping_the_sides_negates_delta(predictions, model, measure):
    true, baseline, candidate = predictions
    one, other = run(predictions, model, measure), run((true, candidate, baseline), model, measure)
    assert one.baseline.observed == other.candidate.observed
    assert_same_posterior(one, other, sign=-1)


def test_pairing_narrows_the_posterior_of_classifiers_that_agree(predictions):
    paired, same_set, independent = (run(predictions, model, "f1_macro") for model in MODELS)
    assert paired.std < 0.85 * same_set.std
    assert same_set.std < 1.02 * independent.std
