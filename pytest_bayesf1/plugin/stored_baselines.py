"""The stored baselines of a run: which test used or wrote which. Registered as a plugin of its own."""

import os
import shlex
from collections.abc import Generator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from pytest_bayesf1.plugin.config import PluginConfig

if TYPE_CHECKING:
    from pytest_bayesf1.gates.regression import Action, Regression
    from pytest_bayesf1.gates.revision import Files

FOLDER = "__bayesf1__"
MANIFEST = "gates.json"

CONFIG = pytest.StashKey[PluginConfig]()
_OUTCOMES = pytest.StashKey[list[str]]()
_EVENTS = pytest.StashKey[list[tuple[str, str]]]()
_FILES = pytest.StashKey[dict[str | None, "Files"]]()


def regression_of(item: pytest.Item) -> "Regression":
    """Build what the fixture gives to a test."""
    from pytest_bayesf1.gates.baseline_store import BaselineStore
    from pytest_bayesf1.gates.regression import Regression, Update

    config = item.config.stash[CONFIG]
    names = [node.name for node in item.listchain() if isinstance(node, pytest.Class | pytest.Item)]
    module = os.path.relpath(item.path, item.config.invocation_params.dir)

    def report(action: "Action", path: Path) -> None:
        note(item, action.value, path)

    directory = store_directory(item.path, item.config.rootpath, config.baselines)
    return Regression(
        BaselineStore(directory, files_of(item.config)),
        test=".".join(names),
        update=Update(config.update),
        command=f"pytest {shlex.quote('::'.join([module, *names]))}",
        report=report,
    )


def files_of(config: pytest.Config) -> "Files":
    """Return where this run reads baselines from."""
    return files_at(config, config.stash[CONFIG].baseline_ref)


def files_at(config: pytest.Config, ref: str | None) -> "Files":
    """Return the files of a commit; of None those that are checked out."""
    from pytest_bayesf1.gates.revision import CheckedOut, Revision

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


def store_directory(module: Path, root: Path, folder: Path | None) -> Path:
    """Return where a module's baselines are: beside it, or at the same place below the project's folder for them."""
    if folder is None:
        return module.parent / FOLDER / module.stem
    return folder / os.path.relpath(module.with_suffix(""), root)


def baselines_below(folder: Path) -> Iterator[Path]:
    """Find the stored baselines in a project, passing by what is no part of it."""
    for where, folders, files in os.walk(folder):
        here = Path(where)
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        if FOLDER in here.parts:
            yield from (here / name for name in sorted(files) if is_baseline(name) and not _is_manifest(here / name))


def is_baseline(name: str) -> bool:
    """Whether a file in a store is a baseline."""
    return name.endswith((".json", ".json.gz")) and not name.startswith(".")


def manifest_path(root: Path) -> Path:
    """Return where a project's manifest of gates is: always there, so that no setting can move it out of sight."""
    return root / FOLDER / MANIFEST


def _is_manifest(path: Path) -> bool:
    """Whether a file is a manifest: a baseline never stands in the folder itself, but below it."""
    return path.name == MANIFEST and path.parent.name == FOLDER


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
