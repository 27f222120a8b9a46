"""Against published constants, and by simulated sums."""

import numpy as np
import pytest
from scipy.stats import norm

from pytest_bayesf1.stats.looks import LookSchedule, hdi_prob_at_look


def boundary(*asked):
    return norm.isf((1 - hdi_prob_at_look(*asked)) / 2)


def test_the_first_of_many_looks_asks_for_no_more_than_draws_can_tell():
    assert hdi_prob_at_look(12, 1 / 12) == 0.9999
    assert hdi_prob_at_look(2, 0.1, 0.99999) == 0.99999


# the constants of O'Brien and Fleming's boundaries for equal looks, two-sided 5%, as textbooks tabulate them
@pytest.mark.parametrize(
    ("n_looks", "constant"), [(1, 1.960), (2, 1.977), (3, 2.004), (4, 2.024), (5, 2.040), (10, 2.087)]
)
def test_the_last_look_has_the_published_boundary(n_looks, constant):
    assert boundary(n_looks, 1) == pytest.approx(constant, abs=6e-4)


def test_earlier_looks_need_the_same_sum():
    assert boundary(5, 0.4) * np.sqrt(0.4) == pytest.approx(boundary(5, 1), abs=1e-6)


def test_more_examples_than_planned_are_judged_as_at_the_last_look():
    assert hdi_prob_at_look(3, 1.2) == hdi_prob_at_look(3, 1)


@pytest.mark.parametrize(("n_looks", "hdi_prob"), [(2, 0.9), (12, 0.95), (30, 0.95)])
def test_all_looks_together_fail_as_rarely_as_one(n_looks, hdi_prob):
    n = 200_000
    sums = np.random.default_rng(n_looks).normal(size=(n, n_looks)).cumsum(axis=1)
    shares = np.arange(1, n_looks + 1) / n_looks
    needed = boundary(n_looks, 1, hdi_prob)
    beyond = (sums / np.sqrt(n_looks) > needed).any(axis=1).mean()
    tail = (1 - hdi_prob) / 2
    assert beyond == pytest.approx(tail, abs=4 * np.sqrt(tail / n))
    levels = [hdi_prob_at_look(n_looks, share, hdi_prob) for share in shares]
    assert levels == sorted(levels, reverse=True)
    assert levels[-1] > hdi_prob


class TestLookSchedule:
    def test_a_look_is_judged_by_its_share_of_the_plan(self):
        found = 1 - LookSchedule(4, 1000).prob_at(250, 0.9)
        assert found == pytest.approx(1 - hdi_prob_at_look(4, 0.25, 0.9), rel=0.005)  # three digits of it are kept

    def test_looks_beyond_the_plan_are_named(self):
        schedule = LookSchedule(4, 1_000)
        notes = [schedule.note(n, 0.99) for n in (250, 1_000, 1_001)]
        assert ["beyond the plan" in note for note in notes] == [False, False, True]
        assert "250 of 1,000" in notes[0]
