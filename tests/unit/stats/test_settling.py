"""How likely more examples settle a comparison, against draws of what may come."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import SETTLED, Draws, chance_of_settling, examples_needed, summarise_delta

ROPE = Rope(-0.01, 0.01)
NORMAL = norm.ppf(np.linspace(0.00005, 0.99995, 10_000))


def posterior(mean, sd, rope=ROPE):
    return summarise_delta(Draws(mean + sd * NORMAL), rope, 0.95)


@pytest.mark.parametrize(("mean", "sd"), [(0.0, 0.02), (-0.012, 0.01), (0.005, 0.006), (0.0, 0.5), (-0.01, 1e-4)])
@pytest.mark.parametrize("times", [0.3, 5.0, 40.0])
def test_the_chance_is_that_of_posteriors_of_means(mean, sd, times):
    """What was seen and what is to come are averaged, each with the weight of its examples."""
    rng, n = np.random.default_rng(0), 40_000
    truth = rng.normal(mean, sd, n)
    shown = rng.normal(truth, sd / np.sqrt(times))
    later = (mean + times * shown) / (1 + times)
    half = norm.ppf(0.975) * sd / np.sqrt(1 + times)
    low, high = later - half, later + half
    settled = (high < ROPE.low) | (low > ROPE.high) | ((low > ROPE.low) & (high < ROPE.high))
    (chance,) = chance_of_settling(posterior(mean, sd), ROPE, np.array([times]))
    assert chance == pytest.approx(settled.mean(), abs=4 * np.sqrt(0.25 / n) + 1e-3)


@pytest.mark.parametrize("decision", SETTLED)
def test_a_settled_comparison_needs_no_more_examples(decision):
    assert examples_needed(replace(posterior(0.0, 0.02), decision=decision), ROPE, 100) == 0


@pytest.mark.parametrize(("mean", "sd"), [(0.0, 0.02), (-0.012, 0.01), (0.005, 0.006)])
def test_the_number_gives_an_even_chance(mean, sd):
    found = posterior(mean, sd)
    n = examples_needed(found, ROPE, 10_000)
    chances = chance_of_settling(found, ROPE, np.array([0.99, 1.0]) * n / 10_000)
    assert chances[0] < 0.5 <= chances[1] < 0.51


def test_a_difference_of_which_nothing_is_known_takes_a_multiple():
    """Far wider than the ROPE: half of the truths are further from it than 1.96 of the later posterior's deviations."""
    ratio = (norm.ppf(0.975) / norm.ppf(0.75)) ** 2
    assert examples_needed(posterior(0.0, 10.0), ROPE, 1_000) == pytest.approx(1_000 * ratio, rel=0.02)


def test_what_is_not_settled_takes_one_more_example_at_least():
    assert examples_needed(posterior(-0.0295, 0.01), ROPE, 10) == 1


def test_no_number_settles_what_is_on_the_edge_for_certain():
    certain = replace(posterior(0.01, 0.01), std=0.0, mean=0.01, hdi=(0.01, 0.01), decision=Decision.UNDECIDED)
    assert examples_needed(certain, ROPE, 100) is None


def test_no_number_is_told_where_none_that_was_tried_would_do():
    nearly = replace(posterior(0.0, 0.02), hdi=(-1e4, 1e4))
    assert examples_needed(nearly, ROPE, 100) is None
