"""A file of any format -> what it holds; the suffix tells the format."""

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from pytest_bayesf1._util import each_key_once, one_line
from pytest_bayesf1.data.frames import wide_encoding
from pytest_bayesf1.errors import InputError, within
from pytest_bayesf1.files import yaml
from pytest_bayesf1.files.archives import Bounded
from pytest_bayesf1.files.conll import read_conll
from pytest_bayesf1.files.content import Content, Table
from pytest_bayesf1.files.csv import SEPARATORS, TAB, read_csv
from pytest_bayesf1.files.logs.inspect_ai import read_eval
from pytest_bayesf1.files.npz import read_npz
from pytest_bayesf1.files.parquet import read_parquet
from pytest_bayesf1.files.plain_values import document_content
from pytest_bayesf1.files.reading import AS_IT_IS, Reading
from pytest_bayesf1.files.selection import selected


def read_content(path: Path, reading: Reading = AS_IT_IS) -> Content:
    """Read a file of any of the formats; its suffix tells which.

    Raises
    ------
    InputError
        When it cannot be read, with the place in the file where there is one; or when it holds counts, and columns or
        rows are asked for.
    """
    name = path.name.lower()
    reader = next((reader for suffix, reader in _READERS.items() if name.endswith(suffix)), None)
    if reader is None:
        raise InputError("", f"a file that ends in {', '.join(_READERS)}", repr(path.name))
    try:
        content = reader(path, dict(reading.columns))
    except FileNotFoundError:
        raise InputError("", "a file", "no such file") from None
    except IsADirectoryError:
        raise InputError("", "a file", "a directory") from None
    except OSError as error:
        raise InputError("", "a file that can be read", one_line(error.strerror or error)) from None
    if isinstance(content, Table):
        return selected(content, dict(reading.rows))
    if reading.columns or reading.rows:
        raise InputError("", "predictions, which alone have columns to name and rows to choose", "a matrix of counts")
    return content


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


def _read_csv(path: Path, names: Mapping[str, str], separators: str = SEPARATORS) -> Content:
    with _text(path) as text:
        return read_csv(text, names, separators)


def _read_json(path: Path, names: Mapping[str, str]) -> Content:
    text = _whole_text(path)
    try:
        return document_content(_parsed_json(text), names)
    except json.JSONDecodeError as error:
        raise InputError(f"line {error.lineno}, column {error.colno}", "JSON", error.msg) from None


def _read_json_lines(path: Path, names: Mapping[str, str]) -> Content:
    """Read a JSON document off every line."""
    records = []
    for number, line in enumerate(_whole_text(path).rstrip().split("\n"), 1):
        with within(f"line {number}"):
            try:
                records.append(_parsed_json(line))
            except json.JSONDecodeError as error:
                raise InputError(f"column {error.colno}", "JSON", error.msg) from None
    return document_content(records, names, range(1, len(records) + 1))


def _parsed_json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=each_key_once)
    except (InputError, json.JSONDecodeError):
        raise
    except (ValueError, RecursionError) as error:
        raise InputError("", "JSON", one_line(error)) from None


def _read_conll(path: Path, names: Mapping[str, str]) -> Content:
    if names:
        raise InputError("", "a file whose columns have names", "CoNLL columns, which have none")
    with _text(path) as text:
        return read_conll(text)


def _read_yaml(path: Path, names: Mapping[str, str]) -> Content:
    text = _whole_text(path)
    try:
        document = yaml.load_document(text)
    except yaml.YamlError as error:
        raise InputError(f"line {error.line}, column {error.column}", "YAML", one_line(error.problem)) from None
    if document.repeated:
        name, line = document.repeated[0]
        raise InputError(f"line {line}", "each name once", f"{name[-1]!r} again")
    return document_content(document.value, names)


def _whole_text(path: Path) -> str:
    with _text(path) as file:
        text = file.read()
    if not text.strip():
        raise InputError("", "predictions or a matrix of counts", "an empty file")
    return text


_read_tsv = partial(_read_csv, separators=TAB)

_READERS: dict[str, Callable[[Path, Mapping[str, str]], Content]] = {
    ".csv": _read_csv,
    ".csv.gz": _read_csv,
    ".tsv": _read_tsv,
    ".tsv.gz": _read_tsv,
    ".json": _read_json,
    ".json.gz": _read_json,
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
    ".npz": read_npz,
    ".parquet": read_parquet,
    ".jsonl": _read_json_lines,
    ".jsonl.gz": _read_json_lines,
    ".conll": _read_conll,
    ".conll.gz": _read_conll,
    ".bio": _read_conll,
    ".eval": read_eval,
}
