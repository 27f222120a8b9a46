"""A candidate that is significantly worse is an ordinary test failure, told in the user's terms."""

import pytest

from pytest_bayesf1 import compare
from pytest_bayesf1.results.formatting import Amounts

from .classifiers import BASELINE, MUCH_WORSE, ROPE


@pytest.fixture
def failing_test(pytester):
    pytester.makepyfile(
        test_gate="""
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, MUCH_WORSE

        def test_spam_filter():
            assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

        def test_something_else():
            pass
        """
    )


SELDOM = [["--tb=long"], ["--tb=line"], ["-vv"], ["-n1"]]
STYLES = [[], ["--tb=short"], ["--tb=native"], *(pytest.param(style, marks=pytest.mark.long) for style in SELDOM)]
each_style = pytest.mark.parametrize("style", STYLES, ids=lambda style: " ".join(style) or "default")


@each_style
def test_only_the_gates_own_test_fails(pytester, failing_test, style):
    result = pytester.runpytest(*style)
    result.assert_outcomes(failed=1, passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED


@each_style
def test_traceback_ends_at_the_users_line(pytester, failing_test, has_no_package_frames, style):
    result = pytester.runpytest(*style)
    result.stdout.re_match_lines([r".*test_gate\.py(:5:|\", line 5)"])
    assert has_no_package_frames(result)


@pytest.mark.parametrize("style", [[], ["--tb=short"], ["--tb=native"], ["-n1"]], ids=" ".join)
def test_traceback_shows_the_users_line(pytester, failing_test, style):
    result = pytester.runpytest(*style)
    result.stdout.fnmatch_lines(["*assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)"])


@each_style
def test_message_begins_with_the_decision_and_the_change(pytester, failing_test, style):
    result = pytester.runpytest(*style)
    result.stdout.fnmatch_lines(["*≪ macro-F1 −10.0 points (you tolerate 2): 0.900 → 0.800"])


def said(result):
    """Return what pytest shows of an error, line by line."""
    return [line.removeprefix("E").strip() for line in result.outlines if line.startswith("E ")]


@pytest.mark.parametrize("style", [[], ["-n1"]], ids=" ".join)
def test_message_is_short_and_fits_into_80_columns(pytester, failing_test, style):
    result = pytester.runpytest(*style)
    lines = said(result)
    assert len(lines) <= 12
    assert max(len(line) for line in result.outlines if line.startswith("E ")) <= 80
    figures = ("decision  ", "F1 falls in ", "errors  ", "gate finds  ", "more  ")
    assert [line for line in lines if line.startswith(figures)] == [
        next(line for line in lines if line.startswith(name)) for name in figures
    ]


def test_message_says_where_the_report_is(pytester, failing_test):
    assert said(pytester.runpytest("--bayesf1-report=out"))[-1] == "more        out/report.html, or pytest -v"
    assert said(pytester.runpytest("--bayesf1-report=o/a.json"))[-1] == "more        o/a.json, or pytest -v"


@pytest.mark.parametrize("style", [[], ["--tb=short"], ["-n1"]], ids=" ".join)
def test_message_has_every_figure_with_v(pytester, failing_test, style):
    comparison = compare(BASELINE, MUCH_WORSE, rope=ROPE)
    text = pytester.runpytest("-v", *style).stdout.str()
    amounts = Amounts.of(comparison)
    for expected in (
        f"change      {amounts.signed(comparison.mean)} points   95% HDI {amounts.interval(comparison.hdi)}\n",
        "ROPE        ±2 points   P(in ROPE) 0%\n",
        f"baseline    {comparison.baseline.mean:.4f}   observed 0.9000 on 10,000 examples\n",
        f"candidate   {comparison.candidate.mean:.4f}   observed 0.8000 on 10,000 examples\n",
        "P(worse)    100%",
        "F1 falls in 0 0.900 → 0.800   1 0.900 → 0.800\n",
    ):
        assert expected in text


def test_message_tells_the_model_and_why(pytester, failing_test):
    text = pytester.runpytest("-v").stdout.str()
    assert "model       same-set, because the row totals agree" in text
    assert "jeffreys prior, 20,000 draws, exact engine, seed 0" in text


@pytest.mark.parametrize("verbosity", [[], ["-v"]], ids=" ".join)
def test_message_goes_on_with_what_to_do_next(pytester, failing_test, verbosity):
    _, first, *_ = said(pytester.runpytest(*verbosity))
    assert first.startswith("Do: Find what changed (data, features, labels) before merging:")


def test_the_users_own_helpers_stay_in_the_traceback(pytester, has_no_package_frames):
    pytester.makepyfile(
        gates="""
        from pytest_bayesf1 import assert_not_worse

        def gate(baseline, candidate):
            assert_not_worse(baseline, candidate, rope=0.02)
        """,
        test_gate="""
        from gates import gate
        from classifiers import BASELINE, MUCH_WORSE

        def test_spam_filter():
            gate(BASELINE, MUCH_WORSE)
        """,
    )
    result = pytester.runpytest()
    result.stdout.fnmatch_lines([">*gate(BASELINE, MUCH_WORSE)", ">*assert_not_worse(baseline, candidate, rope=0.02)"])
    assert has_no_package_frames(result)


def test_a_failing_gate_in_a_fixture_is_an_error_of_the_test(pytester, has_no_package_frames):
    pytester.makepyfile(
        """
        import pytest
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, MUCH_WORSE

        @pytest.fixture
        def gate():
            assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

        def test_spam_filter(gate):
            pass
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    assert has_no_package_frames(result)


def test_a_bug_in_a_custom_measure_keeps_its_full_traceback(pytester):
    pytester.makepyfile(
        """
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, EQUIVALENT

        def cost(p):
            return p[..., 0, 1] * {}["price"]

        def test_spam_filter():
            assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure=cost)
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            ">*assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure=cost)",
            "*classification.py:*",
            '>*return p[[]..., 0, 1[]] * {}[[]"price"[]]',
            "E*KeyError: 'price'",
        ]
    )


