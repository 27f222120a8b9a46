"""The predictions of several runs, put one after the other."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts

TRUTH = [0, 1, 1, 0, 2, 1, 0, 0, 2, 1, 1, 2, 2, 0, 1, 0, 0, 2, 1, 2, 1, 1, 0, 2, 0, 2, 2, 1, 0, 1]
TWICE = TRUTH * 2
IDS = list(range(60))


def counted(truth, **known):
    return ConfusionMatrix.from_predictions(truth, truth[::-1], **known)


@pytest.mark.parametrize("times", [2, 5])
def test_they_are_refused(times):
    with pytest.raises(InputError) as caught:
        counted(TRUTH * times)
    assert caught.value.where == "y_true"
    assert caught.value.found == f"the same 30 examples {times} times, as it seems"
    for answer in ("runs='samples'", "runs='seeds'", "shape (N, R)", "ids="):
        assert answer in caught.value.advice


def test_in_pairs_too():
    with pytest.raises(InputError, match="the same 30 examples 2 times"):
        PairedCounts.from_predictions(TWICE, TWICE, TWICE[::-1])


def test_ids_tell_examples_apart_and_runs_tell_them_together():
    assert counted(TWICE, ids=IDS).n_samples == 60
    assert counted(TWICE, ids=IDS[:30] * 2, runs="samples").n_samples == 30
    assert ConfusionMatrix.from_predictions(TRUTH, np.stack([TRUTH, TRUTH], 1), runs="samples").n_samples == 30


def test_users_who_were_asked_the_same():
    assert counted(TWICE, clusters=["x"] * 30 + ["y"] * 30).n_samples == 60
    with pytest.raises(InputError, match="the same 30 examples 2 times"):
        counted(TWICE, clusters=list("abcdefghij" * 6))


@pytest.mark.parametrize(
    "truth",
    [
        [*TWICE, 0],
        [0, 1] * 50,
        list(range(30)) * 5,
        TRUTH[:29] * 4,
        [*TRUTH, *TRUTH[:29], 0],
    ],
    ids=["one more", "a pattern", "each class in turn", "too short", "the last differs"],
)
def test_what_is_no_test_set_that_repeats(truth):
    assert counted(truth).n_samples == len(truth)
