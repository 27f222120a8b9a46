"""Counts in files: matrices, crosstabs, pairs with their numbers; of labels and spans tp, fp and fn."""

import re
from collections.abc import Mapping, Sequence
from math import isqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.columns import (
    COUNT,
    ID,
    LABEL,
    OUTCOMES,
    PREDICTED,
    TRUE,
    Columns,
    columns_found,
    lacks,
    value_text,
)
from pytest_bayesf1.data.confusion import ConfusionMatrix, MultilabelCounts, require_axes
from pytest_bayesf1.data.encoding import as_numbers
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.data.spans import SpanCounts
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.text import first_few
from pytest_bayesf1.values import require_once

_SQUARE = "a square matrix (M, M), or an array (L, 2, 2), of whole numbers"


def of_matrix(counts: Any, labels: Any = None) -> Columns:
    """Write a matrix, or one for each label, as columns of its cells."""
    numbers = as_numbers(counts, "counts", _SQUARE)
    if not numbers.ndim:
        raise InputError("counts", "rows of counts", "a single number")
    names = [*range(len(numbers))] if labels is None else [*labels]
    if len(names) != len(numbers):
        raise InputError("labels", f"{len(numbers)} labels, one per row", str(len(names)))
    if numbers.ndim == 3 and numbers.shape[1:] == (2, 2):
        of_labels = dict(zip(("tn", "fp", "fn", "tp"), numbers.reshape(-1, 4).T, strict=True))
        named = {} if labels is None else {LABEL: names}
        return Columns({**named, **of_labels}, labels=labels, kind=Kind.COUNTS)
    if numbers.ndim != 2 or numbers.shape[0] != numbers.shape[1] or numbers.size == 0:
        raise InputError("counts", _SQUARE, f"shape {numbers.shape}")
    true, predicted = (each.ravel().tolist() for each in np.indices(numbers.shape))
    cells = {TRUE: [names[row] for row in true], PREDICTED: [names[column] for column in predicted]}
    named = {} if labels is None else cells
    return Columns({**named, COUNT: numbers.ravel()}, labels=labels, kind=Kind.COUNTS)


def of_crosstab(table: Columns) -> Columns:
    """Write a table with the true classes in its first column, the predicted ones in its header, as its cells.

    The corner may name both axes.
    """
    corner, *predicted = table.values
    true = [value_text(label) for label in table.column(corner)]
    if set(true).isdisjoint(predicted):
        problem = f"No columns {TRUE} and {PREDICTED}, nor y_score or value: found {columns_found(table.values)}"
        raise InputError.plain("", problem, "Declare: columns.")
    require_once(true, "first column", "class")
    rows, *columns = re.split(r"[\\/|]", corner, maxsplit=1)
    require_axes(rows, *columns or [""])
    labels = true if {*true} == {*predicted} else [*map(str, np.unique(as_written([*true, *predicted])[0]))]
    numbers = np.array([[_count(table, name, row) for name in predicted] for row in range(len(table))])
    square = np.zeros((len(labels), len(labels)))
    place = {label: position for position, label in enumerate(labels)}
    square[np.ix_([place[each] for each in true], [place[each] for each in predicted])] = numbers
    return of_matrix(square, as_written(labels)[0])


def _count(table: Columns, name: str, row: int) -> float:
    value = table.values[name][row]
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{table.place(row)}, column {name!r}", "a count", shown(value)) from None


WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")


def as_written(*columns: Sequence[Any]) -> list[Any]:
    """Make integers of columns of text if all are whole numbers; 01 and 1.0 are text."""
    texts = set().union(*columns)
    if not all(isinstance(text, str) and WHOLE.fullmatch(text) for text in texts):
        return [*columns]
    numbers = {text: int(text) for text in texts}
    return [np.array([numbers[text] for text in column], np.int64) for column in columns]


