"""Measures of predicted classes, applied to joint probabilities of truth and prediction.

A function of the user's own serves too: joint probabilities ``(..., M, M)``, of multi-label data ``(..., L, 2, 2)``, to
scores ``(...)``, larger being better.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats, Weights
from pytest_bayesf1.data.labels import position_of, positive_class
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.measures.formulas import (
    ByClass,
    Data,
    Detail,
    Needs,
    Overall,
    mean_of_true,
    ratio,
    total,
    weighted_total,
)
from pytest_bayesf1.measures.names import MeasureName, NamedMeasure, measures_of, parse_name, require_served
from pytest_bayesf1.results.comparison import Proportions, owners_of
from pytest_bayesf1.results.schema import UNREADABLE, Label


def require_of_classes(name: MeasureName, threshold: float | None, advice: str = "") -> None:
    """Require a measure of predicted classes, at the threshold from which on the positive one was predicted."""
    if name.of_scores or (threshold is None and name.threshold is not None):
        of_what = "a number per example (value)" if name.row.data is Data.VALUES else "y_true and y_score (Scores)"
        found, advice = f"{shown(name.text)}, which is about scores", advice or f"Build both sides from {of_what}."
        raise InputError("measure", "a measure of predicted classes", found, advice)
    if name.threshold != threshold:
        raise InputError("measure", f"a measure at the threshold {threshold:g}", shown(name.text))


def class_index(name: MeasureName, labels: Sequence[Label], true_labels: Sequence[Label], multilabel: bool) -> int:
    """Return the position of the class that a measure of one class is about."""
    if name.label is not None:
        return position_of(name.label, labels, "measure")
    if name.threshold is not None:
        return 1  # what is predicted from a threshold on
    if multilabel and len(labels) == 1:
        return 0
    implied = None if multilabel else positive_class(labels, true_labels)
    if implied is not None:
        return labels.index(implied)
    pair = next((each for each in (true_labels, labels) if len(each) == 2 and not multilabel), None)
    if pair:
        advice = f"Use {shown(name.of(pair[0]))} or {shown(name.of(pair[1]))}."
        raise InputError.plain("measure", f"{shown(name.text)} may be about either of the two classes", advice)
    number = f"{len(labels)} {'labels' if multilabel else 'classes'}"
    advice = f"Use {shown(f'{name.base}_macro{name.text[len(name.base) :]}')} or {shown(name.of(labels[0]))}."
    raise InputError.plain("measure", f"{shown(name.text)} may be about any of {number}", advice)


_VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def require_of_joint_probabilities(function: Callable[..., Any]) -> None:
    """Refuse a function that cannot be called with one argument, such as those of scikit-learn."""
    try:
        parameters = signature(function)
    except (TypeError, ValueError):  # some functions that are written in C have no signature
        return
    try:
        parameters.bind(None)
    except TypeError:
        named = [each for each in parameters.parameters.values() if each.kind not in _VARIADIC]
        required = ", ".join(each.name for each in named if each.default is Parameter.empty) or "no argument"
        expected = "a function of one argument, the joint probabilities p"
        advice = f"Or the name of a measure. {measures_of(Data.CLASSES)}"
        raise InputError("measure", expected, f"a function of {required}", advice) from None


@dataclass(frozen=True, eq=False)
class Joint:
    """Joint probabilities p[j, k] of true class j and prediction k, of one distribution or of many draws.

    Multi-label data have one such distribution for every label, over the two classes absent and present: (..., L, 2)
    stands in place of (..., M) below, and ``true`` and ``correct`` say all.

    Attributes
    ----------
    true : (..., M)
        Row sums, the class proportions.
    correct : (..., M)
        The diagonal.
    predicted : (..., M) or None
        Column sums; None below `Detail.MARGINS`.
    matrix : (..., M, M) or None
        All of p; None below `Detail.MATRIX`.
    """

    true: Floats
    correct: Floats
    predicted: Floats | None = None
    matrix: Floats | None = None

    @classmethod
    def stacked(cls, joints: Sequence["Joint"]) -> "Joint":
        """Return single distributions as one joint of several."""
        parts: Iterator[Any] = zip(*(vars(each).values() for each in joints), strict=True)
        stacked: list[Any] = [None if part[0] is None else np.stack(part) for part in parts]
        return cls(*stacked)

    def mean(self) -> "Joint":
        """Return the mean of many draws."""
        means: list[Any] = [None if part is None else part.mean(axis=0) for part in vars(self).values()]
        return Joint(*means)

    def of_two_classes(self, detail: Detail) -> "Joint":
        """Return the same in more detail, of two classes: what is wrong is predicted as the other class."""
        wrong, right = (self.true - self.correct).clip(min=0), np.eye(2)
        matrix = right * self.correct[..., None] + (1 - right) * wrong[..., None] if detail >= Detail.MATRIX else None
        return Joint(self.true, self.correct, self.correct + wrong[..., ::-1], matrix)

    @classmethod
    def observed(cls, table: OutcomeTable, detail: Detail) -> "Joint":
        """Return the observed proportions of one side."""
        n_classes, predicted, share = table.n_classes, table.predicted[0], table.count / table.n_samples
        right = predicted == table.true
        matrix = None
        if detail >= Detail.MATRIX:
            matrix = np.zeros((n_classes, n_classes))
            matrix[table.true, predicted] = share

        def by_class(codes: Codes, weight: Floats) -> Floats:
            return np.bincount(codes, weight, n_classes).astype(np.float64).reshape(table.class_shape)

        correct = by_class(table.true[right], share[right])
        return cls(by_class(table.true, share), correct, by_class(predicted, share), matrix)


class Rates(NamedTuple):
    """Shares of the examples, each (..., K), one for every class or label."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats

    @classmethod
    def of_classes(cls, joint: Joint) -> "Rates":
        """Set every class against the rest; what is never true is no class, so that nothing is rightly not of it.

        Without column sums the class of a false alarm is unknown. There are as many as misses, so they are
        put down to the classes that were missed: right in total, which is all that a micro average looks at.

        Parameters
        ----------
        joint
            Of classes that exclude one another: arrays of shape (..., M).
        """
        fn = joint.true - joint.correct
        fp = fn if joint.predicted is None else (joint.predicted - joint.correct).clip(min=0)
        return cls(joint.correct, fp, fn, (1 - joint.correct - fn - fp).clip(min=0) * (joint.true > 0))

    @classmethod
    def of_labels(cls, joint: Joint) -> "Rates":
        """Read both rows of every label, absent and present.

        Parameters
        ----------
        joint
            Of multi-label data: arrays of shape (..., L, 2).
        """
        tn, tp = np.moveaxis(joint.correct, -1, 0)
        fp, fn = np.moveaxis((joint.true - joint.correct).clip(min=0), -1, 0)
        return cls(tp, fp, fn, tn)

    @property
    def positives(self) -> Floats:
        """(..., K) share of the examples that is truly of each class or label."""
        return self.tp + self.fn

    @property
    def matrices(self) -> Floats:
        """(..., K, 2, 2) as scikit-learn's `multilabel_confusion_matrix`: [[tn, fp], [fn, tp]]."""
        cells = np.stack([self.tn, self.fp, self.fn, self.tp], axis=-1)
        return cells.reshape(*self.tp.shape, 2, 2)

    def pooled(self) -> "Rates":
        """Add up the decisions about all classes or labels: each (...)."""
        return Rates(*(total(each) for each in (self.tp, self.fp, self.fn, self.tn)))


