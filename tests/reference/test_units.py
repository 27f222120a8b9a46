"""The identities that weights on units have to keep."""

import numpy as np
import pytest
from scipy.stats import ks_2samp

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, compare
from pytest_bayesf1.counts.units import UnitContents

N, DRAWS = 300, 20_000


def sides(n_classes, make=ConfusionMatrix.from_predictions, **given):
    rng = np.random.default_rng(7)
    y_true = rng.integers(n_classes, size=N)
    baseline = np.where(rng.random(N) < 0.8, y_true, rng.integers(n_classes, size=N))
    candidate = np.where(rng.random(N) < 0.85, baseline, rng.integers(n_classes, size=N))
    return [make(y_true, y_pred, **given) for y_pred in (baseline, candidate)]


@pytest.mark.one_of_many
@pytest.mark.parametrize("measure", ["f1_macro", "accuracy", "recall_macro", "cohen_kappa"])
@pytest.mark.parametrize("model", ["paired", "independent"])
def test_units_of_one_example_have_the_hierarchical_posterior(measure, model, monkeypatch):
    monkeypatch.setattr(UnitContents, "hold_one_example", False)  # else their weights are not even drawn
    asked = {"rope": 0.01, "measure": measure, "model": model, "n_draws": DRAWS}
    plain = compare(*sides(4), prior="hierarchical", seed=1, **asked)
    units = compare(*sides(4, clusters=np.arange(N)), seed=2, **asked)
    assert units.prior == "hierarchical"
    assert ks_2samp(plain.delta, units.delta).pvalue > 1e-4


def test_their_draws_are_those_of_counts():
    asked = {"rope": 0.01, "n_draws": DRAWS}
    plain, units = compare(*sides(4), prior="hierarchical", **asked), compare(*sides(4, clusters=np.arange(N)), **asked)
    np.testing.assert_array_equal(plain.delta, units.delta)
    assert units.units.design_effect == 1


@pytest.mark.one_of_many
@pytest.mark.parametrize("measure", ["f1_macro", "f1_micro"])
def test_so_have_labels(measure):
    rng = np.random.default_rng(5)
    y_true = rng.random((N, 3)) < 0.4
    flips = [rng.random((N, 3)) < share for share in (0.1, 0.15)]
    asked = {"rope": 0.01, "measure": measure, "n_draws": DRAWS}

    def built(**given):
        return [MultilabelCounts.from_predictions(y_true, y_true ^ flip, **given) for flip in flips]

    plain, units = compare(*built(), seed=1, **asked), compare(*built(clusters=np.arange(N)), seed=2, **asked)
    # labels of one example share its weight, which changes how they go together but no label's own posterior
    assert abs(plain.mean - units.mean) < 5 * np.hypot(plain.mcse, units.mcse)
    each = [compare(*built(**given), **(asked | {"measure": "f1[1]"})) for given in ({}, {"clusters": np.arange(N)})]
    assert ks_2samp(each[0].delta, each[1].delta).pvalue > 1e-4


@pytest.mark.parametrize(("prior", "each"), [("uniform", 1), ("jeffreys", 0.5)])
def test_a_naive_sampler_agrees(prior, each):
    unit = np.arange(N) // 5
    found = compare(*sides(2, clusters=unit), measure="accuracy", rope=0.01, prior=prior)
    rng = np.random.default_rng(3)
    right = [side.predictions.y_true == side.predictions.y_pred for side in sides(2)]
    weights = rng.standard_gamma(1.0, (DRAWS, unit.max() + 1))
    # two cells, one per class, for either of: both right, only the baseline, only the candidate, neither
    both, only_baseline, only_candidate, neither = rng.standard_gamma(2 * each, (4, DRAWS))
    total = weights @ np.bincount(unit) + both + only_baseline + only_candidate + neither
    baseline, candidate = (weights @ np.bincount(unit, side) for side in right)
    delta = (candidate + only_candidate - baseline - only_baseline) / total
    assert ks_2samp(found.delta, delta).pvalue > 1e-4


def test_a_unit_split_into_two_equal_halves_tells_twice_as_much_but_has_the_same_mean():
    unit = np.repeat(np.arange(N // 6), 6)
    doubled = [np.concatenate([each, each]) for each in (sides(4)[0].predictions.y_true, unit)]
    preds = [np.concatenate([side.predictions.y_pred] * 2) for side in sides(4)]
    halves = np.concatenate([unit, unit + N])

    def built(clusters):
        return [ConfusionMatrix.from_predictions(doubled[0], y_pred, clusters=clusters) for y_pred in preds]

    whole, split = compare(*built(doubled[1]), rope=0.01), compare(*built(halves), rope=0.01)
    assert abs(whole.mean - split.mean) < 0.1 * whole.std
    np.testing.assert_allclose(whole.std / split.std, np.sqrt(2), rtol=0.06)


def test_neither_the_names_of_units_nor_the_order_of_examples_matter():
    unit, order = np.arange(N) // 4, np.random.default_rng(1).permutation(N)
    one = compare(*sides(4, clusters=unit), rope=0.01)
    shuffled = [
        ConfusionMatrix.from_predictions(
            side.predictions.y_true[order], side.predictions.y_pred[order], clusters=[f"u{-u}" for u in unit[order]]
        )
        for side in sides(4)
    ]
    other = compare(*shuffled, rope=0.01)
    np.testing.assert_array_equal(one.delta, other.delta)


def test_equal_runs_are_one_run():
    baseline, candidate = sides(4)
    true = baseline.predictions.y_true
    repeated = [
        ConfusionMatrix.from_predictions(true, np.stack([side.predictions.y_pred] * 3, axis=1), runs="samples")
        for side in (baseline, candidate)
    ]
    once = compare(*sides(4, clusters=np.arange(N)), rope=0.01)
    np.testing.assert_array_equal(compare(*repeated, rope=0.01).delta, once.delta)
