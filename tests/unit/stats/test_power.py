"""The normal approximation of what a gate decides, against enumerated binomials and its own limits."""

import numpy as np
import pytest
from scipy.stats import binom, norm

from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import Draws, summarise_delta
from pytest_bayesf1.stats.power import NormalPower

ROPE = Rope(-0.01, 0.01)


def power(delta=-0.03, scatter=0.3, width=None, rope=ROPE, hdi_prob=0.95):
    return NormalPower(rope, hdi_prob, delta, scatter, scatter if width is None else width)


@pytest.mark.slow
@pytest.mark.parametrize(("delta", "n"), [(-0.03, 1_000), (0.004, 20_000), (0.03, 100)])
def test_the_rates_are_those_of_normal_posteriors(delta, n):
    """At estimates that are equally probable, with posteriors as draws, so that the gate's own rules decide."""
    found, grid = power(delta, width=0.4).rates(n), norm.ppf((np.arange(2_000) + 0.5) / 2_000)
    estimates = norm.ppf((np.arange(50) + 0.5) / 50, delta, 0.3 / np.sqrt(n))
    decided = [summarise_delta(Draws(each + grid * 0.4 / np.sqrt(n)), ROPE, 0.95).decision for each in estimates]
    for decision in Decision:
        assert np.mean([each is decision for each in decided]) == pytest.approx(found.of(decision), abs=1 / 50)


@pytest.mark.parametrize("n", [1, 100, 10**7])
@pytest.mark.parametrize("scatter", [0.0, 0.3])
def test_the_rates_add_up(n, scatter):
    found = power(scatter=scatter, width=0.3).rates(n)
    assert sum(found.of(decision) for decision in Decision) == pytest.approx(1)
    assert min(found.of(decision) for decision in Decision) >= 0


def test_the_smallest_test_set_has_the_power_and_one_example_less_has_not():
    for wanted in (0.5, 0.8, 0.9):
        n = power().examples_to_fail(wanted)
        assert power().rates(n).much_worse >= wanted > power().rates(n - 1).much_worse


@pytest.mark.parametrize("delta", [-0.01, 0.0, 0.02])
def test_no_number_of_examples_fails_what_is_tolerated(delta):
    assert power(delta).examples_to_fail(0.8) is None


def test_two_binomials_that_are_enumerated():
    """Accuracies of 0.9 and 0.84 on two test sets of 800: every pair of counts, each with a normal posterior."""
    n, before, after = 800, 0.9, 0.84
    right = np.arange(n + 1) / n
    half = norm.ppf(0.975) * np.sqrt((right[:, None] * (1 - right[:, None]) + right * (1 - right)) / n)
    fails = right - right[:, None] + half < ROPE.low
    exact = binom.pmf(np.arange(n + 1), n, before) @ fails @ binom.pmf(np.arange(n + 1), n, after)
    found = power(after - before, np.sqrt(before * (1 - before) + after * (1 - after))).rates(n).much_worse
    assert found == pytest.approx(exact, abs=0.01)
