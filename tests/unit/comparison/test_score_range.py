"""Against closed forms, the distribution of the studentised range, and by how often intervals hold."""

import numpy as np
import pytest
from scipy.stats import norm, studentized_range

from pytest_bayesf1.comparison.breakdown import ScoreRange


def normal(means, stds, n=100_000):
    """Draw normal posteriors with exactly these means and standard deviations."""
    draws = np.random.default_rng(0).normal(size=(len(means), n))
    draws -= draws.mean(axis=1, keepdims=True)
    draws /= draws.std(axis=1, keepdims=True)
    return ScoreRange(np.array(means)[:, None] + np.array(stds)[:, None] * draws)


@pytest.mark.parametrize("limit", [0.0, 0.01, 0.03])
def test_two_scores_against_the_folded_normal_distribution(limit):
    found, std = normal([0.9, 0.86], [0.015, 0.015]), 0.015 * np.sqrt(2)
    expected = norm.cdf((limit - 0.04) / std) + norm.cdf((-limit - 0.04) / std)
    assert found.p_value(limit) == pytest.approx(expected, abs=0.005)
    assert found.interval(0.95)[1] == pytest.approx(0.04 + norm.ppf(0.975) * std, abs=0.001)


def test_the_upper_end_adds_how_far_the_highest_may_be_above_and_the_lowest_below():
    draws = np.stack(
        [0.8 + np.random.default_rng(place).exponential(scale, 50_000) for place, scale in ((0, 0.05), (1, 0.01))]
    )
    means, (low, high) = draws.mean(axis=1), np.quantile(draws, [0.1, 0.9], axis=1)
    upper = means[0] - means[1] + np.hypot(high[0] - means[0], means[1] - low[1])
    assert ScoreRange(draws).interval(0.8)[1] == pytest.approx(upper)


@pytest.mark.parametrize("n_scores", [3, 8])
@pytest.mark.parametrize("observed", [2.5, 4.0])
def test_scores_that_are_alike_against_the_studentised_range(n_scores, observed):
    found = normal(np.linspace(0, observed, n_scores), np.ones(n_scores))
    assert found.p_value(0) == pytest.approx(studentized_range.sf(observed, n_scores, np.inf), abs=0.005)


def test_the_interval_is_where_the_test_rejects_nothing():
    found = normal([0.9, 0.91, 0.7], [0.01, 0.02, 0.04])
    low, high = found.interval(0.95)
    assert found.p_value(low) == pytest.approx(0.025, abs=0.001)
    assert found.p_value(found.estimate) == pytest.approx(0.5, abs=0.001)
    assert low < found.estimate < 0.21 < high


def test_a_vague_score_does_not_hide_that_two_precise_ones_are_apart():
    precise = normal([0.9, 0.8], [0.01, 0.01])
    with_vague = normal([0.9, 0.8, 0.85], [0.01, 0.01, 0.2])
    assert precise.interval(0.95)[0] == pytest.approx(0.072, abs=0.002)
    assert with_vague.interval(0.95)[0] > 0.05
    assert with_vague.clearest(0.05) == (0, 1)
