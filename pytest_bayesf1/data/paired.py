"""Paired counts; and what callers pass for a side or for both."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from numbers import Integral, Real
from os import PathLike
from typing import Any, Unpack, overload

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.choices import INVALID_DEFAULT, Invalid, Kind
from pytest_bayesf1.data import table_engines
from pytest_bayesf1.data.confusion import (
    ConfusionMatrix,
    FrameOptions,
    Labels,
    MultilabelCounts,
    is_crosstab,
    named_cells,
    tally_cells,
)
from pytest_bayesf1.data.encoding import encode
from pytest_bayesf1.data.labels import are_tags, is_mere_position
from pytest_bayesf1.data.pool import LabelledPool
from pytest_bayesf1.data.questions import pair
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.data.spans import NO_DOCUMENTS, SpanCounts, spans_of_tags
from pytest_bayesf1.errors import InputError, ends_here, shown, within
from pytest_bayesf1.results.schema import Label, plain
from pytest_bayesf1.text import counted
from pytest_bayesf1.writing import fingerprint


class PairedCounts(Side):
    """Joint outcomes of two classifiers on the same examples, of which side 0 is the baseline and side 1 the candidate.

    Examples
    --------
    >>> from pytest_bayesf1 import PairedCounts
    >>> pairs = PairedCounts.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 0])
    >>> pairs.n_samples, pairs.baseline.counts.tolist(), pairs.candidate.counts.tolist()
    (4, [[1, 1], [0, 2]], [[2, 0], [1, 1]])
    """

    kind = Kind.CLASSES
    _noun = "classes"

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
        found = encode(Kind.CLASSES, columns, labels, clusters=clusters, invalid=invalid)
        return cls.of_questions(pair(found.sides[0], found.sides), found.labels, found.labels_from)

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
        return cls.from_table(*tally_cells(columns, count, labels, invalid))

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
        return table_engines().count_frame(frame, columns, cls.from_table, **options)

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


def as_side(value: Any, where: str) -> Side:
    """Take a side as it is; make a `ConfusionMatrix` of a labelled table or of plain counts."""
    if isinstance(value, PairedCounts):
        advice = "Pass them alone as baseline, or pass their .baseline or .candidate."
        raise InputError.plain(where, "PairedCounts hold both sides", advice)
    if isinstance(value, Side):
        return value
    if isinstance(value, LabelledPool):
        raise InputError.plain(where, "A LabelledPool holds both sides", "Pass it alone.")
    if value is None:
        raise InputError(where, "a confusion matrix", "None")
    _require_matrix(value, where)
    with within(where):
        return ConfusionMatrix(value)


def as_side_counts(value: Any, where: str) -> Side:
    """Do the same, and refuse scores."""
    side = as_side(value, where)
    if side.kind is Kind.SCORES:
        raise InputError(where, "counts of predicted classes", "Scores", "Scores.at(threshold) counts them.")
    return side


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


def sides_of(columns: Mapping[str, Any], **known: Any) -> Sequence[Side]:
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
    if "invalid" in known and make is not ConfusionMatrix:
        problem = "Only an answer that is one class can be unreadable"
        raise InputError.plain("invalid", problem, "Leave it out.")
    found: Sequence[Side] = make.of_columns(columns, **known)
    return [side.with_notes((*side.notes, *notes)) for side in found] if notes else found


def _require_column(values: Any, where: str) -> None:
    """Refuse what holds no label for every example."""
    expected = "an array with a label for every example"
    if isinstance(values, Real):
        advice = "A score does not show how many examples it is of. All but the arrays goes by name, such as rope=0.01."
        raise InputError(where, expected, shown(values), advice)
    if isinstance(values, str | PathLike):
        raise InputError(where, expected, shown(values), "Compare files with bayesf1 compare, or with a gate file.")
    if isinstance(values, Side | LabelledPool):
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


def truths_of(side: Side | LabelledPool) -> Counter[str]:
    """Count the truths, as text: each with the id of its example where ids are known, else with a checksum of all."""
    if isinstance(side, LabelledPool):
        ids, true = side.ids[side.is_labelled], side.true[side.is_labelled]
        return Counter(map(row_text, zip(ids.tolist(), (side.labels[code] for code in true.tolist()), strict=True)))
    if side.questions is not None:
        return counted_examples(side)
    cells, found = side.cells(), Counter[str]()
    name = next(name for name in ("y_true", "label", "type") if name in cells)
    positive = [cells[each] for each in ("count", "fn", "tp") if each in cells]
    for label, *numbers in zip(cells[name], *positive, strict=True):
        found[row_text(label)] += sum(numbers)
    return found


def counted_examples(side: Side, values: Sequence[Any] | None = None) -> Counter[str]:
    """Count the examples by their truth, and by a value of each; without ids these are in an order."""
    known = side.questions
    assert known is not None
    if known.ids is None and not known.is_sparse and values is None and side.labels:
        names = [row_text(label) for label in side.labels]  # once, for every gate is asked
        return counted_in_order([names[code] for code in known.truth.tolist()])
    rows = known.named_truths(side.labels)
    if known.ids is not None:
        rows = [*zip(known.ids.tolist(), rows, strict=True)]
    written = [*map(row_text, rows if values is None else zip(rows, values, strict=True))]
    return counted_in_order(written) if known.ids is None else Counter(written)


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
        return _digest(baseline.baseline.cells(), is_counted=True), _digest(baseline.cells(), is_counted=True)
    sides = as_side(baseline, "baseline"), as_side(candidate, "candidate")
    baseline, candidate = [_digest(side.columns(), is_counted=side.questions is None) for side in sides]
    return baseline, candidate


def _digest(columns: dict[str, list[Any]], *, is_counted: bool) -> str:
    rows = map(row_text, zip(*columns.values(), strict=True))
    return fingerprint([row_text(list(columns)), *(sorted(rows) if is_counted else rows)])
