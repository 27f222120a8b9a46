"""From columns to questions: the only place that knows what a kind of data looks like, and what runs and ids are."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from enum import Enum
from itertools import chain, islice
from math import isnan, nan
from numbers import Real
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, issparse

from pytest_bayesf1.arrays import Bools, Codes, Counts, Floats, LabelArray, as_array
from pytest_bayesf1.choices import INVALID_DEFAULT, READING, Better, Invalid, Kind, Runs
from pytest_bayesf1.data.labels import (
    EACH,
    ClassCodes,
    Rows,
    encode_any_number,
    explicit_labels,
    identifiers,
    is_mere_position,
    is_missing,
    label_column,
    positive_class,
    read_column,
    require_same_index,
    require_unique,
)
from pytest_bayesf1.data.labels import encode as encode_classes
from pytest_bayesf1.data.outcomes import row_keys
from pytest_bayesf1.data.questions import Given, Questions, Show, read_shown
from pytest_bayesf1.data.tags import NO_DOCUMENTS, Documents, hold_tags, spans_of_tags
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.results.schema import Label, plain
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.values import require_choice

LabelsFrom: TypeAlias = str  # "caller" or "data"


class Encoded(NamedTuple):
    """What columns say.

    Attributes
    ----------
    sides
        The answers of each side.
    labels
        The classes, labels or types that occur; the unreadable one last.
    vocabulary
        What an answer may be; None where that is all of these.
    labels_from
        Where they come from: the ``caller``, or the ``data`` themselves.
    notes
        What a careful reader of a result should know of how the columns were read, side by side.
    """

    sides: list[Questions]
    labels: tuple[Label, ...]
    labels_from: LabelsFrom
    notes: list[tuple[str, ...]]
    vocabulary: tuple[Label, ...] | None = None


class _Read(NamedTuple):
    """What the truth and every side says: codes or numbers example by example, or labels or spans that are given."""

    true: Any
    answers: list[Any]
    n: int
    labels: tuple[Label, ...]
    labels_from: LabelsFrom
    notes: list[tuple[str, ...]] | None = None
    vocabulary: tuple[Label, ...] | None = None
    missing: float = 0.0


def encode(
    kind: Kind,
    columns: Mapping[str, Any],
    labels: Iterable[Label] | None = None,
    *,
    ids: Iterable[Any] | None = None,
    clusters: Iterable[Any] | None = None,
    show: Show = None,
    runs: str | None = None,
    run_ids: Iterable[Any] | None = None,
    invalid: Invalid = INVALID_DEFAULT,
    better: Better = Better.HIGHER,
    rows: Rows = EACH,
) -> Encoded:
    """Read the truth, which comes first, and what sides answer, over the same labels."""
    per_example = None
    if kind is Kind.CLASSES:
        columns, per_example = _flat_runs(columns, runs, run_ids, rows)
        whose = rows if per_example is None else rows.take(np.repeat(np.arange(per_example.size), per_example))
        read = _read_classes(columns, labels, invalid, whose)
    elif kind is Kind.LABELS:
        read = _read_labels(columns, labels, rows)
    elif kind is Kind.SPANS:
        documents = {name: _documents(values, name, rows) for name, values in columns.items()}
        notes: tuple[str, ...] = ()
        if hold_tags(documents):
            notes = (NO_DOCUMENTS,) if ids is None else ()
            ids, documents, rows = spans_of_tags(documents, ids, rows)
        read = _read_spans(documents, labels, rows, notes)
    elif kind is Kind.SCORES:
        read = _read_scores(columns, labels, rows)
    else:
        read = _read_values(columns, invalid, better, rows)
    examples = _Examples.read(read.n, kind, ids, clusters, show, runs, run_ids, per_example, rows)
    examples.known.update(missing=read.missing, is_negated=better == Better.LOWER)
    sides = [examples.questions(kind, read.true, answers, read.labels) for answers in read.answers]
    return Encoded(sides, read.labels, read.labels_from, read.notes or [()] * len(sides), read.vocabulary)


def require_goes_with(kind: Kind, declared: Iterable[str]) -> None:
    """Raise `InputError` for what is declared of input and does not go with a kind of data: see `READING`."""
    for name in declared:
        if name in READING and kind not in READING[name].kinds:
            goes_with = ", ".join(each for each in Kind if each in READING[name].kinds)
            raise InputError.plain(name, f"It goes with {goes_with}, and these are {kind}", f"Leave {name} out.")


WHAT_RUNS_ARE = (
    "For several predictions of an example, pass runs: samples if you asked the same system again, runs: seeds if you "
    "trained a recipe again."
)
FEWEST_SEEDS = 3
DOCUMENTS = "documents"


class _Examples(NamedTuple):
    """N examples of a test set, and which rows are about each.

    Attributes
    ----------
    known
        Their number, ids, clusters and so on, as `Questions` keep them.
    order, example : (K,)
        The rows in the order of the examples and runs, and whose each is; None where every example has a row.
    rows
        What messages call them.
    """

    known: dict[str, Any]
    order: Codes | None
    example: Codes
    rows: Rows = EACH

    @classmethod
    def read(
        cls,
        n_rows: int,
        kind: Kind,
        ids: Iterable[Any] | None,
        clusters: Iterable[Any] | None,
        show: Show,
        runs: str | None = None,
        run_ids: Iterable[Any] | None = None,
        per_example: Codes | None = None,
        rows: Rows = EACH,
    ) -> "_Examples":
        """Check the columns that tell rows apart."""
        if runs is not None:
            require_choice("runs", runs, (Runs.SAMPLES,) if kind is Kind.VALUES else Runs)
        elif run_ids is not None:
            problem = "run_ids tell runs apart, but nothing says what the runs are"
            raise InputError.plain("runs", problem, WHAT_RUNS_ARE)
        if per_example is not None:
            n_rows = per_example.size
        are_spans = kind is Kind.SPANS

        def listed(values: Iterable[Any] | None, argument: str, noun: str, per: str = "example") -> LabelArray | None:
            where = rows.named(argument)
            return None if values is None else identifiers(values, n_rows, where, noun, per, rows)

        names = (DOCUMENTS, "document id", "collection of spans") if are_spans else ("ids", "id", "example")
        of_rows = listed(ids, *names)
        of_clusters = listed(clusters, "clusters", "cluster")
        of_runs = listed(run_ids, "run_ids", "run id")
        known: dict[str, Any] = {"ids": of_rows, "clusters": of_clusters, "shown": read_shown(show, n_rows)}
        known["rows"] = rows._replace(weight=None)
        known["cluster_noun"] = "clusters" if clusters is not None else DOCUMENTS if are_spans else "examples"
        if runs is not None and per_example is None:
            return cls._of_long_table(Runs(runs), known, of_runs)
        if of_rows is not None:
            declare = "runs (samples or seeds)" if kind in (Kind.CLASSES, Kind.VALUES) else ""
            require_unique(of_rows, rows.named(names[0]), declare, rows)
        known["n_samples"] = n_rows
        if per_example is None or runs is None:
            return cls(known, None, np.arange(n_rows))
        example = np.repeat(np.arange(n_rows), per_example)
        known |= _checked_runs(Runs(runs), example, _places(example), are_named=runs == Runs.SEEDS)
        return cls(known, None, example)

    @classmethod
    def _of_long_table(cls, runs: Runs, known: dict[str, Any], run_ids: LabelArray | None) -> "_Examples":
        """Find the rows of every id."""
        ids, rows = known["ids"], known["rows"]
        if ids is None:
            advice = "Pass ids, the example of every prediction; or predictions of shape (N, R)."
            raise InputError.plain("ids", "Nothing says which predictions are of the same example", advice)
        if runs is Runs.SEEDS and run_ids is None:
            problem = "Nothing says which training each prediction is of"
            advice = "Pass run_ids, or predictions of shape (N, R) with a column per training."
            raise InputError.plain("run_ids", problem, advice)
        unique, first, example = np.unique(ids, return_index=True, return_inverse=True)
        run = _places(example) if run_ids is None else np.unique(run_ids, return_inverse=True)[1]
        order = np.lexsort((run, example))
        example, run = example[order], run[order]
        twice = np.flatnonzero((np.diff(example) == 0) & (np.diff(run) == 0))
        if twice.size:
            again = np.sort(order[twice + 1])
            raise rows.refused(rows.named("run_ids"), "repeated within an id", run_ids, again)
        found = cls({**known, "ids": unique, "n_samples": unique.size}, order, example, rows)
        if known["clusters"] is not None:
            found.require_agreement(known["clusters"], rows.named("clusters"))
            found.known["clusters"] = known["clusters"][first]
        found.known["rows"] = rows.take(first)
        found.known["shown"] = tuple((name, column[first]) for name, column in known["shown"])
        found.known.update(_checked_runs(runs, example, run, are_named=run_ids is not None))
        return found

    def require_agreement(self, values: npt.NDArray[Any], where: str, names: Sequence[Any] | None = None) -> None:
        """Require the same value in all rows of an example; messages show the values' names."""
        assert self.order is not None
        ordered = values[self.order]
        first = np.searchsorted(self.example, self.example)
        differs = np.sort(self.order[ordered != ordered[first]])
        if differs.size:
            written = values if names is None else [names[code] for code in values.tolist()]
            raise self.rows.refused(where, "unlike an earlier row of the id", written, differs)

    def questions(self, kind: Kind, true: Any, answers: Any, labels: tuple[Label, ...]) -> Questions:
        """Ask about them."""
        if kind in (Kind.LABELS, Kind.SPANS):
            return Questions.of_given(kind, true, answers, **self.known)
        if self.order is not None:
            if kind is Kind.VALUES:
                return self._averaged(answers[self.order])
            self.require_agreement(true, "y_true", labels)
            true, answers = true[self.order], answers[self.order]
        return Questions.of_each(kind, true, answers, self.example, **self.known)

    def _averaged(self, values: Floats) -> Questions:
        """Take the mean of the values of each example."""
        times = np.bincount(self.example)
        means = np.bincount(self.example, values[:, 0]) / times
        known = {**self.known, "runs": None, "n_runs": int(times.min())}
        every = np.arange(means.size)
        return Questions.of_each(Kind.VALUES, np.zeros(means.size, dtype=np.int64), means[:, None], every, **known)


