"""Against a plain grid over tau and mu, against closed forms where tau is known, and by how often intervals hold."""

import numpy as np
import pytest
from scipy.stats import norm

from pytest_bayesf1.stats.shrinkage import Shrinkage, shrink_jointly

THREE = np.array([-0.04, 0.0, 0.03]), np.array([0.02, 0.01, 0.03])


def on_a_grid(means, stds, n_tau=1_500, n_mu=6_001, reach=1.5, scale=None):
    """Return the posterior means and sds of the true values by brute force, and the mean of mu."""
    scale = scale or np.sqrt(np.mean(stds**2))
    tau = scale * np.tan(np.pi * (np.arange(n_tau) + 0.5) / n_tau / 2)  # quantiles of the half-Cauchy prior
    mu = np.linspace(-reach, reach, n_mu)
    total, first, second, of_mu = 0.0, 0.0, 0.0, 0.0
    for each in tau:
        spread = np.sqrt(stds**2 + each**2)
        weight = np.exp(norm.logpdf(means[:, None], mu, spread[:, None]).sum(axis=0))
        own = (each**2 / spread**2)[:, None]
        centre, variance = own * means[:, None] + (1 - own) * mu, own * stds[:, None] ** 2
        total, of_mu = total + weight.sum(), of_mu + (weight * mu).sum()
        first, second = first + (weight * centre).sum(axis=1), second + (weight * (centre**2 + variance)).sum(axis=1)
    mean = first / total
    return mean, np.sqrt(second / total - mean**2), of_mu / total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("means", "stds"),
    [THREE, (np.array([0.01, 0.02, 0.0, 0.015]), np.full(4, 0.01)), (np.array([0.0, 0.1, 0.2]), np.full(3, 0.002))],
    ids=["unequal", "alike", "far apart"],
)
@pytest.mark.one_of_many
def test_means_and_deviations_are_those_of_a_plain_grid(means, stds):
    found = Shrinkage.of(means, stds)
    mean, std, common = on_a_grid(means, stds)
    assert found.mean == pytest.approx(mean, abs=0.005 * stds.min())
    assert found.std == pytest.approx(std, rel=0.005)
    assert found.common == pytest.approx(common, abs=0.02 * stds.min())


def test_where_tau_is_known_the_interval_is_that_of_a_normal_distribution():
    means, stds = np.array([-1.0, 0.0, 2.0]), np.array([0.5, 1.0, 2.0])
    known = Shrinkage(means, stds, np.array([1.0]), np.array([1.0]))
    precision = 1 / (stds**2 + 1)
    mu, own = (precision @ means) / precision.sum(), 1 / (1 + stds**2)
    std = np.sqrt(own * stds**2 + (1 - own) ** 2 / precision.sum())
    assert known.common == pytest.approx(mu)
    assert known.mean == pytest.approx(own * means + (1 - own) * mu)
    assert known.std == pytest.approx(std)
    ends = known.mean[:, None] + std[:, None] * norm.ppf([0.025, 0.975])
    assert known.hdi(0.95) == pytest.approx(ends, abs=0.01 * std.max())
    assert known.common_hdi(0.9) == pytest.approx(mu + norm.ppf([0.05, 0.95]) / precision.sum() ** 0.5, abs=0.01)


@pytest.mark.parametrize(
    ("means", "stds", "tau", "weight", "prob"),
    [
        ([-1.0, 0.0, 4.0], [0.5, 1.0, 2.0], [0.1, 1.0, 4.0], [0.5, 0.3, 0.2], 0.8),
        ([0.0, 0.0, 40.0], [0.1, 0.1, 4.0], [0.05, 6.0], [0.7, 0.3], 0.75),  # which has nearly nothing below it
        ([0.0, 0.0], [0.1, 0.1], [0.05, 1.0], [0.95, 0.05], 0.9),  # with long tails on both sides
    ],
)
def test_no_interval_of_a_skewed_mixture_that_holds_as_much_is_narrower(means, stds, tau, weight, prob):
    means, stds, tau, weight = (np.array(each) for each in (means, stds, tau, weight))
    precision = 1 / (stds[:, None] ** 2 + tau**2)
    mu = means @ precision / precision.sum(axis=0)
    points = np.linspace(-60, 60, 200_001)
    share = norm.cdf((points[:, None] - mu) * np.sqrt(precision.sum(axis=0))) @ weight
    below = np.linspace(0, 1 - prob, 20_001)[1:-1]
    low, high = (np.interp(each, share, points) for each in (below, below + prob))
    best = (high - low).argmin()
    found = Shrinkage(means, stds, tau, weight).common_hdi(prob)
    assert found == pytest.approx([low[best], high[best]], abs=0.01 * (high - low)[best])


def test_two_equal_parts_are_shrunk_to_the_same_place_between_them():
    found = Shrinkage.of(np.array([-0.03, 0.01]), np.array([0.02, 0.02]))
    assert found.common == pytest.approx(-0.01)
    assert found.mean.mean() == pytest.approx(-0.01)
    assert -0.03 < found.mean[0] < -0.01 < found.mean[1] < 0.01
    low, high = found.common_hdi(0.95)
    assert low < -0.03  # with two parts little is known of their common mean
    assert high > 0.01


