"""The fixtures that tests ask for, and the stored baseline of each test."""

import os
import shlex
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

import pytest

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.git import CHECKED_OUT, FileSource, Revision
from pytest_bayesf1.plugin.config import PluginConfig
from pytest_bayesf1.project import Update, manifest_path, store_directory

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.result import Comparison
    from pytest_bayesf1.gates.acceptance import Terms
    from pytest_bayesf1.gates.manifest import Listed
    from pytest_bayesf1.gates.regression import Regression
    from pytest_bayesf1.reports.record import Records


CONFIG = pytest.StashKey[PluginConfig]()
SURROUNDINGS = pytest.StashKey["Surroundings"]()
_OUTCOMES = pytest.StashKey[list[str]]()
_LISTED = pytest.StashKey["Listed | None"]()
_FILES = pytest.StashKey[FileSource]()


def regression_of(item: pytest.Item) -> "Regression":
    """Build what the fixture gives to a test."""
    from pytest_bayesf1.baselines.store import BaselineStore
    from pytest_bayesf1.gates.regression import Regression

    config = item.config.stash[CONFIG]

    # a test whose name the commit's manifest lists has its baseline there too
    files = files_of(item.config).of_gate(is_new=not is_listed(item.config, item.nodeid))
    return Regression(
        BaselineStore(store_directory(item.path), files),
        test=".".join(_names(item)),
        update=config.update,
        command=command_of(item),
    )


def _names(item: pytest.Item) -> list[str]:
    return [node.name for node in item.listchain() if isinstance(node, pytest.Class | pytest.Item)]


def command_of(item: pytest.Item) -> str:
    """Return the command that runs a test alone."""
    module = os.path.relpath(item.path, item.config.invocation_params.dir)
    return f"pytest {shlex.quote('::'.join([module, *_names(item)]))}"


@dataclass(frozen=True)
class Surroundings:
    """What gates need to know of a run.

    Attributes
    ----------
    root, here
        pytest's root folder, and where it was called.
    is_compared
        Whether there is a manifest or a base commit, or this run writes a manifest.
    is_verbose
        Whether pytest was called with -v.
    """

    config: PluginConfig
    root: Path
    here: Path
    is_compared: bool
    is_verbose: bool = False

    @classmethod
    def of(cls, config: pytest.Config) -> Self:
        """Find out about a run."""
        plugin_config = config.stash[CONFIG]
        root, here = config.rootpath, config.invocation_params.dir
        has_rows = is_compared(config) or plugin_config.update is not Update.NONE
        return cls(plugin_config, root, here, has_rows, config.getoption("verbose", 0) > 0)

    @cached_property
    def records(self) -> "Records":
        """What makes the records of this process."""
        from pytest_bayesf1.reports.record import Records, Texts

        texts: Texts = ("full" if self.is_verbose else "brief") if self.config.command else ""
        return Records(self.root, in_full=self.config.in_full, is_compared=self.is_compared, texts=texts)

    def terms(self, test: str, command: str, before: "Listed | None" = None) -> "Terms":
        """Return which losses of a test are accepted; the command runs it again.

        ``before`` is what the manifest of the base commit lists.
        """
        from pytest_bayesf1.gates.acceptance import Terms

        listed_before = [] if before is None else before.losses(test)
        return Terms(
            test=test,
            root=self.root,
            here=self.here,
            again=command,
            listed=self._listed.losses(test),
            listed_before=listed_before,
            baseline_ref=self.config.baseline_ref or "",
        )

    @cached_property
    def _listed(self) -> "Listed":
        """What the checked out manifest lists; nothing of one that is damaged, as the end tells."""
        from pytest_bayesf1.gates.manifest import Listed

        with suppress(BaselineError):
            return Listed.checked_out(manifest_path(self.root))
        return Listed()


def is_compared(config: pytest.Config) -> bool:
    """Whether there is a manifest, or a base commit that may have one."""
    folders = config.rootpath, config.invocation_params.dir
    is_listed = any(os.path.lexists(manifest_path(folder)) for folder in folders)
    return is_listed or config.stash[CONFIG].baseline_ref is not None


def files_of(config: pytest.Config) -> FileSource:
    """Return where this run reads baselines from: a commit, or the files that are checked out."""
    if _FILES not in config.stash:
        ref = config.stash[CONFIG].baseline_ref
        files = CHECKED_OUT if ref is None else Revision.of(ref, config.rootpath, temporary_folder(config))
        config.stash[_FILES] = files
    return config.stash[_FILES]


def is_listed(config: pytest.Config, test: str) -> bool:
    """Whether the manifest of the commit that baselines are read from lists a test; a damaged one may list any."""
    listed = listed_before(config)
    return listed is None or test in listed.rows


def listed_before(config: pytest.Config) -> "Listed | None":
    """Return what the manifest of the commit that baselines are read from lists; None of a damaged one."""
    from pytest_bayesf1.gates.manifest import Listed

    if _LISTED not in config.stash:
        path = manifest_path(config.rootpath)
        content = None if config.stash[CONFIG].baseline_ref is None else files_of(config).committed(path)
        try:
            config.stash[_LISTED] = Listed.of(content, path)
        except BaselineError:
            config.stash[_LISTED] = None
    return config.stash[_LISTED]


def temporary_folder(config: pytest.Config) -> Path:
    """Make a folder that goes when the run ends."""
    folder = TemporaryDirectory(prefix="bayesf1-")
    config.add_cleanup(folder.cleanup)
    return Path(folder.name)


def has_passed(item: pytest.Item) -> bool:
    """Whether the test itself has run and passed, with all its subtests, which are reported before it."""
    outcomes = item.stash.get(_OUTCOMES, [])
    return outcomes[-1:] == ["passed"] and "failed" not in outcomes


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin anew: plugins that retry a test do not all report its setup again."""
    item.stash[_OUTCOMES] = []


@pytest.hookimpl(hookwrapper=True)  # a wrapper of the new style would be in the traceback
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    """Note that the test passed, which a plugin that retries it may not report; its report may say otherwise."""
    outcome = yield
    if outcome.exception is None:
        item.stash[_OUTCOMES].append("passed")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note how the test came out."""
    report = yield
    if call.when == "call":
        item.stash[_OUTCOMES].append(report.outcome)
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
