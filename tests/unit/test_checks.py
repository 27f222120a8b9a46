from fractions import Fraction
from math import inf

import numpy as np
import pytest

from pytest_bayesf1.checks import as_float, as_floats


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
