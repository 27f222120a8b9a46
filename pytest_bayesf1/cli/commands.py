"""The commands that have no module of their own."""

import json
import os
import re
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from pytest_bayesf1.choices import CLASSES_IN_LOGS, FAIL_ON_DEFAULT, FailOn
from pytest_bayesf1.cli import options
from pytest_bayesf1.cli.console import (
    Exit,
    columns,
    complain,
    most_severe,
    progress,
    say,
    say_document,
    say_json,
    say_lines,
    show_table,
)
from pytest_bayesf1.errors import NOT_FOUND, BaselineError, InputError, shown, within
from pytest_bayesf1.project import Update, Wanted, manifest_path, require_updatable
from pytest_bayesf1.results.run import RunIdentity
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.session import Session, active
from pytest_bayesf1.text import POINTS, counted, first_few, level
from pytest_bayesf1.values import require_once

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_bayesf1.data.columns import Schema, Schemas
    from pytest_bayesf1.files.eval_logs import LoggedRun, LoggedTask
    from pytest_bayesf1.gates.acceptance import Failures
    from pytest_bayesf1.gates.gate_file import Gate
    from pytest_bayesf1.gates.source import FilePair
    from pytest_bayesf1.reports.entry import Report


@click.command(
    "changes", epilog="Example: bayesf1 changes baselines/spam.csv build/spam.csv --format csv > changes.csv"
)
@click.argument("baseline", type=options.FILE)
@click.argument("candidate", type=options.FILE)
@options.measure
@options.reading
@options.show
@options.formats("text", "csv", "json", text="text: what explains most. csv, json: every example.")
def changes_command(baseline: Path, candidate: Path, measure: str, readings: "Schemas", form: str) -> None:
    """Show which examples the CANDIDATE predicts otherwise than the BASELINE, and what that does to the measure.

    Both are files as of bayesf1 compare. Counts have no examples.
    """
    from pytest_bayesf1.comparison.changes import Changes
    from pytest_bayesf1.files.side import read_sides
    from pytest_bayesf1.reports.output import changes_csv
    from pytest_bayesf1.reports.section import errors_table
    from pytest_bayesf1.words.evidence import changes_headline

    if not baseline.exists():
        raise BaselineError.plain(f"baseline ({baseline})", *NOT_FOUND)
    before, after = read_sides(baseline, candidate, readings)
    changes = Changes.between(before.counts(), after.counts(), measure)
    if form == "csv":
        say_document(changes_csv(changes))
    elif form == "json":
        say_json(plain(changes.reported(None, None)))
    else:
        reported = changes.reported()
        say(changes_headline(reported, changes.measure.words, POINTS), bold=True)
        errors = errors_table(reported, POINTS, "example", excerpts=True)
        if errors.rows:
            show_table(*errors.texts)


@click.command("compare", epilog="Example: bayesf1 compare baselines/spam.csv build/spam.csv --rope 0.01")
@click.argument("baseline", type=options.FILE)
@click.argument("candidate", type=options.FILE)
@options.comparison
@options.fail_on
@options.parts
@options.reading
@options.other_ruler
@options.show
@options.output
def compare_command(
    baseline: Path,
    candidate: Path,
    fail_on: FailOn,
    per_class: bool,
    slices: tuple[str, ...],
    readings: "Schemas",
    other_ruler: bool,
    output: options.Output,
    **arguments: Any,
) -> None:
    """Compare the CANDIDATE with the BASELINE: two files of predictions or counts, or the logs of two runs.

    Predictions have the columns y_true and y_pred, and id if the order differs. Scores have y_score, or y_score_<label>
    for every class; numbers per example have value. Counts are a square matrix with a row per true class.

    A folder of logs of inspect_ai, lm-evaluation-harness or promptfoo is a run of several tasks. Tasks pair up by name,
    samples by id. The chance of any false failure among all tasks is below 5%.

    One file may hold both sides: --baseline-column y_pred=old --candidate-column y_pred=new.
    """
    if not baseline.exists():
        raise BaselineError.plain(f"baseline ({baseline})", *NOT_FOUND)
    from pytest_bayesf1.gates.demand import Demand
    from pytest_bayesf1.gates.gate_file import Gate
    from pytest_bayesf1.gates.source import Declared, FilePair

    declared = Declared(name=f"{baseline} → {candidate}", file=Path("bayesf1 compare"), line=1)
    files: Any = {"baseline": baseline, "candidate": candidate, "readings": readings}
    pair = FilePair(declared=declared, other_ruler=other_ruler, **files)
    demand = Demand.unless(fail_on, arguments, per_class=per_class, slices=slices)
    gates, about = _gates_of_logs(Gate(**vars(declared), source=pair, demand=demand))
    _answer(gates, output, about)


