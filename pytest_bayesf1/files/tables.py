"""Tables in memory: their columns, rows and cells, checked, with places for messages."""

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import chain
from math import isnan
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import LabelArray
from pytest_bayesf1.choices import CLASSES_IN_LOGS, INVALID_DEFAULT, Invalid, Runs
from pytest_bayesf1.data.confusion import is_count, role_of, words_of
from pytest_bayesf1.data.labels import (
    ANY_CLASS,
    AS_NULL,
    COUNT_AS_WRONG,
    DROP_ROWS,
    IF_CLASS,
    LabelSource,
    any_of,
    describe_missing,
    in_order,
    is_missing,
    label_column,
    missing_rows,
    read_labels,
    text_array,
    tidy,
    unwrapped,
)
from pytest_bayesf1.errors import InputError, setting, shown, within
from pytest_bayesf1.files.rulers import Ruler
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.values import did_you_mean

TRUE, PREDICTED, ID, RUN, COUNT = "y_true", "y_pred", "id", "run", "n"
GOLD, FOUND = "gold", "predicted"
SCORE, VALUE = "y_score", "value"
_SCORE_OF = f"{SCORE}_"
_KNOWN = (TRUE, PREDICTED, ID, RUN, COUNT, SCORE, VALUE, GOLD, FOUND)
KNOWN = f"^({'|'.join(_KNOWN)}|{_SCORE_OF}.+)$"
"""A pattern of the names by which columns are known."""


def name_them(names: Iterable[str] = ()) -> str:
    """Say how columns are called, and how to say otherwise: with the columns of the file, where their names tell."""
    names = [*names]
    if len(names) == 1 and (marks := _MARKS.findall(names[0])):
        return f"It seems to separate columns by {shown(marks[0])}. CSV files have commas, and TSV files tabs."
    if len({*names}) < len(names) or "" in names[1:]:
        return "If the first line is a title, delete it: the first line must name each column once."
    found = usual_columns(names)
    if named := likely_columns(names):
        of_number = "this is the number to compare" if VALUE in named else ""
        what = of_number or f"{shown(found[TRUE])} is the truth and {shown(found[PREDICTED])} the prediction"
        return f"If {what}, pass {setting('columns', named)}."
    return (
        f"Name the columns of predictions {TRUE} and {PREDICTED} (and {ID}), those of scores {TRUE} and {SCORE}, a "
        f"number to compare {VALUE}. Or pass the file's own names as columns."
    )


def likely_columns(names: Iterable[str]) -> dict[str, str]:
    """Return what to pass as columns, where the names tell: the number to compare, or truth and prediction."""
    names = [*names]
    if values := [name for name in names if name.startswith(f"{VALUE}.")]:
        return {VALUE: values[0]}
    found = usual_columns(names)
    return {known: name for known, name in found.items() if known != name} if {TRUE, PREDICTED} <= found.keys() else {}


_MARKS = re.compile(r"[|,;\t^~]")
_NO_LABELS = frozenset(
    {
        *("conf", "confidence", "correct", "id", "logit", "logits"),
        *("prob", "proba", "probability", "score", "scores", "time"),
    }
)


_IDS = frozenset({"id", "idx", "guid", "uid", "uuid"})


def usual_columns(names: Iterable[str]) -> dict[str, str]:
    """Find the columns that are called as the truth, the prediction and the ids usually are, one of each.

    Examples
    --------
    >>> usual_columns(["doc_id", "text", "gold_label", "pred_label"])
    {'y_true': 'gold_label', 'y_pred': 'pred_label', 'id': 'doc_id'}
    """
    names = [*names]
    labels = [name for name in names if not _NO_LABELS & {*words_of(name)}]
    found = {}
    for known in (TRUE, PREDICTED):
        clear = [name for name in labels if role_of(name) == known]
        likely = clear or [name for name in labels if role_of(name, weakly=True) == known]
        exact = [name for name in names if name == known]
        if len(exact or likely) == 1:
            found[known] = (exact or likely)[0]
    ids = [name for name in names if name.lower() == ID] or [name for name in names if _IDS & {*words_of(name)[-1:]}]
    return found | ({ID: ids[0]} if len(ids) == 1 else {})


OUTCOMES = frozenset({"tp", "fp", "fn"})


def outcome_of(name: str) -> str:
    """Return ``tp``, ``fp``, ``fn`` or ``tn`` for a name such as ``TP`` or ``true positives``; empty for any other."""
    words = [word.removesuffix("s") for word in words_of(name)]
    short = (
        "".join(word[0] for word in words) if {*words} <= {"true", "false", "positive", "negative"} else name.lower()
    )
    return short if short in {*OUTCOMES, "tn"} else ""


