"""pytest, run by the Action: whatever happens to it, there is an outcome to report."""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pytest_bayesf1._util import require_choice
from pytest_bayesf1.errors import InputError, ReportError
from pytest_bayesf1.github.workflow import no_commands
from pytest_bayesf1.reports.entry import Place, Report, error_entry
from pytest_bayesf1.reports.reading import load_report

_ENDINGS = {
    2: "pytest was interrupted, or could not collect the tests",
    3: "pytest ended with an internal error",
    4: "pytest could not be started with these arguments",
    5: "pytest collected no test",
}
_NO_TESTS = 5
_TESTED = (0, 1)


class FailOn(StrEnum):
    """What makes the job fail."""

    FAILED = "failed"
    WARNED = "warned"
    LOOSENED = "loosened"
    NEVER = "never"


@dataclass(frozen=True)
class Demands:
    """What makes the job fail: always what pytest fails on, and whatever else is asked for.

    Attributes
    ----------
    warned, loosened
        Whether a slightly worse candidate does, and a gate that is not as listed.
    never
        Whether nothing does.
    no_gates
        Whether a run in which no gate judged does not.
    """

    warned: bool = False
    loosened: bool = False
    never: bool = False
    no_gates: bool = False

    @classmethod
    def of(cls, fail_on: str, allow_no_gates: str) -> "Demands":
        """Read the inputs of the Action; raise `InputError` for what is none of their choices."""
        named = [name.strip() for name in fail_on.split(",")]
        for name in named:
            require_choice("fail-on", name, [choice.value for choice in FailOn])
        if FailOn.NEVER in named and len(named) > 1:
            raise InputError("fail-on", "never alone", repr(fail_on))
        require_choice("allow-no-gates", allow_no_gates, ("true", "false"))
        return cls(
            warned=FailOn.WARNED in named,
            loosened=FailOn.LOOSENED in named,
            never=FailOn.NEVER in named,
            no_gates=allow_no_gates == "true",
        )

    def exit_code(self, outcome: "Outcome") -> int:
        """Return the job's exit code."""
        if self.never:
            return 0
        if outcome.exit_code not in (0, _NO_TESTS):
            return outcome.exit_code
        is_missing = outcome.verdict == "none" and not self.no_gates
        return 1 if is_missing or (self.loosened and outcome.report.loosened) else 0


@dataclass(frozen=True)
class Outcome:
    """What came of a run.

    Attributes
    ----------
    exit_code
        pytest's; neither 0 nor that of a run without tests when there is no report.
    report
        What it reported; what kept it from a whole report stands there as an error.
    """

    exit_code: int
    report: Report

    @property
    def verdict(self) -> str:
        """That of the report."""
        return self.report.verdict


def pytest_command(
    arguments: str, report_dir: Path, demands: Demands, baseline_ref: str, gates_ref: str = ""
) -> list[str]:
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
    strict = ["-W", "error::pytest_bayesf1.BayesF1Warning"] if demands.warned else []
    refs = {"baseline": baseline_ref, "gates": gates_ref}
    read_from = [f"--bayesf1-{name}-ref={ref}" for name, ref in refs.items() if ref]
    return [sys.executable, "-m", "pytest", *given, *strict, *read_from, f"--bayesf1-report={report_dir}"]


def run(command: Sequence[str], report_dir: Path) -> Outcome:
    """Run pytest; an older report is removed first, so that it cannot pass for this run's."""
    _file(report_dir).unlink(missing_ok=True)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("BAYESF1_")}
    with no_commands():
        done = subprocess.run(command, check=False, env=inherited)  # noqa: S603 (no shell, and the tests are the caller's own)
    return outcome_of(done.returncode, report_dir)


def outcome_of(exit_code: int, report_dir: Path) -> Outcome:
    """Read what a run left behind."""
    is_told = exit_code == _NO_TESTS and _file(report_dir).exists()  # by the report: no gate ran
    tested = exit_code in _TESTED or is_told
    problem = "" if tested else f"{_ENDINGS.get(exit_code, f'pytest ended with exit code {exit_code}')}."
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
    entry = error_entry(problem, Place(test="pytest", file="", line=0))
    told = Report.of([*report.entries, entry], report.missing, report.changed, report.findings, report.run)
    return Outcome(1 if exit_code in (0, _NO_TESTS) else exit_code, told)


def _file(report_dir: Path) -> Path:
    return report_dir / "report.json"