@click.command("check", epilog="Example: bayesf1 check build/spam.csv --floor 0.92")
@click.argument("files", metavar="FILE...", type=options.FILE, nargs=-1, required=True)
@click.option("--floor", type=float, required=True, metavar="SCORE", help="The score to reach, such as 0.92.")
@click.option(
    "--run-sd",
    type=float,
    metavar="SD",
    help="Of examples that are always the same: the standard deviation of the score from run to run.",
)
@options.fail_on
@options.estimate
@options.parts
@options.reading_alike
@options.output
def check_command(
    files: tuple[Path, ...],
    floor: float,
    run_sd: float | None,
    fail_on: FailOn,
    per_class: bool,
    slices: tuple[str, ...],
    reading: "Schema",
    output: options.Output,
    **arguments: Any,
) -> None:
    """Check that the score of FILE, predictions or counts, reaches a floor.

    Several files are runs of one system on the same examples. The check fails if the whole likely range of the score is
    below the floor; with --fail-on unproven also if a part of it is. If examples are always the same, bayesf1 floor
    finds the floor and --run-sd.
    """
    from pytest_bayesf1.files.eval_logs import LoggedRun
    from pytest_bayesf1.gates.demand import Demand
    from pytest_bayesf1.gates.gate_file import Gate
    from pytest_bayesf1.gates.source import Declared, RunFiles

    declared = Declared(name=first_few(map(str, files), 1), file=Path("bayesf1 check"), line=1)
    as_log, asked = _as_asked({"candidate": reading}, arguments)
    if all(LoggedRun.of(file, as_log["candidate"]) for file in files):
        reading, arguments = as_log["candidate"], asked
    source = RunFiles(declared=declared, runs=files, readings={"candidate": reading})
    demand = Demand.at_least(floor, run_sd, fail_on, arguments, per_class=per_class, slices=slices)
    gate = Gate(**vars(declared), source=source, demand=demand)
    _answer([gate], output)


def _answer(gates: "Sequence[Gate[Any]]", output: options.Output, about: list[str] | None = None) -> None:
    """Judge the gates that a command's options describe, and end with its exit code."""
    from pytest_bayesf1.cli.answers import codes_of, judged, publish
    from pytest_bayesf1.reports.entry import Report

    with active(Session(in_full=output.verbose)):
        answers = judged(gates, in_full=output.in_full)
    entries = [entry.at(place) for place, record in answers for entry in record.entries]
    codes, run = codes_of(answers), RunIdentity.of(Path())
    if about is not None:
        verdict = _tasks_worse(codes)
        run = replace(run, about=" ".join([verdict, *about])) if output.in_full else run
        answers = answers if output.verbose else []  # a line per task says enough
        if not output.as_json:
            say(verdict, bold=True)
            say("\n".join([*about, ""]))
    report = Report.of(entries, run=run)
    shows_all = output.verbose or len(gates) == 1  # every class and slice that was asked for
    publish(answers, report, replace(output, verbose=shows_all), Path())
    sys.exit(most_severe(codes))


