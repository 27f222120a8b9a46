"""Where a falling function is 0."""

from math import exp, inf, tanh

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1.stats.power import CLOSE, MOST, find_root

SHAPES = {
    "straight": lambda x: -x,
    "levels off": lambda x: -tanh(x / 4),
    "steepens": lambda x: 1 - exp(x / 8),
    "has a kink": lambda x: -x if x < 0 else -x / 10,
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@given(where=st.floats(-8, 8), guess=st.floats(-40, 40))
def test_it_is_found_from_any_guess(shape, where, guess):
    def function(x):
        return shape(x - where)

    assert abs(function(find_root(function, function(0.0), guess))) <= CLOSE


def test_a_good_guess_saves_steps():
    tried = []

    def function(x):
        tried.append(x)
        return 3.0 - x

    assert find_root(function, 3.0, 3.0) == 3
    assert tried == [3]


@pytest.mark.parametrize("value", [1.0, -1.0])
def test_a_function_that_is_nowhere_0_has_none(value):
    tried = []

    def function(x):
        tried.append(abs(x))
        return value

    assert find_root(function, value, guess=5.0) is None
    assert max(tried) == MOST


def test_it_is_not_looked_for_beyond_its_bounds():
    assert find_root(lambda x: MOST + 1 - x, MOST + 1, inf) is None
