"""CSV: predictions under a header, or a matrix of counts with or without labels.

The separator is the one of comma, semicolon and tab that the first line has most of outside quotes; on a tie the first
of them.
"""

import csv
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import TypeAlias

import numpy as np

from pytest_bayesf1._util import require_once
from pytest_bayesf1.data.encoding import square_crosstab
from pytest_bayesf1.data.labels import typed
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.columns import AS_NAMED, NAME_THEM, holds_predictions, renamed, wrong_columns
from pytest_bayesf1.files.content import Content, Matrix, Table
from pytest_bayesf1.files.label_text import describe_missing, is_missing

Rows: TypeAlias = Iterator[tuple[int, list[str]]]
"""Each with the line that it begins on."""

TAB = "\t"
SEPARATORS = f",;{TAB}"
_CHUNK = 300  # rows, too few for the garbage collector to begin
_MOST_KNOWN = 10_000
_FIRST_COLUMN, _HEADER = "first column", "header"


def read_csv(lines: Iterable[str], names: Mapping[str, str] = AS_NAMED, separators: str = SEPARATORS) -> Content:
    """Read a file.

    Parameters
    ----------
    lines
        Ends of lines included.
    names
        What the file calls its columns, where that is said.
    separators
        Those that may stand between cells.

    Raises
    ------
    InputError
        For the first line that cannot be read, or when it holds neither predictions nor counts.
    """
    rows = _rows(iter(lines), separators)
    line, header = next(rows, (1, []))
    if not header:
        raise InputError("", "predictions or a matrix of counts", "an empty file")
    columns = [name.strip() for name in header]
    if holds_predictions(renamed(dict.fromkeys(columns), names)):
        return _table(rows, columns, names)
    if all(map(_is_number, header)):
        return _bare_matrix(chain([(line, header)], rows))
    return _crosstab(rows, header)


def _rows(lines: Iterator[str], separators: str) -> Rows:
    """Split rows, all of as many cells as the first; blank lines may only stand at the end."""
    first = next(lines, "")
    reader = csv.reader(chain([first], lines), delimiter=_separator(first, separators), strict=True)
    start, width, blank = 1, 0, 0
    try:
        for row in reader:
            if not row:
                blank = blank or start
            elif blank:
                raise InputError(f"line {blank}", "a row", "a blank line")
            elif len(row) != (width or len(row)):
                raise InputError(f"line {start}", f"{width} cells, as in the first row", str(len(row)))
            else:
                width = len(row)
                yield start, row
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"line {start}", "a row of CSV", str(error)) from None


def _separator(line: str, separators: str) -> str:
    unquoted = re.sub(r'"[^"]*("|$)', "", line)
    return max(separators, key=unquoted.count)


def _table(rows: Rows, header: list[str], names: Mapping[str, str]) -> Table:
    require_once(header, _HEADER)
    columns: list[list[str]] = [[] for _ in header]
    lines = array("q")
    known: dict[str, str] = {}  # the same text once only
    while chunk := list(islice(rows, _CHUNK)):
        lines.extend([line for line, _ in chunk])
        for column, cells in zip(columns, zip(*[row for _, row in chunk], strict=True), strict=True):
            column.extend(map(known.setdefault, cells, cells))
        if len(known) > _MOST_KNOWN:
            known.clear()
    return Table(renamed(dict(zip(header, columns, strict=True)), names), lines=lines, is_text=True)


def _bare_matrix(rows: Rows) -> Matrix:
    return Matrix([[_count(cell, line, str(number)) for number, cell in enumerate(row, 1)] for line, row in rows])


def _crosstab(rows: Rows, header: list[str]) -> Matrix:
    """Read true classes off the first column and predicted ones off the header; the corner may hold anything."""
    predicted, true, counts = header[1:], [], []
    for line, (label, *cells) in rows:
        if not any(map(_is_number, cells)):
            raise wrong_columns(header)
        _require_label(label, f"line {line}, {_FIRST_COLUMN}")
        true.append(label)
        counts.append([_count(cell, line, repr(name)) for name, cell in zip(predicted, cells, strict=True)])
    if not counts:
        raise wrong_columns(header)
    for label in predicted:
        _require_label(label, _HEADER)
    if not {*true} & {*predicted}:
        raise InputError(
            _FIRST_COLUMN,
            "true classes, some of them predicted in the header too",
            f"{true[0]!r}, ... under {predicted[0]!r}, ...",
            "Write the true class before each row of counts, or leave the header out.",
        )
    axes = dict(zip((_FIRST_COLUMN, _HEADER), typed(true, predicted), strict=True))
    return Matrix(*square_crosstab(np.array(counts), axes))


def _require_label(label: str, where: str) -> None:
    if is_missing(label, is_text=True):
        raise InputError(where, "a class label", describe_missing(label))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _count(cell: str, line: int, column: str) -> float:
    where = f"line {line}, column {column}"
    if is_missing(cell, is_text=True):
        raise InputError(where, "a count", describe_missing(cell))
    if not _is_number(cell):
        raise InputError(where, "a count", repr(cell), NAME_THEM)
    return float(cell)
