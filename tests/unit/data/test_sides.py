import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError
from pytest_bayesf1.data.paired import as_side_counts

Y_TRUE = pd.Series(["ham", "ham", "spam", "eggs"])
Y_PRED = pd.Series(["ham", "spam", "spam", "ham"])


def test_a_confusion_matrix_is_taken_as_it_is():
    matrix = ConfusionMatrix([[3, 1], [1, 3]])
    assert as_side_counts(matrix, "baseline") is matrix


@pytest.mark.parametrize("wrap", [list, np.array, pd.DataFrame], ids=["lists", "array", "data frame"])
def test_counts_without_names_have_positions_for_labels(wrap):
    matrix = as_side_counts(wrap([[3, 1], [2, 4]]), "baseline")
    assert matrix.counts.tolist() == [[3, 1], [2, 4]]
    assert matrix.labels == (0, 1)
    assert matrix.labels_from == "position"


def test_a_crosstab_keeps_a_class_that_is_never_predicted():
    matrix = as_side_counts(pd.crosstab(Y_TRUE, Y_PRED), "baseline")
    assert matrix.labels == ("eggs", "ham", "spam")
    assert matrix.counts.tolist() == [[0, 1, 0], [0, 1, 1], [0, 0, 1]]
    assert matrix.labels_from == "caller"


def test_a_crosstab_keeps_a_class_that_is_never_true():
    matrix = as_side_counts(pd.crosstab(Y_PRED, Y_TRUE), "baseline")
    assert matrix.counts.tolist() == [[0, 0, 0], [1, 1, 0], [0, 1, 1]]


def test_columns_in_another_order_than_the_index_are_put_in_place():
    table = pd.DataFrame([[1, 9], [4, 2]], index=["b", "a"], columns=["a", "b"])
    matrix = as_side_counts(table, "baseline")
    assert matrix.labels == ("b", "a")
    assert matrix.counts.tolist() == [[9, 1], [2, 4]]


def test_integers_out_of_order_are_labels_not_positions():
    table = pd.DataFrame([[1, 9], [4, 2]], index=[1, 0], columns=[0, 1])
    matrix = as_side_counts(table, "baseline")
    assert matrix.labels == (1, 0)
    assert matrix.counts.tolist() == [[9, 1], [2, 4]]


@pytest.mark.parametrize(
    ("value", "where", "found"),
    [
        ([[1, -2], [3, 4]], "candidate: counts[0, 1]", "-2"),
        (pd.DataFrame([[1, 2], [3, 4]], index=["a", "a"], columns=["a", "b"]), "candidate: index", "'a' 2 times"),
        (pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"], columns=["b", "b"]), "candidate: columns", "'b' 2 times"),
        (pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"], columns=[0, 1]), "candidate: columns", "integers"),
        (pd.DataFrame([[1.5, 2], [3, 4]], index=["a", "b"], columns=["a", "b"]), "candidate: counts[0, 0]", "1.5"),
        (pd.DataFrame(), "candidate: counts", "empty"),
        (None, "candidate", "None"),
        ("counts", "candidate", "'counts'"),
    ],
    ids=["negative", "index twice", "columns twice", "other labels", "fraction", "empty frame", "nothing", "text"],
)
def test_errors_say_which_side_and_where(value, where, found):
    with pytest.raises(InputError) as caught:
        as_side_counts(value, "candidate")
    assert caught.value.where == where
    assert found in caught.value.found
