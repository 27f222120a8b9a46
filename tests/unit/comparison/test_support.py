"""Classes that the truth never has: what becomes of them, and who is told."""

import json
import warnings

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, PairedCounts, assert_at_least, assert_better, compare
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.errors import UnexpectedPredictionsWarning
from pytest_bayesf1.results.comparison import UnsupportedClass
from pytest_bayesf1.words.notes import notes_on, sides_of, warnings_about

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
    unexpected = run_comparison(pairs(with_stray(BASELINE)), rope=0.005, measure=measure, model=model, n_draws=4_000)
    assert unexpected.decision == clean.decision
    one_example = 3 / 1_000  # of a class's score, and Monte Carlo error
    assert unexpected.hdi == pytest.approx(clean.hdi, abs=one_example)
    assert unexpected.labels == clean.labels == ("a", "b", "c")


@pytest.mark.parametrize(("owners", "by"), [("ab", "either side"), ("abc", "each")])
def test_all_that_predict_it_as_often_are_told_at_once(owners, by):
    (note,) = notes_on([UnsupportedClass("n/a", (2,) * len(owners))], [(owner, 9) for owner in owners])
    assert note == f"'n/a': predicted 2 times by {by}, never true: counted as wrong, in no average."


def test_an_example_of_the_audit():
    """Two predictions of a new class among 20,000 once made macro-F1 fall by 13.7 points."""
    truth = np.arange(20_000) % 3
    predicted = np.where(np.random.default_rng(0).random(20_000) < 0.75, truth, (truth + 1) % 3)
    new = predicted.copy()
    new[:2] = 3
    lost = run_comparison(PairedCounts.from_predictions(truth, predicted, new), rope=0.005)
    assert lost.decision == "~"
    assert lost.mean == pytest.approx(-0.0001, abs=0.00003)
    with pytest.raises(AssertionError):
        assert_better(PairedCounts.from_predictions(truth, new, predicted), rope=0.005)


def test_it_counts_as_wrong():
    unexpected = run_comparison(pairs(with_stray(BASELINE, 300), BASELINE), measure="accuracy", rope=0.01)
    right = np.mean(np.array(with_stray(BASELINE, 300)) == TRUTH)
    assert unexpected.baseline.observed == pytest.approx(right)
    assert unexpected.decision == ">>"


def test_the_result_says_so():
    result = run_comparison(pairs(with_stray(BASELINE), with_stray(CANDIDATE, 3)), rope=0.05)
    assert result.unsupported == (UnsupportedClass("I cannot answer", (1, 3)),)
    note = result.notes()[0]
    assert note.startswith(
        "'I cannot answer': predicted 1 time by the baseline and 3 times by the candidate, never true: "
    )
    assert note.endswith("counted as wrong, in no average.")
    assert note in " ".join(str(result).split())
    (found,) = json.loads(json.dumps(result.to_dict()["unsupported"]))
    assert found == {"label": "I cannot answer", "predicted": [1, 3]}


def test_of_a_long_answer_the_beginning_is_told():
    answer = "As a language model I cannot " + "really " * 100 + "say."
    note = run_comparison(pairs(with_stray(BASELINE, answer=answer)), rope=0.05, n_draws=1_000).notes()[0]
    assert note.startswith("'As a language model I cannot really ")
    assert len(note) < 200


def test_labels_that_are_named_for_nothing():
    result = run_comparison(pairs(labels=["a", "b", "c", "d"]), rope=0.05)
    assert result.notes()[0] == "'d': never predicted, never true: in no average."
    assert result.baseline.observed == run_comparison(pairs(), rope=0.05).baseline.observed


def test_many_of_them_are_told_together():
    answers = [f"answer {number}" for number in range(9)]
    result = run_comparison(pairs([*answers, *BASELINE[9:]]), rope=0.05)
    told = result.notes()[:6]
    assert told[4].startswith("'answer 4': predicted 1 time by the baseline")
    assert told[5] == "4 more classes that are never true: predicted 4 times by the baseline."


@pytest.mark.slow
@pytest.mark.parametrize(("n", "warned"), [(30, False), (31, True)])
def test_more_than_one_in_a_hundred_is_a_warning(n, warned):
    side = ConfusionMatrix.from_predictions(TRUTH.tolist(), with_stray(CANDIDATE, n))
    for call in (
        lambda: compare(pairs(BASELINE, with_stray(CANDIDATE, n)), rope=0.4),
        lambda: assert_at_least(side, 0.1),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        found = [each for each in caught if each.category is UnexpectedPredictionsWarning]
        assert [each.filename for each in found] == [__file__] * warned
        if warned:
            assert "(31 of 3,000)" in str(found[0].message)
            assert "'I cannot answer'" in str(found[0].message)


def test_a_warning_is_about_what_its_own_side_predicts():
    """Of every class the sides predict another number, and they have other test sets."""
    found = [UnsupportedClass("n/a", (40, 0)), UnsupportedClass("?", (0, 3)), UnsupportedClass("-", (2, 4))]
    baseline, candidate = map(str, warnings_about(found, sides_of((2_000, 500))))
    asked = "are classes that the truth never has:"
    assert baseline.startswith(f"2.1% of what the baseline predicts (42 of 2,000) {asked} 'n/a', '-'. They")
    assert candidate.startswith(f"1.4% of what the candidate predicts (7 of 500) {asked} '?', '-'. They")
    assert [*warnings_about(found, sides_of((4_200, 700)))] == []  # one in a hundred, not more


def test_an_estimate_averages_over_the_classes_that_have_examples():
    clean = assert_at_least(ConfusionMatrix.from_predictions(TRUTH.tolist(), BASELINE.tolist()), 0.5)
    unexpected = assert_at_least(ConfusionMatrix.from_predictions(TRUTH.tolist(), with_stray(BASELINE)), 0.5)
    assert unexpected.n_classes == clean.n_classes == 3
    assert unexpected.score.hdi == pytest.approx(clean.score.hdi, abs=0.002)
    assert unexpected.notes()[0].startswith("'I cannot answer': predicted 1 time, never true")


def test_evidence_adds_up_where_a_class_comes_later():
    y_true, y_pred = ["a", "b"] * 50, ["a", "b"] * 45 + ["b", "c"] * 5
    first = PairedCounts.from_predictions(y_true, y_pred, y_pred)
    later = PairedCounts.from_predictions(["c", "c", *y_true], ["c", "a", *y_pred], ["c", "c", *y_pred])
    columns = [*y_true, "c", "c", *y_true], [*y_pred, "c", "a", *y_pred], [*y_pred, "c", "c", *y_pred]
    both = PairedCounts.from_predictions(*columns)
    prior = run_comparison(first, rope=0.05, prior="hierarchical", n_draws=2_000).as_prior()
    in_turn = run_comparison(later, rope=0.05, prior=prior, n_draws=2_000)
    together = run_comparison(both, rope=0.05, prior="hierarchical", n_draws=2_000)
    assert in_turn.unsupported == together.unsupported == ()
    assert in_turn.delta.tolist() == together.delta.tolist()
