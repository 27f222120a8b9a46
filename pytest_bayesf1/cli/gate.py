"""``bayesf1 gate``: the gates of gate files, as pytest runs them."""

import sys
from importlib.util import find_spec
from pathlib import Path

import click

from pytest_bayesf1.cli import options
from pytest_bayesf1.cli.console import Exit, complain, most_severe, progress
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.project import Update, require_updatable


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
    asked = command_options(
        in_full=output.in_full, verbose=output.verbose, update=update_manifest, only=names, notes=output.notes
    )
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
