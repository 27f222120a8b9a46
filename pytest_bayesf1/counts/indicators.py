"""Which labels each example has, in the forms that people keep it in: tables of indicators, or sets of labels."""

from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array, issparse

from pytest_bayesf1._util import first_few
from pytest_bayesf1.arrays import Codes
from pytest_bayesf1.counts.crosstab import is_mere_position
from pytest_bayesf1.counts.encoding import encode_arrays, require_same_index
from pytest_bayesf1.counts.labels import Label, explicit_labels, label_column
from pytest_bayesf1.counts.number_arrays import as_numbers
from pytest_bayesf1.counts.spelling import require_one_spelling
from pytest_bayesf1.errors import InputError

Indicators: TypeAlias = Any
"""A sparse (N, L) array of ones."""
Encoded: TypeAlias = tuple[dict[str, Indicators], tuple[Label, ...], str]
Sets: TypeAlias = list[Collection[Any]]

_FORMS = "indicators of shape (N, L), or N sets of labels"


def encode_labels(columns: Mapping[str, Any], labels: Iterable[Any] | None) -> Encoded:
    """Bring examples' labels, all in one form, to indicators over the same labels.

    Parameters
    ----------
    columns
        By the name that error messages use, each a table (N, L) of zeros and ones, dense or sparse, of which the column
        names, if any, are the labels; or N sets of labels, or lists of labels that are strings.
    labels
        The labels in their order; by default the columns' names, else their positions; of sets all that occur, sorted.

    Returns
    -------
    indicators, labels, labels_from
        Where the labels come from is told as in `SideCounts`.

    Raises
    ------
    InputError
        When the columns differ in form, length or labels, or hold something else.
    """
    require_same_index(columns)
    rows = {name: _rows(values, name) for name, values in columns.items()}
    forms = {name: "sets of labels" if _are_sets(each) else "indicators" for name, each in rows.items()}
    (first, form), *others = forms.items()
    for name, other in others:
        if other != form:
            raise InputError(name, f"{form}, as in {first}", other, "Convert one.")
    encoded = _from_sets(rows, labels) if form == "sets of labels" else _from_tables(rows, labels)
    sizes = {name: table.shape[0] for name, table in encoded[0].items()}
    for name, size in sizes.items():
        if size != sizes[first]:
            raise InputError(name, f"{sizes[first]} examples, as in {first}", f"{size}")
    return encoded


def _rows(values: Any, where: str) -> Any:
    """Return a table as it is, anything else as a list with a collection for every example."""
    if len(getattr(values, "shape", (0,))) != 1:
        return values
    in_order = isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping | AbstractSet)
    rows = list(values) if in_order else []
    wrong = [row for row in rows if not _is_row(row)] if in_order else [values]
    if wrong:
        raise InputError(
            where,
            _FORMS,
            f"{type(wrong[0]).__name__} for an example",
            "For one class per example there is ConfusionMatrix.",
        )
    if not rows:
        raise InputError(where, "at least one example", "an empty sequence")
    return rows


def _is_row(value: Any) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping)


def _are_sets(rows: Any) -> bool:
    """Whether rows hold labels: those of numbers must be sets, or be taken for indicators."""
    if not isinstance(rows, list):
        return False
    holds_labels = any(isinstance(row, AbstractSet) for row in rows) or not any(len(row) for row in rows)
    return holds_labels or any(isinstance(label, str) for row in rows for label in row)


def _from_sets(columns: Mapping[str, Sets], labels: Iterable[Any] | None) -> Encoded:
    flat = {name: [label for row in rows for label in row] for name, rows in columns.items()}
    arrays = {name: label_column(values, name, noun="label") for name, values in flat.items() if values}
    if not arrays:
        raise InputError(" and ".join(columns), "at least one label", "none at all")
    codes, names = encode_arrays(arrays, labels)
    if labels is None:
        first, *others = ((name, set(array.tolist())) for name, array in arrays.items())
        require_one_spelling(*first, dict(others))
    none = np.empty(0, dtype=np.int64)
    indicators = {name: _indicators(rows, codes.get(name, none), len(names)) for name, rows in columns.items()}
    return indicators, names, "data" if labels is None else "caller"


def _indicators(rows: Sets, codes: Codes, n_labels: int) -> Indicators:
    ends = np.cumsum([0, *map(len, rows)])
    table = csr_array((np.ones(codes.size, dtype=np.int8), codes, ends), shape=(len(rows), n_labels))
    table.sum_duplicates()
    table.data[:] = 1
    return table


def _from_tables(columns: Mapping[str, Any], labels: Iterable[Any] | None) -> Encoded:
    tables = {name: _read_table(values, name) for name, values in columns.items()}
    own = {name: _column_names(values, name) for name, values in columns.items()}
    named = [names for names in own.values() if names is not None]
    known = explicit_labels(labels) if labels is not None else named[0] if named else None
    names = tuple(range(next(iter(tables.values())).shape[1])) if known is None else known
    indicators = {name: _with_columns(table, own[name], names, name) for name, table in tables.items()}
    return indicators, names, "position" if known is None else "caller"


def _read_table(values: Any, where: str) -> Indicators:
    array = values if issparse(values) else as_numbers(values, where, _FORMS, or_booleans=True)
    if len(array.shape) != 2 or not all(array.shape):
        raise InputError(where, _FORMS, f"shape {array.shape}")
    table = csr_array(array, copy=True)
    table.sum_duplicates()
    table.eliminate_zeros()
    wrong = np.flatnonzero(table.data != 1)
    if wrong.size:
        cells = table.tocoo()
        row, column, value = (each[wrong[0]].item() for each in (cells.row, cells.col, cells.data))
        advice = "Pass decisions, not scores; and labels that are numbers in sets: {0, 2}."
        raise InputError(f"{where}[{row}, {column}]", "0 or 1", f"{value:g}", advice)
    return table.astype(np.int8)


def _column_names(values: Any, where: str) -> tuple[Label, ...] | None:
    columns = getattr(values, "columns", None)
    if columns is None or is_mere_position(columns):
        return None
    return explicit_labels(list(columns), f"{where}.columns")


def _with_columns(table: Indicators, own: tuple[Label, ...] | None, names: tuple[Label, ...], where: str) -> Indicators:
    """Put the columns in the order of the names."""
    if own is None:
        if table.shape[1] != len(names):
            raise InputError(where, f"{len(names)} columns, one per label", f"{table.shape[1]}")
        return table
    if set(own) != set(names):
        differing = sorted(map(repr, set(own) ^ set(names)))
        raise InputError(f"{where}.columns", "the same labels everywhere", f"{first_few(differing)} not everywhere")
    column = {label: code for code, label in enumerate(own)}
    return table[:, [column[label] for label in names]]
