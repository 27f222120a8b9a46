"""Two sides: paired counts of both, their labels and examples matched, and what two test sets share."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from numbers import Integral, Real
from os import PathLike
from typing import Any, TypeAlias, Unpack, overload

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Bools, Codes, LabelArray
from pytest_bayesf1.choices import INVALID_DEFAULT, Invalid
from pytest_bayesf1.data import table_engines
from pytest_bayesf1.data.confusion import (
    ConfusionMatrix,
    FrameOptions,
    Labels,
    MultilabelCounts,
    SideCounts,
    is_crosstab,
    named_cells,
    tally_cells,
)
from pytest_bayesf1.data.labels import (
    SPELL_ALIKE,
    alike_pairs,
    are_tags,
    in_order,
    is_mere_position,
    show_pairs,
    text_array,
)
from pytest_bayesf1.data.outcomes import OutcomeTable, TableT
from pytest_bayesf1.data.pool import LabelledPool
from pytest_bayesf1.data.predictions import ClassPredictions, Predictions
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.data.spans import NO_DOCUMENTS, SpanCounts, spans_of_tags
from pytest_bayesf1.errors import InputError, ends_here, shown, within
from pytest_bayesf1.results.schema import UNREADABLE, Label, plain
from pytest_bayesf1.text import counted, first_few, percent
from pytest_bayesf1.writing import fingerprint


@dataclass(frozen=True, eq=False)
class PairedCounts:
    """Joint outcomes of two classifiers on the same examples, non-zero cells only.

    Attributes
    ----------
    table : OutcomeTable
        Side 0 is the baseline, side 1 the candidate.
    labels : tuple of M labels
    notes : tuple of str
        What a careful reader of a result should know of how the data were read.

    Examples
    --------
    >>> from pytest_bayesf1 import PairedCounts
    >>> pairs = PairedCounts.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 0])
    >>> pairs.n_samples, pairs.baseline.counts.tolist(), pairs.candidate.counts.tolist()
    (4, [[1, 1], [0, 2]], [[2, 0], [1, 1]])
    """

    table: OutcomeTable
    labels: tuple[Label, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    @ends_here
    def from_predictions(
        cls,
        y_true: Iterable[Any],
        baseline_pred: Iterable[Any],
        candidate_pred: Iterable[Any],
        *,
        labels: Iterable[Label] | None = None,
        clusters: Iterable[Any] | None = None,
        invalid: Invalid = INVALID_DEFAULT,
    ) -> "PairedCounts":
        """Count the joint outcomes of N examples.

        Parameters
        ----------
        y_true, baseline_pred, candidate_pred : sequences of N labels
            Strings, integers or booleans; position i is the same example in all three.
        labels : sequence of M labels, optional
            The classes in their order; by default all that occur, sorted.
        clusters : sequence of N identifiers, optional
            Which examples belong together, as in `ConfusionMatrix.from_predictions`.
        invalid : "error" or "wrong"
            As in `ConfusionMatrix.from_predictions`.

        Raises
        ------
        InputError
            When the columns do not fit together.

        Examples
        --------
        >>> from pytest_bayesf1 import PairedCounts
        >>> pairs = PairedCounts.from_predictions([0, 1, 1], [0, 1, 0], [0, 0, 1])
        >>> pairs.candidate.counts.tolist()
        [[1, 0], [1, 1]]
        """
        columns = {"y_true": y_true, "baseline_pred": baseline_pred, "candidate_pred": candidate_pred}
        sides = ConfusionMatrix.of_columns(columns, labels, clusters=clusters, invalid=invalid)
        baseline, candidate = (predictions_of(side, "predictions") for side in sides)
        return cls(baseline.tally(len(sides[0].labels), candidate), sides[0].labels)

    @classmethod
    def from_cells(
        cls,
        y_true: Iterable[Any],
        baseline_pred: Iterable[Any],
        candidate_pred: Iterable[Any],
        count: npt.ArrayLike,
        *,
        labels: Iterable[Label],
        invalid: Invalid = INVALID_DEFAULT,
    ) -> "PairedCounts":
        """Take counts outcome by outcome, as ``SELECT ..., count(*) GROUP BY ...`` gives them.

        Parameters
        ----------
        y_true, baseline_pred, candidate_pred : sequences of K labels
            The outcomes; those that are left out have no examples.
        count : sequence of K whole numbers
            Examples with each outcome.
        labels : sequence of M labels
            The classes in their order.
        invalid : "error" or "wrong"
            As in `ConfusionMatrix.from_predictions`.

        Raises
        ------
        InputError
            When a label is not among ``labels``, or a count is no whole number.

        Examples
        --------
        >>> pairs = PairedCounts.from_cells(["a", "b"], ["a", "a"], ["a", "b"], [90, 10], labels=["a", "b"])
        >>> pairs.candidate.counts.tolist()
        [[90, 0], [0, 10]]
        """
        columns = {"y_true": y_true, "baseline_pred": baseline_pred, "candidate_pred": candidate_pred}
        return cls(*tally_cells(columns, count, labels, invalid))

    @overload
    @classmethod
    def from_frame(
        cls, frame: Any, *, baseline: str, candidate: str, by: None = None, **options: Unpack[FrameOptions]
    ) -> "PairedCounts": ...

    @overload
    @classmethod
    def from_frame(
        cls, frame: Any, *, baseline: str, candidate: str, by: str, **options: Unpack[FrameOptions]
    ) -> "dict[Any, PairedCounts]": ...

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        baseline: str,
        candidate: str,
        y_true: str = "y_true",
        by: str | None = None,
        clusters: str | None = None,
        labels: Labels = None,
        invalid: Invalid = INVALID_DEFAULT,
    ) -> Any:
        """Do as `ConfusionMatrix.from_frame` does, with the columns of both sides' predictions.

        Parameters
        ----------
        frame, by, clusters, labels, invalid
            As there.
        baseline, candidate, y_true : str
            Names of the columns of labels.

        Raises
        ------
        InputError
            When a column is missing or not one of labels, or rows lack a label: it counts them.

        Examples
        --------
        >>> import pandas as pd
        >>> from pytest_bayesf1 import PairedCounts
        >>> frame = pd.DataFrame({"y_true": [0, 1], "old": [0, 1], "new": [0, 0]})
        >>> PairedCounts.from_frame(frame, baseline="old", candidate="new").n_samples
        2
        """
        columns = {"y_true": y_true, "baseline": baseline, "candidate": candidate}
        options: dict[str, Any] = {"by": by, "clusters": clusters, "labels": labels, "invalid": invalid}
        return table_engines().count_frame(frame, columns, cls, **options)

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return self.table.n_samples

    @cached_property
    def baseline(self) -> ConfusionMatrix:
        """The baseline's confusion matrix."""
        return ConfusionMatrix.from_table(self.table.side(0), self.labels)

    @cached_property
    def candidate(self) -> ConfusionMatrix:
        """The candidate's confusion matrix."""
        return ConfusionMatrix.from_table(self.table.side(1), self.labels)

    def cells(self) -> dict[str, list[Any]]:
        """Write the cells that are not 0 out, as `from_cells` takes them."""
        return named_cells(self.table, self.labels, "y_true", "baseline_pred", "candidate_pred")

    def __repr__(self) -> str:
        """Tell sizes, not cells: there may be very many."""
        return f"<PairedCounts {len(self.labels)} classes, {self.n_samples} examples>"


