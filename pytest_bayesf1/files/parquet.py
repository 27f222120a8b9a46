"""Parquet files of predictions. The only importer of pyarrow."""

from collections.abc import Mapping
from pathlib import Path

from pytest_bayesf1._util import one_line, require_once
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.archives import require_room
from pytest_bayesf1.files.columns import holds_predictions, renamed, wrong_columns
from pytest_bayesf1.files.content import Content, Table

_POINTER = 8
"""Bytes of a value in a list, however few it has in a file."""


def read_parquet(path: Path, names: Mapping[str, str]) -> Content:
    """Read the columns of a file.

    Parameters
    ----------
    path
        The file.
    names
        What the file calls its columns, where that is said.

    Raises
    ------
    InputError
        When they are not predictions, or pyarrow is not installed.
    """
    try:
        from pyarrow import ArrowException, parquet, types  # noqa: PLC0415 (only where it is needed: it is an extra)
    except ImportError:
        advice = "Install it with pip install pytest-bayesf1[parquet]."
        raise InputError("", "pyarrow, which reads Parquet", "no such package", advice) from None
    try:
        with path.open("rb") as file:
            content = parquet.ParquetFile(file)
            require_room(content.metadata.num_rows * content.metadata.num_columns * _POINTER)
            table = content.read()
        require_once(table.column_names)
        columns = renamed(dict(zip(table.column_names, table.columns, strict=True)), names)
        if not holds_predictions(columns):
            raise wrong_columns(columns)
        return Table(
            {
                name: (each.cast("string") if types.is_temporal(each.type) else each).to_pylist()
                for name, each in columns.items()
            }
        )
    except (ArrowException, UnicodeDecodeError) as error:
        raise InputError("", "a Parquet file", one_line(error)) from None