def _as_asked(readings: "Schemas", arguments: dict[str, Any]) -> "tuple[dict[str, Schema], dict[str, Any]]":
    """Return how logs are read, and by what arguments judged: the mean of grades, unless options are about classes."""
    from pytest_bayesf1.data.columns import PREDICTED, answer_columns

    named = {name for reading in readings.values() for name in answer_columns(dict(reading.columns))}
    asked = click.get_current_context().get_parameter_source("measure") is not ParameterSource.DEFAULT
    of_classes = PREDICTED in named or any(reading.answer for reading in readings.values())
    if of_classes or (asked and not named and arguments["measure"] != "mean"):
        of_log = {
            side: replace(reading, columns=()).of_side({**CLASSES_IN_LOGS, **dict(reading.columns)}, {})
            for side, reading in readings.items()
        }
        return of_log, arguments
    return {**readings}, arguments if asked else {**arguments, "measure": "mean"}


def _gates_of_logs(gate: "Gate[FilePair]") -> "tuple[list[Gate[FilePair]], list[str] | None]":
    """Return a gate of every task of two runs, and what to know of these; of other files the gate itself."""
    from pytest_bayesf1.files.eval_logs import NO_LOG, LoggedRun

    source = gate.source
    as_they_are = {side: source.reading(side) for side in ("baseline", "candidate")}
    readings, arguments = _as_asked(as_they_are, dict(gate.demand.arguments))
    if source.baseline.is_dir() and not source.candidate.exists():
        raise InputError.plain(f"candidate ({source.candidate})", *NOT_FOUND)
    before = LoggedRun.of(source.baseline, readings["baseline"])
    now = before and LoggedRun.of(source.candidate, readings["candidate"])
    if before is None or now is None:
        if source.baseline.is_dir():
            raise InputError.plain(f"candidate ({source.candidate})", NO_LOG)
        return [gate], None
    gate = replace(gate, demand=replace(gate.demand, arguments=arguments))
    if not (source.baseline.is_dir() or source.candidate.is_dir()):
        return [_gate_of_logs(gate, gate.name, *before.tasks.values(), *now.tasks.values())], None
    about = [*before.notes, *now.notes]
    if alone := [task for task in now.tasks if task not in before.tasks]:
        about.append(f"In the candidate alone, and so not compared: {first_few(alone, 20)}.")
    return _gates_of_tasks(gate, before, now), about


def _gates_of_tasks(gate: "Gate[FilePair]", before: "LoggedRun", now: "LoggedRun") -> "list[Gate[FilePair]]":
    """Make a gate of every task of the baseline, all of them one family: among many some differ by chance.

    One that the candidate lacks is an error, for it may be the one that got worse.
    """
    from pytest_bayesf1.gates.demand import FAILS_ON, FAMILY_LEVEL, Family

    names = list(before.tasks)
    if missing := [name for name in names if name not in now.tasks]:
        problem = f"There is no log of {first_few(missing, 20)}, which the baseline has"
        again = "Run it too." if len(missing) == 1 else "Run these tasks too."
        advice = " ".join([again, *(f"{note.removesuffix('.')}." for note in now.notes)])
        raise InputError.plain(f"candidate ({gate.source.candidate})", problem, advice)
    fail_on = next(word for word, policies in FAILS_ON.items() if gate.demand.policy in policies)
    if len(names) > 1 and fail_on != FAIL_ON_DEFAULT:
        problem = f'Several tasks need "{FAIL_ON_DEFAULT}", not "{fail_on}"'
        advice = "No other demand limits the chance of a false failure."
        raise InputError.plain("fail_on", problem, advice)
    family = Family("tasks", FAMILY_LEVEL, len(names)) if len(names) > 1 else None
    of_family = replace(gate, demand=replace(gate.demand, family=family))
    return [_gate_of_logs(of_family, name, before.tasks[name], now.tasks[name]) for name in names]


def _gate_of_logs(
    gate: "Gate[FilePair]", name: str, baseline: "LoggedTask", candidate: "LoggedTask"
) -> "Gate[FilePair]":
    """Compare two logs."""
    logs = {"baseline": baseline, "candidate": candidate}
    source = replace(
        gate.source,
        baseline=baseline.file,
        candidate=candidate.file,
        readings={side: log.reading for side, log in logs.items()},
        notes=tuple(f"{side}: {note}" for side, log in logs.items() for note in log.notes),
    )
    return replace(gate, name=name, source=source)