Side: TypeAlias = SideCounts | Scores
"""One side of a comparison: counts of predicted classes, labels or spans, or scores."""


def as_side(value: Any, where: str) -> Side:
    """Take scores as they are, and anything else as `as_side_counts` does."""
    return value if isinstance(value, Scores) else as_side_counts(value, where)


def as_side_counts(value: Any, where: str) -> SideCounts:
    """Take counts as they are; make a `ConfusionMatrix` of a labelled table or of plain counts."""
    if isinstance(value, SideCounts):
        return value
    if isinstance(value, PairedCounts):
        advice = "Pass them alone as baseline, or pass their .baseline or .candidate."
        raise InputError.plain(where, "PairedCounts hold both sides", advice)
    if isinstance(value, LabelledPool):
        raise InputError.plain(where, "A LabelledPool holds both sides", "Pass it alone.")
    if isinstance(value, Scores):
        raise InputError(where, "counts of predicted classes", "Scores", "Scores.at(threshold) counts them.")
    if value is None:
        raise InputError(where, "a confusion matrix", "None")
    _require_matrix(value, where)
    with within(where):
        return ConfusionMatrix(value)


_FROM_LABELS = "Pass ConfusionMatrix.from_predictions(y_true, y_pred)"
_FROM_ONE = "Pass the truth and the predictions, in this order: y_true, y_pred"
_FROM_BOTH = "Pass the truth and both predictions, in this order: y_true, baseline, candidate"
_FROM = {"baseline": _FROM_BOTH, "cm": _FROM_ONE}
_MATRIX = "a square matrix of a classifier's outcomes"
_GRADES = "If each is the grade of an example, pass Scores.from_values(grades)."
_OF_SCORES = "Of scores make Scores.from_predictions(y_true, y_score)."
_FROM_ARRAYS = f"{_FROM_LABELS}. {_OF_SCORES}"


def _require_matrix(value: Any, where: str) -> None:
    """Refuse what is often passed instead of counts, and name the call that makes counts of it."""
    try:
        shape = np.shape(value)
    except ValueError:  # rows of different lengths, which no array has
        if where in _FROM and not all(isinstance(each, Real) for row in value for each in row):
            found = counted(len(value), "row")
            raise InputError(where, _MATRIX, found, f"The truth is missing. {_FROM[where]}.") from None
        return
    is_square = len(shape) == 2 and shape[0] == shape[1]
    if is_square or 0 in shape or (is_crosstab(value) and not _has_row_per_example(value)):
        return
    call = _FROM.get(where, _FROM_LABELS)
    found, advice = f"shape {shape}", f"Rows and columns are the same classes. {_FROM_ARRAYS}"
    if isinstance(value, str | PathLike):
        found, advice = shown(value), "Compare files with bayesf1 compare, or with a gate file."
    elif isinstance(value, Real):
        found, advice = shown(value), f"A score does not show how many examples it is of. {call}."
    elif not shape:
        found = type(value).__name__
    elif len(shape) == 1:
        found, advice = counted(shape[0], "value"), f"The truth is missing. {call}. {_OF_SCORES}"
        if _are_scores(value):
            found, advice = (
                counted(shape[0], "score"),
                f"Scores of test sets do not show how many examples they are of. {call}. {_GRADES}",
            )
    elif _has_row_per_example(value):
        found, advice = counted(shape[0], "row"), "Count it: ConfusionMatrix.from_frame(table, y_true=..., y_pred=...)."
    raise InputError(where, _MATRIX, found, advice)


