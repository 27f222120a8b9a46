"""What the values of a JSON or YAML document, or named arrays, hold: records, columns or counts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from pytest_bayesf1.data.labels import tidy
from pytest_bayesf1.data.spans import checked_spans
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.columns import (
    AS_NAMED,
    FOUND,
    GOLD,
    PREDICTED,
    TRUE,
    holds_predictions,
    renamed,
    wrong_columns,
)
from pytest_bayesf1.files.content import Content, Matrix, Table
from pytest_bayesf1.files.logs.read import read_log

_USES = MappingProxyType({GOLD: TRUE, FOUND: PREDICTED})


def document_content(
    document: object, names: Mapping[str, str] = AS_NAMED, lines: Sequence[int] | None = None
) -> Content:
    """Tell records, columns, counts and the logs of evaluations apart.

    Parameters
    ----------
    document
        Plain values.
    names
        What the file calls its columns, where that is said.
    lines
        The line of each record, in a file of lines.

    Raises
    ------
    InputError
        When it is none of them.
    """
    log = read_log(document, names, lines)
    if log is not None:
        return log
    if isinstance(document, Mapping):
        return columns_content(document, names)
    if not isinstance(document, list) or not document:
        found = type(document).__name__ if document else "nothing"
        raise InputError("", "a list of records, a mapping of columns or a matrix of counts", found)
    if any(isinstance(row, Mapping) for row in document):
        return _records_content(document, names, lines)
    return Matrix(document)


def columns_content(columns: Mapping[str, Any], names: Mapping[str, str]) -> Content:
    """Read predictions off columns, or counts; both may have ``labels`` beside them.

    Parameters
    ----------
    columns
        By the names that the file has for them.
    names
        What the file calls its columns, where that is said.

    Raises
    ------
    InputError
        When they are neither.
    """
    labels = columns.get("labels")
    columns = renamed(columns, names)
    if holds_predictions(columns):
        return Table({name: values for name, values in columns.items() if name != "labels"}, labels)
    if "counts" in columns:
        return Matrix(columns["counts"], labels)
    raise wrong_columns(columns)


def _records_content(records: Sequence[object], names: Mapping[str, str], lines: Sequence[int] | None) -> Content:
    """Turn records into columns; what a record lacks is missing."""
    mappings = [record for record in records if isinstance(record, Mapping)]
    if len(mappings) < len(records):
        row, other = next((row, each) for row, each in enumerate(records) if not isinstance(each, Mapping))
        raise InputError(Table({}, lines=lines).place(row), "a record, as the others are", type(other).__name__)
    found = dict.fromkeys(name for record in mappings for name in record)
    columns = renamed({name: [record.get(name) for record in mappings] for name in found}, names)
    if GOLD in columns and FOUND in columns and TRUE not in names:
        return _documents(Table(columns, lines=lines))
    if not holds_predictions(columns):
        raise wrong_columns(found)
    return Table(columns, lines=lines)


def _documents(table: Table) -> Table:
    """Read the spans of a document off every row."""
    columns = {name: values for name, values in table.columns.items() if name not in _USES}
    for name, known in _USES.items():
        columns[known] = [_spans(value, f"{table.place(row)}, {name}") for row, value in enumerate(table.columns[name])]
    return replace(table, columns=columns, spans=True)


def _spans(value: object, where: str) -> list[tuple[int, int, Any]]:
    spans = checked_spans(value, where)
    return [(start, end, tidy(kind) if isinstance(kind, str) else kind) for start, end, kind in spans]
