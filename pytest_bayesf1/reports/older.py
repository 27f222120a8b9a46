"""Documents of older versions, made into those of today: what was not written then is left out."""

from typing import Any, TypeAlias

from pytest_bayesf1.reports.document import Verdicts
from pytest_bayesf1.reports.verdict import verdict_of

_Object: TypeAlias = dict[str, Any]

_OF_VERSION_1: _Object = {"complete": True, "missing": [], "changed": []}
_OF_ENTRIES: _Object = {"file": "", "line": 0, "part": ""}
_OF_RESULTS_IN_VERSION_3: _Object = {"policy": "", "never_true": []}
_OF_COMPARISONS_IN_VERSION_3: _Object = {"can_fail": True, "paired_outcomes": None}
_OF_COMPARISONS: _Object = {"largest_moves": [], "agreement": None, "prior_density": None, "breakdown": None}


def upgraded(document: _Object) -> _Object:
    """Bring a document of an older version up to date; anything else stays as it is."""
    for version, next_version in ((1, _second), (2, _third)):
        if document.get("version") == version and isinstance(document.get("entries"), list):
            document = next_version(document)
    return document


def _second(document: _Object) -> _Object:
    counts = document.get("counts")
    return {
        **_OF_VERSION_1,
        **document,
        "version": 2,
        "counts": {"error": 0, **counts} if isinstance(counts, dict) else counts,
        "entries": [_entry(entry) if isinstance(entry, dict) else entry for entry in document["entries"]],
    }


def _third(document: _Object) -> _Object:
    counts = document.get("counts")
    return {
        **document,
        "version": 3,
        "verdict": _verdict(document),
        "findings": [],
        "counts": {"undecided": 0, **counts} if isinstance(counts, dict) else counts,
        "entries": [_newer_entry(entry) if isinstance(entry, dict) else entry for entry in document["entries"]],
    }


def _verdict(document: _Object) -> str:
    """Return what the counts say; of counts that say nothing any, for they are refused anyway."""
    try:
        counts = Verdicts(**document["counts"], undecided=0)
        return verdict_of(counts, complete=document["complete"], loosened=False, undecided=False)
    except (KeyError, TypeError):
        return "none"


def _newer_entry(entry: _Object) -> _Object:
    match entry.get("kind"):
        case "comparison":
            return _with_companions({**_OF_RESULTS_IN_VERSION_3, **_OF_COMPARISONS_IN_VERSION_3, **entry})
        case "estimate":
            return {**_OF_RESULTS_IN_VERSION_3, **entry}
    return {"policy": "", **entry}


def _with_companions(entry: _Object) -> _Object:
    if not isinstance(entry.get("companions"), list):
        return entry
    return {**entry, "companions": [_test(test) if isinstance(test, dict) else test for test in entry["companions"]]}


def _test(test: _Object) -> _Object:
    return {"of": "accuracy" if test.get("name") == "p-test" else "", **test}


def _entry(entry: _Object) -> _Object:
    match entry.get("kind"):
        case "comparison":
            sides: _Object = {side: _score(entry[side]) for side in ("baseline", "candidate") if side in entry}
            return {**_OF_ENTRIES, **_of_result(entry), **_OF_COMPARISONS, **entry, **sides}
        case "estimate":
            return {**_OF_ENTRIES, **_of_result(entry), **entry, "score": _score(entry.get("score"))}
    return {**_OF_ENTRIES, **entry}


def _of_result(entry: _Object) -> _Object:
    return {"measure_words": entry.get("measure"), "trace": None}


def _score(score: Any) -> Any:
    return {"density": None, **score} if isinstance(score, dict) else score
