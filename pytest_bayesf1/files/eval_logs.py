"""Logs of Inspect, lm-evaluation-harness and promptfoo as tables of predictions.

Of an archive the summaries of the samples are read, not their transcripts, which may be a thousand times as long.

A line per document and filter, as ``lm_eval --log_samples`` writes them.
"""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeGuard, TypeVar
from zipfile import ZipFile

from pytest_bayesf1._util import counted, each_key_once, first_few
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.tables import (
    DAMAGED,
    ID,
    RUN,
    VALUE,
    Bounded,
    Table,
    holds_predictions,
    open_zip,
    outcomes,
    renamed,
    require_room,
    wrong_columns,
)
from pytest_bayesf1.settings import expected

T = TypeVar("T")

_DEEPEST = 5


@dataclass(frozen=True)
class Log:
    """What an evaluation logged.

    Attributes
    ----------
    tool
        The program that wrote it.
    rows
        Of each answer what is known of it, by its path in the log, such as ``scores.match.value``.
    grades
        The columns that say how good an answer is, of which one is compared unless other columns are asked for.
    one_each
        Columns that tell which of several systems an answer is of.
    notes
        What a careful reader of a result should know of how the log was read.
    """

    tool: str
    rows: Sequence[Mapping[str, Any]]
    grades: Sequence[str]
    one_each: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def table(self, names: Mapping[str, str], lines: Sequence[int] | None = None) -> Table:
        """Make a table of it."""
        if not self.rows:
            raise InputError("", f"answers in this log of {self.tool}", "none")
        found = dict.fromkeys(name for row in self.rows for name in row)
        columns: dict[str, Any] = {name: [row.get(name) for row in self.rows] for name in found}
        notes = self.notes
        if not outcomes(names):
            grade = self._only_grade()
            columns[VALUE] = columns[grade]
            notes = (f"{grade!r} of this log of {self.tool} is compared.", *notes)
        columns = renamed(columns, names)
        if not holds_predictions(columns):
            raise wrong_columns(columns)
        return Table(columns, lines=lines, one_each=tuple(each for each in self.one_each if each in found), notes=notes)

    def _only_grade(self) -> str:
        if len(self.grades) == 1:
            return self.grades[0]
        found, which = (f"several: {first_few(self.grades, 10)}", self.grades[0]) if self.grades else ("none", "...")
        advice = f"Say which: columns: {{{VALUE}: {which}}} in a gate file, --column {VALUE}={which}."
        raise InputError("", f"one grade for every answer in this log of {self.tool}", found, advice)


def checked(kind: type[T], value: object, lines: Sequence[int] | None = None) -> T:
    """Read a part of a log."""
    from pydantic import TypeAdapter, ValidationError  # noqa: PLC0415 (other files need none)

    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        first, *others = detail["loc"] or ("",)
        if isinstance(first, int):
            first = f"record {first + 1}" if lines is None else f"line {lines[first]}"
        place = ".".join(map(str, others))
        where = f"{first}, {place}" if place else str(first)
        raise InputError(where, expected(detail, mapping="an object"), f"{detail['input']!r:.80}") from None


def scalars(path: str, value: object) -> Iterator[tuple[str, Any]]:
    """Find the texts, numbers and booleans below a field of a log."""
    if isinstance(value, Mapping):
        if path.count(".") < _DEEPEST:
            for key, inner in value.items():
                yield from scalars(f"{path}.{key}", inner)
    elif value is None or isinstance(value, str | int | float):
        yield path, value


INSPECT = "inspect_ai"
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partly, incorrect, no answer: what inspect_ai's own metrics take them for."""

_FINISH = "Finish it: inspect eval-retry LOG."
_ZSTANDARD = (
    "Install what unpacks Zstandard: pip install pytest-bayesf1[inspect]; or write the log as JSON: "
    "inspect log convert --to json --output-dir DIR LOG."
)


@dataclass(frozen=True)
class _Score:
    """What a scorer said of a sample."""

    value: Any
    answer: Any = None
    explanation: str | None = None


@dataclass(frozen=True)
class _InspectSample:
    """A sample, once per epoch."""

    id: int | str
    epoch: int
    input: Any = None
    target: str | list[str] = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    scores: dict[str, _Score] | None = None


@dataclass(frozen=True)
class _Header:
    """What the log says of the whole run."""

    status: Literal["started", "success", "cancelled", "error"]


def read_eval(path: Path, names: Mapping[str, str]) -> Table:
    """Read a log in an archive."""
    try:
        with open_zip(path) as archive:
            header, summaries = (_document(archive, name) for name in ("header.json", "summaries.json"))
    except InputError:
        raise
    except NotImplementedError:
        raise InputError("", "an archive that can be unpacked", "another compression", _ZSTANDARD) from None
    except DAMAGED:
        raise InputError("", f"a log of {INSPECT}", "a damaged file or another format") from None
    return _inspect_table(header, summaries, names)


def _document(archive: ZipFile, name: str) -> Any:
    if name not in archive.namelist():
        raise InputError("", f"a log of a run that has finished, with {name}", "none", _FINISH)
    require_room(archive.getinfo(name).file_size, name)
    with archive.open(name) as file:
        return json.load(io.BufferedReader(Bounded(file)), object_pairs_hook=each_key_once)


