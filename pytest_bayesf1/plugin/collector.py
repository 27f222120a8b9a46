"""The process that reports: gathers every test's comparisons, prints them and writes the report files."""

from typing import Any

import pytest

from pytest_bayesf1.plugin.config import PluginConfig
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.reports.terminal import Line, report_lines


class Collector:
    """Registered where pytest reports: not in xdist's workers."""

    def __init__(self, config: PluginConfig) -> None:
        self._config = config
        self._entries: list[dict[str, Any]] = []
        self._written: list[Line] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather the comparisons that came with a test's report, from this process or from a worker."""
        for entry in getattr(report, "bayesf1", []):
            self._entries.append({"test": report.nodeid, **entry})

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the report files; a report that was asked for and could not be written fails the run."""
        if self._config.report_dir is None or session.config.option.collectonly:
            return
        from pytest_bayesf1.reports.files import write_report

        try:
            path = write_report(Report.of(self._entries), self._config.report_dir)
            self._written.append((f"report: {path}", {}))
        except Exception as error:  # noqa: BLE001 (whatever went wrong, the tests' own results must still be shown)
            self._written.append((f"report NOT written: {error!s} ({type(error).__name__})", {"red": True}))
            if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print one line a comparison; nothing when there is none."""
        lines = report_lines(Report.of(self._entries), ascii_only=not _prints_unicode(terminalreporter))
        lines += self._written
        if lines:
            terminalreporter.write_sep("=", "bayesf1")
        for line, markup in lines:
            terminalreporter.write_line(line, **markup)


def _prints_unicode(terminalreporter: pytest.TerminalReporter) -> bool:
    encoding = getattr(terminalreporter._tw._file, "encoding", None) or "utf-8"  # noqa: SLF001
    try:
        "≪≈≫".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
