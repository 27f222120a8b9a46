"""A baseline must know something: how often it is refused, of baselines that were misread and of real ones."""

import numpy as np
import pytest

from pytest_bayesf1 import (
    ConfusionMatrix,
    InputError,
    MultilabelCounts,
    Scores,
    SpanCounts,
    WeakBaselineWarning,
    compare,
)
from pytest_bayesf1.comparison.compare import ComparisonTask

N_SETS = 200


def task(side, measure="accuracy", **asked):
    return ComparisonTask.of(side, side, rope=0.01, measure=measure, **asked)


def refused(made, n_sets=N_SETS):
    """Return the share of test sets whose baseline is refused."""
    found = 0
    for seed in range(n_sets):
        true, said, n_classes = made(np.random.default_rng(seed))
        try:
            task(ConfusionMatrix.from_predictions(true, said, labels=range(n_classes)))
        except InputError as error:
            assert "weak_baseline" in error.advice  # noqa: PT017
            found += 1
    return found / n_sets


def model(rng, n, n_classes, kappa):
    true, guessed = rng.integers(0, n_classes, (2, n))
    return true, np.where(rng.random(n) < kappa, true, guessed), n_classes


def shuffled(rng):
    true, said, n_classes = model(rng, 60, 3, 0.85)
    return true, rng.permutation(said), n_classes


def renamed(rng):
    true, said, n_classes = model(rng, 60, 3, 0.7)
    return true, (said + 1) % 3, n_classes


def rare(rng):
    """Draw 5% of 400, of which a fifth is found: the usual variance of kappa would refuse two in three."""
    true = np.arange(400) < 20
    return true.astype(int), (rng.random(400) < np.where(true, 0.2, 0.005)).astype(int), 2


@pytest.mark.parametrize(
    ("made", "low", "high"),
    [(shuffled, 0.92, 0.99), (renamed, 1, 1), (lambda rng: model(rng, 100, 3, 0.4), 0, 0.02), (rare, 0, 0.09)],
)
def test_how_often_classes_are_refused(made, low, high):
    assert low <= refused(made) <= high


RNG = np.random.default_rng(3)
MARKED = RNG.random((200, 5)) < 0.4
FOUND = MARKED ^ (RNG.random((200, 5)) < 0.2)
TRUE = RNG.integers(0, 2, 200)
GIVEN = (TRUE + 2 * RNG.random(200)) / 3
GOLD = [[(at, at + 2, "PER")] for at in range(60)]


@pytest.mark.parametrize(
    ("side", "measure", "told"),
    [
        (MultilabelCounts.from_predictions(MARKED, ~FOUND), "f1_micro", "fewer than by chance"),
        (MultilabelCounts.from_predictions(MARKED, np.roll(FOUND, 1, axis=0)), "f1_micro", "no better than by chance"),
        (Scores.from_predictions(TRUE, 1 - GIVEN), "roc_auc", "higher the less likely"),
        (Scores.from_predictions(TRUE, RNG.permutation(GIVEN)), "roc_auc", "no better than chance"),
        (SpanCounts.from_spans(GOLD, [[(a, b + 1, c)] for ((a, b, c),) in GOLD]), "f1_micro", "0 of its 60 spans"),
    ],
)
def test_other_kinds(side, measure, told):
    with pytest.raises(InputError, match=rf"^baseline: .*{told}"):
        task(side, measure)
    assert not task(side, measure, weak_baseline=True).answer().suspicions.weakness


def test_answers_that_are_no_class_mean_none():
    said = np.where(TRUE == 1, TRUE, None)
    side = ConfusionMatrix.from_predictions(TRUE, said, invalid="wrong")
    assert not task(side).answer().suspicions.weakness


def test_few_examples_only_warn():
    with pytest.warns(WeakBaselineWarning, match="1 meant 0"):
        compare([[2, 20], [20, 2]], [[2, 20], [20, 2]], rope=0.01, n_draws=1_000)
