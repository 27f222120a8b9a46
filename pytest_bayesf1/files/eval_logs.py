"""Logs of Inspect, lm-evaluation-harness and promptfoo as tables of predictions; and the tasks of a run."""

import io
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import isnan
from pathlib import Path
from typing import Any, Self

from pytest_bayesf1.choices import CLASSES_IN_LOGS, Better, Kind, Runs
from pytest_bayesf1.data.columns import (
    ID,
    PREDICTED,
    RUN,
    VALUE,
    Columns,
    Schema,
    answer_columns,
    columns_found,
    lacks,
    value_text,
)
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.files.opening import Archive, Bounded, open_text, require_room, unpacked_name, whole
from pytest_bayesf1.files.records import Lines, are_records, at, columns_of, read_json
from pytest_bayesf1.files.rulers import COMPARES, Ruler, all_described, assertions_of, is_judge, scorers_of
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.values import each_key_once

_FINISHED = "success"
_FINISH = "Finish it: inspect eval-retry LOG."


@dataclass(frozen=True, kw_only=True)
class Tool:
    """How a program logs what it evaluated: by the paths of fields.

    Attributes
    ----------
    name
        What it is called.
    document, answer
        The fields by which its log is known: those of the document, or of every answer.
    answers
        The list of answers in a document.
    columns
        By the name of a column the paths that it may have.
    grades
        The paths of what says how good an answer is, as a pattern.
    said
        The paths of what was answered, as a pattern.
    asked
        The paths of what was asked, as a pattern.
    words
        The numbers that words of a grade mean.
    better
        By the name of a grade whether higher or lower ones are better.
    one_each
        Columns that tell which of several systems an answer is of.
    failed, cut
        By path the values that say that there is no answer, or that a limit cut it off; any value where none is named.
    about
        The paths of the log's task, its version, model, time and status in a document.
    """

    name: str
    document: frozenset[str] = frozenset()
    answer: frozenset[str] = frozenset()
    answers: str = ""
    columns: Mapping[str, tuple[str, ...]]
    grades: str
    said: str
    asked: str
    words: Mapping[str, float] = field(default_factory=dict)
    better: Mapping[str, Better] = field(default_factory=dict)
    one_each: tuple[str, ...] = ()
    failed: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    cut: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)