def _right_true_predicted(side: OutcomeTable) -> tuple[Floats, Floats, Floats]:
    """Count the examples of every class or label that are right, that are of it, and that are predicted: (K,) each."""
    named = side.named
    right, true, predicted = side.group_counts[named, 0], side.row_totals[named], side.times_predicted[named]
    return right.astype(np.float64), true.astype(np.float64), predicted.astype(np.float64)


def f1_by_class(side: OutcomeTable) -> Floats:
    """Observed F1 of every class or label; from whole numbers, so that equal scores are equal."""
    right, true, predicted = _right_true_predicted(side)
    return ratio(2 * right, true + predicted)


CustomMeasure: TypeAlias = Callable[[Floats], Floats]
MeasureLike: TypeAlias = str | CustomMeasure


@dataclass(frozen=True)
class Measure(NamedMeasure):
    """A measure of one classifier, ready to be applied: a named one, or a function of the user's own.

    Attributes
    ----------
    custom
        The user's function.
    multilabel
        Whether it is about labels, each present or absent, rather than classes.
    spans
        Whether these are types of spans.
    left_out
        The class that an average leaves out, such as the background of relations; its examples count all the same.
    """

    custom: CustomMeasure | None = None
    multilabel: bool = False
    spans: bool = False
    left_out: int | None = None

    @property
    def detail(self) -> Detail:
        """What of the joint distribution it looks at; of labels, right or wrong is all there is.

        A micro average does not look at the types of spans, which it pools, unless it leaves one out.
        """
        pools = self.named is not None and self.named.average == "micro" and self.left_out is None
        if self.multilabel:
            return Detail.TOTAL if self.spans and pools else Detail.CORRECT
        if self.named is None:
            return Detail.MATRIX
        row = self.named.row
        assert isinstance(row, ByClass | Overall)
        return row.micro if pools and isinstance(row, ByClass) else row.detail

    def __call__(self, joint: Joint) -> Floats:
        """Score every distribution in ``joint``: shape (...)."""
        if self.named is None:
            return self._custom_score(joint)
        row = self.named.row
        if isinstance(row, Overall):
            scores = row.formula(joint)
            return np.asarray(scores.mean(axis=-1)) if self.multilabel else scores
        if self.class_index is not None:
            return self.of_classes(joint)[..., self.class_index]
        assert isinstance(row, ByClass)
        rates, beta = self.rates(joint), self.named.beta
        if self.named.average == "micro":
            return ratio(*row.formula(rates.pooled(), beta))
        scores, weights = ratio(*row.formula(rates, beta)), rates.positives
        if self.named.average == "weighted":
            return ratio(weighted_total(scores, weights), total(weights))
        return mean_of_true(scores, weights)

    def of_classes(self, joint: Joint) -> Floats:
        """Score every class or label: shape (..., K)."""
        assert self.named is not None
        row = self.named.row
        assert isinstance(row, ByClass)
        return ratio(*row.formula(self.rates(joint), self.named.beta))

    def rates(self, joint: Joint) -> Rates:
        """Return what scores of classes or labels are made of."""
        return self.without(Rates.of_labels(joint) if self.multilabel else Rates.of_classes(joint))

    def without(self, rates: Rates) -> Rates:
        """Leave out the class that an average leaves out."""
        return rates if self.left_out is None else Rates(*(np.delete(each, self.left_out, axis=-1) for each in rates))

    def _custom_score(self, joint: Joint) -> Floats:
        p, axes = (self.rates(joint).matrices, "three") if self.multilabel else (joint.matrix, "two")
        expected = joint.true.shape[: -2 if self.multilabel else -1]
        assert self.custom is not None
        assert p is not None
        try:
            found = np.asarray(self.custom(p), dtype=float)
        except ValueError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
                raise  # it comes from the measure itself
            raise InputError.plain(f"measure {self.name}", "It returned no array of scores") from None
        if found.shape != expected:
            wanted = f"scores of shape {expected} for joint probabilities of shape {p.shape}"
            advice = f"Reduce over the last {axes} axes."
            raise InputError(f"measure {self.name}", wanted, f"shape {found.shape}", advice)
        if not np.isfinite(found).all():
            raise InputError(f"measure {self.name}", "finite scores", "NaN or infinity", "Mind empty classes.")
        return found