AS_NAMED: Mapping[str, str] = MappingProxyType({})
"""Nothing was said of what a file calls its columns: they have the names by which they are known."""

T = TypeVar("T")


def require_known(name: str) -> str:
    """Return one of the names by which columns are known; raise `InputError` for another."""
    if re.match(KNOWN, name):
        return name
    advice = did_you_mean(name, _KNOWN) or "Write one of these first, then the file's own name."
    raise InputError("", f"one of {', '.join(_KNOWN)}, {_SCORE_OF}<label>", shown(name), advice)


def renamed(columns: Mapping[str, T], names: Mapping[str, str]) -> dict[str, T]:
    """Give columns the names by which they are known, beside those that the file has for them.

    Examples
    --------
    >>> renamed({"gold": [1], "old": [0], "y_pred": [1]}, {"y_true": "gold", "y_pred": "old"})
    {'gold': [1], 'old': [0], 'y_true': [1], 'y_pred': [0]}
    """
    if not names and not {TRUE, *outcome_columns(columns)} & columns.keys() and any(map(is_count, columns)):
        usual = usual_columns(columns)
        names = {known: usual[known] for known in (TRUE, PREDICTED)} if {TRUE, PREDICTED} <= usual.keys() else {}
    spelt = [name for name in columns if name.lower() == ID]
    if ID not in names and len(spelt) == 1 and spelt != [ID]:
        names = {**names, ID: spelt[0]}
    for known, name in names.items():
        if name not in columns:
            raise lacks(name, f"to take for {known}", columns)
    found = {known: columns[name] for known, name in names.items()}
    hidden = set(outcome_columns(columns)) if outcome_columns(found) else set()
    return {name: values for name, values in columns.items() if name not in hidden} | found


def require_two(names: Mapping[str, str]) -> None:
    """Refuse one column as truth and prediction: by it every example would be right."""
    predicted = [name for name in outcome_columns(names) or [PREDICTED] if name != VALUE]
    for known, others in ((TRUE, predicted), (GOLD, [FOUND])):
        true = names.get(known, known)
        for other in others:
            if names.get(other, other) == true:
                advice = f"Name the column of predictions in columns, for {other}."
                raise InputError.plain("", f"{shown(true)} would be both {known} and {other}", advice)


def outcome_columns(names: Iterable[str]) -> list[str]:
    """Return the columns that tell what was predicted, or how well."""
    return [name for name in names if name in (PREDICTED, SCORE, VALUE) or label_of(name)]


def holds_predictions(columns: Iterable[str]) -> bool:
    """Whether these are columns of predictions, scores or numbers; raise `InputError` when one of two is missing."""
    names = list(columns)
    if {outcome_of(name) for name in names} >= OUTCOMES:
        return True
    of_classes = any(name != VALUE for name in outcome_columns(names))
    if VALUE in names and not of_classes:
        return True
    if (TRUE in names) != of_classes:
        raise wrong_columns(names)
    return of_classes


def label_of(score_column: str) -> str | None:
    """Return the class that a column of scores is about; None where its name does not tell."""
    return score_column.removeprefix(_SCORE_OF) if score_column.startswith(_SCORE_OF) else None


