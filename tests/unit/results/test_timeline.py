from dataclasses import replace

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.results.timeline import (
    DELETED,
    ITSELF,
    History,
    NewTestSet,
    Trend,
    TrendPoint,
    VersionChange,
    VersionResult,
)

CHANGE = VersionChange(0.01, 0.02, (-0.03, 0.05), Decision.UNDECIDED, is_not_inferior=False)
VERSION = VersionResult("abc", "2026-05-01", "first", "a.json")
OF_HISTORY = {"measure": "f1", "measure_words": "F1", "bounded": True, "rope": (-0.01, 0.01), "budget": 0.02}
POINTS = tuple(TrendPoint(f"2026-05-{day:02}", "abc", 0.8, (0.7, 0.9)) for day in (1, 3, 6))


@pytest.mark.parametrize(
    ("new_test_set", "is_shared"), [(None, True), (NewTestSet(9, 8, 7), True), (NewTestSet(9, 8), False)]
)
def test_versions_that_share_examples_are_compared_on_them(new_test_set, is_shared):
    assert replace(CHANGE, new_test_set=new_test_set).is_of_shared_examples is is_shared


def test_an_anchor_and_a_deleted_version_are_known_by_their_reasons():
    versions = [VERSION, replace(VERSION, problem=DELETED), replace(VERSION, problem="damaged", why_no_total="none")]
    versions.append(replace(VERSION, why_no_total=ITSELF))
    assert [each.is_deleted for each in versions] == [False, True, False, False]
    assert [each.is_anchor for each in versions] == [False, False, False, True]


@pytest.mark.parametrize(
    ("problems", "now"), [(["old", ""], ""), (["old", "new"], "new"), (["old", DELETED], ""), ([], "")]
)
def test_a_problem_counts_of_the_newest_version_that_is_there(problems, now):
    versions = tuple(replace(VERSION, problem=each) for each in problems)
    assert History(file="a", hdi_prob=0.95, shallow=False, versions=versions, **OF_HISTORY).problem_now == now


@pytest.mark.parametrize(
    ("points", "day", "age"), [(POINTS, "2026-06-01", 26), (POINTS, "", None), ((), "2026-06-01", None)]
)
def test_a_baseline_is_as_old_as_its_last_version(points, day, age):
    assert Trend("a", None, points=points, day=day).age == age


@pytest.mark.parametrize(("budget", "anchor", "least"), [(0.25, 0.75, 0.5), (None, 0.75, None), (0.25, None, None)])
def test_the_least_score_is_below_the_anchor_by_the_budget(budget, anchor, least):
    assert Trend("a", budget, anchor).least == least
