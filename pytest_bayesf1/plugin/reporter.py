"""The process that reports: gathers every test's comparisons, prints them and writes the report files."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_bayesf1.plugin.attempts import Attempts
from pytest_bayesf1.plugin.config import PluginConfig
from pytest_bayesf1.plugin.gate_ledger import GateLedger
from pytest_bayesf1.plugin.progress import Progress
from pytest_bayesf1.plugin.telling import encoding_of

if TYPE_CHECKING:
    from pytest_bayesf1.reports.entry import AnyEntry, Place, Report
    from pytest_bayesf1.reports.terminal import Line
    from pytest_bayesf1.results.other import RunIdentity


class Reporter:
    """Registered where pytest reports: not in xdist's workers."""

    def __init__(self, config: PluginConfig, root: Path, progress: Progress, gates: GateLedger) -> None:
        self._config, self._root = config, root
        self._progress = progress
        self._gates = gates
        self._attempts: Attempts[AnyEntry] = Attempts("bayesf1")
        self._changed: set[str] = set()
        self._written: list[Line] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather the comparisons that came with a test's report, before the JUnit report reads its properties."""
        self._attempts.hear(report)
        events = getattr(report, "bayesf1_baselines", [])
        self._changed.update(path for action, path in events if action == "changed")

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the report files; a report that was asked for and could not be written fails the run."""
        if not self._progress.begun:
            return
        if self._config.changes is not None and self._config.changes.is_dir():
            self._written.append((f"examples that changed: {self._config.changes}", {}))
        if self._config.report is None:
            return
        from pytest_bayesf1.reports.writing import write_report

        try:
            path = write_report(self._with_trends(self._report(), session.config.rootpath), self._config.report)
            self._written.append((f"report: {path}", {}))
        except Exception as error:  # noqa: BLE001 (whatever went wrong, the tests' own results must still be shown)
            self._written.append((f"report NOT written: {error!s} ({type(error).__name__})", {"red": True}))
            if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Print one line per comparison, and of several the tally; nothing when there is nothing to tell."""
        written = [*self._gates.lines, *self._written]
        if not (any(self._attempts.recorded()) or self._gates.findings or written):
            return
        from pytest_bayesf1.reports.terminal import prints_pictures, report_lines

        report, ascii_only = self._report(), not prints_pictures(encoding_of(terminalreporter.config))
        width = terminalreporter._tw.fullwidth  # noqa: SLF001 (what pytest itself writes)
        tally: list[Line] = [(report.tally(), {"bold": True})] if len(report.entries) > 1 else []
        terminalreporter.write_sep("=", "bayesf1")
        for line, markup in report_lines(report, ascii_only=ascii_only, width=width) + tally + written:
            terminalreporter.write_line(line, **markup)

    def _report(self) -> "Report":
        from pytest_bayesf1.reports.entry import Report

        entries = (self._entry(place, entry) for place, entry in self._attempts.recorded())
        return Report.of(entries, self._progress.missing(), self._changed, self._gates.findings, self._run)

    def _entry(self, place: "Place", entry: "AnyEntry") -> "AnyEntry":
        is_expected = self._gates.is_expected_failure(place.test)
        return (entry.of_expected_failure() if is_expected else entry).at(place)

    @cached_property
    def _run(self) -> "RunIdentity":
        """Which run this is; git is asked once."""
        from pytest_bayesf1.results.other import RunIdentity

        return RunIdentity.of(self._root, self._config.notes)

    def _with_trends(self, report: "Report", root: Path) -> "Report":
        from pytest_bayesf1.reports.history import with_trends, without_trends

        return without_trends(report) if self._config.no_trend else with_trends(report, root, self._config.baseline_ref)