def score_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns of scores of classes."""
    return tuple(name for name in names if name == SCORE or label_of(name))


def wrong_columns(names: Iterable[str]) -> InputError:
    """Say which columns a file lacks to hold predictions, and which it has."""
    known = [*names]
    scored = bool(outcome_columns(known))
    missing = [name for name in (TRUE, PREDICTED) if name not in known and not (scored and name == PREDICTED)]
    lacking = f"{' and '.join(missing)} {'are' if len(missing) > 1 else 'is'} missing"
    problem = f"{lacking}; the file has {columns_found(known)}"
    return InputError.plain("", problem, name_them(known))


def lacks(column: str, purpose: str, names: Iterable[str], where: str = "") -> InputError:
    """Say that a file lacks a column, what that would be for, and which columns there are: first those beside it."""
    beside = column.rpartition(".")[0]
    found = sorted(names, key=lambda name: not (beside and name.startswith(f"{beside}.")))
    return InputError.plain(where, f"No column {shown(column)} {purpose}", f"Found {columns_found(found)}.")


def columns_found(names: Iterable[str]) -> str:
    """List the columns that a file has."""
    found = [*map(shown, names)]
    return f"{'columns' if len(found) > 1 else 'column'} {first_few(found, 20)}" if found else "no columns"


@dataclass(frozen=True, eq=False)
class Table:
    """Predictions, scores, or a number per example.

    Attributes
    ----------
    columns
        By name, ``y_true`` among them, and ``y_pred`` or columns of scores; or ``value``: lists or arrays with a value
        for every example.
    labels
        The classes in their order, when the file gives them.
    lines
        The line that each row begins on, in a file of lines.
    is_text
        Whether every value is text for want of another type.
    spans
        Whether each example is a document, with any number of spans in ``y_true`` and ``y_pred``.
    one_each
        Columns that must have one value in all the rows of a side, such as which system it is.
    if_repeated
        What to do where an example has several rows of one system; nothing where they may be runs of it.
    asked
        Columns of what was asked, such as the question.
    rulers
        What graded each row, in the log of an evaluation; else nothing.
    notes
        What a careful reader of a result should know of how the file was read.
    """

    columns: Mapping[str, Any]
    labels: Any = None
    lines: Sequence[int] | None = None
    is_text: bool = False
    spans: bool = False
    one_each: tuple[str, ...] = ()
    if_repeated: str = ""
    asked: tuple[str, ...] = ()
    rulers: Sequence[Ruler] = ()
    notes: tuple[str, ...] = ()

    @property
    def label_columns(self) -> tuple[str, ...]:
        """The columns of labels; none where every example has a number alone."""
        if PREDICTED in self.columns:
            return TRUE, PREDICTED
        return (TRUE,) if score_columns(self.columns) else ()

    @property
    def score_columns(self) -> tuple[str, ...]:
        """The columns of scores or numbers; none beside predictions, which say what is to be compared."""
        return () if PREDICTED in self.columns else score_columns(self.columns) or (VALUE,)

    @property
    def first_column(self) -> str:
        """The column of which the others have as many values."""
        names = (*self.label_columns, *self.score_columns, *self.columns)
        return next(name for name in names if name in self.columns)

    def place(self, row: int) -> str:
        """Name a row, counted from 0, as an editor of the file would."""
        return f"row {row + 1}" if self.lines is None else f"line {self.lines[row]}"


@dataclass(frozen=True, eq=False)
class Matrix:
    """Counts, and the names of the classes when the file gives them; there are no columns.

    Those of ``spans`` are tp, fp and fn, each of every document and type, or of every type. ``notes`` are those
    of a `Table`.
    """

    counts: Any
    labels: Any = None
    spans: bool = False
    notes: tuple[str, ...] = ()

    columns: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    label_columns: ClassVar[tuple[str, ...]] = ()


Content: TypeAlias = Table | Matrix


def all_differ(values: Iterable[Hashable]) -> bool:
    """Whether no value is there twice."""
    seen: set[Hashable] = set()
    for value in values:
        try:
            if value in seen:
                return False
        except TypeError:  # a mapping or a list, which is no label
            return False
        seen.add(value)
    return True


def tells_apart(table: Table, name: str, *, by_position: bool = False) -> bool:
    """Whether every row has another value, as ids have."""
    values = [str(value) for value in values_of(table, name)]
    if by_position:
        return {*values} in ({*map(str, range(start, len(values) + start))} for start in (0, 1))
    return len({*values}) == len(values)


@dataclass(frozen=True, eq=False)
class NamedColumn:
    """A column that knows its name, as one of a data frame does."""

    values: LabelArray
    name: str

    def __iter__(self) -> Iterator[Any]:
        """Yield the values."""
        return iter(self.values)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> LabelArray:
        """Serve wherever numpy takes an array."""
        return np.array(self.values, dtype) if copy else np.asarray(self.values, dtype)  # numpy 1 knows no copy=None


def value_text(value: object) -> str:
    """Write a value of any column as text: a whole float as an integer, and none as nothing."""
    if is_missing(value):
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""A mapping that cannot change."""

_SECONDS = 1.0
"""For a pattern to read one answer."""


@cache
def answer_pattern(pattern: str) -> Any:
    """Compile a pattern, in a library that can stop; raise `InputError` for one of several groups, or none at all."""
    import regex  # noqa: PLC0415 (few gates have patterns)

    pattern = pattern.replace(ANY_CLASS, "(?:)")
    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        raise InputError("", "a regular expression", f"{pattern!r}, which is none: {error}") from None
    if compiled.groups > 1:
        advice = "Write others as (?:...)."
        raise InputError("", "a regular expression with one group at most", repr(pattern), advice)
    return compiled


def found_in(answer: str, pattern: str) -> list[str]:
    r"""Return what a pattern finds in an answer, such as spam in "I think it's spam."

    Examples
    --------
    >>> found_in("spam! Not ham.", r"\b(spam|ham)\b")
    ['spam', 'ham']
    """
    try:
        found = [*answer_pattern(pattern).finditer(answer, timeout=_SECONDS)]
    except TimeoutError:
        problem = f"The pattern has not read this answer after {_SECONDS:g} s: {shown(answer)}"
        raise InputError.plain("answer", problem, "Repeat nothing that repeats itself, as (a+)+ does.") from None
    return [next(filter(None, each.groups()), each[0]) for each in found]


