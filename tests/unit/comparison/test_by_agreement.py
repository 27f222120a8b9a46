"""Bare matrices of one test set whose agreement is stated."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts, Scores, SpanCounts, compare
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.design import design_comparison, shares
from pytest_bayesf1.gates.manifest import GateSettings
from pytest_bayesf1.gates.policy import Policy
from tests.unit.stats.test_pairings import n_agreed

COUNTS = [[480, 20], [30, 470]], [[465, 35], [55, 445]]
"""Between 86% and 96% can be alike."""


def retrained(n_classes, agreement, seed, n=1_000):
    """Predict, and predict some examples anew."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, n_classes, n)
    first, second = (np.where(rng.random(n) < 0.8, true, rng.integers(0, n_classes, n)) for _ in range(2))
    return PairedCounts.from_predictions(true, first, np.where(rng.random(n) < agreement, first, second))


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 5, 20])
@pytest.mark.parametrize("measure", ["accuracy", "f1_macro"])
def test_with_the_true_agreement_the_result_is_near_the_paired_one(n_classes, measure):
    pairs = retrained(n_classes, 0.9, seed=n_classes)
    arguments = {"measure": measure, "rope": 0.01, "n_draws": 20_000}
    paired = run_comparison(pairs, **arguments)
    alike = n_agreed(pairs.table) / 1_000
    stated = run_comparison(pairs.baseline.counts, pairs.candidate.counts, agreement=alike, **arguments)
    bare = run_comparison(pairs.baseline.counts, pairs.candidate.counts, **arguments)
    assert stated.mean == pytest.approx(paired.mean, abs=0.1 * paired.std)
    assert stated.std == pytest.approx(paired.std, rel=0.1)
    assert bare.std > 1.6 * stated.std


def test_of_two_classes_accuracy_is_known_as_if_the_pairs_were():
    """How many only one side gets right follows from the agreement: nothing else matters to accuracy."""
    pairs = retrained(2, 0.9, seed=1)
    sides, alike = (pairs.baseline.counts, pairs.candidate.counts), n_agreed(pairs.table) / 1_000
    arguments = {"measure": "accuracy", "rope": 0.01, "n_draws": 20_000}
    paired, stated = run_comparison(pairs, **arguments), run_comparison(*sides, agreement=alike, **arguments)
    assert stated.hdi == pytest.approx(paired.hdi, abs=6 * max(paired.mcse_hdi))


def test_it_is_paired_and_says_why():
    found = compare(*COUNTS, measure="accuracy", rope=0.01, agreement=0.93)
    assert (found.model, found.stated_agreement) == ("paired", (0.93, 0.93))
    assert found.model_reason == "the two predict the same on 93% of the examples, as was stated"
    assert (
        "That the two predict the same on 93% of the examples was stated, not counted. Where it is less, the interval "
        "is too narrow. The counts allow 86% to 96%."
    ) in found.notes()
    (table,) = design_comparison(*COUNTS, "auto", agreement=(0.93, 0.93)).experiment.tables
    assert n_agreed(table) == 930


def test_pairs_that_nobody_counted_are_not_told_as_counted():
    found = compare(*COUNTS, measure="accuracy", rope=0.01, agreement=0.93)
    assert (found.contingency, found.paired_outcomes) == (None, None)
    assert [test.name for test in found.classical_tests] == ["p-test"]
    assert not found.changes.knows_examples


def test_of_a_range_the_lower_end_counts():
    found, lowest = (compare(*COUNTS, rope=0.01, agreement=each) for each in ((0.9, 0.95), 0.9))
    assert np.array_equal(found.delta, lowest.delta)
    assert found.model_reason == "the two predict the same on 90% to 95% of the examples, as was stated"
    assert any("The interval is that of 90%, which leaves chance the most room." in note for note in found.notes())


def test_a_range_may_reach_beyond_what_the_counts_allow():
    found, lowest = (compare(*COUNTS, rope=0.01, agreement=each) for each in ((0.5, 1), 0.86))
    assert np.array_equal(found.delta, lowest.delta)


@pytest.mark.parametrize("agreement", [0.5, 0.97, (0, 0.85), (0.97, 1)])
def test_what_the_counts_do_not_allow(agreement):
    with pytest.raises(InputError, match=r"agreement: expected a share from 0\.86 to 0\.96, got"):
        compare(*COUNTS, rope=0.01, agreement=agreement)