def _has_row_per_example(table: Any) -> bool:
    """Whether a data frame names its columns, but not its rows."""
    names = getattr(table, "columns", ())
    return is_mere_position(getattr(table, "index", None)) and all(isinstance(name, str) for name in names)


def sides_of(columns: Mapping[str, Any], **known: Any) -> Sequence[SideCounts]:
    """Make sides of columns, the truth first: of labels, of any number of labels for an example, of spans or tags."""
    for name, values in columns.items():
        _require_column(values, name)
    _require_truth_first(columns)
    columns = {name: values if hasattr(values, "__len__") else [*values] for name, values in columns.items()}
    texts = {name: values.tolist() for name, values in columns.items() if _is_table_of_text(values)}
    columns |= texts if are_tags(texts.values()) else {}
    truth, *predicted = columns.values()
    if known.get("runs") is not None:
        return [ConfusionMatrix.from_predictions(truth, side, **known) for side in predicted]
    is_table = any(map(_is_table, columns.values()))
    nested = [] if is_table else [row for values in columns.values() for row in _rows_of(values)]
    things = [each for row in nested for each in row]
    notes: tuple[str, ...] = ()
    make: Any = MultilabelCounts
    if not (_is_table(truth) or _rows_of(truth)):
        _require_classes(columns)
        make = ConfusionMatrix
    elif are_tags([nested]):
        notes = (NO_DOCUMENTS,) if known.get("ids") is None else ()
        known["ids"], spans = spans_of_tags(columns, known.get("ids"))
        make, columns = SpanCounts, dict(zip(columns, spans, strict=True))
    elif things and all(map(_is_span, things)):
        make = SpanCounts
    elif nested and all(isinstance(row, list | tuple) and len(row) == 1 for row in nested):
        make = ConfusionMatrix
    elif things and all(map(_is_span_otherwise, things)):
        raise InputError("y_true", "spans such as (0, 2, 'PER'): start, end, type", shown(things[0]))
    if make is SpanCounts:
        known["documents"] = known.pop("ids", None)
    if "invalid" in known and make is not ConfusionMatrix:
        problem = "Only an answer that is one class can be unreadable"
        raise InputError.plain("invalid", problem, "Leave it out.")
    found: Sequence[SideCounts] = make.of_columns(columns, **known)
    return [side.with_notes((*side.notes, *notes)) for side in found] if notes else found


def _require_column(values: Any, where: str) -> None:
    """Refuse what holds no label for every example."""
    expected = "an array with a label for every example"
    if isinstance(values, Real):
        advice = "A score does not show how many examples it is of. All but the arrays goes by name, such as rope=0.01."
        raise InputError(where, expected, shown(values), advice)
    if isinstance(values, str | PathLike):
        raise InputError(where, expected, shown(values), "Compare files with bayesf1 compare, or with a gate file.")
    if isinstance(values, SideCounts | PairedCounts | LabelledPool | Scores):
        raise InputError(
            where, expected, type(values).__name__, "Counts know the truth: pass both sides alone; rank takes several."
        )
    if isinstance(values, Mapping) or not isinstance(values, Iterable):
        raise InputError(where, expected, type(values).__name__)


def _is_table_of_text(values: Any) -> bool:
    return isinstance(values, np.ndarray) and values.ndim == 2 and values.dtype.kind in "UO"


_TRUTHS = re.compile(r"y_?(true|test)|(ground_?)?truth|gold(_label)?|true_label|target", re.IGNORECASE)
_PREDICTIONS = re.compile(r"pred|old|new|baseline|candidate|y_?hat", re.IGNORECASE)


def _require_truth_first(columns: Mapping[str, Any]) -> None:
    """Refuse columns of pandas whose own names say that a prediction stands in the truth's place."""
    names = [str(getattr(values, "name", "")) for values in columns.values()]
    truth = next((name for name in names[1:] if _TRUTHS.fullmatch(name)), None)
    if truth is not None and not _TRUTHS.fullmatch(names[0]) and _PREDICTIONS.search(names[0]):
        problem = f"The column {shown(names[0])} stands in the place of the truth, which is {shown(truth)} by its name"
        advice = f"Pass them in this order: {', '.join(columns)}. If the names are wrong, pass .to_numpy() of each."
        raise InputError.plain("y_true", problem, advice)


def _is_table(values: Any) -> bool:
    shape: tuple[int, ...] = getattr(values, "shape", ())
    return len(shape) == 2 and shape[1] > 1