@dataclass(frozen=True)
class Several:
    """Several measures at once: shape (..., K)."""

    measures: tuple[Measure, ...]

    @property
    def detail(self) -> Detail:
        """The detail of the measure that looks at most."""
        return max(measure.detail for measure in self.measures)

    def __call__(self, joint: Joint) -> Floats:
        """Score every distribution in ``joint``; the classes' scores are computed once, however many are asked for."""
        by_class: dict[tuple[str, float], Floats] = {}
        columns = []
        for measure in self.measures:
            if measure.named is None or measure.class_index is None:
                columns.append(measure(joint))
                continue
            kind = measure.named.base, measure.named.beta
            if kind not in by_class:
                by_class[kind] = measure.of_classes(joint)
            columns.append(by_class[kind][..., measure.class_index])
        return np.stack(columns, axis=-1)


@dataclass(frozen=True)
class Levelled:
    """Several measures of one side, whose draws are moved to where its score is expected.

    A score that bends, such as F1, is lower on average over proportions that are uncertain than at their mean. The
    observed score is too low by as much, on average over test sets. So both gaps are added to the draws, which stay
    between the lowest and the highest of them. Of many classes with few examples each, the gaps add up to a standard
    deviation, and a range without them would lie below the true score too often (`benchmarks/studies/attracting.md`).
    """

    several: Several

    @property
    def detail(self) -> Detail:
        """As that of the measures."""
        return self.several.detail

    def __call__(self, joint: Joint) -> Floats:
        """Score draws: (n, K)."""
        scores = self.several(joint)
        gap = self.several(joint.mean()) - scores.mean(axis=0)
        return np.asarray(np.clip(scores + 2 * gap, scores.min(axis=0), scores.max(axis=0)))


