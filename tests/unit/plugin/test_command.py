from types import SimpleNamespace

import pytest

from pytest_bayesf1.plugin.command import GateFileRun, command_options
from pytest_bayesf1.plugin.recording import RECORDS
from pytest_bayesf1.reports.record import GateRecord


def test_options_of_the_command_are_those_of_pytest():
    asked = {"only": ["a", "b"]}
    assert command_options(in_full=True, verbose=True, update=True, **asked) == [
        *("--bayesf1-command=full", "-v", "--bayesf1-update", "--bayesf1-only=a", "--bayesf1-only=b")
    ]
    brief = command_options(in_full=False, verbose=False, update=False, only=[])
    assert brief == ["--bayesf1-command=brief"]


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
