"""The hooks: what pytest calls, and nothing more."""

from collections.abc import Generator
from contextlib import ExitStack
from typing import Any

import pytest

from pytest_bayesf1.plugin import tracebacks
from pytest_bayesf1.plugin.collector import Collector
from pytest_bayesf1.plugin.config import PluginConfig, add_options, read_config
from pytest_bayesf1.plugin.fixtures import bayes_compare
from pytest_bayesf1.plugin.recorder import Recorder
from pytest_bayesf1.session import Session, active
from pytest_bayesf1.stats.decision import Decision

__all__ = ["bayes_compare"]

_CONFIG = pytest.StashKey[PluginConfig]()
_RECORDER = pytest.StashKey[Recorder]()
_RUNNING = pytest.StashKey[pytest.Item]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the options."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Read the options, put the project's settings into effect, and gather results unless this is a worker."""
    plugin_config = read_config(config)
    config.stash[_CONFIG] = plugin_config
    surroundings = ExitStack()
    surroundings.enter_context(active(Session(plugin_config.settings)))
    config.add_cleanup(surroundings.close)
    config.pluginmanager.register(tracebacks, "bayesf1-tracebacks")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Collector(plugin_config), "bayesf1-collector")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Record what is compared while this test runs."""
    recorder = Recorder(item)
    item.stash[_RECORDER] = recorder
    item.config.stash[_RUNNING] = item
    with active(Session(item.config.stash[_CONFIG].settings, recorder.listen)):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Send the test's comparisons along with its report."""
    report = yield
    entries = item.stash[_RECORDER].take()
    if entries:
        report.bayesf1 = entries  # type: ignore[attr-defined]
    return report


def pytest_assertrepr_compare(config: pytest.Config, op: str, left: object, right: object) -> list[str] | None:
    """Let ``assert comparison.decision != "<<"`` explain itself."""
    item = config.stash.get(_RUNNING, None)
    if item is None or op not in ("==", "!=", "in", "not in"):
        return None
    decisions = [side for side in (left, right) if isinstance(side, Decision)]
    if not decisions:
        return None
    return [f"{left!s} {op} {right!s}", *item.stash[_RECORDER].explain(decisions[0])]
