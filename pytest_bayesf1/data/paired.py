"""Scores of one side, paired counts of both, and what callers pass for a side or for both."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property
from numbers import Real
from os import PathLike
from typing import Any, Unpack, overload

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.choices import INVALID_DEFAULT, Better, Invalid, Kind
from pytest_bayesf1.data import table_engines
from pytest_bayesf1.data.counts import (
    ConfusionMatrix,
    FrameOptions,
    Labels,
    MultilabelCounts,
    SpanCounts,
    is_crosstab,
    named_cells,
    tally_cells,
)
from pytest_bayesf1.data.encoding import SUM_TOLERANCE, require_goes_with, without_sum
from pytest_bayesf1.data.labels import DECLARE_KIND, ClassCodes, Rows, is_mere_position, not_flat
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.data.pool import LabelledPool
from pytest_bayesf1.data.questions import VALUE, Questions, Show
from pytest_bayesf1.data.sides import Side, Sides
from pytest_bayesf1.errors import InputError, ends_here, shown, within
from pytest_bayesf1.results.schema import Label, plain
from pytest_bayesf1.text import counted
from pytest_bayesf1.values import as_float, require_choice
from pytest_bayesf1.writing import fingerprint


class Scores(Side):
    """What a system gave every example of a test set: a score or probability of its classes, or a number.

    Examples
    --------
    >>> scores = Scores.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> scores.at(0.5).counts.tolist()
    [[2, 0], [1, 1]]
    """

    kind = Kind.SCORES
    _noun = "classes"

    @classmethod
    @ends_here
    def from_predictions(
        cls,
        y_true: Iterable[Any],
        y_score: Any,
        *,
        labels: Iterable[Label] | None = None,
        ids: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        show: Show = None,
    ) -> "Scores":
        """Take the scores of N examples whose classes are known.

        Parameters
        ----------
        y_true : sequence of N labels
            Strings, integers or booleans.
        y_score : (N,) or (N, M) numbers
            Of two classes the score or probability of the positive one, the higher the more likely; or a column for
            every class, in the order of ``labels``. A mapping or a data frame has its columns by label; where that is
            one of two classes' alone, this is the positive one.
        labels : sequence of M labels, optional
            The classes in the order of the columns; by default all that occur, sorted. Of two classes the second is the
            positive one, if they are not 0 and 1, -1 and 1 or False and True.
        ids : sequence of N identifiers, optional
            Which example is which. Without them examples pair up by position.
        clusters : sequence of N identifiers, optional
            Which examples belong together, as in `ConfusionMatrix.from_predictions`.
        show : sequence of N values, or a dictionary of several, optional
            What reports show of an example that changed from a threshold on, as there.

        Raises
        ------
        InputError
            When the columns do not fit together, a score is missing, or it is not known which class is positive.

        Examples
        --------
        >>> from pytest_bayesf1 import Scores
        >>> Scores.from_predictions([0, 1, 1], [0.2, 0.9, 0.4]).n_samples
        3
        """
        columns = {"y_true": y_true, "y_score": y_score}
        known = {"ids": ids, "clusters": clusters, "show": show}
        return cls.of_columns(columns, labels, **known)[0]

    @classmethod
    @ends_here
    def from_values(
        cls,
        values: Any,
        *,
        better: Better | None = None,
        ids: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        runs: str | None = None,
        invalid: Invalid = INVALID_DEFAULT,
        show: Show = None,
    ) -> "Scores":
        """Take a number for each of N examples, such as a judge's grade; the measure ``mean`` compares them.

        Parameters
        ----------
        values : (N,) numbers, or true and false
            The larger, the better, unless ``better`` says otherwise.
        better : "higher" or "lower", optional
            A column of a data frame that is called other than ``value`` or ``score`` needs it. Of lower values the
            negatives are compared.
        ids, clusters : sequences of N identifiers, optional
            As in `from_predictions`.
        runs : str, optional
            ``samples`` if an id may occur several times, because you asked the same system again: the value of
            an example is the mean of its rows then.
        invalid : str, optional
            ``wrong`` if a missing number counts as wrong, as 0.
        show : sequence of N values, or a dictionary of several, optional
            What reports show of an example whose number changed; of several rows the first counts.

        Raises
        ------
        InputError
            When the columns do not fit together, a number is missing, or a column's name does not say which is better.

        Examples
        --------
        >>> Scores.from_values([4, 5, 3], ids=["a", "b", "c"])
        <Scores 3 values>
        """
        _require_column(values, "values")
        name = getattr(values, "name", None)
        which = better_of(name if name and isinstance(name, str) else VALUE, better, "values")
        known = {"ids": ids, "clusters": clusters, "runs": runs, "invalid": invalid, "show": show}
        return cls.of_columns({"values": values}, kind=Kind.VALUES, better=which, **known)[0]

    def at(self, threshold: float) -> ConfusionMatrix:
        """Predict the positive class from a score on, and count.

        A threshold that was chosen on the same examples flatters: choose it on others.

        Parameters
        ----------
        threshold
            The lowest score that is predicted as the positive class.

        Raises
        ------
        InputError
            When there are not two classes, the threshold is no number, or it is a probability and the scores are none.

        Examples
        --------
        >>> Scores.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at(0.4).counts.tolist()
        [[1, 1], [1, 1]]
        """
        limit = as_float(threshold)
        if limit is None or not np.isfinite(limit):
            raise InputError("threshold", "a number", shown(threshold))
        if len(self.labels) != 2:
            found = f"{len(self.labels)} classes" if self.labels else "values without classes"
            raise InputError("threshold", "scores of two classes", found)
        assert self.questions is not None
        if 0 < limit < 1:  # of percentages nearly all would be above it
            declare = "a threshold of these scores, or y_pred, the classes"
            require_probabilities(self.questions, f"{limit:g} divides probabilities, from 0 to 1", declare)
        predicted = (self.questions.said[:, :, 0] >= limit).astype(np.int64)
        questions = replace(self.questions, kind=Kind.CLASSES, said=predicted)
        return ConfusionMatrix.of_questions(questions, self.labels, self.labels_from, self.notes)

    def __repr__(self) -> str:
        """Sizes, not scores."""
        if not self.labels:
            return f"<Scores {counted(self.n_samples, 'value')}>"
        return f"<Scores {len(self.labels)} classes, {counted(self.n_samples, 'example')}>"


_MORE_IS_BETTER = (VALUE, "score")


def better_of(name: str, better: Better | None, where: str) -> Better:
    """Return whether higher or lower values are better: as declared, or as their name says."""
    if better is not None:
        require_choice("better", better, Better)
        return Better(better)
    if name in _MORE_IS_BETTER:
        return Better.HIGHER
    raise InputError.plain(
        where, f"{shown(name)} does not say whether more is better", "Declare: better (higher or lower)."
    )


def require_probabilities(asked: Questions, declared: str, declare: str) -> None:
    """Refuse scores below 0 or above 1, and rows of them without a sum of 1."""
    said = asked.said[0]
    outside = np.flatnonzero(((said < -SUM_TOLERANCE) | (said > 1 + SUM_TOLERANCE)).any(axis=1))
    no_sum = without_sum(said) if said.shape[1] > 1 else outside
    for what, wrong in (("not from 0 to 1", outside), ("without a sum of 1", no_sum)):
        if wrong.size:
            numbers = [", ".join(f"{score:g}" for score in row) for row in said.tolist()]
            raise asked.rows.refused("y_score", what, numbers, wrong, declared, declare)


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
        baseline, candidate = ConfusionMatrix.of_columns(columns, labels, clusters=clusters, invalid=invalid)
        both = Sides(baseline, candidate).paired
        return cls.of_questions(both, baseline.labels, baseline.labels_from, vocabulary=baseline.vocabulary)

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
        table, found = tally_cells(columns, count, labels, invalid)
        return cls.from_table(table, found.labels, vocabulary=found.vocabulary)

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

        def make(table: OutcomeTable, found: ClassCodes) -> PairedCounts:
            return cls.from_table(table, found.labels, vocabulary=found.vocabulary)

        return table_engines().count_frame(frame, columns, make, **options)

    @cached_property
    def baseline(self) -> ConfusionMatrix:
        """The baseline's confusion matrix."""
        return ConfusionMatrix.from_table(self.table.side(0), self.labels, vocabulary=self.vocabulary)

    @cached_property
    def candidate(self) -> ConfusionMatrix:
        """The candidate's confusion matrix."""
        return ConfusionMatrix.from_table(self.table.side(1), self.labels, vocabulary=self.vocabulary)

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


