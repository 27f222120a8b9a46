import numpy as np
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.comparison.arguments import ARGUMENTS, Prevalence


@pytest.mark.parametrize(
    ("given", "text", "phrase"),
    [
        ("test-set", "test-set", ""),
        ("baseline", "baseline", "at the baseline's class shares"),
        ("candidate", "candidate", "at the candidate's class shares"),
        ("fraud=0.01", "fraud=0.01", "at 1% fraud"),
        ({"fraud": 0.01}, "fraud=0.01", "at 1% fraud"),
        ("fraud = 0.01", "fraud=0.01", "at 1% fraud"),
        ("a=b=0.25,c=0.5", "a=b=0.25,c=0.5", "at 25% a=b and 50% c"),
        ({1: 0.05}, "1=0.05", "at 5% of class 1"),
        ({True: np.float64(0.05)}, "True=0.05", "at 5% True"),
    ],
)
def test_words_and_shares(given, text, phrase):
    found = Prevalence.of(given)
    assert (str(found), found.phrase) == (text, phrase)
    assert Prevalence.of(str(found)) == found
    assert Prevalence.of(found) is found


NO_SHARES = "test-set, baseline, candidate, or shares of classes such as"
NO_SHARE = "a share between 0 and 1 such as 0.01"


@pytest.mark.parametrize(
    ("given", "expected", "found"),
    [
        *((value, NO_SHARES, repr(value)) for value in ("production", "", {}, 0.01)),
        ("fraud=1%", NO_SHARE, "'1%'"),
        ("fraud=1", NO_SHARE, "1.0"),
        ("fraud=0", NO_SHARE, "0.0"),
        ("fraud=0.008..0.012", NO_SHARE, "'0.008..0.012'"),
        *(({"fraud": value}, NO_SHARE, repr(value)) for value in ([0.1, 0.2], float("nan"), True)),
        ({"a": 0.6, "b": 0.5}, "shares that sum to 1 at most", "1.1"),
        ("a=0.1,a=0.2", "each class once", "'a' 2 times"),
        ({1: 0.1, "1": 0.2}, "each class once", "'1' 2 times"),
    ],
)
def test_what_is_no_prevalence(given, expected, found):
    with pytest.raises(InputError) as caught:
        ARGUMENTS["prevalence"].check(given)
    assert caught.value.where.startswith("prevalence")
    assert caught.value.expected.startswith(expected)
    assert caught.value.found == found
