from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from pytest_bayesf1.results.comparison import ExamplesNeeded
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import TIMES, Draws, chance_of_settling, examples_needed, summarise_delta

ROPE = Rope(-0.01, 0.01)
QUESTIONS = [(-0.01, -0.01), (0.01, 0.01), (-0.01, 0.01)]
STANDARD = norm.ppf(np.linspace(0.00005, 0.99995, 10_000))


def posterior(mean, sd, rope=ROPE):
    return summarise_delta(Draws(mean + sd * STANDARD), rope, 0.95)


def settled_share(mean, sd, times, ends):
    """Draw what may come if the mean is the truth."""
    rng, n = np.random.default_rng(0), 400_000
    later = (mean + times * rng.normal(mean, sd / np.sqrt(times), n)) / (1 + times)
    half = norm.ppf(0.975) * sd / np.sqrt(1 + times)
    low, high = later - half, later + half
    settled = (high < ends[0]) | (low > ends[1]) | ((low > ends[0]) & (high < ends[1]))
    return settled.mean()


class TestChanceOfSettling:
    @pytest.mark.parametrize("ends", QUESTIONS)
    @pytest.mark.parametrize(("mean", "sd"), [(0.0, 0.02), (-0.012, 0.01), (0.005, 0.006), (0.0, 0.5), (-0.01, 1e-4)])
    @pytest.mark.parametrize("times", [0.3, 5.0, 40.0])
    def test_it_is_that_of_posteriors_of_means(self, mean, sd, times, ends):
        (chance,) = chance_of_settling(posterior(mean, sd), ends, np.array([times]))
        assert chance == pytest.approx(settled_share(mean, sd, times, ends), abs=6e-3)


class TestExamplesNeeded:
    @pytest.mark.parametrize(("mean", "sd"), [(-0.05, 0.01), (0.0, 0.001), (0.05, 0.01)])
    def test_what_is_answered_needs_none(self, mean, sd):
        assert examples_needed(posterior(mean, sd), ROPE, 100 * TIMES, TIMES) == ExamplesNeeded(0, 0, 0)

    def test_each_question_has_its_own_number(self):
        no_worse = examples_needed(posterior(0.02, 0.01), ROPE, 1_000 * TIMES, TIMES)
        assert no_worse.not_worse == 0
        assert no_worse.better > 0
        leaning = examples_needed(posterior(-0.02, 0.01), ROPE, 1_000 * TIMES, TIMES)
        assert (leaning.better, leaning.not_worse > 0) == (0, True)

    @pytest.mark.parametrize(("mean", "sd"), [(0.0, 0.02), (-0.012, 0.01), (0.005, 0.006)])
    def test_the_number_gives_an_even_chance(self, mean, sd):
        found = posterior(mean, sd)
        needed = examples_needed(found, ROPE, 10_000 * TIMES, TIMES)
        for ends, n in zip(QUESTIONS, (needed.not_worse, needed.better, needed.equivalent), strict=True):
            if n:
                chances = chance_of_settling(found, ends, np.array([0.88, 1.0]) * n / 10_000)
                assert chances[0] < 0.5 <= chances[1] < 0.6

    def test_what_is_open_takes_one_more_example_at_least(self):
        assert examples_needed(posterior(-0.0295, 0.01), ROPE, 10 * TIMES, TIMES).not_worse == 1

    def test_no_number_answers_what_is_on_the_edge_for_certain(self):
        certain = replace(posterior(0.01, 0.01), std=0.0, mean=0.01, hdi=(0.01, 0.01))
        assert examples_needed(certain, ROPE, 100 * TIMES, TIMES).equivalent == 0
        beyond = replace(certain, hdi=(0.005, 0.015))
        assert examples_needed(beyond, ROPE, 100 * TIMES, TIMES).equivalent is None

    def test_no_number_is_told_where_none_that_was_tried_would_do(self):
        nearly = replace(posterior(0.0, 0.02), hdi=(-1e4, 1e4))
        assert examples_needed(nearly, ROPE, 100 * TIMES, TIMES) == ExamplesNeeded(None, None, None)
