"""The gates a command is asked for, and what their results say in text, JSON and reports."""

import os
import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import click

from pytest_bayesf1.cli.console import (
    Exit,
    columns,
    exit_code,
    most_severe,
    prints_unicode,
    say,
    say_document,
    say_lines,
    with_progress,
)
from pytest_bayesf1.cli.options import Output
from pytest_bayesf1.errors import BayesF1Error, GateFileError, command_line
from pytest_bayesf1.gates.acceptance import Acceptance, Acceptor, Exceptions, GateOutcome, Losses, command_to_accept
from pytest_bayesf1.gates.evaluate import GateResult, evaluate
from pytest_bayesf1.gates.gate_file import Gate, load_all_gates
from pytest_bayesf1.gates.manifest import (
    GatesOfRun,
    Listed,
    Row,
    compare_file,
    compare_gates,
    id_seen_from,
    row_of,
    write_manifest,
)
from pytest_bayesf1.project import folders_from, gate_files, manifest_path
from pytest_bayesf1.reports.entry import AnyEntry, Place, Report, entry_of, error_entry
from pytest_bayesf1.reports.terminal import brief_lines, report_lines
from pytest_bayesf1.reports.trends import with_trends
from pytest_bayesf1.reports.writing import write_report
from pytest_bayesf1.results.policy import GRAVEST_FIRST, Verdict
from pytest_bayesf1.results.run import UNKNOWN_RUN, Finding, RunIdentity
from pytest_bayesf1.session import Session, active
from pytest_bayesf1.values import require_choice
from pytest_bayesf1.words.notes import data_warnings

_STYLES = {
    Verdict.FAILED: "red",
    Verdict.ACCEPTED: "purple",
    Verdict.WARNED: "yellow",
    Verdict.UNDECIDED: "cyan",
    Verdict.PASSED: "",
}


_MOST_TEXTS = 3
"""Gates that are shown at length before all are listed."""


@dataclass
class Answers:
    """What gates say: entries for the report, texts for people, exit codes for scripts, settings for the manifest."""

    entries: list[AnyEntry] = field(default_factory=list)
    texts: list[tuple[str, str, Verdict]] = field(default_factory=list)
    codes: list[Exit] = field(default_factory=list)
    rows: dict[str, list[Row]] = field(default_factory=dict)
    losses: list[tuple[str, GateOutcome, Acceptance]] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    run: RunIdentity = UNKNOWN_RUN

    @classmethod
    def of(
        cls, gates: Sequence[Gate[Any]], root: Path | None = None, *, in_full: bool = False, tell_all: bool = False
    ) -> "Answers":
        """Judge the gates of a project, or of a command; one without an answer does not keep the others from it."""
        answers = cls()
        listed = Listed() if root is None else Listed.checked_out(manifest_path(root))
        for gate in with_progress(gates, "Comparing", len(gates)):
            name = gate.name if root is None else gate_id(gate, root)
            try:
                with active(Session(acceptor=partial(answers.acceptor, name, root, listed))):
                    result = evaluate(gate)
                for each in data_warnings(result.overall.result):
                    gate.warn(str(each), type(each))
                answers._enter(result, _place(gate, name), in_full)
                answers._keep(name, result, tell_all)
                if root is not None:
                    answers.rows[name] = [row_of(result)]
            except BayesF1Error as error:
                answers.entries.append(error_entry(error, _place(gate, name)))
                answers.codes.append(exit_code(error))
        return answers

    def acceptor(self, test: str, root: Path | None, listed: Listed) -> Acceptor | None:
        """Return what answers for a gate of a project, and lets these answers know."""
        if root is None:
            return None
        again = f"pytest {shlex.quote(id_seen_from(Path(), root, test))}"
        return Acceptor(
            listed.losses(test),
            lambda _: command_to_accept(test, root, Path(), again),
            lambda outcome, loss: self.losses.append((test, outcome, loss)),
        )

    def _enter(self, result: GateResult, place: Place, in_full: bool) -> None:
        for record in result.records():
            n_entries = len(self.entries) + 1
            self.entries.append(entry_of(record, in_full=in_full, n_entries=n_entries).at(place))

    def _keep(self, name: str, result: GateResult, tell_all: bool) -> None:
        if tell_all or result.verdict is not Verdict.PASSED:
            self.texts.append((name, result.text(in_full=tell_all), result.verdict))
        self.codes.append(_code(result))

    @property
    def report(self) -> Report:
        """The entries and findings of all gates as one report."""
        return Report.of(self.entries, findings=self.findings, run=self.run)

    @property
    def code(self) -> Exit:
        """The exit code of the command: the most severe of all gates."""
        return most_severe(self.codes)

    def publish(self, output: Output, *, in_brief: bool = False) -> None:
        """Write the report as JSON, or for people, of one gate in brief; then the report files, which may fail."""
        found = with_trends(self.report, Path()) if output.in_full else self.report
        if output.as_json:
            say_document(found.to_json())
        elif in_brief and not output.verbose and len(found.gates) == 1:
            say_lines(brief_lines(found, ascii_only=not prints_unicode(), width=columns()))
        else:
            self._tell(verbose=output.verbose)
        if output.report is not None:
            written = write_report(found, output.report)
            if not output.as_json:
                say(f"report: {os.path.relpath(written)}")

    def _tell(self, *, verbose: bool) -> None:
        gravest = sorted(self.texts, key=lambda each: GRAVEST_FIRST.index(each[2]))
        shown = self.texts if verbose else gravest[:_MOST_TEXTS]
        for name, text, verdict in shown:
            headline, *rest = text.split("\n")
            say(name, "bold")
            say(headline, _STYLES[verdict])
            say("\n".join([*rest, ""]))
        report = self.report.without_advice_for([name for name, *_ in shown])
        say_lines(report_lines(report, ascii_only=not prints_unicode(), width=columns(), verbose=verbose))


