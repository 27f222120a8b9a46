import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.data.confusion import class_predictions
from pytest_bayesf1.errors import UNREADABLE, InputError


def test_runs_in_rows_of_any_length():
    found, labels = class_predictions(["a", "b"], [["a", "b"], ["b"]], None, repeated=("samples", None))
    assert labels == ("a", "b")
    assert found.y_pred.tolist() == [[0, 1], [1, -1]]


def test_a_long_table_keeps_one_truth_per_example():
    found, _ = class_predictions([1, 0, 1], [1, 0, 0], None, (["x", "y", "x"], None), ("samples", None))
    assert found.ids.tolist() == ["x", "y"]
    assert found.y_true.tolist() == [1, 0]
    assert found.y_pred.tolist() == [[1, 0], [0, -1]]


@pytest.mark.parametrize(
    ("y_true", "y_pred", "ids", "message"),
    [
        ([0, 1], [[0, 1]], None, "y_pred: expected 2 rows of predictions, one per example of y_true, got 1"),
        ([0, 1], [[0, 1], []], None, "y_pred: expected a prediction of every example, got none at position 1"),
        ([0, 1], [0, 1], [5, 5], "y_true: expected the same value in every row of an example, got several for id 5"),
    ],
)
def test_rows_that_contradict_one_another(y_true, y_pred, ids, message):
    with pytest.raises(InputError, match=message):
        class_predictions(y_true, y_pred, None, (ids, None), ("samples", None))


def test_run_ids_are_for_long_tables():
    with pytest.raises(InputError, match="run_ids: expected nothing beside predictions of shape"):
        class_predictions([0, 1], np.eye(2, dtype=int), None, repeated=("samples", [1, 2]))


@pytest.mark.parametrize(
    "answers",
    [
        [["a", None], ["?", "b"], ["b"]],
        np.ma.array([["a", "a"], ["?", "b"], ["b", "b"]], mask=[[0, 1], [0, 0], [0, 0]]),
    ],
)
def test_some_runs_could_not_be_read(answers):
    matrix = ConfusionMatrix.from_predictions(["a", "b", "b"], answers, runs="samples", invalid="wrong")
    assert matrix.labels == ("a", "b", UNREADABLE)
    assert matrix.table.row_totals.tolist() == [1, 2, 0]
    assert matrix.table.times_predicted.tolist() == [0.5, 1.5, 1]
