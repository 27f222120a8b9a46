import numpy as np
import pytest
from scipy import optimize, stats
from scipy.integrate import trapezoid

from pytest_bayesf1.stats import posterior as bayes_factor
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import (
    N_BATCHES,
    Draws,
    ScorePosterior,
    batch_mcse,
    density_at,
    density_curve,
    hdi,
    mean_mcse,
    summarise_delta,
    tail_probability,
)

TENTH = Rope(-0.1, 0.1)
N = 20_000


def quantiles(distribution):
    """Draws without noise: the middle quantiles of N equal slices."""
    return distribution.ppf((np.arange(N) + 0.5) / N)


NORMAL, SHIFTED = quantiles(stats.norm), quantiles(stats.norm(0.3, 2))


def factor_inside(posterior, prior, rope):
    return bayes_factor.interval_bayes_factor(Draws(posterior), Draws(prior), rope)


def savage_dickey(posterior, prior):
    return bayes_factor.savage_dickey(Draws(posterior), Draws(prior))


def inside_and_outside(inside, outside):
    return np.concatenate([np.zeros(inside), np.ones(outside)])


class TestBayesFactor:
    def test_posterior_odds_over_prior_odds(self):
        posterior, prior = inside_and_outside(600, 200), inside_and_outside(100, 300)
        assert factor_inside(posterior, prior, TENTH).value == pytest.approx((600 / 200) / (100 / 300))

    @pytest.mark.parametrize(
        ("inside", "outside", "odds"), [(0, 1_000, 0.5 / 999.5), (1_000, 0, 999.5 / 0.5)], ids=["outside", "inside"]
    )
    def test_a_posterior_on_one_side_stays_finite(self, inside, outside, odds):
        posterior, prior = inside_and_outside(inside, outside), inside_and_outside(500, 500)
        assert factor_inside(posterior, prior, TENTH).value == pytest.approx(odds)
        assert factor_inside(inside_and_outside(20, 20), posterior, TENTH).value == pytest.approx(1 / odds)

    @pytest.mark.parametrize("inside", [True, False])
    def test_the_numbers_of_draws_are_no_evidence(self, inside):
        posterior, prior = (inside_and_outside(n * inside, n * (not inside)) for n in (20_000, 1_000))
        assert np.isnan(factor_inside(posterior, prior, TENTH).value)

    def test_a_large_posterior_is_not_held_to_the_size_of_the_prior(self):
        posterior, prior = inside_and_outside(10, 999_990), inside_and_outside(10, 990)
        assert factor_inside(posterior, prior, TENTH).value == pytest.approx((1e-5 / (1 - 1e-5)) / (0.01 / 0.99))

    @pytest.mark.parametrize(("narrowing", "shift"), [(1, 0.5), (1, 2), (2, 0), (5, 0.3)])
    def test_density_at_zero_rises_as_the_posterior_narrows_and_falls_as_it_moves_away(self, narrowing, shift):
        smoothed = np.hypot(1, 0.9 * N**-0.2)
        expected = stats.norm.pdf(shift, scale=smoothed / narrowing) / stats.norm.pdf(0, scale=smoothed)
        assert savage_dickey(NORMAL / narrowing + shift, NORMAL).value == pytest.approx(expected, rel=2e-3)

    @pytest.mark.parametrize("factor", [lambda *each: factor_inside(*each, TENTH), savage_dickey])
    def test_the_error_of_a_factor_is_the_spread_over_other_draws(self, factor):
        rng = np.random.default_rng(0)
        factors = [factor(0.1 * rng.normal(size=4_000), rng.normal(size=2_000)) for _ in range(200)]
        spread = np.std([factor.value for factor in factors], ddof=1)
        # batch means have 19 degrees of freedom a factor; the mean over 200 of them is good to a few per cent
        assert np.mean([factor.mcse for factor in factors]) == pytest.approx(spread, rel=0.2)

    def test_an_undefined_factor_has_no_error(self):
        for posterior, prior in ((NORMAL, NORMAL + 100), (np.zeros(N), NORMAL), (NORMAL, np.zeros(N))):
            assert np.isnan(savage_dickey(posterior, prior).mcse)


