"""``bayesf1 gate``."""

import os
import sys
from pathlib import Path

import click

from pytest_bayesf1.cli import options


@click.command("gate", epilog="Example: bayesf1 gate bayesf1.yaml --gate spam --report bayesf1-report")
@click.argument("files", nargs=-1, type=options.FILE)
@options.gate_names
@options.root
@options.notes
@options.as_json
@options.report
@click.option("--update-manifest", is_flag=True, help="List these gates in __bayesf1__/gates.json of the root folder.")
def command(
    files: tuple[Path, ...],
    names: tuple[str, ...],
    root: Path,
    notes: dict[str, str],
    as_json: bool,
    report: Path | None,
    update_manifest: bool,
) -> None:
    """Evaluate the gates of FILES, by default of bayesf1*.yaml in the root folder.

    The answers are those that pytest gives to the same files. Where the manifest of gates lists them otherwise, that is
    told too.
    """
    from pytest_bayesf1.cli.answers import Answers
    from pytest_bayesf1.cli.chosen_gates import chosen_gates
    from pytest_bayesf1.cli.manifest import Manifest
    from pytest_bayesf1.results.other import RunIdentity
    from pytest_bayesf1.settings import Update, require_updatable

    if update_manifest:
        require_updatable(Update.ALL, "--update-manifest")
    gates = chosen_gates(files, names, root)
    wanted = as_json or report is not None
    answers = Answers.of(gates, lambda gate: f"{os.path.relpath(gate.file, root)}::{gate.name}", in_full=wanted)
    manifest = Manifest(root, answers, whole=() if names else {gate.file for gate in gates})
    if update_manifest:
        manifest.update()
    answers.findings = manifest.findings()
    answers.run = RunIdentity.of(root, notes)
    answers.publish(as_json=as_json, report=report)
    sys.exit(answers.code)
