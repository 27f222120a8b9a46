"""CSV and Parquet files, one or many, as DuckDB reads them: part by part, never whole. The only importer of DuckDB."""

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
        try:
            if is_text:
                return self._connection.read_csv(pattern, **_STRICT), True
            return self._connection.read_parquet(pattern, union_by_name=True), False
        except ImportError:
            advice = "Install it with pip install pytest-bayesf1[duckdb]."
            raise InputError(where, "DuckDB, which reads files", "no such package", advice) from None
        except self.failures as error:
            raise unreadable(where, error) from None

    @cached_property
    def _connection(self) -> Any:
        import duckdb  # noqa: PLC0415 (only where it is needed: it is an extra)

        connection = duckdb.connect(config={"preserve_insertion_order": "false", "temp_directory": gettempdir()})
        connection.execute("SET enable_progress_bar = false")  # nothing of a test's output is DuckDB's
        return connection

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What DuckDB raises for files that cannot be read."""
        import duckdb  # noqa: PLC0415

        return (duckdb.Error,)


def unreadable(where: str, error: Exception) -> InputError:
    """Hand on what DuckDB says of a file, but for advice about its own options."""
    said = str(error).partition("\nPossible")[0]
    return InputError(where, "files that can be read", " ".join(said.split()))