def _places(example: Codes) -> Codes:
    """Give the rows of every example their numbers: 0 for its first, 1 for its second."""
    order = np.argsort(example, kind="stable")
    starts = np.searchsorted(example[order], example[order])
    places = np.empty(example.size, dtype=np.int64)
    places[order] = np.arange(example.size) - starts
    return places


def _checked_runs(runs: Runs, example: Codes, run: Codes, *, are_named: bool) -> dict[str, Any]:
    """Require that runs with a name have a prediction of every example, and of trainings that there are enough."""
    times, n = np.bincount(run), int(example[-1]) + 1
    lacking = np.flatnonzero(times < n)
    if are_named and lacking.size:
        n_lacking = counted(int(n - times[lacking[0]]), "example")
        noun = "Training" if runs is Runs.SEEDS else "Run"
        problem = f"{noun} {lacking[0] + 1} has no prediction of {n_lacking}"
        raise InputError.plain("y_pred", problem, "Write one that is missing as an empty one, which counts as wrong.")
    if runs is Runs.SEEDS and times.size < FEWEST_SEEDS:
        expected = f"at least {FEWEST_SEEDS} trainings, to estimate how much they vary"
        raise InputError("runs", expected, f"{times.size}")
    return {"runs": runs, "n_runs": times.size}