def _tasks_worse(codes: list[Exit]) -> str:
    """Say of how many tasks the candidate is worse: ``2 of 14 tasks worse``."""
    from pytest_bayesf1.gates.demand import FAMILY_LEVEL

    n, n_worse = len(codes), codes.count(Exit.FAILED)
    n_errors = sum(code not in (Exit.PASSED, Exit.FAILED, Exit.UNDECIDED) for code in codes)
    errors = f", {n_errors} could not be compared" if n_errors else ""
    family = f"; the chance of any false failure among them is below {level(FAMILY_LEVEL)}" if n > 1 else ""
    return f"{n_worse} of {counted(n, 'task')} worse{errors}{family}."


@click.command("floor", epilog="Example: bayesf1 floor runs/*.json --measure accuracy --new-runs 3")
@click.argument("files", metavar="[RUN...]", type=options.FILE, nargs=-1)
@click.option(
    "--scores", metavar="NUMBERS|FILE", help="Instead of RUN, scores such as 0.845,0.86,0.851, or a file of them."
)
@click.option(
    "--new-runs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="K",
    help="How many runs the gate is to judge.",
)
@click.option(
    "--false-alarms",
    type=float,
    default=0.01,
    show_default=True,
    metavar="P",
    help="How often the gate may fail a system that has not changed.",
)
@options.runs
@options.reading_alike
@options.formats("text", "json")
def floor_command(
    files: tuple[Path, ...],
    scores: str | None,
    new_runs: int,
    false_alarms: float,
    reading: "Schema",
    form: str,
    **arguments: Any,
) -> None:
    """Propose a floor that an unchanged system seldom falls below, from runs of it on the same examples.

    Each RUN is a file of predictions or an evaluation log, or holds several runs. With --scores, the gate reads files
    of one row, with a column value.
    """
    from pytest_bayesf1.files.records import whole_text
    from pytest_bayesf1.planning.floors import ASSUMED, RunScores, read_scores

    if (scores is None) != bool(files):
        raise click.UsageError("Name the files of runs, or pass their --scores.")
    if scores is None:
        found = RunScores.of(_runs_of(files, reading), false_alarms, **arguments)
        suffix = "".join(files[0].suffixes[-1:])
    else:
        _refuse_what_files_need()
        with within("scores"):
            text = whole_text(Path(scores)) if Path(scores).is_file() else scores
        found = RunScores.of_scores(read_scores(text), arguments["hdi_prob"], false_alarms)
        suffix = ".csv"
    if form == "json":
        say_json(found.to_dict(new_runs))
        return
    file = f"new/*{suffix}" if new_runs > 1 else f"new{suffix}"
    gates = ["gates:", *found.gate(new_runs, file, _as_keys(reading))]
    say(f"{found.headline}.\n", bold=True)
    say(f"{ASSUMED}\n")
    say("For a gate file such as bayesf1.yaml:\n", bold=True)
    say("\n".join(gates))


def _refuse_what_files_need() -> None:
    """Require that no option is given that says how runs in files are read and scored."""
    context = click.get_current_context()
    of_scores = ("scores", "new_runs", "false_alarms", "hdi_prob", "form")
    for option in context.command.params:
        if not isinstance(option, click.Option) or option.name in of_scores:
            continue
        if context.get_parameter_source(str(option.name)) is ParameterSource.COMMANDLINE:
            problem = "It is about runs in files, and --scores are numbers"
            raise InputError.plain(option.opts[-1], problem, "Leave it out.")


def _runs_of(files: tuple[Path, ...], reading: "Schema") -> dict[str, Any]:
    """Read every run of every file."""
    from pytest_bayesf1.files.side import read_systems, system_names

    systems = read_systems(system_names(files), reading)
    return {
        " ".join(filter(None, (name, run))): part.counts()
        for name, file in systems.items()
        for run, part in file.runs().items()
    }


def _as_keys(reading: "Schema") -> dict[str, str]:
    """Write how files are read as keys of a gate."""
    said = {
        "columns": dict(reading.columns),
        "rows": dict(reading.rows),
        "clusters": reading.clusters,
        "gold": reading.gold,
        "answer": reading.answer,
    }
    found = {name: json.dumps(value, ensure_ascii=False) for name, value in said.items() if value}
    return found | ({} if reading.invalid is None else {"invalid": reading.invalid})


