"""pytest, run by the Action: whatever happens to it, there is an outcome to report."""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pytest_bayesf1.errors import InputError, ReportError
from pytest_bayesf1.github.workflow import no_commands
from pytest_bayesf1.reports.entries import error_entry
from pytest_bayesf1.reports.reading import load_report
from pytest_bayesf1.reports.report import Report, needs_attention

_ENDINGS = {
    2: "pytest was interrupted, or could not collect the tests",
    3: "pytest ended with an internal error",
    4: "pytest could not be started with these arguments",
    5: "pytest collected no test",
}
_TESTED = (0, 1)


class FailOn(StrEnum):
    """What makes the job fail."""

    FAILED = "failed"
    WARNED = "warned"
    NEVER = "never"


@dataclass(frozen=True)
class Outcome:
    """What came of a run.

    Attributes
    ----------
    exit_code
        pytest's; never 0 when there is no report.
    report
        What it reported; what kept it from a whole report stands there as an error.
    """

    exit_code: int
    report: Report

    @property
    def verdict(self) -> str:
        """``failed``, ``error``, ``warned``, ``undecided`` or ``passed``; a class or a slice alone leaves it passed."""
        verdicts = {entry["verdict"] for entry in self.report.entries if needs_attention(entry)}
        return next((name for name in ("failed", "error", "warned", "undecided") if name in verdicts), "passed")


def pytest_command(arguments: str, report_dir: Path, fail_on: FailOn, baseline_ref: str) -> list[str]:
    """Build the command; ``arguments`` are split as a shell would, and never seen by one.

    Raises
    ------
    InputError
        For a quotation mark that is never closed.
    """
    try:
        given = shlex.split(arguments)
    except ValueError as error:
        raise InputError("args", "arguments as for a shell", f"{arguments!r} ({error})") from None
    strict = ["-W", "error::pytest_bayesf1.BayesF1Warning"] if fail_on is FailOn.WARNED else []
    ref = [f"--bayesf1-baseline-ref={baseline_ref}"] if baseline_ref else []
    return [sys.executable, "-m", "pytest", *given, *strict, *ref, f"--bayesf1-report={report_dir}"]


def run(command: Sequence[str], report_dir: Path) -> Outcome:
    """Run pytest; an older report is removed first, so that it cannot pass for this run's."""
    _file(report_dir).unlink(missing_ok=True)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("BAYESF1_")}
    with no_commands():
        done = subprocess.run(command, check=False, env=inherited)  # noqa: S603 (no shell, and the tests are the caller's own)
    return outcome_of(done.returncode, report_dir)


def outcome_of(exit_code: int, report_dir: Path) -> Outcome:
    """Read what a run left behind."""
    problem = "" if exit_code in _TESTED else f"{_ENDINGS.get(exit_code, f'pytest ended with exit code {exit_code}')}."
    report = Report.of([])
    if _file(report_dir).exists():
        try:
            report = load_report(_file(report_dir))
        except ReportError as error:
            problem = f"{problem} The report cannot be read: {error}".strip()
    else:
        problem = f"{problem} There is no report, so nothing is known of the candidate.".strip()
    if not problem:
        return Outcome(exit_code, report)
    entry = {"test": "pytest", "file": "", "line": 0, **error_entry(problem)}
    return Outcome(exit_code or 1, Report.of([*report.entries, entry], report.missing, report.changed))


def _file(report_dir: Path) -> Path:
    return report_dir / "report.json"
