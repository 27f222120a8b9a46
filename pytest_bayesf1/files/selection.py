"""The rows of a table that are of one side."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pytest_bayesf1._util import first_few
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.checked_table import values_of
from pytest_bayesf1.files.columns import columns_found
from pytest_bayesf1.files.content import Table
from pytest_bayesf1.files.label_text import value_text


def selected(table: Table, rows: Mapping[str, str]) -> Table:
    """Keep the rows in which certain columns have certain values.

    Parameters
    ----------
    table
        Of a file.
    rows
        The value of each column, as text; empty for all rows.

    Returns
    -------
    Table
        Of one system, where the file tells which it is of.

    Raises
    ------
    InputError
        When there is no such column or no such row, or the rows that are left are of several systems.
    """
    if not rows and not table.one_each:
        return table
    kept = np.ones(len(values_of(table, table.first_column)), dtype=bool)
    for name, value in rows.items():
        found = _texts(table, name)
        if value not in found:
            raise InputError("rows", f"a row whose {name!r} is {value!r}", _values(found))
        kept &= np.array([each == value for each in found], dtype=bool)
    if not kept.any():
        wanted = " and ".join(f"{name!r} is {value!r}" for name, value in rows.items())
        raise InputError("rows", f"a row in which {wanted}", "none")
    positions = np.flatnonzero(kept).tolist()
    part = replace(
        table,
        columns=rows_of({name: values_of(table, name) for name in table.columns}, positions),
        lines=None if table.lines is None else [table.lines[row] for row in positions],
    )
    for name in table.one_each:
        found = _texts(part, name)
        if len(set(found)) > 1:
            advice = f"Choose: rows: {{{name}: {found[0]}}} in a gate file, --rows '{name}={found[0]}'."
            raise InputError("", f"rows of one {name!r}", _values(found), advice)
    return part


def rows_of(columns: Mapping[str, Any], rows: list[int]) -> dict[str, Any]:
    """Take some rows of every column.

    Parameters
    ----------
    columns
        Lists or arrays.
    rows
        Positions, from 0.
    """
    return {
        name: values[rows] if isinstance(values, np.ndarray) else [values[row] for row in rows]
        for name, values in columns.items()
    }


def _texts(table: Table, name: str) -> list[str]:
    if name not in table.columns:
        raise InputError("rows", f"a column {name!r}", columns_found(table.columns))
    return [value_text(value) for value in values_of(table, name)]


def _values(found: list[str]) -> str:
    return first_few(map(repr, sorted(set(found))), 10)
