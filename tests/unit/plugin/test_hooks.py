from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_bayesf1.plugin import fixtures, gate_items, hooks, tracebacks
from pytest_bayesf1.plugin.fixtures import CONFIG
from pytest_bayesf1.plugin.recording import RECORDS
from pytest_bayesf1.reports.record import GateRecord
from pytest_bayesf1.session import Session, active, current_session
from tests.unit.plugin.test_config import configured


@pytest.mark.parametrize(
    ("verdict", "message"), [("failed", "AssertionError: lost"), ("warned", "AssertionError: lost\nand more")]
)
def test_the_short_summary_has_the_first_line_of_a_failed_gate(verdict, message):
    entries: Any = [SimpleNamespace(verdict=each) for each in ("passed", verdict)]
    taken = {RECORDS: [GateRecord(entries=(each,)) for each in entries]}
    item = SimpleNamespace(stash=pytest.Stash())
    item.stash[hooks._RECORDER] = SimpleNamespace(take=lambda: taken)
    crash = SimpleNamespace(message="AssertionError: lost\nand more")
    making = hooks.pytest_runtest_makereport(item, SimpleNamespace(when="call", excinfo=None))
    next(making)
    with pytest.raises(StopIteration) as end:
        making.send(SimpleNamespace(longrepr=SimpleNamespace(reprcrash=crash)))
    assert crash.message == message
    assert getattr(end.value.value, RECORDS) == taken[RECORDS]


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


def test_the_settings_of_the_project_hold_until_the_run_ends(monkeypatch):
    monkeypatch.setattr(hooks, "read_config", lambda _: configured(settings={"seed": 3}, warn_undecided=True))
    parts, closing = [], []
    plugins = SimpleNamespace(register=lambda part, _: parts.append(part))
    known = {"stash": pytest.Stash(), "pluginmanager": plugins, "add_cleanup": closing.append, "workerinput": {}}
    outside = current_session()
    hooks.pytest_configure(cast("Any", SimpleNamespace(**known)))
    session = current_session()
    assert (session.settings, session.warn_undecided) == ({"seed": 3}, True)
    assert parts[:3] == [tracebacks, fixtures, gate_items]
    (end,) = closing
    end()
    assert current_session() is outside
