from itertools import combinations

import numpy as np
import pytest

from pytest_bayesf1.stats.posterior import expected_losses, rank_interval, rank_probabilities, runs_of_ties


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


@pytest.mark.parametrize("digits", [1, 15], ids=["many equal scores", "hardly any"])
def test_ranks_are_those_of_a_naive_loop(digits):
    scores = np.random.default_rng(0).random((5, 300)).round(digits)
    found = rank_probabilities(scores)
    np.testing.assert_allclose(found, naive_rank_probabilities(scores))
    np.testing.assert_allclose([found.sum(axis=0), found.sum(axis=1)], 1)


def test_an_interval_of_ranks_is_the_shortest_that_holds_enough():
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


def test_a_rank_that_is_certain():
    assert rank_interval(np.array([0.0, 1.0, 0.0]), 0.95) == (2, 2)


def test_the_loss_of_choosing_a_system():
    scores = np.array([[0.9, 0.7], [0.8, 0.8]])
    assert expected_losses(scores).tolist() == pytest.approx([0.05, 0.05])


def test_runs_of_ties_are_the_longest():
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