def _place(gate: Gate[Any], name: str) -> Place:
    return Place(test=name, file=name.partition("::")[0] if "::" in name else "", line=gate.line)


def _code(result: GateResult) -> Exit:
    if result.verdict is not Verdict.FAILED:
        return Exit.PASSED
    return Exit.UNDECIDED if result.only_undecided else Exit.FAILED


@dataclass(frozen=True)
class Manifest:
    """The manifest of a root folder, beside the gates that answered.

    Attributes
    ----------
    whole
        The gate files of which all gates were evaluated: what is listed of them and was not is gone.
    """

    root: Path
    answers: Answers
    whole: Collection[Path]

    def update(self) -> None:
        """List the gates that answered; raise `BaselineError` when that cannot be done."""
        run = self._run({})
        write_manifest(manifest_path(self.root), lambda listed: listed.updated(run, run.rows))

    @property
    def _lost(self) -> Losses:
        return Losses(self.answers.losses, self.answers.rows)

    def _run(self, exceptions: Exceptions) -> GatesOfRun:
        losses = self._lost.by_test
        return GatesOfRun(
            rows=self.answers.rows,
            why_missing=self._why_missing,
            is_gone=self._is_gone,
            exceptions=exceptions,
            losses=losses,
        )

    def keep_failures(self) -> None:
        """Keep what failed for `bayesf1 accept`."""
        self._lost.keep_failures(self.root, self.answers.rows)

    def findings(self) -> tuple[Finding, ...]:
        """Compare with what is listed; raise `BaselineError` when that cannot be read."""
        path = manifest_path(self.root)
        listed = Listed.checked_out(path)
        run = self._run(listed.exceptions)
        found = compare_gates([listed.rows], run)
        return (*found, *compare_file(os.path.relpath(path, self.root), listed, None, run, found))

    def _is_gone(self, test: str) -> bool:
        files = {os.path.relpath(file, self.root) for file in self.whole}
        return test.partition("::")[0] in files and all(entry.test != test for entry in self.answers.entries)

    def _why_missing(self, test: str) -> str:
        return "its file does not declare it any more" if self._is_gone(test) else ""


def gate_id(gate: Gate[Any], root: Path) -> str:
    """Return the id that pytest gives to a gate."""
    return f"{os.path.relpath(gate.file, root)}::{gate.name}"


def _lies_outside(file: Path, root: Path) -> str:
    there = command_line("cd", os.path.relpath(file.parent))
    return f"{file} lies outside of the root folder, {root.resolve()}. Run the command in the file's folder: {there}"


def chosen_gates(files: Sequence[Path], names: Sequence[str], root: Path) -> list[Gate[Any]]:
    """Read the gates that a command is asked for."""
    found = list(dict.fromkeys(files)) or gate_files(root)
    if not found:
        here = root.resolve()
        above = next((folder for folder in folders_from(here) if gate_files(folder)), None)
        advice = "Propose one: bayesf1 init" if above is None else f"There is one above: {command_line('cd', above)}"
        raise click.UsageError(f"There is no gate file, bayesf1*.yaml, in {here}. {advice}")
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
