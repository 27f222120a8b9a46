"""Each functional test runs pytest on a small project of its own, which holds the module `classifiers`."""

import json
import re
import shlex
import shutil
import sys
from functools import partial
from itertools import takewhile
from pathlib import Path
from textwrap import dedent

import matplotlib as mpl
import pytest

from tests.unit.called import call

WITHOUT = ("hypothesispytest", "flaky", "pytest-retry", "html", "metadata", "pytest_cov")


@pytest.fixture(autouse=True)
def _project(pytester, monkeypatch):
    monkeypatch.delenv(
        "COVERAGE_PROCESS_START", raising=False
    )  # workers take half as long again when they are measured
    # plugins take a third of a run, hypothesis a second at its end; those that retry disturb each other
    monkeypatch.setenv("PYTEST_ADDOPTS", " ".join(f"-p no:{name}" for name in WITHOUT))
    monkeypatch.setenv("MPLCONFIGDIR", mpl.get_cachedir())  # the home directory is pytester's: no fonts are known there
    monkeypatch.delenv("CI", raising=False)  # where baselines would not be written
    # older versions of pytest take a module for an unchanged one that keeps its size and is written in the same second
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    shutil.copy(Path(__file__).with_name("classifiers.py"), pytester.path)


_FIRST_LINE = """\
import pytest; import classifiers; from classifiers import *; \
from pytest_bayesf1 import ConfusionMatrix, Decision, MultilabelCounts, PairedCounts, compare, \
assert_at_least, assert_better, assert_equivalent, assert_not_inferior, assert_not_worse
"""


@pytest.fixture
def write_tests(pytester):
    """Write modules of tests by name, `test_gates` without one. Their first line imports what tests of gates need."""

    def write(source=None, **modules):
        sources = modules if source is None else {"test_gates": source, **modules}
        pytester.makepyfile(**{name: _FIRST_LINE + dedent(text).strip("\n") for name, text in sources.items()})

    return write


@pytest.fixture
def runpytest(pytester):
    """Run pytest on the project, and require what becomes of its tests."""

    def run(*arguments, **outcomes):
        result = pytester.runpytest(*arguments)
        result.assert_outcomes(**outcomes)
        return result

    return run


def lines_below(heading, result):
    """Read the lines of a section off the terminal; none when there is no such section."""
    starts = [number for number, line in enumerate(result.outlines) if re.fullmatch(f"=+ {heading} =+", line)]
    assert len(starts) < 2
    lines = result.outlines[starts[0] + 1 :] if starts else []
    return list(takewhile(lambda line: not line.startswith("==="), lines))


@pytest.fixture
def section():
    """Read the lines of the section `bayesf1`."""
    return partial(lines_below, "bayesf1")


@pytest.fixture
def baselines():
    """Read the lines of the section `bayesf1 baselines`."""
    return partial(lines_below, "bayesf1 baselines")


@pytest.fixture
def document(pytester):
    """Read a report.json, of which the directory is given relative to the project."""

    def read(directory="out"):
        return json.loads((pytester.path / directory / "report.json").read_text("utf-8"))

    return read


@pytest.fixture
def entries(document):
    """Read the entries of a report.json, of which the directory is given relative to the project."""
    return lambda directory="out": document(directory)["entries"]


@pytest.fixture
def bayesf1(pytester):
    """Run the command in this process."""

    def run(*arguments):
        done = call(*arguments, prog_name="bayesf1")
        return pytest.RunResult(done.exit_code, done.stdout.splitlines(), done.stderr.splitlines(), 0)

    return run


@pytest.fixture
def follow(pytester, bayesf1):
    """Run a command that was printed, with a reason where it leaves one out."""

    def run(command):
        program, *words = ["half the size" if word == "..." else word for word in shlex.split(command)]
        return bayesf1(*words) if program == "bayesf1" else pytester.runpytest(*words)

    return run


@pytest.fixture
def has_no_package_frames():
    """Tell whether a run's output shows nothing of this package's code."""

    def check(result):
        return "pytest_bayesf1/" not in result.stdout.str().replace("\\", "/")

    return check
