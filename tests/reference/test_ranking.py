"""Rankings of several systems, against comparisons of two of them, a naive sampler, and the bootstrap."""

from itertools import combinations

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import ks_2samp
from sklearn.metrics import accuracy_score, f1_score

from benchmarks.studies.ranking import Setting, simulate
from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, Scores, SpanCounts, compare, rank
from pytest_bayesf1.stats.ranks import expected_losses, rank_probabilities, shrink_jointly
from tests.unit.ranked import predictions, systems

DRAWS = 20_000
ROPE = 0.01


def shift_and_spread(given, measure, drawn_in=0.0, **asked):
    """Return how far every pair's delta lies from the comparison's, in standard deviations, and the ratio of these.

    A share of delta that the prior draws in more on one side than on the other is no shift.
    """
    ranking = rank(given, measure=measure, rope=ROPE, n_draws=DRAWS, **asked)
    found = []
    for one, other in combinations(given, 2):
        alone = compare(given[one], given[other], measure=measure, rope=ROPE, n_draws=DRAWS, **asked)
        delta = ranking.draws[other] - ranking.draws[one]
        shift = abs(delta.mean() - alone.mean) - drawn_in * abs(alone.mean)
        found.append((max(shift, 0) / alone.std, abs(delta.std() / alone.std - 1)))
    return np.array(found).max(axis=0)


def labels(n_examples=400):
    rng = np.random.default_rng(3)
    true, hardness = rng.random((n_examples, 5)) < 0.3, rng.random((n_examples, 5))
    wrong = [hardness + rng.random(true.shape) < limit for limit in (0.6, 0.65, 0.7)]
    return {str(place): MultilabelCounts.from_predictions(true, true ^ each) for place, each in enumerate(wrong)}


def spans(n_documents=80):
    rng = np.random.default_rng(4)
    gold = [
        [(3 * place, 3 * place + 1, str(rng.choice(["LOC", "PER"]))) for place in range(8)] for _ in range(n_documents)
    ]
    given = {}
    for system in range(3):
        found = [[span for span in each if rng.random() < 0.8 + 0.03 * system] + [(90, 91, "PER")] for each in gold]
        given[str(system)] = SpanCounts.from_spans(gold, found)
    return given


def scores(n_examples=400):
    rng = np.random.default_rng(5)
    true, noise = rng.random(n_examples) < 0.4, rng.normal(size=n_examples)
    given = [expit(gain * true - 0.5 + noise + rng.normal(size=n_examples)) for gain in (1.0, 1.2, 1.4)]
    return {str(place): Scores.from_predictions(true, each) for place, each in enumerate(given)}


