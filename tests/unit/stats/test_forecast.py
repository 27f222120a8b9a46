from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm, t

from pytest_bayesf1.results.comparison import ExamplesNeeded
from pytest_bayesf1.results.policy import BETTER, NOT_INFERIOR, NOT_WORSE
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.forecast import TIMES, chance_of_settling, examples_needed
from pytest_bayesf1.stats.posterior import Draws, summarise_delta
from pytest_bayesf1.stats.usual import UsualChanges

ROPE = Rope(-0.01, 0.01)
QUESTIONS = [(-0.01, -0.01), (0.01, 0.01), (-0.01, 0.01)]
ANY = UsualChanges.within(1e6)
STANDARD = norm.ppf(np.linspace(0.00005, 0.99995, 10_000))


def posterior(mean, sd, rope=ROPE):
    return summarise_delta(Draws(mean + sd * STANDARD), rope, 0.95)


def settled_share(mean, sd, times, ends, allowed=None):
    """Draw what may be true and what may come, and average both with the weights of their examples."""
    rng, n = np.random.default_rng(0), 400_000
    truth = rng.normal(mean, sd, n)
    weights = np.ones(n) if allowed is None else t.pdf(truth, 3, scale=allowed / t.ppf(0.95, 3))
    later = (mean + times * rng.normal(truth, sd / np.sqrt(times))) / (1 + times)
    half = norm.ppf(0.975) * sd / np.sqrt(1 + times)
    low, high = later - half, later + half
    settled = (high < ends[0]) | (low > ends[1]) | ((low > ends[0]) & (high < ends[1]))
    share = (weights * settled).sum() / weights.sum()
    return share, np.sqrt((weights**2 * (settled - share) ** 2).sum()) / weights.sum()


class TestChanceOfSettling:
    @pytest.mark.parametrize("ends", QUESTIONS)
    @pytest.mark.parametrize(("mean", "sd"), [(0.0, 0.02), (-0.012, 0.01), (0.005, 0.006), (0.0, 0.5), (-0.01, 1e-4)])
    @pytest.mark.parametrize("times", [0.3, 5.0, 40.0])
    def test_it_is_that_of_posteriors_of_means(self, mean, sd, times, ends):
        share, error = settled_share(mean, sd, times, ends)
        (chance,) = chance_of_settling(posterior(mean, sd), ends, np.array([times]), ANY)
        assert chance == pytest.approx(share, abs=4 * error + 2e-3)

    @pytest.mark.parametrize("ends", QUESTIONS)
    @pytest.mark.parametrize(("mean", "sd"), [(0.0, 0.02), (-0.015, 0.01), (-0.005, 0.02)])
    def test_it_is_weighed_by_what_is_usual(self, mean, sd, ends):
        share, error = settled_share(mean, sd, 5.0, ends, allowed=0.01)
        usual, any_change = (
            chance_of_settling(posterior(mean, sd), ends, np.array([5.0]), each)
            for each in (UsualChanges.within(0.01), ANY)
        )
        assert usual == pytest.approx(share, abs=4 * error + 2e-3)
        assert abs(usual - any_change) > 0.02  # as if every change were as likely would show


class TestExamplesNeeded:
    @pytest.mark.parametrize(
        ("mean", "sd", "answered"),
        [
            (-0.05, 0.01, ExamplesNeeded(0, 0, 0)),
            (0.0, 0.001, ExamplesNeeded(0, 0, 0)),
            (0.05, 0.01, ExamplesNeeded(0, 0, 0)),
        ],
    )
    def test_what_is_answered_needs_none(self, mean, sd, answered):
        assert examples_needed(posterior(mean, sd), ROPE, ANY, 100 * TIMES, TIMES) == answered

    def test_each_question_has_its_own_number(self):
        no_worse = examples_needed(posterior(0.02, 0.01), ROPE, ANY, 1_000 * TIMES, TIMES)
        assert no_worse.not_worse == 0
        assert no_worse.better > 0
        assert no_worse.of(NOT_INFERIOR) == no_worse.of(NOT_WORSE) == 0
        assert no_worse.of(BETTER) == no_worse.better
        leaning = examples_needed(posterior(-0.02, 0.01), ROPE, ANY, 1_000 * TIMES, TIMES)
        assert (leaning.better, leaning.not_worse > 0) == (0, True)

    @pytest.mark.parametrize(("mean", "sd"), [(0.0, 0.02), (-0.012, 0.01), (0.005, 0.006)])
    def test_the_number_gives_an_even_chance(self, mean, sd):
        found = posterior(mean, sd)
        needed = examples_needed(found, ROPE, UsualChanges.within(0.01), 10_000 * TIMES, TIMES)
        for ends, n in zip(QUESTIONS, (needed.not_worse, needed.better, needed.equivalent), strict=True):
            if n:
                times = np.array([0.88, 1.0]) * n / 10_000
                chances = chance_of_settling(found, ends, times, UsualChanges.within(0.01))
                assert chances[0] < 0.5 <= chances[1] < 0.53

    @pytest.mark.parametrize(
        ("rope", "lost", "gained"),
        [((-0.03, 0.005), 0.03, 0.005), ((-0.01, 0.03), 0.01, 0.01), ((0, 0.02), 0.02, 0.02), ((-0.02, 0), 0.02, 0.02)],
    )
    def test_without_a_history_losses_go_by_what_is_allowed_and_gains_by_the_nearer_end(self, rope, lost, gained):
        found, (low, high) = posterior(-0.004, 0.02), rope
        needed, by_loss, by_gain = (
            examples_needed(found, Rope(low, high), usual, 100 * TIMES, TIMES)
            for usual in (None, UsualChanges.within(lost), UsualChanges.within(gained))
        )
        assert needed == ExamplesNeeded(by_loss.not_worse, by_gain.better, by_gain.equivalent)
        assert (by_loss == by_gain) is (lost == gained)

    def test_a_difference_of_which_nothing_is_known_takes_a_multiple(self):
        """Far wider than the ROPE: half of the truths are further from it than 1.96 of the later posterior's
        deviations.
        """
        ratio = (norm.ppf(0.975) / norm.ppf(0.75)) ** 2
        found = examples_needed(posterior(0.0, 10.0), ROPE, ANY, 1_000 * TIMES, TIMES)
        assert found.equivalent == pytest.approx(1_000 * ratio, rel=0.1)

    def test_what_is_open_takes_one_more_example_at_least(self):
        assert examples_needed(posterior(-0.0295, 0.01), ROPE, ANY, 10 * TIMES, TIMES).not_worse == 1

    def test_no_number_answers_what_is_on_the_edge_for_certain(self):
        certain = replace(posterior(0.01, 0.01), std=0.0, mean=0.01, hdi=(0.01, 0.01))
        assert examples_needed(certain, ROPE, ANY, 100 * TIMES, TIMES).equivalent == 0
        beyond = replace(certain, hdi=(0.005, 0.015))
        assert examples_needed(beyond, ROPE, ANY, 100 * TIMES, TIMES).equivalent is None

    def test_no_number_is_told_where_none_that_was_tried_would_do(self):
        nearly = replace(posterior(0.0, 0.02), hdi=(-1e4, 1e4))
        assert examples_needed(nearly, ROPE, ANY, 100 * TIMES, TIMES) == ExamplesNeeded(None, None, None)
