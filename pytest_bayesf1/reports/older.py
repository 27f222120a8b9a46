"""Documents of older versions, made into those of today: what was not written then is left out.

Whatever is not as that version wrote it stays as it is, to be refused by the check of today's documents.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from pytest_bayesf1.reports.document import Verdicts
from pytest_bayesf1.reports.verdict import verdict_of

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