@click.command("accept", epilog='Example: bayesf1 accept test_spam.py::test_f1 --reason "a smaller model"')
@click.argument("gates", metavar="GATE...", nargs=-1, required=True)
@click.option("--reason", required=True, metavar="TEXT", help="Why you want the loss, in three words or more.")
@click.option(
    "--up-to", type=float, metavar="LOSS", help="Accept later losses too, up to this size, such as 0.02 for two points."
)
@click.option("--loosened", metavar="CHANGE", help="Accept a change that loosens GATE; reports name it.")
@options.root
def accept_command(gates: tuple[str, ...], reason: str, up_to: float | None, loosened: str | None, root: Path) -> None:
    """Accept the loss that each GATE failed for in the last run of pytest or of bayesf1 gate.

    GATE is the id of a test or gate. Nothing runs again. The command lists
    the loss and its reason in __bayesf1__/gates.json of the root folder: commit it with the change. Runs with these
    baselines then report the loss as accepted, and do not fail for it.

    --loosened accepts a change that loosens a gate. Reports write the command.
    """
    from pytest_bayesf1.gates.acceptance import failures_of
    from pytest_bayesf1.gates.manifest import write_manifest

    require_updatable(Update.ALL, "bayesf1 accept")
    wanted = Wanted.of(reason, up_to)
    path = manifest_path(root)
    if loosened is not None:
        if len(gates) > 1:
            raise InputError.plain("GATE", "A change belongs to one gate", "Copy the whole command from the report.")
        _accept_change(gates[0], loosened, wanted, path)
        return
    failures = failures_of(root)
    for gate in gates:
        _require_failed(gate, failures, root)
    accepted = {gate: [loss.wanted(wanted) for loss in failures[gate]] for gate in gates}
    write_manifest(path, lambda listed: listed.with_exceptions(accepted))
    for test, losses in accepted.items():
        for loss in losses:
            for failed in loss.failed:
                say(f"accepted: {test}: {failed}")
    say(f"gates: {os.path.relpath(path)}: commit it with the change")


def _require_failed(gate: str, failures: "Failures", root: Path) -> None:
    if gate in failures:
        return
    problem = f"{shown(gate)} did not fail in the last run in {root.resolve()}"
    advice = (
        f"These did: {first_few(failures, 20)}"
        if failures
        else "Nothing did: run it there first, with a cache (BAYESF1_CACHE)"
    )
    raise InputError.plain("GATE", problem, f"{advice}.")


def _accept_change(gate: str, change: str, wanted: Wanted, path: Path) -> None:
    from pytest_bayesf1.gates.acceptance import AcceptedChange
    from pytest_bayesf1.gates.manifest import write_manifest

    if wanted.up_to is not None:
        raise InputError.plain("--up-to", "A change that loosens a gate has no size", "Leave it out.")
    if not re.fullmatch("[0-9a-f]{12}", change):
        expected = "the 12 digits that reports write after --loosened"
        raise InputError("--loosened", expected, shown(change), "Copy the whole command from the report.")
    accepted = {gate: [AcceptedChange(change=change, reason=wanted.reason)]}
    write_manifest(path, lambda listed: listed.with_exceptions(accepted))
    say(f"accepted: change {change} may loosen {gate}")
    say(f"gates: {os.path.relpath(path)}: commit it with the change")


def _by_class(
    _context: click.Context, parameter: click.Parameter, value: str | None
) -> float | dict[Any, float] | None:
    """Read a number, or ham=0.9,spam=0.1."""
    if value is None or "=" not in value:
        return None if value is None else _number(value, parameter)
    labels, _, numbers = zip(*(part.rpartition("=") for part in value.split(",")), strict=True)
    try:
        require_once(labels, "", "label")
    except InputError as error:
        raise click.BadParameter(error.without_place, param=parameter) from None
    return dict(zip(labels, (_number(each, parameter) for each in numbers), strict=True))


