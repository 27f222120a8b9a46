"""What passes for class labels, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts

N = 627
RNG = np.random.default_rng(5)
TRUTH = RNG.integers(0, 2, N)
SCORES = RNG.random(N).round(3)
NO_PROBABILITIES = "Pass labels, not probabilities."


def text(values):
    return [f"{value}" for value in values]


def refused(y_true, y_pred, **options):
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_predictions(y_true, y_pred, **options)
    return caught.value


def passes(y_true, y_pred):
    return ConfusionMatrix.from_predictions(y_true, y_pred).labels


@pytest.mark.parametrize(
    "scores",
    [
        text(SCORES),
        text(SCORES.round(1)),
        [f"{score:.1e}" for score in SCORES],
        [f"{score}".replace(".", ",") for score in SCORES],
        text(np.where(SCORES < 0.3, 0, np.where(SCORES > 0.9, 1, 0.5))),
        text(np.where(SCORES < 0.9, TRUTH, SCORES)),
    ],
    ids=["three digits", "one digit", "exponents", "decimal commas", "halves", "most are certain"],
)
def test_probabilities_are_no_labels(scores):
    error = refused(text(TRUTH), scores)
    assert error.where == "y_pred"
    assert error.expected == "class labels"
    assert "with a fraction (" in error.found
    assert error.advice == NO_PROBABILITIES


def test_every_side_is_checked():
    with pytest.raises(InputError, match=f"candidate_pred: .*{NO_PROBABILITIES}"):
        PairedCounts.from_predictions(text(TRUTH), text(TRUTH), text(SCORES))


def test_the_columns_may_be_swapped():
    assert refused(text(SCORES), text(TRUTH)).where == "y_true"


def test_probabilities_are_not_among_labels_that_the_caller_lists():
    assert refused(text(TRUTH), text(SCORES), labels=["0", "1"]).advice == NO_PROBABILITIES


def test_a_crosstab_of_probabilities():
    table = pd.crosstab(pd.Series(text(TRUTH)), pd.Series(text(SCORES.round(1))))
    with pytest.raises(InputError, match=f"columns: .*{NO_PROBABILITIES}"):
        ConfusionMatrix(table)


HALVES = ["1", "1.5", "2", "2.5", "3", "3.5", "4"]


@pytest.mark.parametrize(
    ("y_true", "y_pred"),
    [
        (HALVES * 9, HALVES[1:] * 9 + ["4.5"] * 9),
        (["3.10", "3.11"] * 50, ["3.10", "3.12"] * 50),
        (["3.11", "3.12"] * 50, ["3.11", "3.13"] * 49 + ["3.14", "3.9"]),
        (["1", "2", "3", "4", "5"] * 60, ["1", "2", "3", "4", "5"] * 59 + ["1", "2", "3.5", "4", "4.5"]),
        (["spam", "ham"] * 50, ["spam", "ham"] * 49 + ["spam", "0.5"]),
        (["1.5", "2.5"], ["1.5", "1.5"]),
    ],
    ids=["ratings in half steps", "versions", "new versions", "stray fractions", "a stray score", "two"],
)
def test_classes_that_are_written_with_a_fraction(y_true, y_pred):
    assert set(passes(y_true, y_pred)) == {*y_true, *y_pred}


@pytest.mark.parametrize(
    ("y_true", "y_pred", "found"),
    [
        (["ham", "spam"], ["0", "1"], "others only ('0', '1')"),
        ([0, 1, 2], [3, 3, 4], "others only (3, 4)"),
        (list("abcd"), list("wxyz"), "others only ('w', 'x', 'y', ...)"),
    ],
)
def test_predictions_that_share_nothing_with_the_truth(y_true, y_pred, found):
    error = refused(y_true, y_pred)
    assert (error.where, error.found) == ("y_pred", found)
    assert "some of the labels that y_true has" in error.expected
    assert "Are these the right columns?" in error.advice
    assert ConfusionMatrix.from_predictions(y_true, y_pred, labels=sorted({*y_true, *y_pred})).n_samples == len(y_true)


def test_one_true_class_that_is_never_found_is_no_mistake():
    assert passes(["ham", "ham"], ["spam", "spam"]) == ("ham", "spam")


@pytest.mark.parametrize(
    ("y_true", "y_pred", "n_labels"),
    [
        (TRUTH, RNG.integers(0, 101, N), 99),
        (np.arange(N) % 7, np.arange(N), 620),
        (text(TRUTH), [f"It is {number}." if number > 200 else "1" for number in range(N)], 426),
    ],
    ids=["per cent", "row numbers", "free text"],
)
def test_more_labels_than_can_be_classes(y_true, y_pred, n_labels):
    error = refused(y_true, y_pred)
    assert error.where == "y_pred"
    assert f"{n_labels} labels that y_true never has (" in error.found
    assert "Are these scores, ids or free text?" in error.advice


@pytest.mark.parametrize(
    ("y_true", "y_pred"),
    [
        (np.arange(2_000) % 3, np.r_[np.arange(1_999) % 3, 7]),
        (text(np.arange(1_000) % 3), [f"I cannot answer {n}" if n < 450 else f"{n % 3}" for n in range(1_000)]),
        (np.arange(1_000) % 20, (np.arange(1_000) * 7 + 13) % 200),
        (np.arange(101), np.arange(101)),
        (np.arange(30), np.r_[np.arange(20), np.arange(20) + 100][:30]),
        (list("ab"), list("ac")),
    ],
    ids=["one stray", "many unexpected", "a tenth of the classes", "one example each", "few shots", "two examples"],
)
def test_new_classes_and_stray_answers_are_labels(y_true, y_pred):
    assert len(passes(y_true, y_pred)) == len({*y_true, *y_pred})