def _rows_of(values: Any) -> list[Any]:
    """Return the rows that hold any number of things; none of a table."""
    if len(getattr(values, "shape", ())) > 1 or (isinstance(values, np.ndarray) and values.dtype.kind != "O"):
        return []
    kinds = {*map(type, values)}  # of millions of labels there are few types
    rows = tuple(kind for kind in kinds if issubclass(kind, Collection) and not issubclass(kind, str | bytes))
    return [row for row in values if isinstance(row, rows)] if rows else []


def _is_span(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    if not (isinstance(value, list | tuple) and len(value) == 3):
        return False
    start, end, _ = value
    return isinstance(start, Integral) and isinstance(end, Integral)


def _is_span_otherwise(value: Any) -> bool:
    """Whether something may be a span, but not as (start, end, type)."""
    if isinstance(value, list | tuple):
        return len(value) in (2, 3) and sum(isinstance(each, Integral) for each in value) == 2
    return hasattr(value, "start") and hasattr(value, "end")


def _are_scores(values: Any) -> bool:
    """Whether these are numbers, and some have a fraction."""
    with suppress(ValueError):  # rows of different lengths
        array = np.asarray(values)
        return array.dtype.kind == "f" and bool((array % 1 > 0).any())
    return False


def _require_classes(columns: Mapping[str, Any]) -> None:
    """Refuse probabilities instead of labels, and write what to pass for them."""
    (true, truth), *predicted = columns.items()
    if _are_scores(truth):
        advice = f"The truth comes first: {', '.join(columns)}. Write classes such as 3.5 as text."
        raise InputError(true, "class labels", "numbers with a fraction", advice)
    for name, values in predicted:
        if _are_scores(values):
            advice = "Pass the class of each. To compare scores, build both sides with Scores.from_predictions."
            raise InputError(name, "a class for every example", "numbers with a fraction, as probabilities are", advice)


row_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(", ", ": "), default=plain).encode
"""Writes a row of a side, or anything else that is kept of it."""


def columns_of(side: Side) -> dict[str, list[Any]]:
    """Write a side out by names: its predictions in the order of their ids, or its counts where there are none."""
    if isinstance(side, Scores):
        return side.predictions.columns(side.labels)
    return side.cells() if side.predictions is None else side.predictions.columns(side.labels)


def truths_of(side: Side | LabelledPool) -> Counter[str]:
    """Count the truths, as text: each with the id of its example where ids are known, else with a checksum of all."""
    if isinstance(side, LabelledPool):
        ids, true = side.ids[side.is_labelled], side.true[side.is_labelled]
        return Counter(map(row_text, zip(ids.tolist(), (side.labels[code] for code in true.tolist()), strict=True)))
    if isinstance(side.predictions, ClassPredictions) and side.predictions.ids is None:
        names = [row_text(label) for label in side.labels]  # once, for every gate is asked
        return counted_in_order([names[code] for code in side.predictions.y_true.tolist()])
    if side.predictions is not None:
        return counted_examples(side.predictions, [*map(row_text, side.predictions.truths(side.labels))])
    cells, found = columns_of(side), Counter[str]()
    name = next(name for name in ("y_true", "label", "type") if name in cells)
    positive = [cells[each] for each in ("count", "fn", "tp") if each in cells]
    for label, *numbers in zip(cells[name], *positive, strict=True):
        found[row_text(label)] += sum(numbers)
    return found


def counted_examples(predictions: Predictions[Any], rows: Sequence[str]) -> Counter[str]:
    """Count a row for each example; without ids these are in an order."""
    return counted_in_order(rows) if predictions.ids is None else Counter(rows)


def counted_in_order(rows: Sequence[str]) -> Counter[str]:
    """Count rows that only their places tell apart; a checksum shows that two of them changed places."""
    found = Counter(rows)
    found[f"in the order {fingerprint(rows)}"] = 0
    return found


def digests_of(baseline: Any, candidate: Any = None) -> tuple[str, str]:
    """Return checksums that tell either side from any other, whatever the order of counts and of examples with ids.

    Both sides are what `compare` takes.
    """
    if isinstance(baseline, LabelledPool):
        return baseline.digests
    if isinstance(baseline, PairedCounts):
        return _digest(columns_of(baseline.baseline), is_counted=True), _digest(baseline.cells(), is_counted=True)
    sides = as_side(baseline, "baseline"), as_side(candidate, "candidate")
    baseline, candidate = [_digest(columns_of(side), is_counted=side.predictions is None) for side in sides]
    return baseline, candidate


def _digest(columns: dict[str, list[Any]], *, is_counted: bool) -> str:
    rows = map(row_text, zip(*columns.values(), strict=True))
    return fingerprint([row_text(list(columns)), *(sorted(rows) if is_counted else rows)])


def align(baseline: SideCounts, candidate: SideCounts) -> tuple[SideCounts, SideCounts]:
    """Bring both to the same labels in the same order.

    Labels that the caller named must agree, in any order. Labels found in data are extended by those of the other side:
    a class that one side never predicts is a class all the same. Labels that are mere positions give way to names.
    """
    if type(baseline) is not type(candidate):
        raise InputError("candidate", f"{type(baseline).__name__}, as baseline", type(candidate).__name__)
    _require_some_answers(baseline)
    unreadable = (UNREADABLE,) if UNREADABLE in baseline.labels + candidate.labels else ()
    labels = _common_classes(baseline, candidate) + unreadable
    return _with_labels(baseline, labels), _with_labels(candidate, labels)


