"""Reading `report.json`.

Whatever is not as that version wrote it stays as it is, to be refused by the check of today's documents.
"""

import json
import reprlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from pytest_bayesf1._util import each_key_once
from pytest_bayesf1.errors import ReportError
from pytest_bayesf1.reports.entry import FORMAT, VERSION, AnyEntry, Document, Report, Verdicts, verdict_of
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.settings import expected

_Object: TypeAlias = dict[str, Any]

_NEW_IN_DOCUMENTS_2: _Object = {"complete": True, "missing": [], "changed": []}
_NEW_IN_ENTRIES_2: _Object = {"file": "", "line": 0, "part": ""}
_NEW_IN_COMPARISONS_2: _Object = {"largest_moves": [], "agreement": None, "prior_density": None, "breakdown": None}

_NEW_IN_ENTRIES_3: _Object = {"policy": ""}
_NEW_IN_RESULTS_3: _Object = {**_NEW_IN_ENTRIES_3, "never_true": []}
_NEW_IN_COMPARISONS_3: _Object = {**_NEW_IN_RESULTS_3, "can_fail": True, "paired_outcomes": None}

_NEW_IN_DOCUMENTS_4: _Object = {"run": {"commit": "", "branch": "", "date": "", "notes": {}}, "together": None}
_NEW_IN_RESULTS_4: _Object = {"units": None}
_NEW_IN_COMPARISONS_4: _Object = {
    **_NEW_IN_RESULTS_4,
    "changes": None,
    "groups": [],
    "trend": None,
    "sight": None,
    "stated_agreement": None,
}
_NEW_IN_BREAKDOWNS_4: _Object = {"if_agreed": None}
_NEW_IN_COUNTS_4: _Object = {"expected": 0}


def upgraded(document: _Object) -> _Object:
    """Bring a document of an older version up to date; anything else stays as it is."""
    for version, to_next_version in ((1, _to_version_2), (2, _to_version_3), (3, _to_version_4)):
        if document.get("version") == version and isinstance(document.get("entries"), list):
            document = to_next_version(document)
    return document


def _to_version_2(document: _Object) -> _Object:
    return {
        **_NEW_IN_DOCUMENTS_2,
        **document,
        "version": 2,
        "counts": _with({"error": 0}, document.get("counts")),
        "entries": _each(document["entries"], _entry_to_version_2),
    }


def _entry_to_version_2(entry: _Object) -> _Object:
    new_in_results = {**_NEW_IN_ENTRIES_2, "measure_words": entry.get("measure"), "trace": None}
    match entry.get("kind"):
        case "comparison":
            sides: _Object = {side: _score(entry[side]) for side in ("baseline", "candidate") if side in entry}
            return {**new_in_results, **_NEW_IN_COMPARISONS_2, **entry, **sides}
        case "estimate":
            return {**new_in_results, **entry, "score": _score(entry.get("score"))}
    return {**_NEW_IN_ENTRIES_2, **entry}


def _score(score: Any) -> Any:
    return _with({"density": None}, score)


def _to_version_3(document: _Object) -> _Object:
    return {
        **document,
        "version": 3,
        "verdict": _verdict(document),
        "findings": [],
        "counts": _with({"undecided": 0}, document.get("counts")),
        "entries": _each(document["entries"], _entry_to_version_3),
    }


def _verdict(document: _Object) -> str:
    """Return what the counts say; of counts that say nothing any, for they are refused anyway."""
    try:
        counts = Verdicts(**document["counts"], undecided=0, expected=0)
        return verdict_of(counts, complete=document["complete"], loosened=False, undecided=False)
    except (KeyError, TypeError):
        return "none"


def _entry_to_version_3(entry: _Object) -> _Object:
    match entry.get("kind"):
        case "comparison" if isinstance(entry.get("companions"), list):
            return {**_NEW_IN_COMPARISONS_3, **entry, "companions": _each(entry["companions"], _test_to_version_3)}
        case "comparison":
            return {**_NEW_IN_COMPARISONS_3, **entry}
        case "estimate":
            return {**_NEW_IN_RESULTS_3, **entry}
    return {**_NEW_IN_ENTRIES_3, **entry}


