"""The examples behind a verdict as CSV, for people and for spreadsheets."""

import re
from hashlib import sha256
from pathlib import Path

from pytest_bayesf1._util import csv_text
from pytest_bayesf1.comparison.changes import Changes
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.reports.writing import write_files

_LONGEST_NAME = 100


def changes_csv(changes: Changes) -> str:
    """Write every example that changed, a row each; raise `InputError` where nobody knows them."""
    columns = changes.columns()
    return csv_text(list(columns), zip(*columns.values(), strict=True))


def changes_path(directory: Path, test: str, number: int) -> Path:
    """Name the file of a gate's changes.

    Parameters
    ----------
    directory
        Of all files.
    test
        The test's or the gate's id, of which a file's name cannot hold all: a few digits of its hash tell those apart
        that look alike.
    number
        Which gate of the test it is, from 1.
    """
    readable = re.sub(r"[^\w.=-]+", "-", test).strip("-.")[:_LONGEST_NAME]
    digits = sha256(test.encode("utf-8", "backslashreplace")).hexdigest()[:8]
    return directory / f"{readable}-{digits}{f'-{number}' if number > 1 else ''}.csv"


def write_changes(result: object, path: Path) -> None:
    """Write the examples that changed, where they are known; raise `RenderError` when the file cannot be written."""
    changes = result.known_changes if isinstance(result, Comparison) else None
    if changes is not None and changes.knows_examples:
        write_files({path: changes_csv(changes)})