def estimated(draws, points):
    return density_at(Draws(draws), np.asarray(points))


def kernel_sum(draws, points):
    """Compute the same estimate without bins: one kernel a draw."""
    quartiles = np.quantile(draws, [0.25, 0.75])
    bandwidth = 0.9 * min(draws.std(), (quartiles[1] - quartiles[0]) / 1.349) * draws.size**-0.2
    return stats.norm.pdf(points[:, None], loc=draws, scale=bandwidth).mean(axis=1)


class TestDensity:
    @pytest.mark.parametrize("points", [[0.0], [-2.0, -1.0, 0.5], np.linspace(-3, 3, 31)], ids=["one", "some", "many"])
    def test_binning_changes_nothing_that_matters_and_a_heavy_tail_widens_no_kernel(self, points):
        rng = np.random.default_rng(1)
        for draws in (rng.normal(size=N), rng.standard_t(2, size=N)):
            expected = kernel_sum(draws, np.asarray(points))
            np.testing.assert_allclose(estimated(draws, points), expected, rtol=0.01, atol=1e-4)

    def test_far_from_every_draw_there_is_no_density(self):
        assert estimated(np.random.default_rng(3).normal(size=1_000), np.array([50.0])).tolist() == [0.0]

    def test_equal_draws_are_a_very_narrow_peak(self):
        inside, outside = (estimated(np.full(100, 0.5), [point]) for point in (0.5, 0.5001))
        assert inside[0] > 1e6
        assert outside.tolist() == [0]

    @pytest.mark.parametrize("value", [0.0, -0.5, 1e6])
    def test_equal_draws_still_have_a_curve(self, value):
        curve = density_curve(Draws(np.full(1_000, value)))
        assert curve.low < value < curve.high
        assert np.isfinite(curve.values).all()
        assert max(curve.values) > 0

    def test_a_curve_covers_nearly_all_of_the_draws(self):
        draws = np.random.default_rng(4).normal(size=N)
        curve = density_curve(Draws(draws))
        assert ((draws > curve.low) & (draws < curve.high)).mean() >= 0.998
        points = np.linspace(curve.low, curve.high, len(curve.values))
        assert 0.99 < trapezoid(curve.values, points) < 1.001

    def test_a_stray_draw_does_not_stretch_the_curve(self):
        draws = np.append(np.random.default_rng(6).normal(size=5_000), 1e6)
        assert density_curve(Draws(draws)).high < 5

    @pytest.mark.parametrize("std", [1e-5, 1.0, 1e7])
    def test_a_curve_is_told_in_four_digits_of_its_highest_point(self, std):
        heights = np.array(density_curve(Draws(np.random.default_rng(3).normal(0, std, N))).values)
        digits = heights / 10.0 ** (np.ceil(np.log10(heights.max())) - 4)
        np.testing.assert_allclose(digits, np.rint(digits), atol=1e-6)
        assert np.unique(digits).size > 50


class TestDraws:
    def test_their_order_leaves_them_alone(self):
        values = np.random.default_rng(0).permutation(SHIFTED)
        draws = Draws(values.copy())
        np.testing.assert_array_equal(draws.ordered, SHIFTED)
        np.testing.assert_array_equal(draws.values, values)

    def test_without_a_distance_of_the_quartiles_the_bandwidth_follows_the_standard_deviation(self):
        values = np.append(np.zeros(900), np.linspace(-1, 1, 100))
        assert Draws(values).bandwidth == pytest.approx(0.9 * values.std() * 1_000**-0.2, rel=1e-3)

    def test_shares_of_an_interval_whose_ends_belong_to_it(self):
        assert Draws(np.array([3.0, -1.0, 1.0, 0.0, 1.0])).shares(0.0, 1.0) == (0.2, 0.6, 0.2)

    def test_the_errors_of_shares_are_their_spread_over_other_draws(self):
        rng = np.random.default_rng(2)
        many = [Draws(rng.normal(size=4_000)) for _ in range(200)]
        found, errors = (
            np.array([getattr(each, name)(-1.0, 0.5) for each in many]) for name in ("shares", "shares_mcse")
        )
        assert errors.mean(axis=0) == pytest.approx(found.std(axis=0, ddof=1), rel=0.2)


