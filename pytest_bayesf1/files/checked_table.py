"""The columns of a table, checked: labels, and ids where there are any, of every example."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pytest_bayesf1._util import counted
from pytest_bayesf1.arrays import LabelArray
from pytest_bayesf1.data.encoding import mask_unreadable, tidy_answers
from pytest_bayesf1.data.labels import kind_of, label_column, tidied, tidy, typed
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.columns import ID, PREDICTED, RUN, TRUE, VALUE, columns_found
from pytest_bayesf1.files.content import Table
from pytest_bayesf1.files.label_text import describe_missing, first_missing, is_missing
from pytest_bayesf1.files.reading import Reading
from pytest_bayesf1.settings import COUNT_AS_WRONG, Runs

_EACH = "a value for every example"
_LABEL = "class label"
_RIGHT = {"true": 1, "false": 0}


def checked(table: Table, reading: Reading) -> Table:
    """Make arrays of one kind each of the columns of labels, and of those that tell rows apart.

    Predictions that count as wrong because they are missing or none of the classes are masked.

    Raises
    ------
    InputError
        When a column is missing, or a value, or one is no label or id.
    """
    _require_columns(table, reading)
    unreadable = reading.invalid == "wrong"
    if table.score_columns:
        _require_none_of_predictions(table, reading)
    labels = [TRUE] if unreadable else [*table.label_columns]
    nouns = dict.fromkeys(labels, _LABEL) | reading.identifiers
    columns = {name: table.columns[name] for name in nouns if name in table.columns}
    for name in dict.fromkeys([*labels, *table.score_columns, *columns]):
        _require_values(table, name)
    if table.is_text:
        texts = {name: np.array(values, dtype=str) for name, values in columns.items() if name not in labels}
        columns = dict(zip(labels, typed(*(columns[name] for name in labels)), strict=True)) | texts
    nested = {}
    if is_multilabel(table):
        _require_single_classes(reading)
        nested = {name: _tidied_rows(columns.pop(name)) for name in labels}
    arrays = {name: label_column(values, name, nouns[name]) for name, values in columns.items()}
    arrays |= tidied_columns({name: array for name, array in arrays.items() if name in labels})
    if unreadable:
        arrays[PREDICTED] = _answers(table, arrays[TRUE])
    scores = {name: _numbers(table, name) for name in table.score_columns}
    return replace(table, columns={**table.columns, **arrays, **nested, **scores})


def _require_columns(table: Table, reading: Reading) -> None:
    """Require the columns that nothing can be read without."""
    needed = {reading.clusters: "the unit of every example"} if reading.clusters else {}
    if reading.runs:
        needed |= {ID: "the example of every prediction"}
    if reading.runs == Runs.SEEDS and _repeats(table.columns.get(ID, [])):
        needed |= {RUN: "the training that each prediction is of"}
    for name, what in needed.items():
        if name not in table.columns:
            raise InputError("", f"a column {name!r}, which tells {what}", columns_found(table.columns))


def _repeats(ids: Sequence[Any]) -> bool:
    """Whether an example has several rows; a file in which none has is of one classifier."""
    return len(np.unique(np.asarray(ids, dtype=str))) < len(ids)


def _require_single_classes(reading: Reading) -> None:
    """Refuse what is not offered where an example has any number of labels."""
    for what, asked in (('invalid="wrong"', reading.invalid == "wrong"), ("runs", reading.runs)):
        if asked:
            raise InputError("", f"one class per example and row, beside {what}", "any number of labels")


def _require_none_of_predictions(table: Table, reading: Reading) -> None:
    """Refuse what is about predicted classes alone; a number that was given several times has a mean."""
    runs = reading.runs and (table.label_columns or reading.runs == Runs.SEEDS)
    for what, asked in (('invalid="wrong"', reading.invalid == "wrong"), ("runs", runs)):
        if asked:
            raise InputError("", f"predictions, which alone {what} is about", "scores")


def _numbers(table: Table, name: str) -> Any:
    """Read text as numbers, which other formats have; but YAML takes 1e-05 for text. What is right has the value 1."""
    values = table.columns[name]
    if name == VALUE:
        values = [_RIGHT.get(str(value).strip().lower(), value) for value in values]
    if not any(isinstance(value, str) for value in values):
        return values
    numbers = np.empty(len(values))
    for row, value in enumerate(values):
        try:
            numbers[row] = float(value)
        except (TypeError, ValueError):
            raise InputError(f"{table.place(row)}, {name}", "a number", repr(value)) from None
    return numbers


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
    """Return a column's values, as many as the first column has."""
    values = table.columns[name]
    if not isinstance(values, list) and not (isinstance(values, np.ndarray) and values.ndim):
        raise InputError(name, _EACH, type(values).__name__)
    n_rows = len(table.columns[table.first_column])
    if len(values) != n_rows:
        raise InputError(name, f"{counted(n_rows, 'value')}, as in {table.first_column}", str(len(values)))
    if isinstance(values, np.ndarray):
        return values.tolist() if values.ndim == 1 else list(values)
    return values


def is_multilabel(table: Table) -> bool:
    """Whether examples have any number of labels: a row of indicators or a list of labels each."""
    return not table.is_text and any(_is_nested(table.columns[name]) for name in table.label_columns)


def _is_nested(values: Any) -> bool:
    if isinstance(values, np.ndarray):
        return values.ndim > 1
    return any(isinstance(value, list | tuple | set) for value in values)
