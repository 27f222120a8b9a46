"""The run ends with one line a comparison, and with nothing when there was none."""

import pytest

from pytest_bayesf1 import compare

from .classifiers import BASELINE, BETTER, MUCH_WORSE, ROPE

TWO_GATES = """
    from pytest_bayesf1 import assert_at_least, assert_not_worse
    from classifiers import BASELINE, BETTER, EQUIVALENT, MUCH_WORSE

    def test_better(bayes_compare):
        bayes_compare(BASELINE, BETTER, rope=0.02)

    def test_worse():
        assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
"""


def _figures(comparison):
    return f"{comparison.mean:+.4f}  [{comparison.hdi[0]:+.4f}, {comparison.hdi[1]:+.4f}] same-set"


def test_one_line_a_comparison(pytester, section):
    pytester.makepyfile(test_gates=TWO_GATES)
    worse, better = compare(BASELINE, MUCH_WORSE, rope=ROPE), compare(BASELINE, BETTER, rope=ROPE)
    assert section(pytester.runpytest()) == [
        f"failed  ≪  f1_macro  {_figures(worse)}  test_gates.py::test_worse",
        f"        >  f1_macro  {_figures(better)}  test_gates.py::test_better",
    ]


def test_columns_are_aligned(pytester, section):
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
    lines = section(pytester.runpytest())
    assert len(lines) == 3
    assert len({line.index("test_gates.py::") for line in lines}) == 1
    assert len({line.index("[") for line in lines}) == 1


@pytest.mark.parametrize("source", ["def test_nothing(): pass", ""], ids=["no comparison", "no test"])
def test_silent_without_a_comparison(pytester, section, source):
    pytester.makepyfile(source)
    result = pytester.runpytest()
    assert section(result) == []
    result.stdout.no_fnmatch_line("*bayesf1 ===*")


def test_ascii_symbols_where_the_terminal_knows_no_others(pytester, section, monkeypatch):
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
    assert [line.split()[0] for line in section(result)] == ["<<", "<", "?", "~", ">", ">>"]


def test_a_failing_gate_on_an_ascii_terminal_is_still_an_ordinary_failure(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    pytester.makepyfile(TWO_GATES)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["E *The candidate is worse: macro-F1 falls by *"])


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
    result.stdout.fnmatch_lines(["E *≪ The candidate is worse: *"])
    assert section(result) == []


def test_switched_off_there_is_no_fixture(pytester):
    pytester.makepyfile("def test_spam_filter(bayes_compare): pass")
    result = pytester.runpytest_subprocess("-p", "no:bayesf1")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["E *fixture 'bayes_compare' not found"])
