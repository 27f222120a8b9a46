"""Arrays of labels by position, where counts belong."""

from inspect import signature

import numpy as np
import pytest

import pytest_bayesf1 as bf
from pytest_bayesf1 import InputError
from pytest_bayesf1.baselines.regression import Regression
from pytest_bayesf1.baselines.store import BaselineStore
from pytest_bayesf1.settings import Update

TRUE = np.arange(20) % 2
OLD, NEW = TRUE.copy(), 1 - TRUE
PAIRS = "PairedCounts.from_predictions(y_true, baseline_pred, candidate_pred)"
TWO_SIDES = [bf.compare, bf.assert_not_worse, bf.assert_not_inferior, bf.assert_better, bf.assert_equivalent]


@pytest.mark.parametrize("function", TWO_SIDES, ids=lambda function: function.__name__)
def test_truth_and_two_predictions_are_told_how_to_become_two_sides(function):
    with pytest.raises(InputError, match=r"^arguments: expected baseline and candidate alone by position") as caught:
        function(TRUE, OLD, NEW, rope=0.01)
    assert caught.value.found == "3 arguments"
    assert PAIRS in caught.value.advice


def test_what_is_advised_works():
    pairs = bf.PairedCounts.from_predictions(TRUE, OLD, NEW)
    assert bf.compare(pairs, rope=0.01).decision == "<<"


def test_truth_and_predictions_are_told_how_to_become_counts(tmp_path):
    regression = Regression(BaselineStore(tmp_path), "test", Update.NONE, "pytest", lambda *_: None)
    for call, names in (
        (lambda: bf.assert_at_least(TRUE, OLD, 0.9), "cm and floor"),
        (lambda: regression.check(TRUE, OLD, rope=0.01), "candidate"),
    ):
        with pytest.raises(InputError, match=f"^arguments: expected {names} alone by position") as caught:
            call()
        assert "ConfusionMatrix.from_predictions(y_true, y_pred)" in caught.value.advice


def test_one_too_many_is_counted_without_self(tmp_path):
    regression = Regression(BaselineStore(tmp_path), "test", Update.NONE, "pytest", lambda *_: None)
    with pytest.raises(InputError, match="got 2 arguments"):
        regression.check(TRUE, OLD)


@pytest.mark.parametrize("function", TWO_SIDES, ids=lambda function: function.__name__)
def test_a_call_still_looks_as_it_is_written(function):
    assert list(signature(function).parameters)[:2] == ["baseline", "candidate"]
