"""What the values of a JSON or YAML document, or named arrays, hold: records, columns or counts."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pytest_bayesf1.counts.spans.documents import checked_spans
from pytest_bayesf1.counts.spelling import tidy
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.content import (
    FOUND,
    GOLD,
    PREDICTED,
    TRUE,
    Content,
    Matrix,
    Table,
    holds_predictions,
    wrong_columns,
)

_USES = MappingProxyType({GOLD: TRUE, FOUND: PREDICTED})


def document_content(document: object) -> Content:
    """Tell records, columns and counts apart."""
    if isinstance(document, Mapping):
        return columns_content(document)
    if not isinstance(document, list) or not document:
        found = type(document).__name__ if document else "nothing"
        raise InputError("", "a list of records, a mapping of columns or a matrix of counts", found)
    if any(isinstance(row, Mapping) for row in document):
        return _records_content(document)
    return Matrix(document)


def columns_content(columns: Mapping[str, Any]) -> Content:
    """Read predictions off columns, or counts; both may have ``labels`` beside them."""
    labels = columns.get("labels")
    if holds_predictions(columns):
        return Table({name: values for name, values in columns.items() if name != "labels"}, labels)
    if "counts" in columns:
        return Matrix(columns["counts"], labels)
    raise wrong_columns(columns)


def _records_content(records: Sequence[object]) -> Content:
    """Turn records into columns; what a record lacks is missing."""
    mappings = [record for record in records if isinstance(record, Mapping)]
    if len(mappings) < len(records):
        row, other = next((row, each) for row, each in enumerate(records, 1) if not isinstance(each, Mapping))
        raise InputError(f"row {row}", "a record, as the others are", type(other).__name__)
    names = dict.fromkeys(name for record in mappings for name in record)
    if GOLD in names and FOUND in names:
        return _documents(mappings, names)
    if not holds_predictions(names):
        raise wrong_columns(names)
    return Table({name: [record.get(name) for record in mappings] for name in names})


def _documents(records: Sequence[Mapping[str, Any]], names: Iterable[str]) -> Table:
    """Read the spans of a document off every record."""
    columns: dict[str, list[Any]] = {_USES.get(name, name): [] for name in names}
    for row, record in enumerate(records, 1):
        for name in names:
            value = record.get(name)
            columns[_USES.get(name, name)].append(_spans(value, f"row {row}, {name}") if name in _USES else value)
    return Table(columns, spans=True)


def _spans(value: object, where: str) -> list[tuple[int, int, Any]]:
    spans = checked_spans(value, where)
    return [(start, end, tidy(kind) if isinstance(kind, str) else kind) for start, end, kind in spans]
