"""Few draws, the same answers: scores and changes of a series beside those of the calls for one."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, Scores
from pytest_bayesf1.baselines.history import N_DRAWS, brief_change, brief_score
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.comparison.result import run_estimate

N = 2_000
RNG = np.random.default_rng(0)
TRUTH = np.arange(N) % 3


def classifier(accuracy):
    said = np.where(RNG.random(N) < accuracy, TRUTH, RNG.integers(0, 3, N))
    return ConfusionMatrix.from_predictions(TRUTH, said, ids=np.arange(N))


def scorer(noise):
    truth = TRUTH[:300] == 0
    return Scores.from_predictions(truth, np.clip(truth * 0.4 + noise * RNG.random(truth.size), 0, 1))


OLD, NEW = classifier(0.9), classifier(0.85)
PAIRS = {"f1_macro": (OLD, NEW), "accuracy": (OLD, NEW), "roc_auc": (scorer(0.5), scorer(0.8))}


def monte_carlo(std):
    """Four standard errors of a mean of so many draws and of one of twenty thousand; HDI bounds have thrice that."""
    return 4 * std * np.sqrt(1 / N_DRAWS + 1 / 20_000)


@pytest.mark.one_of_many
@pytest.mark.parametrize("measure", PAIRS)
def test_a_change_is_that_of_a_comparison(measure):
    sides = Sides.aligned(*PAIRS[measure])
    brief, full = (call(sides, measure=measure, rope=0.01) for call in (brief_change, run_comparison))
    assert brief.decision == full.decision
    assert brief.mean == pytest.approx(full.mean, abs=monte_carlo(full.std))
    assert brief.hdi == pytest.approx(full.hdi, abs=3 * monte_carlo(full.std))


@pytest.mark.one_of_many
@pytest.mark.parametrize("measure", PAIRS)
def test_a_score_is_that_of_an_estimate(measure):
    side = PAIRS[measure][1]
    brief, full = brief_score(side, measure=measure), run_estimate(side, 0.5, measure=measure).score
    assert brief.observed == pytest.approx(full.observed)
    assert brief.mean == pytest.approx(full.mean, abs=monte_carlo(full.std))
    assert brief.hdi == pytest.approx(full.hdi, abs=3 * monte_carlo(full.std))


def test_a_decision_that_few_draws_leave_open_gets_more():
    full = run_comparison(Sides.aligned(OLD, NEW), measure="accuracy", rope=0.01)
    edge = -full.hdi[1]  # where the decision turns
    sides, rope = Sides.aligned(OLD, NEW), (-(edge - 0.07 * full.std), 0.01)
    settled = run_comparison(sides, measure="accuracy", rope=rope)
    assert settled.settled
    assert settled.decision == "<<"
    assert not run_comparison(sides, measure="accuracy", rope=rope, n_draws=N_DRAWS).settled
    assert brief_change(sides, measure="accuracy", rope=rope).decision == "<<"


def test_what_cannot_be_compared_is_an_error():
    with pytest.raises(InputError, match="measure"):
        brief_change(Sides.aligned(OLD, NEW), measure="f1[9]", rope=0.01)
    with pytest.raises(InputError, match="roc_auc"):
        brief_score(OLD, measure="roc_auc")
