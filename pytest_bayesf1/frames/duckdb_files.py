"""CSV and Parquet files, one or many, as DuckDB reads them: part by part, never whole. The only importer of DuckDB."""

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.frames.encodings import wide_encoding

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


_NAMES = "SELECT DISTINCT name FROM parquet_schema(?)"


def _refuse_repeated(names: Iterable[str], where: str, file: str) -> None:
    for name in names:
        raise InputError(where, "each column once", f"{name!r} again in {file}")


class FileTables:
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
                self._require_narrow(pattern, where)
                relation = self._connection.read_csv(pattern, **_STRICT)
                self._require_headers(pattern, where)
                return relation, True
            relation = self._connection.read_parquet(pattern, union_by_name=True)
            self._require_schemas(pattern, where, relation.columns)
            return relation, False

    def _files(self, pattern: str) -> list[str]:
        return [file for (file,) in self._connection.execute("SELECT file FROM glob(?)", [pattern]).fetchall()]

    def _require_narrow(self, pattern: str, where: str) -> None:
        """Refuse text in an encoding that DuckDB would call damaged, or take for one long word."""
        for file in self._files(pattern):
            with suppress(OSError, EOFError, zlib.error):  # it is elsewhere, or DuckDB will tell
                if wide := wide_encoding(Path(file)):
                    raise InputError(where, "text in UTF-8", f"{wide} in {file}", "Save the file as UTF-8.")

    def _require_headers(self, pattern: str, where: str) -> None:
        """Refuse a name that stands in a header twice: DuckDB would rename the second in silence."""
        for file in self._files(pattern):
            for header in self._connection.read_csv(file, **_STRICT | {"header": False}).limit(1).fetchall():
                _refuse_repeated((name for name, n in Counter(header).items() if n > 1), where, file)

    def _require_schemas(self, pattern: str, where: str, columns: list[str]) -> None:
        """Do the same for Parquet, where names that no file has are the renamed ones."""
        names = {name for (name,) in self._connection.execute(_NAMES, [pattern]).fetchall()}
        renamed = [re.fullmatch(r"(.+)_\d+", name) for name in columns if name not in names]
        _refuse_repeated((found[1] for found in renamed if found and found[1] in names), where, pattern)

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