def _flat_runs(
    columns: Mapping[str, Any], runs: str | None, run_ids: Iterable[Any] | None, of_rows: Rows
) -> tuple[Mapping[str, Any], Codes | None]:
    """Put the rows of (N, R) predictions one after the other, and count those of every example."""
    (first, y_true), *others = columns.items()
    rows = None if runs is None else _rows_of_runs(others[0][1])
    if rows is None:
        return columns, None
    require_same_index(columns)
    of_examples = label_column(y_true, first, rows=of_rows)
    ((name, _),) = others
    if len(rows) != of_examples.size:
        expected = f"{counted(of_examples.size, 'row')} of predictions, one per example of {first}"
        raise InputError(name, expected, f"{len(rows)}")
    if [] in rows:
        empty = [row for row, each in enumerate(rows) if not each]
        raise of_rows.refused(name, "no list of predictions", rows, empty)
    if run_ids is not None:
        raise InputError.plain("run_ids", f"The columns of {name}, of shape (N, R), are the runs already")
    times = np.array([*map(len, rows)])
    return {first: np.repeat(of_examples, times), name: [label for row in rows for label in row]}, times


def _rows_of_runs(y_pred: Iterable[Any]) -> list[list[Any]] | None:
    """Return a row of predictions per example; None where there is a single column."""
    if getattr(y_pred, "ndim", 1) == 2:
        return [list(row) for row in np.ma.asarray(y_pred).tolist()]
    if isinstance(y_pred, list | tuple) and any(isinstance(row, list | tuple | np.ndarray) for row in y_pred):
        return [list(row) if isinstance(row, list | tuple | np.ndarray) else [row] for row in y_pred]
    return None


