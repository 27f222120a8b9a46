"""Tables of any engine: their different outcomes, counted where the data are."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt
from narwhals.stable.v2.dtypes import DType

from pytest_bayesf1.arrays import Counts
from pytest_bayesf1.choices import Invalid
from pytest_bayesf1.data.encoding import encode_cells
from pytest_bayesf1.data.labels import ClassCodes, is_missing
from pytest_bayesf1.data.outcomes import ClusterContents, OutcomeTable
from pytest_bayesf1.errors import InputError, shown, within
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.values import require_once

T = TypeVar("T")
_Cells: TypeAlias = dict[str, list[Any]]
"""By what they are used as; what is missing is None."""

MOST_ROWS = 5_000_000
"""More outcomes than class labels have: nothing larger leaves an engine."""

WHERE = "frame"
_EXPECTED = "a data frame (pandas, Polars, PyArrow, DuckDB, Ibis, PySpark, ...)"


def open_frame(source: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    """Wrap a table, of which nothing is read yet; a lazy one may be too large to copy."""
    if not hasattr(source, "collect_schema"):  # Polars, whose names differ; of two alike some engines take the first
        names: Any = getattr(source, "column_names", None) or getattr(source, "columns", ())
        require_once(names, WHERE, "column")
    try:
        return nw.from_native(source)  # type: ignore[no-any-return]
    except TypeError:
        raise InputError(WHERE, _EXPECTED, type(source).__name__) from None


_OF_LABELS = ("y_true", "y_pred", "baseline", "candidate")


def pick(table: nw.LazyFrame[Any], names: Mapping[str, str]) -> nw.LazyFrame[Any]:
    """Take the columns that are named, and call them by what they are used as."""
    schema = table.collect_schema()
    of_labels = {use: name for use, name in names.items() if use in _OF_LABELS}
    for use, name in of_labels.items():
        other = next(each for each in of_labels if of_labels[each] == name)
        if other != use != "baseline":  # which may be the truth: no candidate is better
            problem = f"{shown(name)} would be both {other} and {use}"
            raise InputError.plain(WHERE, problem, f"Name another column for {use}.")
    for name in names.values():
        if name not in schema:
            found = f"Found columns {first_few(map(shown, schema), 20)}." if schema else "It has no columns."
            raise InputError.plain(WHERE, f"No column {shown(name)}", found)
        if not _may_be_labels(schema[name]):
            where, expected = f"{WHERE}, column {shown(name)}", "strings, integers or booleans"
            raise InputError(where, expected, f"type {schema[name]}", "Convert the column first.")
    return table.select(nw.col(name).alias(use) for use, name in names.items())


def _may_be_labels(dtype: DType) -> bool:
    if isinstance(dtype, nw.String | nw.Categorical | nw.Enum | nw.Boolean):
        return True
    return dtype.is_integer() or dtype.is_float()


COUNT, BY, CLUSTER = "count", "by", "cluster"


def distinct_rows(table: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """Ask for the different rows of a table, and how many there are of each."""
    rows = table.group_by(*table.collect_schema(), drop_null_keys=False).agg(nw.len().alias(COUNT))
    return rows.head(MOST_ROWS + 1)


def _read(query: nw.LazyFrame[Any]) -> _Cells:
    columns = query.collect().iter_columns()
    return {column.name: [None if is_missing(each) else each for each in column.to_list()] for column in columns}


def count_frame(
    frame: Any,
    columns: Mapping[str, str],
    make: Callable[[OutcomeTable, ClassCodes], T],
    *,
    by: str | None,
    clusters: str | None,
    labels: Iterable[Label] | None,
    invalid: Invalid,
) -> T | dict[Any, T]:
    """Count the rows of a table.

    Counts are made of all rows; with a column of slices, in a dictionary, of those with each value.
    """
    table = open_frame(frame)
    if clusters is not None and isinstance(table, nw.LazyFrame):
        problem = "A lazy table is counted where it is, and has none"
        raise InputError.plain("clusters", problem, "Collect the columns first, into Polars, pandas or PyArrow.")
    beside = {use: name for use, name in ((BY, by), (CLUSTER, clusters)) if name is not None}
    cells = _read(distinct_rows(pick(table.lazy(), {**columns, **beside})))
    count = np.array(cells.pop(COUNT))
    if not count.size:
        raise InputError.plain(WHERE, "The table has no rows")
    if count.size > MOST_ROWS:
        advice = "Are these class labels, not scores or ids?"
        raise InputError.plain(WHERE, f"There are more than {MOST_ROWS:,} different outcomes", advice)
    if clusters is not None and (without := count[[each is None for each in cells[CLUSTER]]].sum()):
        raise InputError.plain(WHERE, f"{counted(without, 'row')} without a cluster in {shown(clusters)}")
    said = {role: cells[role] for role in columns}
    with within(WHERE):
        found, count = encode_cells(said, count, labels, invalid, "")
    made = {}
    for value, at in _positions(cells.get(BY) or [None] * count.size).items():
        contents = _contents(cells, count, at, clusters)
        codes = [each[at] for each in found.codes.values()]
        made[value] = make(OutcomeTable.tally(len(found.labels), *codes, weight=count[at], clusters=contents), found)
    return made[None] if by is None else made


def _contents(cells: _Cells, count: Counts, at: npt.NDArray[np.int64], clusters: str | None) -> ClusterContents | None:
    """Put the cells at these positions into their clusters."""
    if clusters is None:
        return None
    _, cluster = np.unique(np.array(cells[CLUSTER])[at], return_inverse=True)
    return ClusterContents.of_rows(cluster, count[at], noun="clusters")


def _positions(by: list[Any]) -> dict[Any, npt.NDArray[np.int64]]:
    """Find the cells of each slice, in the order of the slices; those without a value come last."""
    found: dict[Any, list[int]] = {}
    for position, value in enumerate(by):
        found.setdefault(value, []).append(position)
    first = sorted(value for value in found if value is not None)
    return {value: np.array(found[value]) for value in [*first, None] if value in found}