INSPECT = Tool(
    name="inspect_ai",
    document=frozenset({"status", "eval", "plan"}),
    answers="samples",
    columns={ID: ("id",), RUN: ("epoch",)},
    better={"value": Better.HIGHER},
    grades=r"scores\.(?:(?!\.metadata\.).)+?\.value(\..+)?",
    said=r"scores\.(?:(?!\.metadata\.).)+?\.answer",
    asked="input|target",
    words={"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0},  # what inspect_ai's own metrics take them for
    failed={"error": ()},
    cut={"limit": (), "output.stop_reason": ("max_tokens", "model_length")},
    about={
        "task": "eval.task",
        "version": "eval.task_version",
        "model": "eval.model",
        "created": "eval.created",
        "status": "status",
    },
)
LM_EVAL = Tool(
    name="lm-evaluation-harness",
    answer=frozenset({"doc_id", "target", "filtered_resps"}),
    columns={ID: ("doc_id",)},
    grades=r"(?!(id|doc_id|target)$)[^.]+",
    said="answer",
    asked=r"doc\..+|target",
    better={  # as its registry of metrics says
        **dict.fromkeys(("acc", "acc_norm", "acc_mutual_info", "exact_match", "f1", "mcc", "bleu"), Better.HIGHER),
        **dict.fromkeys(("perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte"), Better.LOWER),
        **dict.fromkeys(("brier_score", "ter"), Better.LOWER),
    },
    one_each=("filter",),
)
PROMPTFOO = Tool(
    name="promptfoo",
    answer=frozenset({"provider", "vars", "success"}),
    answers="results.results",
    columns={ID: ("testIdx",), "provider.id": ("provider.id", "provider"), "prompt.label": ("prompt.label", "prompt")},
    grades="success",
    better={"success": Better.HIGHER, "score": Better.HIGHER},
    said=r"response\.output",
    asked=r"vars\..+|target",
    one_each=("provider.id", "provider.label", "prompt.label", "promptIdx"),
    failed={"failureReason": (2,)},
    cut={"response.finishReason": ("length",)},
    about={"task": "config.description", "created": "results.timestamp"},
)
TOOLS = (INSPECT, LM_EVAL, PROMPTFOO)
KNOWN_LOGS = "inspect_ai, lm-evaluation-harness or promptfoo"
NO_LOG = f"No log of {KNOWN_LOGS} that has finished"


@dataclass(frozen=True)
class Log:
    """What an evaluation logged.

    Attributes
    ----------
    tool
        The program that wrote it.
    columns
        What is known of every answer, by its path in the log, such as ``scores.match.value``.
    grades
        The columns that say how good an answer is, of which one is compared unless other columns are asked for.
    failed, cut
        The answers that there is none of, and those that a limit cut off.
    task, version, model, created
        What was evaluated, of which model and when, as far as the log says; times sort as text.
    scorers
        What Inspect says of its scorers, by name.
    status
        How far the run came.
    """

    tool: Tool
    columns: Mapping[str, list[Any]] = field(default_factory=dict)
    grades: Sequence[str] = ()
    failed: Collection[int] = ()
    cut: Collection[int] = ()
    task: str = ""
    version: str = ""
    model: str = ""
    created: str = ""
    status: str = _FINISHED
    scorers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, tool: Tool, document: object, lines: Lines = None) -> "Log":
        """Read a log by the paths of its fields."""
        said = {name: at(document, path) for name, path in tool.about.items()}
        about: dict[str, Any] = {name: "" if value is None else str(value) for name, value in said.items()}
        if about.get("status", _FINISHED) != _FINISHED:
            return cls(tool, **about)
        answers = document if isinstance(document, list) else at(document, tool.answers) or []
        if not isinstance(answers, list):
            raise InputError(tool.answers, "a list of answers", shown(answers))
        for number, each in enumerate(answers):
            if not isinstance(each, Mapping):
                where = f"record {number + 1}" if lines is None else f"line {lines[number]}"
                raise InputError(where, "an object", shown(each))
        if RUN in tool.columns:  # of what was tried again, the last counts
            answers = [*{repr((each.get("id"), each.get("epoch"))): each for each in answers}.values()]
        columns = _columns(tool, answers)
        grades = [name for name in columns if re.fullmatch(tool.grades, name) and _any_number(columns[name], tool)]
        listed = [name for names in columns.get("metrics", ()) if isinstance(names, list) for name in names]
        columns |= {name: [_number(each, tool) for each in columns[name]] for name in grades}
        answer, *others = [name for name in columns if re.fullmatch(tool.said, name)] or [""]
        if answer and not others:
            columns.setdefault(CLASSES_IN_LOGS[PREDICTED], columns[answer])
        failed, cut = (frozenset(_rows_that(answers, signs)) for signs in (tool.failed, tool.cut))
        about["scorers"] = scorers_of(document) if tool is INSPECT else {}
        return cls(tool, columns, [name for name in grades if name in (listed or grades)], failed, cut, **about)

    def table(self, names: Mapping[str, str], lines: Lines = None) -> "LogColumns":
        """Make columns of it. An answer that there is none of has no grade and no class."""
        tool = self.tool.name
        if self.status != _FINISHED:
            raise InputError.plain("", f"The run has not finished: its status is {shown(self.status)}", _FINISH)
        if not self.columns:
            raise InputError.plain("", f"This log of {tool} has no answers")
        columns, notes = dict(self.columns), [*self._notes()]
        compared = [names[known] for known in answer_columns(names)]
        if not compared:
            grade = self._only_grade()
            compared = [grade, VALUE]
            columns[VALUE] = columns[grade]
            notes.insert(0, f"{grade!r} of this log of {tool} counts.")
        for known, name in names.items():
            if name not in columns:
                raise lacks(name, f"to take for {known} in this log of {tool}", columns)
        if self.failed:
            for name in compared:
                columns[name] = [None if row in self.failed else each for row, each in enumerate(columns[name])]
        if self.tool is PROMPTFOO and ID in names:
            columns.pop(RUN, None)  # of the questions by their variables
        return LogColumns(
            columns,
            lines=lines,
            notes=tuple(notes),
            one_each=tuple(name for name in self.tool.one_each if name in columns),
            asked=tuple(name for name in columns if re.fullmatch(self.tool.asked, name)),
            rulers=self._rulers(compared),
            compared=compared[0],
            better=self.tool.better.get(compared[0].rpartition(".")[2]),
        )

    def _rulers(self, compared: Collection[str]) -> list[Ruler]:
        """Say of every answer what graded it, where what is compared depends on that."""
        n_rows = len(next(iter(self.columns.values())))
        found: dict[str, list[str]] = {"task_version": [self.version] * n_rows}
        if self.tool is INSPECT:
            said = self._said if CLASSES_IN_LOGS[PREDICTED] in compared else []
            scorers = {match[1] for name in (*compared, *said) if (match := _OF_SCORER.match(name))}
            found["scorer"] = [", ".join(self.scorers.get(name, name) for name in sorted(scorers))] * n_rows
        elif self.tool is LM_EVAL:
            found["filter"] = [str(each or "") for each in self.columns.get("filter", [""] * n_rows)]
            found["metric"] = [", ".join(name for name in compared if name in self.grades)] * n_rows
        elif any(re.fullmatch(_OF_ASSERTIONS, name) for name in compared):
            found["assertion"] = [*self._assertions()]
        return [
            {name: text for name, text in zip(found, row, strict=True) if text}
            for row in zip(*found.values(), strict=True)
        ]

    def _assertions(self) -> Iterator[str]:
        """Write what every answer in a log of promptfoo was graded by, but for targets, of which a warning tells."""
        nothing = [None] * len(next(iter(self.columns.values())))
        checks = self.columns.get("testCase.assert", nothing)
        of_tests = ("testCase.options.provider.id", "testCase.options.provider")
        providers = next((self.columns[name] for name in of_tests if name in self.columns), nothing)
        for check, provider in zip(checks, providers, strict=True):
            yield assertions_of(check, provider, with_values="target" not in self.columns)

    @property
    def _said(self) -> list[str]:
        return [name for name in self.columns if re.fullmatch(self.tool.said, name)]

    def _notes(self) -> Iterator[str]:
        """Say how many answers are errors or were cut off; raise `InputError` if that is all that the log has."""
        n, tool = len(next(iter(self.columns.values()))), self.tool.name
        if self.failed:
            yield f"{counted(len(self.failed), 'error')} in this log of {tool}, where there is no answer."
        if len(self.cut) == n and not any(_is_positive(each) for name in self.grades for each in self.columns[name]):
            advice = "Raise the limit, such as that on tokens, and run it again."
            raise InputError.plain("", f"A limit cut off all {counted(n, 'answer')}, and none is right", advice)
        if self.cut:
            yield f"a limit cut off {len(self.cut):,} of {counted(n, 'answer')} in this log of {tool}."

    def _only_grade(self) -> str:
        if len(self.grades) == 1:
            return self.grades[0]
        if not self.grades:
            problem = f"This log of {self.tool.name} has no grades: found {columns_found(self.columns)}"
            raise InputError.plain("", problem, f"Declare: columns, for {VALUE}.")
        problem = f"This log of {self.tool.name} has several grades for an answer: {first_few(self.grades, 10)}"
        raise InputError.plain("", problem, f"Declare: columns, with the one to compare for {VALUE}.")