_TO_MAKE = "Make it of arrays: ConfusionMatrix.from_predictions(y_true, y_pred)."


def _require_matrix(value: Any, where: str) -> None:
    """Refuse what is passed instead of counts."""
    try:
        shape = np.shape(value)
    except ValueError:  # rows of different lengths, which counts do not have
        return
    is_square = 0 in shape or (len(shape) == 2 and shape[0] == shape[1])
    if not (is_square or (is_crosstab(value) and not is_mere_position(value.index))):
        found = shown(value) if isinstance(value, str | PathLike | Real) else f"{type(value).__name__} of shape {shape}"
        raise InputError(where, "a square matrix of a classifier's outcomes", found, _TO_MAKE)


def sides_of(columns: Mapping[str, Any], kind: str | None = None, **known: Any) -> Sequence[Side]:
    """Make sides of columns, the truth first: of classes if no other kind is declared."""
    for name, values in columns.items():
        _require_column(values, name)
    asked = Kind.CLASSES if kind is None else _checked_kind(kind)
    require_goes_with(asked, [name for name in known if known[name] is not None])
    known["rows"] = Rows(declare=DECLARE_KIND if kind is None else "")
    columns = {name: values if hasattr(values, "__len__") else [*values] for name, values in columns.items()}
    if kind is None and known.get("runs") is None:
        _require_flat(columns)
    truth, *predicted = columns.values()
    if asked is Kind.SCORES:
        return [Scores.of_columns({"y_true": truth, "y_score": side}, **known)[0] for side in predicted]
    if known.get("runs") is not None:
        return [ConfusionMatrix.of_columns({"y_true": truth, "y_pred": side}, **known)[0] for side in predicted]
    return SIDES[asked].of_columns(columns, **known)


