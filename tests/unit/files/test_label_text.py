from math import nan

import pytest

from pytest_bayesf1.files.tables import describe_missing, first_missing, is_missing, value_text


@pytest.mark.parametrize("value", ["", "  ", "nan", " NaN "])
def test_missing_in_text(value):
    assert is_missing(value, is_text=True)
    assert not is_missing(value, is_text=False)  # where types are known, it is a label


@pytest.mark.parametrize("value", [None, nan])
def test_missing_where_types_are_known(value):
    assert is_missing(value, is_text=False)


@pytest.mark.parametrize("value", [0, False, "NA", "None", "null"])
def test_these_are_labels(value):
    assert not is_missing(value, is_text=True)
    assert not is_missing(value, is_text=False)


def test_the_first_is_found():
    assert first_missing(["a", " ", ""], is_text=True) == 1
    assert first_missing(["a", "b"], is_text=True) is None
    assert first_missing([1, None, nan], is_text=False) == 1


@pytest.mark.parametrize(("value", "told"), [(None, "a missing value"), (nan, "NaN"), ("", "an empty cell")])
def test_it_is_told(value, told):
    assert describe_missing(value) == told


@pytest.mark.parametrize(("value", "text"), [(None, ""), (3.0, "3"), (3.5, "3.5"), ("x", "x"), (True, "True")])
def test_any_value_as_text(value, text):
    assert value_text(value) == text