def _inspect_table(header: object, samples: object, names: Mapping[str, str]) -> Table:
    status = checked(_Header, header).status
    if status != "success":
        raise InputError("status", "a run that has finished, 'success'", repr(status), _FINISH)
    # the last of what was retried
    found = {(each.id, each.epoch): each for each in checked(list[_InspectSample], samples)}.values()
    rows = [dict(_inspect_row(each)) for each in found]
    if any(isinstance(each.id, str) for each in found):
        rows = [{**row, ID: str(row[ID])} for row in rows]
    grades = dict.fromkeys(path for each in found for path, _ in _grades(each))
    return Log(INSPECT, rows, [*grades]).table(names)


def _inspect_row(sample: _InspectSample) -> Iterator[tuple[str, Any]]:
    yield ID, sample.id
    yield RUN, sample.epoch
    yield from scalars("input", sample.input)
    target = sample.target
    yield "target", target[0] if isinstance(target, list) and len(target) == 1 else target
    yield from scalars("metadata", sample.metadata)
    yield from _grades(sample)
    for name, score in (sample.scores or {}).items():
        yield from scalars(f"scores.{name}.answer", score.answer)
        yield from scalars(f"scores.{name}.explanation", score.explanation)


def _grades(sample: _InspectSample) -> Iterator[tuple[str, Any]]:
    """Find every number that a scorer gave, of which there may be several."""
    for name, score in (sample.scores or {}).items():
        for path, value in scalars(f"scores.{name}.value", score.value):
            yield path, _GRADES.get(value, value) if isinstance(value, str) else value


LM_EVAL = "lm-evaluation-harness"
_LM_EVAL_ALWAYS = {"doc_id", "target", "filtered_resps", "resps"}


@dataclass(frozen=True)
class _LmEvalSample:
    """A document, as one filter reads the answers; beside these fields a record has the metrics."""

    doc_id: int | str
    target: Any
    filtered_resps: list[Any]
    doc: Any = None
    filter: str = "none"
    metrics: list[str] | None = None


def _lm_eval_table(records: Sequence[Any], names: Mapping[str, str], lines: Sequence[int] | None) -> Table:
    samples = checked(list[_LmEvalSample], records, lines)
    metrics = [*dict.fromkeys(name for each in zip(samples, records, strict=True) for name in _metrics(*each))]
    rows = [
        {**dict(_lm_eval_row(sample)), **{name: record.get(name) for name in metrics}}
        for sample, record in zip(samples, records, strict=True)
    ]
    return Log(LM_EVAL, rows, metrics, one_each=("filter",)).table(names, lines)


def _metrics(sample: _LmEvalSample, record: Mapping[str, Any]) -> list[str]:
    """Return the names of the metrics; older logs do not list them."""
    if sample.metrics is not None:
        return [name for name in sample.metrics if name in record]
    return [name for name, value in record.items() if isinstance(value, float | bool)]


def _lm_eval_row(sample: _LmEvalSample) -> Iterator[tuple[str, Any]]:
    yield ID, sample.doc_id
    yield "filter", sample.filter
    yield from scalars("doc", sample.doc)
    yield from scalars("target", sample.target)
    yield "answer", _answer(sample.filtered_resps)


def _answer(responses: list[Any]) -> str | None:
    """Return the text of the answer, or of several choices the position of the likeliest; else None."""
    first = responses[0] if responses else None
    if isinstance(first, str):
        return first
    likelihoods = [_likelihood(each) for each in responses]
    if len(likelihoods) < 2 or None in likelihoods:
        return None
    return str(likelihoods.index(max(each for each in likelihoods if each is not None)))


def _likelihood(response: Any) -> float | None:
    """Read the logarithm of a choice's likelihood, of which a response is the first part."""
    try:
        return float(response[0])
    except (LookupError, TypeError, ValueError):
        return None


PROMPTFOO = "promptfoo"
_PROMPTFOO_ALWAYS = {"provider", "prompt", "vars", "success"}
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


def _promptfoo_table(records: Sequence[Any], names: Mapping[str, str], lines: Sequence[int] | None) -> Table:
    results = checked(list[_Result], records, lines)
    n_errors = sum(each.failureReason == _AN_ERROR for each in results)
    notes = (f"{counted(n_errors, 'error')} in this log of {PROMPTFOO}, where there is no answer.",) if n_errors else ()
    one_each = ("provider.id", "provider.label", "prompt.label")
    rows = [dict(_promptfoo_row(each)) for each in results]
    return Log(PROMPTFOO, rows, ["success"], one_each, notes).table(names, lines)


def _promptfoo_row(result: _Result) -> Iterator[tuple[str, Any]]:
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


def read_log(document: object, names: Mapping[str, str], lines: Sequence[int] | None = None) -> Table | None:
    """Recognise a log by what it holds."""
    if isinstance(document, Mapping) and document.keys() >= {"status", "eval", "plan"}:
        return _inspect_table(document, document.get("samples", []), names)
    if isinstance(document, Mapping):
        inner = document.get("results")
        document = inner.get("results") if isinstance(inner, Mapping) else None
    elif _are_records(document, _LM_EVAL_ALWAYS):
        return _lm_eval_table(document, names, lines)
    return _promptfoo_table(document, names, lines) if _are_records(document, _PROMPTFOO_ALWAYS) else None


def _are_records(document: object, always: set[str]) -> TypeGuard[list[Any]]:
    """Whether these are records, the first of which has certain fields."""
    first = document[0] if isinstance(document, list) and document else None
    return isinstance(first, Mapping) and first.keys() >= always
