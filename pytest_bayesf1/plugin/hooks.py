"""The hooks: what pytest calls, and nothing more.

PYTEST_DONT_REWRITE
"""

from collections.abc import Generator, Iterable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_bayesf1.errors import BayesF1Error
from pytest_bayesf1.plugin import fixtures, gate_items, tracebacks
from pytest_bayesf1.plugin.config import add_options, add_options_of_command, read_config, shown_as
from pytest_bayesf1.plugin.ledger import LEDGER, Ledger, reporters
from pytest_bayesf1.plugin.recording import RECORDS, Progress, Recorder, plain_records, read_records, supersede
from pytest_bayesf1.session import Session, active, current_session

if TYPE_CHECKING:
    from pytest_bayesf1.reports.record import GateRecord

_RECORDER = pytest.StashKey[Recorder]()
_SHOWN = pytest.StashKey[dict[str, Any]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the options, on the command line and in the ini file."""
    add_options(parser)
    add_options_of_command(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Read the options, put the project's settings into effect, and gather results unless this is a worker.

    What is registered has no name: by it, `-p no:NAME` in a configuration file could switch off a part.
    """
    plugin_config = read_config(config)
    config.stash[fixtures.CONFIG] = plugin_config
    surroundings = ExitStack()
    surroundings.enter_context(active(Session(plugin_config.settings, warn_undecided=plugin_config.warn_undecided)))
    config.add_cleanup(surroundings.close)
    progress = Progress(config)
    parts: list[object] = [tracebacks, fixtures, gate_items, progress]
    if not hasattr(config, "workerinput"):
        ledger = config.stash[LEDGER] = Ledger(config, progress)
        parts += [] if plugin_config.command else reporters(config, plugin_config, progress, ledger)
    for part in parts:
        config.pluginmanager.register(part, str(id(part)))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Know what the run's gates need, once the commits to read from are found."""
    config = session.config
    config.stash[fixtures.SURROUNDINGS] = fixtures.Surroundings.of(config)
    config.stash[_SHOWN] = shown_as(config, config.stash[fixtures.CONFIG].report)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Record what is compared while this test runs, and let go of it then."""
    stash = item.config.stash
    surrounding = current_session()
    recorder = item.stash[_RECORDER] = Recorder(item)
    session = replace(surrounding, record=recorder.record, terms=recorder.terms, **stash[_SHOWN])
    try:
        with active(session):
            return (yield)
    finally:
        del item.stash[_RECORDER]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin anew: plugins that rerun a test also rerun its setup."""
    item.stash[_RECORDER].start_over()


@pytest.hookimpl(hookwrapper=True)  # a wrapper of the new style would be in the traceback
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    """Record why there is no answer: plugins that retry a test call it without a report of its own."""
    outcome = yield
    if isinstance(outcome.exception, BayesF1Error):
        item.stash[_RECORDER].record(outcome.exception)


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
    """Send what the test recorded, or why there is no answer, along with its report."""
    report = yield
    error = None if call.excinfo is None else call.excinfo.value
    if isinstance(error, BayesF1Error):
        item.stash[_RECORDER].record(error)
    elif error is not None and report.failed and call.when != "teardown" and _makes_gate(item):
        item.stash[_RECORDER].record_death(error)
    taken = item.stash[_RECORDER].take()
    vars(report).update(taken)
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None and _has_failed(taken.get(RECORDS, [])):
        crash.message = crash.message.partition("\n")[0]  # CI's summary would repeat the rest
    return report


def _makes_gate(item: pytest.Item) -> bool:
    return isinstance(item, gate_items.GateItem) or "bayes_regression" in getattr(item, "fixturenames", ())


def _has_failed(records: "Iterable[GateRecord]") -> bool:
    return any(entry.verdict == "failed" for record in records for entry in record.entries)


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, dict[str, Any] | None, dict[str, Any] | None]:
    """Write records as plain data, which alone cross process boundaries."""
    data = yield
    return data if data is None else plain_records(data)


@pytest.hookimpl(wrapper=True)
def pytest_report_from_serializable(data: dict[str, Any]) -> Generator[None, object, object]:
    """Read the records that a worker wrote."""
    data.update(read_records(data))
    return (yield)
