import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.data.labels import explicit_labels, label_column


@pytest.mark.parametrize(
    "column",
    [
        ["b", "a", "b"],
        ("b", "a", "b"),
        np.array(["b", "a", "b"]),
        np.array(["b", "a", "b"], dtype=object),
        pd.Series(["b", "a", "b"], index=[7, 5, 3]),
        pd.Series(["b", "a", "b"], dtype="category"),
        (letter for letter in "bab"),
    ],
    ids=["list", "tuple", "strings", "objects", "series", "category", "generator"],
)
def test_any_column_of_strings_serves(column):
    assert label_column(column, "y").tolist() == ["b", "a", "b"]


@pytest.mark.parametrize(
    ("column", "expected", "kind"),
    [
        ([2, 0, 1], [2, 0, 1], int),
        ([2.0, 0.0], [2, 0], int),
        (np.array([2, 0], dtype=np.uint8), [2, 0], int),
        (range(3), [0, 1, 2], int),
        ([True, False], [True, False], bool),
        (np.array([True, False]), [True, False], bool),
        (np.array([True, False], dtype=object), [True, False], bool),
    ],
    ids=["integers", "whole floats", "unsigned", "range", "booleans", "boolean array", "boolean objects"],
)
def test_numbers_and_booleans_keep_their_kind(column, expected, kind):
    labels = label_column(column, "y").tolist()
    assert labels == expected
    assert {type(label) for label in labels} == {kind}


@pytest.mark.parametrize(
    ("labels", "expected", "found"),
    [
        (["a", "b", "a"], "each label once", "'a' 2 times"),
        ([], "at least one class label", "empty"),
        ([["a", "b"]], "1-D", "nested sequences"),
        (["a", 1], "one type", "int, str"),
    ],
    ids=["twice", "none", "nested", "mixed"],
)
def test_a_caller_s_labels_are_checked(labels, expected, found):
    with pytest.raises(InputError) as caught:
        explicit_labels(labels)
    assert caught.value.where == "labels"
    assert expected in caught.value.expected
    assert found in caught.value.found