def narrowest(distribution, prob):
    def width(below):
        return distribution.ppf(below + prob) - distribution.ppf(below)

    below = optimize.minimize_scalar(width, bounds=(0, 1 - prob), method="bounded", options={"xatol": 1e-10}).x
    return distribution.ppf(below), distribution.ppf(below + prob)


def spacing(distribution, point):
    """Return the distance of neighbouring draws."""
    return 1 / (N * distribution.pdf(point))


class TestIntervals:
    @pytest.mark.parametrize("prob", [0.5, 0.8, 0.95])
    def test_a_falling_density_has_its_interval_at_the_left_end(self, prob):
        low, high = stats.expon.cdf(hdi(quantiles(stats.expon), prob))
        assert low < 1e-3 * (1 - prob)
        assert high - low == pytest.approx(prob, abs=2 / N)

    @pytest.mark.parametrize("shape", [(2, 5), (60, 3), (10, 10)])
    def test_no_interval_of_the_same_mass_is_narrower(self, shape):
        distribution = stats.beta(*shape)
        low, high = hdi(quantiles(distribution), 0.95)
        best_low, best_high = narrowest(distribution, 0.95)
        tolerance = spacing(distribution, best_low) + spacing(distribution, best_high)
        assert high - low == pytest.approx(best_high - best_low, abs=tolerance)

    def test_equal_draws_are_their_own_interval(self):
        assert hdi(np.full(1_000, 0.25), 0.95).tolist() == [0.25, 0.25]

    def test_equal_draws_at_one_end_are_no_reason_to_stop_there(self):
        draws = np.concatenate([np.full(5, -4.0), quantiles(stats.norm)])
        bound = stats.norm.ppf(0.975)
        assert hdi(draws, 0.95) == pytest.approx([-bound, bound], abs=5 * spacing(stats.norm, bound))

    def test_the_standard_error_is_the_spread_of_the_batches(self):
        levels = np.arange(N_BATCHES, dtype=float)
        draws = np.repeat(levels, 50)
        expected = np.sqrt(((levels - levels.mean()) ** 2).sum() / (N_BATCHES - 1) / N_BATCHES)
        assert mean_mcse(draws) == pytest.approx(expected)

    def test_draws_that_fill_no_batch_are_left_out(self):
        draws = np.concatenate([np.zeros(20 * N_BATCHES), np.full(N_BATCHES - 1, 1e9)])
        assert mean_mcse(draws) == 0

    def test_the_standard_error_of_the_bounds_is_their_spread_over_repetitions(self):
        rng = np.random.default_rng(7)
        runs = rng.normal(size=(100, 2_000))
        bounds = np.array([hdi(run, 0.95) for run in runs])
        claimed = np.array([batch_mcse(run, lambda batch: hdi(batch, 0.95)) for run in runs])
        ratio = bounds.std(axis=0, ddof=1) / np.sqrt((claimed**2).mean(axis=0))
        relative_error = 1 / np.sqrt(2 * 99) + 1 / np.sqrt(2 * (N_BATCHES - 1) * 100)
        np.testing.assert_allclose(ratio, 1, atol=4 * relative_error)


Z = stats.norm.ppf(0.975)
UNEVEN = Rope(-0.01, 0.02)


def normal(mean, std):
    """Draws of a normal distribution without noise, in random order."""
    return np.random.default_rng(0).permutation(quantiles(stats.norm(mean, std)))