SIDES: Mapping[Kind | None, type[Side]] = {
    Kind.CLASSES: ConfusionMatrix,
    Kind.LABELS: MultilabelCounts,
    Kind.SPANS: SpanCounts,
    Kind.SCORES: Scores,
    Kind.VALUES: Scores,
}
_WITHOUT_TRUTH = {
    Kind.VALUES: "Make both sides with Scores.from_values.",
    Kind.COUNTS: "Pass both matrices of counts, and no kind.",
}


def _checked_kind(kind: str) -> Kind:
    require_choice("kind", kind, [*Kind])
    if advice := _WITHOUT_TRUTH.get(Kind(kind)):
        raise InputError.plain("kind", f"Beside the truth there are no {kind}", advice)
    return Kind(kind)


def _require_flat(columns: Mapping[str, Any]) -> None:
    """Require one value for every example where no kind is declared."""
    for name, values in columns.items():
        if len(getattr(values, "shape", (0,))) != 1:
            raise not_flat(name, "class label", f"shape {tuple(values.shape)}", "kind")


def _require_column(values: Any, where: str) -> None:
    """Refuse what holds no value for every example."""
    if isinstance(values, Side | LabelledPool):
        advice = "Counts know the truth: pass both sides alone; rank takes several."
        raise InputError(where, "an array with a value for every example", type(values).__name__, advice)
    is_array = isinstance(values, Iterable) or hasattr(values, "__array__")
    if isinstance(values, str | bytes | PathLike | Mapping | AbstractSet) or not is_array:
        raise InputError(where, "an array with a value for every example", shown(values))


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
