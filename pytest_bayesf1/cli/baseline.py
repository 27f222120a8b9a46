"""``bayesf1 baseline`` and ``bayesf1 history``."""

import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pytest_bayesf1.cli import options
from pytest_bayesf1.cli.console import Exit, complain, exit_code, most_severe, say, say_json, show_table, with_progress
from pytest_bayesf1.errors import BayesF1Error, reason
from pytest_bayesf1.project import Update, manifest_path, require_updatable
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.text import first_few

if TYPE_CHECKING:
    from pytest_bayesf1.data.columns import Schema
    from pytest_bayesf1.gates.gate_file import Gate
    from pytest_bayesf1.gates.source import FilePair
    from pytest_bayesf1.results.timeline import History


@click.group("baseline")
def baseline_command() -> None:
    """Update baselines."""


@baseline_command.command("update", epilog="Example: bayesf1 baseline update bayesf1.yaml --gate spam")
@click.argument("files", nargs=-1, type=options.FILE)
@options.gate_names
@options.root
@click.option("--anchor", "mode", flag_value="anchor", help="Move the anchors too, from which total loss counts.")
@click.option("--new", "mode", flag_value="new", help="Write only the baselines that are missing.")
@click.option("--force", "mode", flag_value="force", help="Write also in CI, and candidates that a gate fails.")
def update(files: tuple[Path, ...], names: tuple[str, ...], root: Path, mode: str | None) -> None:
    """Make the candidates of gates in FILES their baselines, by default as of bayesf1 gate.

    Refuses a candidate that one of its gates fails, with exit code 1, unless gates.json accepts the loss. A gate that
    fails only for lack of proof refuses none. Writes nothing in CI. Anchors stay; a candidate with an accepted loss
    becomes one. For tests with the fixture bayes_regression, use pytest --bayesf1-update.
    """
    from pytest_bayesf1.cli.answers import chosen_gates, gate_id
    from pytest_bayesf1.gates.gate_file import has_baseline
    from pytest_bayesf1.gates.manifest import Listed
    from pytest_bayesf1.gates.regression import promote
    from pytest_bayesf1.results.run import Use

    wanted = Update(mode or Update.ALL)
    require_updatable(wanted, "bayesf1 baseline update", "--force")
    together: dict[Path, list[Gate[FilePair]]] = {}
    for gate in chosen_gates(files, names, root):
        if has_baseline(gate):
            together.setdefault(gate.source.baseline.resolve(), []).append(gate)
        else:
            say(f"{'skipped':<9} {gate.name}: {gate.source.why_no_baseline}")
    codes, listed = [], Listed.checked_out(manifest_path(root))
    for gates in together.values():
        gates_and_file = f"{', '.join(gate.name for gate in gates)}: {os.path.relpath(gates[0].source.baseline)}"
        try:
            found = promote(gates, wanted, lambda gate: listed.losses(gate_id(gate, root)))
        except BayesF1Error as error:
            say(f"{'error':<9} {gates_and_file}", "red")
            complain(f"Error: {error}")
            codes.append(exit_code(type(error)))
        else:
            refused = found.outcome is Use.REFUSED
            about = found.about and f": {found.about}"
            say(f"{found.outcome:<9} {gates_and_file}{about}", "red" if refused else "")
            codes.append(Exit.FAILED if refused else Exit.PASSED)
    if Exit.FAILED in codes:
        say("A refused candidate fails a gate: see bayesf1 gate. To write it all the same, pass --force.")
        if any(gate.source.anchor for gates in together.values() for gate in gates):
            say("If only the total loss since the anchor is too large, pass --anchor to restart the count from it.")
    sys.exit(most_severe(codes))


@click.command("history", epilog="Example: bayesf1 history tests/__bayesf1__/test_spam/test_f1.json")
@click.argument("baselines", nargs=-1, type=options.FILE)
@options.demands
@options.reading_alike
@click.option(
    "--anchor",
    type=options.FILE,
    metavar="FILE",
    help="Count total loss from this file; by default from the anchor of the test or gate.",
)
@options.formats("text", "json")
def history_command(
    baselines: tuple[Path, ...], anchor: Path | None, form: str, reading: "Schema", **given: Any
) -> None:
    """Compare all versions of BASELINES that git knows, each with the one before it and with the anchor.

    BASELINES are stored baselines, files of predictions or counts, or folders; by default where you are. For a folder
    without stored baselines they are those that its gate files name. Settings are those of the gate that a baseline
    belongs to. Fetches nothing, and writes nothing into the repository.
    """
    from pytest_bayesf1.gates.gate_file import load_gates
    from pytest_bayesf1.gates.history import Demands, baselines_at, history_of
    from pytest_bayesf1.writing import cache_folder

    load = cache(load_gates)
    paths = baselines_at(baselines or (Path(),), load)
    found, codes, kept = [], [], cache_folder()
    for path in with_progress(paths, "Comparing", len(paths)):
        demands = None
        try:
            demands = Demands.of(path, given, anchor, load, reading)
            found.append(history_of(path, demands, kept))
        except Exception as error:  # noqa: BLE001 (whatever went wrong, it hides no other history)
            complain(f"Error: {reason(error)}")
            code = exit_code(type(error))  # other data than git has cannot be passed
            codes.append(code if demands is None or code is Exit.BASELINE else Exit.NOT_COMPUTED)
    _publish(found, form)
    for history in found:
        if history.problem_now:
            complain(f"Error: {history.file}: cannot read the newest version: {history.problem_now}")
            codes.append(Exit.BASELINE)
    if not paths:
        where = f"in {first_few(map(str, baselines))}" if baselines else "here"
        complain(
            f"No stored baseline {where}, and no gate file that names one. Tests with the fixture bayes_regression "
            "make baselines: pytest --bayesf1-update=new"
        )
    sys.exit(most_severe(codes))


def _publish(histories: list["History"], form: str) -> None:
    from pytest_bayesf1.reports.sheets import history_course, history_notes, history_settings, versions_table

    if form == "json":
        say_json(plain(histories))
        return
    for position, history in enumerate(histories):
        if position:
            say("")
        say(history.file, bold=True)
        say(history_settings(history))
        if course := history_course(history):
            say(course)
        show_table(*versions_table(history).texts)
        for note in history_notes(history):
            say(note, "yellow")
