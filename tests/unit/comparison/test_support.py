"""Classes that the truth never has: what becomes of them, and who is told."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, PairedCounts, assert_at_least
from pytest_bayesf1.comparison.compare import run_comparison

N = 3_000
MODELS = ["paired", "same-set", "independent"]
TRUTH = np.array(["a", "b", "c"])[np.arange(N) % 3]
BASELINE = np.where(np.arange(N) % 5 == 0, "a", TRUTH)
CANDIDATE = np.where(np.arange(N) % 17 == 0, "b", BASELINE)


def with_stray(predictions, n=1, answer="I cannot answer"):
    changed = predictions.astype(object)
    changed[1 : n + 1] = answer
    return changed.tolist()


def pairs(baseline=BASELINE, candidate=CANDIDATE, labels=None):
    return PairedCounts.from_predictions(TRUTH.tolist(), list(baseline), list(candidate), labels=labels)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("measure", ["f1_macro", "recall_macro", "precision_macro", "g_mean", "f1[a]"])
@pytest.mark.one_of_many
def test_one_stray_answer_moves_nothing(model, measure):
    clean = run_comparison(pairs(), rope=0.005, measure=measure, model=model, n_draws=4_000)
    stray = pairs(BASELINE, with_stray(CANDIDATE))
    unexpected = run_comparison(stray, rope=0.005, measure=measure, model=model, n_draws=4_000)
    assert unexpected.decision == clean.decision
    one_example = 3 / 1_000  # of a class's score, and Monte Carlo error
    assert unexpected.hdi == pytest.approx(clean.hdi, abs=one_example)
    assert unexpected.labels == clean.labels == ("a", "b", "c")


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnexpectedPredictionsWarning")
def test_an_estimate_averages_over_the_classes_that_have_examples():
    clean = assert_at_least(ConfusionMatrix.from_predictions(TRUTH.tolist(), BASELINE.tolist()), 0.5)
    unexpected = assert_at_least(ConfusionMatrix.from_predictions(TRUTH.tolist(), with_stray(BASELINE)), 0.5)
    assert unexpected.n_classes == clean.n_classes == 3
    assert unexpected.score.hdi == pytest.approx(clean.score.hdi, abs=0.002)
    assert unexpected.notes()[0].startswith("1 of 3,000 answers is no class: 'I cannot answer'")


def test_evidence_adds_up_where_a_class_comes_later():
    y_true, y_pred = ["a", "b"] * 50, ["a", "b"] * 45 + ["b", "c"] * 5
    first = PairedCounts.from_predictions(y_true, y_pred, y_pred, labels=["a", "b", "c"])
    later = PairedCounts.from_predictions(["c", "c", *y_true], ["c", "a", *y_pred], ["c", "c", *y_pred])
    columns = [*y_true, "c", "c", *y_true], [*y_pred, "c", "a", *y_pred], [*y_pred, "c", "c", *y_pred]
    both = PairedCounts.from_predictions(*columns)
    prior = run_comparison(first, rope=0.05, prior="hierarchical", n_draws=2_000).as_prior()
    in_turn = run_comparison(later, rope=0.05, prior=prior, n_draws=2_000)
    together = run_comparison(both, rope=0.05, prior="hierarchical", n_draws=2_000)
    assert in_turn.unsupported == together.unsupported == ()
    assert in_turn.delta.tolist() == together.delta.tolist()
