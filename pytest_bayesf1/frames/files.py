"""CSV and Parquet files, one or many, as DuckDB reads them: part by part, never whole. The only importer of DuckDB."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from tempfile import gettempdir
from typing import Any

from pytest_bayesf1.errors import InputError

_SUFFIXES = (".csv", ".csv.gz", ".parquet")

_STRICT = {
    "header": True,
    "all_varchar": True,
    "na_values": ["", "nan", "NaN"],
    "quotechar": '"',
    "escapechar": '"',
    "skiprows": 0,  # else lines that do not fit the others are skipped without a word
    "union_by_name": True,
}


class Files:
    """Files that may be joined with one another."""

    def open(self, pattern: str, where: str) -> tuple[Any, bool]:
        """Open the files that a path or a pattern names, and tell whether they hold text only.

        Raises
        ------
        InputError
            When DuckDB is not installed, or there are no such files.
        """
        if not pattern.lower().endswith(_SUFFIXES):
            raise InputError(where, f"files that end in {', '.join(_SUFFIXES)}", repr(pattern))
        is_text = not pattern.lower().endswith(".parquet")
        with self.reading(where):
            if is_text:
                return self._connection.read_csv(pattern, **_STRICT), True
            return self._connection.read_parquet(pattern, union_by_name=True), False

    @contextmanager
    def reading(self, where: str) -> Iterator[None]:
        """Hand on what DuckDB says of files that it cannot read, but for advice about its own options.

        Raises
        ------
        InputError
            When it says something, or is not installed.
        """
        try:
            import duckdb  # noqa: PLC0415 (only where it is needed: it is an extra)
        except ImportError:
            advice = "Install it with pip install pytest-bayesf1[duckdb]."
            raise InputError(where, "DuckDB, which reads files", "no such package", advice) from None
        try:
            yield
        except duckdb.Error as error:
            said = str(error).partition("\nPossible")[0]
            raise InputError(where, "files that can be read", " ".join(said.split())) from None

    @cached_property
    def _connection(self) -> Any:
        import duckdb  # noqa: PLC0415

        connection = duckdb.connect(config={"preserve_insertion_order": "false", "temp_directory": gettempdir()})
        connection.execute("SET enable_progress_bar = false")  # a test's output is not DuckDB's to write
        return connection
