from dataclasses import replace

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.wording import headline
from tests.unit.made_up import comparison, entry, error, estimate

WORSE = comparison(decision=Decision.MUCH_WORSE, mean=-0.022, hdi=(-0.037, -0.007), rope=(-0.005, 0.005))
TOLD = (
    "The candidate is worse: macro-F1 falls by 2.2 points (95% HDI 0.7 to 3.7), more than the 0.5 points you tolerate"
)
FIRST = f"the worst, test_0: {TOLD[0].lower()}{TOLD[1:]}"
ERROR = error(InputError("rope", "a number", "none"), test="a")


def told(*verdicts, missing=(), errors=0):
    entries = [entry(WORSE, verdict, test=f"test_{number}") for number, verdict in enumerate(verdicts)]
    said = headline(Report.of([*entries, *errors * [ERROR]], missing))
    assert said.endswith(".")
    return said[:-1]


@pytest.mark.parametrize("verdict", ["failed", "passed"])
def test_one_comparison_speaks_for_itself(verdict):
    assert told(verdict) == TOLD


def test_so_does_one_estimate_and_one_error():
    assert headline(Report.of([entry(estimate())])) == f"{estimate().headline}."
    assert told(errors=1) == "No answer: rope: expected a number, got none"


@pytest.mark.parametrize(
    ("verdicts", "errors", "expected"),
    [
        (["failed", "failed", "passed"], 0, f"2 of 3 comparisons failed; {FIRST}"),
        (["failed", "warned", "warned", ""], 2, f"1 of 6 comparisons failed, 2 have no answer, 2 warned; {FIRST}"),
        (["warned", "passed"], 0, f"1 of 2 comparisons warned; {FIRST}"),
        (
            ["passed"],
            1,
            "1 of 2 comparisons has no answer; the worst, a: no answer: rope: expected a number, got none",
        ),
        (["passed"] * 12, 0, "All 12 comparisons passed"),
        (["passed", "", ""], 0, "1 comparison passed, 2 more had no gate"),
        (["passed"] * 3 + ["undecided"] * 2, 0, "3 comparisons passed, 2 could not tell"),
        (["passed", "undecided", ""], 0, "1 comparison passed, 1 could not tell, 1 more had no gate"),
        (["undecided", ""], 0, "1 comparison could not tell, 1 more had no gate"),
        (["undecided"] * 2, 0, "2 comparisons could not tell"),
        (["failed", "undecided", "passed"], 0, f"1 of 3 comparisons failed, 1 could not tell; {FIRST}"),
        (["expected"], 0, f"Failed as expected (xfail): {TOLD[0].lower()}{TOLD[1:]}"),
        (["expected"] * 3, 0, "3 comparisons failed as expected (xfail)"),
        (["expected", "passed"], 0, "1 comparison passed, 1 failed as expected"),
        (["", ""], 0, "No gate ran: 2 comparisons were made, none with a gate"),
        ([""], 0, f"No gate ran: {TOLD[0].lower()}{TOLD[1:]}"),
        ([], 0, "No gate ran: no comparison was made in this run"),
    ],
)
def test_several_are_counted_and_the_worst_is_told(verdicts, errors, expected):
    assert told(*verdicts, errors=errors) == expected


def test_what_is_missing_comes_first():
    assert told("passed", missing=["a"]) == f"Incomplete, 1 test did not finish: {TOLD[0].lower()}{TOLD[1:]}"
    assert told("passed", "passed", missing="ab") == "Incomplete, 2 tests did not finish: all 2 comparisons passed"
    assert told(missing=["a"]) == "Incomplete, 1 test did not finish: no comparison was made in this run"


def test_a_sentence_of_others_keeps_its_first_letter():
    entries = [replace(ERROR, headline="Spam.csv: expected a file"), entry(WORSE)]
    assert headline(Report.of(entries)).endswith("the worst, a: no answer: Spam.csv: expected a file.")
