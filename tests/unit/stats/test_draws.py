import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.stats.posterior import Draws, hdi

NORMAL = stats.norm(0.3, 2).ppf((np.arange(20_000) + 0.5) / 20_000)


def test_their_order_leaves_them_alone():
    values = np.random.default_rng(0).permutation(NORMAL)
    draws = Draws(values.copy())
    np.testing.assert_array_equal(draws.ordered, NORMAL)
    np.testing.assert_array_equal(draws.values, values)


def test_their_interval_is_that_of_draws_in_any_order():
    values = np.random.default_rng(0).permutation(NORMAL)
    assert Draws(values).hdi(0.9) == tuple(hdi(values, 0.9))


@pytest.mark.parametrize(
    ("values", "spread"),
    [(NORMAL, 2), (np.append(NORMAL, 1e6), 2), (np.append(np.zeros(900), np.linspace(-1, 1, 100)), None)],
    ids=["normal", "with a stray draw", "no distance of the quartiles"],
)
def test_bandwidth_by_silverman_s_rule(values, spread):
    expected = 0.9 * (spread or values.std()) * values.size**-0.2
    assert Draws(values).bandwidth == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("value", [0.0, 0.5, -1e6])
def test_equal_draws_have_a_bandwidth(value):
    assert 0 < Draws(np.full(100, value)).bandwidth <= 1e-9 * max(abs(value), 1)


def test_density_at_zero():
    draws = Draws(NORMAL)
    density, _ = draws.density_at_zero
    assert density == pytest.approx(stats.norm(0.3, np.hypot(2, draws.bandwidth)).pdf(0), rel=1e-3)


def test_the_error_of_the_density_is_its_spread_over_other_draws():
    rng = np.random.default_rng(1)
    found = np.array([Draws(rng.normal(size=4_000)).density_at_zero for _ in range(200)])
    assert found[:, 1].mean() == pytest.approx(found[:, 0].std(ddof=1), rel=0.2)


def test_shares_of_an_interval_whose_ends_belong_to_it():
    assert Draws(np.array([3.0, -1.0, 1.0, 0.0, 1.0])).shares(0.0, 1.0) == (0.2, 0.6, 0.2)


def test_the_errors_of_shares_are_their_spread_over_other_draws():
    rng = np.random.default_rng(2)
    many = [Draws(rng.normal(size=4_000)) for _ in range(200)]
    found, errors = (np.array([getattr(each, name)(-1.0, 0.5) for each in many]) for name in ("shares", "shares_mcse"))
    assert errors.mean(axis=0) == pytest.approx(found.std(axis=0, ddof=1), rel=0.2)