def encode_cells(
    columns: Mapping[str, Any],
    count: npt.ArrayLike,
    labels: Iterable[Label] | None,
    invalid: Invalid,
    unit: str = "cell",
) -> tuple[ClassCodes, Counts]:
    """Read classes of outcomes that are given with their numbers, and these."""
    weight = whole_counts(as_numbers(count, "counts", "whole numbers"))
    found = encode_classes(columns, labels, invalid=invalid, rows=Rows(weight, unit))
    for codes in found.codes.values():
        if codes.shape != weight.shape:
            raise InputError("counts", f"{codes.size} counts, one per cell", f"shape {weight.shape}")
    return found, weight


def _read_classes(columns: Mapping[str, Any], labels: Iterable[Label] | None, invalid: Invalid, rows: Rows) -> _Read:
    found = encode_classes(columns, labels, invalid=invalid, rows=rows)
    true, *answers = found.codes.values()
    labels_from = "data" if labels is None else "caller"
    return _Read(true, answers, true.size, found.labels, labels_from, vocabulary=found.vocabulary)


_FORMS = "indicators of shape (N, L), or N sets of labels"
Sets: TypeAlias = list[Collection[Any]]
_GivenBy: TypeAlias = tuple[dict[str, tuple[Given, int]], tuple[Label, ...], LabelsFrom, tuple[Label, ...]]
"""What each column gives to how many examples; of which labels, where these come from, and which may be given."""


def _read_labels(columns: Mapping[str, Any], labels: Iterable[Any] | None, rows: Rows) -> _Read:
    """Bring examples' labels, all in one form, to those that are given."""
    require_same_index(columns)
    read = {name: _collections(values, name, rows) for name, values in columns.items()}
    forms = {name: "sets of labels" if _are_sets(each) else "indicators" for name, each in read.items()}
    (first, form), *others = forms.items()
    for name, other in others:
        if other != form:
            raise InputError(name, f"{form}, as in {first}", other, "Convert one.")
    given_by = _from_sets if form == "sets of labels" else _from_tables
    found, names, labels_from, vocabulary = given_by(read, labels, rows)
    n = found[first][1]
    for name, (_, n_own) in found.items():
        if n_own != n:
            raise InputError(name, f"{counted(n, 'example')}, as in {first}", f"{n_own}")
    true, *answers = (given for given, _ in found.values())
    return _Read(true, answers, n, names, labels_from, vocabulary=vocabulary)


def _of_arrow(values: Any) -> Any:
    """Return lists of an array of PyArrow, whose own items are no collections; anything else as it is."""
    return values.to_pylist() if hasattr(values, "to_pylist") and not hasattr(values, "columns") else values


def _collections(values: Any, where: str, rows: Rows) -> Any:
    """Return a table as it is, anything else as a list with a collection for every example."""
    values = _of_arrow(values)
    if len(getattr(values, "shape", (0,))) != 1:
        return values
    if isinstance(values, str | bytes | Mapping | AbstractSet) or not isinstance(values, Iterable):
        raise InputError(where, _FORMS, type(values).__name__)
    listed = list(values)
    wrong = [row for row, each in enumerate(listed) if not _is_collection(each)]
    if wrong:
        raise rows.refused(where, "no list of labels", listed, wrong)
    if not listed:
        raise InputError(where, "at least one example", "an empty sequence")
    return listed


def _holds_several(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def _is_collection(value: Any) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping)


def _are_sets(rows: Any) -> bool:
    """Whether rows hold labels: those of numbers must be sets, or be taken for indicators."""
    if not isinstance(rows, list):
        return False
    holds_labels = any(isinstance(row, AbstractSet) for row in rows) or not any(len(row) for row in rows)
    return holds_labels or any(isinstance(label, str | Enum) for row in rows for label in row)


