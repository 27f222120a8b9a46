import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1.stats.posterior import batch_mcse, hdi
from tests.property.strategies import PROBABILITIES, posteriors


def monte_carlo_error_of_the_width(draws, prob):
    return float(batch_mcse(draws, lambda batch: np.diff(hdi(batch, prob))[:, 0]))


@given(posteriors(), PROBABILITIES)
def test_it_holds_its_mass(draws, prob):
    low, high = hdi(draws, prob)
    assert ((draws >= low) & (draws <= high)).mean() == pytest.approx(prob, abs=2 / draws.size)


@given(posteriors(), PROBABILITIES)
def test_it_is_no_wider_than_the_equal_tailed_interval(draws, prob):
    low, high = hdi(draws, prob)
    lower, upper = np.quantile(draws, [(1 - prob) / 2, (1 + prob) / 2])
    assert high - low <= upper - lower + 4 * monte_carlo_error_of_the_width(draws, prob)


@given(posteriors(), PROBABILITIES, PROBABILITIES)
def test_more_mass_takes_more_room(draws, one, other):
    less, more = sorted((one, other))
    error = 4 * monte_carlo_error_of_the_width(draws, more)
    assert np.diff(hdi(draws, less))[0] <= np.diff(hdi(draws, more))[0] + error


@given(posteriors(), PROBABILITIES)
def test_it_lies_within_the_draws(draws, prob):
    low, high = hdi(draws, prob)
    assert draws.min() <= low < high <= draws.max()


@given(posteriors(), PROBABILITIES, st.floats(0.1, 10), st.floats(-1, 1))
def test_it_follows_a_change_of_scale(draws, prob, scale, shift):
    expected = scale * hdi(draws, prob) + shift
    np.testing.assert_allclose(hdi(scale * draws + shift, prob), expected, atol=1e-6 * scale)


@given(posteriors(), PROBABILITIES)
def test_draws_turned_around_turn_the_interval_around(draws, prob):
    error = 4 * batch_mcse(draws, lambda batch: hdi(batch, prob)).max()
    np.testing.assert_allclose(-hdi(-draws, prob)[::-1], hdi(draws, prob), atol=error)