def _require_some_answers(baseline: SideCounts) -> None:
    """Refuse a baseline that was never read: every candidate would be better."""
    if UNREADABLE in baseline.labels and (baseline.table.predicted[0] == baseline.labels.index(UNREADABLE)).all():
        problem = f"All of {counted(baseline.n_samples, 'answer')} are unreadable"
        raise InputError.plain("baseline", problem, "Is this the right column?")


def align_scores(baseline: Scores, candidate: Scores) -> tuple[Scores, Scores]:
    """Bring both to the same classes in the same order."""
    if set(baseline.labels) != set(candidate.labels):
        expected, found = (
            f"classes {first_few(map(shown, side.labels), 20)}" if side.labels else "values without classes"
            for side in (baseline, candidate)
        )
        raise InputError("candidate.labels", f"scores of {expected}, as in baseline", found)
    if len(baseline.labels) == 2 and baseline.labels != candidate.labels:
        expected = f"scores of {shown(baseline.labels[1])}, as in baseline"
        raise InputError("candidate", expected, shown(candidate.labels[1]))
    return baseline, candidate.relabelled(baseline.labels)


def _common_classes(baseline: SideCounts, candidate: SideCounts) -> tuple[Label, ...]:
    first, second = baseline.classes, candidate.classes
    where = "candidate.labels"
    sources = (baseline.labels_from, candidate.labels_from)
    if "position" in sources:
        if len(first) != len(second):
            raise InputError("candidate", f"{len(first)} classes, as in baseline", f"{len(second)}")
        return second if baseline.labels_from == "position" else first
    if type(first[0]) is not type(second[0]):
        expected, advice = (
            f"labels like those of baseline ({shown(first[0])}, ...)",
            "Mixed label types never match: convert one.",
        )
        raise InputError(where, expected, f"{shown(second[0])}, ...", advice)
    pairs = alike_pairs(set(second) - set(first), set(first) - set(second))
    if pairs:
        problem = f"Labels that are spelt otherwise in baseline: {show_pairs(pairs)}"
        raise InputError.plain(where, problem, SPELL_ALIKE)
    if sources == ("data", "data"):
        return first if set(first) >= set(second) else tuple(in_order({*first, *second}))
    only_candidate = [label for label in second if label not in set(first)] if baseline.labels_from == "caller" else []
    only_baseline = [label for label in first if label not in set(second)] if candidate.labels_from == "caller" else []
    if only_candidate or only_baseline:
        alone = (("candidate", only_candidate), ("baseline", only_baseline))
        found = "; ".join(f"only in {side}: {first_few(map(shown, labels))}" for side, labels in alone if labels)
        advice = "Build both with the same labels."
        raise InputError.plain(where, f"The labels differ: {found}", advice)
    return first if baseline.labels_from == "caller" else second


def _with_labels(counts: SideCounts, labels: tuple[Label, ...]) -> SideCounts:
    named = counts.renamed(labels[: len(counts.labels)]) if counts.labels_from == "position" else counts
    return named if named.labels == labels else named.relabelled(labels)


def matched(
    baseline: Predictions[TableT], candidate: Predictions[TableT], labels: tuple[Label, ...]
) -> tuple[Predictions[TableT], Predictions[TableT]]:
    """Bring the examples of two sides into the baseline's order, by id or else by position."""
    baseline, candidate = in_one_spelling(baseline, candidate)
    candidate = candidate.in_order(_matching_order(baseline, candidate))
    _require_same_truth(baseline, candidate, labels)
    _require_same_clusters(baseline, candidate)
    return baseline, candidate


HOW_TO_PAIR = "Build each side from the predictions of its examples."


def predictions_of(side: Any, name: str) -> Predictions[Any]:
    """Return the predictions behind counts or scores."""
    if side.predictions is None:
        raise InputError.plain(name, "Bare counts do not pair up", HOW_TO_PAIR)
    predictions: Predictions[Any] = side.predictions
    return predictions


def _matching_order(baseline: Predictions[TableT], candidate: Predictions[TableT]) -> Codes:
    """Return the positions of the candidate's examples in the order of the baseline's."""
    _require_both_or_neither(baseline.ids, candidate.ids, baseline.ids_name)
    if baseline.ids is not None and candidate.ids is not None:
        return _order_by_ids(baseline.ids, candidate.ids, f"candidate.{baseline.ids_name}")
    if baseline.n_samples != candidate.n_samples:
        advice = f"Pass {baseline.ids_name} to both sides, to compare on the examples that both have. {AS_INDEPENDENT}"
        differ = f"{counted(candidate.n_samples, baseline.noun)}, and baseline has {baseline.n_samples:,}"
        are = "is" if candidate.n_samples == 1 else "are"
        raise OtherTestSetError.plain("candidate", f"There {are} {differ}", advice)
    return np.arange(baseline.n_samples)


def _require_both_or_neither(of_baseline: object, of_candidate: object, name: str) -> None:
    if (of_baseline is None) != (of_candidate is None):
        sides = "baseline", "candidate"
        lack, have = sides if of_baseline is None else sides[::-1]
        advice = f"Pass {name} to both sides or to neither."
        raise InputError.plain(f"{lack}.{name}", f"There are none, but {have} has some", advice)


