import numpy as np
import pytest

from pytest_bayesf1.data.scores import (
    by_label,
    first_without_sum,
    in_label_order,
    of_positive_class,
    score_array,
)
from pytest_bayesf1.errors import InputError


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.5, float("nan")], r"y_score\[1\]: expected a number for every example, got nan"),
        ([0.5, None], r"y_score\[1\]: expected a number for every example, got nan"),
        ([0.5, float("inf")], r"y_score\[1\]: expected a finite number, got inf"),
        (["high", "low"], "y_score: expected numbers, got text"),
        ([True, False], "y_score: expected numbers, got booleans"),
        ([], "y_score: expected numbers, got shape"),
        (np.zeros((2, 2, 2)), r"y_score: expected numbers, got shape \(2, 2, 2\)"),
    ],
)
def test_what_are_no_scores(values, expected):
    with pytest.raises(InputError, match=expected):
        score_array(values, "y_score", "numbers")


def test_columns_come_in_the_order_of_the_labels_whatever_their_own():
    columns = by_label({"b": [0.2, 0.3], "a": [0.8, 0.7]})
    np.testing.assert_array_equal(in_label_order(columns, ("a", "b")), [[0.8, 0.2], [0.7, 0.3]])


def test_columns_of_a_data_frame_have_names_and_those_of_an_array_have_none():
    pandas = pytest.importorskip("pandas")
    assert list(by_label(pandas.DataFrame({"a": [1.0], "b": [0.0]}))) == ["a", "b"]
    assert by_label(pandas.DataFrame([[1.0, 0.0]])) is None
    assert by_label(np.zeros((1, 2))) is None


@pytest.mark.parametrize("columns", [{"a": [1.0]}, {"a": [1.0], "b": [0.0], "c": [0.0]}, {"a": [1.0], "b": [0.0, 1.0]}])
def test_every_label_has_one_column_and_all_are_as_long(columns):
    with pytest.raises(InputError, match="y_score: expected"):
        in_label_order(columns, ("a", "b"))


def test_of_two_probabilities_the_second_says_all():
    np.testing.assert_array_equal(of_positive_class(np.array([[0.3, 0.7]]), ("no", "yes")), [[0.7]])


def test_two_scores_that_are_no_probabilities_are_refused():
    with pytest.raises(InputError, match=r"y_score\[1\]: expected two probabilities that sum to 1, got 2, 1.*'yes'"):
        of_positive_class(np.array([[0.5, 0.5], [2.0, 1.0]]), ("no", "yes"))


def test_rounded_probabilities_need_not_sum_to_1_exactly():
    assert first_without_sum(np.array([[0.333, 0.333, 0.333], [0.3, 0.3, 0.3]])) == 1
