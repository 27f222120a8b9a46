"""What a verdict card says of the entries of a report."""

from dataclasses import replace

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.figures.pictures import Landmark
from pytest_bayesf1.reports.entry import VERDICTS, Judged, Report
from pytest_bayesf1.reports.verdict_card import CardClass, run_card, verdict_card
from pytest_bayesf1.results.comparison import ClassChange, Density
from pytest_bayesf1.results.run import UNKNOWN_RUN, RunIdentity
from pytest_bayesf1.text import flowed
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, entry, error, estimate, score
from tests.unit.reports.golden_report import WORSE, breakdown

RUN = RunIdentity(commit="1a2b3c4d5e6f", branch="main", date="2026-05-02", notes={"model": "v3"})
DROPS = (ClassChange("ham", 0.6, 0.55), ClassChange("spam", 0.8, 0.7), ClassChange("news", 0.5, 0.5))
OBSERVED = {"candidate": score(0.77, observed=0.765)}  # the observed score is not the mean


def card(result, verdict="failed", policy="not_worse", run=RUN, **others):
    return verdict_card(Judged((replace(entry(result, verdict, **others), policy=policy),)), run)


def test_a_comparison():
    shown = card(comparison(**WORSE, **OBSERVED, largest_drops=DROPS), part="class spam")
    assert (shown.verdict, shown.verdict_words, shown.glyph) == ("failed", "failed", "≪")
    assert shown.title == "Worse: 0.800 → 0.765"
    assert shown.gate == "tests/test_spam.py::test_f1 class spam"
    assert shown.measure == "macro-F1"
    assert shown.change == "−3.5 points (you allow 1)"
    assert shown.interval == "95% likely −4.0 to −2.0"
    assert shown.run == "commit 1a2b3c4, 2 May 2026"
    assert shown.sees.startswith(
        "With 1,000 and 1,200 examples this gate catches losses of 3.5 points in 80% of cases if spread evenly, "
        "4.2 at worst."
    )
    assert shown.classes == (CardClass("spam", 0.8, 0.7, "0.800 → 0.700"), CardClass("ham", 0.6, 0.55, "0.600 → 0.550"))


def test_its_axis_is_in_points():
    shown = card(comparison(**WORSE, **OBSERVED, density=Density(-0.05, 0.0, (0.0, 1.0, 0.0)))).posterior
    assert shown.density == Density(-5.0, 0.0, (0.0, 1.0, 0.0))
    assert (shown.observed, shown.hdi, shown.rope, shown.reference) == (
        pytest.approx(-3.5),
        (-4.0, -2.0),
        (-1.0, 1.0),
        0.0,
    )
    assert shown.here == "you are here: −3.5"


def test_a_measure_of_the_user_s_own_has_no_unit():
    result = comparison(measure="cost", custom_measure=True, mean=12.5, hdi=(10.0, 15.0), rope=(-20.0, 20.0))
    shown = card(result, "passed")
    assert shown.change == "+12.5 (you allow 20)"
    assert shown.posterior.rope == (-20.0, 20.0)
    assert [mark.words for mark in shown.posterior.landmarks] == ["you allow to here: −20", "no change"]


@pytest.mark.parametrize(
    ("policy", "rope", "landmarks"),
    [
        ("not_worse", (-0.01, 0.02), [(-1, "you allow to here: −1"), (0, "no change")]),
        ("", (-0.01, 0.02), [(-1, "you allow to here: −1"), (0, "no change")]),
        ("not_inferior", (0.0, 0.02), [(0, "no change: you allow no loss")]),
        ("better", (-0.01, 0.02), [(0, "no change"), (2, "better from here: +2")]),
        ("better", (-0.01, 0.0), [(0, "no change: better from here")]),
        ("equivalent", (-0.01, 0.02), [(-1, "equivalent from here: −1"), (2, "equivalent to here: +2")]),
        ("equivalent", (0.0, 0.0), [(0, "no change: you allow no loss")]),
    ],
)
def test_what_the_policy_asks_about_is_named(policy, rope, landmarks):
    shown = card(comparison(rope=rope), policy=policy)
    assert shown.posterior.landmarks == tuple(Landmark(at, words) for at, words in landmarks)
    assert ("you demand" in shown.change) == (policy == "better")


def test_the_classes_of_a_breakdown_that_fall_most():
    whole = replace(entry(comparison(**WORSE), "failed"), breakdown=breakdown(*"abcdef"))
    shown = verdict_card(Judged((whole,)), RUN)
    assert [each.label for each in shown.classes] == ["a", "b", "c", "d"]
    assert shown.classes_title == "F1 by class, where it fell most"


def test_a_floor():
    shown = card(estimate(score=score(0.8, observed=0.805)), "passed", policy="at_least")
    assert (shown.title, shown.glyph) == ("Above the floor of 0.75: 0.805", "≫")
    assert shown.change == "0.805 (your floor is 0.75)"
    assert shown.interval == "95% likely 0.780 to 0.820"
    assert shown.sees == "Tested on 1,000 examples."
    assert (shown.posterior.reference, shown.posterior.rope, shown.posterior.observed) == (0.75, None, 0.805)
    assert shown.posterior.here == "you are here: 0.805"
    assert shown.posterior.landmarks == (Landmark(0.75, "the floor is here: 0.75"),)
    below = card(estimate(below_floor=True, above_floor=False, score=score(0.7, hdi=(0.68, 0.72))))
    assert (below.title, below.glyph) == ("Below the floor of 0.75: 0.700", "≪")
    assert card(estimate(below_floor=False, above_floor=False)).glyph == "?"