def clusters(n_classes):
    return systems(n_classes=n_classes, clusters=np.arange(400) // 5)


@pytest.mark.one_of_many
@pytest.mark.filterwarnings("ignore::pytest_bayesf1.WeakBaselineWarning")
@pytest.mark.parametrize(
    ("given", "measure"),
    [
        (lambda: systems(n_classes=2), "f1"),
        (lambda: systems(n_classes=2), "accuracy"),
        (lambda: clusters(3), "f1_macro"),
        (lambda: clusters(2), "accuracy"),
        (labels, "f1_macro"),
        (labels, "f1_micro"),
        (spans, "f1_micro"),
        (spans, "f1_macro"),
        (scores, "roc_auc"),
        (scores, "f1@0.5"),
    ],
)
def test_every_two_systems_are_drawn_as_in_a_comparison_of_their_own(given, measure):
    """Of these the models are the same or hardly differ; 20,000 draws know two means' difference to 0.01 deviations."""
    shift, spread = shift_and_spread(given(), measure, drawn_in=0.01)
    assert shift < 0.04
    assert spread < 0.028


@pytest.mark.one_of_many
@pytest.mark.parametrize(("n_examples", "most"), [(1_000, 0.1), (300, 0.2), (10_000, 0.05)])
@pytest.mark.parametrize("measure", ["f1_macro", "accuracy"])
def test_with_more_classes_the_nested_prior_is_not_far(n_examples, most, measure):
    shift, spread = shift_and_spread(systems(n_examples, (0.6, 0.65, 0.7), n_classes=8), measure)
    assert shift < 2 * most
    assert spread < most


def naive_macro_f1(true, predicted, n_classes, n_draws, rng):
    """Draw by the definition: a weight for every example, and sticks of what every class's imagined ones weigh."""
    n_systems, n_examples = predicted.shape
    wrong = predicted != true
    drawn = np.empty((n_systems, n_draws))
    for draw in range(n_draws):
        weights, rows, answers = [rng.standard_exponential(n_examples)], [true], [predicted]
        for own in range(n_classes):
            left, n_sticks = np.cumprod(np.append(1.0, rng.random(40))), 40  # a stick is Beta(1, 1) of what is left
            weights.append(rng.standard_exponential() * -np.diff(left))
            like = rng.integers(n_examples + 2, size=n_sticks)
            patterns = np.where(like < n_examples, wrong[:, like % n_examples], rng.random((n_systems, n_sticks)) < 0.5)
            other = (own + rng.integers(1, n_classes, size=patterns.shape)) % n_classes
            rows.append(np.full(n_sticks, own))
            answers.append(np.where(patterns, other, own))
        weight, row, answer = np.concatenate(weights), np.concatenate(rows), np.concatenate(answers, axis=1)
        drawn[:, draw] = [f1_score(row, each, average="macro", sample_weight=weight) for each in answer]
    return drawn


def test_a_naive_sampler_draws_the_same():
    true, predicted = predictions(60, (0.6, 0.7, 0.8))
    given = {str(place): ConfusionMatrix.from_predictions(true, each) for place, each in enumerate(predicted)}
    ranking = rank(given, rope=ROPE, n_draws=DRAWS)
    naive = naive_macro_f1(true, predicted, 3, 200, np.random.default_rng(0))
    for system in range(3):
        own, other = ranking.draws[str(system)], ranking.draws[str((system + 1) % 3)]
        assert ks_2samp(own, naive[system]).pvalue > 1e-3
        assert ks_2samp(own - other, naive[system] - naive[(system + 1) % 3]).pvalue > 1e-3


def test_the_bootstrap_agrees_about_who_is_the_best():
    true, predicted = predictions(2_000, (0.7, 0.71, 0.72, 0.73), n_classes=3)
    given = {str(place): ConfusionMatrix.from_predictions(true, each) for place, each in enumerate(predicted)}
    ranking = rank(given, measure="accuracy", rope=ROPE, n_draws=DRAWS)
    observed = [accuracy_score(true, each) for each in predicted]
    assert [ranking[str(place)].observed for place in range(4)] == pytest.approx(observed)
    rng = np.random.default_rng(1)
    drawn = rng.multinomial(2_000, np.full(2_000, 1 / 2_000), size=2_000) @ (predicted == true).T
    best = drawn == drawn.max(axis=1, keepdims=True)
    scores = np.stack([ranking.draws[str(place)] for place in range(4)])  # not shrunk toward each other
    shares = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    assert rank_probabilities(scores)[:, 0] == pytest.approx(shares, abs=0.04)
    loss = (drawn.max(axis=1, keepdims=True) - drawn).mean(axis=0) / 2_000
    assert expected_losses(scores) == pytest.approx(loss, abs=0.0008)
    assert 0.25 < rank_probabilities(shrink_jointly(scores, rng))[:, 0].max() < shares.max()


@pytest.mark.long
@pytest.mark.parametrize("setting", [Setting(2, 300), Setting(5, 500)])
def test_intervals_of_differences_and_of_ranks_hold_the_truth(setting):
    """In 200 test sets of five systems; benchmarks/studies/ranking.md has more of them."""
    outcomes = simulate(setting, 200, seed=1)
    assert 0.92 < np.mean([each.held for each in outcomes]) < 0.98
    assert np.mean([each.ranks_held for each in outcomes]) > 0.92
