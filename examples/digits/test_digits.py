"""The gate on a retrained model. Both sides remember their predictions, so the comparison is paired by id."""

import pytest

from pytest_bayesf1 import assert_not_inferior, assert_not_worse


def test_retrained_model_is_not_worse(baseline, candidate):
    comparison = assert_not_worse(baseline, candidate, rope=0.01)
    assert comparison.model == "paired"


def test_retrained_model_is_shown_to_be_no_worse(baseline, candidate):
    assert_not_inferior(baseline, candidate, measure="accuracy", rope=0.01)


def test_not_worse_than_the_committed_baseline(bayes_regression, candidate):
    bayes_regression.check(candidate, rope=0.01)


@pytest.mark.parametrize("digit", [1, 8])
def test_digits_that_are_hard_to_read(baseline, candidate, digit):
    assert_not_worse(baseline, candidate, measure=f"f1[{digit}]", rope=0.02)


def test_going_back_would_be_a_regression(bayes_compare, baseline, candidate):
    comparison = bayes_compare(candidate, baseline, rope=0.01)
    assert comparison.decision == "<<"
