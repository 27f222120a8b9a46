"""Statistics of two things: turned around, in another order, or of unequal sizes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.breakdown import ScoreRange
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.results.comparison import ClusterFigures, EarlierChange
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.frequentist import macro_rank_test, macro_sign_test, macro_t_test, proportion_test
from pytest_bayesf1.stats.posterior import TIMES, Draws, examples_needed, summarise_delta, usual_variance
from pytest_bayesf1.stats.power import Alternative, detectable_losses_of
from tests.property.strategies import ROPES, posteriors

SHARES = st.integers(1, 99).map(lambda percent: percent / 100)
SCORES = st.lists(st.tuples(*[st.sampled_from([0.1, 0.2, 0.5, 0.9])] * 2), min_size=3, max_size=60)
CHANGES = st.builds(EarlierChange, st.floats(-0.1, 0.1), st.floats(0.001, 0.05))


def assert_turned(there, back):
    assert there.n == back.n
    assert there.statistic == pytest.approx(-back.statistic)
    assert there.p_value == pytest.approx(back.p_value)


@given(SHARES, st.integers(1, 40), SHARES, st.integers(41, 4_000))
def test_proportions_of_unequal_numbers_change_places(p_a, n_a, p_b, n_b):
    there, back = proportion_test(p_a, n_a, p_b, n_b), proportion_test(p_b, n_b, p_a, n_a)
    assert_turned(there, back)
    pooled = (p_a * n_a + p_b * n_b) / (n_a + n_b)
    error = np.sqrt(pooled * (1 - pooled) * (1 / n_a + 1 / n_b))
    assert there.statistic == pytest.approx((p_a - p_b) / error)


@given(SCORES)
def test_classes_of_two_systems_change_places(scores):
    a, b = np.array(scores).T
    for test in (macro_sign_test, macro_t_test, macro_rank_test):
        assert_turned(test(a, b), test(b, a))


@given(st.lists(CHANGES, min_size=10, max_size=20), st.randoms(use_true_random=False))
def test_earlier_changes_count_alike_in_any_order(history, random):
    moved = random.sample(history, len(history))
    assert usual_variance(moved) == pytest.approx(usual_variance(history))


@given(posteriors(), ROPES)
def test_examples_that_are_needed_change_places(draws, rope):
    there = summarise_delta(Draws(draws), Rope(*rope), 0.95)
    low, high = there.hdi
    back = replace(there, mean=-there.mean, hdi=(-high, -low))
    n = np.ceil(1_000 * TIMES)
    one, other = (
        examples_needed(each, ends, n, TIMES) for each, ends in ((there, Rope(*rope)), (back, Rope(-rope[1], -rope[0])))
    )
    assert (one.not_worse, one.better, one.equivalent) == (other.better, other.not_worse, other.equivalent)


@given(st.integers(0, 2**32))
def test_a_range_of_scores_is_as_long_upside_down_and_in_any_order(seed):
    rng = np.random.default_rng(seed)
    draws = rng.normal(0.8, 0.02, (4, 1)) + rng.choice([-1, 1], (4, 1)) * rng.gamma(1.5, 0.02, (4, 2_000))
    made, turned, moved = (ScoreRange(each) for each in (draws, -draws, draws[::-1]))
    assert made.interval(0.95) == pytest.approx(turned.interval(0.95), abs=2e-3)
    assert made.interval(0.95) == pytest.approx(moved.interval(0.95), abs=1e-6)
    first, second = made.clearest(0.0)
    assert turned.clearest(0.0) == (second, first)
    assert moved.clearest(0.0) == (3 - first, 3 - second)


@given(st.integers(0, 2**32), st.floats(1.5, 4))
def test_each_loss_that_is_found_grows_with_the_design_effect(seed, effect):
    """Also where the posterior is as wide, for what the loss adds is multiplied."""
    rng, true = np.random.default_rng(seed), np.repeat([0, 1, 2], [400, 200, 80])
    sides = [np.where(rng.random(true.size) < 0.95, true, (true + 1) % 3) for _ in range(2)]
    experiment = Experiment(Model.PAIRED, (OutcomeTable.tally(3, true, *sides),))
    seen, rope = Alternative.seen(experiment, parse_measure("f1_macro", range(3))), Rope(-0.01, 0.01)
    posterior = summarise_delta(Draws(rng.normal(0, np.sqrt(seen.variance), 4_000)), rope, 0.95)
    clusters = ClusterFigures("clusters", "examples", (90, 90), (90, 90), (1, 1), (0, 0), effect, (0.0, 0.1))
    alone, together = (detectable_losses_of(posterior, rope, seen, 1.0, each) for each in (None, clusters))
    for one, other in zip(vars(alone).values(), vars(together).values(), strict=True):
        assert other is None or other > one