@pytest.mark.parametrize("cluster", [0.001, 100.0])
def test_the_unit_of_the_measure_makes_no_difference(cluster):
    means, stds = THREE
    found, other = Shrinkage.of(means, stds), Shrinkage.of(cluster * means, cluster * stds)
    assert other.mean / cluster == pytest.approx(found.mean)
    assert other.hdi(0.95) / cluster == pytest.approx(found.hdi(0.95))
    assert other.tau_at(np.array([0.5])) / cluster == pytest.approx(found.tau_at(np.array([0.5])))


def test_parts_that_clearly_differ_are_hardly_shrunk_and_those_that_do_not_nearly_to_one_place():
    stds = np.full(20, 0.01)
    apart = Shrinkage.of(np.linspace(-1, 1, 20), stds)
    assert apart.mean == pytest.approx(np.linspace(-1, 1, 20), abs=0.001)
    assert apart.std == pytest.approx(stds, rel=0.01)
    alike = Shrinkage.of(np.full(20, 0.5), stds)
    assert alike.mean == pytest.approx(np.full(20, 0.5))
    assert alike.std.max() < 0.5 * stds[0]


@pytest.mark.slow
@pytest.mark.parametrize("n_parts", [2, 5, 30])
@pytest.mark.one_of_many
def test_intervals_hold_what_they_promise_where_tau_comes_from_its_prior(n_parts):
    rng, held = np.random.default_rng(1), []
    for _ in range(400 // n_parts):
        stds = rng.uniform(0.01, 0.03, n_parts)
        tau = np.sqrt(np.mean(stds**2)) * abs(rng.standard_cauchy())
        truth = rng.normal(0.5, tau, n_parts)
        low, high = Shrinkage.of(rng.normal(truth, stds), stds).hdi(0.95).T
        held.append(np.mean((low <= truth) & (truth <= high)))
    assert np.mean(held) == pytest.approx(0.95, abs=4 * np.std(held) / len(held) ** 0.5)


def test_a_vague_part_is_not_taken_for_known_because_another_one_is():
    found = Shrinkage.of(np.array([0.0, 0.0]), np.array([0.001, 0.3]))
    assert found.std[0] == pytest.approx(0.001, rel=0.01)
    assert 0.1 < found.std[1] < 0.3


def test_five_hundred_parts_are_no_trouble():
    rng = np.random.default_rng(2)
    truth, stds = rng.normal(0, 0.02, 500), rng.uniform(0.005, 0.05, 500)
    found = Shrinkage.of(rng.normal(truth, stds), stds)
    low, median, high = found.tau_at(np.array([0.001, 0.5, 0.999]))
    assert low < 0.02 < high
    assert high - low < 0.01
    assert np.mean((found.mean - truth) ** 2) < np.mean(stds**2) / 2
    assert median == pytest.approx(0.02, rel=0.2)


class TestJointly:
    @pytest.mark.slow
    def test_differences_of_independent_values_are_those_of_a_plain_grid(self):
        means, stds = THREE
        rng = np.random.default_rng(0)
        draws = rng.normal(means[:, None], stds[:, None], (3, 200_000))
        expected, _, _ = on_a_grid(means, stds, scale=2 * np.sqrt(np.mean(stds**2)))
        found = shrink_jointly(draws, rng)
        assert np.diff(found.mean(axis=1)) == pytest.approx(np.diff(expected), abs=0.0005)

    def test_what_all_values_have_in_common_does_not_matter(self):
        rng = np.random.default_rng(1)
        draws = rng.normal(np.array([[0.80], [0.81], [0.84], [0.85]]), 0.02, (4, 4_000))
        common = rng.normal(0, 0.05, 4_000)
        alone, together = (shrink_jointly(each, np.random.default_rng(2)) for each in (draws, draws + common))
        assert together - common == pytest.approx(alone, abs=1e-9)

    def test_values_that_clearly_differ_stay_and_those_that_do_not_meet(self):
        rng = np.random.default_rng(3)
        noise = rng.normal(0, 0.01, (10, 4_000))
        noise -= noise.mean(axis=1, keepdims=True)
        apart = np.linspace(0, 2, 10)[:, None] + noise
        assert shrink_jointly(apart, rng) == pytest.approx(apart, abs=0.002)
        alike = np.tile([[0.0], [0.004]], (5, 1)) + noise
        assert np.ptp(shrink_jointly(alike, rng).mean(axis=1)) < 0.002

    def test_equal_draws_stay_equal_and_two_values_as_they_are(self):
        rng = np.random.default_rng(4)
        three = rng.normal(0, 1, (3, 500))
        found = shrink_jointly(three[[0, 1, 0, 2]], rng)
        assert (found[0] == found[2]).all()
        assert found[[0, 1, 3]].std() < three.std()
        two = three[[0, 1, 0]]
        assert (shrink_jointly(two, rng) == two).all()