def _order_by_ids(baseline: npt.NDArray[np.generic], candidate: npt.NDArray[np.generic], where: str) -> Codes:
    if baseline.dtype.kind != candidate.dtype.kind:
        (first, *_), (other, *_) = baseline.tolist(), candidate.tolist()
        raise InputError(where, f"ids like those of baseline ({shown(first)})", shown(other))
    if np.array_equal(baseline, candidate):
        return np.arange(baseline.size)
    only_baseline, only_candidate = np.setdiff1d(baseline, candidate), np.setdiff1d(candidate, baseline)
    if only_baseline.size or only_candidate.size:
        alone = (("baseline", only_baseline), ("candidate", only_candidate))
        found = "; ".join(
            f"{counted(ids.size, 'id')} only in {side} ({first_few(map(shown, ids.tolist()))})"
            for side, ids in alone
            if ids.size
        )
        raise OtherTestSetError.plain(where, f"The test sets differ: {found}", SHARE_OR_NOT)
    order = np.empty(baseline.size, dtype=np.int64)
    order[np.argsort(baseline, kind="stable")] = np.argsort(candidate, kind="stable")
    return order


def _require_same_clusters(baseline: Predictions[TableT], candidate: Predictions[TableT]) -> None:
    """Require that every example is of the same cluster on both sides."""
    _require_both_or_neither(baseline.clusters, candidate.clusters, "clusters")
    if baseline.clusters is None or candidate.clusters is None:
        return
    differs = np.flatnonzero(baseline.clusters != candidate.clusters)
    if differs.size:
        first = int(differs[0])
        names = f"{shown(baseline.clusters[first])} and {shown(candidate.clusters[first])}"
        moved = f"{counted(differs.size, 'example')} not in the cluster of baseline"
        raise InputError.plain("candidate.clusters", f"{moved}, first at {_example(baseline, first)} ({names})")


def _example(predictions: Predictions[TableT], position: int) -> str:
    return f"position {position}" if predictions.ids is None else f"id {shown(predictions.ids[position])}"


def _require_same_truth(
    baseline: Predictions[TableT], candidate: Predictions[TableT], labels: tuple[Label, ...]
) -> None:
    differs = baseline.differs(candidate)
    if not differs.any():
        return
    first, n, truth = int(differs.argmax()), int(differs.sum()), baseline.truth_name
    has = "has" if n == 1 else "have"
    number = f"{counted(n, baseline.noun)} {has} another {truth} than in baseline"
    problem = f"{number}, first at {_example(baseline, first)} ({baseline.difference(candidate, first, labels)})"
    advice = SHARE_OR_NOT
    if baseline.ids is None:
        advice = f"Pass {baseline.ids_name} if the order differs, or if you corrected labels. {AS_INDEPENDENT}"
    raise OtherTestSetError.plain(f"candidate.{truth}", problem, advice)


_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)")


def id_key(text: str) -> str:
    """Return what ids have in common that differ in leading zeros, or as a whole number and a float do.

    Examples
    --------
    >>> id_key("0001"), id_key("1.0"), id_key("doc-007"), id_key("v1.05")
    ('1', '1', 'doc-7', 'v1.05')
    """
    return _ZEROS.sub("", re.sub(r"^([+-]?\d+)\.0+$", r"\1", text.strip()))


def in_one_spelling(
    baseline: Predictions[TableT], candidate: Predictions[TableT]
) -> tuple[Predictions[TableT], Predictions[TableT]]:
    """Write the candidate's ids as the baseline's where only zeros or types differ; refuse ids that are two then."""
    if baseline.ids is None or candidate.ids is None or np.array_equal(baseline.ids, candidate.ids):
        return baseline, candidate
    kinds = {baseline.ids.dtype.kind, candidate.ids.dtype.kind}
    if kinds == {"i"} or "b" in kinds:
        return baseline, candidate
    first: list[str] = baseline.ids.astype(str).tolist()
    second: list[str] = candidate.ids.astype(str).tolist()
    alone: list[set[str]] = [{*first} - {*second}, {*second} - {*first}]
    shared = {*map(id_key, alone[0])} & {*map(id_key, alone[1])}
    if not shared and len(kinds) == 1:
        return baseline, candidate
    if not shared and not {*first} & {*second}:
        return baseline, candidate  # of other types for another reason
    named: list[dict[str, str]] = []
    for side, ids in (("baseline", first), ("candidate", second)):
        named.append({})
        for name in ids:
            if (key := id_key(name)) in shared and named[-1].setdefault(key, name) != name:
                problem = f"{shown(named[-1][key])} and {shown(name)} may be the same id, for the other side writes"
                other = shown(next(each for each in (second, first)[side == "candidate"] if id_key(each) == key))
                advice = f"Write every id in the same way on both sides. {AS_INDEPENDENT}"
                raise OtherTestSetError.plain(f"{side}.{baseline.ids_name}", f"{problem} {other}", advice)
    written = [named[0].get(id_key(name), name) if name in alone[1] else name for name in second]
    return replace(baseline, ids=text_array(first)), replace(candidate, ids=text_array(written))


