"""The same table in every engine."""

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa


def _duckdb(columns):
    return duckdb.from_arrow(pa.table(columns))


def _arrow_pandas(columns):
    return pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype)


ENGINES = {
    "pandas": pd.DataFrame,
    "pandas on Arrow": _arrow_pandas,
    "Polars": pl.DataFrame,
    "lazy Polars": pl.LazyFrame,
    "PyArrow": pa.table,
    "DuckDB": _duckdb,
    "Ibis": lambda columns: ibis.memtable(pa.table(columns)),
}
LAZY = {name: ENGINES[name] for name in ("lazy Polars", "DuckDB", "Ibis")}
EAGER = {name: ENGINES[name] for name in ENGINES if name not in LAZY}