@dataclass(frozen=True)
class Reading:
    """What the columns of a file mean, as gate files and the command line say it.

    Attributes
    ----------
    invalid
        What becomes of predictions that are missing or none of the classes.
    clusters
        The column that tells which cluster each example belongs to; empty where every example is its own.
    runs
        What several rows of an example are, which its id tells; None where an example has one.
    show
        The columns that reports show of an example that changed.
    columns
        What the file calls a column, by the name by which it is known.
    rows
        The values that certain columns have in the rows that are read, as text; empty where all rows are.
    gold
        The file of the true tags, where the file has the predicted ones alone.
    answer
        A regular expression that finds the class in a prediction, and in which ``{classes}`` is any of them. Empty
        where the prediction is the class.
    """

    invalid: Invalid = INVALID_DEFAULT
    clusters: str = ""
    runs: Runs | None = None
    show: tuple[str, ...] = ()
    columns: Pairs = ()
    rows: Pairs = ()
    gold: str | None = None
    answer: str = ""

    def of_side(self, columns: Mapping[str, str], rows: Mapping[str, str]) -> "Reading":
        """Add what is said of one side's file alone, which comes before what is said of both."""
        added = dict(self.columns) | dict(columns), dict(self.rows) | dict(rows)
        return replace(self, columns=tuple(added[0].items()), rows=tuple(added[1].items()))

    def over(self, other: "Reading") -> "Reading":
        """Let what is said here come before what another says."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        return replace(other, **{name: value for name, value in said.items() if value != getattr(AS_IT_IS, name)})

    @property
    def identifiers(self) -> dict[str, str]:
        """The columns that tell rows apart, where a file has them, and what one of their values is called."""
        clusters = {self.clusters: "cluster"} if self.clusters else {}
        return {ID: "id", **clusters, **({RUN: "run"} if self.runs else {})}


AS_IT_IS = Reading()
"""Nothing was said of the file."""

Readings: TypeAlias = Mapping[str, Reading]
"""By the side that a file is of: ``baseline``, ``anchor``, ``candidate``; `AS_IT_IS` where there is none."""

ALL_AS_THEY_ARE: Readings = MappingProxyType({})


_WEIGHTS = frozenset({"class_weight", "sample_weight", "sample_weights", "weight", "weights"})


def on_unused(table: Table) -> Iterator[str]:
    """Say which columns, that a reader would expect to count, are not used."""
    used = {id(values) for name, values in table.columns.items() if name in _KNOWN}
    for name in table.columns:
        if name.lower() in _WEIGHTS:
            yield f"The column {shown(name)} does not count: every example counts once."
    ids = usual_columns(table.columns).get(ID)
    if ids is not None and ID not in table.columns and id(table.columns[ids]) not in used and tells_apart(table, ids):
        yield f"Examples pair up by position. If {shown(ids)} tells them apart, pass {setting('columns', {ID: ids})}."


_LESS_IS_BETTER = frozenset(
    {
        *("bias", "biased", "bits", "brier", "cer", "cost", "distance", "duration", "ece"),
        *("entropy", "error", "errors", "failed", "failures", "fnr", "fpr", "hallucinated", "hallucination"),
        *("hallucinations", "latency", "loss", "mae", "misses", "mse", "nll", "perplexity", "ppl"),
        *("rmse", "ter", "toxic", "toxicity", "violation", "violations", "wer", "wrong"),
    }
)
_TURNED_ROUND = frozenset(
    {
        *("acc", "accuracy", "auc", "correct", "detection", "f1", "free", "match", "neg", "negative"),
        *("no", "non", "pass", "passed", "precision", "recall", "reduction", "success", "without"),
    }
)


def require_more_is_better(name: str) -> None:
    """Refuse values of which less is better: a candidate that has more of them would pass."""
    words = {*words_of(name)}
    if words & _LESS_IS_BETTER and not words & _TURNED_ROUND:
        problem = f"Of {shown(name)} less is better, as its name says, and mean takes more for better"
        advice = f"Add a column with the negative, value = -{name.rpartition('.')[2]}, and pass "
        advice += f"{setting('columns', {VALUE: VALUE})}. If more is better, call it otherwise."
        raise InputError.plain(VALUE, problem, advice)


_OF_SYSTEMS = frozenset({"checkpoint", "classifier", "model", "provider", "system"})
_MOST_SYSTEMS = 20


def require_one_system(table: Table) -> None:
    """Refuse the predictions of several systems in one table, which would be pooled."""
    for name in table.columns:
        if not _OF_SYSTEMS & {*words_of(name)} or any(isinstance(each, list | dict) for each in values_of(table, name)):
            continue
        systems = _texts(table, name)
        if not 1 < len({*systems}) <= _MOST_SYSTEMS:
            continue
        examples: dict[str, list[str]] = {}
        for system, example in zip(
            systems, values_of(table, ID if ID in table.columns else table.first_column), strict=True
        ):
            examples.setdefault(system, []).append(str(example))
        first, *others = map(sorted, examples.values()) if ID in table.columns else examples.values()
        if all(each == first for each in others):
            raise several(name, systems)


_EACH = "a value for every example"
_RIGHT = {"true": 1, "false": 0}


def checked(table: Table, reading: Reading) -> Table:
    """Make arrays of one kind each of the columns of labels, and of those that tell rows apart.

    Predictions that count as wrong because they are missing or none of the classes are masked.
    """
    _require_columns(table, reading)
    if reading.answer:
        table = _read_answers(table, reading)
    unreadable = reading.invalid == "wrong"
    if table.score_columns:  # a number that was given several times has a mean
        runs = bool(reading.runs and (table.label_columns or reading.runs == Runs.SEEDS))
        of_values = table.score_columns == (VALUE,)
        _refuse(
            replace(reading, invalid=INVALID_DEFAULT) if of_values else reading,
            "is about predictions, and these are scores",
            runs=runs,
        )
        table = _zero_where_missing(table) if of_values and unreadable else table
    needed = table.label_columns[:1] if unreadable else table.label_columns
    identifiers = {name: noun for name, noun in reading.identifiers.items() if name in table.columns}
    for name in dict.fromkeys([*needed, *table.score_columns, *identifiers]):
        _require_values(table, name)
    if is_multilabel(table) and not table.spans:
        labels = unwrapped({name: table.columns[name] for name in table.label_columns})
        table = replace(table, columns={**table.columns, **labels})
    if is_multilabel(table):
        _refuse(reading, "is for one class per example, and these have any number of labels", runs=bool(reading.runs))
        labels = {name: _tidied_rows(table.columns[name]) for name in table.label_columns}
    elif table.label_columns:
        labels = {name: table.columns[name] for name in table.label_columns}
        source: LabelSource = "text" if table.is_text else "table"
        labels = read_labels(labels, table.labels, source=source, invalid=reading.invalid)
    else:
        labels = {}
    ids = {
        name: text_array(table.columns[name], name) if table.is_text else table.columns[name] for name in identifiers
    }
    ids = {name: label_column(values, name, identifiers[name]) for name, values in ids.items()}
    scores = {name: _numbers(table, name) for name in table.score_columns}
    return replace(table, columns={**table.columns, **labels, **ids, **scores})


def _read_answers(table: Table, reading: Reading) -> Table:
    """Write answers as the truth writes its classes; one that holds several classes, or none, is missing."""
    if PREDICTED not in table.columns or table.spans or is_multilabel(table):
        problem = "answer reads one class per example, not spans, scores or several labels"
        advice = f"Name the truth and the answer, in an evaluation log with {setting('columns', CLASSES_IN_LOGS)}."
        raise InputError.plain("", problem, advice)
    classes = {*values_of(table, TRUE), *(() if table.labels is None else table.labels)}
    labels = [tidy(label) if isinstance(label, str) else label for label in classes if not is_missing(label)]
    compiled, any_class = answer_pattern(reading.answer), any_of(map(value_text, labels))
    is_bare = compiled.groups == 0 and reading.answer.count(ANY_CLASS) == 1
    pattern = reading.answer.replace(ANY_CLASS, f"({any_class})" if is_bare else any_class)
    said = [value_text(answer) for answer in values_of(table, PREDICTED)]
    spelt = str.casefold if compiled.flags & re.IGNORECASE else str  # what ignores case does so in the class, too
    classes_of: dict[str, list[Any]] = {}
    for label in in_order(labels):
        classes_of.setdefault(spelt(value_text(label)), []).append(label)
    options = []
    for row, answer in enumerate(said):
        with within(table.place(row)):
            found = found_in(answer, pattern)
        meant = [classes_of.get(spelt(each), [each]) for each in found if each]
        options.append([*dict.fromkeys(chain(*meant))])
    read = [found[0] if len(found) == 1 else None for found in options]
    unreadable = [row for row, each in enumerate(read) if each is None]
    if reading.invalid == INVALID_DEFAULT and unreadable:
        row = unreadable[0]
        holds = f"{first_few(map(shown, options[row])) or 'none'} in {shown(said[row])}"
        more = f", as {len(unreadable) - 1:,} more of {len(said):,} answers" if len(unreadable) > 1 else ""
        advice = COUNT_AS_WRONG
        if len(unreadable) == len(said) > 1:
            classes_named = first_few(map(shown, in_order(labels)))
            advice = f"Check answer: {ANY_CLASS} is any class of the truth, here {classes_named}."
        raise InputError(f"{table.place(row)}, {PREDICTED}", "one class in the answer", holds + more, advice)
    return replace(table, columns={**table.columns, PREDICTED: read}, notes=(*table.notes, *_on_answers(said, options)))


def _on_answers(said: Sequence[str], options: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Say how many answers were rewritten, and how many could not be read."""
    rewritten = [
        (was, *now) for was, now in zip(said, options, strict=True) if len(now) == 1 and value_text(*now) != was
    ]
    if rewritten:
        was, now = rewritten[0]
        n = counted(len(rewritten), "answer")
        yield f"{n} of {len(said):,} rewritten by answer, such as {shown(was)} to {shown(value_text(now))}."
    several = [row for row, each in enumerate(options) if len(each) > 1]
    none = [row for row, each in enumerate(options) if not each]
    for rows, what in ((several, "they hold several classes"), (none, "they hold no class")):
        if rows:
            example = f"such as {shown(said[rows[0]])}"
            yield f"{counted(len(rows), 'unreadable answer')} of {len(said):,}: {what}, {example}."


