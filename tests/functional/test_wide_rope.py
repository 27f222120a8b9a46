"""A ROPE that is hardly meant warns wherever it is written, unless it is confirmed."""

import pytest

from .gates import write_gates, write_matrices

# the filters of the outer run hold inside an inner one, and they turn warnings into errors
pytestmark = pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")

SOURCE = """
from pytest_bayesf1 import assert_not_worse
from classifiers import BASELINE, MUCH_WORSE

def test_gate():
    assert_not_worse(BASELINE, MUCH_WORSE{})
"""
TOLD = "WideRopeWarning: The rope 0.5 means that you tolerate 50 points: *Did you mean 0.005 for half a point?*"


@pytest.mark.parametrize(("argument", "warnings"), [(", rope=0.5", 1), (', rope=(0.5, "wide")', 0)])
def test_in_a_call(pytester, argument, warnings):
    pytester.makepyfile(test_gates=SOURCE.format(argument))
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, warnings=warnings)
    if warnings:
        result.stdout.fnmatch_lines([f"*test_gates.py:5: {TOLD}"])


@pytest.mark.parametrize(("rope", "warnings"), [("0.5", 1), ("0.5, wide", 0)])
@pytest.mark.parametrize("place", ["ini", "option"])
@pytest.mark.one_of_many
def test_in_a_setting_of_the_project(pytester, rope, warnings, place):
    pytester.makepyfile(test_gates=SOURCE.format(""))
    pytester.makeini(f"[pytest]\nbayesf1_rope = {rope}" if place == "ini" else "")
    result = pytester.runpytest(*([f"--bayesf1-rope={rope}"] if place == "option" else []), "-n1")
    result.assert_outcomes(passed=1, warnings=warnings)
    if warnings:
        result.stdout.fnmatch_lines([f"*test_gates.py:5: {TOLD}"])


@pytest.mark.parametrize(("rope", "warnings"), [(0.5, 1), ([0.5, "wide"], 0)])
def test_in_a_gate_file(pytester, rope, warnings):
    write_matrices(pytester.path)
    write_gates(pytester.path, spam={"candidate": "MUCH_WORSE", "rope": rope, "per_class": True})
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, warnings=warnings)
    if warnings:
        result.stdout.fnmatch_lines([f"*bayesf1.yaml:2: {TOLD}"])


def test_it_can_be_a_failure(pytester):
    write_matrices(pytester.path)
    write_gates(pytester.path, spam={"candidate": "EQUIVALENT", "rope": 0.5})
    result = pytester.runpytest("-W", "error::pytest_bayesf1.BayesF1Warning")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*_ gate spam _*", "The rope 0.5 means that you tolerate 50 points: *"])


def test_a_gate_that_cannot_fail_says_so_in_the_report(pytester, entries):
    pytester.makepyfile(test_gates=SOURCE.format(', rope=(0.95, "wide")'))
    result = pytester.runpytest("--bayesf1-report=out")
    result.assert_outcomes(passed=1, warnings=0)
    (entry,) = entries()
    assert not entry["can_fail"]
    note = "A gate on ≪ cannot fail here: you tolerate 95 points"
    assert any(told.startswith(note) for told in entry["notes"])
    assert note in (pytester.path / "out" / "report.md").read_text("utf-8")