def _number(text: str, parameter: click.Parameter) -> float:
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f"expected {parameter.metavar}, got {text!r}", param=parameter) from None


@click.command("plan", epilog="Example: bayesf1 plan pilot/old.csv pilot/new.csv --rope 0.01 --loss 0.03")
@click.argument("baseline", type=options.FILE, required=False)
@click.argument("candidate", type=options.FILE, required=False)
@click.option("--agreement", type=float, metavar="SHARE", help="How often both predict the same, without a pilot.")
@click.option("--shares", callback=_by_class, metavar="LABEL=SHARE,...", help="Share of every class, without a pilot.")
@click.option(
    "--accuracy",
    callback=_by_class,
    metavar="SHARE|LABEL=SHARE,...",
    help="Share of right predictions, of all classes or of each, with --shares.",
)
@options.plan
@click.option(
    "--loss",
    type=float,
    metavar="LOSS",
    show_default="twice what you allow",
    help="The loss that the gate is to find, larger than you allow.",
)
@options.reading
@options.formats("text", "json")
def plan_command(
    baseline: Path | None, candidate: Path | None, readings: "Schemas", form: str, **arguments: Any
) -> None:
    """Compute how many examples a gate needs, before you label them.

    A pilot is two files of predictions of the same examples, BASELINE and CANDIDATE. With --agreement, one file of
    predictions or counts will do. Without a pilot, state --shares, --accuracy and --agreement.
    """
    from pytest_bayesf1.planning.plan import plan

    pilot = _read(baseline, candidate, readings)
    found = plan(*pilot, **arguments)
    if form == "json":
        say_document(found.to_json())
    else:
        title, _, rest = str(found).partition("\n")
        say(title, bold=True)
        say(rest)


def _read(baseline: Path | None, candidate: Path | None, readings: "Schemas") -> list[Any]:
    from pytest_bayesf1.files.side import read_side, read_sides

    if baseline is None:
        return []
    if candidate is None:
        return [read_side(baseline, "baseline", readings["baseline"]).counts()]
    return [side.counts() for side in read_sides(baseline, candidate, readings)]


@click.command("rank", epilog="Example: bayesf1 rank build/*.csv --measure f1[spam] --rope 0.01")
@click.argument("files", type=options.FILE, nargs=-1, required=True)
@options.ranking
@options.reading_alike
@options.formats("text", "json")
def rank_command(files: tuple[Path, ...], reading: "Schema", form: str, **arguments: Any) -> None:
    """Rank several systems by their predictions for the same examples, a file each.

    Prints each system's score, whether it may be the best, its possible ranks and its ties. A system has the name of
    its file.
    """
    from pytest_bayesf1.files.side import read_systems, system_names
    from pytest_bayesf1.systems import rank

    systems = read_systems(system_names(files), reading)
    ranking = rank({name: file.counts() for name, file in systems.items()}, **arguments)
    if form == "json":
        say_json(ranking.to_dict())
    else:
        title, _, rest = str(ranking).partition("\n")
        say(title, bold=True)
        say(rest)


@click.command("report", epilog="Example: bayesf1 report bayesf1-report/report.json --format md -o comment.md")
@click.argument("document", metavar="REPORT.JSON", type=options.FILE)
@options.formats("text", "md", "html")
@click.option("-o", "--output", type=options.FILE, metavar="FILE", help="Write to this file, not to standard output.")
@options.verbose
def report_command(document: Path, form: str, output: Path | None, verbose: bool) -> None:
    """Write a REPORT.JSON, which pytest --bayesf1-report and bayesf1 gate --report make, in another format."""
    from pytest_bayesf1.reports.output import write_files
    from pytest_bayesf1.reports.record import load_report
    from pytest_bayesf1.reports.terminal import report_lines

    found = load_report(document)
    if form == "text" and output is None:
        say_lines(report_lines(found, width=columns(), verbose=verbose))
        return
    content = _rendered(found, form, verbose=verbose)
    if output is None:
        say_document(content)
    else:
        write_files({output: content})


