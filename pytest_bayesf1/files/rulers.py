"""Rulers: what graded the answers of an evaluation's log, as far as it says so."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, TypeAlias

from pytest_bayesf1.files.records import at
from pytest_bayesf1.writing import short_fingerprint

Ruler: TypeAlias = Mapping[str, str]
"""What it is made of, by name, such as ``scorer``; what a log does not say is left out."""

COMPARES = ("equals", "contains", "icontains", "starts-with")  # not a set: a type may be anything that JSON has
"""Assertions of promptfoo that need a text alone, which is the target."""
_LONGEST = 300
_BY_MODEL = re.compile(
    r"\bmodel_graded|"
    r'"(?:not-)?(?:llm-rubric|search-rubric|g-eval|factuality|answer-relevance|(?:model-graded|context)-\w+)"'
)
"""Scorers of Inspect and assertions of promptfoo by which a model grades."""


def is_judge(ruler: Ruler) -> bool:
    """Whether a model graded, as far as the log says so."""
    return any(_BY_MODEL.search(text) for text in ruler.values())


def differences(was: Ruler, now: Ruler) -> tuple[Ruler, Ruler]:
    """Return what differs of two rulers, of what both say."""
    names = [name for name in was if was[name] != now.get(name, was[name])]
    return {name: was[name] for name in names}, {name: now[name] for name in names}


def described(ruler: Ruler) -> str:
    """Describe a ruler on one line."""
    return ", ".join(f"{name}: {value}" for name, value in ruler.items())


def all_described(rulers: Iterable[Ruler]) -> str | None:
    """Describe the rulers of all answers; several by their number and a checksum."""
    found = sorted({described(each) for each in rulers if each})
    if len(found) > 1:
        return f"{len(found):,} rulers of checksum {short_fingerprint(found)}"
    return found[0] if found else None


def scorers_of(document: object) -> dict[str, str]:
    """Return by name what Inspect says of its scorers: options, parameters, and the model that grades, if any."""
    options: dict[str, dict[str, Any]] = {}
    for each in _listed(document, "eval.scorers"):
        name = str(each.get("name")).rpartition("/")[2]
        numbered = (f"{name}{number or ''}" for number in count())
        options[next(each for each in numbered if each not in options)] = _mapping(each.get("options"))
    for each in _listed(document, "results.scores"):
        options.setdefault(str(each.get("scorer")), {}).update(_mapping(each.get("params")))
    grader = at(document, "eval.model_roles.grader.model")
    role = {} if grader is None else {"grader": grader}
    return {name: _written(name, said | role) for name, said in options.items()}


def _mapping(value: object) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}


def _listed(document: object, path: str) -> list[Mapping[str, Any]]:
    found = at(document, path)
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []


def _written(name: str, options: Mapping[str, Any]) -> str:
    return _cut(f"{name} {json.dumps(options, sort_keys=True)}" if options else name)


def assertions_of(checks: object, provider: object, *, with_values: bool) -> str:
    """Write the assertions of a test of promptfoo, and who grades by them; with their values unless these are targets.

    A name that one is given for a report grades nothing.
    """
    written = []
    for check in checks if isinstance(checks, Sequence) else ():
        if not isinstance(check, Mapping):
            continue
        said = {key: value for key, value in check.items() if key != "metric" and (with_values or key != "value")}
        by = check.get("provider") or (None if check.get("type") in COMPARES else provider)
        if by:
            said["provider"] = by.get("id", by) if isinstance(by, Mapping) else by
        written.append(said)
    return _cut(json.dumps(written, sort_keys=True)) if written else ""


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… of checksum {short_fingerprint([text])}"
