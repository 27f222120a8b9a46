"""Workers and processes that update at once lose nothing."""

import subprocess
import sys

import pytest

MODULE = """
import pytest
from pytest_bayesf1 import ConfusionMatrix

@pytest.mark.parametrize("number", range(8))
def test_gate(bayes_regression, number):
    bayes_regression.check(ConfusionMatrix([[90, 10], [10, 90 + number + {more}]]), rope=0.1, n_draws=2000)
"""


def names(pytester):
    return sorted(path.name for path in (pytester.path / "__bayesf1__" / "test_spam").iterdir())


@pytest.mark.long
def test_workers_write_the_baselines_of_one_module(pytester, baselines):
    pytester.makepyfile(test_spam=MODULE.format(more=0))
    result = pytester.runpytest("-n2", "--bayesf1-update=new")
    result.assert_outcomes(passed=8)
    expected = sorted(f"test_gate[{number}].json" for number in range(8))
    assert names(pytester) == expected
    assert baselines(result) == [f"created   __bayesf1__/test_spam/{name}" for name in expected]
    pytester.makepyfile(test_spam=MODULE.format(more=1))
    result = pytester.runpytest("-n2", "--bayesf1-update")
    assert baselines(result) == [f"replaced  __bayesf1__/test_spam/{name}" for name in expected]
    pytester.runpytest("-n2").assert_outcomes(passed=8)


def test_processes_write_the_baselines_of_one_module(pytester):
    pytester.makepyfile(test_spam=MODULE.format(more=0))
    command = [sys.executable, "-m", "pytest", "-q", "--bayesf1-update=new", "-p", "no:cacheprovider"]
    chosen = [[f"test_spam.py::test_gate[{number}]" for number in range(first, 8, 2)] for first in (0, 1)]
    processes = [subprocess.Popen([*command, *each], cwd=pytester.path, stdout=subprocess.PIPE) for each in chosen]
    outputs = [process.communicate(timeout=120)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outputs
    assert len(names(pytester)) == 8
    pytester.runpytest().assert_outcomes(passed=8)


SHARED = """
import time
from pathlib import Path
import pytest
from pytest_bayesf1 import ConfusionMatrix

@pytest.fixture
def all_at_once(bayes_regression):
    yield
    deadline = time.monotonic() + 60
    while len(list(Path(".").glob("done-*"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)  # both have compared before either writes

@pytest.mark.parametrize("number", [1, 2])
def test_gate(bayes_regression, all_at_once, number):
    candidate = ConfusionMatrix([[90, 10], [10, 90 + {same}number]])
    bayes_regression.check(candidate, rope=0.1, name="shared")
    Path(f"done-{{number}}").touch()
"""


def test_one_baseline_for_two_workers_is_written_once_and_the_other_told(pytester, baselines):
    pytester.makepyfile(test_spam=SHARED.format(same=""))
    result = pytester.runpytest("-n2", "--bayesf1-update=new")
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(
        ["BaselineError: *shared.json: expected the baseline that the candidate was compared *"]
    )
    assert baselines(result) == ["created   __bayesf1__/test_spam/shared.json"]


@pytest.mark.long
def test_one_baseline_for_two_workers_that_agree_is_no_error(pytester, baselines):
    pytester.makepyfile(test_spam=SHARED.format(same="0*"))
    result = pytester.runpytest("-n2", "--bayesf1-update=new")
    result.assert_outcomes(passed=2)
    assert baselines(result) == ["created   __bayesf1__/test_spam/shared.json"]


def test_a_baseline_that_changes_while_its_test_runs_is_not_replaced(pytester):
    module = """
        from pathlib import Path
        from pytest_bayesf1 import ConfusionMatrix
        def test_gate(bayes_regression):
            bayes_regression.check(ConfusionMatrix([[90, 10], [10, {right}]]), rope=0.1)
            {then}
    """
    file = pytester.path / "__bayesf1__" / "test_spam" / "test_gate.json"
    pytester.makepyfile(test_spam=module.format(right=90, then=""))
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1)
    then = f"file = Path({str(file)!r}); file.write_text(file.read_text() + ' ')"
    pytester.makepyfile(test_spam=module.format(right=95, then=then))
    result = pytester.runpytest("--bayesf1-update=force")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*another process has written meanwhile*"])
    assert file.read_text().endswith("}\n ")
