import numpy as np
import pytest
from scipy import optimize, stats

from pytest_bayesf1.stats.posterior import N_BATCHES, batch_mcse, hdi, mean_mcse

N = 20_000


def quantiles(distribution, n=N):
    """Draws without noise: the middle quantiles of n equal slices."""
    return distribution.ppf((np.arange(n) + 0.5) / n)


def narrowest(distribution, prob):
    def width(below):
        return distribution.ppf(below + prob) - distribution.ppf(below)

    below = optimize.minimize_scalar(width, bounds=(0, 1 - prob), method="bounded", options={"xatol": 1e-10}).x
    return distribution.ppf(below), distribution.ppf(below + prob)


def spacing(distribution, point):
    """Return the distance of neighbouring draws."""
    return 1 / (N * distribution.pdf(point))


@pytest.mark.parametrize("prob", [0.5, 0.8, 0.95])
def test_a_symmetric_density_has_a_symmetric_interval(prob):
    distribution = stats.norm(3, 2)
    low, high = hdi(quantiles(distribution), prob)
    expected = distribution.interval(prob)
    assert (low, high) == pytest.approx(expected, abs=2 * spacing(distribution, expected[0]))


@pytest.mark.parametrize("prob", [0.5, 0.8, 0.95])
def test_a_falling_density_has_its_interval_at_the_left_end(prob):
    low, high = stats.expon.cdf(hdi(quantiles(stats.expon), prob))
    assert low < 1e-3 * (1 - prob)
    assert high - low == pytest.approx(prob, abs=2 / N)


@pytest.mark.parametrize("shape", [(2, 5), (60, 3), (10, 10)])
def test_no_interval_of_the_same_mass_is_narrower(shape):
    distribution = stats.beta(*shape)
    low, high = hdi(quantiles(distribution), 0.95)
    best_low, best_high = narrowest(distribution, 0.95)
    tolerance = spacing(distribution, best_low) + spacing(distribution, best_high)
    assert high - low == pytest.approx(best_high - best_low, abs=tolerance)


@pytest.mark.parametrize("prob", [0.1, 0.5, 0.95, 0.999])
def test_it_holds_its_share_of_the_draws(prob):
    draws = np.random.default_rng(2).gamma(3.0, size=N)
    low, high = hdi(draws, prob)
    assert ((draws >= low) & (draws <= high)).mean() == pytest.approx(prob, abs=2 / N)


def test_the_order_of_the_draws_does_not_matter():
    draws = np.random.default_rng(3).normal(size=2_000)
    assert hdi(draws, 0.9).tolist() == hdi(np.sort(draws)[::-1], 0.9).tolist()


def test_the_draws_are_left_as_they_are():
    draws = np.array([3.0, 1.0, 2.0] * 700)
    hdi(draws, 0.9)
    assert draws[:3].tolist() == [3.0, 1.0, 2.0]


def test_equal_draws_are_their_own_interval():
    assert hdi(np.full(1_000, 0.25), 0.95).tolist() == [0.25, 0.25]


def test_equal_draws_at_one_end_are_no_reason_to_stop_there():
    draws = np.concatenate([np.full(5, -4.0), quantiles(stats.norm)])
    bound = stats.norm.ppf(0.975)
    assert hdi(draws, 0.95) == pytest.approx([-bound, bound], abs=5 * spacing(stats.norm, bound))


def test_it_follows_a_change_of_scale():
    draws = np.random.default_rng(4).beta(8, 3, size=5_000)
    np.testing.assert_allclose(hdi(10 * draws - 4, 0.95), 10 * hdi(draws, 0.95) - 4, rtol=1e-9)


def test_the_standard_error_is_the_spread_of_the_batches():
    levels = np.arange(N_BATCHES, dtype=float)
    draws = np.repeat(levels, 50)
    expected = np.sqrt(((levels - levels.mean()) ** 2).sum() / (N_BATCHES - 1) / N_BATCHES)
    assert mean_mcse(draws) == pytest.approx(expected)


def test_draws_that_fill_no_batch_are_left_out():
    draws = np.concatenate([np.zeros(20 * N_BATCHES), np.full(N_BATCHES - 1, 1e9)])
    assert mean_mcse(draws) == 0


def test_the_standard_error_of_both_bounds_comes_at_once():
    draws = np.random.default_rng(5).normal(size=2_000)
    assert batch_mcse(draws, lambda batch: hdi(batch, 0.95)).shape == (2,)


def test_the_standard_error_of_a_mean_is_the_textbook_s():
    draws = np.random.default_rng(6).normal(scale=3, size=N)
    relative_error = 1 / np.sqrt(2 * (N_BATCHES - 1))
    assert mean_mcse(draws) == pytest.approx(3 / np.sqrt(N), rel=4 * relative_error)


def test_the_standard_error_of_the_bounds_is_their_spread_over_repetitions():
    rng = np.random.default_rng(7)
    runs = rng.normal(size=(100, 2_000))
    bounds = np.array([hdi(run, 0.95) for run in runs])
    claimed = np.array([batch_mcse(run, lambda batch: hdi(batch, 0.95)) for run in runs])
    ratio = bounds.std(axis=0, ddof=1) / np.sqrt((claimed**2).mean(axis=0))
    relative_error = 1 / np.sqrt(2 * 99) + 1 / np.sqrt(2 * (N_BATCHES - 1) * 100)
    np.testing.assert_allclose(ratio, 1, atol=4 * relative_error)