def _from_sets(columns: Mapping[str, Sets], labels: Iterable[Any] | None, rows: Rows) -> _GivenBy:
    if not any(len(row) for each in columns.values() for row in each):
        raise InputError.plain(" and ".join(columns), "No example has a label")
    for name, each in columns.items():
        twice = [row for row, given in enumerate(each) if len({*given}) < len(given)]
        if twice:
            raise rows.refused(name, "a list with a label twice", each, twice)
    read = encode_any_number(columns, labels, "label", rows)
    given = {name: (_given([*map(len, each)], read.codes[name]), len(each)) for name, each in columns.items()}
    return given, read.labels, "data" if labels is None else "caller", read.vocabulary


def _given(lengths: Sequence[int], codes: Codes) -> Given:
    """Say which example each label is given to."""
    return np.stack([np.repeat(np.arange(len(lengths)), lengths), codes])


def _from_tables(columns: Mapping[str, Any], labels: Iterable[Any] | None, rows: Rows) -> _GivenBy:
    tables = {name: _read_table(values, name, rows) for name, values in columns.items()}
    own = {name: _column_names(values, name) for name, values in columns.items()}
    named = [names for names in own.values() if names is not None]
    known = explicit_labels(labels) if labels is not None else named[0] if named else None
    names = tuple(range(next(iter(tables.values()))[1][1])) if known is None else known
    given = {}
    for name, (cells, (n, width)) in tables.items():
        given[name] = np.stack([cells[0], _codes_of(own[name], width, names, name)[cells[1]]]), n
    return given, names, "caller", names


def _read_table(values: Any, where: str, rows: Rows) -> tuple[Given, tuple[int, int]]:
    """Return the row and column of every 1 in a table, and how many of each there are."""
    array = values if issparse(values) else as_numbers(values, where, _FORMS, or_booleans=True)
    if len(array.shape) != 2 or not all(array.shape):
        raise InputError(where, _FORMS, f"shape {array.shape}")
    if issparse(array):
        table = csr_array(array, copy=True)
        table.sum_duplicates()
        table.eliminate_zeros()
        cells, found = _given(np.diff(table.indptr), table.indices), table.data
    else:
        places = np.flatnonzero(array)  # far faster than the rows and columns of an array
        cells, found = np.stack(np.divmod(places, array.shape[1])), array.ravel()[places]
    wrong = np.flatnonzero(found != 1)
    if wrong.size:
        place = rows.take(cells[0])
        raise place.refused(where, "neither 0 nor 1", found.tolist(), wrong, "labels that are numbers go into sets")
    return cells, array.shape


def _column_names(values: Any, where: str) -> tuple[Label, ...] | None:
    names = _names(values)
    return None if names is None else explicit_labels(names, f"{where}.columns")


def _names(frame: Any) -> list[Any] | None:
    """Return the names of a frame's columns, PyArrow's included; None where there are none."""
    names = getattr(frame, "column_names", getattr(frame, "columns", None))
    return None if names is None or is_mere_position(names) else [*names]


def _codes_of(own: tuple[Label, ...] | None, width: int, names: tuple[Label, ...], where: str) -> Codes:
    """Find the columns of a table among the names."""
    if own is None:
        if width != len(names):
            raise InputError(where, f"{counted(len(names), 'column')}, one per label", f"{width}")
        return np.arange(width)
    if set(own) != set(names):
        differing = sorted(map(shown, set(own) ^ set(names)))
        raise InputError.plain(f"{where}.columns", f"Labels that only one of both has: {first_few(differing)}")
    return np.array([names.index(label) for label in own])


_FORM = "a collection of spans (start, end, type) for every document"


def _read_spans(
    columns: Mapping[str, Documents], labels: Iterable[Any] | None, rows: Rows, said: tuple[str, ...]
) -> _Read:
    """Check documents of spans, and bring them to types 0 .. T-1."""
    read = {name: _spans(each, name, rows) for name, each in columns.items()}
    (first, documents), *others = read.items()
    for name, other in others:
        if len(other) != len(documents):
            raise InputError(name, f"{counted(len(documents), 'document')}, as in {first}", str(len(other)))
    if not any(documents):
        raise InputError.plain(first, "No document has a span")
    kinds = {name: [[kind for _, _, kind in spans] for spans in each] for name, each in read.items()}
    encoded = encode_any_number(kinds, labels, "type", rows)
    given, repeated = {}, {}
    for name, each in read.items():
        ends = [(number, start, end) for number, spans in enumerate(each) for start, end, _ in spans]
        every = np.column_stack([np.array(ends, dtype=np.int64).reshape(-1, 3), encoded.codes[name]])
        given[name] = every.T
        repeated[name] = len(every) - np.unique(row_keys(every.T, int(every.max(initial=0)) + 1)).size
    notes = {name: f"{name}: {counted(n, 'repetition')} of a span left out." for name, n in repeated.items() if n}
    of_sides = [(*(notes[each] for each in (first, name) if each in notes), *said) for name, _ in others]
    true, *answers = given.values()
    labels_from: LabelsFrom = "data" if labels is None else "caller"
    known: dict[str, Any] = {"notes": of_sides, "vocabulary": encoded.vocabulary}
    return _Read(true, answers, len(documents), encoded.labels, labels_from, **known)


