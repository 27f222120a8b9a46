import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts

COUNTS = [[50, 2, 0], [5, 43, 1], [0, 0, 9]]
Y_TRUE = ["ham", "ham", "spam", "spam", "spam"]
Y_PRED = ["ham", "spam", "spam", "spam", "ham"]
HAM_SPAM = [[1, 1], [1, 2]]


@pytest.mark.parametrize(
    "counts",
    [
        COUNTS,
        tuple(map(tuple, COUNTS)),
        np.array(COUNTS, dtype=np.uint8),
        np.array(COUNTS, dtype=float),
        np.array(COUNTS, dtype=object),
        ConfusionMatrix(COUNTS),
    ],
    ids=["lists", "tuples", "unsigned", "whole floats", "objects", "another matrix"],
)
def test_anything_with_whole_numbers_serves(counts):
    assert ConfusionMatrix(counts).counts.tolist() == COUNTS


def test_labels_are_positions_unless_named():
    assert ConfusionMatrix(COUNTS).labels == (0, 1, 2)
    assert ConfusionMatrix(COUNTS, labels=["c", "a", "b"]).labels == ("c", "a", "b")


def test_n_samples_is_the_sum():
    assert ConfusionMatrix(COUNTS).n_samples == 110


def test_the_largest_count_is_kept_exactly():
    largest = 2**53 - 3
    assert ConfusionMatrix([[largest, 1], [1, 1]]).counts.tolist() == [[largest, 1], [1, 1]]


def test_one_cell_may_hold_all_there_can_be():
    assert ConfusionMatrix([[2**53, 0], [0, 0]]).n_samples == 2**53


def test_ids_that_occur_twice_are_listed():
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=["b", "a", "c", "a", "b"])
    assert caught.value.where == "ids"
    assert caught.value.found == "2 duplicate ids ('a', 'b')"


def test_counts_are_handed_out_as_copies():
    matrix = ConfusionMatrix(COUNTS)
    matrix.counts[0, 0] = 7
    assert matrix.counts[0, 0] == 50


def test_later_changes_to_the_input_do_not_reach_the_matrix():
    counts = np.array(COUNTS)
    matrix = ConfusionMatrix(counts)
    counts[0, 0] = 7
    assert matrix.counts[0, 0] == 50


@pytest.mark.parametrize(
    ("labels", "found"), [(["a", "b"], "2"), (["a", "b", "c", "d"], "4")], ids=["too few", "too many"]
)
def test_there_is_one_label_a_row(labels, found):
    with pytest.raises(InputError) as caught:
        ConfusionMatrix(COUNTS, labels=labels)
    assert caught.value.where == "labels"
    assert "3 labels" in caught.value.expected
    assert caught.value.found == found


def test_predictions_are_counted_with_rows_as_the_true_class():
    matrix = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)
    assert matrix.labels == ("ham", "spam")
    assert matrix.counts.tolist() == HAM_SPAM


def test_predictions_are_counted_in_the_caller_s_order():
    matrix = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, labels=["spam", "eggs", "ham"])
    assert matrix.labels == ("spam", "eggs", "ham")
    assert matrix.counts.tolist() == [[2, 0, 1], [0, 0, 0], [1, 0, 1]]


def test_columns_of_a_data_frame_serve_whatever_their_index():
    table = pd.DataFrame({"truth": Y_TRUE, "guess": Y_PRED}, index=[9, 4, 7, 1, 3])
    assert ConfusionMatrix.from_predictions(table["truth"], table["guess"]).counts.tolist() == HAM_SPAM


def test_predictions_are_kept_for_pairing():
    matrix = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=[5, 4, 3, 2, 1])
    assert matrix.predictions.y_true.tolist() == [0, 0, 1, 1, 1]
    assert matrix.predictions.y_pred.tolist() == [0, 1, 1, 1, 0]
    assert matrix.predictions.ids.tolist() == [5, 4, 3, 2, 1]


def test_bare_counts_have_no_predictions():
    assert ConfusionMatrix(COUNTS).predictions is None


@pytest.mark.parametrize(
    ("matrix", "origin"),
    [
        (ConfusionMatrix(HAM_SPAM), "position"),
        (ConfusionMatrix(HAM_SPAM, labels=["ham", "spam"]), "caller"),
        (ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED), "data"),
        (ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, labels=["ham", "spam"]), "caller"),
    ],
    ids=["bare", "named", "predictions", "predictions and labels"],
)
def test_a_matrix_knows_where_its_labels_come_from(matrix, origin):
    assert matrix.labels_from == origin


def test_relabelling_reorders_and_adds_empty_classes():
    matrix = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED).relabelled(("spam", "eggs", "ham"))
    assert matrix.labels == ("spam", "eggs", "ham")
    assert matrix.counts.tolist() == [[2, 0, 1], [0, 0, 0], [1, 0, 1]]
    assert matrix.predictions.y_true.tolist() == [2, 2, 0, 0, 0]


def test_numpy_takes_a_matrix_for_an_array():
    matrix = ConfusionMatrix(COUNTS)
    assert np.asarray(matrix).tolist() == COUNTS
    assert np.asarray(matrix).dtype == np.int64
    assert np.asarray(matrix, dtype=float).dtype == float
    assert np.trace(matrix) == 102


def test_equal_matrices_have_equal_counts_and_labels():
    named = ConfusionMatrix(HAM_SPAM, labels=["ham", "spam"])
    assert named == ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)
    assert named != ConfusionMatrix(HAM_SPAM)
    assert named != ConfusionMatrix([[1, 1], [2, 1]], labels=["ham", "spam"])
    assert named != HAM_SPAM


def test_a_matrix_is_not_hashable():
    with pytest.raises(TypeError, match="unhashable"):
        hash(ConfusionMatrix(COUNTS))


def test_repr_tells_sizes_not_cells():
    assert repr(ConfusionMatrix(COUNTS)) == "<ConfusionMatrix 3 classes, 110 examples>"
    assert repr(ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)).endswith("5 examples, predictions kept>")


def test_paired_counts_hold_both_confusion_matrices():
    pairs = PairedCounts.from_predictions(Y_TRUE, Y_PRED, Y_TRUE)
    assert pairs.baseline.counts.tolist() == HAM_SPAM
    assert pairs.candidate.counts.tolist() == [[2, 0], [0, 3]]
    assert pairs.n_samples == 5
    assert repr(pairs) == "<PairedCounts 2 classes, 5 examples>"


def test_paired_counts_know_a_class_that_one_side_alone_predicts():
    pairs = PairedCounts.from_predictions(["a", "b"], ["a", "b"], ["a", "c"])
    assert pairs.labels == ("a", "b", "c")
    assert pairs.baseline.counts.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert pairs.candidate.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]


def test_paired_counts_keep_the_caller_s_order():
    pairs = PairedCounts.from_predictions([0, 1], [0, 1], [1, 1], labels=[1, 0])
    assert pairs.labels == (1, 0)
    assert pairs.candidate.counts.tolist() == [[1, 0], [1, 0]]