LEAST_SHARED = 0.8
"""Of the baseline's examples. With less in common the two are different test sets, whatever their ids say."""

FEWEST_SHARED = 50


class OtherTestSetError(InputError):
    """Two sides that are not about the same examples, or not with the same truth."""


class MisreadError(InputError):
    """A side that was hardly meant so: truth and predictions swapped, or shares for counts. It is no new test set."""


AS_INDEPENDENT = "To compare two different test sets, pass on_new_test_set: independent."
SHARE_OR_NOT = f"To compare on the examples that both have, pass on_new_test_set: shared. {AS_INDEPENDENT}"


@dataclass(frozen=True, eq=False)
class Overlap:
    """Two test sets that differ.

    Attributes
    ----------
    baseline, candidate
        Both sides' predictions of the examples that both have, in the baseline's order, by the candidate's truth.
    before
        The baseline's predictions of the same examples by its own truth.
    lacking, added
        The baseline's predictions of the examples that the candidate lacks, and the candidate's of those it alone has.
    """

    baseline: Predictions[Any]
    candidate: Predictions[Any]
    before: Predictions[Any]
    lacking: Predictions[Any]
    added: Predictions[Any]

    @property
    def n_shared(self) -> int:
        """How many examples both have."""
        return self.baseline.n_samples

    @property
    def n_baseline(self) -> int:
        """How many examples the baseline's test set has."""
        return self.n_shared + self.lacking.n_samples

    @property
    def n_candidate(self) -> int:
        """How many examples the candidate's test set has."""
        return self.n_shared + self.added.n_samples

    @property
    def whole(self) -> tuple[Predictions[Any], Predictions[Any]]:
        """Each side's predictions of all its own examples, by the candidate's truth where that is known."""
        return self.baseline.followed_by(self.lacking), self.candidate.followed_by(self.added)

    @cached_property
    def corrected(self) -> Bools:
        """(n_shared,) whether the truth of each example was another one in the baseline's test set."""
        return self.before.differs(self.candidate)

    @property
    def on_old_truth(self) -> tuple[Predictions[Any], Predictions[Any]]:
        """Both sides' predictions of the shared examples by the baseline's truth."""
        return self.before, replace(self.candidate, y_true=self.before.y_true)

    def favoured(self) -> tuple[int, int]:
        """Count the corrections that help the baseline against the candidate, and those that help the candidate."""
        old_baseline, old_candidate = (side.errors() for side in self.on_old_truth)
        gain = (self.baseline.errors() - self.candidate.errors()) - (old_baseline - old_candidate)
        of_corrected = gain[self.corrected]
        return int((of_corrected < 0).sum()), int((of_corrected > 0).sum())

    def if_wrong(self, n_labels: int) -> tuple[Predictions[Any], Predictions[Any]]:
        """Add the examples that the candidate lacks, and have it wrong on all of them."""
        wrong = self.candidate.wrong_about(self.lacking, n_labels)
        return self.baseline.followed_by(self.lacking), self.candidate.followed_by(wrong)


_FEWEST_CHANGED, _MOST_CHANGED = 5, 0.1
_OF_A_LABEL, _OTHERWISE = 0.9, 0.01


def require_corrections(overlap: Overlap, labels: tuple[Label, ...]) -> None:
    """Refuse truths of shared examples that differ by more than corrections do.

    A label is renamed, and not corrected, if nine tenths of its examples have the same other one now. So few as could
    be corrected all the same, fewer than five, do not count, be it that they are half of all. Where hardly any label
    changed otherwise (a hundredth), the renaming is named. Else the ids may name other examples: as they do where more
    than a tenth of the truth changed.
    """
    pairs, totals, share = overlap.before.changes(overlap.candidate)
    most = {old: max((n, new) for (own, new), n in pairs.items() if own == old) for old in {old for old, _ in pairs}}
    renamed = {old: new for old, (n, new) in most.items() if n >= _OF_A_LABEL * totals[old]}
    n_renamed, n_all = sum(most[old][0] for old in renamed), totals.total()
    is_renaming = n_renamed >= _FEWEST_CHANGED
    n_changed = int(overlap.corrected.sum())
    where = f"candidate.{overlap.before.truth_name}"
    if n_changed >= _FEWEST_CHANGED and _is_swapped(overlap):
        problem = f"baseline has other truths for {n_changed:,} {overlap.before.noun}s, and the candidate's "
        problem += "predictions are exactly these"
        raise MisreadError.plain(where, problem, "Swap the truth and the predictions: they lie the wrong way round.")
    if not is_renaming and (share <= _MOST_CHANGED or n_changed < _FEWEST_CHANGED):
        return
    if is_renaming and share * n_all - n_renamed <= _OTHERWISE * n_all:
        names = {labels[old]: labels[new] for old, new in sorted(renamed.items())}
        found = first_few(f"{shown(old)} is {shown(new)}" for old, new in names.items())
        problem = f"The same {overlap.before.noun}s have other labels than in baseline, as if renamed: {found}"
        advice = "Name classes alike on both sides, in the truth and in the predictions."
        raise OtherTestSetError.plain(where, problem, f"{advice} {AS_INDEPENDENT}")
    first = int(overlap.corrected.argmax())
    example = f"{_example(overlap.before, first)} ({overlap.before.difference(overlap.candidate, first, labels)})"
    noun = counted(overlap.n_shared, f"shared {overlap.before.noun}")
    problem = f"{n_changed:,} of {noun} have another {overlap.before.truth_name} than in baseline"
    advice = f"Give every example an id of its own that stays, not its row. {AS_INDEPENDENT}"
    problem += f", such as {example}: these ids hardly name the same {overlap.before.noun}s"
    raise OtherTestSetError.plain(where, problem, advice)


