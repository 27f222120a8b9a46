"""What the data cannot tell passes, is called by its name, and warns where the project asks for it."""

from xml.etree import ElementTree as ET

import pytest

from .gates import write_gates, write_matrices

# the filters of the outer run hold inside an inner one, and they turn warnings into errors
pytestmark = pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")

SOURCE = """
from pytest_bayesf1 import assert_not_inferior, assert_not_worse
from classifiers import BASELINE, EQUIVALENT, UNDECIDED

def test_open():
    assert_not_worse(BASELINE, UNDECIDED, rope=0.02)

def test_equivalent():
    assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
"""


@pytest.fixture(autouse=True)
def _gates(pytester):
    pytester.makepyfile(test_gates=SOURCE)
    write_matrices(pytester.path)
    write_gates(pytester.path, spam="UNDECIDED")


@pytest.fixture(params=["-n0", pytest.param("-n1", marks=pytest.mark.long)])
def workers(request):
    return request.param


@pytest.mark.one_of_many
def test_it_passes_by_its_own_name_and_count(pytester, workers, rows, section, document):
    result = pytester.runpytest(workers, "--bayesf1-report=out", "--junit-xml=junit.xml")
    result.assert_outcomes(passed=3, warnings=0)
    assert result.ret == pytest.ExitCode.OK
    assert [(name, row.split()[0]) for name, row in rows(result)] == [
        ("bayesf1.yaml::spam", "undecided"),
        ("test_gates.py::test_open", "undecided"),
        ("test_gates.py::test_equivalent", "passed"),
    ]
    assert section(result)[-2] == "0 failed, 0 warned, 1 passed, 2 could not tell"
    assert document()["counts"] == {
        "total": 3,
        "failed": 0,
        "error": 0,
        "warned": 0,
        "undecided": 2,
        "expected": 0,
        "passed": 1,
    }
    verdicts = {
        each.get("value")
        for case in ET.parse(pytester.path / "junit.xml").iter("testcase")  # noqa: S314
        for each in case.iter("property")
        if each.get("name") == "bayesf1.1.verdict" and case.get("name") != "test_equivalent"
    }
    assert verdicts == {"undecided"}


def test_a_warning_that_nobody_asked_for_is_never_raised(pytester, workers):
    result = pytester.runpytest(workers, "-W", "error::pytest_bayesf1.BayesF1Warning")
    result.assert_outcomes(passed=3, warnings=0)


@pytest.mark.parametrize("place", ["ini", "option"])
@pytest.mark.one_of_many
def test_the_project_can_ask_for_it(pytester, workers, place):
    pytester.makeini("[pytest]\nbayesf1_warn_undecided = true" if place == "ini" else "")
    result = pytester.runpytest(
        workers, *(["--bayesf1-warn-undecided"] if place == "option" else []), "--strict-config"
    )
    result.assert_outcomes(passed=3, warnings=2)
    result.stdout.fnmatch_lines(["*bayesf1.yaml:2: UndecidedWarning: [?] macro-F1 −*"])
    result.stdout.fnmatch_lines(["*test_gates.py:5: UndecidedWarning: [?] macro-F1 −*"])
    result.stdout.fnmatch_lines(["*Do: Test on more examples, or demand proof with assert_not_inferior*"])


def test_then_it_can_be_a_failure(pytester, has_no_package_frames):
    result = pytester.runpytest("--bayesf1-warn-undecided", "-W", "error::pytest_bayesf1.UndecidedWarning")
    result.assert_outcomes(failed=2, passed=1)
    assert has_no_package_frames(result)


def test_stored_baselines_warn_too(pytester):
    pytester.makepyfile(
        test_stored="""
        from classifiers import BASELINE, UNDECIDED
        import os

        def test_spam(bayes_regression):
            bayes_regression.check(UNDECIDED if os.environ.get("LATER") else BASELINE, rope=0.02)
        """
    )
    pytester.runpytest("test_stored.py", "--bayesf1-update=new").assert_outcomes(passed=1)
    pytester._monkeypatch.setenv("LATER", "1")
    pytester.runpytest("test_stored.py").assert_outcomes(passed=1, warnings=0)
    result = pytester.runpytest("test_stored.py", "--bayesf1-warn-undecided")
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*test_stored.py:5: UndecidedWarning: *"])


def test_a_value_that_is_none_is_a_usage_error(pytester):
    pytester.makeini("[pytest]\nbayesf1_warn_undecided = perhaps")
    result = pytester.runpytest()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: bayesf1_warn_undecided: expected true or false (*perhaps*"])
