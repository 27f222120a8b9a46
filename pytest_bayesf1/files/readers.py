"""Files -> what they hold. The only importer of pyarrow."""

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any, TextIO
from zipfile import ZipFile

import numpy as np
from numpy.lib import format as npy

from pytest_bayesf1.checks import each_key_once, require_once
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files import yaml
from pytest_bayesf1.files.archives import DAMAGED, Bounded, require_room
from pytest_bayesf1.files.csv import read_csv
from pytest_bayesf1.files.documents import columns_content, document_content
from pytest_bayesf1.files.tables import Content, Table, holds_predictions, wrong_columns
from pytest_bayesf1.frames.encodings import wide_encoding
from pytest_bayesf1.text import one_line


def read_content(path: Path) -> Content:
    """Read a file of any of the formats; its suffix tells which.

    Raises
    ------
    InputError
        When it cannot be read, with the place in the file where there is one.
    """
    name = path.name.lower()
    reader = next((reader for suffix, reader in _READERS.items() if name.endswith(suffix)), None)
    if reader is None:
        raise InputError("", f"a file that ends in {', '.join(_READERS)}", repr(path.name))
    try:
        return reader(path)
    except FileNotFoundError:
        raise InputError("", "a file", "no such file") from None
    except IsADirectoryError:
        raise InputError("", "a file", "a directory") from None
    except OSError as error:
        raise InputError("", "a file that can be read", one_line(error.strerror or error)) from None


_SAVE_AS = "Save the file as UTF-8."


@contextmanager
def _text(path: Path) -> Iterator[TextIO]:
    """Open a text file, with or without a byte order mark, that may be compressed."""
    unpacked = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        wide = wide_encoding(path)
        if wide:
            raise InputError("", "text in UTF-8", wide, _SAVE_AS)
        with unpacked(path, "rb") as file:
            yield io.TextIOWrapper(io.BufferedReader(Bounded(file)), encoding="utf-8-sig", newline="")
    except UnicodeDecodeError as error:
        found = f"the byte 0x{error.object[error.start]:02x}"
        raise InputError("", "text in UTF-8", found, _SAVE_AS) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError("", "a whole gzip file", one_line(error)) from None


def _read_csv(path: Path) -> Content:
    with _text(path) as text:
        return read_csv(text)


def _read_json(path: Path) -> Content:
    try:
        document = json.loads(_whole_text(path), object_pairs_hook=each_key_once)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(f"line {error.lineno}, column {error.colno}", "JSON", error.msg) from None
    except (ValueError, RecursionError) as error:
        raise InputError("", "JSON", one_line(error)) from None
    return document_content(document)


def _read_yaml(path: Path) -> Content:
    text = _whole_text(path)
    try:
        document = yaml.load_document(text)
    except yaml.YamlError as error:
        raise InputError(f"line {error.line}, column {error.column}", "YAML", one_line(error.problem)) from None
    if document.repeated:
        name, line = document.repeated[0]
        raise InputError(f"line {line}", "each name once", f"{name[-1]!r} again")
    return document_content(document.value)


def _whole_text(path: Path) -> str:
    with _text(path) as file:
        text = file.read()
    if not text.strip():
        raise InputError("", "predictions or a matrix of counts", "an empty file")
    return text


_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_DAMAGED_ARRAYS = (*DAMAGED, SyntaxError, TokenError, TypeError)
"""What numpy raises for an archive that it cannot read."""


def _read_npz(path: Path) -> Content:
    try:
        _require_room_for_arrays(path)
        with np.load(path, allow_pickle=False) as archive:
            require_once(archive.files)
            return columns_content({name: _array(archive, name) for name in archive.files})
    except InputError:
        raise
    except _DAMAGED_ARRAYS:
        raise InputError("", "arrays as numpy.savez writes them", "a damaged file or another format") from None


def _require_room_for_arrays(path: Path) -> None:
    """Raise `InputError` for arrays that are too large, before numpy makes room for what they say that they hold."""
    total = 0
    with ZipFile(path) as archive:
        for member in archive.infolist():
            require_room(total + member.file_size, member.filename)
            with archive.open(member) as file:
                total += max(_declared_size(file), member.file_size)
            require_room(total, member.filename)


def _declared_size(file: IO[bytes]) -> int:
    """Return as many bytes as an array says that it has; 0 for something else."""
    start = file.read(npy.MAGIC_LEN)
    if not start.startswith(npy.MAGIC_PREFIX):
        return 0
    shape, _, dtype = _HEADERS[tuple(start[-2:])](file)  # type: ignore[index]
    return prod(max(abs(length), 1) for length in (*shape, dtype.itemsize))


def _array(archive: Mapping[str, Any], name: str) -> Any:
    try:
        array = np.asarray(archive[name])
    except ValueError as error:
        if "Object arrays" not in str(error):
            raise
        advice = "Save it with .astype(str), or as numbers."
        raise InputError(name, "an array of numbers or text", "Python objects", advice) from None
    return array.astype(str) if array.dtype.kind == "M" else array  # Python has no nanoseconds


_POINTER = 8
"""Bytes of a value in a list, however few it has in a file."""


def _read_parquet(path: Path) -> Content:
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
        names = table.column_names
        require_once(names)
        if not holds_predictions(names):
            raise wrong_columns(names)
        columns = [each.cast("string") if types.is_temporal(each.type) else each for each in table.columns]
        return Table(dict(zip(names, [column.to_pylist() for column in columns], strict=True)))
    except (ArrowException, UnicodeDecodeError) as error:
        raise InputError("", "a Parquet file", one_line(error)) from None


_READERS: dict[str, Callable[[Path], Content]] = {
    ".csv": _read_csv,
    ".csv.gz": _read_csv,
    ".json": _read_json,
    ".json.gz": _read_json,
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
    ".npz": _read_npz,
    ".parquet": _read_parquet,
}
