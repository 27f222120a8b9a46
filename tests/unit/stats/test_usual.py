import numpy as np
import pytest
from scipy.stats import norm

from pytest_bayesf1.results.comparison import EarlierChange
from pytest_bayesf1.stats.posterior import usual_variance, usual_weights

RNG = np.random.default_rng(4)
MEANS, STDS = RNG.normal(0.001, 0.009, 25), RNG.uniform(0.004, 0.012, 25)
HISTORY = [EarlierChange(*each) for each in zip(MEANS, STDS, strict=True)]


def test_the_errors_of_earlier_changes_are_no_change():
    rng = np.random.default_rng(1)
    stds = rng.uniform(0.005, 0.015, 4_000)
    history = [EarlierChange(*each) for each in zip(rng.normal(rng.normal(0, 0.01, 4_000), stds), stds, strict=True)]
    assert usual_variance(history) ** 0.5 == pytest.approx(0.01, rel=0.05)


def test_which_way_earlier_changes_went_does_not_matter():
    large = [EarlierChange(4 * each.mean, each.std) for each in HISTORY]
    ups = [EarlierChange(abs(each.mean), each.std) for each in large]
    assert usual_variance(ups) == pytest.approx(usual_variance(large))


def test_a_history_without_a_change_does_not_exclude_one():
    quiet = [EarlierChange(0.0, 0.004)] * 30
    assert usual_variance(quiet) ** 0.5 == pytest.approx(0.004 * (2 / 30) ** 0.25)
    draws = np.random.default_rng(2).normal(-0.1, 0.01, 50_000)
    assert usual_weights(draws, quiet).sum() == pytest.approx(1)


@pytest.mark.parametrize(("mean", "std"), [(-0.012, 0.006), (-0.03, 0.015), (0.004, 0.01)])
def test_a_posterior_is_weighed_by_a_normal_density(mean, std):
    """Two normals make a normal: its mean and its variance are known."""
    draws, variance = np.random.default_rng(1).normal(mean, std, 200_000), usual_variance(HISTORY)
    found = usual_weights(draws, HISTORY)[draws < -0.01].sum()
    kept = variance / (variance + std**2)
    assert found == pytest.approx(norm.cdf(-0.01, kept * mean, std * kept**0.5), abs=0.01)