def test_a_failing_assert_in_a_custom_measure_shows_itself(pytester):
    pytester.makepyfile(
        """
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, EQUIVALENT

        def cost(p):
            assert p.shape[-1] == 3
            return p[..., 0, 1]

        def test_spam_filter():
            assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure=cost)
        """
    )
    result = pytester.runpytest()
    result.stdout.fnmatch_lines([">*assert p.shape[[]-1[]] == 3", "E*assert 2 == 3"])


def test_unittest_shows_no_package_frames(pytester, has_no_package_frames):
    pytester.makepyfile("""
        import unittest
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, MUCH_WORSE
        class Gates(unittest.TestCase):
            def test_spam_filter(self):
                assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
    """)
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    assert has_no_package_frames(result)


def test_a_chained_exception_shows_no_package_frames(pytester, has_no_package_frames):
    pytester.makepyfile("""
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE, MUCH_WORSE
        def test_spam_filter():
            try:
                assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
            except AssertionError as error:
                raise RuntimeError("nightly gate") from error
    """)
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    assert has_no_package_frames(result)


def test_a_bug_inside_the_package_keeps_its_frames(pytester):
    pytester.makepyfile("""
        import pytest_bayesf1.gates.assertions
        from pytest_bayesf1 import assert_not_worse
        def test_spam_filter(monkeypatch):
            monkeypatch.setattr(pytest_bayesf1.gates.assertions, "run_comparison", lambda *_, **__: None)
            assert_not_worse([[9, 1], [1, 9]], [[9, 1], [1, 9]], rope=0.02)
    """)
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*pytest_bayesf1*manifest.py:*AttributeError*"])


def test_a_chain_of_exceptions_that_bites_its_tail(pytester):
    pytester.makepyfile("""
        def test_cycle():
            a, b = ValueError("a"), ValueError("b")
            a.__cause__, b.__cause__ = b, a
            raise a
    """)
    pytester.runpytest_subprocess(timeout=60).assert_outcomes(failed=1)
