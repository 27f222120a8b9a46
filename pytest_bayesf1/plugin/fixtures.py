"""The fixtures that tests ask for, and the stored baseline of each test.

PYTEST_DONT_REWRITE
"""

import os
import shlex
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.plugin.config import PluginConfig
from pytest_bayesf1.settings import store_directory

if TYPE_CHECKING:
    from pytest_bayesf1.baselines.regression import BaselineUse, Regression
    from pytest_bayesf1.comparison.result import Comparison
    from pytest_bayesf1.git import FileSource


CONFIG = pytest.StashKey[PluginConfig]()
_OUTCOMES = pytest.StashKey[list[str]]()
_EVENTS = pytest.StashKey[list[tuple[str, str]]]()
_FILES = pytest.StashKey[dict[str | None, "FileSource"]]()


def regression_of(item: pytest.Item) -> "Regression":
    """Build what the fixture gives to a test."""
    from pytest_bayesf1.baselines.regression import Regression
    from pytest_bayesf1.baselines.store import BaselineStore

    config = item.config.stash[CONFIG]
    names = [node.name for node in item.listchain() if isinstance(node, pytest.Class | pytest.Item)]
    module = os.path.relpath(item.path, item.config.invocation_params.dir)

    def report(action: "BaselineUse", path: Path) -> None:
        note(item, action.value, path)

    directory = store_directory(item.path, item.config.rootpath, config.baselines)
    return Regression(
        BaselineStore(directory, files_of(item.config)),
        test=".".join(names),
        update=config.update,
        command=f"pytest {shlex.quote('::'.join([module, *names]))}",
        report=report,
    )


def files_of(config: pytest.Config) -> "FileSource":
    """Return where this run reads baselines from."""
    return files_at(config, config.stash[CONFIG].baseline_ref)


def files_at(config: pytest.Config, ref: str | None) -> "FileSource":
    """Return the files of a commit; of None those that are checked out."""
    from pytest_bayesf1.git import CheckedOut, Revision

    known = config.stash.setdefault(_FILES, {})
    if ref not in known:
        known[ref] = CheckedOut() if ref is None else Revision.of(ref, config.rootpath, _copies(config))
    return known[ref]


def _copies(config: pytest.Config) -> Path:
    folder = TemporaryDirectory(prefix="bayesf1-")
    config.add_cleanup(folder.cleanup)
    return Path(folder.name)


def note(item: pytest.Item, action: str, path: Path) -> None:
    """Keep what a test did with a baseline, or found out about it, for its report."""
    events = item.stash.setdefault(_EVENTS, [])
    events.append((action, os.path.relpath(path, item.config.rootpath)))


def has_passed(item: pytest.Item) -> bool:
    """Whether the test itself has run and passed, with all its subtests, which are reported before it."""
    outcomes = item.stash.get(_OUTCOMES, [])
    return outcomes[-1:] == ["passed"] and "failed" not in outcomes


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Send what happened to baselines along with the test's report."""
    report = yield
    if call.when == "setup":
        item.stash[_OUTCOMES] = []
    if call.when == "call":
        item.stash[_OUTCOMES].append(report.outcome)
    if events := item.stash.get(_EVENTS, []):
        report.bayesf1_baselines = list(events)  # type: ignore[attr-defined]
        events.clear()
    return report


@pytest.fixture
def bayes_compare() -> "Callable[..., Comparison]":
    """Compare two classifiers: `pytest_bayesf1.compare`, imported when a test asks for it."""
    from pytest_bayesf1.comparison.compare import compare

    return compare


@pytest.fixture
def bayes_regression(request: pytest.FixtureRequest) -> "Iterator[Regression]":
    """Compare with the stored baseline of the test: ``bayes_regression.check(candidate, rope=0.01)``."""
    regression = regression_of(request.node)
    yield regression
    if has_passed(request.node):
        try:
            regression.keep()
        except BaselineError as error:
            # without a traceback, for none of the user's code is in it
            raise pytest.fail.Exception(f"{type(error).__name__}: {error}", pytrace=False) from None
