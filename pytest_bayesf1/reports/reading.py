"""Reading `report.json`."""

import json
import reprlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from pytest_bayesf1.errors import NOT_FOUND, ReportError
from pytest_bayesf1.reports.entry import FORMAT, VERSION, AnyEntry, Report
from pytest_bayesf1.reports.record import GateRecord
from pytest_bayesf1.results.run import FileUse, Use
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.values import each_key_once, expected

_MOST_PROBLEMS = 10


def load_report(path: Path) -> Report:
    """Read a report.json."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ReportError([f"{path}: {'. '.join(NOT_FOUND)}"]) from None
    except OSError as error:
        raise ReportError([f"{path}: {error.strerror or error}"]) from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReportError([f"{path}: expected UTF-8, got {error.reason} at byte {error.start}"]) from None
    return read_report(text, str(path))


def read_report(text: str, where: str = "report.json") -> Report:
    """Read what `Report.to_json` wrote; ``where`` names it in errors."""
    try:
        document = json.loads(text, object_pairs_hook=each_key_once, parse_constant=_refuse)
        _require_version(document)
        said = _adapter(Report).validate_python(document)
    except ValidationError as error:
        raise ReportError(f"{where}: {problem}" for problem in _problems(error)) from None
    except json.JSONDecodeError as error:
        found = f"text that is damaged or cut off ({error.msg})"
        place = f"{where}: line {error.lineno}, column {error.colno}"
        raise ReportError([f"{place}: expected JSON, got {found}"]) from None
    except RecursionError:
        raise ReportError([f"{where}: expected a report, got JSON with too deep nesting"]) from None
    except ValueError as error:
        raise ReportError([f"{where}: {error}"]) from None
    report = Report.of(said.entries, said.missing, said.changed, said.findings, said.run, said.attempts)
    _require_consistent(report, said, where)
    return replace(report, versions=said.versions)


def read_record(data: Any) -> GateRecord:
    """Read a record that another process of the same run wrote."""
    entries = tuple(map(_adapter(AnyEntry).validate_python, data["entries"]))
    files = tuple(FileUse(Use(each["use"]), each["path"], each["read"]) for each in data["files"])
    return GateRecord(**{**data, "entries": entries, "files": files})


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"expected JSON, which has null for a number that is none, got {constant}")


def _require_version(document: object) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"expected the format {FORMAT!r}, got something else")
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        advice = "Install the newer pytest-bayesf1 that wrote it."
        raise ValueError(f"expected format version {VERSION}, got {version}. {advice}")


def _require_consistent(right: Report, report: Report, where: str) -> None:
    for name in ("complete", "counts", "verdict"):
        expected_value, found = getattr(right, name), getattr(report, name)
        if found != expected_value:
            problem = f"{name}: expected {plain(expected_value)}, as the rest says, got {plain(found)}"
            raise ReportError([f"{where}: {problem}"])


def _problems(error: ValidationError) -> Iterator[str]:
    details = error.errors(include_url=False)
    for detail in details[:_MOST_PROBLEMS]:
        yield f"{_place(detail['loc'])}: expected {expected(detail, mapping='an object')}, got {_found(detail)}"
    if len(details) > _MOST_PROBLEMS:
        yield f"and {len(details) - _MOST_PROBLEMS:,} more problems"


def _place(loc: tuple[int | str, ...]) -> str:
    """Write a place as in ``entries[3].hdi[0]``, without the kind that pydantic puts behind an entry's number."""
    steps = loc if loc[0] != "entries" else (*loc[:2], *loc[3:])
    written = (f"[{step}]" if isinstance(step, int) else f".{_key(step)}" for step in steps)
    return "".join(written).removeprefix(".")


def _key(name: str) -> str:
    return name if name.isidentifier() and name.isascii() and len(name) <= 40 else reprlib.repr(name)


def _found(detail: ErrorDetails) -> str:
    if detail["type"] == "missing":
        return "nothing"
    return f"{reprlib.repr(detail['input']):.80}"
