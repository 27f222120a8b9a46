import numpy as np
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.data.encoding import encode


def test_classes_found_in_the_data_are_sorted():
    codes, names = encode({"y_true": ["x", "z"], "y_pred": ["y", "x"]}, None)
    assert names == ("x", "y", "z")
    assert codes["y_true"].tolist() == [0, 2]
    assert codes["y_pred"].tolist() == [1, 0]


def test_integers_are_sorted_by_value_not_by_spelling():
    assert encode({"y": [10, 9, 2]}, None)[1] == (2, 9, 10)


def test_a_caller_s_order_is_kept():
    codes, names = encode({"y_true": ["x", "z"], "y_pred": ["y", "x"]}, ["z", "x", "y"])
    assert names == ("z", "x", "y")
    assert codes["y_true"].tolist() == [1, 0]
    assert codes["y_pred"].tolist() == [2, 1]


def test_a_caller_may_name_classes_that_do_not_occur():
    codes, names = encode({"y": [1, 3, 1]}, [3, 2, 1])
    assert names == (3, 2, 1)
    assert codes["y"].tolist() == [2, 0, 2]


@pytest.mark.parametrize(("column", "kind"), [(["a", "b"], str), (np.array([1, 2]), int), ([True, False], bool)])
def test_names_are_plain_python_objects(column, kind):
    assert {type(name) for name in encode({"y": column}, None)[1]} == {kind}


def test_one_class_is_enough_when_the_caller_names_the_others():
    codes, _ = encode({"y": ["b", "b"]}, ["a", "b"])
    assert codes["y"].tolist() == [1, 1]


@pytest.mark.parametrize(("labels", "where"), [(None, "y_true and y_pred"), (["a"], "labels")])
def test_one_class_alone_is_an_error(labels, where):
    with pytest.raises(InputError) as caught:
        encode({"y_true": ["a", "a"], "y_pred": ["a", "a"]}, labels)
    assert caught.value.where == where
    assert caught.value.found == "one class only ('a')"


def test_errors_name_the_column_that_is_wrong():
    with pytest.raises(InputError) as caught:
        encode({"y_true": ["a", "b"], "y_pred": ["a", None]}, None)
    assert caught.value.where == "y_pred"
    assert "position 1" in caught.value.found


def test_only_a_few_unknown_labels_are_listed():
    with pytest.raises(InputError) as caught:
        encode({"y": list(range(20))}, [0, 1])
    assert caught.value.found == "2, 3, 4, 5, 6 and 13 more"
