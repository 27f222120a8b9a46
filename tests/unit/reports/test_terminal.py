import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.reports.terminal import report_lines
from tests.unit.results import comparison, entry, estimate, score


def lines(*entries, **options):
    return [line for line, _ in report_lines(Report.of(entries), **options)]


def test_a_comparison_takes_one_line():
    made = comparison(decision=Decision.MUCH_WORSE, mean=-0.0521, hdi=(-0.07, -0.03), model="same-set")
    assert lines(entry(made, "failed")) == [
        "failed  ≪  f1_macro  -0.0521  [-0.0700, -0.0300] same-set  tests/test_spam.py::test_f1"
    ]


def test_an_estimate_takes_one_line():
    assert lines(entry(estimate(measure="f1", floor=0.75))) == [
        "passed    f1  0.8000  [0.7800, 0.8200] floor 0.75  tests/test_spam.py::test_f1"
    ]


@pytest.mark.parametrize(
    ("decision", "symbol"),
    [(Decision.MUCH_WORSE, "<<"), (Decision.EQUIVALENT, "~"), (Decision.MUCH_BETTER, ">>"), (Decision.WORSE, "<")],
)
def test_a_terminal_without_unicode_gets_ascii(decision, symbol):
    (line,) = lines(entry(comparison(decision=decision)), ascii_only=True)
    assert line.isascii()
    assert line.split()[1] == symbol


def test_columns_are_aligned():
    first, second, third = lines(
        entry(comparison(measure="matthews_corrcoef"), "failed", test="a"),
        entry(comparison(decision=Decision.EQUIVALENT, model="independent"), "passed", test="b"),
        entry(estimate(score=score(0.5)), "passed", test="c"),
    )
    assert first.index("+0.0020") == second.index("+0.0020") == third.index("0.5000")
    assert first.rindex("a") == second.rindex("b") == third.rindex("c")


@pytest.mark.parametrize(
    ("verdict", "markup"),
    [("failed", {"red": True}), ("warned", {"yellow": True}), ("passed", {"green": True}), ("", {})],
)
def test_the_colour_tells_the_verdict(verdict, markup):
    assert report_lines(Report.of([entry(comparison(), verdict)]))[0][1] == markup


def test_no_comparison_no_line():
    assert report_lines(Report.of([])) == []
