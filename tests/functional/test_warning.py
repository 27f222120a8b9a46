"""A slightly worse candidate passes with a warning; every other decision but ≪ passes without one."""

import pytest

# the filters of the outer run hold inside an inner one, and they turn warnings into errors
pytestmark = pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")


@pytest.fixture
def gate(pytester):
    def write(candidate):
        pytester.makepyfile(
            test_gate=f"""
            from pytest_bayesf1 import assert_not_worse
            from classifiers import BASELINE, {candidate}

            def test_spam_filter():
                assert_not_worse(BASELINE, {candidate}, rope=0.02)
            """
        )

    return write


@pytest.mark.parametrize("workers", [[], ["-n1"]], ids=["here", "xdist"])
def test_slightly_worse_passes_and_warns_at_the_users_line(pytester, gate, workers):
    gate("WORSE")
    result = pytester.runpytest(*workers)
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(
        [
            "*test_gate.py:5: SlightlyWorseWarning: < macro-F1 −* points (you tolerate 2): *",
            "*assert_not_worse(BASELINE, WORSE, rope=0.02)",
        ]
    )
    assert result.ret == pytest.ExitCode.OK


def test_warning_says_what_to_do_next(pytester, gate):
    gate("WORSE")
    pytester.runpytest().stdout.fnmatch_lines(["*Do: Test on more examples, or decide that a wider rope is tolerable*"])


def test_warning_can_be_turned_into_a_failure(pytester, gate, has_no_package_frames):
    gate("WORSE")
    result = pytester.runpytest("-W", "error::pytest_bayesf1.BayesF1Warning")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            ">*assert_not_worse(BASELINE, WORSE, rope=0.02)",
            "E *SlightlyWorseWarning: < macro-F1 −*",
            "test_gate.py:5: SlightlyWorseWarning",
        ]
    )
    assert has_no_package_frames(result)


def test_warning_can_be_turned_into_a_failure_in_the_ini_file(pytester, gate):
    gate("WORSE")
    pytester.makeini("[pytest]\nfilterwarnings = error::pytest_bayesf1.BayesF1Warning")
    pytester.runpytest().assert_outcomes(failed=1)


def test_warning_can_be_expected(pytester):
    pytester.makepyfile(
        """
        import pytest
        from pytest_bayesf1 import BayesF1Warning, assert_not_worse
        from classifiers import BASELINE, WORSE

        def test_spam_filter():
            with pytest.warns(BayesF1Warning, match="slightly worse"):
                comparison = assert_not_worse(BASELINE, WORSE, rope=0.02)
            assert comparison.decision == "<"
        """
    )
    pytester.runpytest().assert_outcomes(passed=1, warnings=0)


@pytest.mark.parametrize(
    ("candidate", "shown"),
    [("UNDECIDED", "undecided  ?"), ("EQUIVALENT", "passed  ≈"), ("BETTER", "passed  >"), ("MUCH_BETTER", "passed  ≫")],
)
def test_every_other_decision_passes_without_a_warning(pytester, gate, rows, candidate, shown):
    gate(candidate)
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, warnings=0)
    ((_, row),) = rows(result)
    assert row.startswith(f"{shown}  ")
