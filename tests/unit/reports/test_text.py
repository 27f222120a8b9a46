import pytest

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.terminal import report_lines, text_lines
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, entry, error, estimate

HEADLINE = comparison().headline


def lines_of(*entries, missing=()):
    return [line for line, _ in text_lines(Report.of(entries, missing))]


def test_what_passed_takes_one_line():
    report = Report.of([entry(comparison()), entry(estimate())])
    assert text_lines(report) == [*report_lines(report), ("0 failed, 0 warned, 2 passed", {"bold": True})]


def test_what_failed_says_what_to_do():
    failed = entry(comparison(examples_needed=50), "failed", test="test_a", advice="Look at the data.")
    assert lines_of(failed)[:5] == [
        "test_a",
        HEADLINE,
        "  About 50 more test examples would give an even chance of settling it.",
        "  Look at the data.",
        "",
    ]


def test_parts_of_one_gate_are_advised_once():
    entries = [entry(comparison(), "failed", test="g", part=part, advice="Look.") for part in ("", "class ham")]
    assert lines_of(*entries)[:5] == ["g", HEADLINE, f"class ham: {HEADLINE}", "  Look.", ""]


def test_what_the_data_cannot_tell_is_told_of_whole_gates():
    entries = [
        entry(comparison(), "undecided", test="g", advice="Test on more."),
        entry(comparison(), "undecided", test="g", part="class ham", advice="Test on more."),
    ]
    told = text_lines(Report.of(entries))
    assert told[:2] == [("g", {"bold": True}), (HEADLINE, {"cyan": True})]
    assert [line for line, _ in told[2:4]] == ["  Test on more.", ""]
    assert told[-1][0] == "0 failed, 0 warned, 0 passed, 2 could not tell"


def test_an_error_is_told_as_it_is():
    problem = BaselineError("a.csv", "a file", "none", "Make one.")
    assert lines_of(error(problem, test="g")) == [
        "g",
        "a.csv: expected a file, got none. Make one.",
        "",
        "g",
        "  error  no answer",
        "0 failed, 1 without an answer, 0 warned, 0 passed",
    ]


def test_colours_follow_the_verdict():
    lines = text_lines(Report.of([entry(comparison(), "warned", test="test_a")]))
    assert lines[:2] == [("test_a", {"bold": True}), (HEADLINE, {"yellow": True})]


def test_what_is_missing_is_told():
    assert "Incomplete: 1 test did not finish: test_b" in lines_of(missing=["test_b"])


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_gives_the_terminal_an_order_or_fills_it(name):
    lines = lines_of(entry(comparison(measure=f"f1[{name}]"), "failed", test=name, part=name, advice=name))
    assert all(len(line.splitlines()) <= 1 for line in lines)
    assert not set("".join(lines)) & set("\x1b\x07\r\n\u202e\u2066\u200f\ud800")
    assert max(map(len, lines)) < 2_500
