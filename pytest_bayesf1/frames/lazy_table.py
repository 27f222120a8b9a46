"""Whatever holds a table -> one face for it: data frames of any engine, and files, which DuckDB reads."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw

from pytest_bayesf1._util import require_once
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.frames.duckdb_files import FileTables

MOST_ROWS = 5_000_000
"""More outcomes than class labels have: nothing larger leaves an engine."""

_EXPECTED = "a data frame (pandas, Polars, PyArrow, DuckDB, Ibis, PySpark, ...) or the path of CSV or Parquet files"


@dataclass(frozen=True, eq=False)
class LazyTable:
    """A table of which nothing has been read yet.

    Attributes
    ----------
    table
        The table.
    where
        What error messages call it.
    is_text
        Whether every value is text for want of another type.
    files
        What reads it, if it is a file, or the files that it is joined with.
    """

    table: nw.LazyFrame[Any]
    where: str
    is_text: bool = False
    files: FileTables | None = None

    def read(self, query: nw.LazyFrame[Any]) -> dict[str, list[Any]]:
        """Run a query whose answer is small, and return its columns; what is missing is None.

        Raises
        ------
        InputError
            When files cannot be read, or the answer is not small.
        """
        with self.files.reading(self.where) if self.files else nullcontext():
            answer = query.head(MOST_ROWS + 1).collect()
        if len(answer) > MOST_ROWS:
            advice = "Are these class labels, not scores or ids?"
            raise InputError(self.where, f"at most {MOST_ROWS:,} different outcomes", "more", advice)
        return {column.name: _values(column) for column in answer.iter_columns()}


def _values(column: Any) -> list[Any]:
    missing = column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()
    return [None if none else value for value, none in zip(column.to_list(), missing.to_list(), strict=True)]


def open_frames(sources: Mapping[str, Any]) -> list[LazyTable]:
    """Open tables, given by the names that error messages use; files among them can be joined with one another.

    Raises
    ------
    InputError
        When one is no table, or cannot be opened.
    """
    files = FileTables()
    return [_open(source, where, files) for where, source in sources.items()]


def _open(source: Any, where: str, files: FileTables) -> LazyTable:
    if isinstance(source, str | Path):
        relation, is_text = files.open(str(source), where)
        return LazyTable(nw.from_native(relation).lazy(), where, is_text, files)
    _require_names_once(source, where)
    try:
        return LazyTable(nw.from_native(source).lazy(), where)
    except TypeError:
        raise InputError(where, _EXPECTED, type(source).__name__) from None


def _require_names_once(source: Any, where: str) -> None:
    """Refuse a table with two columns of one name, of which some engines take the first in silence."""
    if hasattr(source, "collect_schema"):
        return  # Polars, which has no such tables
    names: Any = getattr(source, "column_names", None) or getattr(source, "columns", ())
    require_once(names, where, "column")
