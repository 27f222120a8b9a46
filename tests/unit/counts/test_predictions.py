import numpy as np
import pytest
from scipy.sparse import csr_array

from pytest_bayesf1.data.predictions import ClassPredictions, LabelPredictions

CLASSES = ClassPredictions(np.array([0, 1, 1, 2]), np.array([0, 1, 0, 2]), np.array(["d", "b", "c", "a"]))
LABELS = LabelPredictions(csr_array([[1, 0], [1, 1], [0, 0]]), csr_array([[1, 0], [0, 1], [0, 1]]), None)
NAMES = ("ham", "spam", "eggs")


def test_examples_are_written_out_in_the_order_of_their_ids():
    assert CLASSES.columns(NAMES) == {
        "id": ["a", "b", "c", "d"],
        "y_true": ["eggs", "spam", "spam", "ham"],
        "y_pred": ["eggs", "spam", "ham", "ham"],
    }


def test_sets_of_labels_are_written_out():
    assert LABELS.columns(("news", "sport")) == {
        "y_true": [["news"], ["news", "sport"], []],
        "y_pred": [["news"], ["sport"], ["sport"]],
    }


def test_another_order_and_other_codes():
    reordered = CLASSES.in_order(np.array([3, 0])).relabelled(np.array([2, 1, 0]), 3)
    assert (reordered.y_true.tolist(), reordered.y_pred.tolist()) == ([0, 2], [0, 2])
    assert reordered.ids is not None
    assert reordered.ids.tolist() == ["a", "d"]
    moved = LABELS.relabelled(np.array([2, 0]), 3)
    np.testing.assert_array_equal(moved.y_true.toarray(), [[0, 0, 1], [1, 0, 1], [0, 0, 0]])


def test_labels_are_tallied_as_problems_of_two_classes():
    table = LABELS.tally(2, LABELS)
    assert table.n_samples == 3
    both_say = table.label_counts
    assert both_say.shape == (2, 2, 2, 2)  # label, truth, first, second
    assert both_say[:, 0, 0, 0].tolist() == [1, 1]
    assert both_say[:, 1, 1, 1].tolist() == [1, 1]
    assert both_say[0, 1, 0, 0] == both_say[1, 0, 1, 1] == 1


@pytest.mark.parametrize(
    ("predictions", "position", "text"),
    [
        (CLASSES, 3, "'eggs' and 'spam'"),
        (LABELS, 1, "{'ham', 'spam'} and {'ham'}"),
        (LABELS, 2, "{} and {'ham', 'spam'}"),
    ],
)
def test_the_truths_in_a_message(predictions, position, text):
    other = predictions.in_order(np.roll(np.arange(predictions.n_samples), 1))
    assert predictions.difference(other, position, NAMES) == text


def test_another_truth_is_seen():
    assert CLASSES.differs(CLASSES.in_order(np.array([0, 1, 3, 2]))).tolist() == [False, False, True, True]
    assert LABELS.differs(LABELS.in_order(np.array([0, 2, 1]))).tolist() == [False, True, True]
