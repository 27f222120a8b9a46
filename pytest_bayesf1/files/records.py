"""Records of JSON: documents and lines of them, and their fields by path, such as ``expected.label``."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

from pytest_bayesf1.errors import InputError, within
from pytest_bayesf1.files.opening import open_text, unpacked_name
from pytest_bayesf1.text import flowed
from pytest_bayesf1.values import each_key_once

Lines: TypeAlias = Sequence[int] | None
"""The line of every record, in a file of lines."""

LINES = (".jsonl", ".ndjson")
_DEEPEST = 20


def read_json(path: Path) -> tuple[Any, Lines]:
    """Read a document, or the documents of a file whose suffix says that it has one on every line."""
    text = whole_text(path)
    if Path(unpacked_name(path)).suffix.lower() in LINES:
        return _of_lines(text.rstrip().split("\n"))
    try:
        return _parsed(text), None
    except json.JSONDecodeError as error:
        raise InputError.plain(f"line {error.lineno}, column {error.colno}", f"Not JSON: {error.msg}") from None


def _of_lines(lines: Sequence[str]) -> tuple[list[Any], Lines]:
    records = []
    for number, line in enumerate(lines, 1):
        with within(f"line {number}"):
            if not line.strip():
                raise InputError.plain("", "A blank line between rows", "Delete it.")
            try:
                records.append(_parsed(line))
            except json.JSONDecodeError as error:
                raise InputError.plain(f"column {error.colno}", f"Not JSON: {error.msg}") from None
    return records, range(1, len(records) + 1)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=each_key_once)
    except (InputError, json.JSONDecodeError):
        raise
    except (ValueError, RecursionError) as error:
        raise InputError.plain("", f"Not JSON: {flowed(error)}") from None


def whole_text(path: Path) -> str:
    """Read a text file that must not be empty."""
    with open_text(path) as file:
        text = file.read()
    if not text.strip():
        raise InputError.plain("", "The file is empty")
    return text


def at(value: object, path: str) -> Any:
    """Follow a path of names, which may have dots; None if it leads nowhere.

    Examples
    --------
    >>> at({"run": {"f1.score": 1}}, "run.f1.score")
    1
    """
    if not isinstance(value, Mapping):
        return None
    if path in value:
        return value[path]
    head, dot, rest = path.partition(".")
    while dot:
        if head in value and (found := at(value[head], rest)) is not None:
            return found
        more, dot, rest = rest.partition(".")
        head = f"{head}.{more}"
    return None


def fields(record: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the path and value of every field that is no object itself."""
    for name, value in record.items():
        if isinstance(value, Mapping):
            if above.count(".") < _DEEPEST:
                yield from fields(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def columns_of(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Make a column of every field of some record; None where one lacks it."""
    nested = any(dict in map(type, record.values()) for record in records)
    flat = [dict(fields(record)) for record in records] if nested else records
    names = dict.fromkeys(name for record in flat for name in record)
    return {name: [record.get(name) for record in flat] for name in names}


def are_records(value: object) -> TypeGuard[list[Any]]:
    """Whether this is a list that holds objects."""
    return isinstance(value, list) and any(isinstance(each, Mapping) for each in value)
