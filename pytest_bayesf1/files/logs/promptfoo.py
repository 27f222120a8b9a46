"""Logs of promptfoo (https://www.promptfoo.dev): ``promptfoo eval -o results.json``, or ``.yaml``, or ``.jsonl``."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from pytest_bayesf1._util import counted
from pytest_bayesf1.files.columns import ID
from pytest_bayesf1.files.content import Table
from pytest_bayesf1.files.logs.log import Log, checked, scalars

TOOL = "promptfoo"
_ALWAYS = {"provider", "prompt", "vars", "success"}
_AN_ERROR = 2
"""`failureReason` of an answer that there is none of."""


@dataclass(frozen=True)
class _Provider:
    """What was asked."""

    id: str
    label: str | int | None = None


@dataclass(frozen=True)
class _Prompt:
    """How it was asked."""

    label: str | int | None = None


@dataclass(frozen=True)
class _Result:
    """What a provider answered to a prompt in a test."""

    provider: str | _Provider
    prompt: str | _Prompt
    vars: dict[str, Any]
    success: bool
    response: Any = None
    score: float = 0
    namedScores: dict[str, Any] = field(default_factory=dict)  # noqa: N815 (promptfoo's name for it)
    failureReason: int | None = None  # noqa: N815
    testIdx: int | None = None  # noqa: N815
    metadata: dict[str, Any] | None = None


def is_log(document: object) -> TypeGuard[Mapping[str, Any] | Sequence[Any]]:
    """Whether a document, or the records of a file of lines, are such a log."""
    results = _results(document)
    return isinstance(results, list) and bool(results) and _is_result(results[0])


def read_document(
    document: Mapping[str, Any] | Sequence[Any], names: Mapping[str, str], lines: Sequence[int] | None
) -> Table:
    """Read a log.

    Parameters
    ----------
    document
        The whole, or its results.
    names
        What the log calls the columns that are compared, where that is said.
    lines
        The line of each result, in a file of lines.

    Raises
    ------
    InputError
        When a result is not as promptfoo writes it, or nothing in it can be compared.
    """
    results = checked(list[_Result], _results(document), lines)
    n_errors = sum(each.failureReason == _AN_ERROR for each in results)
    notes = (f"{counted(n_errors, 'error')} in this log of {TOOL}, where there is no answer.",) if n_errors else ()
    one_each = ("provider.id", "provider.label", "prompt.label")
    return Log(TOOL, [dict(_row(each)) for each in results], ["success"], one_each, notes).table(names, lines)


def _results(document: object) -> Any:
    if isinstance(document, Mapping):
        inner = document.get("results")
        return inner.get("results") if isinstance(inner, Mapping) else None
    return document


def _is_result(record: object) -> bool:
    return isinstance(record, Mapping) and record.keys() >= _ALWAYS


def _row(result: _Result) -> Iterator[tuple[str, Any]]:
    if result.testIdx is not None:
        yield ID, result.testIdx
    provider, prompt = result.provider, result.prompt
    yield "provider.id", provider if isinstance(provider, str) else provider.id
    yield "provider.label", None if isinstance(provider, str) else provider.label
    yield "prompt.label", prompt if isinstance(prompt, str) else prompt.label
    yield from scalars("vars", result.vars)
    yield from scalars("metadata", result.metadata or {})
    if isinstance(result.response, Mapping):
        yield from scalars("response.output", result.response.get("output"))
    yield "success", int(result.success)
    yield "score", result.score
    yield from scalars("namedScores", result.namedScores)
