"""Few graded examples: closed forms, accuracy on the same examples, and a bootstrap written out."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from benchmarks.studies.few_graded import HDI_PROB, MEAN, PAIRS, POPULATIONS, Study
from pytest_bayesf1 import Scores
from pytest_bayesf1.comparison.compare import run_estimate
from pytest_bayesf1.data.outcomes import ScoreExperiment
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.engines.bootstrap import ScoreSampler
from pytest_bayesf1.stats.posterior import hdi

N_DRAWS = 20_000
UNLIKELY = 1e-4
"""Of 20 tests, once in 500 seeds."""


def drawn(*grades, clusters=None, n=N_DRAWS):
    """Draw the mean grades of one side, or of two on the same examples."""
    sides = [Scores.from_values(each, clusters=clusters) for each in grades]
    table = Sides.aligned(*sides).joint if len(sides) == 2 else sides[0].table
    return ScoreSampler(ScoreExperiment("paired", (table,)), [MEAN], 3).draw(n)[:, :, 0]


def pair(both, only_baseline, only_candidate, neither):
    counts = both, only_baseline, only_candidate, neither
    return [np.repeat(right, counts) for right in ([1, 1, 0, 0], [1, 0, 1, 0])]


@pytest.mark.parametrize("counts", PAIRS)
def test_grades_of_0_and_1_have_the_dirichlet_posterior_of_a_pair(counts):
    baseline, candidate = drawn(*pair(*counts))
    theta = np.random.default_rng(0).dirichlet(np.array(counts) + 1, N_DRAWS)
    for found, expected in (
        (baseline, theta[:, 0] + theta[:, 1]),
        (candidate, theta[:, 0] + theta[:, 2]),
        (candidate - baseline, theta[:, 2] - theta[:, 1]),
    ):
        assert stats.ks_2samp(found, expected).pvalue > UNLIKELY


@pytest.mark.parametrize(("n", "right"), [(1, 0), (1, 1), (10, 7), (30, 30), (50, 1)])
def test_a_mean_alone_has_two_more_examples_at_either_end(n, right):
    (mean,) = drawn(1.0 * (np.arange(n) < right))
    wrong = n - right
    # no mass at the ends has Beta(0, b), which is 0
    upper = stats.beta(right + 2, wrong).cdf if wrong else lambda x: (x >= 1).astype(float)
    lower = stats.beta(right, wrong + 2).cdf if right else lambda x: (x >= 0).astype(float)
    at = np.linspace(0.001, 0.999, 999)
    gap = np.abs(np.searchsorted(np.sort(mean), at) / mean.size - (upper(at) + lower(at)) / 2)
    assert gap.max() < 2 / np.sqrt(mean.size)  # Kolmogorov's bound at 0.07%


GRADES = {
    "three levels": ([0.5, 1, 0, 1, 0.5, 1, 1, 0, 1, 0.5, 1], [0.5, 0.5, 0, 1, 1, 1, 0, 0, 1, 0, 1]),
    "a scale up to 5": ([5, 4, 4, 3, 5, 5, 4, 2, 5, 4], [4, 4, 5, 3, 5, 2, 4, 2, 4, 4]),
    "losses": (
        [-1.5, -0.2, -3.1, -0.7, -0.9, -2.2, -0.1, -0.4, -1.2, -0.3],
        [-1, -0.2, -3, -1, -1, -2, -0.4, -1, -1, -1],
    ),
}
ENDS = {"three levels": (0, 1), "a scale up to 5": (0, 5), "losses": (-3.1, 0)}


@pytest.mark.parametrize("name", GRADES)
def test_other_grades_have_a_bootstrap_with_an_example_for_each_pair_of_ends(name):
    """Written out draw by draw: Dirichlet weights are the spacings of uniform numbers."""
    rng, (baseline, candidate) = np.random.default_rng(8), np.array(GRADES[name], float)
    more = np.array(list(product(ENDS[name], repeat=2))).T
    all_grades = np.concatenate([[baseline, candidate], more], axis=1)
    expected = np.empty((2, 5_000))
    for draw in range(5_000):
        spacings = np.diff(np.sort(rng.random(all_grades.shape[1] - 1)), prepend=0, append=1)
        expected[:, draw] = all_grades @ spacings
    found = drawn(baseline, candidate)
    for one, other in (
        (found[0], expected[0]),
        (found[1], expected[1]),
        (found[1] - found[0], expected[1] - expected[0]),
    ):
        assert stats.ks_2samp(one, other).pvalue > UNLIKELY


@pytest.mark.parametrize("in_cluster", [1, 2, 10])
def test_equal_grades_of_a_cluster_show_no_more_than_one_of_them(in_cluster):
    n_clusters = 20
    grades = np.full(n_clusters * in_cluster, 0.6)
    baseline, candidate = drawn(grades, grades, clusters=np.repeat(np.arange(n_clusters), in_cluster))
    alone, again = drawn(grades[:n_clusters], grades[:n_clusters])
    assert (candidate - baseline).std() == pytest.approx((again - alone).std(), rel=0.12)
    assert (candidate - baseline).std() >= 0.97 * (again - alone).std()


def test_a_floor_is_proven_and_missed_as_exact_binomial_tests_would():
    """At most 3.5% of test sets whose true share is the floor prove it, or miss it; 4.2% of 6 examples, 5% of 1.

    A floor close to 1 is missed more often by the fewest: 0.97 by one wrong answer of two, in 6%.
    """
    floors = np.array([0.3, 0.5, 0.7, 0.8, 0.9, 0.95])
    for n in (1, 2, 3, 5, 6, 8, 10, 15, 20, 30, 50):
        found = [hdi(drawn(1.0 * (np.arange(n) < right))[0], HDI_PROB) for right in range(n + 1)]
        low, high = np.transpose(found)
        chance = stats.binom.pmf(np.arange(n + 1)[:, None], n, floors)
        assert (chance * (low[:, None] > floors)).sum(axis=0).max() < 0.036
        assert (chance * (high[:, None] < floors)).sum(axis=0).max() < {1: 0.051, 6: 0.042}.get(n, 0.036)


@pytest.mark.parametrize("population", POPULATIONS, ids=lambda each: each.name)
@pytest.mark.one_of_many
def test_few_graded_examples_show_little_that_is_not_true(population):
    """At most 3.5% of test sets, and 4 standard errors."""
    study, allowed = Study(100, 1_000), 0.05
    for n in population.sizes[-3::2]:
        low, high = study.intervals(population, n, allowed)
        for is_false in (high < -allowed, low > -allowed, (low > -allowed) & (high < allowed)):
            assert np.mean(is_false) < 0.035 + 4 * np.sqrt(0.035 * 0.965 / study.repetitions)


def test_the_smallest_number_of_grades_that_prove_a_floor():
    right = {n: run_estimate(Scores.from_values([1] * n), 0.8, measure="mean").above_floor for n in (5, 10, 15, 20, 30)}
    assert right == {5: False, 10: False, 15: False, 20: True, 30: True}