def test_the_bounds_in_the_message_can_be_stated():
    sides = [[7, 2], [1, 3]], [[5, 4], [2, 2]]
    with pytest.raises(InputError) as caught:
        compare(*sides, rope=0.01, agreement=0)
    *_, low, _, high = caught.value.expected.split()
    for bound in (low, high):
        assert compare(*sides, rope=0.01, agreement=float(bound)).model == "paired"


@pytest.mark.parametrize(
    ("sides", "given", "where", "found"),
    [
        (COUNTS, {"model": "same-set"}, "agreement", "0.93"),
        (COUNTS, {"model": "independent"}, "agreement", "0.93"),
        ((COUNTS[0], [[465, 35], [55, 446]]), {}, "candidate", "501 examples of class 1 instead of 500"),
    ],
)
def test_what_it_cannot_stand_beside(sides, given, where, found):
    with pytest.raises(InputError) as caught:
        compare(*sides, rope=0.01, agreement=0.93, **given)
    assert (caught.value.where, caught.value.found) == (where, found)


TRUE, OTHER = [0, 1] * 20, [0, 1] * 18 + [1, 0] * 2


@pytest.mark.parametrize(
    "sides",
    [
        (PairedCounts.from_predictions(TRUE, TRUE, OTHER),),
        [ConfusionMatrix.from_predictions(TRUE, side) for side in (TRUE, OTHER)],
    ],
)
def test_predictions_know_better(sides):
    with pytest.raises(InputError, match=r"which tell it, got \(0\.9, 0\.95\)\. These agree on 90%\."):
        compare(*sides, rope=0.01, agreement=(0.9, 0.95))


def test_scores_pair_up():
    sides = [Scores.from_predictions(TRUE, [0.1, 0.9] * 20) for _ in range(2)]
    with pytest.raises(InputError, match="agreement: expected nothing beside scores"):
        compare(*sides, measure="roc_auc", rope=0.01, agreement=0.93)
    with pytest.raises(InputError, match="agreement: expected nothing beside predictions"):
        compare(*sides, measure="f1@0.5", rope=0.01, agreement=0.93)


def test_spans_and_units_have_no_such_share():
    tags = [["B-PER", "O", "B-LOC"]] * 3
    in_clusters = ConfusionMatrix.from_predictions(TRUE, OTHER, clusters=np.repeat(range(10), 4))
    for side, found in ((SpanCounts.from_bio(tags, tags), "spans"), (in_clusters, "examples that belong to clusters")):
        bare = type(side).from_table(side.table, side.labels)
        with pytest.raises(InputError) as caught:
            compare(bare, bare, rope=0.01, agreement=0.93)
        assert (caught.value.where, caught.value.found) == ("agreement", found)


def test_of_labels_it_is_the_share_of_decisions():
    counts = np.array([[[50, 2], [3, 20]], [[30, 12], [10, 23]]])
    other = np.array([[[48, 4], [3, 20]], [[38, 4], [5, 28]]])
    sides = [MultilabelCounts(each, labels=["art", "law"]) for each in (counts, other)]
    found = compare(*sides, measure="accuracy", rope=0.01, agreement=0.88)
    assert found.model_reason == "the two predict the same on 88% of the decisions, as was stated"
    assert found.std < 0.75 * compare(*sides, measure="accuracy", rope=0.01).std


def test_evidence_adds_up():
    first = compare(*COUNTS, rope=0.01, agreement=0.93)
    both = compare(*COUNTS, rope=0.01, agreement=0.93, prior=first.as_prior())
    assert both.std == pytest.approx(first.std / 2**0.5, rel=0.05)


def test_the_manifest_lists_it():
    found = [compare(*COUNTS, rope=0.01, agreement=each) for each in (None, 0.93, (0.9, 0.95))]
    settings = [GateSettings.of(each, Policy.NOT_WORSE.key, "auto").to_dict() for each in found]
    assert [each.get("agreement") for each in settings] == [None, "93%", "90% to 95%"]


def test_it_is_written_as_a_call_takes_it():
    assert [shares((0.93, 0.93)), shares((0.9, 0.955))] == ["0.93", "(0.9, 0.955)"]