def _documents(values: Any, where: str, rows: Rows) -> Documents:
    """Require a list for every document, of spans or of tags."""
    values = _of_arrow(values)
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InputError(where, _FORM, type(values).__name__)
    documents = values.tolist() if isinstance(values, np.ndarray) else [*values]
    if not documents:
        raise InputError(where, "at least one document", "none")
    wrong = [row for row, each in enumerate(documents) if not _holds_several(each)]
    if wrong:
        raise rows.refused(where, "no list of spans", documents, wrong, _A_SPAN)
    return [*map(list, documents)]


def _spans(documents: Documents, where: str, rows: Rows) -> list[list[tuple[int, int, Any]]]:
    """Read the spans of every document; what their types are is not looked at."""
    flat = [*chain.from_iterable(documents)]
    read = [*map(_span, flat)]
    wrong = [row for row, span in enumerate(read) if span is None]
    if wrong:
        raise rows.of_items(documents).refused(where, "no span", flat, wrong, _A_SPAN)
    ordered = iter(read)
    return [[*islice(ordered, len(spans))] for spans in documents]  # type: ignore[list-item]


_A_SPAN = "a span is (start, end, type), or has start, end and label; the end is not before the start"
_OF_A_SPAN = ("start", "end", "label")


def _span(span: Any) -> tuple[int, int, Any] | None:
    """Return start, end and type; None where this is no span."""
    if isinstance(span, Mapping):
        span = [span.get(name) for name in _OF_A_SPAN]
    if not _is_collection(span) or len(span) != 3:
        return None
    start, end, kind = span
    is_span = _is_position(start) and _is_position(end) and start <= end
    return (int(start), int(end), kind) if is_span else None


