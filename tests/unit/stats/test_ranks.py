from itertools import combinations

import numpy as np
import pytest
from scipy.stats import norm

from pytest_bayesf1.stats.ranks import expected_losses, rank_interval, rank_probabilities, runs_of_ties, shrink_jointly


def on_a_grid(means, stds):
    """Return posterior means of values that vary normally about a common mean, by brute force."""
    n_tau, mu = 1_500, np.linspace(-1.5, 1.5, 6_001)
    scale = 2 * np.sqrt(np.mean(stds**2))
    total = moment = 0.0
    for tau in scale * np.tan(np.pi * (np.arange(n_tau) + 0.5) / n_tau / 2):  # quantiles of the half-Cauchy prior
        spread = np.sqrt(stds**2 + tau**2)
        weight = np.exp(norm.logpdf(means[:, None], mu, spread[:, None]).sum(axis=0))
        own = (tau**2 / spread**2)[:, None]
        total += weight.sum()
        moment = moment + (weight * (own * means[:, None] + (1 - own) * mu)).sum(axis=1)
    return moment / total


class TestShrinking:
    @pytest.mark.slow
    def test_differences_of_independent_values_are_those_of_a_plain_grid(self):
        means, stds = np.array([-0.04, 0.0, 0.03]), np.array([0.02, 0.01, 0.03])
        rng = np.random.default_rng(0)
        draws = rng.normal(means[:, None], stds[:, None], (3, 200_000))
        found = shrink_jointly(draws, rng)
        assert np.diff(found.mean(axis=1)) == pytest.approx(np.diff(on_a_grid(means, stds)), abs=0.0005)

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


def naive_rank_probabilities(scores):
    """Break ties in every possible way, by adding far less than any difference in both orders."""
    n_systems, n_draws = scores.shape
    counts = np.zeros((n_systems, n_systems))
    for draw in scores.T:
        for system, own in enumerate(draw):
            better, equal = sum(draw > own), sum(draw == own)
            for rank in range(better, better + equal):
                counts[system, rank] += 1 / equal
    return counts / n_draws


class TestRanks:
    @pytest.mark.parametrize("digits", [1, 15], ids=["many equal scores", "hardly any"])
    def test_ranks_are_those_of_a_naive_loop(self, digits):
        scores = np.random.default_rng(0).random((5, 300)).round(digits)
        found = rank_probabilities(scores)
        np.testing.assert_allclose(found, naive_rank_probabilities(scores))
        np.testing.assert_allclose([found.sum(axis=0), found.sum(axis=1)], 1)

    def test_an_interval_of_ranks_is_the_shortest_that_holds_enough(self):
        rng = np.random.default_rng(1)
        for probabilities in rng.dirichlet(np.full(6, 0.5), size=200):
            runs = [(first, last) for first in range(6) for last in range(first, 6)]
            enough = [run for run in runs if probabilities[run[0] : run[1] + 1].sum() >= 0.9]
            shortest = min(last - first for first, last in enough)
            likeliest = max(
                (run for run in enough if run[1] - run[0] == shortest),
                key=lambda run: probabilities[run[0] : run[1] + 1].sum(),
            )
            assert rank_interval(probabilities, 0.9) == (likeliest[0] + 1, likeliest[1] + 1)

    def test_a_rank_that_is_certain(self):
        assert rank_interval(np.array([0.0, 1.0, 0.0]), 0.95) == (2, 2)

    def test_the_loss_of_choosing_a_system(self):
        scores = np.array([[0.9, 0.7], [0.8, 0.8]])
        assert expected_losses(scores).tolist() == pytest.approx([0.05, 0.05])

    def test_runs_of_ties_are_the_longest(self):
        rng = np.random.default_rng(2)
        for _ in range(200):
            tied = rng.random((6, 6)) < 0.7
            tied = np.triu(tied, 1) | np.triu(tied, 1).T

            def is_run(first, last, tied=tied):
                return all(tied[one, other] for one, other in combinations(range(first, last + 1), 2))

            runs = [(first, last) for first, last in combinations(range(6), 2) if is_run(first, last)]
            longest = [
                run for run in runs if not any(each != run and each[0] <= run[0] and each[1] >= run[1] for each in runs)
            ]
            assert runs_of_ties(tied.tolist()) == sorted(longest)
