"""Counts and predictions written out by names."""

import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts

Y_TRUE, Y_PRED = ["ham", "ham", "spam"], ["spam", "ham", "spam"]


def test_the_cells_that_are_not_0():
    matrix = ConfusionMatrix([[50, 0, 2], [5, 43, 0], [0, 0, 9]], labels=["b", "a", "c"])
    cells = {"y_true": ["b", "b", "a", "a", "c"], "y_pred": ["b", "c", "b", "a", "c"], "count": [50, 2, 5, 43, 9]}
    assert matrix.cells() == cells
    assert ConfusionMatrix.from_cells(**cells, labels=matrix.labels) == matrix


def test_cells_may_come_in_any_order_and_in_parts():
    matrix = ConfusionMatrix.from_cells(["b", "a", "b"], ["a", "a", "a"], [1, 0, 2], labels=["a", "b"])
    assert matrix.counts.tolist() == [[0, 0], [3, 0]]
    assert matrix.labels_from == "caller"


@pytest.mark.parametrize(
    ("y_true", "y_pred", "count", "where"),
    [
        (["a", "b"], ["a", "c"], [1, 2], "y_pred"),
        (["a", "b"], ["a"], [1, 2], "y_pred"),
        (["a", "b"], ["a", "b"], [1, -2], "counts[1]"),
        (["a", "b"], ["a", "b"], [1, 0.5], "counts[1]"),
        (["a", "b"], ["a", "b"], [1, 2, 3], "counts"),
        (["a", "b"], ["a", "b"], [1], "counts"),
        (["a", "b"], ["a", "b"], 7, "counts"),
        (["a", "b"], ["a", "b"], ["1", "2"], "counts"),
    ],
)
def test_cells_that_do_not_serve(y_true, y_pred, count, where):
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_cells(y_true, y_pred, count, labels=["a", "b"])
    assert caught.value.where == where


def test_joint_outcomes_of_two_classifiers():
    pairs = PairedCounts.from_cells(
        ["b", "a", "b", "b"], ["a", "a", "b", "a"], ["b", "a", "a", "b"], [2, 5, 0, 1], labels=["a", "b"]
    )
    assert (pairs.labels, pairs.n_samples) == (("a", "b"), 8)
    assert pairs.baseline.counts.tolist() == [[5, 0], [3, 0]]
    assert pairs.candidate.counts.tolist() == [[5, 0], [0, 3]]
    with pytest.raises(InputError, match="candidate_pred: expected 2 labels, as in y_true"):
        PairedCounts.from_cells(["a", "b"], ["a", "b"], ["a"], [1, 2], labels=["a", "b"])


def test_every_labels_cells():
    counts = MultilabelCounts([[[2, 0], [2, 1]], [[3, 0], [1, 1]]], labels=["war", "art"])
    assert counts.cells() == {"label": ["war", "art"], "tn": [2, 3], "fp": [0, 0], "fn": [2, 1], "tp": [1, 1]}


def test_examples_without_ids_are_written_in_their_order():
    matrix = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)
    assert matrix.predictions.columns(matrix.labels) == {"y_true": Y_TRUE, "y_pred": Y_PRED}


@pytest.mark.parametrize(("ids", "ordered"), [(["c", "a", "b"], ["a", "b", "c"]), ([10, -3, 9], [-3, 9, 10])])
def test_examples_with_ids_are_written_in_the_order_of_these(ids, ordered):
    matrix = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=ids)
    columns = matrix.predictions.columns(matrix.labels)
    assert columns == {"id": ordered, "y_true": ["ham", "spam", "ham"], "y_pred": ["ham", "spam", "spam"]}
    assert list(columns) == ["id", "y_true", "y_pred"]


def test_an_examples_labels_are_written_in_the_order_of_the_labels():
    counts = MultilabelCounts.from_predictions(
        [{"art", "war"}, set()], [{"law"}, {"art", "law", "war"}], labels=["war", "law", "art"], ids=["b", "a"]
    )
    assert counts.predictions.columns(counts.labels) == {
        "id": ["a", "b"],
        "y_true": [[], ["war", "art"]],
        "y_pred": [["war", "law", "art"], ["law"]],
    }


def test_names_are_plain_values():
    matrix = ConfusionMatrix.from_predictions([True, False], [True, True], ids=[2, 1])
    columns = matrix.predictions.columns(matrix.labels)
    assert [list(map(type, column)) for column in columns.values()] == [[int] * 2, [bool] * 2, [bool] * 2]
