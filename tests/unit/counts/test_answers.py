"""Predictions that are missing or none of the classes, as invalid="wrong" lets them be."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import f1_score

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts, compare
from pytest_bayesf1.data.paired import align
from pytest_bayesf1.errors import UNREADABLE

TRUTH = ["a", "b", "b", "a", "b", "a"]
ANSWERS = ["a", None, "b", "b", "As a language model", "a"]
TABLE = [[2, 1, 0], [0, 1, 2], [0, 0, 0]]


def wrong(y_pred, y_true=TRUTH, **options):
    return ConfusionMatrix.from_predictions(y_true, y_pred, invalid="wrong", **options)


def refused(*columns, **options):
    with pytest.raises(InputError) as caught:
        wrong(*columns, **options)
    return caught.value


def test_they_are_predicted_as_one_class_that_is_never_true():
    matrix = wrong(ANSWERS)
    assert matrix.labels == ("a", "b", UNREADABLE)
    assert matrix.classes == ("a", "b")
    assert matrix.counts.tolist() == TABLE
    assert repr(UNREADABLE) == str(UNREADABLE) == "(unreadable)"


@pytest.mark.parametrize(
    "answers",
    [
        pd.Series(ANSWERS),
        pd.Series(ANSWERS, dtype="string"),
        pl.Series(ANSWERS),
        np.array(ANSWERS, dtype=object),
        np.ma.array(["a", "b", "b", "b", "?", "a"], mask=[0, 1, 0, 0, 0, 0]),
        ["a", float("nan"), "b", "b", 7, "a"],
    ],
    ids=["pandas", "nullable", "polars", "objects", "masked", "of several kinds"],
)
def test_whatever_holds_them(answers):
    assert wrong(answers).counts.tolist() == TABLE


@pytest.mark.parametrize(
    ("truth", "answers"),
    [
        ([0, 1, 1, 0, 1, 0], [0, None, 1, 1, 2, 0]),
        ([0, 1, 1, 0, 1, 0], np.array([0, np.nan, 1, 1, 2, 0])),
        ([0, 1, 1, 0, 1, 0], pd.Series([0, None, 1, 1, 2, 0], dtype="Int64")),
        ([0, 1, 1, 0, 1, 0], [0, "?", 1, 1, "one", 0]),
        ([False, True, True, False, True, False], [False, None, True, True, "yes", False]),
    ],
    ids=["integers", "floats", "nullable integers", "text among integers", "booleans"],
)
def test_labels_of_any_kind(truth, answers):
    matrix = wrong(answers, truth)
    assert matrix.counts.tolist() == TABLE
    assert matrix.labels == (min(truth), max(truth), UNREADABLE)


def test_the_caller_s_labels_are_the_classes():
    matrix = wrong(ANSWERS, labels=["b", "c", "a"])
    assert matrix.labels == ("b", "c", "a", UNREADABLE)
    assert wrong(ANSWERS, labels=matrix.labels) == matrix
    assert refused(ANSWERS, labels=["b", "c"]).where == "y_true"


def test_it_is_a_class_even_when_all_could_be_read():
    assert wrong(TRUTH).labels == ("a", "b", UNREADABLE)


def test_no_answer_at_all():
    assert wrong([None] * 6).counts.tolist() == [[0, 0, 3], [0, 0, 3], [0, 0, 0]]


@pytest.mark.parametrize(
    ("answers", "truth", "expected"),
    [
        (["0", "1", None, "?"], [0, 1, 1, 0], "integers, as in y_true"),
        ([0.3, 0.7, None, 0.5], [0, 1, 1, 0], "class labels"),
        (["1", *(f"0.{digits}" for digits in range(11, 30))], ["1", "0"] * 10, "class labels"),
        (["yes", "no", None, "?"], ["a", "b", "b", "a"], "some of the labels that y_true has"),
        (["A", "b", None, "?"], ["a", "b", "b", "a"], "labels that are spelt as in y_true"),
        ([["a"], ["b"], [], []], ["a", "b", "b", "a"], "a 1-D sequence of class labels"),
        (["a", "b", None], ["a", "b", "b", "a"], "4 labels, as in y_true"),
        (["a", "b", None, "b"], ["a", "a", "a", "a"], "at least two classes"),
        (["a", "b", "b", "b"], ["a", "b", None, "b"], "a class label for every example"),
    ],
    ids=["kinds", "numbers", "scores", "vocabulary", "spelling", "nested", "lengths", "one class", "truth"],
)
def test_what_looks_like_a_mistake_stays_one(answers, truth, expected):
    assert expected in refused(answers, truth).expected


def test_with_listed_labels_too():
    assert "labels that are spelt as in labels" in refused(["A", "b", None, "?", "a", "b"], labels=["a", "b"]).expected
    assert "some of the labels that labels has" in refused(["x"] * 6, labels=["a", "b"]).expected


@pytest.mark.parametrize(
    ("answers", "options"), [(ANSWERS, {}), (["a", "b", "?", "b", "b", "a"], {"labels": ["a", "b"]})]
)
def test_without_it_they_are_errors_that_name_it(answers, options):
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_predictions(TRUTH, answers, **options)
    assert 'invalid="wrong"' in caught.value.advice
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_predictions(answers, TRUTH, **options)
    assert "invalid" not in caught.value.advice


def test_another_word_is_refused():
    with pytest.raises(InputError, match="invalid: expected one of error, wrong, got 'worng'"):
        ConfusionMatrix.from_predictions(TRUTH, ANSWERS, invalid="worng")


def test_a_class_of_that_name_is_another():
    matrix = wrong(["(unreadable)", None], ["(unreadable)", "a"])
    assert matrix.labels == ("(unreadable)", "a", UNREADABLE)
    assert matrix.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]


def test_it_survives_copies():
    copied = pickle.loads(pickle.dumps(UNREADABLE))  # noqa: S301 (written here)
    assert copied is copy.deepcopy(UNREADABLE) is UNREADABLE


def test_pairs():
    pairs = PairedCounts.from_predictions(TRUTH, TRUTH, ANSWERS, invalid="wrong")
    assert pairs.candidate.counts.tolist() == TABLE
    cells = wrong(ANSWERS).cells()
    assert ConfusionMatrix.from_cells(**cells, labels=["a", "b"], invalid="wrong") == wrong(ANSWERS)
    both = PairedCounts.from_cells(["a", "b"], ["a", None], ["a", "b"], [3, 4], labels=["a", "b"], invalid="wrong")
    assert both.baseline.counts.tolist() == [[3, 0, 0], [0, 0, 4], [0, 0, 0]]


@pytest.mark.parametrize("one", [TRUTH, [0, 1, 1, 0, 1, 0]], ids=["strings", "integers"])
def test_a_side_without_it_gets_it_and_has_none(one):
    answers = ANSWERS if one is TRUTH else [0, None, 1, 1, 2, 0]
    plain, read = ConfusionMatrix.from_predictions(one, one), wrong(answers, one)
    for baseline, candidate in ((plain, read), (read, plain)):
        aligned = align(baseline, candidate)
        assert [side.labels for side in aligned] == [(*plain.labels, UNREADABLE)] * 2
        assert sorted(side.counts[:, 2].sum() for side in aligned) == [0, 2]


def test_a_side_of_mere_counts_gets_it_too():
    aligned, _ = align(ConfusionMatrix([[3, 0], [1, 2]]), wrong(ANSWERS))
    assert aligned.labels == ("a", "b", UNREADABLE)
    assert aligned.counts.tolist() == [[3, 0, 0], [1, 2, 0], [0, 0, 0]]


def test_scores_are_those_of_a_class_that_is_in_no_average():
    """scikit-learn averages over the labels that it is given, and counts other predictions as wrong."""
    rng = np.random.default_rng(1)
    truth = rng.integers(3, size=600)
    answers = np.where(rng.random(600) < 0.7, truth, rng.integers(4, size=600))
    result = compare(
        wrong(answers, truth, labels=[0, 1, 2]),
        wrong(truth, truth, labels=[0, 1, 2]),
        rope=0.05,
        n_draws=1_000,
    )
    assert result.baseline.observed == pytest.approx(f1_score(truth, answers, labels=[0, 1, 2], average="macro"))
    assert result.labels == (0, 1, 2)


def test_labels_of_examples_have_no_such_thing():
    with pytest.raises(TypeError):
        MultilabelCounts.from_predictions([{"a"}], [{"a"}], invalid="wrong")