def _is_swapped(overlap: Overlap) -> bool:
    """Whether the candidate predicts the baseline's truth throughout, and the baseline does not: columns swapped."""
    if any(side.y_pred.shape != side.y_true.shape for side in (overlap.before, overlap.candidate)):
        return False  # several runs, or probabilities
    said = [replace(side, y_true=side.y_pred) for side in (overlap.before, overlap.candidate)]
    wrong, other = (int(overlap.before.differs(each).sum()) for each in said)
    return wrong > other == 0


def overlap_of(
    baseline: Predictions[Any], candidate: Predictions[Any], *, fewest: int = FEWEST_SHARED, least: float = LEAST_SHARED
) -> Overlap | None:
    """Return what two test sets share; None where they are the same, or where ids do not say which is which.

    Raises `InputError` where they share too little to be compared on that.
    """
    if baseline.ids is None or candidate.ids is None:
        return None  # the comparison says what is missing
    baseline, candidate = in_one_spelling(baseline, candidate)
    assert baseline.ids is not None
    assert candidate.ids is not None
    if np.array_equal(baseline.ids, candidate.ids) and not baseline.differs(candidate).any():
        return None  # the usual case, for which no ids need to be sorted
    found = _shared_ids((baseline.ids, candidate.ids))
    if found is None:
        return None
    shared, (at_baseline, at_candidate) = found
    before = baseline.in_order(np.sort(at_baseline))
    of_candidate = candidate.in_order(at_candidate[np.argsort(at_baseline, kind="stable")])
    n_baseline, n_candidate = baseline.n_samples, candidate.n_samples
    if n_baseline == n_candidate == shared.size:
        if not before.differs(of_candidate).any():
            return None
    else:
        _require_enough(shared.size, n_baseline, f"candidate.{baseline.ids_name}", fewest, least)
    lacking = baseline.in_order(np.setdiff1d(np.arange(n_baseline), at_baseline))
    added = candidate.in_order(np.setdiff1d(np.arange(n_candidate), at_candidate))
    corrected = replace(before, y_true=of_candidate.y_true)
    return Overlap(corrected, of_candidate, before, lacking, added)


def shared_by_all(sides: Sequence[Predictions[Any]]) -> list[Predictions[Any]] | None:
    """Keep the examples that all sides have; None where these are all, or ids do not say which is which.

    Raises `InputError` where they are too few.
    """
    sides = [sides[0], *(in_one_spelling(sides[0], side)[1] for side in sides[1:])]
    found = _shared_ids([side.ids for side in sides])
    if found is None or all(side.n_samples == found[0].size for side in sides):
        return None
    shared, positions = found
    largest = max(side.n_samples for side in sides)
    if not _are_enough(shared.size, largest, FEWEST_SHARED, LEAST_SHARED):
        problem = f"{shared.size:,} of {counted(largest, 'example')} of the largest test set are in all"
        advice = f"{_needed(FEWEST_SHARED, LEAST_SHARED)} Check that an id names the same example in all."
        raise OtherTestSetError.plain(sides[0].ids_name, problem, advice)
    in_first_order = np.argsort(positions[0], kind="stable")
    return [side.in_order(at[in_first_order]) for side, at in zip(sides, positions, strict=True)]


def _shared_ids(ids: Sequence[LabelArray | None]) -> tuple[LabelArray, list[Any]] | None:
    """Return the ids that all have, sorted, and their positions on each side; None where ids cannot be matched."""
    known = [each for each in ids if each is not None]
    if len(known) < len(ids) or len({each.dtype.kind for each in known}) > 1:
        return None  # the comparison says what is missing
    shared = reduce(lambda first, second: np.intersect1d(first, second, assume_unique=True), known)
    orders = [np.argsort(each, kind="stable") for each in known]
    return shared, [
        order[np.searchsorted(each, shared, sorter=order)] for each, order in zip(known, orders, strict=True)
    ]


def _require_enough(n_shared: int, n_baseline: int, where: str, fewest: int, least: float) -> None:
    if _are_enough(n_shared, n_baseline, fewest, least):
        return
    problem = f"{n_shared:,} of {counted(n_baseline, 'example')} of baseline are in both"
    advice = f"{_needed(fewest, least)} Check that an id names the same example in both. {AS_INDEPENDENT}"
    raise OtherTestSetError.plain(where, problem, advice)


def _are_enough(n_shared: int, n_all: int, fewest: int, least: float) -> bool:
    return n_shared >= fewest and n_shared >= least * n_all


def _needed(fewest: int, least: float) -> str:
    return f"It needs at least {percent(least)}, and at least {fewest:,}."