class TestSummary:
    def test_the_figures_of_a_normal_posterior(self):
        summary = summarise_delta(Draws(normal(0.01, 0.02)), UNEVEN, 0.95)
        assert summary.mean == pytest.approx(0.01, abs=1e-9)
        assert summary.std == pytest.approx(0.02, rel=1e-3)
        spacing = 0.02 / (N * stats.norm.pdf(Z))
        assert summary.hdi == pytest.approx((0.01 - Z * 0.02, 0.01 + Z * 0.02), abs=2 * spacing)
        assert summary.p_worse == pytest.approx(stats.norm.cdf(-0.5), abs=1 / N)
        assert summary.p_better == pytest.approx(stats.norm.cdf(0.5), abs=1 / N)
        assert summary.p_below_rope == pytest.approx(stats.norm.cdf(-1), abs=1 / N)
        assert summary.p_above_rope == pytest.approx(stats.norm.cdf(-0.5), abs=1 / N)
        assert summary.p_in_rope == pytest.approx(stats.norm.cdf(0.5) - stats.norm.cdf(-1), abs=2 / N)

    def test_draws_of_exactly_zero_are_neither_worse_nor_better(self):
        summary = summarise_delta(Draws(np.tile([-0.5, 0.0, 0.0, 0.5], 500)), UNEVEN, 0.95)
        assert (summary.p_worse, summary.p_better) == (0.25, 0.25)

    def test_a_bound_within_monte_carlo_error_of_the_rope_is_not_settled(self):
        draws = np.random.default_rng(1).normal(size=2_000)
        upper = summarise_delta(Draws(draws), Rope(-9, 9), 0.95).hdi[1]
        assert not summarise_delta(Draws(draws), Rope(-9, upper + 1e-6), 0.95).settled

    def test_a_probability_within_monte_carlo_error_of_three_quarters_is_not_settled(self):
        draws = np.random.default_rng(2).normal(-1, size=2_000)
        assert not summarise_delta(Draws(draws), Rope(float(np.quantile(draws, 0.75)) + 1e-6, 0.9), 0.95).settled

    def test_a_score_s_posterior(self):
        draws = normal(0.8, 0.01)
        posterior = ScorePosterior(0.81, 0.95, lambda: Draws(draws))
        assert posterior.observed == 0.81
        assert posterior.mean == pytest.approx(0.8, abs=1e-9)
        assert posterior.std == pytest.approx(0.01, rel=1e-3)
        spacing = 0.01 / (N * stats.norm.pdf(Z))
        assert posterior.hdi == pytest.approx((0.8 - Z * 0.01, 0.8 + Z * 0.01), abs=2 * spacing)
        assert posterior.draws is draws

    @pytest.mark.parametrize("n_draws", [99, 1_000, 20_000])
    @pytest.mark.parametrize("threshold", [0.05, 0.01])
    def test_a_tail_probability_is_small_no_more_often_than_it_says_however_few_the_draws(self, n_draws, threshold):
        """Where repeated data make the probability uniform, as they do at the bound."""
        rng = np.random.default_rng(0)
        share_below = 1 - rng.binomial(n_draws, rng.random(20_000)) / n_draws
        found = np.mean([tail_probability(each, n_draws) < threshold for each in share_below.tolist()])
        assert threshold - 1 / n_draws <= found + 4 * (threshold / 20_000) ** 0.5
        assert found <= threshold + 4 * (threshold / 20_000) ** 0.5

    def test_draws_are_added_until_the_tail_is_settled_but_only_where_a_failure_hangs_on_it(self):
        rope, rng = Rope(-0.01, 0.01), np.random.default_rng(0)
        worse = rng.normal(-0.05, 0.01, 20_000)
        assert summarise_delta(Draws(worse), rope, 0.95).settled
        assert summarise_delta(Draws(worse), rope, 0.95, tail=0.01).settled
        assert not summarise_delta(Draws(worse), rope, 0.95, tail=stats.norm.cdf(-4)).settled  # about as large as it is
        assert not summarise_delta(Draws(worse - 1), rope, 0.95, tail=1e-6).settled  # no draw in the tail, and few
        assert summarise_delta(Draws(rng.normal(0, 0.001, 20_000)), rope, 0.95, tail=1e-6).settled
