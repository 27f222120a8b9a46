import json
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.plugin import fixtures, gate_items, hooks, tracebacks
from pytest_bayesf1.plugin.fixtures import CONFIG
from pytest_bayesf1.plugin.ledger import LEDGER
from pytest_bayesf1.plugin.recording import RECORDS
from pytest_bayesf1.reports.record import GateRecord
from pytest_bayesf1.session import Session, active, current_session
from tests.unit.plugin.test_config import configured


class Remembering:
    """A recorder that keeps every call."""

    def __init__(self, taken=None):
        self.told: list[Any] = []
        self.take = lambda: taken or {}
        self.record = self.record_death = self.told.append

    def start_over(self):
        self.told.append("anew")


def item_of(recorder, **known):
    item: Any = SimpleNamespace(stash=pytest.Stash(), **known)
    item.stash[hooks._RECORDER] = recorder
    return item


def ended(hook, value):
    """Let a hook that wraps others go on with their result, and return its own."""
    next(hook)
    with pytest.raises(StopIteration) as end:
        hook.send(value)
    return end.value.value


@pytest.mark.parametrize(
    ("verdict", "message"), [("failed", "AssertionError: lost"), ("warned", "AssertionError: lost\nand more")]
)
def test_the_short_summary_has_the_first_line_of_a_failed_gate(verdict, message):
    first, second, third = (cast("Any", SimpleNamespace(verdict=each)) for each in ("passed", "undecided", verdict))
    taken = {RECORDS: [GateRecord(entries=(first,)), GateRecord(entries=(second, third))]}
    crash = SimpleNamespace(message="AssertionError: lost\nand more")
    call: Any = SimpleNamespace(when="call", excinfo=None)
    making = hooks.pytest_runtest_makereport(item_of(Remembering(taken)), call)
    report = ended(making, SimpleNamespace(longrepr=SimpleNamespace(reprcrash=crash)))
    assert crash.message == message
    assert getattr(report, RECORDS) == taken[RECORDS]


ERROR, BUG = InputError.plain("rope", "None is given"), KeyError("x")


@pytest.mark.parametrize(
    ("error", "when", "fixtures_of_it", "failed", "told"),
    [
        (ERROR, "call", (), True, [ERROR]),
        (ERROR, "teardown", (), True, [ERROR]),
        (BUG, "call", ("bayes_regression",), True, [BUG]),
        (BUG, "setup", ("tmp_path", "bayes_regression"), True, [BUG]),
        (BUG, "teardown", ("bayes_regression",), True, []),
        (BUG, "call", ("bayes_regression",), False, []),
        (BUG, "call", ("tmp_path",), True, []),
        (None, "call", ("bayes_regression",), True, []),
    ],
)
def test_what_kept_a_gate_from_its_answer_is_recorded(error, when, fixtures_of_it, failed, told):
    recorder = Remembering()
    call: Any = SimpleNamespace(when=when, excinfo=error and SimpleNamespace(value=error))
    making = hooks.pytest_runtest_makereport(item_of(recorder, fixturenames=fixtures_of_it), call)
    ended(making, SimpleNamespace(longrepr=None, failed=failed))
    assert recorder.told == told


def test_another_attempt_begins_anew_and_tells_its_own_errors():
    recorder = Remembering()
    item = item_of(recorder)
    hooks.pytest_runtest_setup(item)
    for error in (ERROR, BUG, None):
        ended(hooks.pytest_runtest_call(item), SimpleNamespace(exception=error))
    assert recorder.told == ["anew", ERROR]


def test_a_report_that_does_not_count_is_seen_and_then_forgotten():
    report: Any = SimpleNamespace(outcome="rerun", **{RECORDS: [1]})
    logging = hooks.pytest_runtest_logreport(report)
    next(logging)
    assert hasattr(report, RECORDS)
    logging.close()
    assert not hasattr(report, RECORDS)


def test_records_cross_the_boundary_of_processes():
    data = {"outcome": "failed", RECORDS: [GateRecord(outcome="failed", text="lost")]}
    written = ended(hooks.pytest_report_to_serializable(), data)
    assert written["outcome"] == "failed"
    read = json.loads(json.dumps(written))
    ended(hooks.pytest_report_from_serializable(read), None)
    assert read == data
    assert ended(hooks.pytest_report_to_serializable(), None) is None


def test_what_is_compared_while_a_test_runs_is_the_tests_until_it_ends(monkeypatch):
    recorder: Any = SimpleNamespace(record=print, terms=repr)
    monkeypatch.setattr(hooks, "Recorder", lambda *_: recorder)
    item: Any = SimpleNamespace(stash=pytest.Stash(), config=SimpleNamespace(stash=pytest.Stash()))
    stash = item.config.stash
    stash[CONFIG] = configured()
    stash[hooks._SHOWN] = {"in_full": True, "more": "elsewhere"}
    with active(Session({"seed": 3}, warn_undecided=True)):
        outside = current_session()
        running = hooks.pytest_runtest_protocol(item)
        next(running)
        session = current_session()
        assert (session.settings, session.warn_undecided, session.in_full) == ({"seed": 3}, True, True)
        assert (session.record, session.terms) == (recorder.record, recorder.terms)
        assert session.warned is outside.warned
        running.close()
        assert current_session() is outside
        assert hooks._RECORDER not in item.stash  # nor what it keeps alive


@pytest.mark.parametrize(
    ("worker", "command", "more"),
    [({}, "", ["Reporter", "Shortened"]), ({}, "brief", []), ({"workerinput": {}}, "", [])],
    ids=["alone", "of the command", "a worker"],
)
def test_the_settings_of_the_project_hold_until_the_run_ends(monkeypatch, worker, command, more):
    """Where pytest reports, parts that report are registered too."""
    found = configured(settings={"seed": 3}, warn_undecided=True, command=command)
    monkeypatch.setattr(hooks, "read_config", lambda _: found)
    parts, closing = [], []
    names: Any = []
    plugins = SimpleNamespace(register=lambda part, name: (parts.append(part), names.append(name)))
    known = {"stash": pytest.Stash(), "pluginmanager": plugins, "add_cleanup": closing.append, **worker}
    outside = current_session()
    hooks.pytest_configure(cast("Any", SimpleNamespace(**known)))
    session = current_session()
    assert (session.settings, session.warn_undecided) == ({"seed": 3}, True)
    assert parts[:3] == [tracebacks, fixtures, gate_items]
    assert all(map(str.isdigit, names))  # by a name, a configuration file could switch a part off
    assert [type(part).__name__ for part in parts[3:]] == ["Progress", *more]
    assert (LEDGER in known["stash"]) is not bool(worker)
    (end,) = closing
    end()
    assert current_session() is outside
