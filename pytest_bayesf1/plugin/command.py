"""`bayesf1 gate`: pytest on gate files, in its own surroundings and without its output."""

import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import pytest

from pytest_bayesf1 import errors
from pytest_bayesf1.plugin.config import flag
from pytest_bayesf1.plugin.ledger import LEDGER, Ledger
from pytest_bayesf1.plugin.recording import RECORDS
from pytest_bayesf1.reports.record import GateRecord
from pytest_bayesf1.results.policy import Outcome

ExitCode = pytest.ExitCode

_OURS = ("LeaningWorseWarning", "UndecidedWarning", "UnderpoweredGateWarning")
"""Warnings that say what the command prints anyway."""

_ALONE = (
    *("-c", os.devnull, "--noconftest", "--assert=plain", "--capture=no", "-p", "pytest_bayesf1.plugin.hooks"),
    *(word for name in ("cacheprovider", "faulthandler", "logging") for word in ("-p", f"no:{name}")),
    *(word for name in ("threadexception", "unraisableexception") for word in ("-p", f"no:{name}")),
    *(word for name in _OURS for word in ("-W", f"ignore::pytest_bayesf1.errors.{name}")),
)
"""No setting, file or plugin of the project takes part."""
_ENVIRONMENT = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "", "PYTEST_PLUGINS": ""}


@dataclass(eq=False)  # pytest 8.0 keeps plugins in a set
class GateFileRun:
    """A run of pytest on gate files, registered in the place of its terminal.

    Attributes
    ----------
    advance
        Called when a gate has finished.
    problems
        What kept a file from being read, or a gate from judging, but for errors that are recorded.
    status
        pytest's exit code.
    is_interrupted
        Whether somebody stopped it.
    caught
        The warnings of the gates.
    """

    advance: Callable[[], object]
    problems: list[str] = field(default_factory=list)
    status: int = ExitCode.OK
    is_interrupted: bool = False
    caught: list[warnings.WarningMessage] = field(default_factory=list)
    _ledgers: list[Ledger] = field(default_factory=list)

    @property
    def ledger(self) -> Ledger:
        """What the gates came to."""
        return self._ledgers[0]

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Let nothing be printed."""
        config.pluginmanager.unregister(name="terminalreporter")
        self._ledgers.append(config.stash[LEDGER])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that could not be read."""
        if report.failed:
            self.problems.append(str(report.longrepr))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather what came with a gate's report."""
        self.ledger.add(report)
        if report.failed and not any(map(_explains, getattr(report, RECORDS, []))):
            self.problems.append(report.longreprtext)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Tell somebody who stops the run from workers that end it with the first failure."""
        self.is_interrupted = excinfo.type is KeyboardInterrupt

    def pytest_runtest_logfinish(self) -> None:
        """Note that a gate has finished."""
        self.advance()

    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage) -> None:
        """Keep a warning, which pytest would catch again now."""
        self.caught.append(warning_message)


def _explains(record: GateRecord) -> bool:
    """Whether a record tells why its test failed."""
    return record.outcome == Outcome.FAILED or hasattr(errors, record.error)


def run_gate_files(
    files: Iterable[Path], root: Path, options: Sequence[str], advance: Callable[[], object]
) -> GateFileRun:
    """Run pytest on gate files."""
    run = GateFileRun(advance)
    # relative, for pytest takes brackets in a path for parameters
    places = [f"./{os.path.relpath(file)}" for file in files]
    with patch.dict(os.environ, _ENVIRONMENT):
        run.status = pytest.main([*_ALONE, f"--rootdir={root.absolute()}", *options, *places], plugins=[run])
    for each in run.caught:
        warnings.showwarning(each.message, each.category, each.filename, each.lineno)
    return run


def command_options(*, in_full: bool, verbose: bool, update: bool, only: Sequence[str]) -> list[str]:
    """Return pytest's options for those of the command."""
    return [
        f"{flag('command')}={'full' if in_full else 'brief'}",
        *(["-v"] if verbose else []),
        *([flag("update")] if update else []),
        *(f"{flag('only')}={name}" for name in only),
    ]