@dataclass(frozen=True, eq=False)
class LogColumns(Columns):
    """The columns of a log.

    Attributes
    ----------
    one_each
        Columns that must have one value in all the rows of a side, such as which system it is.
    asked
        Columns of what was asked, such as the question.
    rulers
        What graded each row.
    compared
        The grade or the answer that is compared, by its path.
    """

    one_each: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    rulers: Sequence[Ruler] = ()
    compared: str = ""

    @property
    def ruler(self) -> str | None:
        """What graded its answers."""
        return all_described(self.rulers)

    @property
    def is_judged(self) -> bool:
        """Whether a model graded its answers, as far as the log says so."""
        return any(map(is_judge, self.rulers))

    def _shown(self) -> dict[str, Sequence[Any]]:
        """Return what reports show of an example that changed; of a grade also the answer."""
        answer = CLASSES_IN_LOGS[PREDICTED]
        graded = {answer: self.column(answer)} if self.kind is Kind.VALUES and answer in self else {}
        return super()._shown() | graded

    def take(self, rows: Sequence[int]) -> Self:
        """Return some of the rows, in their order."""
        return replace(super().take(rows), rulers=[self.rulers[row] for row in rows])

    def require_one_system(self) -> None:
        """Raise `InputError` for rows of several systems."""
        for name in self.one_each:
            found = {value_text(value) for value in self.column(name)}
            if len(found) > 1:
                listed = first_few(map(shown, sorted(found)), 3)
                raise InputError("", f"rows of one {shown(name)}", listed, "Declare: rows.")