def side_of_counts(columns: Columns, labels: Sequence[Any] | None) -> Side:
    """Make counts of rows that hold the numbers of pairs, or of true and false positives and negatives."""
    labels = columns.labels if labels is None else labels
    names = [COUNT] if COUNT in columns else [name for name in OUTCOMES if name in columns]
    numbers = {name: _whole(columns, name) for name in names}
    if COUNT in columns:
        if TRUE not in columns and PREDICTED not in columns:  # a matrix without names
            n_classes = isqrt(len(columns))
            return ConfusionMatrix(numbers[COUNT].reshape(n_classes, n_classes), labels=labels)
        true, predicted = _pair(columns)
        listed = np.unique([*true, *predicted]).tolist() if labels is None else labels
        return ConfusionMatrix.from_cells(true, predicted, numbers[COUNT], labels=listed)
    if not {*names} >= {*OUTCOMES[:3]}:
        raise lacks("tp", f"nor {COUNT}, of counts", columns.values)
    return _outcome_counts(columns, numbers, labels)


def _pair(columns: Columns) -> list[Any]:
    for name in (TRUE, PREDICTED):
        columns.column(name, "of the pairs that n counts")
        columns.require_present(name)
    found = [columns.column(name) for name in (TRUE, PREDICTED)]
    return [each if isinstance(each, list) else each.tolist() for each in as_written(*found)]


def _outcome_counts(
    columns: Columns, numbers: Mapping[str, npt.NDArray[np.int64]], listed: Sequence[Any] | None
) -> Side:
    """Make counts of documents, of types, or of labels."""
    kinds, documents = (columns.column(name) if name in columns else None for name in (LABEL, ID))
    n_rows = len(columns)
    if kinds is None and documents is None and len(numbers) == len(OUTCOMES):  # a matrix for each label
        return _of_labels(numbers, listed)
    if kinds is None and documents is None and n_rows > 1:
        problem = f"Nothing says what each of {n_rows} rows of tp, fp and fn is about"
        raise InputError.plain("", problem, f"Add a column {ID} of documents, or {LABEL} of types.")
    found = [*map(value_text, np.unique(as_written(_texts(kinds, n_rows))[0]))]
    labels = found if listed is None or kinds is None else [*map(str, listed)]
    if unknown := {*found} - {*labels}:
        raise InputError.plain("labels", f"Not listed: {first_few(map(shown, sorted(unknown)), 3)}")
    kind = np.array([labels.index(each) for each in _texts(kinds, n_rows)], np.int64)
    known, document = np.unique(_texts(documents, n_rows), return_inverse=True)
    if len({*zip(document.tolist(), kind.tolist(), strict=True)}) < n_rows:
        raise InputError.plain("", "A document, or a type of it, has several rows of counts", "Add them up.")
    arrays = {}
    for name, column in numbers.items():
        arrays[name] = np.zeros((known.size, len(labels)), np.int64)
        arrays[name][document, kind] = column
        if documents is None:
            arrays[name] = arrays[name][0]
    if listed is None and kinds is not None:
        listed = [*as_written(labels)[0]]
    if "tn" not in arrays:
        return SpanCounts.from_counts(*(arrays[name] for name in OUTCOMES[:3]), labels=listed)
    return _of_labels({name: array.ravel() for name, array in arrays.items()}, listed)


def _of_labels(numbers: Mapping[str, npt.NDArray[np.int64]], labels: Sequence[Any] | None) -> Side:
    square = np.stack([numbers[name] for name in ("tn", "fp", "fn", "tp")], axis=-1).reshape(-1, 2, 2)
    if len(square) == 1:
        return ConfusionMatrix(square[0], labels=labels)
    return MultilabelCounts(square, labels=labels)


def _texts(values: Sequence[Any] | None, n_rows: int) -> list[str]:
    """Write a column as text; where there is none, all rows are alike."""
    return ["_"] * n_rows if values is None else [*map(value_text, values)]


def _whole(columns: Columns, name: str) -> npt.NDArray[np.int64]:
    """Read numbers of examples."""
    found = []
    for row, value in enumerate(columns.column(name)):
        number = None if isinstance(value, bool) else value_text(value)
        if number is None or not WHOLE.fullmatch(number) or int(number) < 0:
            raise InputError(f"{columns.place(row)}, {name}", "a whole number of examples", shown(value))
        found.append(int(number))
    return np.array(found, np.int64)