def f1_of(indices: Codes, *, multilabel: bool = False) -> Several:
    """Take F1 of several classes or labels at once."""
    name = MeasureName("f1", "f1")
    return Several(tuple(Measure("f1", name, index, multilabel=multilabel) for index in indices.tolist()))


Scoring: TypeAlias = Measure | Several | Levelled
"""What engines apply to their draws: joint probabilities to a score, or to several."""


def parse_measure(
    measure: MeasureLike,
    labels: Sequence[Label],
    *,
    multilabel: bool = False,
    spans: bool = False,
    true_labels: Sequence[Label] | None = None,
    threshold: float | None = None,
) -> Measure:
    """Understand a measure's name, or take a function as one."""
    if callable(measure):
        require_of_joint_probabilities(measure)
        return Measure(getattr(measure, "__name__", "custom"), custom=measure, multilabel=multilabel, spans=spans)
    if not isinstance(measure, str):
        raise InputError("measure", "the name of a measure, or a function", shown(measure))
    name = parse_name(measure)
    require_of_classes(name, threshold)
    require_served(name, Data.SPANS if spans else Data.LABELS if multilabel else Data.CLASSES)
    if Needs.UNREADABLE in name.row.needs and labels[-1] is not UNREADABLE:
        problem = f"{shown(name.text)} is the share of readable answers, and here all are"
        raise InputError.plain("measure", problem, "Declare: invalid: wrong.")
    if name.average or isinstance(name.row, Overall):
        left_out = None if name.label is None else position_of(name.label, labels, "measure")
        return Measure(name.text, name, multilabel=multilabel, spans=spans, left_out=left_out)
    index = class_index(name, labels, labels if true_labels is None else true_labels, multilabel)
    return Measure(name.text, replace(name, label=str(labels[index])), index, multilabel=multilabel, spans=spans)


class Proportion(NamedTuple):
    """How many of so many trials came out right.

    Attributes
    ----------
    of
        What it is called: accuracy, recall, precision, micro-recall or micro-precision.
    right, trials
        Numbers of examples or, of multi-label data, of decisions about an example and a label.
    """

    of: Proportions
    right: int
    trials: int

    @property
    def share_and_trials(self) -> tuple[float, int]:
        """The proportion itself, and of how many trials it is; there have to be some."""
        return self.right / self.trials, self.trials


def proportions(side: OutcomeTable, measure: Measure) -> list[Proportion]:
    """List the observed accuracy and, where they are something else, recall and precision.

    These are the recall and precision of the class or label that the measure is about. Of a measure that is about no
    single one they are the micro averages over all labels: the trials of recall are the true labels, those of
    precision the assigned ones. Where every example has one class alone, both micro averages are the accuracy.
    """
    right, wrong = side.group_counts.sum(axis=0).tolist()
    found = [Proportion("accuracy", right, right + wrong)]
    if measure.class_index is None and not side.multilabel:
        return found
    of_all = measure.class_index is None
    which = slice(None) if measure.class_index is None else measure.class_index
    hits, true, assigned = (int(each[which].sum()) for each in _right_true_predicted(side))
    recall: Proportions = "micro-recall" if of_all else "recall"
    precision: Proportions = "micro-precision" if of_all else "precision"
    return [*found, Proportion(recall, hits, true), Proportion(precision, hits, assigned)]


