import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.stats import posterior as bayes_factor
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import Draws

ROPE = Rope(-0.1, 0.1)
N = 20_000
NORMAL = stats.norm.ppf((np.arange(N) + 0.5) / N)


def interval_bayes_factor(posterior, prior, rope):
    return bayes_factor.interval_bayes_factor(Draws(posterior), Draws(prior), rope)


def savage_dickey(posterior, prior):
    return bayes_factor.savage_dickey(Draws(posterior), Draws(prior))


def inside_and_outside(inside, outside):
    return np.concatenate([np.zeros(inside), np.ones(outside)])


def test_posterior_odds_over_prior_odds():
    posterior, prior = inside_and_outside(600, 200), inside_and_outside(100, 300)
    assert interval_bayes_factor(posterior, prior, ROPE).value == pytest.approx((600 / 200) / (100 / 300))


def test_data_that_say_nothing_leave_the_odds_alone():
    draws = inside_and_outside(300, 700)
    assert interval_bayes_factor(draws, draws, ROPE).value == 1


def test_the_ends_of_the_rope_count_as_inside():
    posterior = np.tile([-0.1, 0.1, 0.5, -0.5], 20)
    prior = np.tile([0.0, 0.0, 0.5, -0.5], 20)
    assert interval_bayes_factor(posterior, prior, ROPE).value == 1


@pytest.mark.parametrize(
    ("inside", "outside", "odds"), [(0, 1_000, 0.5 / 999.5), (1_000, 0, 999.5 / 0.5)], ids=["outside", "inside"]
)
def test_a_posterior_on_one_side_stays_finite(inside, outside, odds):
    posterior, prior = inside_and_outside(inside, outside), inside_and_outside(500, 500)
    assert interval_bayes_factor(posterior, prior, ROPE).value == pytest.approx(odds)


@pytest.mark.parametrize("inside", [True, False])
def test_the_numbers_of_draws_are_no_evidence(inside):
    posterior, prior = (inside_and_outside(n * inside, n * (not inside)) for n in (20_000, 1_000))
    assert np.isnan(interval_bayes_factor(posterior, prior, ROPE).value)


def test_a_large_posterior_is_not_held_to_the_size_of_the_prior():
    posterior, prior = inside_and_outside(10, 999_990), inside_and_outside(10, 990)
    assert interval_bayes_factor(posterior, prior, ROPE).value == pytest.approx((1e-5 / (1 - 1e-5)) / (0.01 / 0.99))


@pytest.mark.parametrize("narrowing", [2.0, 5.0])
def test_density_at_zero_rises_as_the_posterior_narrows(narrowing):
    assert savage_dickey(NORMAL / narrowing, NORMAL).value == pytest.approx(narrowing)


@pytest.mark.parametrize("shift", [0.5, 1.0, 2.0])
def test_density_at_zero_falls_as_the_posterior_moves_away(shift):
    bandwidth = 0.9 * N**-0.2
    expected = np.exp(-(shift**2) / 2 / (1 + bandwidth**2))
    assert savage_dickey(NORMAL + shift, NORMAL).value == pytest.approx(expected, rel=2e-3)


def test_a_posterior_far_from_zero_has_no_density_there():
    assert savage_dickey(NORMAL + 100, NORMAL).value == 0


def test_without_prior_density_at_zero_there_is_no_factor():
    assert np.isnan(savage_dickey(NORMAL, NORMAL + 100).value)


def test_the_error_of_the_interval_factor_is_the_spread_over_other_draws():
    rng = np.random.default_rng(0)
    factors = [interval_bayes_factor(0.1 * rng.normal(size=4_000), rng.normal(size=2_000), ROPE) for _ in range(200)]
    spread = np.std([factor.value for factor in factors], ddof=1)
    # batch means have 19 degrees of freedom a factor; the mean over 200 of them is good to a few per cent
    assert np.mean([factor.mcse for factor in factors]) == pytest.approx(spread, rel=0.2)


def test_the_error_of_the_point_factor_is_the_spread_over_other_draws():
    rng = np.random.default_rng(0)
    factors = [savage_dickey(0.1 * rng.normal(size=4_000), rng.normal(size=2_000)) for _ in range(200)]
    spread = np.std([factor.value for factor in factors], ddof=1)
    assert np.mean([factor.mcse for factor in factors]) == pytest.approx(spread, rel=0.2)


def test_an_undefined_factor_has_no_error():
    assert np.isnan(savage_dickey(NORMAL, NORMAL + 100).mcse)