def _is_position(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and int(value) >= 0


SUM_TOLERANCE = 0.01
"""How far the probabilities of an example may be from 1 in all: they may be rounded."""


_A_NUMBER = "a number for every example"


def _read_values(columns: Mapping[str, Any], invalid: Invalid, better: Better, rows: Rows) -> _Read:
    """Take a number for every example; of lower ones that are better, the negative."""
    ((name, values),) = columns.items()
    numbers = score_array(values, name, _A_NUMBER, rows, are_values=True)
    if numbers.shape[1] > 1:
        raise InputError(name, _A_NUMBER, counted(numbers.shape[1], "column"))
    missing = np.isnan(numbers)
    notes: tuple[str, ...] = ()
    if n_filled := int(missing.sum()):
        numbers = _with_zeros(numbers, missing, name, invalid, better, rows)
        notes = (f"{counted(n_filled, 'value')} of {len(numbers):,} missing: counted as wrong, as 0.",)
    answer = numbers if better == Better.HIGHER else -numbers
    no_classes = np.zeros(len(answer), dtype=np.int64)
    return _Read(no_classes, [answer], len(answer), (), "data", [notes], missing=float(missing.mean()))


def _with_zeros(numbers: Floats, missing: Bools, where: str, invalid: Invalid, better: Better, rows: Rows) -> Floats:
    """Count an example without a value as wrong, as 0; what that is among values below 0 is not known."""
    if invalid != "wrong":
        declare = "invalid: wrong, which counts it as 0"
        raise rows.refused(where, "no value", numbers[:, 0].tolist(), np.flatnonzero(missing), declare=declare)
    if better == Better.LOWER or (numbers < 0).any():
        problem = "invalid: wrong counts a missing value as 0, and that is not the worst of these"
        raise InputError.plain(where, problem, "Leave these examples out of both files.")
    return np.where(missing, 0.0, numbers)


def _read_scores(columns: Mapping[str, Any], labels: Iterable[Label] | None, rows: Rows) -> _Read:
    """Take the scores of the classes, or of two classes those of the positive one."""
    require_same_index(columns)
    y_true, y_score = columns["y_true"], columns["y_score"]
    labels_from, positive = "data" if labels is None else "caller", None
    named = by_label(y_score)
    as_true = {str(label): label for label in read_column(y_true, "y_true", rows=rows).labels}
    names = [] if named is None else [as_true.get(str(name), name) for name in named]
    if named is not None and len(names) == 1:
        (positive,), (y_score,), named = names, named.values(), None
    found = encode_classes({"y_true": y_true}, names if labels is None and named is not None else labels, rows=rows)
    true, classes = found.codes["y_true"], found.labels
    if named is None:
        scores = score_array(
            y_score, "y_score", f"{counted(true.size, 'number')}, one or a row for every example", rows
        )
    else:
        scores = in_label_order(named, classes, rows)
    if len(scores) != true.size:
        raise InputError("y_score", f"{counted(true.size, 'row')}, as in y_true", f"{len(scores)}")
    require_columns(scores, classes)
    if len(classes) == 2:
        true_labels = [classes[code] for code in np.unique(true).tolist()]
        if _positive(positive, classes, true_labels, are_listed=labels is not None) == 0:
            true, classes, scores = 1 - true, classes[::-1], scores[:, ::-1]
        scores = of_positive_class(scores, classes, rows)
    return _Read(true, [scores], true.size, classes, labels_from)


def score_array(values: Any, where: str, expected: str, rows: Rows = EACH, *, are_values: bool = False) -> Floats:
    """Return numbers as an array with a row for every example; values may be missing, and true is 1."""
    listed = _listed(values)
    if isinstance(listed, list):
        listed = [*map(_value if are_values else _number, listed)]
        wrong = [row for row, each in enumerate(listed) if each is None or isinstance(each, _NO_NUMBERS)]
        if wrong:
            raise rows.refused(where, "no number", listed, wrong)
    array: Floats = as_numbers(listed, where, expected, or_booleans=are_values).astype(np.float64)
    if array.ndim not in (1, 2) or array.size == 0:
        raise InputError(where, expected, f"shape {array.shape}")
    if array.shape[1:] == (1,):  # of one class, or of a model that has but one output
        raise rows.refused(where, "no single number", array.tolist(), range(len(array)))
    table = array.reshape(len(array), -1)
    unfit = np.isinf(table) if are_values else ~np.isfinite(table)
    if unfit.any():
        raise rows.refused(where, "no finite number", array.tolist(), np.flatnonzero(unfit.any(axis=1)))
    return table


_NO_NUMBERS = str, bytes, bool, np.bool_


def _listed(values: Any) -> Any:
    """Return an array of numbers as it is, anything else as a list."""
    if not hasattr(values, "__array__"):
        return [*values] if isinstance(values, Iterable) else values
    return as_array(values).tolist() if getattr(getattr(values, "dtype", None), "kind", "") == "O" else values


def _number(value: Any) -> Any:
    """Read a number that is written as text; words such as nan stay text."""
    if not isinstance(value, str):
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    return value if isnan(number) else number


_RIGHT = {True: 1.0, False: 0.0, "true": 1.0, "false": 0.0}


def _value(value: Any) -> Any:
    """Read a number, or what is right or wrong; what is missing is NaN."""
    if is_missing(value):
        return nan
    if isinstance(value, str):
        return _RIGHT.get(value.lower(), _number(value))
    return _RIGHT[bool(value)] if isinstance(value, bool | np.bool_) else value


def by_label(y_score: Any) -> Mapping[Any, Any] | None:
    """Return the columns by the names that they have; None where they have none."""
    if isinstance(y_score, Mapping):
        return {plain(name): values for name, values in y_score.items()}
    names = _names(y_score)
    return None if names is None else {plain(name): y_score[name] for name in names}


def in_label_order(columns: Mapping[Any, Any], labels: tuple[Label, ...], rows: Rows = EACH) -> Floats:
    """Put named columns side by side."""
    by_text = {str(name): values for name, values in columns.items()}
    if set(by_text) != {str(label) for label in labels}:
        found, names = (first_few(map(shown, each), 20) for each in (columns, labels))
        raise InputError("y_score", f"a column of scores for each of {names}", found)
    arrays = []
    for label in labels:
        where = rows.named(f"y_score of {shown(label)}")
        arrays.append(score_array(by_text[str(label)], where, _A_NUMBER, rows))
    if len({array.shape for array in arrays}) > 1 or arrays[0].shape[1] > 1:
        raise InputError("y_score", "columns of one length", first_few((str(array.shape) for array in arrays), 20))
    return np.concatenate(arrays, axis=1)


def of_positive_class(scores: Floats, labels: tuple[Label, ...], rows: Rows = EACH) -> Floats:
    """Keep the positive class's column of two."""
    if scores.shape[1] == 1:
        return scores
    wrong = without_sum(scores)
    if wrong.size:
        pairs = [", ".join(f"{value:g}" for value in pair) for pair in scores.tolist()]
        what = "no two probabilities that sum to 1"
        raise rows.refused("y_score", what, pairs, wrong, f"a column for {shown(labels[1])} alone may hold any scores")
    return scores[:, 1:]


def without_sum(probabilities: Floats) -> Codes:
    """Return the rows whose probabilities do not sum to 1."""
    return np.flatnonzero(np.abs(probabilities.sum(axis=1) - 1) > SUM_TOLERANCE)


def require_columns(scores: Floats, labels: tuple[Label, ...]) -> None:
    """Require a column for every class, or of two classes the positive one's alone."""
    n_columns, n_classes = scores.shape[1], len(labels)
    if n_columns == n_classes or (n_columns == 1 and n_classes == 2):
        return
    expected = f"{n_classes} columns of scores, one for each of {first_few(map(shown, labels), 20)}"
    name_them = "Name the classes in labels, in the order of the columns."
    raise InputError("y_score", expected, str(n_columns), name_them if n_columns > n_classes else "")


def _positive(named: Label | None, labels: tuple[Label, ...], true_labels: list[Label], *, are_listed: bool) -> int:
    """Return the position of the class of two that scores are about: by its name, its number, or its place."""
    found = positive_class(labels, true_labels) if named is None else named
    if found is None and are_listed:
        return 1
    if found is None:
        problem = f"y_score may be about {shown(labels[0])} or {shown(labels[1])}"
        raise InputError.plain("labels", problem, "Declare: labels, last the class that the scores are about.")
    if found not in labels:
        raise InputError("y_score", f"scores of {shown(labels[0])} or {shown(labels[1])}", shown(found))
    return labels.index(found)


_MAX_COUNT = 2**53  # beyond it a float no longer holds every whole number


def as_numbers(values: Any, where: str, expected: str, *, or_booleans: bool = False) -> npt.NDArray[Any]:
    """Make an array of numbers of what a caller handed in, never out of text."""
    if np.ma.is_masked(values):
        raise InputError(where, expected, "masked values")
    try:
        array = as_array(values)
    except ValueError:
        raise InputError(where, expected, "rows of different lengths") from None
    if array.dtype.kind == "O" and all(isinstance(value, Real | Decimal | None) for value in array.ravel()):
        try:
            array = array.astype(float)
        except OverflowError:
            raise InputError(where, expected, "a number beyond 10^308") from None
    if array.dtype.kind not in ("biuf" if or_booleans else "iuf"):
        found = {"U": "text", "S": "text", "b": "booleans", "O": f"{type(values).__name__}"}
        raise InputError(where, expected, found.get(array.dtype.kind, str(array.dtype)))
    return array


def whole_counts(array: npt.NDArray[Any]) -> Counts:
    """Return numbers of examples as 64-bit integers."""
    cells = Rows(unit="cell", numbers=np.argwhere(np.ones(array.shape)))
    for what, broken in (
        ("not finite", ~np.isfinite(array)),
        ("negative", array < 0),
        ("no whole number", array != np.floor(array)),
        ("beyond 2^53", array > _MAX_COUNT),
    ):
        if broken.any():
            flat = array.ravel().tolist()
            raise cells.refused(
                "counts", what, flat, np.flatnonzero(broken), "counts are numbers of examples, no rates"
            )
    if array.sum(dtype=float) > _MAX_COUNT:
        raise InputError("counts", "at most 2^53 examples in all", f"{array.sum(dtype=float):.3g}")
    if not array.any():
        raise InputError.plain("counts", "All counts are 0")
    return array.astype(np.int64)