def require_defined(experiment: Experiment, labels: tuple[Label, ...], measure: Measure) -> None:
    """Refuse data that leave a score undefined: some side's is 0 / 0, or an average holds a class's that is.

    Classes that the truth never has are in no average and need nothing. What earlier test sets showed counts.
    """
    if measure.named is None:
        return
    row = measure.named.row
    sides = [table.side(index) for table in experiment.known for index in range(table.n_sides)]
    for owner, side in zip(owners_of(len(sides)), sides, strict=True):
        if Needs.VARIATION in row.needs:
            _require_two(measure.named, owner, side, labels)
        if Needs.EXAMPLE in row.needs or isinstance(row, ByClass):
            _require_examples(measure, owner, side, labels)
        if isinstance(row, ByClass):
            _require_ratio(measure, row, owner, side, labels)


def _examples(side: OutcomeTable) -> Weights:
    return side.row_totals[side.named]


def _require_examples(measure: Measure, owner: str, side: OutcomeTable, labels: tuple[Label, ...]) -> None:
    name, classes, amounts = measure.named, _scored(measure, side), _examples(side)
    assert name is not None
    lacking = classes[amounts[classes] == 0]
    if classes.size and (amounts[classes].any() if name.average == "micro" else not lacking.size):
        return
    if measure.class_index is None:
        wanted = f"an example of every class, whose {name.class_base} it averages"
    else:
        wanted = f"an example of the class, whose {name.base} it is"
    found = f"none of class {shown(labels[lacking[0]])}" if lacking.size else "none of any class"
    advice = "Leave the class out of both sides, or use accuracy."
    raise InputError(f"measure {name.text}", wanted, f"{found} in the test set of {owner}", advice)


def _require_ratio(measure: Measure, row: ByClass, owner: str, side: OutcomeTable, labels: tuple[Label, ...]) -> None:
    """Refuse 0 / 0; decisions of a micro average are pooled."""
    name, rates = measure.named, _numbers(side)
    assert name is not None
    if name.average == "micro":
        _, denominator = row.formula(measure.without(rates).pooled(), name.beta)
        of = ""
    else:
        classes = _scored(measure, side)
        _, denominators = row.formula(rates, name.beta)
        least = classes[denominators[classes].argmin()]
        denominator, of = denominators[least], f" for class {shown(labels[least])}"
    if np.isclose(denominator, 0):
        problem = f"It is 0 / 0{of}, by the counts of {owner}"
        raise InputError.plain(f"measure {name.text}", problem, "Use f1, which every class with examples has.")


def _numbers(side: OutcomeTable) -> Rates:
    """Count what the scores of classes or labels are made of: numbers of decisions, (K,) each."""
    right, true, predicted = _right_true_predicted(side)
    n_decisions = side.row_totals.sum() / side.n_problems
    return Rates(right, predicted - right, true - right, n_decisions - true - predicted + right)


def _scored(measure: Measure, side: OutcomeTable) -> Codes:
    """Return the classes or labels whose scores are asked for, or averaged."""
    assert measure.named is not None
    if measure.class_index is not None:
        return np.array([measure.class_index])
    scored = np.flatnonzero(side.occurring if measure.named.average != "weighted" else _examples(side))
    return scored[scored != measure.left_out] if measure.left_out is not None else scored


def _require_two(name: MeasureName, owner: str, side: OutcomeTable, labels: tuple[Label, ...]) -> None:
    """Refuse a correlation with what never varies."""
    for what, codes in (("examples", side.true), ("predictions", side.predicted[0])):
        different = np.unique(codes)
        if different.size < 2:
            found = f"{what} of class {shown(labels[different[0]])} only, by {owner}"
            advice = "Without variation there is no correlation: use accuracy, balanced_accuracy or f1_macro."
            raise InputError(f"measure {name.text}", f"{what} of at least two classes", found, advice)
