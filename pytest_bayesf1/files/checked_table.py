"""The columns of a table, checked: labels, and ids where there are any, of every example."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import LabelArray
from pytest_bayesf1.choices import COUNT_AS_WRONG
from pytest_bayesf1.counts.answers import mask_unreadable, tidy_answers
from pytest_bayesf1.counts.labels import kind_of, label_column
from pytest_bayesf1.counts.spelling import tidied, tidy, typed
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.content import ID, PREDICTED, TRUE, Table
from pytest_bayesf1.files.label_text import describe_missing, first_missing, is_missing
from pytest_bayesf1.files.reading import Reading
from pytest_bayesf1.text import counted

_EACH = "a value for every example"
NOUNS = {TRUE: "class label", PREDICTED: "class label", ID: "id"}


def checked(table: Table, reading: Reading) -> Table:
    """Make arrays of one kind each of the columns of labels and ids.

    Predictions that count as wrong because they are missing or none of the classes are masked.

    Raises
    ------
    InputError
        When a value is missing, or is no label or id.
    """
    unreadable = reading.invalid == "wrong"
    complete = [name for name in NOUNS if name in table.columns and not (unreadable and name == PREDICTED)]
    for name in complete:
        _require_values(table, name)
    columns = {name: table.columns[name] for name in complete}
    if table.is_text:
        columns = {name: np.array(values, dtype=str) for name, values in columns.items()}
        texts = [name for name in complete if name != ID]
        columns |= zip(texts, typed(*(columns[name] for name in texts)), strict=True)
    if is_multilabel(table):
        if unreadable:
            raise InputError("", 'one class per example, which alone invalid="wrong" is about', "any number of labels")
        nested = {name: _tidied_rows(columns.pop(name)) for name in (TRUE, PREDICTED)}
    else:
        nested = {}
    arrays = {name: label_column(values, name, NOUNS[name]) for name, values in columns.items()}
    arrays |= tidied_columns({name: array for name, array in arrays.items() if name != ID})
    if unreadable:
        arrays[PREDICTED] = _answers(table, arrays[TRUE])
    return replace(table, columns={**table.columns, **arrays, **nested})


def _require_values(table: Table, name: str) -> None:
    values = values_of(table, name)
    row = first_missing(values, is_text=table.is_text)
    if row is not None:
        advice = COUNT_AS_WRONG if name == PREDICTED and not is_multilabel(table) else ""
        raise InputError(f"{table.place(row)}, {name}", _EACH, describe_missing(values[row]), advice)


def _answers(table: Table, truth: LabelArray) -> LabelArray:
    values = values_of(table, PREDICTED)
    said = [None if is_missing(value, is_text=table.is_text) else value for value in values]
    tidied = tidy_answers(said, truth, is_text=table.is_text)
    return mask_unreadable({TRUE: truth, PREDICTED: tidied}, table.labels)[1][PREDICTED]


def tidied_columns(labels: dict[str, LabelArray]) -> dict[str, LabelArray]:
    """Write equal labels alike in the columns that are text."""
    texts = {name: array for name, array in labels.items() if kind_of(array) == "strings"}
    return labels | dict(zip(texts, tidied(*texts.values()), strict=True))


def _tidied_rows(rows: Any) -> Any:
    """Do so with any number of labels per example."""
    if not isinstance(rows, list):
        return rows
    return [_tidied_row(row) if isinstance(row, list | tuple | set) else row for row in rows]


def _tidied_row(row: list[Any] | tuple[Any, ...] | set[Any]) -> Any:
    return type(row)(tidy(label) if isinstance(label, str) else label for label in row)


def values_of(table: Table, name: str) -> Sequence[Any]:
    """Return a column's values, as many as ``y_true`` has."""
    values = table.columns[name]
    if not isinstance(values, list) and not (isinstance(values, np.ndarray) and values.ndim):
        raise InputError(name, _EACH, type(values).__name__)
    n_samples = len(table.columns[TRUE])
    if len(values) != n_samples:
        raise InputError(name, f"{counted(n_samples, 'value')}, as in {TRUE}", str(len(values)))
    if isinstance(values, np.ndarray):
        return values.tolist() if values.ndim == 1 else list(values)
    return values


def is_multilabel(table: Table) -> bool:
    """Whether examples have any number of labels: a row of indicators or a list of labels each."""
    return not table.is_text and any(_is_nested(table.columns[name]) for name in (TRUE, PREDICTED))


def _is_nested(values: Any) -> bool:
    if isinstance(values, np.ndarray):
        return values.ndim > 1
    return any(isinstance(value, list | tuple | set) for value in values)
