"""Two sides of the same examples as rows of one table: what the anchor says stands in a row only where it differs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

Columns: TypeAlias = Mapping[str, Sequence[Any]]
Row: TypeAlias = Sequence[Any]

_COUNT = "count"
_TELL_ROWS = ("id", "cluster", "y_true", "label", "document", "type")
"""Columns that tell which row it is, whoever is asked; all others hold what a side says, or how often."""


def rows_of(table: Columns) -> Iterator[Row]:
    """Write a side row by row.

    Parameters
    ----------
    table
        Its columns by name.
    """
    return zip(*table.values(), strict=True)


def fit_together(table: Columns, other: Columns) -> bool:
    """Whether two sides can stand in one table: they have the same columns and, unless of counted cells, the same rows.

    Parameters
    ----------
    table, other
        Columns by name.
    """
    if list(table) != list(other):
        return False
    return _COUNT in table or all(table[name] == other[name] for name in table if name in _TELL_ROWS)


def rows_of_both(table: Columns, anchor: Columns) -> Iterator[Row]:
    """Write the baseline row by row, and behind each row what the anchor says in its place, where it differs.

    Parameters
    ----------
    table, anchor
        Two sides that `fit_together`.
    """
    if _COUNT in table:
        table, anchor = _over_the_same_cells(table, anchor)
    said = _said(anchor)
    for row, ours, theirs in zip(rows_of(table), rows_of(_said(table)), rows_of(said), strict=True):
        yield row if ours == theirs else (*row, *theirs)


def parted(columns: Sequence[str], rows: Sequence[Row]) -> tuple[dict[str, Row], dict[str, Row] | None]:
    """Take the two sides apart again.

    Parameters
    ----------
    columns
        Their names.
    rows
        As `rows_of_both` writes them.

    Returns
    -------
    (dict, dict or None)
        The columns of the baseline, and those of the anchor; None where no row tells of one.

    Raises
    ------
    ValueError
        When a row has another number of cells.
    """
    width = len(columns)
    ours = _columns(columns, [row[:width] for row in rows])
    if all(len(row) <= width for row in rows):
        return _without_empty_cells(ours), None
    n_said = len(_said(ours))
    theirs = [row if len(row) == width else [*row[: width - n_said], *row[width:]] for row in rows]
    return _without_empty_cells(ours), _without_empty_cells(_columns(columns, theirs))


def _columns(names: Sequence[str], rows: Sequence[Row]) -> dict[str, Row]:
    return dict(zip(names, zip(*rows, strict=True), strict=True))


def _said(table: Columns) -> dict[str, Sequence[Any]]:
    """Keep the columns of what a side says, which stand last."""
    if _COUNT in table:
        return {_COUNT: table[_COUNT]}
    return {name: values for name, values in table.items() if name not in _TELL_ROWS}


def _over_the_same_cells(table: Columns, other: Columns) -> tuple[Columns, Columns]:
    """Let counted cells that one side lacks be there with a count of 0."""
    sides = [{tuple(cell): count for *cell, count in rows_of(each)} for each in (table, other)]
    cells = list(dict.fromkeys(cell for side in sides for cell in side))
    filled = [_columns(list(table), [(*cell, side.get(cell, 0)) for cell in cells]) for side in sides]
    return filled[0], filled[1]


def _without_empty_cells(table: dict[str, Row]) -> dict[str, Row]:
    if _COUNT not in table or all(table[_COUNT]):
        return table
    return _columns(list(table), [row for row in rows_of(table) if row[-1]])
