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


def written_csv(columns, path):
    """Write a CSV file as pandas does."""
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def written_parquet(columns, path):
    """Write a Parquet file as Polars does."""
    pl.DataFrame(columns).write_parquet(path)
    return path
