"""Reading `report.json`."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from pytest_bayesf1.errors import ReportError
from pytest_bayesf1.reports.entry import FORMAT, VERSION, AnyEntry, Report
from pytest_bayesf1.reports.record import GateRecord
from pytest_bayesf1.results.run import FileUse, Use
from pytest_bayesf1.text import counted, cut

_LONGEST_PROBLEM = 300


def load_report(path: Path) -> Report:
    """Read a report.json."""
    try:
        return read_report(path.read_bytes(), str(path))
    except OSError as error:
        raise ReportError([f"{path}: {error.strerror or error}"]) from None


def read_report(text: str | bytes, where: str = "report.json") -> Report:
    """Read what `Report.to_json` wrote; ``where`` names it in errors. What follows from the entries is found anew."""
    try:
        document = json.loads(text)
        _require_version(document)
        said = _adapter(Report).validate_python(document)
    except ValidationError as error:
        raise ReportError([f"{where}: {_first_problem(error)}"]) from None
    except (ValueError, RecursionError) as error:
        raise ReportError([f"{where}: {error}"]) from None
    report = Report.of(said.entries, said.missing, said.changed, said.findings, said.run, said.attempts)
    return replace(report, versions=said.versions)


def read_record(data: Any) -> GateRecord:
    """Read a record that another process of the same run wrote."""
    entries = tuple(map(_adapter(AnyEntry).validate_python, data["entries"]))
    files = tuple(FileUse(Use(each["use"]), each["path"], each["read"], each["about"]) for each in data["files"])
    return GateRecord(**{**data, "entries": entries, "files": files})


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _require_version(document: object) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"expected the format {FORMAT!r}, got something else")
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        advice = "Install the newer pytest-bayesf1 that wrote it."
        raise ValueError(f"expected format version {VERSION}, got {version}. {advice}")


def _first_problem(error: ValidationError) -> str:
    first, *others = error.errors(include_url=False)
    place = ".".join(map(str, first["loc"]))
    more = f" ({counted(len(others), 'more problem')})" if others else ""
    problem = cut(f"{place}: {first['msg']}", _LONGEST_PROBLEM)
    return f"{problem}{more}"