def _require_columns(table: Table, reading: Reading) -> None:
    """Require the columns that nothing can be read without."""
    needed = {reading.clusters: "the cluster of every example"} if reading.clusters else {}
    if reading.runs:
        needed |= {ID: "the example of every prediction"}
    if reading.runs == Runs.SEEDS and _repeats(table.columns.get(ID, [])):
        needed |= {RUN: "the training that each prediction is of"}
    for name, what in needed.items():
        if name not in table.columns:
            raise lacks(name, f"with {what}", table.columns)


def _repeats(ids: Sequence[Any]) -> bool:
    """Whether an example has several rows; a file in which none has is of one classifier."""
    return len(np.unique(np.asarray(ids, dtype=str))) < len(ids)


def _refuse(reading: Reading, why: str, *, runs: bool) -> None:
    """Refuse what this kind of data does not offer."""
    for what, asked in (("invalid: wrong", reading.invalid == "wrong"), ("runs", runs)):
        if asked:
            raise InputError.plain("", f"{what} {why}")


def _zero_where_missing(table: Table) -> Table:
    """Count an example without a value as wrong, as 0; what that is among values below 0 is not known."""
    values = values_of(table, VALUE)
    missing = {row for row, value in enumerate(values) if is_missing(value) or is_no_number(value)}
    if not missing:
        return table
    filled = [0.0 if row in missing else value for row, value in enumerate(values)]
    numbers = _numbers(replace(table, columns={VALUE: filled}), VALUE)
    if any(isinstance(each, int | float) and each < 0 for each in numbers):
        problem = "invalid: wrong counts a missing value as 0, and others are below 0"
        raise InputError.plain(VALUE, problem, "Leave these examples out of both files.")
    note = f"{counted(len(missing), 'value')} of {len(values):,} missing: counted as wrong, as 0."
    return replace(table, columns={**table.columns, VALUE: filled}, notes=(*table.notes, note))


