import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import Decision
from pytest_bayesf1.results.comparison import Score
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import Draws, ScorePosterior, density_curve, summarise_delta, tail_probability

N = 20_000
Z = stats.norm.ppf(0.975)
ROPE = Rope(-0.01, 0.02)


def normal(mean, std):
    """Draws of a normal distribution without noise, in random order."""
    draws = stats.norm(mean, std).ppf((np.arange(N) + 0.5) / N)
    return np.random.default_rng(0).permutation(draws)


def test_the_figures_of_a_normal_posterior():
    summary = summarise_delta(Draws(normal(0.01, 0.02)), ROPE, 0.95)
    assert summary.mean == pytest.approx(0.01, abs=1e-9)
    assert summary.std == pytest.approx(0.02, rel=1e-3)
    spacing = 0.02 / (N * stats.norm.pdf(Z))
    assert summary.hdi == pytest.approx((0.01 - Z * 0.02, 0.01 + Z * 0.02), abs=2 * spacing)
    assert summary.p_worse == pytest.approx(stats.norm.cdf(-0.5), abs=1 / N)
    assert summary.p_better == pytest.approx(stats.norm.cdf(0.5), abs=1 / N)
    assert summary.p_below_rope == pytest.approx(stats.norm.cdf(-1), abs=1 / N)
    assert summary.p_above_rope == pytest.approx(stats.norm.cdf(-0.5), abs=1 / N)
    assert summary.p_in_rope == pytest.approx(stats.norm.cdf(0.5) - stats.norm.cdf(-1), abs=2 / N)


def test_draws_of_exactly_zero_are_neither_worse_nor_better():
    summary = summarise_delta(Draws(np.tile([-0.5, 0.0, 0.0, 0.5], 500)), ROPE, 0.95)
    assert (summary.p_worse, summary.p_better) == (0.25, 0.25)


def test_the_ends_of_the_rope_belong_to_it():
    summary = summarise_delta(Draws(np.tile([-0.5, ROPE.low, ROPE.high, 0.5], 500)), ROPE, 0.95)
    assert (summary.p_below_rope, summary.p_in_rope, summary.p_above_rope) == (0.25, 0.5, 0.25)


@pytest.mark.parametrize(
    ("mean", "std", "decision"),
    [
        (-0.03, 0.005, Decision.MUCH_WORSE),
        (-0.02, 0.02, Decision.WORSE),
        (0.005, 0.002, Decision.EQUIVALENT),
        (0.005, 0.02, Decision.UNDECIDED),
        (0.04, 0.02, Decision.BETTER),
        (0.05, 0.005, Decision.MUCH_BETTER),
    ],
)
def test_the_decision_follows_from_where_the_posterior_lies(mean, std, decision):
    summary = summarise_delta(Draws(normal(mean, std)), ROPE, 0.95)
    assert summary.decision is decision
    assert summary.settled


@pytest.mark.parametrize("hdi_prob", [0.5, 0.95])
def test_a_smaller_interval_decides_sooner(hdi_prob):
    summary = summarise_delta(Draws(normal(-0.02, 0.01)), ROPE, hdi_prob)
    assert summary.decision is (Decision.MUCH_WORSE if hdi_prob == 0.5 else Decision.WORSE)


def test_a_bound_within_monte_carlo_error_of_the_rope_is_not_settled():
    draws = np.random.default_rng(1).normal(size=2_000)
    upper = summarise_delta(Draws(draws), Rope(-9, 9), 0.95).hdi[1]
    assert not summarise_delta(Draws(draws), Rope(-9, upper + 1e-6), 0.95).settled


def test_a_probability_within_monte_carlo_error_of_a_half_is_not_settled():
    draws = np.random.default_rng(2).normal(size=2_000)
    assert not summarise_delta(Draws(draws), Rope(float(np.median(draws)) + 1e-6, 0.5), 0.95).settled


def test_a_score_s_posterior():
    draws = normal(0.8, 0.01)
    posterior = ScorePosterior.of(0.81, Draws(draws), 0.95)
    assert posterior.observed == 0.81
    assert posterior.mean == pytest.approx(0.8, abs=1e-9)
    assert posterior.std == pytest.approx(0.01, rel=1e-3)
    spacing = 0.01 / (N * stats.norm.pdf(Z))
    assert posterior.hdi == pytest.approx((0.8 - Z * 0.01, 0.8 + Z * 0.01), abs=2 * spacing)
    assert posterior.draws is draws


def test_the_figures_of_a_score_have_a_density_in_place_of_the_draws():
    draws = np.linspace(0.7, 0.9, 500)
    posterior = ScorePosterior.of(0.81, Draws(draws), 0.95)
    assert posterior.figures == Score(0.81, posterior.mean, posterior.std, posterior.hdi, density_curve(Draws(draws)))


@pytest.mark.parametrize("n_draws", [99, 1_000, 20_000])
@pytest.mark.parametrize("threshold", [0.05, 0.01])
def test_a_tail_probability_is_small_no_more_often_than_it_says_however_few_the_draws(n_draws, threshold):
    """Where repeated data make the probability uniform, as they do at the bound."""
    rng = np.random.default_rng(0)
    share_below = 1 - rng.binomial(n_draws, rng.random(20_000)) / n_draws
    found = np.mean([tail_probability(each, n_draws) < threshold for each in share_below.tolist()])
    assert threshold - 1 / n_draws <= found + 4 * (threshold / 20_000) ** 0.5
    assert found <= threshold + 4 * (threshold / 20_000) ** 0.5


def test_draws_are_added_until_the_tail_is_settled_but_only_where_a_failure_hangs_on_it():
    rope, rng = Rope(-0.01, 0.01), np.random.default_rng(0)
    worse = rng.normal(-0.05, 0.01, 20_000)
    assert summarise_delta(Draws(worse), rope, 0.95).settled
    assert summarise_delta(Draws(worse), rope, 0.95, tail=0.01).settled
    assert not summarise_delta(Draws(worse), rope, 0.95, tail=stats.norm.cdf(-4)).settled  # about as large as it is
    assert not summarise_delta(Draws(worse - 1), rope, 0.95, tail=1e-6).settled  # no draw in the tail, and few
    assert summarise_delta(Draws(rng.normal(0, 0.001, 20_000)), rope, 0.95, tail=1e-6).settled
