"""One reader per file format: CSV, JSON, NPZ, Parquet; others have a module of their own.

Each makes columns of a file, by the names that the file has, or raises `InputError` with the place in it.
"""

import csv
import re
import sys
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from math import prod
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any
from zipfile import ZipFile

import numpy as np
from numpy.lib import format as npy

from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.columns import COUNT, KNOWN, PREDICTED, SCORE, TRUE, VALUE, Columns, Schema, is_whole
from pytest_bayesf1.data.encoding import as_numbers
from pytest_bayesf1.errors import NOT_FOUND, InputError, shown
from pytest_bayesf1.files.conll import read_conll
from pytest_bayesf1.files.eval_logs import read_eval, read_log
from pytest_bayesf1.files.opening import LARGEST, PACKED, open_text, require_room, unpacked_name, whole
from pytest_bayesf1.files.records import LINES, are_records, columns_of, read_json
from pytest_bayesf1.git import is_lfs_pointer
from pytest_bayesf1.text import counted, flowed
from pytest_bayesf1.values import require_once

_CHUNK = 300  # rows, too few for the garbage collector to begin
_MOST_KNOWN = 10_000


_SQUARE = "a square matrix (M, M) of whole numbers"


def of_matrix(counts: Any, labels: Any = None) -> Columns:
    """Write a matrix as columns of its cells."""
    numbers = as_numbers(counts, "counts", _SQUARE)
    if not numbers.ndim:
        raise InputError("counts", "rows of counts", "a single number")
    names = [*range(len(numbers))] if labels is None else [*labels]
    if len(names) != len(numbers):
        raise InputError("labels", f"{len(numbers)} labels, one per row", str(len(names)))
    if numbers.ndim != 2 or numbers.shape[0] != numbers.shape[1] or numbers.size == 0:
        raise InputError("counts", _SQUARE, f"shape {numbers.shape}")
    true, predicted = (each.ravel().tolist() for each in np.indices(numbers.shape))
    cells = {TRUE: [names[row] for row in true], PREDICTED: [names[column] for column in predicted]}
    named = {} if labels is None else cells
    return Columns({**named, COUNT: numbers.ravel()}, labels=labels, kind=Kind.COUNTS)


def _read_csv(path: Path, schema: Schema, separator: str = ",") -> Columns:
    with _cells_of_any_length(), open_text(path) as lines:
        rows = _rows(lines, separator)
        line, header = next(rows, (1, []))
        if not header:
            raise InputError.plain("", "The file is empty")
        if all(map(_is_number, header)):
            return of_matrix([_numbers(row, at) for at, row in chain([(line, header)], rows)])
        names = [name.strip() for name in header]
        if len(names) == 1 and not re.match(KNOWN, names[0]) and names[0] not in dict(schema.columns).values():
            raise InputError(f"line {line}", f"columns separated by {_SEPARATORS[separator]}", shown(names[0]))
        return _csv_columns(rows, names)


@contextmanager
def _cells_of_any_length() -> Iterator[None]:
    limit = csv.field_size_limit(LARGEST)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


_SEPARATORS = {",": "commas", "\t": "tabs"}


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _numbers(row: Sequence[str], line: int) -> list[float]:
    for cell in row:
        if not (_is_number(cell) and is_whole(float(cell))):
            raise InputError(f"line {line}", "whole numbers of examples", repr(cell))
    return [*map(float, row)]


