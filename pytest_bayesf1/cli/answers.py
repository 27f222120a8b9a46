"""The gates a command is asked for, and what it prints of their records."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import click

from pytest_bayesf1 import errors
from pytest_bayesf1.cli.console import Exit, columns, exit_code, say, say_document, say_lines, with_progress
from pytest_bayesf1.cli.options import Output
from pytest_bayesf1.errors import BayesF1Error, GateFileError, command_line
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import Gate, load_all_gates
from pytest_bayesf1.project import folders_from, gate_files, gate_files_in_or_below
from pytest_bayesf1.reports.entry import Place, Report
from pytest_bayesf1.reports.output import write_report
from pytest_bayesf1.reports.record import GateRecord, Records
from pytest_bayesf1.reports.terminal import MARKUP, report_lines
from pytest_bayesf1.reports.trends import with_trends
from pytest_bayesf1.results.policy import GRAVEST_FIRST, Outcome
from pytest_bayesf1.session import current_session
from pytest_bayesf1.values import require_choice
from pytest_bayesf1.words.notes import data_warnings

Answers: TypeAlias = Sequence[tuple[Place, GateRecord]]
"""What gates came to, in their order."""

_MOST_TEXTS = 3
"""Gates that are shown at length before all are listed."""


def judged(gates: Sequence[Gate[Any]], *, in_full: bool) -> Answers:
    """Judge gates that no project lists; one without an answer does not keep the others from it."""
    records = Records(Path(), in_full=in_full)
    answers: list[tuple[Place, GateRecord]] = []
    for gate in with_progress(gates, "Comparing", len(gates)):
        try:
            run = evaluate(gate)
            for warning in data_warnings(run.overall.decided):
                gate.warn(str(warning), type(warning))
            record = replace(records.of_gate(run), text=run.text(in_full=current_session().in_full))
        except BayesF1Error as error:
            record = records.of_error(error)
        answers.append((Place(test=gate.name, file="", line=gate.line), record))
    return answers


def codes_of(answers: Answers) -> list[Exit]:
    """Return the exit code of every gate."""
    return [_code(record) for _, record in answers]


def _code(record: GateRecord) -> Exit:
    if record.error:
        return exit_code(getattr(errors, record.error, Exception))
    if record.outcome != Outcome.FAILED:
        return Exit.PASSED
    return Exit.UNDECIDED if record.only_undecided else Exit.FAILED


def publish(answers: Answers, report: Report, output: Output, root: Path) -> None:
    """Write the report as JSON, or for people; then the report files, which may fail."""
    found = with_trends(report, root) if output.in_full else report
    if output.as_json:
        say_document(found.to_json())
    else:
        _tell(answers, report, verbose=output.verbose, root=os.path.relpath(root))
    if output.report is not None:
        written = write_report(found, output.report)
        if not output.as_json:
            say(f"report: {os.path.relpath(written)}")


def _tell(answers: Answers, report: Report, *, verbose: bool, root: str) -> None:
    told = [(place.test, record) for place, record in answers if record.text]
    gravest = sorted(told, key=lambda each: GRAVEST_FIRST.index(Outcome(each[1].outcome)))
    shown = told if verbose else gravest[:_MOST_TEXTS]
    for name, record in shown:
        headline, *rest = record.text.split("\n")
        say(name, bold=True)
        say_lines([(headline, MARKUP[record.outcome])])
        say("\n".join([*rest, ""]))
    left = report.without_advice_for([name for name, _ in shown])
    say_lines(report_lines(left, width=columns(), verbose=verbose, root=root))


def gate_id(gate: Gate[Any], root: Path) -> str:
    """Return the id that pytest gives to a gate."""
    return f"{os.path.relpath(gate.file, root)}::{gate.name}"


def _lies_outside(file: Path, root: Path) -> str:
    there = command_line("cd", os.path.relpath(file.parent))
    return f"{file} lies outside of the root folder, {root.resolve()}. Run the command in the file's folder: {there}"


def chosen_gates(files: Sequence[Path], names: Sequence[str], root: Path) -> list[Gate[Any]]:
    """Read the gates that a command is asked for."""
    found = list(dict.fromkeys(files)) or gate_files_in_or_below(root)
    if not found:
        here = root.resolve()
        above = next((folder for folder in folders_from(here) if gate_files(folder)), None)
        advice = "Propose one: bayesf1 init" if above is None else f"There is one above: {command_line('cd', above)}"
        raise click.UsageError(f"There is no gate file, bayesf1*.yaml, in or below {here}. {advice}")
    try:
        gates = load_all_gates(found, root)
    except GateFileError:
        outside = [file for file in found if not file.resolve().is_relative_to(root.resolve())]
        if not outside:
            raise
        raise GateFileError(_lies_outside(file, root) for file in outside) from None
    for name in names:
        require_choice("--gate", name, list(dict.fromkeys(gate.name for gate in gates)))
    return [gate for gate in gates if not names or gate.name in names]