def is_no_number(value: object) -> bool:
    """Whether a text says that there is no number."""
    return str(value).strip().lower() in ("nan", "n/a", "na", "none", "null", "-", "error")


def _numbers(table: Table, name: str) -> Any:
    """Read text as numbers, which other formats have. What is right has the value 1."""
    values = table.columns[name]
    if name == VALUE:
        values = [_RIGHT.get(str(value).strip().lower(), value) for value in values]
    if not any(isinstance(value, str) for value in values):
        return values
    numbers = np.empty(len(values))
    for row, value in enumerate(_with_points(values)):
        try:
            numbers[row] = float(value)
        except (TypeError, ValueError):
            advice = COUNT_AS_WRONG if name == VALUE and is_no_number(value) else ""
            raise InputError(f"{table.place(row)}, {name}", "a number", shown(value), advice) from None
        if isnan(numbers[row]):
            raise InputError(f"{table.place(row)}, {name}", _EACH, "NaN")
    return numbers


_WITH_COMMA = re.compile(r"\s*[+-]?(\d+),(\d+)\s*")


def _with_points(values: Sequence[Any]) -> Sequence[Any]:
    """Write 0,87 as 0.87, unless the commas may be those of thousands."""
    found = [_WITH_COMMA.fullmatch(each) for each in values if isinstance(each, str) and "," in each]
    if not all(found) or any(isinstance(each, str) and "." in each for each in values):
        return values
    if not any(each and (each[1] == "0" or len(each[2]) != 3) for each in found):
        return values
    return [each.replace(",", ".") if isinstance(each, str) else each for each in values]


