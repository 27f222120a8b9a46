"""Gate files as pytest items."""

import os
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_bayesf1.errors import BaselineError, BayesF1Error, BayesF1Warning, GateFileError
from pytest_bayesf1.plugin.config import ini_key
from pytest_bayesf1.plugin.fixtures import CONFIG, files_of, is_listed
from pytest_bayesf1.project import GATE_FILES, gate_files
from pytest_bayesf1.results.run import FileUse
from pytest_bayesf1.session import record_all

if TYPE_CHECKING:
    from pytest_bayesf1.gates.gate_file import Gate


def pytest_configure(config: pytest.Config) -> None:
    """Let the gates of the root folder run with every full run, even where ``testpaths`` names other folders only."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        config.args += [path.name for path in gate_files(config.rootpath)]  # pytest was called in the root folder


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "GateFileCollector | None":
    """Collect gate files, by their names or because the command was asked for them."""
    if any(file_path.match(pattern) for pattern in GATE_FILES) or _is_asked_for(file_path, parent.config):
        return GateFileCollector.from_parent(parent, path=file_path)
    return None


def _is_asked_for(path: Path, config: pytest.Config) -> bool:
    """Whether `bayesf1 gate` was asked for this very file."""
    return bool(config.stash[CONFIG].command) and path in {_path_of(each, config) for each in config.args}


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Find the commit to read from, or end the run: without it no gate can judge."""
    try:
        files_of(session.config)
    except BaselineError as error:
        raise pytest.UsageError(str(error)) from None


def _path_of(argument: str, config: pytest.Config) -> Path:
    return (config.invocation_params.dir / argument.partition("::")[0]).resolve()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Run only the gates that the command names."""
    if only := session.config.getoption(ini_key("only")):
        items[:] = [item for item in items if item.name in only]


class GateFileCollector(pytest.File):
    """A gate file, from which an item per gate is collected."""

    def collect(self) -> Iterator["GateItem"]:
        """Read the gates; one error lists all that is wrong with the file."""
        from pytest_bayesf1.gates.gate_file import load_gates

        try:
            # the command's messages name files as they are seen from here; a test may change to another folder
            path = Path(os.path.relpath(self.path)) if self.config.stash[CONFIG].command else self.path
            gates = load_gates(path, self.config.rootpath)
            is_new = self._new_ones([gate.name for gate in gates])
        except (BaselineError, GateFileError) as error:
            raise self.CollectError(str(error)) from None
        for gate in gates:
            yield GateItem.from_parent(self, name=gate.name, gate=gate, is_new=gate.name in is_new)

    def _new_ones(self, names: list[str]) -> set[str]:
        """Return the gates that the commit lists neither in this file nor in its manifest."""
        from pytest_bayesf1.gates.gate_file import load_gates

        files = files_of(self.config)
        unlisted = {name for name in names if not is_listed(self.config, f"{self.nodeid}::{name}")}
        if not unlisted or files.committed(self.path) is None:
            return unlisted
        try:
            return unlisted - {gate.name for gate in load_gates(self.path, self.config.rootpath, files.copy(self.path))}
        except GateFileError:
            return set()  # which gates it declared is not known


class GateItem(pytest.Item):
    """One gate of a gate file, to run like a test."""

    def __init__(self, *, gate: "Gate[Any]", is_new: bool, **others: Any) -> None:
        super().__init__(**others)
        self._gate, self._is_new = gate, is_new

    def runtest(self) -> None:
        """Judge the gate, record it, and fail or warn."""
        from pytest_bayesf1.gates.evaluate import enforce, evaluate

        gate, files = self._gate, files_of(self.config).of_gate(is_new=self._is_new)
        record_all(FileUse.differing(files, gate.file, checked_out=True))
        for path in gate.reviewed:
            files.require(path)
        of_commit = gate.source.of_baseline
        try:
            run = evaluate(gate, files)
            of_commit = [] if run.source.redefined else of_commit
        finally:
            for path in gate.reviewed:
                record_all(FileUse.differing(files, path, checked_out=path not in of_commit))
        enforce(run.under_terms(), gate.warn, f"{self.name}: ")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the gate's message without our stack."""
        if isinstance(excinfo.value, AssertionError | BayesF1Error | BayesF1Warning):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
        """Say where the gate is declared."""
        return self.path, self._gate.line - 1, f"gate {self.name}"
