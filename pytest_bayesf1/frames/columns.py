"""The columns of a table by what they are used as, and which of their types serve."""

from collections.abc import Mapping
from dataclasses import replace

import narwhals.stable.v2 as nw
from narwhals.stable.v2.dtypes import DType

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.frames.lazy_table import LazyTable


def pick(frame: LazyTable, names: Mapping[str, str]) -> LazyTable:
    """Take the columns that are named, and call them by what they are used as.

    Raises
    ------
    InputError
        When a column is missing, or of a type that does not serve.
    """
    schema = frame.table.collect_schema()
    for name in names.values():
        if name not in schema:
            found = f"columns {', '.join(map(repr, list(schema)[:20]))}"
            raise InputError(frame.where, f"a column {name!r}", found if schema else "no columns")
        if kind_of(schema[name]) is None:
            where, expected = f"{frame.where}, column {name!r}", "strings, integers or booleans"
            raise InputError(where, expected, f"type {schema[name]}", "Convert the column first.")
    return replace(frame, table=frame.table.select(nw.col(name).alias(use) for use, name in names.items()))


def kind_of(dtype: DType) -> str | None:
    """Name the kind of labels that a column of this type can hold, if any."""
    if isinstance(dtype, nw.String | nw.Categorical | nw.Enum):
        return "strings"
    if isinstance(dtype, nw.Boolean):
        return "booleans"
    return "numbers" if dtype.is_integer() or dtype.is_float() else None


def alike(baseline: LazyTable, candidate: LazyTable, names: Mapping[str, str]) -> tuple[LazyTable, LazyTable]:
    """Give the columns that two tables of one engine share the same types, so that their values can be compared.

    Raises
    ------
    InputError
        When the engines differ, or the kinds of labels do.
    """
    engines = [frame.table.implementation for frame in (baseline, candidate)]
    if engines[0] is not engines[1]:
        expected, found = (engine.value for engine in engines)
        raise InputError(
            candidate.where, f"a table of {expected}, as {baseline.where} is", f"one of {found}", "Convert one."
        )
    as_text = baseline.is_text is not candidate.is_text
    common = {use: nw.String() if as_text else _common(baseline, candidate, use, name) for use, name in names.items()}
    is_text = baseline.is_text or candidate.is_text
    return _cast(baseline, common, is_text=is_text), _cast(candidate, common, is_text=is_text)


def _common(baseline: LazyTable, candidate: LazyTable, use: str, name: str) -> DType:
    """Choose a type that holds both columns' values."""
    one, other = (_plain(frame, use) for frame in (baseline, candidate))
    if kind_of(one) != kind_of(other):
        where, expected = f"{candidate.where}, column {name!r}", f"{kind_of(one)}, as in {baseline.where}"
        raise InputError(where, expected, str(kind_of(other)), "They never match: convert one.")
    if one == other:
        return one
    return nw.Int64() if one.is_integer() and other.is_integer() else nw.Float64()


def _plain(frame: LazyTable, use: str) -> DType:
    """Return the type of a column's values, be they coded as categories or not."""
    dtype = frame.table.collect_schema()[use]
    if isinstance(dtype, nw.Categorical):
        values = frame.table.select(use).head(1).collect()[use].cat.get_categories().dtype
        return nw.Float64() if values.is_integer() else values  # codes for none would keep integers from being such
    return nw.String() if isinstance(dtype, nw.Enum) else dtype


def _cast(frame: LazyTable, types: Mapping[str, DType], *, is_text: bool) -> LazyTable:
    """Turn columns into these types, and categories into what they stand for."""
    schema = frame.table.collect_schema()
    wanted = {use: types.get(use) or _plain(frame, use) for use in schema}
    casts = [nw.col(use).cast(dtype) for use, dtype in wanted.items() if schema[use] != dtype]
    return replace(frame, table=frame.table.with_columns(casts) if casts else frame.table, is_text=is_text)