def _test_to_version_3(test: _Object) -> _Object:
    return {"of": "accuracy" if test.get("name") == "p-test" else "", **test}


def _to_version_4(document: _Object) -> _Object:
    return {
        **_NEW_IN_DOCUMENTS_4,
        **document,
        "version": 4,
        "counts": _with(_NEW_IN_COUNTS_4, document.get("counts")),
        "entries": _each(document["entries"], _entry_to_version_4),
    }


def _entry_to_version_4(entry: _Object) -> _Object:
    match entry.get("kind"):
        case "comparison":
            parts = {"breakdown": _with(_NEW_IN_BREAKDOWNS_4, entry["breakdown"])} if "breakdown" in entry else {}
            return {**_NEW_IN_COMPARISONS_4, **entry, **parts}
        case "estimate":
            return {**_NEW_IN_RESULTS_4, **entry}
    return entry


def _with(new: _Object, value: Any) -> Any:
    """Add what is new to an object that lacks it."""
    return {**new, **value} if isinstance(value, dict) else value


def _each(values: list[Any], upgrade: Callable[[_Object], _Object]) -> list[Any]:
    """Upgrade the objects of a list."""
    return [upgrade(value) if isinstance(value, dict) else value for value in values]


LARGEST = 25_000_000
"""Bytes of the largest document that is read: some three thousand comparisons, and memory that any machine has."""

_MOST_PROBLEMS = 10


class _NotJsonError(ValueError):
    """Text that Python's reader takes and JSON does not allow, or that says two things at once."""


def load_report(path: Path) -> Report:
    """Read a report.json."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise ReportError([f"{path}: {error.strerror or error}"]) from None
    _require_small(content, str(path))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReportError([f"{path}: expected UTF-8, got {error.reason} at byte {error.start}"]) from None
    return read_report(text, str(path))


def read_report(text: str, where: str = "report.json") -> Report:
    """Read what `Report.to_json` wrote; ``where`` names it in errors."""
    _require_small(text, where)
    try:
        document = json.loads(text, object_pairs_hook=each_key_once, parse_constant=_refuse)
        _require_version(document)
        document = _document_adapter().validate_python(upgraded(document))
    except ValidationError as error:
        raise ReportError(f"{where}: {problem}" for problem in _told(error)) from None
    except json.JSONDecodeError as error:
        found = f"text that is damaged or cut off ({error.msg})"
        place = f"{where}: line {error.lineno}, column {error.colno}"
        raise ReportError([f"{place}: expected JSON, got {found}"]) from None
    except RecursionError:
        raise ReportError([f"{where}: expected a report, got JSON that is nested too deeply"]) from None
    except ValueError as error:
        raise ReportError([f"{where}: {error}"]) from None
    report = Report.of(document.entries, document.missing, document.changed, document.findings, document.run)
    report = replace(report, versions=document.versions)
    _require_consistent(report, document, where)
    return report


def read_entry(told: Any) -> AnyEntry:
    """Read an entry that another process of the same run wrote."""
    return _entry_adapter().validate_python(told)


@cache
def _document_adapter() -> TypeAdapter[Document]:
    return TypeAdapter(Document)


@cache
def _entry_adapter() -> TypeAdapter[AnyEntry]:
    return TypeAdapter(AnyEntry)


def _require_small(content: bytes | str, where: str) -> None:
    if len(content) > LARGEST:
        raise ReportError([f"{where}: expected at most {LARGEST // 1_000_000} MB, got more"])


def _refuse(constant: str) -> NoReturn:
    raise _NotJsonError(f"expected JSON, which has null for a number that is none, got {constant}")


def _require_version(document: object) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _NotJsonError(f"expected the format {FORMAT!r}, got something else")
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        advice = "Install the newer pytest-bayesf1 that wrote it."
        raise _NotJsonError(f"expected format version {VERSION}, got {version}. {advice}")


def _require_consistent(report: Report, document: Document, where: str) -> None:
    right = report.document()
    for name in ("complete", "counts", "verdict"):
        said, found = getattr(right, name), getattr(document, name)
        if found != said:
            problem = f"{name}: expected {plain(said)}, as the rest says, got {plain(found)}"
            raise ReportError([f"{where}: {problem}"])


def _told(error: ValidationError) -> Iterator[str]:
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
