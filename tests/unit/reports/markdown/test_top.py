"""What the top of a report says."""

from dataclasses import replace

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import Top, markdown, top_of
from pytest_bayesf1.results.run import RunIdentity
from tests.unit.made_up import comparison, entry, error, estimate, score
from tests.unit.reports.golden_report import breakdown

SIDES = {"baseline": score(0.982), "candidate": score(0.912)}
WORSE = comparison(decision=Decision.MUCH_WORSE, mean=-0.07, hdi=(-0.091, -0.049), **SIDES)
FAILED = replace(
    entry(WORSE, "failed", test="t.py::test_spam", advice="Find it."),
    policy="not_worse",
    breakdown=breakdown("a|b", "ham", "news", "ads"),
)
RUN = RunIdentity(commit="1a2b3c4d5e", branch="", date="", notes={})


def top(*entries):
    return top_of(Report.of(entries))


def test_it_tells_all_that_somebody_needs_who_reads_nothing_else():
    lines = markdown(Report.of([FAILED], run=RUN)).splitlines()
    assert [line for line in lines if line][:6] == [
        "## ❌ Worse: 0.982 → 0.912",
        "**t.py::test\\_spam** · macro-F1 · `1a2b3c4`",
        "- **−7.0 points** (95% HDI −9.1 to −4.9); demanded: no loss above 1 point",
        "- Falls most: a\\|b 0.800 → 0.700, ham 0.800 → 0.720, news 0.800 → 0.740",
        "- With 1,000 and 1,200 examples this gate finds losses of 3.5 points or more; you tolerate 1.",
        "**What to do:** Find it.",
    ]


@pytest.mark.parametrize(
    ("policy", "rope", "asked"),
    [
        ("not_worse", (-0.01, 0.02), "no loss above 1 point"),
        ("not_inferior", (-0.025, 0.02), "no loss above 2.5 points"),
        ("not_even_slightly_worse", (0.0, 0.02), "no loss"),
        ("better", (-0.01, 0.02), "a gain above 2 points"),
        ("better", (-0.01, 0.0), "a gain"),
        ("equivalent", (-0.01, 0.01), "±1 points"),
        ("", (-0.01, 0.02), "−1 to +2 points"),
    ],
)
def test_a_policy_demands_what_it_does(policy, rope, asked):
    assert f"demanded: {asked}\n" in markdown(Report.of([replace(FAILED, policy=policy, rope=rope)]))


def test_a_floor_is_about_the_score():
    made = replace(entry(estimate(floor=0.85, below_floor=True, above_floor=False), "failed"), policy="at_least")
    assert top(made).title == "Below the floor of 0.85: 0.800"
    assert "- **0.800** (95% HDI 0.780 to 0.820); demanded: at least 0.85\n" in markdown(Report.of([made]))


def test_a_function_of_the_users_own_has_no_points():
    made = replace(FAILED, custom_measure=True, mean=-12.5, hdi=(-15.0, -10.0), rope=(-5.0, 5.0))
    text = markdown(Report.of([made]))
    assert "- **−12.5** (95% HDI −15.0 to −10.0); demanded: no loss above 5\n" in text


def test_few_classes_are_named():
    assert "- Falls most: a\\|b 0.800 → 0.700, ham 0.800 → 0.720, news 0.800 → 0.740\n" in markdown(Report.of([FAILED]))
    assert "Falls most" not in markdown(Report.of([replace(FAILED, breakdown=None, largest_drops=())]))


def test_of_several_the_worst_is_shown_and_said_to_be():
    milder = replace(FAILED, test="milder", hdi=(-0.03, -0.02))
    found = top(milder, FAILED, entry(comparison(decision=Decision.EQUIVALENT)))
    assert (found.role, found.entry.test) == ("The worst of 2:", "t.py::test_spam")


def test_an_error_has_no_figures():
    assert top(error("no file")).title == "No answer"
    assert "demanded" not in markdown(Report.of([error("no file")]))
    assert "\n\nno file.\n" in markdown(Report.of([error("no file")]))


def test_an_expected_failure_says_so():
    assert top(FAILED.of_expected_failure()).role == "Failed as expected (xfail):"
    assert markdown(Report.of([FAILED.of_expected_failure()])).startswith("## 🔕 Worse: 0.982 → 0.912\n")


@pytest.mark.parametrize("entries", [[], [replace(FAILED, verdict="")]])
def test_a_run_without_a_gate_has_no_worst(entries):
    assert top(*entries) == Top("No gate ran")
