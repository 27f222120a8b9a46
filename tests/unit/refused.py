"""What does not serve, and the error that it has to meet."""

import pytest

from pytest_bayesf1 import InputError


def case(name, call, where, expected, found, advice=""):
    """Return the parameters of a call that is refused, and what the error says."""
    return pytest.param(call, where, expected, found, advice, id=name)


def assert_refused(call, where, expected="", found="", advice=""):
    """Check that a call is refused by an error that says where, what was expected, found, and what to do."""
    with pytest.raises(InputError) as caught:
        call()
    error = caught.value
    assert error.where == where
    assert expected in error.without_advice
    assert found in error.without_advice
    assert advice in error.advice
    assert "\n" not in str(error)
