import json
from fractions import Fraction
from math import inf

import numpy as np
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1._util import as_float, as_floats, each_key_once, require_once


@pytest.mark.parametrize("value", [0.5, np.float32(0.5), np.float64(0.5), Fraction(1, 2), np.array(0.5)], ids=repr)
def test_a_real_number_is_a_float(value):
    assert as_float(value) == 0.5
    assert type(as_float(value)) is float


@pytest.mark.parametrize("value", [True, np.True_, "0.5", None, 1j, [0.5], np.array([0.5]), np.array("a")], ids=repr)
def test_what_is_no_real_number(value):
    assert as_float(value) is None


def test_a_whole_number_too_large_for_a_float_is_infinite():
    assert as_float(10**400) == inf


@pytest.mark.parametrize("values", [(1, 2.5), [1, 2.5], np.array([1, 2.5]), iter([1, 2.5])], ids=type)
def test_numbers_in_their_order(values):
    assert as_floats(values) == (1.0, 2.5)


@pytest.mark.parametrize(
    "values", [{1, 2.5}, {1: 2.5}, "12", b"12", (1, "2"), (1, None), (1, True), 1.0, np.array(1.0), np.eye(2)], ids=repr
)
def test_what_are_no_numbers_in_an_order(values):
    assert as_floats(values) is None


def test_the_first_name_that_stands_twice_is_told():
    with pytest.raises(InputError) as caught:
        require_once(["a", "b", "b", "a", "b"], "header", "column")
    assert (caught.value.where, caught.value.expected, caught.value.found) == (
        "header",
        "each column once",
        "'a' 2 times",
    )
    require_once([])
    require_once(["a", "b", 1])


def test_a_long_name_is_cut():
    with pytest.raises(InputError) as caught:
        require_once(["x" * 10_000] * 2)
    assert len(caught.value.found) < 100


@pytest.mark.parametrize("text", ['{"a": 1, "b": 2, "a": 1}', '[{"c": {"a": {}, "b": [], "a": null}}]'])
def test_a_key_of_json_stands_once(text):
    with pytest.raises(InputError, match="expected each name once, got 'a' 2 times"):
        json.loads(text, object_pairs_hook=each_key_once)


def test_json_without_repeated_keys_stays_as_it_is():
    text = '{"a": {"a": [1, {"b": 2}]}, "b": {}}'
    assert json.loads(text, object_pairs_hook=each_key_once) == json.loads(text)
