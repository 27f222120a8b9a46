"""A loss that comes in steps is found by the anchor when the data tell it; docs/studies/creep.md holds a larger run."""

from contextlib import suppress

import numpy as np
import pytest

from docs.studies.creep import ACCURACY, BUDGET, NEVER, Creep, simulate
from docs.studies.rules import ROPE
from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.baselines.regression import Regression
from pytest_bayesf1.baselines.store import BaselineStore
from pytest_bayesf1.gates.evaluate import PART
from pytest_bayesf1.settings import Session, Update, active

N = 4_000
TRUTH = np.arange(N) % 2


def predicted(right):
    return ConfusionMatrix.from_predictions(TRUTH, TRUTH ^ ~right, ids=np.arange(N))


def upper_end(anchor, candidate):
    """The upper end of the usual 95% interval of a paired difference of two shares."""
    difference = candidate.astype(float) - anchor
    return difference.mean() + 1.96 * difference.std() / np.sqrt(N)


def first_failure(tmp_path, generations):
    """Let one test run after the other, each with the next candidate, and each update its baseline."""
    store = BaselineStore(tmp_path)
    for step, right in enumerate(generations):
        regression = Regression(store, "test_f1", Update.ALL, "pytest", lambda *_: None)
        heard = []
        with active(Session(listener=heard.append)), suppress(AssertionError):
            regression.check(predicted(right), measure="accuracy", rope=ROPE)
        if any(record.verdict == "failed" for record in heard):
            assert [record.part for record in heard if record.verdict == "failed"] == [PART]
            assert store.find("test_f1").baseline.origin.baselines_ago == step - 1
            return step
        regression.keep()
    return NEVER


@pytest.mark.one_of_many
@pytest.mark.filterwarnings("ignore::pytest_bayesf1.SlightlyWorseWarning")
@pytest.mark.parametrize("seed", [0, 1, 2, 4])
def test_ten_steps_of_four_tenths_of_a_point_fail_where_the_anchor_shows_the_loss(tmp_path, seed):
    creep = Creep(N, 10, -0.004, agreement=0.98)
    generations = list(creep.generations(np.random.default_rng(seed)))
    ends = [upper_end(generations[0], right) for right in generations]
    oracle = next((step for step, end in enumerate(ends) if end < -BUDGET), NEVER)
    closest = min(abs(end + BUDGET) for end in ends)
    assert closest > 1e-4, "another seed: this one leaves it open which step it is"
    assert first_failure(tmp_path, generations) == oracle
    assert creep.oracle_step <= oracle < NEVER


@pytest.mark.parametrize(("delta", "step"), [(-0.005, 5), (-0.004, 6), (-0.02, 2), (-0.001, NEVER), (0, NEVER)])
def test_who_knows_the_truth_waits_until_more_than_the_budget_is_lost(delta, step):
    assert Creep(N, 10, delta).oracle_step == step


def test_the_steps_are_as_large_as_they_were_ordered():
    creep = Creep(1_000_000, 3, -0.02, agreement=0.9)
    generations = list(creep.generations(np.random.default_rng(1)))
    assert [right.mean() for right in generations] == pytest.approx(
        [ACCURACY - 0.02 * step for step in range(4)], abs=2e-3
    )
    agreement = np.mean(generations[0] == generations[1])
    assert agreement == pytest.approx(0.9, abs=0.02)  # a little less: the fresh predictions are worse


def test_the_last_baseline_alone_sees_nothing_and_the_anchor_everything():
    failed = np.isfinite(simulate(Creep(N, 12, -ROPE / 2), 10, seed=1)).mean(axis=0)
    assert failed[0] <= 0.1
    assert failed[1] == 1


@pytest.mark.long
def test_two_hundred_steps_without_a_loss_hardly_ever_fail():
    failed = np.isfinite(simulate(Creep(N, 200, 0.0), 200, seed=1)).mean(axis=0)
    assert (failed <= 0.025).all()
