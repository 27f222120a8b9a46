"""Scores beside counts: what is compared, and what is refused."""

import numpy as np
import pytest
from sklearn.metrics import f1_score, roc_auc_score

from pytest_bayesf1 import (
    ConfusionMatrix,
    InputError,
    PairedCounts,
    Scores,
    assert_at_least,
    assert_better,
    assert_equivalent,
    assert_not_inferior,
    assert_not_worse,
    compare,
    pymc_model,
)

RNG = np.random.default_rng(1)
TRUTH = np.arange(400) % 2
SHARED = RNG.normal(size=400)
GIVEN = [1 / (1 + np.exp(-(2 * TRUTH - 1 + SHARED + noise * RNG.normal(size=400)))) for noise in (0.3, 0.4)]
CLUSTER = np.arange(400) // 8
BASELINE, CANDIDATE = (Scores.from_predictions(TRUTH, given) for given in GIVEN)
WORSE = Scores.from_predictions(TRUTH, 1 - GIVEN[0])
AUC = {"measure": "roc_auc", "rope": 0.05, "n_draws": 2_000}


def test_both_sides_share_their_examples():
    paired = compare(BASELINE, CANDIDATE, **AUC)
    apart = compare(BASELINE, CANDIDATE, model="independent", **AUC)
    assert (paired.model, apart.model) == ("paired", "independent")
    assert paired.std < 0.7 * apart.std
    assert (paired.decision, paired.prior, paired.engine) == ("~", "bootstrap", "exact")
    assert paired.baseline.observed == pytest.approx(roc_auc_score(TRUTH, GIVEN[0]), abs=1e-12)
    assert paired.headline.startswith("The two are practically equivalent: AUC")


def test_what_is_about_predicted_classes_is_not_there():
    comparison = compare(BASELINE, CANDIDATE, **AUC)
    assert comparison.to_dict()["bayes_factor"] is None
    assert comparison.prior_density is None
    assert (comparison.largest_drops, comparison.largest_moves, comparison.classical_tests) == ((), (), ())
    assert comparison.contingency is None
    assert not {"BF", "Yang & Liu", "agreement"} & dict(comparison.facts()).keys()


@pytest.mark.parametrize("positive", [0, 1])
def test_at_a_threshold_scores_are_predicted_classes(positive):
    sides = [Scores.from_predictions(TRUTH, given, positive=positive) for given in GIVEN]
    found = compare(*sides, measure="f1@0.6", rope=0.05)
    plain = compare(*(side.at(0.6) for side in sides), measure=f"f1[{positive}]", rope=0.05)
    np.testing.assert_array_equal(found.delta, plain.delta)
    assert (found.measure, found.measure_words) == ("f1@0.6", f"F1 of {positive} at 0.6")
    predicted = np.where(GIVEN[0] >= 0.6, positive, 1 - positive)
    assert found.baseline.observed == pytest.approx(f1_score(TRUTH, predicted, pos_label=positive))


def test_units_widen_the_interval_and_are_told():
    shift = np.repeat(RNG.normal(size=50), 8)  # a cluster's candidate errs in one direction
    noisy = [GIVEN[0], GIVEN[0] + np.where(TRUTH == 1, 0.3, 0) * shift]
    sides = [Scores.from_predictions(TRUTH, given, clusters=CLUSTER) for given in noisy]
    found = compare(*sides, **AUC)
    assert found.clusters.n == (50, 50)
    assert found.clusters.design_effect > 1.5
    low, high = found.clusters.independent_hdi
    assert high - low < found.hdi[1] - found.hdi[0]
    assert "50 clusters, 400 examples" in str(found)


def test_measures_without_bounds_are_not_told_in_points():
    loss = compare(BASELINE, CANDIDATE, measure="neg_log_loss", rope=0.5, n_draws=2_000)
    grades = compare(Scores.from_values([3, 4, 5] * 20), Scores.from_values([4, 4, 5] * 20), measure="mean", rope=2)
    assert (loss.custom_measure, grades.custom_measure) == (True, True)
    assert "rises by 0.3" in grades.headline
    assert grades.labels == ()


