"""What pytest prints and writes at the end of a run."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_bayesf1.errors import BaselineError, BayesF1Warning
from pytest_bayesf1.plugin.config import PluginConfig, encoding_of
from pytest_bayesf1.plugin.ledger import Ledger
from pytest_bayesf1.plugin.recording import RECORDS, Progress
from pytest_bayesf1.project import in_ci
from pytest_bayesf1.results.run import Use
from pytest_bayesf1.text import in_ascii, prints_symbols

if TYPE_CHECKING:
    import warnings

    from pytest_bayesf1.reports.entry import Report
    from pytest_bayesf1.reports.terminal import Line


_MOST_LISTED = 10
"""So many warnings of ours, and so many gates of files that failed, are explained one by one; of more the first."""


class Shortened:
    """Registered where pytest reports: of many warnings and failures it explains one, and counts the others.

    Attributes
    ----------
    left
        Gates that failed and are not explained: pytest's short summary has a line for each.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._names: set[str] = set()
        self.left: set[str] = set()

    def pytest_warning_recorded(self, warning_message: "warnings.WarningMessage") -> None:
        """Note how ours are called; pytest keeps only their text."""
        if issubclass(warning_message.category, BayesF1Warning):
            self._names.add(warning_message.category.__name__)

    def pytest_sessionfinish(self) -> None:
        """Replace many by one line, before pytest lists them."""
        reporter: Any = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter is None:
            return
        found = reporter.stats.get("warnings", [])
        ours = [each for each in found if any(f": {name}: " in each.message for name in self._names)]
        if len(ours) > _MOST_LISTED:
            text = f"{len(ours):,} warnings of gates: see the section bayesf1 below; -v lists all gates."
            others = [each for each in found if each not in ours]
            reporter.stats["warnings"] = [*others, replace(ours[0], message=text, nodeid=None, fslocation=None)]
        if self._config.option.verbose <= 0:
            self._shorten(list(filter(_is_of_gate_file, reporter.stats.get("failed", []))))

    def _shorten(self, failed: list[pytest.TestReport]) -> None:
        """Explain the first of many only."""
        if len(failed) <= _MOST_LISTED:
            return
        first, *left = failed
        for report in left:
            vars(report)["_pdbshown"] = True  # what pytest calls reports that are not to be shown again
            self.left.add(report.nodeid)
        more = f"{len(left):,} more gates failed, each a line in the short summary; -v explains them all."
        first.longrepr = f"{first.longrepr}\n\n{more}"


def _is_of_gate_file(report: pytest.TestReport) -> bool:
    is_ours = isinstance(report.longrepr, str) and bool(getattr(report, RECORDS, []))
    return is_ours and report.location[0].endswith((".yaml", ".yml"))


class Reporter:
    """Registered where pytest reports: not in xdist's workers."""

    def __init__(self, config: PluginConfig, progress: Progress, ledger: Ledger, shortened: Shortened) -> None:
        self._config, self._progress = config, progress
        self._ledger, self._shortened = ledger, shortened
        self._lines: list[Line] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather what came with a test's report, before the JUnit report reads its properties."""
        self._ledger.add(report)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the manifest and the report; where one that was asked for cannot be written, the run fails."""
        if not self._progress.begun:
            return
        try:
            self._lines += self._ledger.write()
        except BaselineError as error:
            self._lines.append((f"gates NOT written: {error}", {"red": True}))
            if session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        self._ledger.keep_failures()
        if self._config.report is not None:
            self._write_report(session, self._config.report)

    def _write_report(self, session: pytest.Session, path: Path) -> None:
        from pytest_bayesf1.reports.output import write_report

        try:
            written = write_report(self._with_trends(self._ledger.report(), session.config), path)
            self._lines.append((f"report: {written}", {}))
        except Exception as error:  # noqa: BLE001 (whatever went wrong, the tests' own results must still be shown)
            self._lines.append((f"report NOT written: {error!s} ({type(error).__name__})", {"red": True}))
            if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Print what the run came to; nothing when there is nothing to tell."""
        if not self._progress.begun:
            return
        if any(record.entries for _, record in self._ledger.records) or self._ledger.findings or self._lines:
            self._print_gates(terminalreporter)
        self._print_baselines(terminalreporter)

    def _print_gates(self, terminalreporter: "pytest.TerminalReporter") -> None:
        from pytest_bayesf1.reports.terminal import report_lines

        config = terminalreporter.config
        report = self._as_not_shown_yet(config)
        has_symbols = prints_symbols(encoding_of(config))
        width = terminalreporter._tw.fullwidth  # noqa: SLF001 (what pytest itself writes)
        root = os.path.relpath(config.rootpath, config.invocation_params.dir)
        lines = report_lines(report, width=width, verbose=config.option.verbose > 0, root=root)
        terminalreporter.write_sep("=", "bayesf1")
        for line, markup in lines + self._lines:
            terminalreporter.write_line(line if has_symbols else in_ascii(line), **markup)

    def _print_baselines(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """List baselines that were written."""
        uses = sorted({(use.use, f"{use.path}{use.about and f': {use.about}'}") for use in self._ledger.uses()})
        lines = [f"{told:<9} {path}" for told in _TOLD for use, path in uses if use is told]
        if lines:
            terminalreporter.write_sep("=", "bayesf1 baselines")
        for line in lines:
            terminalreporter.write_line(line)

    def _as_not_shown_yet(self, config: pytest.Config) -> "Report":
        """Return the report for the end of the terminal; in CI without the advice that pytest shows with a failure."""
        report = self._ledger.report()
        if not in_ci() or config.option.tbstyle in ("no", "line"):
            return report
        failed = {each.test for each in report.entries if each.verdict == "failed"}
        return report.without_advice_for(failed.difference(self._shortened.left))

    def _with_trends(self, report: "Report", config: pytest.Config) -> "Report":
        from pytest_bayesf1.reports.trends import with_trends

        return with_trends(report, config.rootpath, self._config.baseline_ref)


def reporters(config: pytest.Config, plugin_config: PluginConfig, progress: Progress, ledger: Ledger) -> list[object]:
    """Return what is registered where pytest reports; the last to come is the first to finish."""
    shortened = Shortened(config)
    return [Reporter(plugin_config, progress, ledger, shortened), shortened]


_TOLD = (Use.CREATED, Use.REPLACED)