def _require_values(table: Table, name: str) -> None:
    values = values_of(table, name)
    listed = () if table.labels is None else table.labels
    rows = missing_rows(values, listed)
    if rows:
        row = rows[0]
        drop = ""
        if name == TRUE and name in table.label_columns:
            chosen = _rows_with_truth(table, rows)
            choose = f"Choose the rows that have one, with {setting('rows', chosen)}."
            drop = choose if chosen else DROP_ROWS
        as_wrong = COUNT_AS_WRONG if name in (PREDICTED, VALUE) and not is_multilabel(table) else ""
        if_word = "" if is_missing(values[row]) else IF_CLASS
        advice = " ".join(
            filter(None, (if_word if name in table.label_columns else AS_NULL * bool(if_word), drop, as_wrong))
        )
        found = describe_missing(values[row]) + _others(table, name, rows)
        raise InputError(f"{table.place(row)}, {name}", _EACH, found, advice)


def _rows_with_truth(table: Table, missing: Sequence[int]) -> dict[str, str]:
    """Return what to pass as rows, where one value of another column tells those that have a truth from all others."""
    without = {*missing}
    for name in table.columns if not table.is_text else ():
        values = values_of(table, name)
        if name in _KNOWN or any(isinstance(each, list | dict) for each in values):
            continue
        texts, is_known = _texts(table, name), not all(is_missing(values[row]) for row in missing)
        of_kept = {text for row, text in enumerate(texts) if row not in without}
        if is_known and len(of_kept) == 1 and not of_kept & {texts[row] for row in missing}:
            return {name: of_kept.pop()}
    return {}


def _others(table: Table, name: str, rows: Sequence[int]) -> str:
    """Say how many values of a column are missing, and of which examples; nothing where it is one."""
    if len(rows) < 2:
        return ""
    named = values_of(table, ID) if name != ID and ID in table.columns else None
    named = None if named is None or all(is_missing(named[row]) for row in rows) else named
    which = first_few((shown(named[row]) for row in rows) if named is not None else map(table.place, rows))
    n_rows = len(values_of(table, name))
    return f", as {len(rows):,} of {n_rows:,} have: {'ids ' if named is not None else ''}{which}"


def _tidied_rows(rows: Any) -> Any:
    """Write equal labels alike where an example has any number: rows of them, which may be arrays of indicators."""
    if isinstance(rows, str):
        return tidy(rows)
    return type(rows)(map(_tidied_rows, rows)) if isinstance(rows, list | tuple | set) else rows


def values_of(table: Table, name: str) -> Sequence[Any]:
    """Return a column's values, as many as the first column has."""
    values = table.columns[name]
    if not isinstance(values, list) and not (isinstance(values, np.ndarray) and values.ndim):
        raise InputError(name, _EACH, type(values).__name__)
    n_rows = len(table.columns[table.first_column])
    if len(values) != n_rows:
        raise InputError(name, f"{counted(n_rows, 'value')}, as in {table.first_column}", str(len(values)))
    if isinstance(values, np.ndarray):
        return values.tolist() if values.ndim == 1 else list(values)
    return values


def is_multilabel(content: Content) -> bool:
    """Whether examples have any number of labels: a row of indicators or a list of labels each."""
    if isinstance(content, Matrix) or content.is_text:
        return False
    columns = [content.columns[name] for name in content.label_columns]
    return any(
        each.ndim > 1 if isinstance(each, np.ndarray) else not {list, tuple, set}.isdisjoint(map(type, each))
        for each in columns
        if isinstance(each, Iterable)  # what is none is refused where its labels are read
    )


_TRUTH_VALUES = ("True", "False")


def selected(table: Table, rows: Mapping[str, str]) -> Table:
    """Keep the rows in which certain columns have certain values."""
    if not rows and not table.one_each:
        return table
    kept = np.ones(len(values_of(table, table.first_column)), dtype=bool)
    for name, value in rows.items():
        found = _texts(table, name)
        if value not in found:
            quotes = " YAML reads no, yes, on and off as truth values: put them in quotes." * (value in _TRUTH_VALUES)
            advice = f"Found {_values(found)}.{quotes}"
            raise InputError.plain("rows", f"No row's {shown(name)} is {shown(value)}", advice)
        kept &= np.array([each == value for each in found], dtype=bool)
    if not kept.any():
        wanted = " and ".join(f"{shown(name)} is {shown(value)}" for name, value in rows.items())
        raise InputError.plain("rows", f"There is no row in which {wanted}")
    positions = np.flatnonzero(kept).tolist()
    part = replace(
        table,
        columns=rows_of({name: values_of(table, name) for name in table.columns}, positions),
        lines=None if table.lines is None else [table.lines[row] for row in positions],
        rulers=[table.rulers[row] for row in positions] if table.rulers else (),
    )
    for name in table.one_each:
        found = _texts(part, name)
        if len(set(found)) > 1:
            raise several(name, found)
    if part.if_repeated and (twice := _answered_twice(part)):
        problem = f"{counted(len(twice), 'test')} with several answers of one system: {first_few(map(shown, twice))}"
        raise InputError.plain(ID, problem, part.if_repeated)
    return part


