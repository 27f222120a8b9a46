import os
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_bayesf1.plugin.command import GateFileRun, command_options, run_gate_files
from pytest_bayesf1.plugin.recording import RECORDS
from pytest_bayesf1.reports.record import GateRecord


def test_options_of_the_command_are_those_of_pytest():
    asked = {"only": ["a", "b"]}
    assert command_options(in_full=True, verbose=True, update=True, **asked) == [
        *("--bayesf1-command=full", "-v", "--bayesf1-update", "--bayesf1-only=a", "--bayesf1-only=b")
    ]
    brief = command_options(in_full=False, verbose=False, update=False, only=[])
    assert brief == ["--bayesf1-command=brief"]


def test_pytest_runs_on_these_files_whatever_the_project_sets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_ADDOPTS", "-x")
    asked, shown, finished = [], [], []
    monkeypatch.setattr(warnings, "showwarning", lambda *given: shown.append(given))

    def main(words, plugins):
        (run,) = plugins
        asked.append((words, os.environ["PYTEST_ADDOPTS"], os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]))
        message = warnings.WarningMessage("wide", UserWarning, "a.yaml", 3)
        run.pytest_warning_recorded(message)
        run.pytest_runtest_logfinish()
        for failed in (False, True):
            run.pytest_collectreport(SimpleNamespace(failed=failed, longrepr=f"no file, {failed}"))
        return 3

    monkeypatch.setattr(pytest, "main", main)
    files = [tmp_path / "a[1].yaml", Path("below/b.yaml")]
    run = run_gate_files(files, Path("root"), ["-v"], lambda: finished.append(1))
    ((words, *environment),) = asked
    assert words[:2] == ["-c", os.devnull]
    assert words[-4:] == [f"--rootdir={tmp_path / 'root'}", "-v", "./a[1].yaml", "./below/b.yaml"]
    assert environment == ["", "1"]
    assert (run.status, run.problems, finished) == (3, ["no file, True"], [1])
    assert shown == [("wide", UserWarning, "a.yaml", 3)]


@pytest.mark.parametrize(
    ("record", "problems"),
    [
        (GateRecord(outcome="failed"), []),
        (GateRecord(error="InputError"), []),
        (GateRecord(error="KeyError"), ["lost"]),
        (GateRecord(outcome="passed"), ["lost"]),
    ],
)
def test_a_failure_that_no_record_explains_is_a_problem(record, problems):
    run = GateFileRun(print)
    run._ledgers.append(SimpleNamespace(add=lambda _: None))
    run.pytest_runtest_logreport(SimpleNamespace(failed=True, longreprtext="lost", **{RECORDS: [record]}))
    assert run.problems == problems
    run.pytest_runtest_logreport(SimpleNamespace(failed=False, longreprtext="fine"))
    assert run.problems == problems


@pytest.mark.parametrize(("error", "is_interrupted"), [(KeyboardInterrupt, True), (pytest.exit.Exception, False)])
def test_somebody_who_stops_the_run_is_told_from_its_first_failure(error, is_interrupted):
    run = GateFileRun(print)
    run.pytest_keyboard_interrupt(SimpleNamespace(type=error))
    assert run.is_interrupted is is_interrupted
