import numpy as np

from pytest_bayesf1.data.scores import Scores


def test_columns_are_written_in_the_order_of_the_ids():
    scores = Scores.from_predictions([0, 1], [0.25, 0.5], ids=["b", "a"], clusters=["x", "y"])
    assert scores.predictions.columns(scores.labels) == {
        "id": ["a", "b"],
        "cluster": ["y", "x"],
        "y_true": [1, 0],
        "y_score": [0.5, 0.25],
    }


def test_every_class_has_a_column():
    scores = Scores.from_predictions(["b", "a", "c"], np.eye(3))
    assert list(scores.predictions.columns(scores.labels)) == ["y_true", "y_score_a", "y_score_b", "y_score_c"]


def test_values_have_no_truth():
    scores = Scores.from_values([2.5, 1.0])
    assert scores.predictions.columns(scores.labels) == {"value": [2.5, 1.0]}


def test_relabelling_moves_classes_and_columns():
    scores = Scores.from_predictions(["a", "b", "c"], np.diag([1.0, 2.0, 3.0]))
    moved = scores.relabelled(("c", "a", "b"))
    assert moved.predictions.y_true.tolist() == [1, 2, 0]
    np.testing.assert_array_equal(moved.scores, [[0, 1, 0], [0, 0, 2], [3, 0, 0]])
