"""Data or arguments that cannot be used fail the test with one clear line."""

import pytest

MISTAKES = {
    "compare([[5, -1], [1, 5]], BASELINE, rope=0.02)": "baseline: counts[[]0, 1]: expected no negative count, got -1",
    "bayes_compare(BASELINE, [[0, 0], [0, 0]], rope=0.02)": "candidate: counts: expected at least one example, *",
    "compare(BASELINE, [[1, 2, 3]] * 3, rope=0.02)": "candidate: expected 2 classes, as in baseline, got 3",
    "compare(BASELINE, rope=0.02)": "candidate: expected the candidate's counts, got none. *",
    "compare(BASELINE, BETTER, rope=-0.02)": "rope: expected *low < high, got *0.02, -0.02* *",
    "assert_better(BASELINE, BETTER, rope=0.02, measure='f1_makro')": "measure: *'f1_makro'. Did you mean 'f1_macro'?",
    "assert_not_worse(BASELINE, BETTER, rope=0.02, hdi_prob=95)": "hdi_prob: expected a probability *, got 95. *",
    "assert_at_least(BASELINE, 'high')": "floor: expected a finite number, got 'high'",
    "ConfusionMatrix([[0.9, 0.1], [0.1, 0.9]])": "counts[[]0, 0]: expected whole numbers, got 0.9. *",
}


@pytest.mark.parametrize(("call", "message"), MISTAKES.items(), ids=MISTAKES)
def test_one_clear_line_at_the_users_line(pytester, has_no_package_frames, call, message):
    pytester.makepyfile(
        test_gate=f"""
        from pytest_bayesf1 import ConfusionMatrix, assert_at_least, assert_better, assert_not_worse, compare
        from classifiers import BASELINE, BETTER

        def test_spam_filter(bayes_compare):
            {call}
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    (line,) = [line for line in result.outlines if line.startswith("E ")]
    pytest.LineMatcher([line]).fnmatch_lines([f"E *InputError: {message}"])
    assert f">       {call}" in result.outlines
    assert has_no_package_frames(result)


@pytest.mark.parametrize(
    "style", ["--tb=short", "--tb=long", "--tb=native", pytest.param("-n1", marks=pytest.mark.long)]
)
def test_in_every_style(pytester, has_no_package_frames, style):
    pytester.makepyfile(
        test_gate="""
        from pytest_bayesf1 import assert_not_worse

        def test_spam_filter():
            assert_not_worse([[1, 2]], [[1, 2]], rope=0.02)
        """
    )
    result = pytester.runpytest(style)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*InputError: baseline: counts: expected a square matrix (M, M), got shape (1, 2)"])
    result.stdout.no_fnmatch_line("*During handling*")
    assert has_no_package_frames(result)


def test_the_report_says_that_there_is_no_answer(pytester, section, entries):
    pytester.makepyfile(
        test_gate="""
        from pytest_bayesf1 import assert_not_worse
        from classifiers import BASELINE

        def test_spam_filter():
            assert_not_worse(BASELINE, [[1, 2]], rope=0.02)
        """
    )
    result = pytester.runpytest("--bayesf1-report=out")
    assert section(result)[:2] == ["test_gate.py::test_spam_filter", "  error  no answer"]
    (entry,) = entries()
    assert entry["kind"] == entry["verdict"] == "error"
    assert entry["headline"] == "candidate: counts: expected a square matrix (M, M), got shape (1, 2)"
    assert "No answer" in (pytester.path / "out" / "report.html").read_text("utf-8")
    assert "## ❌ No answer" in (pytester.path / "out" / "report.md").read_text("utf-8")
