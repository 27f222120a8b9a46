"""Logs of Inspect, lm-evaluation-harness and promptfoo as tables of predictions; and the tasks of a run."""

import io
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeGuard, TypeVar
from zipfile import ZipFile

from pytest_bayesf1.choices import Runs
from pytest_bayesf1.errors import AmbiguousError, InputError, arg, shown
from pytest_bayesf1.files.tables import (
    DAMAGED,
    ID,
    RUN,
    VALUE,
    Bounded,
    Reading,
    Table,
    holds_predictions,
    lacks,
    open_zip,
    outcome_columns,
    renamed,
    require_room,
    value_text,
    wrong_columns,
)
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.values import each_key_once, expected

T = TypeVar("T")

_DEEPEST = 5
_FINISHED = "success"
_FINISH = "Finish it: inspect eval-retry LOG."


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
    task, model, created
        What was evaluated, of which model and when, as far as the log tells; times sort as text.
    status
        How far the run came.
    """

    tool: str
    rows: Sequence[Mapping[str, Any]]
    grades: Sequence[str]
    one_each: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    task: str = ""
    model: str = ""
    created: str = ""
    status: str = _FINISHED

    def table(self, names: Mapping[str, str], lines: Sequence[int] | None = None) -> Table:
        """Make a table of it."""
        if self.status != _FINISHED:
            raise InputError.plain("", f"The run has not finished: its status is {shown(self.status)}", _FINISH)
        if not self.rows:
            raise InputError.plain("", f"This log of {self.tool} has no answers")
        found = dict.fromkeys(name for row in self.rows for name in row)
        columns: dict[str, Any] = {name: [row.get(name) for row in self.rows] for name in found}
        notes = self.notes
        if not outcome_columns(names):
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
        if not self.grades:
            advice = f"Name a column of numbers: {arg('columns', {VALUE: ...})}."
            raise InputError.plain("", f"This log of {self.tool} has no grades", advice)
        problem = f"This log of {self.tool} has several grades for an answer: {first_few(self.grades, 10)}"
        raise AmbiguousError.plain("", problem, f"Choose one, such as {arg('columns', {VALUE: self.grades[0]})}.")


def validated(kind: type[T], value: object, lines: Sequence[int] | None = None) -> T:
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
        raise InputError(where, expected(detail, mapping="an object"), shown(detail["input"])) from None


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
class _Run:
    """Which task was evaluated, of which model, and when."""

    task: str = ""
    model: str = ""
    created: str = ""


@dataclass(frozen=True)
class _Header:
    """What the log says of the whole run."""

    status: Literal["started", "success", "cancelled", "error"]
    eval: _Run = field(default_factory=_Run)


def read_eval(path: Path, names: Mapping[str, str]) -> Table:
    """Read the summaries of the samples in an archive; their transcripts may be a thousand times as long."""
    return _eval_log(path).table(names)


def _eval_log(path: Path) -> Log:
    try:
        with open_zip(path) as archive:
            header, summaries = _document(archive, "header.json"), _document(archive, "summaries.json")
    except InputError:
        raise
    except NotImplementedError:
        raise InputError.plain("", "The log is compressed with Zstandard", _ZSTANDARD) from None
    except DAMAGED:
        raise InputError.plain("", f"Not a log of {INSPECT}: it is damaged, or has another format") from None
    return _inspect_log(header, summaries)


def _document(archive: ZipFile, name: str) -> Any:
    if name not in archive.namelist():
        raise InputError.plain("", f"The run has not finished: the log lacks {name}", _FINISH)
    require_room(archive.getinfo(name).file_size, name)
    with archive.open(name) as file:
        return json.load(io.BufferedReader(Bounded(file)), object_pairs_hook=each_key_once)


def _inspect_log(header: object, samples: object) -> Log:
    known = validated(_Header, header)
    run: dict[str, Any] = {"task": known.eval.task, "model": known.eval.model, "created": known.eval.created}
    if known.status != _FINISHED:
        return Log(INSPECT, [], [], status=known.status, **run)
    # the last of what was retried
    found = {(each.id, each.epoch): each for each in validated(list[_InspectSample], samples)}.values()
    rows = [dict(_inspect_row(each)) for each in found]
    if any(isinstance(each.id, str) for each in found):
        rows = [{**row, ID: str(row[ID])} for row in rows]
    grades = dict.fromkeys(path for each in found for path, _ in _grades(each))
    return Log(INSPECT, rows, [*grades], **run)


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


def _lm_eval_log(records: Sequence[Any], lines: Sequence[int] | None) -> Log:
    """Read what ``lm_eval --log_samples`` writes: a record for each document and filter."""
    samples = validated(list[_LmEvalSample], records, lines)
    metrics = [*dict.fromkeys(name for each in zip(samples, records, strict=True) for name in _metrics(*each))]
    rows = [
        {**dict(_lm_eval_row(sample)), **{name: record.get(name) for name in metrics}}
        for sample, record in zip(samples, records, strict=True)
    ]
    return Log(LM_EVAL, rows, metrics, one_each=("filter",))


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


def _promptfoo_log(records: Sequence[Any], lines: Sequence[int] | None) -> Log:
    results = validated(list[_Result], records, lines)
    n_errors = sum(each.failureReason == _AN_ERROR for each in results)
    notes = (f"{counted(n_errors, 'error')} in this log of {PROMPTFOO}, where there is no answer.",) if n_errors else ()
    one_each = ("provider.id", "provider.label", "prompt.label")
    rows = [dict(_promptfoo_row(each)) for each in results]
    return Log(PROMPTFOO, rows, ["success"], one_each, notes)


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


_INSPECT_ALWAYS = {"status", "eval", "plan"}
_ALWAYS = (_INSPECT_ALWAYS, _LM_EVAL_ALWAYS, _PROMPTFOO_ALWAYS)
"""Fields by which a log is recognised."""


def read_log(document: object, names: Mapping[str, str], lines: Sequence[int] | None = None) -> Table | None:
    """Recognise a log by what it holds."""
    log = _log_of(document, lines)
    return None if log is None else log.table(names, lines)


def _log_of(document: object, lines: Sequence[int] | None = None) -> Log | None:
    if isinstance(document, Mapping) and document.keys() >= _INSPECT_ALWAYS:
        return _inspect_log(document, document.get("samples", []))
    about: dict[str, Any] = {}
    if isinstance(document, Mapping):
        inner, config = document.get("results"), document.get("config")
        document = inner.get("results") if isinstance(inner, Mapping) else None
        if isinstance(inner, Mapping):
            about["created"] = str(inner.get("timestamp") or "")
        if isinstance(config, Mapping):
            about["task"] = str(config.get("description") or "")
    elif _are_records(document, _LM_EVAL_ALWAYS):
        return _lm_eval_log(document, lines)
    return replace(_promptfoo_log(document, lines), **about) if _are_records(document, _PROMPTFOO_ALWAYS) else None


def _are_records(document: object, always: set[str]) -> TypeGuard[list[Any]]:
    """Whether these are records, the first of which has certain fields."""
    first = document[0] if isinstance(document, list) and document else None
    return isinstance(first, Mapping) and first.keys() >= always


_SAMPLES = re.compile(r"samples_(?P<task>.+?)(_(?P<created>\d{4}-\d\d-\d\dT[\d.-]+))?")
"""The name of a file of lm-evaluation-harness, without its suffix."""
_MODEL = "model"


def _log_in(path: Path) -> Log | None:
    """Read a log with its task; None for a file of something else."""
    if path.suffix == ".eval":
        log: Log | None = _eval_log(path)
    else:
        require_room(path.stat().st_size)
        text = path.read_text("utf-8-sig")
        if not any(all(f'"{name}"' in text for name in always) for always in _ALWAYS):
            return None  # without the time that it takes to read it
        lines = text.rstrip().split("\n") if path.suffix == ".jsonl" else []
        read = [json.loads(each, object_pairs_hook=each_key_once) for each in lines or [text]]
        log = _log_of(read, range(1, len(read) + 1)) if lines else _log_of(read[0])
    if log is None:
        return None
    if log.tool == LM_EVAL:
        named = _SAMPLES.fullmatch(path.stem)
        about: dict[str, Any] = {name: text for name, text in named.groupdict("").items() if text} if named else {}
        log = replace(log, model=path.absolute().parent.name, **about)
    return log if log.task else replace(log, task=path.stem)


@dataclass(frozen=True)
class LoggedTask:
    """The newest log of a task in a run.

    Attributes
    ----------
    file
        The log.
    reading
        How it is to be read: what was said of all logs, as far as this one has it.
    notes
        What a careful reader of a result should know of how it was found.
    """

    file: Path
    reading: Reading
    notes: tuple[str, ...]


@dataclass(frozen=True)
class LoggedRun:
    """A run: the logs of some tasks, by one model.

    Attributes
    ----------
    tasks
        By name.
    notes
        Which logs were left out, and why.
    """

    tasks: Mapping[str, LoggedTask]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, path: Path, reading: Reading) -> "LoggedRun | None":
        """Find the logs in a folder, however deep, or in a file; None for a file that is no log.

        Of a folder with logs of several models, ``rows: {model: ...}`` chooses those of one.
        """
        is_folder = path.is_dir()
        found, left_out = _logs_in(sorted(filter(Path.is_file, path.rglob("*"))) if is_folder else [path])
        if not is_folder and not found:
            return None
        wanted = dict(reading.rows).get(_MODEL)
        chosen = {file: log for file, log in found.items() if wanted in (None, log.model)}
        models = sorted({log.model for log in chosen.values()})
        if len(models) > 1:
            of_one = (arg(f"{side}_rows", {_MODEL: models[0]}) for side in ("baseline", "candidate"))
            advice = f"Name the folder of one, or choose: {', '.join(of_one)}."
            problem = f"The logs are of several models: {first_few(map(shown, models), 10)}"
            raise InputError.plain(str(path), problem, advice)
        if found and not chosen:
            known = first_few(map(shown, sorted({log.model for log in found.values()})))
            raise InputError.plain(str(path), f"No log is of the model {shown(wanted)}", f"There are {known}.")
        if not found:
            problem = f"No log of {INSPECT}, {LM_EVAL} or {PROMPTFOO} that has finished"
            raise InputError.plain(str(path), "; ".join([problem, *left_out]))
        _require_known(chosen.values(), reading, str(path))
        tasks: dict[str, list[Path]] = {}
        for file in sorted(chosen, key=lambda file: (chosen[file].created, file)):
            tasks.setdefault(chosen[file].task, []).append(file)
        return cls({task: _newest(files, chosen, reading) for task, files in sorted(tasks.items())}, tuple(left_out))


def _logs_in(files: Sequence[Path]) -> tuple[dict[Path, Log], list[str]]:
    """Read the logs among files; and say which have not finished, or are damaged."""
    found: dict[Path, Log] = {}
    left_out: list[str] = []
    for file in files:
        if file.suffix not in (".eval", ".json", ".jsonl"):
            continue
        try:
            log = _log_in(file)
        except (InputError, OSError, ValueError) as error:
            left_out.append(f"{file} left out: {error}")
            continue
        if log is not None and log.status != _FINISHED:
            left_out.append(
                f"{file} left out: its run of {shown(log.task)} has not finished ({shown(log.status)}). {_FINISH}"
            )
        elif log is not None:
            found[file] = log
    return found, left_out


def _require_known(logs: Collection[Log], reading: Reading, where: str) -> None:
    """Require every column that is named, and every value of rows, in one of the logs at least."""
    columns = dict.fromkeys(name for log in logs for row in log.rows[:1] for name in row)
    for known, name in reading.columns:
        if name not in columns:
            raise lacks(name, f"to take for {known} in any log", columns, where)
    for name, value in reading.rows:
        if name != _MODEL and not any(_has(log, name, value) for log in logs):
            raise InputError.plain(where, f"No log has a row whose {shown(name)} is {shown(value)}")


def _has(log: Log, name: str, value: str | None = None) -> bool:
    """Whether a log has a column, and in it a value."""
    return any(name in row and value in (None, value_text(row[name])) for row in log.rows)


def _newest(files: Sequence[Path], logs: Mapping[Path, Log], reading: Reading) -> LoggedTask:
    """Take the last of the logs of a task, and what was said of all logs as far as it has it."""
    file, log = files[-1], logs[files[-1]]
    n_epochs = len({row.get(RUN) for row in log.rows})
    fitting = replace(
        reading,
        columns=tuple((known, name) for known, name in reading.columns if _has(log, name)),
        rows=tuple((name, value) for name, value in reading.rows if _has(log, name, value)),
        runs=reading.runs or (Runs.SAMPLES if n_epochs > 1 else None),
    )
    notes = [f"newest of {len(files)} logs of {log.task!r}: {file.name}."] if len(files) > 1 else []
    if fitting.runs and not reading.runs:
        notes.append(f"the answers of {n_epochs} epochs to a sample share one vote.")
    return LoggedTask(file, fitting, tuple(notes))