def _rendered(report: "Report", form: str, *, verbose: bool) -> str:
    from pytest_bayesf1.reports.html import html
    from pytest_bayesf1.reports.markdown import markdown
    from pytest_bayesf1.reports.terminal import report_lines

    match form:
        case "html":
            return html(report)
        case "md":
            return markdown(report)
    return "".join(f"{line}\n" for line, _ in report_lines(report, verbose=verbose))


@click.command("schema", epilog="Example: bayesf1 schema > bayesf1.schema.json")
@click.argument("what", type=click.Choice(["gates", "report"]), default="gates")
def schema_command(what: str) -> None:
    """Print the JSON Schema of gate files, for editors, or of report.json.

    An editor with a YAML language server takes it from a gate file's first line, such as
    "# yaml-language-server: $schema=bayesf1.schema.json".
    """
    from pytest_bayesf1.gates.gate_file import gate_file_schema
    from pytest_bayesf1.reports.entry import report_schema

    say_json(gate_file_schema() if what == "gates" else report_schema())


@click.command("gate", epilog="Example: bayesf1 gate bayesf1.yaml --gate spam --report bayesf1-report")
@click.argument("files", nargs=-1, type=options.FILE)
@options.gate_names
@click.option("-k", "expression", metavar="EXPR", help="Only gates that match, as pytest has it: the file counts too.")
@click.option("-x", "stop", is_flag=True, help="Stop after the first gate that fails.")
@click.option("-n", "workers", metavar="N", help="Run in so many processes, or auto; needs pytest-xdist.")
@options.root
@options.output
@click.option("--update-manifest", is_flag=True, help="List these gates in __bayesf1__/gates.json of the root folder.")
def gate_command(
    files: tuple[Path, ...],
    names: tuple[str, ...],
    expression: str | None,
    stop: bool,
    workers: str | None,
    root: Path,
    output: options.Output,
    update_manifest: bool,
) -> None:
    """Evaluate the gates of FILES, by default of bayesf1*.yaml in the root folder, or else below it.

    Runs pytest on these files alone, without the project's settings and plugins. Reports differences from the manifest
    of gates, too.
    """
    from pytest_bayesf1.cli.answers import chosen_gates, codes_of, gate_id, publish
    from pytest_bayesf1.plugin.command import ExitCode, command_options, run_gate_files

    if update_manifest:
        require_updatable(Update.ALL, "--update-manifest")
    if workers is not None and find_spec("xdist") is None:
        raise click.UsageError("-n needs pytest-xdist. Install it: pip install pytest-xdist")
    gates = chosen_gates(files, names, root)
    asked = command_options(in_full=output.in_full, verbose=output.verbose, update=update_manifest, only=names)
    asked += [] if expression is None else ["-k", expression]
    asked += ["-x"] * stop + ([] if workers is None else ["-p", "xdist", "-n", workers])
    with progress("Comparing", len(gates)) as advance:
        run = run_gate_files(dict.fromkeys(gate.file for gate in gates), root, asked, advance)
    for problem in run.problems:
        complain(problem)
    if run.is_interrupted:
        raise KeyboardInterrupt
    match run.status:
        case ExitCode.USAGE_ERROR:
            sys.exit(Exit.USAGE)
        case ExitCode.INTERRUPTED if not run.ledger.records:
            sys.exit(Exit.USAGE)
        case ExitCode.INTERNAL_ERROR:
            sys.exit(Exit.NOT_COMPUTED)
        case ExitCode.NO_TESTS_COLLECTED:
            raise click.UsageError(f"No gate matches -k {expression}")
    ledger = run.ledger
    refused: list[Exit] = []
    try:
        ledger.write()
    except BaselineError as error:
        complain(f"gates NOT written: {error}")
        refused.append(Exit.BASELINE)
    ledger.keep_failures()
    found = {place.test: (place, record) for place, record in ledger.records if record.entries}
    ids = [gate_id(gate, root) for gate in gates]
    answers = [found[name] for name in ids if name in found]
    publish(answers, ledger.report(), output, root)
    sys.exit(most_severe([*codes_of(answers), *refused, *[Exit.NOT_COMPUTED] * bool(run.problems)]))
