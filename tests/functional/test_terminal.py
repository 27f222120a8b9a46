"""The run ends with one row per comparison, and with nothing when there was none."""

import json
from pathlib import Path

import pytest

from pytest_bayesf1 import compare
from pytest_bayesf1.reports.terminal import interval_picture
from pytest_bayesf1.results.formatting import Amounts

from .classifiers import BASELINE, BETTER, MUCH_WORSE, ROPE

TWO_GATES = """
    from pytest_bayesf1 import assert_at_least, assert_not_worse
    from classifiers import BASELINE, BETTER, EQUIVALENT, MUCH_WORSE

    def test_better(bayes_compare):
        bayes_compare(BASELINE, BETTER, rope=0.02)

    def test_worse():
        assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
"""


LEGEND = "├──╂──┤ HDI and mean   ▒ ROPE   │ 0, or the floor   changes in points"


def _figures(comparison):
    mean, low, high = map(Amounts.of(comparison).signed, (comparison.mean, *comparison.hdi))
    return f"{mean}  [{low}, {high}]", interval_picture(comparison.mean, comparison.hdi, comparison.rope)


def test_one_row_a_comparison(pytester, section):
    pytester.makepyfile(test_gates=TWO_GATES)
    (worse, picture_worse), (better, picture_better) = (
        _figures(compare(BASELINE, candidate, rope=ROPE)) for candidate in (MUCH_WORSE, BETTER)
    )
    width = max(len(worse), len(better))
    assert section(pytester.runpytest()) == [
        "test_gates.py::test_worse",
        f"  failed  ≪  {worse:{width}}  {picture_worse}  macro-F1",
        "test_gates.py::test_better",
        f"  ─       >   {better:{width - 1}}  {picture_better}  macro-F1",
        LEGEND,
        "1 failed, 0 warned, 0 passed, 1 without a gate",
    ]


def test_columns_are_aligned(pytester, section, rows):
    pytester.makepyfile(
        test_gates="""
        from pytest_bayesf1 import assert_at_least, assert_not_worse, compare
        from classifiers import BASELINE, BETTER

        def test_better():
            assert_not_worse(BASELINE, BETTER, rope=0.02, measure="matthews_corrcoef")
            compare(BASELINE, BETTER, rope=0.02)
            assert_at_least(BASELINE, 0.8)
        """
    )
    result = pytester.runpytest()
    found = [row for _, row in rows(result)]
    assert [row.split("  ")[-1] for row in found] == ["macro-F1", "Matthews correlation", "macro-F1, floor 0.8"]
    assert len({row.index("[") for row in found}) == 1
    assert max(map(len, section(result))) <= 80


@pytest.mark.parametrize("source", ["def test_nothing(): pass", ""], ids=["no comparison", "no test"])
def test_silent_without_a_comparison(pytester, section, source):
    pytester.makepyfile(source)
    result = pytester.runpytest()
    assert section(result) == []
    result.stdout.no_fnmatch_line("*bayesf1 ===*")


def test_ascii_symbols_where_the_terminal_knows_no_others(pytester, section, rows, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    pytester.makepyfile(
        test_gates="""
        import classifiers
        from pytest_bayesf1 import compare

        def test_all():
            for name in ("MUCH_WORSE", "WORSE", "UNDECIDED", "EQUIVALENT", "BETTER", "MUCH_BETTER"):
                compare(classifiers.BASELINE, getattr(classifiers, name), rope=0.02)
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1)
    assert [row.split()[1] for _, row in rows(result)] == ["<<", "<", "?", "~", ">", ">>"]
    assert all(line.isascii() for line in section(result))


def test_a_failing_gate_on_an_ascii_terminal_is_still_an_ordinary_failure(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    pytester.makepyfile(TWO_GATES)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["E *: << macro-F1 -10.0 points (you tolerate 2): 0.900 -> 0.800"])
    assert all(line.isascii() for line in result.outlines)
    assert not any("\\u" in line for line in result.outlines)


def test_switched_off_there_is_no_section_and_the_assertions_work(pytester, section):
    pytester.makepyfile(
        """
        from pytest_bayesf1 import assert_not_worse, compare
        from classifiers import BASELINE, BETTER, MUCH_WORSE

        def test_worse():
            assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

        def test_better():
            assert compare(BASELINE, BETTER, rope=0.02).decision == ">"
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:bayesf1")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["E *≪ macro-F1 −*"])
    assert section(result) == []


def test_switched_off_there_is_no_fixture(pytester):
    pytester.makepyfile("def test_spam_filter(bayes_compare): pass")
    result = pytester.runpytest_subprocess("-p", "no:bayesf1")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["E *fixture 'bayes_compare' not found"])


MANY = """
    import pytest
    from pytest_bayesf1 import assert_not_worse
    from classifiers import BASELINE

    @pytest.mark.parametrize("n", range({n}))
    def test_same(n):
        assert_not_worse(BASELINE, BASELINE, rope=0.2, n_draws=1_000)

    def test_undecided():
        assert_not_worse(BASELINE, BASELINE, rope=0.003, n_draws=1_000)
"""


@pytest.mark.parametrize("n", [50, 51])
def test_every_row_that_is_shown_says_what_its_gate_sees(pytester, rows, n):
    pytester.makepyfile(test_many=MANY.format(n=n))
    found = [row for _, row in rows(pytester.runpytest("-W", "ignore"))]
    assert len(found) == (51 if n == 50 else 1)
    assert all(", sees " in row for row in found)


def test_a_report_has_of_every_gate_what_it_sees(pytester):
    pytester.makepyfile(test_many=MANY.format(n=51))
    pytester.runpytest("-W", "ignore", "--bayesf1-report=report.json")
    entries = json.loads(Path("report.json").read_text(encoding="utf-8"))["entries"]
    assert len(entries) == 52
    assert all(entry["detectable_losses"]["power_80"] and entry["prior_density"] for entry in entries)
