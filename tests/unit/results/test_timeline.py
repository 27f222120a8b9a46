from dataclasses import replace

import pytest

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

POINTS = tuple(TrendPoint(f"2026-05-{day:02}", "abc", 0.9, (0.89, 0.91)) for day in (1, 11))
TREND = Trend("a.csv", 0.02, 0.9, POINTS, day="2026-05-14")
VERSION = VersionResult("abc", "2026-05-01", "a commit", "a.csv")


@pytest.mark.parametrize(
    ("known", "age", "least"),
    [
        ({}, 3, 0.88),
        ({"day": ""}, None, 0.88),
        ({"points": ()}, None, 0.88),
        ({"anchor": None}, 3, None),
        ({"budget": None}, 3, None),
    ],
)
def test_a_trend_knows_how_old_its_last_version_is_and_what_is_allowed(known, age, least):
    found = replace(TREND, **known)
    assert (found.age, found.least) == (age, None if least is None else pytest.approx(least))


def test_a_version_knows_what_it_is_compared_with():
    change = VersionChange(0.0, 0.01, (-0.01, 0.01), "~", is_not_inferior=True)
    sets = None, NewTestSet(9, 8, 7), NewTestSet(9, 8, 0), NewTestSet(9, 8)
    assert [replace(change, new_test_set=each).is_of_shared_examples for each in sets] == [True, True, True, False]
    assert [replace(VERSION, why_no_total=why).is_anchor for why in (ITSELF, "the first", "")] == [True, False, False]


@pytest.mark.parametrize(
    ("problems", "now"), [([], ""), (["damaged", ""], ""), (["", "damaged"], "damaged"), (["", DELETED], "")]
)
def test_a_history_knows_whether_its_newest_version_was_read(problems, now):
    known = {"file": "a.csv", "measure": "f1", "measure_words": "F1", "bounded": True, "shallow": False}
    versions = tuple(replace(VERSION, problem=each) for each in problems)
    made = History(**known, rope=(-0.01, 0.01), budget=0.02, hdi_prob=0.95, versions=versions)
    assert made.problem_now == now
