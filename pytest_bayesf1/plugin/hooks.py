"""The hooks: what pytest calls, and nothing more.

PYTEST_DONT_REWRITE
"""

from collections.abc import Generator
from contextlib import ExitStack
from typing import Any

import pytest

from pytest_bayesf1.errors import BayesF1Error
from pytest_bayesf1.plugin import fixtures, gate_items, tracebacks
from pytest_bayesf1.plugin.config import Telling, add_options, read_config
from pytest_bayesf1.plugin.recording import (
    ENTRIES,
    Progress,
    Recorder,
    SharedFixtures,
    plain_records,
    read_records,
    supersede,
)
from pytest_bayesf1.plugin.reporting import BaselineLedger, GateLedger, Reporter, Shortened
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.session import Session, active, current_session

_RECORDER = pytest.StashKey[Recorder]()
_SHARED_FIXTURES = pytest.StashKey[SharedFixtures]()
_RUNNING = pytest.StashKey[pytest.Item]()
_TELLING = pytest.StashKey[Telling]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the options, on the command line and in the ini file."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Read the options, put the project's settings into effect, and gather results unless this is a worker.

    What is registered has no name: by it, `-p no:NAME` in a configuration file could switch off a part.
    """
    plugin_config = read_config(config)
    config.stash[fixtures.CONFIG] = plugin_config
    surroundings = ExitStack()
    surroundings.enter_context(active(Session(plugin_config.settings, warn_undecided=plugin_config.warn_undecided)))
    config.add_cleanup(surroundings.close)
    telling = config.stash[_TELLING] = Telling(config, plugin_config.report)
    shared_fixtures = config.stash[_SHARED_FIXTURES] = SharedFixtures()
    ledger = BaselineLedger(config, plugin_config)
    parts: list[object] = [telling, tracebacks, fixtures, gate_items, ledger, shared_fixtures]
    if not hasattr(config, "workerinput"):
        progress = Progress()
        gates, shortened = GateLedger(config, plugin_config, progress, ledger), Shortened(config)
        reporter = Reporter(plugin_config, config.rootpath, progress, gates, shortened)
        parts += [progress, reporter, shortened, gates]  # the last to come is the first to finish
    for part in parts:
        config.pluginmanager.register(part, str(id(part)))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Know what the run's gates need, once the commits to read from are found."""
    session.config.stash[fixtures.SURROUNDINGS] = fixtures.Surroundings.of(session.config)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Record what is compared while this test runs."""
    config = item.config.stash[fixtures.CONFIG]
    stash, in_full = item.config.stash, config.report is not None
    recorder = Recorder(item, stash[_SHARED_FIXTURES], in_full=in_full, changes=config.changes)
    item.stash[_RECORDER] = recorder
    item.config.stash[_RUNNING] = item
    listeners = recorder.listen, recorder.listen_to_gate, recorder.acceptor
    warned, telling = current_session().warned, stash[_TELLING].settings()
    with active(Session(config.settings, *listeners, config.warn_undecided, warned, **telling)):
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin anew: plugins that rerun a test also rerun its setup."""
    item.stash[_RECORDER].start_over()


@pytest.hookimpl(hookwrapper=True)  # a wrapper of the new style would be in the traceback
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    """Hear why there is no answer: plugins that retry a test call it without a report of its own."""
    outcome = yield
    if isinstance(outcome.exception, BayesF1Error):
        item.stash[_RECORDER].listen_to_error(outcome.exception)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> Generator[None, object, object]:
    """Forget what does not count, once everybody has seen the report."""
    try:
        return (yield)
    finally:
        supersede(report)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Send the test's comparisons, or why there is none, along with its report."""
    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, BayesF1Error):
        item.stash[_RECORDER].listen_to_error(call.excinfo.value)
    taken = item.stash[_RECORDER].take()
    vars(report).update(taken)
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None and any(getattr(entry, "verdict", "") == "failed" for _, entry in taken.get(ENTRIES, [])):
        crash.message = crash.message.partition("\n")[0]  # CI's summary would repeat the rest
    return report


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, dict[str, Any] | None, dict[str, Any] | None]:
    """Write entries as plain data, which alone cross process boundaries."""
    data = yield
    return data if data is None else plain_records(data)


@pytest.hookimpl(wrapper=True)
def pytest_report_from_serializable(data: dict[str, Any]) -> Generator[None, object, object]:
    """Read the entries that a worker wrote."""
    data.update(read_records(data))
    return (yield)


def pytest_assertrepr_compare(config: pytest.Config, op: str, left: object, right: object) -> list[str] | None:
    """Let ``assert comparison.decision != "<<"`` explain itself."""
    item = config.stash.get(_RUNNING, None)
    if item is None or op not in ("==", "!=", "in", "not in"):
        return None
    decisions = [side for side in (left, right) if isinstance(side, Decision)]
    if not decisions:
        return None
    return [f"{left!s} {op} {right!s}", *item.stash[_RECORDER].explain(decisions)]