def _rows(lines: Iterator[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    """Split rows, all of as many cells as the first; blank lines may only stand at the end."""
    reader = csv.reader(lines, delimiter=separator, strict=True)
    start, width, blank = 1, 0, 0
    try:
        for row in reader:
            if not any(row) and len(row) != 1:  # spreadsheets write "" for each cell of a blank row
                blank = blank or start
            elif blank:
                raise InputError.plain(f"line {blank}", "A blank line between rows", "Delete it.")
            elif len(row) != (width or len(row)):
                raise InputError(f"line {start}", f"{counted(width, 'cell')}, as in the first row", str(len(row)))
            else:
                width = len(row)
                yield start, row
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError.plain(f"line {start}", f"Not CSV: {error}") from None


def _csv_columns(rows: Iterator[tuple[int, list[str]]], header: list[str]) -> Columns:
    columns: list[list[str]] = [[] for _ in header]
    lines = array("q")
    known: dict[str, str] = {}  # the same text once only
    while chunk := list(islice(rows, _CHUNK)):
        lines.extend([line for line, _ in chunk])
        for column, cells in zip(columns, zip(*[row for _, row in chunk], strict=True), strict=True):
            stripped = [*map(str.strip, cells)]
            column.extend(map(known.setdefault, stripped, stripped))
        if len(known) > _MOST_KNOWN:
            known.clear()
    kept = [(name, cells) for name, cells in zip(header, columns, strict=True) if name or any(cells)]
    require_once([name for name, _ in kept], "header")
    return Columns(dict(kept), lines=lines)


_KNOWN_FIRST = (TRUE, PREDICTED, SCORE, VALUE)


def _read_json(path: Path, schema: Schema) -> Columns:
    """Tell records, columns, counts and the logs of evaluations apart."""
    document, lines = read_json(path)
    names = dict(schema.columns)
    log = read_log(document, names, lines, path)
    if log is not None:
        return log
    if are_records(document):
        return _of_records(document, lines)
    if isinstance(document, Mapping):
        return _of_mapping(document, names)
    if not isinstance(document, list) or not document:
        found_type = type(document).__name__ if document else "nothing"
        raise InputError("", "a list of records, a mapping of columns or a matrix of counts", found_type)
    return of_matrix(document)


def _of_mapping(document: Mapping[str, Any], names: Mapping[str, str]) -> Columns:
    """Take the columns of a document; or counts, with their ``labels``."""
    columns = {**document}
    labels = columns.pop("labels", None)
    if "counts" in columns:
        return of_matrix(columns["counts"], labels)
    lists = {name: each for name, each in columns.items() if _is_column(each)}
    if not lists:
        return Columns({name: [value] for name, value in columns.items()}, labels=labels)
    first = next((name for name in (*names.values(), *_KNOWN_FIRST) if name in lists), next(iter(lists), ""))
    n_rows = len(lists.get(first, ()))
    for name in (*names.values(), *_KNOWN_FIRST):
        if name in columns and len(lists.get(name, ())) != n_rows:
            found = str(len(lists[name])) if name in lists else type(columns[name]).__name__
            raise InputError(name, f"{counted(n_rows, 'value')}, as in {first}", found)
    return Columns({name: each for name, each in lists.items() if len(each) == n_rows}, labels=labels)


def _is_column(value: object) -> bool:
    return isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _of_records(records: Sequence[object], lines: Sequence[int] | None) -> Columns:
    """Turn records into columns; what a record lacks is missing."""
    mappings = [record for record in records if isinstance(record, Mapping)]
    if len(mappings) < len(records):
        row, other = next((row, each) for row, each in enumerate(records) if not isinstance(each, Mapping))
        raise InputError(Columns({}, lines=lines).place(row), "a record, as the others are", type(other).__name__)
    return Columns(columns_of(mappings), lines=lines)


_OF_PRODIGY = {"_task_hash", "answer"}


def accepted(columns: Columns) -> Columns:
    """Keep what people accepted in Prodigy, if it is from there; what they rejected or ignored is no truth."""
    if not columns.values.keys() >= _OF_PRODIGY:
        return columns
    kept = [row for row, answer in enumerate(columns.column("answer")) if answer == "accept"]
    if len(kept) == len(columns):
        return columns
    left_out = (
        f"{len(columns) - len(kept):,} of {counted(len(columns), 'record')} of Prodigy left out, as not accepted."
    )
    return columns.take(kept).noting(left_out)


_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def _read_npz(path: Path, schema: Schema) -> Columns:
    """Read columns of predictions, or counts, by the names of the arrays."""
    with whole("a file of numpy.savez", SyntaxError, TokenError, TypeError):
        _require_room_for_arrays(path)
        with np.load(path, allow_pickle=False) as archive:
            require_once(archive.files)
            return _of_mapping({name: _array(archive, name) for name in archive.files}, dict(schema.columns))


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
        raise InputError.plain(name, "The array holds Python objects", advice) from None
    if array.dtype.kind == "U" and array.size and array.itemsize:
        codes = np.ascontiguousarray(array).view(array.dtype.str[0] + "u4")
        if codes.max() > sys.maxunicode:  # of which Python makes a SystemError
            raise InputError.plain(name, "The text has characters that Unicode does not have")
    return array.astype(str) if array.dtype.kind == "M" else array  # Python has no nanoseconds


_POINTER = 8
"""Bytes of a value in a list, however few it has in a file."""


def _read_parquet(path: Path, schema: Schema) -> Columns:  # noqa: ARG001
    """Read the columns of a file."""
    try:
        from pyarrow import ArrowException, parquet, types  # noqa: PLC0415 (only where it is needed: it is an extra)
    except ImportError:
        advice = "Install it: pip install pytest-bayesf1[parquet]"
        raise InputError.plain("", "Parquet needs pyarrow, which is missing here", advice) from None
    try:
        with path.open("rb") as file:
            content = parquet.ParquetFile(file)
            require_room(content.metadata.num_rows * content.metadata.num_columns * _POINTER)
            found = content.schema_arrow.names
            require_once(found)
            columns: list[list[Any]] = [[] for _ in found]
            for batch in content.iter_batches():  # of all at once, compiled code takes more memory than Python does
                batch.validate(full=True)  # before compiled code believes what offsets and indices say
                for values, each in zip(columns, batch.columns, strict=True):
                    values.extend(_shared((each.cast("string") if types.is_temporal(each.type) else each).to_pylist()))
        return Columns(dict(zip(found, columns, strict=True)))
    except (ArrowException, UnicodeDecodeError) as error:
        raise InputError.plain("", f"Not Parquet: {flowed(error)}") from None


def _shared(values: list[Any]) -> list[Any]:
    """Keep the same text once only, where few are different."""
    if set(map(type, values)) != {str} or len(known := {each: each for each in values}) > len(values) / 2:
        return values
    return list(map(known.__getitem__, values))


def _require_fetched(path: Path) -> None:
    if not path.is_file():
        return
    with path.open("rb") as file:
        if is_lfs_pointer(file.read(64)):
            advice = "Run git lfs pull; in GitHub Actions pass lfs: true to actions/checkout."
            raise InputError.plain("", "Git LFS keeps this file, and has not fetched its content", advice)


def read_raw(path: Path, schema: Schema) -> Columns:
    """Read a file of any of the formats, by the names that it has; its suffix tells the format."""
    try:
        _require_fetched(path)
        return reader_of(path)(path, schema)
    except FileNotFoundError:
        raise InputError.plain("", *NOT_FOUND) from None
    except IsADirectoryError:
        raise InputError.plain("", *_A_DIRECTORY) from None
    except OSError as error:
        raise InputError.plain("", f"Cannot read the file: {flowed(error.strerror or error)}") from None


_A_DIRECTORY = "This is a directory", "Name a file in it."


def reader_of(path: Path) -> Callable[[Path, Schema], Columns]:
    """Return what reads a file; raise `InputError` for a suffix of no format."""
    suffix = Path(unpacked_name(path)).suffix.lower()
    is_packed = path.suffix.lower() == PACKED
    if suffix in FORMATS and not (is_packed and suffix in _BINARY):
        return FORMATS[suffix]
    if not path.exists():
        raise InputError.plain("", *NOT_FOUND)
    if path.is_dir():
        raise InputError.plain("", *_A_DIRECTORY)
    raise InputError("", f"a file that ends in {', '.join(FORMATS)}, text also with {PACKED} after it", repr(path.name))


FORMATS: dict[str, Callable[[Path, Schema], Columns]] = {
    ".csv": _read_csv,
    ".tsv": partial(_read_csv, separator="\t"),
    **dict.fromkeys((".json", *LINES), _read_json),
    ".npz": _read_npz,
    ".parquet": _read_parquet,
    **dict.fromkeys((".conll", ".bio", ".iob", ".iob2"), read_conll),
    ".eval": read_eval,
}
"""By suffix what reads a file."""

_BINARY = (".npz", ".parquet", ".eval")