@pytest.mark.slow
def test_every_assertion_takes_scores():
    for assertion in (assert_not_worse, assert_not_inferior, assert_equivalent):
        assertion(BASELINE, CANDIDATE, **AUC)
        with pytest.raises(AssertionError, match="≪ AUC −"):
            assertion(BASELINE, WORSE, **AUC)
    assert_better(WORSE, BASELINE, **AUC)
    assert_at_least(BASELINE, 0.8, measure="roc_auc", n_draws=2_000)
    assert_at_least(BASELINE, -1.5, measure="neg_brier_score", n_draws=2_000)
    assert_at_least(BASELINE, 0.5, measure="f1@0.5", n_draws=2_000)
    with pytest.raises(AssertionError, match=r"AUC 0\.\d+ is below the floor of 0\.99"):
        assert_at_least(BASELINE, 0.99, measure="roc_auc", n_draws=2_000)


def test_a_repeated_comparison_finds_the_same():
    np.testing.assert_array_equal(compare(BASELINE, CANDIDATE, **AUC).delta, compare(BASELINE, CANDIDATE, **AUC).delta)


@pytest.mark.parametrize(
    ("sides", "changes", "expected"),
    [
        ((BASELINE, CANDIDATE), {"measure": None}, r"measure: expected a measure of scores .*'f1_macro@0.5'"),
        ((BASELINE, None), {}, "candidate: expected Scores, as baseline, got none"),
        ((BASELINE, CANDIDATE.at(0.5)), {}, "candidate: expected Scores, as baseline, got ConfusionMatrix"),
        (([[1, 2], [3, 4]], CANDIDATE), {}, "candidate: expected list, as baseline, got Scores"),
        ((PairedCounts.from_predictions([0, 1], [0, 1], [0, 1]), CANDIDATE), {}, "expected PairedCounts, as baseline"),
        ((BASELINE.at(0.5), CANDIDATE.at(0.5)), {}, r"'roc_auc', which is about scores\. .*Scores.from_predictions"),
        ((BASELINE.at(0.5), CANDIDATE.at(0.5)), {"measure": "f1@0.5"}, "'f1@0.5', which is about scores"),
        ((BASELINE, CANDIDATE), {"prior": "nested"}, "prior: expected 'auto' for scores"),
        ((BASELINE, CANDIDATE), {"engine": "pymc"}, "engine: expected 'exact' for scores"),
        ((BASELINE, CANDIDATE), {"model": "same-set"}, "model: expected 'paired' or 'independent' for scores"),
        ((BASELINE, Scores.from_predictions(TRUTH[:-1], GIVEN[0][:-1])), {}, "candidate: expected 400 examples"),
        ((BASELINE, CANDIDATE), {"rope": 5}, "rope: expected a difference of scores"),
    ],
)
def test_what_makes_no_sense_is_refused(sides, changes, expected):
    with pytest.raises(InputError, match=expected):
        compare(*sides, **AUC | changes)


def test_a_posterior_of_scores_is_no_prior():
    comparison = compare(BASELINE, CANDIDATE, **AUC)
    with pytest.raises(InputError, match="as_prior: expected a posterior of counts"):
        comparison.as_prior()


def test_counts_are_wanted_where_scores_are_none():
    with pytest.raises(InputError, match=r"baseline: expected counts of predicted classes, .* Scores.at\(threshold\)"):
        pymc_model(BASELINE, CANDIDATE)
    with pytest.raises(InputError, match="floor: expected a score up to 1"):
        assert_at_least(BASELINE, 1.5, measure="roc_auc")


def test_a_threshold_is_not_for_counts_of_one_side():
    with pytest.raises(InputError, match="about scores"):
        assert_at_least(ConfusionMatrix([[5, 1], [1, 5]]), 0.5, measure="f1@0.5")
