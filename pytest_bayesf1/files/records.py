"""Records of JSON: documents and lines of them, and their fields by path, such as ``expected.label``."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

from pytest_bayesf1.errors import InputError, shown, within
from pytest_bayesf1.files.opening import open_text
from pytest_bayesf1.text import counted, flowed
from pytest_bayesf1.values import each_key_once, require_once

Lines: TypeAlias = Sequence[int] | None
"""The line of every record, in a file of lines."""

_DEEPEST = 5
_NAMES = ("name", "key", "metric")
_LONGEST_POSITION = 9  # digits


def read_json(path: Path) -> tuple[Any, Lines]:
    """Read a document, or the documents of a file that has one on every line, whatever its name says."""
    text = whole_text(path)
    lines = text.rstrip().split("\n")
    if path.name.lower().partition(".json")[2].startswith(("l", "lines")) or ".ndjson" in path.name.lower():
        return _as_lines(lines, text)
    try:
        return _parsed(text), None
    except json.JSONDecodeError as error:
        if len(lines) > 1 and _is_document(lines[0]):
            return _as_lines(lines, "")
        raise InputError.plain(f"line {error.lineno}, column {error.colno}", f"Not JSON: {error.msg}") from None


def _as_lines(lines: Sequence[str], text: str) -> tuple[Any, Lines]:
    """Read a document off every line; else off the whole text, if there is one."""
    if text and len(lines) > 1 and not _is_document(lines[0]) and _is_document(text):
        return _parsed(text), None
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


def _is_document(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


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
    """Follow a path of names, and of positions in lists; None if it leads nowhere. Names may have dots.

    Objects that have names are found by these alone: in another file, or row, they may have other positions.

    Examples
    --------
    >>> at({"runs": [{"score": 1}]}, "runs.0.score"), at({"metrics": [{"name": "f1", "score": 1}]}, "metrics.f1.score")
    (1, 1)
    """
    if isinstance(value, list):
        value = _by_name(value) or value
    if isinstance(value, Mapping):
        if path in value:
            return value[path]
        head, dot, rest = path.partition(".")
        while dot:
            if head in value and (found := at(value[head], rest)) is not None:
                return found
            more, dot, rest = rest.partition(".")
            head = f"{head}.{more}"
    elif isinstance(value, list):
        head, _, rest = path.partition(".")
        if _is_position(head) and int(head) < len(value):
            return at(value[int(head)], rest) if rest else value[int(head)]
    return None


def _by_name(values: Sequence[object]) -> dict[str, Any]:
    """Return objects by their names; nothing if some have none, or two have the same."""
    for key in _NAMES:
        found = {each[key]: each for each in values if isinstance(each, Mapping) and isinstance(each.get(key), str)}
        if len(found) == len(values):
            return found
    return {}


def _is_position(text: str) -> bool:
    return text.isdecimal() and len(text) <= _LONGEST_POSITION


def fields(record: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the path and value of every field that is no object itself."""
    for name, value in record.items():
        if isinstance(value, Mapping):
            if above.count(".") < _DEEPEST:
                yield from fields(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def columns_of(
    records: Sequence[Mapping[str, Any]], paths: Iterable[str] = (), above: str = ""
) -> dict[str, list[Any]]:
    """Make a column of every field that some record has, and of every path that is asked for; None where one lacks it.

    Paths begin with that of the list of the records, ``above``.
    """
    nested = any(dict in map(type, record.values()) for record in records)
    flat = [dict(fields(record)) for record in records] if nested else records
    names = dict.fromkeys(name for record in flat for name in record)
    columns: dict[str, list[Any]] = {f"{above}{name}": [record.get(name) for record in flat] for name in names}
    for path in paths:
        if path not in columns and path.startswith(above):
            found = [at(record, path.removeprefix(above)) for record in records]
            if any(each is not None for each in found):
                columns[path] = found
    return columns


def are_records(value: object) -> TypeGuard[list[Any]]:
    """Whether this is a list that holds objects."""
    return isinstance(value, list) and any(isinstance(each, Mapping) for each in value)


def records_on(document: object, paths: Collection[str]) -> tuple[list[Any], str] | None:
    """Find the list of records that all paths lead through, and how their paths begin; None where there is none."""
    if are_records(document):
        return document, ""
    for path in paths:
        steps = path.split(".")
        for end in range(1, len(steps)):
            above = ".".join(steps[:end])
            found = at(document, above)
            if are_records(found) and not _is_position(steps[end]):
                if astray := [each for each in paths if not each.startswith(f"{above}.")]:
                    problem = f"{shown(path)} is a field of the list {shown(above)}, and {shown(astray[0])} is not"
                    raise InputError.plain("", problem, "Name fields of one list.")
                return found, f"{above}."
    return None


def known_fields(document: object, above: str = "", *, inside: bool = False) -> Iterator[str]:
    """Yield the paths of a document's fields as messages list them: those of lists by their first record."""
    if are_records(document):
        first = next(each for each in document if isinstance(each, Mapping))
        for step, each in (_by_name(document) or {"0": first}).items() if inside else [("", first)]:
            yield from known_fields(each, f"{above}{step}{'.' * inside}", inside=True)
    elif isinstance(document, Mapping):
        for path, value in fields(document):
            yield from known_fields(value, f"{above}{path}.", inside=inside)
    else:
        yield above.removesuffix(".")


def table_of(document: Mapping[str, Any], wanted: Collection[str]) -> dict[str, list[Any]] | None:
    """Return the columns of a table as pandas, MLflow and Weights & Biases write it in JSON; None for another document.

    pandas has an index beside the columns. One that does not merely count the rows holds their ids.
    """
    names, rows, schema = document.get("columns"), document.get("data"), document.get("schema")
    if (
        isinstance(names, list)
        and isinstance(rows, list)
        and all(isinstance(name, str) for name in names)
        and all(isinstance(row, list) for row in rows)
    ):
        for number, row in enumerate(rows, 1):
            if len(row) != len(names):
                expected = f"{counted(len(names), 'value')}, as there are columns"
                raise InputError(f"data, row {number}", expected, str(len(row)))
        require_once(names, "columns")
        return _with_index({name: [row[nth] for row in rows] for nth, name in enumerate(names)}, document.get("index"))
    if isinstance(schema, Mapping) and are_records(rows):
        columns = columns_of([each for each in rows if isinstance(each, Mapping)])
        key = schema.get("primaryKey")
        return _with_index(columns, columns.get(key[0]) if isinstance(key, list) and len(key) == 1 else None)
    parts = [*document.values()]
    if not parts or not all(isinstance(each, Mapping) and each.keys() == parts[0].keys() for each in parts):
        return None
    as_columns, as_rows = (sum(name in found for name in wanted) for found in (document, parts[0]))
    if as_columns > as_rows:
        return _with_index({name: [values[key] for key in parts[0]] for name, values in document.items()}, [*parts[0]])
    if as_rows > as_columns:
        return _with_index(columns_of(parts), [*document])
    return None


def _with_index(columns: dict[str, list[Any]], index: object) -> dict[str, list[Any]]:
    if "id" in columns or not isinstance(index, list) or [*map(str, index)] == [*map(str, range(len(index)))]:
        return columns
    return {"id": index, **columns}