_OF_SCORER = re.compile(r"scores\.(.+?)\.(?:value|answer)\b")
_OF_ASSERTIONS = r"success|score|namedScores\..+|gradingResult\..+"


def _columns(tool: Tool, answers: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    columns = columns_of(answers)
    for name, others in tool.columns.items():
        found = [next(filter(_is_scalar, (at(each, path) for path in others)), None) for each in answers]
        if any(each is not None for each in found):
            columns = {name: found, **{path: values for path, values in columns.items() if path != name}}
    if any(isinstance(each, str) for each in columns.get(ID, ())):
        columns[ID] = [value_text(each) for each in columns[ID]]
    if tool is PROMPTFOO:
        columns |= _repeated(columns, answers)
        if all(wanted := [_wanted(each) for each in answers]):
            columns["target"] = wanted
    if "target" in columns:
        columns["target"] = [
            each[0] if isinstance(each, list) and len(each) == 1 else each for each in columns["target"]
        ]
    if tool is LM_EVAL:
        columns["answer"] = [_answer(each.get("filtered_resps")) for each in answers]
        columns["target"] = [str(each) if isinstance(each, int) else each for each in columns["target"]]
    return columns


def _repeated(columns: Mapping[str, list[Any]], answers: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Count the questions of promptfoo, which repeats one as a test of its own, and the runs of each.

    Nothing where none is repeated.
    """
    tests = columns.get(ID, [])
    if not (tests and all(isinstance(each, int) for each in tests)):
        return {}
    questions = [_question(each.get("vars")) for each in answers]
    runs: dict[str, list[int]] = {}
    for test, question in sorted({*zip(tests, questions, strict=True)}):
        runs.setdefault(question, []).append(test)
    if len(runs) == len({*tests}):
        return {}
    numbers = {question: number for number, question in enumerate(runs)}
    return {
        ID: [numbers[question] for question in questions],
        RUN: [runs[question].index(test) for test, question in zip(tests, questions, strict=True)],
    }


def _question(variables: object) -> str:
    """Write the variables of a question, but for promptfoo's own, which differ from run to run."""
    if isinstance(variables, Mapping):
        variables = {name: value for name, value in variables.items() if not name.startswith("_")}
    return json.dumps(variables, sort_keys=True)


def _wanted(answer: Mapping[str, Any]) -> str:
    """Return the text that the only assertion compares an answer with; empty where there are others."""
    checks = at(answer, "testCase.assert")
    check = checks[0] if isinstance(checks, list) and len(checks) == 1 else {}
    found = check.get("value") if isinstance(check, Mapping) and check.get("type") in COMPARES else ""
    return found if isinstance(found, str) and "{{" not in found else ""


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | float)


def _any_number(values: Iterable[object], tool: Tool) -> bool:
    return any(isinstance(_number(each, tool), int | float) for each in values)


def _number(grade: Any, tool: Tool) -> Any:
    if not isinstance(grade, str) or not tool.words:
        return grade
    with suppress(ValueError):
        return float(grade)
    return tool.words.get(grade, _YES_OR_NO.get(grade.lower(), grade))


_YES_OR_NO = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def _is_positive(grade: object) -> bool:
    return isinstance(grade, int | float) and grade > 0


def _rows_that(answers: Sequence[Mapping[str, Any]], signs: Mapping[str, tuple[Any, ...]]) -> Iterator[int]:
    """Find the answers in which a field has one of certain values, or any."""
    for row, answer in enumerate(answers):
        said = ((at(answer, path), values) for path, values in signs.items())
        if any(found in values if values else bool(found) for found, values in said):
            yield row


def read_eval(path: Path, schema: Schema) -> LogColumns:
    """Read the summaries of the samples in an archive; their transcripts may be a thousand times as long."""
    return _eval_log(path).table(dict(schema.columns))


def _eval_log(path: Path) -> Log:
    with whole(f"a log of {INSPECT.name}", TypeError):
        with Archive(path) as archive:
            header, summaries = _document(archive, "header.json"), _document(archive, "summaries.json")
        return Log.of(INSPECT, {**header, INSPECT.answers: summaries})


def _document(archive: Archive, name: str) -> Any:
    if name not in archive.namelist():
        raise InputError.plain("", f"The run has not finished: the log lacks {name}", _FINISH)
    require_room(archive.getinfo(name).file_size, name)
    with archive.open(name) as file:
        return json.load(io.BufferedReader(Bounded(file)), object_pairs_hook=each_key_once)


def _answer(responses: Any) -> str | None:
    """Return the text of the answer, or of several choices the position of the likeliest; else None."""
    if not isinstance(responses, list) or not responses:
        return None
    if isinstance(responses[0], str):
        return responses[0]
    likelihoods = [_likelihood(each) for each in responses]
    if len(likelihoods) < 2 or None in likelihoods:
        return None
    return str(likelihoods.index(max(each for each in likelihoods if each is not None)))


def _likelihood(response: Any) -> float | None:
    """Read the logarithm of a choice's likelihood, of which a response is the first part; None for no number."""
    try:
        found = float(response[0])
    except (LookupError, TypeError, ValueError, OverflowError):
        return None
    return None if isnan(found) else found


def read_log(
    document: object, names: Mapping[str, str], lines: Lines = None, path: Path | None = None
) -> LogColumns | None:
    """Recognise a log by what it holds; what a file beside it says of its task is read by its path."""
    log = _log_of(document, lines)
    if log is not None and log.tool is LM_EVAL and path is not None:
        log = replace(log, version=_version_beside(path))
    return None if log is None else log.table(names, lines)


def _version_beside(path: Path) -> str:
    """Return the version of a task of lm-evaluation-harness, which the results beside the samples tell."""
    named = _SAMPLES.fullmatch(Path(unpacked_name(path)).stem)
    if named is None or not (results := path.with_name(f"results_{named['created']}.json")).is_file():
        return ""
    version = at(read_json(results)[0], f"versions.{named['task']}")
    return "" if version is None else str(version)


def _log_of(document: object, lines: Lines = None) -> Log | None:
    for tool in TOOLS:
        if tool.document and isinstance(document, Mapping) and document.keys() >= tool.document:
            return Log.of(tool, document, lines)
        answers = at(document, tool.answers) if isinstance(document, Mapping) and tool.answers else document
        if (
            tool.answer
            and are_records(answers)
            and isinstance(answers[0], Mapping)
            and answers[0].keys() >= tool.answer
        ):
            return Log.of(tool, document, lines)
    return None


_SAMPLES = re.compile(r"samples_(?P<task>.+?)(_(?P<created>\d{4}-\d\d-\d\dT[\d.-]+))?")
"""The name of a file of lm-evaluation-harness, without its suffix."""
_MODEL = "model"


def _log_in(path: Path) -> Log | None:
    """Read a log with its task; None for a file of something else."""
    name = Path(unpacked_name(path))
    if name.suffix == ".eval":
        log: Log | None = _eval_log(path)
    elif name.suffix not in (".json", ".jsonl"):
        return None
    else:
        with open_text(path) as file:
            text = file.read()
        if not any(all(f'"{each}"' in text for each in tool.document | tool.answer) for tool in TOOLS):
            return None  # without the time that it takes to read it
        log = _log_of(*read_json(path))
    if log is None:
        return None
    if log.tool is LM_EVAL:
        named = _SAMPLES.fullmatch(name.stem)
        about: dict[str, Any] = {key: text for key, text in named.groupdict("").items() if text} if named else {}
        log = replace(log, model=path.absolute().parent.name, **about)
    return log if log.task else replace(log, task=name.stem)


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
    reading: Schema
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
    def of(cls, path: Path, reading: Schema) -> "LoggedRun | None":
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
            advice = f"Name the folder of one for each side, or declare rows, with one value of {_MODEL}."
            problem = f"The logs are of several models: {first_few(map(shown, models), 10)}"
            raise InputError.plain(str(path), problem, advice)
        if found and not chosen:
            known = first_few(map(shown, sorted({log.model for log in found.values()})))
            raise InputError.plain(str(path), f"No log is of the model {shown(wanted)}", f"Found {known}.")
        if not found:
            raise InputError.plain(str(path), "; ".join([NO_LOG, *left_out]))
        _require_known(chosen.values(), reading, str(path))
        tasks: dict[str, list[Path]] = {}
        for file in sorted(chosen, key=lambda file: (chosen[file].created, file)):
            tasks.setdefault(chosen[file].task, []).append(file)
        return cls({task: _newest(files, chosen, reading) for task, files in sorted(tasks.items())}, tuple(left_out))


def _logs_in(files: Sequence[Path]) -> tuple[dict[Path, Log], list[str]]:
    """Read the logs among files; and say which have not finished, or are damaged."""
    found: dict[Path, Log] = {}
    left_out = []
    for file in files:
        try:
            log = _log_in(file)
        except (InputError, OSError, ValueError) as error:
            left_out.append(f"{file} left out: {error}")
            continue
        if log is not None and log.status != _FINISHED:
            why = f"its run of {shown(log.task)} has not finished ({shown(log.status)}). {_FINISH}"
            left_out.append(f"{file} left out: {why}")
        elif log is not None:
            found[file] = log
    return found, left_out


def _require_known(logs: Collection[Log], reading: Schema, where: str) -> None:
    """Require every column that is named, and every value of rows, in one of the logs at least."""
    columns = dict.fromkeys(name for log in logs for name in log.columns)
    for known, name in reading.columns:
        if name not in columns and CLASSES_IN_LOGS.get(known) != name:
            raise lacks(name, f"to take for {known} in any log", columns, where)
    for name, value in reading.rows:
        if name != _MODEL and not any(_has(log, name, value) for log in logs):
            raise InputError.plain(where, f"No log has a row whose {shown(name)} is {shown(value)}")


def _has(log: Log, name: str, value: str | None = None) -> bool:
    """Whether a log has a column, and in it a value."""
    return name in log.columns and (value is None or value in map(value_text, log.columns[name]))


def _newest(files: Sequence[Path], logs: Mapping[Path, Log], reading: Schema) -> LoggedTask:
    """Take the last of the logs of a task, and what was said of all logs as far as it has it."""
    file, log = files[-1], logs[files[-1]]
    n_runs = len({*log.columns.get(RUN, ())})
    fitting = replace(
        reading,
        columns=tuple(
            (known, name) for known, name in reading.columns if _has(log, name) or CLASSES_IN_LOGS.get(known) == name
        ),
        rows=tuple((name, value) for name, value in reading.rows if _has(log, name, value)),
        runs=reading.runs or (Runs.SAMPLES if n_runs > 1 else None),
    )
    notes = [f"newest of {len(files)} logs of {log.task!r}: {file.name}."] if len(files) > 1 else []
    if fitting.runs and not reading.runs:
        notes.append(f"the answers of {n_runs} runs to a question share one vote.")
    return LoggedTask(file, fitting, tuple(notes))