def test_an_error():
    shown = verdict_card(Judged((error("a.csv: no\nsuch file"),)), RUN)
    assert (shown.title, shown.glyph, shown.message) == ("Error", "!", "a.csv: no such file")
    assert shown.posterior is None
    expected = verdict_card(Judged((error("a.csv: no such file").of_expected_failure(),)), RUN)
    assert (expected.verdict, expected.verdict_words) == ("expected", "expected failure")


def test_nothing_is_known_of_the_run():
    assert card(comparison(), run=UNKNOWN_RUN).run == ""


@pytest.mark.parametrize("decision", Decision)
def test_the_glyph_is_the_decision_s_and_classes_are_shown_of_a_loss_alone(decision):
    shown = card(comparison(decision=decision, largest_drops=DROPS))
    assert shown.glyph == decision.value
    assert bool(shown.classes) == (decision.side < 0)
    part = entry(comparison(decision=decision), "failed", part="class a", gate="per_class")
    assert verdict_card(Judged((entry(comparison(decision=Decision.EQUIVALENT)), part)), RUN).glyph == decision.value


@pytest.mark.parametrize("verdict", [verdict for verdict in VERDICTS if verdict != "error"])
def test_verdicts_in_words(verdict):
    assert card(comparison(), verdict).verdict_words == VERDICTS[verdict].words


@pytest.mark.parametrize("name", HOSTILE)
def test_names_show_and_stay_short(name):
    shown = card(comparison(**WORSE, largest_drops=(ClassChange(name, 0.8, 0.7),)), test=f"a::{name}")
    for text in (shown.gate, shown.classes[0].label):
        assert len(text) < 250
        assert text == flowed(text)


def test_who_wants_a_gain_is_not_told_which_losses_are_found():
    assert card(comparison(**WORSE), policy="better").sees == ""


def test_the_card_of_a_run_has_its_counts_and_the_gates_that_failed():
    gates = [replace(entry(comparison(**WORSE), "failed", test=f"t{n}"), policy="not_worse") for n in range(7)]
    shown = run_card(Report.of([*gates, entry(comparison(), test="fine")], run=RUN))
    assert (shown.title, shown.gate, shown.run) == ("7 of 8 gates failed", "1 passed", "commit 1a2b3c4, 2 May 2026")
    assert [(row.name, row.scores) for row in shown.rows] == [(f"t{n}", "0.800 → 0.770") for n in range(5)]
    assert {row.change for row in shown.rows} == {"−3.0 (−4.0 to −2.0)"}
    assert shown.sees == "and 2 more gates"
    both = run_card(Report.of([gates[0], error("no file", test="broken"), entry(comparison(), test="fine")]))
    assert [(row.verdict, row.name, row.change) for row in both.rows][1:] == [("error", "broken", "no file")]
    part = entry(comparison(**WORSE, **OBSERVED), "failed", test="t", part="class a", gate="per_class")
    of_part = run_card(Report.of([entry(comparison(), test="t"), part, entry(comparison(), test="fine")]))
    (row,) = of_part.rows
    assert of_part.glyph == "≪"
    assert (row.name, row.scores) == ("t (1 of 1 class) class a", "0.800 → 0.765")
    assert run_card(Report.of([])) is None
    assert run_card(Report.of(gates[:1])).title == "Worse: 0.800 → 0.770"


@pytest.mark.parametrize(
    ("verdict", "glyph", "rows"),
    [
        ("", "➖", []),
        ("passed", "✓", []),
        ("undecided", "?", []),
        ("expected", "?", ["t1"]),
        ("warned", "?", ["t1"]),
        ("accepted", "?", ["t1"]),
    ],
)
def test_a_run_has_the_glyph_of_its_gravest_gate_and_rows_of_those_to_look_at(verdict, glyph, rows):
    gates = [entry(comparison(), each, test=f"t{n}") for n, each in enumerate(["passed", verdict, "passed"])]
    shown = run_card(Report.of(gates))
    assert (shown.glyph, [row.name for row in shown.rows]) == (glyph, rows)


def test_names_on_the_card_of_a_run_stay_distinct_beside_their_counts():
    names = [f"a-gate-with-a-name-of-a-hundred-characters-{40 * 'x'}-2026-{n:02}" for n in range(3)]
    whole = [replace(entry(comparison(**WORSE), "failed", test=f"a.yaml::{n}"), policy="not_worse") for n in names]
    parts = [replace(each, part="class a", gate="per_class") for each in whole]
    shown = [row.name for row in run_card(Report.of([*whole, *parts])).rows]
    assert len(set(shown)) == 3
    assert all(name.endswith(f"-2026-{n:02} (1 of 1 class)") for n, name in enumerate(shown))
