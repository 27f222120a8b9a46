import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, PairedCounts
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.planning.pilot import assumed_pilot, counted_pilot, with_second_side
from tests.unit.comparison.planning.populations import CLASSES, assumed, dense

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 3, 400)
OLD, NEW = (np.where(RNG.random(400) < right, TRUTH, RNG.integers(0, 3, 400)) for right in (0.8, 0.75))
MATRIX = [[40, 5, 5], [3, 20, 2], [1, 1, 23]]


def test_both_sides_are_as_they_were_counted():
    """An pseudo-observation of each class among 400 hardly tells."""
    pilot = counted_pilot(PairedCounts.from_predictions(TRUTH, OLD, NEW), None, None, "accuracy")
    assert pilot.population.delta == pytest.approx((NEW == TRUTH).mean() - (OLD == TRUTH).mean(), abs=0.01)
    assert pilot.population.agreement == pytest.approx((OLD == NEW).mean(), abs=0.01)
    assert pilot.in_words == "the predictions of both on 400 examples"


def test_matrices_that_keep_their_predictions_are_paired():
    sides = (ConfusionMatrix.from_predictions(TRUTH, predicted) for predicted in (OLD, NEW))
    assert counted_pilot(*sides, None, "accuracy").agreement is None


def test_two_matrices_and_how_often_they_agree():
    sides = (np.multiply(10, matrix) for matrix in (MATRIX, [[38, 7, 5], [4, 19, 2], [1, 1, 23]]))
    pilot = counted_pilot(*sides, 0.9, "accuracy")
    assert pilot.population.agreement == pytest.approx(0.9, abs=0.003)
    assert pilot.population.delta == pytest.approx(-0.03, abs=0.003)
    assert (
        pilot.in_words == "the confusion matrices of both on 1,000 examples, and an agreement of 90% taken for granted"
    )


@pytest.mark.parametrize("agreement", [0.75, 0.9, 0.999])
def test_the_other_side_has_the_same_matrix_and_agrees_as_often_as_was_said(agreement):
    found = counted_pilot(MATRIX, None, agreement, "f1_macro").population
    assert found.agreement == pytest.approx(agreement)
    assert found.delta == pytest.approx(0, abs=1e-12)
    for side in (1, 2):
        np.testing.assert_allclose(dense(found).sum(axis=3 - side), np.divide(MATRIX, 100))


def test_the_other_side_is_a_mixture():
    """In a plain loop: it repeats the prediction, or makes one afresh."""
    matrix = np.divide(MATRIX, 100)
    found = dense(counted_pilot(MATRIX, None, 0.9, "accuracy").population)
    rows = matrix / matrix.sum(axis=1, keepdims=True)
    by_chance = (matrix * rows).sum()
    afresh = 0.1 / (1 - by_chance)
    for j, k, l in np.ndindex(3, 3, 3):  # noqa: E741
        expected = matrix[j, k] * (afresh * rows[j, l] + (1 - afresh) * (k == l))
        assert found[j, k, l] == pytest.approx(expected)


def test_shares_and_accuracies():
    found = dense(assumed(accuracy={"ham": 0.9, "spam": 0.8, "eggs": 0.5}).population).sum(axis=2)
    np.testing.assert_allclose(found.sum(axis=1), [0.6, 0.3, 0.1])
    np.testing.assert_allclose(found.diagonal(), [0.54, 0.24, 0.05])
    assert found[2, 0] == pytest.approx(2 * found[2, 1])  # ham is twice as frequent as spam


def test_a_pilot_that_was_drawn_anew_scatters_as_pilots_do():
    pilot, rng = counted_pilot(PairedCounts.from_predictions(TRUTH, OLD, NEW), None, None, "accuracy"), RNG
    deltas = [pilot.redrawn(rng).population.delta for _ in range(300)]
    expected = np.std((NEW == TRUTH).astype(int) - (OLD == TRUTH)) / np.sqrt(400)
    assert np.std(deltas) == pytest.approx(expected, rel=0.2)
    taken = assumed()
    assert taken.redrawn(rng) is taken


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: counted_pilot(MATRIX, None, None, "accuracy"), "agreement: expected how often both predict the same"),
        (lambda: counted_pilot(MATRIX, None, 1, "accuracy"), "got 1. Two that never differ need no test"),
        (lambda: counted_pilot(MATRIX, None, "0.9", "accuracy"), "got '0.9'"),
        (
            lambda: counted_pilot(MATRIX, None, 0.4, "accuracy").population,
            "expected 70.8% or more, which two such classifiers",
        ),
        (lambda: counted_pilot(MATRIX, MATRIX, None, "accuracy"), "candidate: expected predictions on the same"),
        (
            lambda: counted_pilot(PairedCounts.from_predictions(TRUTH, OLD, NEW), None, 0.9, "accuracy"),
            "agreement: expected nothing beside predictions, which tell it",
        ),
        (lambda: counted_pilot(MATRIX, None, 0.9, "f2_macro"), "measure"),
        (
            lambda: counted_pilot(MultilabelCounts([[[5, 1], [1, 3]], [[2, 2], [1, 5]]]), None, 0.9, "accuracy"),
            "baseline: expected one class per example, got labels or spans",
        ),
        (
            lambda: counted_pilot(
                ConfusionMatrix.from_predictions(TRUTH, OLD, clusters=np.arange(400) // 4), None, 0.9, "accuracy"
            ),
            "expected examples that are drawn on their own, got clusters",
        ),
        (lambda: assumed(shares=[0.5, 0.5]), "shares: expected the share of every class by its label"),
        (lambda: assumed(shares={"ham": 0.5, "spam": 0.4}), "they add up to 1, got 0.9 in all"),
        (lambda: assumed(shares={"ham": 1.5, "spam": -0.5}), r"shares\['ham'\]: expected a number between 0 and 1"),
        (lambda: assumed(shares={"ham": 0.5, "spam": "half"}), r"shares\['spam'\]: .*, got 'half'"),
        (lambda: assumed(accuracy=None), "accuracy: expected the share that is predicted rightly.*, got nothing"),
        (lambda: assumed(accuracy=90), "accuracy: .*, got 90"),
        (lambda: assumed(accuracy={"ham": 0.9}), r"accuracy\['spam'\]: .*, got nothing"),
        (lambda: assumed(accuracy={**dict.fromkeys(CLASSES, 0.9), "egg": 0.9}), "Did you mean 'eggs'"),
    ],
)
def test_what_cannot_be_planned_from(call, told):
    with pytest.raises(InputError, match=told):
        call()


def test_too_many_outcomes():
    side = assumed_pilot(dict.fromkeys(range(110), 1 / 110), 0.9, 0.95, "accuracy").table
    with pytest.raises(InputError, match="fewer than 1,000,000 possible outcomes"):
        with_second_side(side, 0.95)