def _answered_twice(table: Table) -> list[str]:
    """Find the examples that have several rows of one run."""
    if ID not in table.columns:
        return []
    ids = _texts(table, ID)
    runs = _texts(table, RUN) if RUN in table.columns else [""] * len(ids)
    return [example for (example, _), n in Counter(zip(ids, runs, strict=True)).items() if n > 1]


def several(name: str, values: Collection[str], more: str = "") -> InputError:
    """Say that there are rows of several systems, and how to choose those of one, or of one for each side."""
    first = next(iter(values))
    advice = f"Choose one, such as {setting('rows', {name: first})}.{more} If the file has both sides, choose for each."
    return InputError("", f"rows of one {shown(name)}", _values(values), advice)


def of_systems(table: Table) -> InputError | None:
    """Find a column that tells systems apart, each with every id once, and say so; None where there is none."""
    for name in table.columns if ID in table.columns and RUN not in table.columns else ():
        if name in _KNOWN or any(isinstance(each, list | dict) for each in values_of(table, name)):
            continue
        names, ids = _texts(table, name), _texts(table, ID)
        n_values, n_ids = len({*names}), len({*ids})
        if 1 < n_values < n_ids and n_values * n_ids == len({*zip(names, ids, strict=True)}) == len(ids):
            runs = f"{setting('columns', {RUN: name})} and runs: samples"
            return several(name, names, f" If they are runs of one system, pass {runs}.")
    return None


def joined(predictions: Table, truth: Table, *, invalid: Invalid) -> Table:
    """Put the truth beside predictions, both columns ``value``, by their ids; an example without a prediction is wrong.

    Other columns of the truth come too, for slices.
    """
    ids, known = (_texts(table, ID) for table in (predictions, truth))
    position = {each: row for row, each in enumerate(known)}
    if len(position) < len(known):
        twice = next(each for row, each in enumerate(known) if position[each] != row)
        raise InputError.plain("gold", f"The id {shown(twice)} is there more than once", "One truth for each.")
    strange = [each for each in ids if each not in position]
    if strange:
        problem = f"No truth for {counted(len(strange), 'prediction')}: {first_few(map(shown, strange))}"
        raise InputError.plain("gold", problem, "Add them, or check that both files name examples alike.")
    said = {*ids}
    lacking = [each for each in known if each not in said]
    if lacking and invalid == INVALID_DEFAULT:
        problem = f"No prediction of {counted(len(lacking), 'example')} of the truth: {first_few(map(shown, lacking))}"
        raise InputError.plain(ID, problem, f"Add them. {COUNT_AS_WRONG}")
    rows = [position[each] for each in (*ids, *lacking)]
    columns = rows_of({name: values_of(truth, name) for name in truth.columns}, rows)
    true, answers = columns.pop(VALUE), [*values_of(predictions, VALUE), *([None] * len(lacking))]
    own = {
        name: [*values_of(predictions, name), *([""] * len(lacking))]
        for name in predictions.columns
        if name not in (VALUE, TRUE, PREDICTED, *columns)
    }
    if predictions.is_text != truth.is_text:
        true, answers = ([value_text(each) for each in column] for column in (true, answers))
    is_text = predictions.is_text or truth.is_text
    if is_text:
        answers = [each or "" for each in answers]
    columns = {**columns, **own, ID: [*ids, *lacking], TRUE: true, PREDICTED: answers}
    return Table(columns, predictions.labels, is_text=is_text)


def rows_of(columns: Mapping[str, Any], rows: list[int]) -> dict[str, Any]:
    """Take some rows of every column."""
    return {
        name: values[rows] if isinstance(values, np.ndarray) else [values[row] for row in rows]
        for name, values in columns.items()
    }


def _texts(table: Table, name: str) -> list[str]:
    if name not in table.columns:
        raise lacks(name, "to choose rows by", table.columns, "rows")
    return [value_text(value) for value in values_of(table, name)]


def _values(found: Iterable[str]) -> str:
    return first_few(map(shown, sorted(set(found))), 10)
