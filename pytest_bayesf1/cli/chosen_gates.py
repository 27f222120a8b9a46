"""The gates that a command is about."""

from collections.abc import Sequence
from pathlib import Path

import click

from pytest_bayesf1._util import require_choice
from pytest_bayesf1.errors import GateFileError
from pytest_bayesf1.gates.gate_file import Gate, load_gates
from pytest_bayesf1.settings import gate_files


def chosen_gates(files: Sequence[Path], names: Sequence[str], root: Path) -> list[Gate]:
    """Read the gates that a command is asked for.

    Parameters
    ----------
    files
        Gate files; when empty the root's own.
    names
        Of the gates to take; when empty all.
    root
        The folder outside of which no file is read.

    Returns
    -------
    list of Gate
        In the order of the files.

    Raises
    ------
    GateFileError
        With the problems of all files.
    InputError
        For a name that no gate has.
    click.UsageError
        When there is no gate file.
    """
    found = list(dict.fromkeys(files)) or gate_files(root)
    if not found:
        raise click.UsageError(f"expected a gate file, found no bayesf1*.yaml in {root.resolve()}")
    gates: list[Gate] = []
    problems: list[str] = []
    for file in found:
        try:
            gates += load_gates(file, root)
        except GateFileError as error:
            problems += error.problems
    if problems:
        raise GateFileError(problems)
    for name in names:
        require_choice("--gate", name, [gate.name for gate in gates])
    return [gate for gate in gates if not names or gate.name in names]
