import json

import numpy as np
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.comparison.result import run_estimate
from tests.unit.made_up import estimate, score

COUNTS = [[40, 10], [5, 45]]
FEW = 2_000


def run(floor, matrix=COUNTS, **arguments):
    return run_estimate(matrix, floor, **{"measure": "accuracy", "n_draws": FEW, **arguments})


def test_the_posterior_mean_of_accuracy():
    result = run(0.5, prior="uniform")
    assert result.score.mean == pytest.approx((41 + 46) / 104, abs=4 * result.score.std / np.sqrt(FEW))
    assert result.score.observed == pytest.approx(0.85)


@pytest.mark.parametrize(
    ("floor", "below", "above"), [(0.5, False, True), (0.85, False, False), (0.99, True, False), (-0.5, False, True)]
)
def test_where_the_interval_lies(floor, below, above):
    result = run(floor)
    assert (result.below_floor, result.above_floor) == (below, above)


def test_probability_below_the_floor():
    result = run(0.85)
    assert result.p_below_floor == np.mean(result.score.draws < 0.85)
    assert 0.2 < result.p_below_floor < 0.8


@pytest.mark.parametrize(("offset", "settled"), [(0.0, False), (0.2, True)])
def test_an_upper_bound_close_to_the_floor_is_not_settled(offset, settled):
    assert run(run(0.5).score.hdi[1] - offset).settled is settled


def test_the_lower_bound_decides_nothing():
    assert run(run(0.5).score.hdi[0]).settled


@pytest.mark.parametrize("floor", [90, -5])
def test_a_floor_that_is_no_score(floor):
    with pytest.raises(InputError, match=r"floor: expected a score up to 1, such as 0.9 for 90%"):
        run(floor)


def test_without_a_number_of_draws_it_draws_until_settled():
    result = run(0.5, n_draws=None)
    assert result.settled
    assert result.n_draws == 20_000


def test_a_result_says_how_it_was_computed():
    result = run(0.5, seed=4, hdi_prob=0.8, prior="jeffreys")
    assert (result.measure, result.floor, result.hdi_prob) == ("accuracy", 0.5, 0.8)
    assert (result.prior, result.engine, result.seed, result.n_draws) == ("jeffreys", "exact", 4, FEW)
    assert (result.n_samples, result.n_classes) == (100, 2)


def test_the_same_input_gives_the_same_output():
    np.testing.assert_array_equal(run(0.5).score.draws, run(0.9).score.draws)


def test_the_pull_of_the_prior_is_told_in_standard_deviations():
    assert estimate(score=score(0.78, observed=0.8, std=0.01)).pull == pytest.approx(-2)


def test_a_score_without_spread_has_no_pull():
    assert estimate(score=score(0.8, observed=0.8, std=0.0)).pull == 0
    assert "Above the floor" in str(run(0.4, measure=lambda p: 0 * p[..., 0, 0] + 0.5))


def test_an_estimate_as_plain_data():
    result = run(0.5)
    data = result.to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["kind"] == "estimate"
    assert data["headline"] == result.headline
    assert data["floor"] == 0.5
    assert data["score"] == {
        "observed": result.score.observed,
        "mean": result.score.mean,
        "std": result.score.std,
        "hdi": list(result.score.hdi),
        "density": data["density"],
    }


def test_an_estimate_in_one_line():
    assert repr(estimate()) == "<Estimate f1_macro=0.8000 floor=0.75>"
