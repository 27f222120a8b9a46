import numpy as np
import pytest
from scipy import stats
from scipy.integrate import trapezoid

from pytest_bayesf1.stats.posterior import Draws, density_at, density_curve

N = 20_000


def estimated(draws, points):
    return density_at(Draws(draws), np.asarray(points))


def kernel_sum(draws, points):
    """Compute the same estimate without bins: one kernel a draw."""
    quartiles = np.quantile(draws, [0.25, 0.75])
    bandwidth = 0.9 * min(draws.std(), (quartiles[1] - quartiles[0]) / 1.349) * draws.size**-0.2
    return stats.norm.pdf(points[:, None], loc=draws, scale=bandwidth).mean(axis=1)


@pytest.mark.parametrize("points", [[0.0], [-2.0, -1.0, 0.5], np.linspace(-3, 3, 31)], ids=["one", "some", "many"])
def test_binning_changes_nothing_that_matters(points):
    draws = np.random.default_rng(1).normal(size=N)
    points = np.asarray(points)
    np.testing.assert_allclose(estimated(draws, points), kernel_sum(draws, points), rtol=0.01, atol=1e-4)


def test_a_heavy_tail_does_not_widen_the_kernel():
    draws = np.random.default_rng(2).standard_t(2, size=N)
    points = np.array([-1.0, 0.0, 1.0])
    np.testing.assert_allclose(estimated(draws, points), kernel_sum(draws, points), rtol=0.01)


def test_the_density_of_a_normal_distribution():
    draws = stats.norm(1, 2).ppf((np.arange(N) + 0.5) / N)
    bandwidth = 0.9 * 2 * N**-0.2
    smoothed = stats.norm(1, np.hypot(2, bandwidth))
    points = np.array([-2.0, 0.0, 1.0, 4.0])
    np.testing.assert_allclose(estimated(draws, points), smoothed.pdf(points), rtol=2e-3)


def test_far_from_every_draw_there_is_no_density():
    assert estimated(np.random.default_rng(3).normal(size=1_000), np.array([50.0])).tolist() == [0.0]


def test_many_equal_draws_still_have_a_density():
    draws = np.concatenate([np.zeros(900), np.linspace(-1, 1, 100)])
    density = estimated(draws, np.array([0.0, 0.9]))
    assert np.isfinite(density).all()
    assert density[0] > density[1] > 0


def test_equal_draws_are_a_very_narrow_peak():
    inside, outside = (estimated(np.full(100, 0.5), [point]) for point in (0.5, 0.5001))
    assert inside[0] > 1e6
    assert outside.tolist() == [0]


@pytest.mark.parametrize("value", [0.0, -0.5, 1e6])
def test_equal_draws_still_have_a_curve(value):
    curve = density_curve(Draws(np.full(1_000, value)))
    assert curve.low < value < curve.high
    assert np.isfinite(curve.values).all()
    assert max(curve.values) > 0


def test_a_curve_covers_nearly_all_of_the_draws():
    draws = np.random.default_rng(4).normal(size=N)
    curve = density_curve(Draws(draws))
    assert ((draws > curve.low) & (draws < curve.high)).mean() >= 0.998
    points = np.linspace(curve.low, curve.high, len(curve.values))
    assert 0.99 < trapezoid(curve.values, points) < 1.001


def test_a_curve_has_as_many_points_as_asked_for():
    draws = np.random.default_rng(5).normal(size=1_000)
    assert len(density_curve(Draws(draws)).values) == 101
    assert len(density_curve(Draws(draws), n_points=11).values) == 11


def test_a_stray_draw_does_not_stretch_the_curve():
    draws = np.append(np.random.default_rng(6).normal(size=5_000), 1e6)
    assert density_curve(Draws(draws)).high < 5


@pytest.mark.parametrize("std", [1e-5, 1.0, 1e7])
def test_a_curve_is_told_in_four_digits_of_its_highest_point(std):
    heights = np.array(density_curve(Draws(np.random.default_rng(3).normal(0, std, N))).values)
    digits = heights / 10.0 ** (np.ceil(np.log10(heights.max())) - 4)
    np.testing.assert_allclose(digits, np.rint(digits), atol=1e-6)
    assert np.unique(digits).size > 50


def test_a_curve_far_from_every_draw_is_flat():
    far = Draws(np.random.default_rng(4).normal(1e6, 1, N))
    assert set(density_curve(far, around=Draws(np.linspace(1, 2, N))).values) == {0.0}
