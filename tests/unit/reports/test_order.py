from dataclasses import replace

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.reports.entry import Report, beyond, by_gate
from tests.unit.made_up import comparison, entry, error, estimate


def lost(points, verdict="failed", *, test="a", part=""):
    """Return an entry whose HDI ends so many points below the ROPE of ±1."""
    high = -0.01 - points / 100
    result = comparison(decision=Decision.MUCH_WORSE, mean=high - 0.01, hdi=(high - 0.02, high))
    return replace(entry(result, verdict, test=test, part=part), policy="not_worse")


def names(entries):
    return [[each.name for each in gate] for gate in by_gate(entries)]


def test_the_worst_gate_comes_first_by_the_worst_of_its_parts():
    found = [lost(2, test="a"), lost(0.1, test="b"), lost(5, test="b", part="class x"), lost(3, test="c")]
    assert names(found) == [["b", "b class x"], ["c"], ["a"]]
    assert Report.of(found).worst == found[2]


def test_parts_stand_below_their_gate_the_worst_first():
    found = [lost(0, "passed"), lost(-3, "passed", part="x"), lost(1, part="y"), lost(4, part="z")]
    assert names(found) == [["a", "a z", "a y", "a x"]]


def test_gates_of_one_test_keep_their_own_parts():
    found = [lost(0, "passed"), lost(1, part="x"), lost(2), lost(0, "passed", part="x")]
    assert [[each.verdict for each in gate] for gate in by_gate(found)] == [["failed", "passed"], ["passed", "failed"]]


def test_verdicts_are_graver_than_sizes():
    found = [lost(9, "expected", test="a"), lost(8, "warned", test="b"), error("none", "c"), lost(0.1, test="d")]
    assert names(found) == [["d"], ["c"], ["b"], ["a"]]


@pytest.mark.parametrize(
    ("policy", "points"),
    [("not_worse", -2), ("not_even_slightly_worse", 0), ("not_inferior", 2), ("better", 4), ("equivalent", 2)],
)
def test_a_policy_says_what_lies_beyond(policy, points):
    result = comparison(mean=-0.01, hdi=(-0.03, 0.01), rope=(-0.01, 0.01))
    assert beyond(replace(entry(result), policy=policy)) == pytest.approx(points)


def test_a_score_lies_beyond_its_floor_and_an_error_beyond_nothing():
    assert beyond(entry(estimate(floor=0.9))) == pytest.approx(8)
    assert beyond(error("none")) == 0
