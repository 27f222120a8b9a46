"""Every measure: one row each, with its words, its formula and what the formula needs.

To add a measure, of which a larger score is better and 1 the best, add a row to `ROWS`, and its reference to
``tests/unit/measures/test_formulas.py``. The names that are understood, the advice of errors and the table in
``docs/reference/measures.md`` follow from the rows.

A ratio whose denominator is 0 counts as 0. What is never true is no class or label of a macro average, which
scikit-learn averages in as 0; predicting it is wrong all the same.
"""

from collections.abc import Callable, Mapping, Sized
from dataclasses import KW_ONLY, dataclass
from enum import Flag, IntEnum, auto
from importlib import import_module
from itertools import pairwise
from math import inf
from sys import float_info
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    from pytest_bayesf1.arrays import Codes, Floats
    from pytest_bayesf1.measures.classification import Joint, Rates
else:

    class _Numpy:
        """numpy, imported by the first formula: runs that compare nothing check names too."""

        def __getattr__(self, name: str) -> Any:
            value = getattr(import_module("numpy"), name)
            setattr(self, name, value)
            return value

    np = _Numpy()

AVERAGES = ("macro", "micro", "weighted")


class Detail(IntEnum):
    """How much of the joint distribution a measure looks at; more detail costs more to draw."""

    TOTAL = 0
    """Right or wrong."""
    CORRECT = 1
    """Right or wrong, by true class."""
    MARGINS = 2
    """Also how often each class is predicted."""
    MATRIX = 3
    """Every cell."""


class Data(Flag):
    """Kinds of data."""

    CLASSES = auto()
    """Classes exclude one another: each is set against the rest. A pool is of this kind too."""
    LABELS = auto()
    """Labels do not exclude one another: each is a question of its own, yes or no."""
    SPANS = auto()
    """Of types of spans nobody counts what is rightly not there."""
    SCORES_OF_TWO = auto()
    SCORES_OF_MANY = auto()
    VALUES = auto()
    SCORES = SCORES_OF_TWO | SCORES_OF_MANY | VALUES

    @classmethod
    def of_scores(cls, labels: Sized) -> "Data":
        """Return the kind of scores of so many classes."""
        return cls.VALUES if not labels else cls.SCORES_OF_TWO if len(labels) == 2 else cls.SCORES_OF_MANY


class Needs(Flag):
    """What data must hold, so that a score is defined."""

    NOTHING = 0
    EXAMPLE = auto()
    """An example of every class that is scored or averaged."""
    VARIATION = auto()
    """Two true and two predicted classes."""
    UNREADABLE = auto()
    """Answers that may be unreadable."""
    PROBABILITIES = auto()
    """Scores that are probabilities."""


@dataclass(frozen=True)
class MeasureRow:
    """What is declared of every measure.

    Attributes
    ----------
    name
        As users write it.
    words
        As reports call it. A name takes a beta, as in ``fbeta(2)``, if ``{beta:g}`` is in its words.
    lowest
        The bound that no score is below; without one, a difference of 0.01 is no point.
    data
        The kinds of data that it serves.
    needs
        What these must hold.
    """

    name: str
    words: str
    _: KW_ONLY
    lowest: float
    data: Data
    needs: Needs

    averages: ClassVar[tuple[str, ...]] = ()

    @property
    def takes_beta(self) -> bool:
        """Whether the name takes a weight of recall against precision."""
        return "{beta" in self.words

    @property
    def names(self) -> tuple[str, ...]:
        """The names that it goes by, one for every average; with a beta as an example."""
        beta = "(2)" if self.takes_beta else ""
        return tuple(f"{self.name}{end}{beta}" for end in ("", *(f"_{average}" for average in self.averages)))


@dataclass(frozen=True)
class ByClass(MeasureRow):
    """A ratio that a class has, or its average over classes: of each there is an example, and none is 0 / 0.

    Attributes
    ----------
    formula
        Of `Rates`, (..., K) each, and beta: numerator and denominator of every class or label, (..., K) each.
        A micro average is that of the sums of the rates. Data with a denominator of 0 are refused, so it is 0 only
        where the score has no limit.
    detail, micro
        How much of the joint distribution the formula looks at, and how much where all decisions are pooled.
    """

    formula: Callable[["Rates", float], tuple["Floats", "Floats"]]
    _: KW_ONLY
    detail: Detail
    micro: Detail
    needs: Needs = Needs.NOTHING

    averages: ClassVar[tuple[str, ...]] = AVERAGES


@dataclass(frozen=True)
class Overall(MeasureRow):
    """A measure of all classes; of labels, the mean over them.

    Attributes
    ----------
    formula
        Of joint probabilities, (..., M): the score, (...).
    detail
        How much of the joint distribution the formula looks at.
    class_base
        What of one class corresponds to it: the name of another row.
    """

    formula: Callable[["Joint"], "Floats"]
    _: KW_ONLY
    detail: Detail
    class_base: str


@dataclass(frozen=True)
class Ranking(MeasureRow):
    """A measure of how scores rank the examples of a class above all others; of several classes, the mean over them.

    Attributes
    ----------
    formula
        Of the masses of the class, (U, n), and of the others, (U, n), by steps of the score, the highest first: (n,).
    joins_positives
        Whether it is the same if neighbouring scores that all are of the class are one step.
    """

    formula: Callable[["Floats", "Floats"], "Floats"]
    _: KW_ONLY
    joins_positives: bool = False


@dataclass(frozen=True)
class ByExample(MeasureRow):
    """The mean of a number that every example has.

    Attributes
    ----------
    formula
        Of true classes, (K,), and scores, (K, C), to the numbers, (K,).
    """

    formula: Callable[["Codes", "Floats"], "Floats"]


def ratio(numerator: "Floats", denominator: "Floats") -> "Floats":
    """Divide; 0 where the denominator is 0.

    Parameters
    ----------
    numerator, denominator
        Arrays of one shape.

    Examples
    --------
    >>> ratio(np.array([1.0, 1.0]), np.array([4.0, 0.0])).tolist()
    [0.25, 0.0]
    """
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def total(values: "Floats") -> "Floats":
    """Add up over the last axis, of which numpy's own sum is slow where it is short.

    Parameters
    ----------
    values : (..., K)
        Numbers.

    Examples
    --------
    >>> total(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [3.0, 7.0]
    """
    return np.asarray(np.einsum("...k->...", values))


def weighted_total(values: "Floats", weights: "Floats") -> "Floats":
    """Add up products over the last axis, as `total` does.

    Parameters
    ----------
    values, weights : (..., K)
        Numbers.
    """
    return np.asarray(np.einsum("...k,...k->...", values, weights))


def mean_of_true(scores: "Floats", positives: "Floats") -> "Floats":
    """Average scores over the classes that are ever true.

    Parameters
    ----------
    scores, positives : (..., K)
        The scores, and how often each class is true.
    """
    present = (positives > 0).astype(np.float64)
    return ratio(weighted_total(scores, present), total(present))


def fbeta(rates: "Rates", beta: float) -> tuple["Floats", "Floats"]:
    """Weigh recall beta times as much as precision."""
    weighted = (1 + beta**2) * rates.tp
    return weighted, weighted + beta**2 * rates.fn + rates.fp


def _accuracy(joint: "Joint") -> "Floats":
    return total(joint.correct)


def _g_mean(joint: "Joint") -> "Floats":
    with np.errstate(divide="ignore"):
        logs = np.log(ratio(joint.correct, joint.true), where=joint.true > 0, out=np.zeros_like(joint.true))
        return np.asarray(np.exp(mean_of_true(logs, joint.true)))


def _margins(joint: "Joint") -> "Floats":
    assert joint.predicted is not None
    return joint.predicted


def _matthews_corrcoef(joint: "Joint") -> "Floats":
    predicted = _margins(joint)
    covariance = _accuracy(joint) - weighted_total(joint.true, predicted)
    spread = (1 - weighted_total(joint.true, joint.true)) * (1 - weighted_total(predicted, predicted))
    return ratio(covariance, np.sqrt(spread.clip(min=0)))


def _cohen_kappa(joint: "Joint") -> "Floats":
    chance = weighted_total(joint.true, _margins(joint))
    return ratio(_accuracy(joint) - chance, 1 - chance)


def roc_auc(positive: "Floats", others: "Floats") -> "Floats":
    """Return the proportion of correctly ranked pairs, ties counting half: the area under the ROC curve.

    References
    ----------
    Zhang, Wang, Yilmaz, Wang and Zhou (2016), section 5: "the proportion of correctly ranked pairs".

    Examples
    --------
    >>> roc_auc(np.array([[1.0], [0.0], [1.0]]), np.array([[0.0], [1.0], [0.0]])).tolist()
    [0.5]
    """
    above = _summed_down(others)
    outranking = _column_products(positive, above) - 0.5 * _column_products(positive, others)
    return np.asarray(1 - outranking / (positive.sum(axis=0) * above[-1]))


def average_precision(positive: "Floats", others: "Floats") -> "Floats":
    """Return the precision at every threshold, averaged by the recall that each step down adds.

    Examples
    --------
    >>> average_precision(np.array([[1.0], [0.0], [1.0]]), np.array([[0.0], [1.0], [0.0]])).round(3).tolist()
    [0.833]
    """
    found = _summed_down(positive)
    precision = found / (found + _summed_down(others))
    return np.asarray(_column_products(positive, precision) / found[-1])


def _summed_down(masses: "Floats") -> "Floats":
    """Return cumulative sums of columns; numpy's own are several times slower, for they go down one at a time."""
    sums = masses.astype(np.float64)
    for above, here in pairwise(sums):
        np.add(above, here, out=here)
    return sums


def _column_products(one: "Floats", other: "Floats") -> "Floats":
    return np.asarray(np.einsum("un,un->n", one, other))


_CLIP = float_info.epsilon  # as scikit-learn keeps probabilities from 0 and 1


def _log_likelihood(true: "Codes", scores: "Floats") -> "Floats":
    """Return the logarithm of the probability that each outcome's own class was given."""
    class_base = np.where(true == 1, scores[:, 0], 1 - scores[:, 0]) if scores.shape[1] == 1 else _own(scores, true)
    return np.asarray(np.log(class_base.clip(_CLIP, 1 - _CLIP)))


def _negative_brier(true: "Codes", scores: "Floats") -> "Floats":
    """Return minus the squared distance of each outcome's probabilities from the truth, over all classes if many."""
    if scores.shape[1] == 1:
        return -np.square(scores[:, 0] - true)
    # sum over k of (p_k - [k is true])^2 = sum of p_k^2 - 2 p_true + 1
    return -np.asarray(np.square(scores).sum(axis=1) - 2 * _own(scores, true) + 1)


def _own(scores: "Floats", true: "Codes") -> "Floats":
    return np.asarray(np.take_along_axis(scores, true[:, None], axis=1)[:, 0])


AnyRow: TypeAlias = ByClass | Overall | Ranking | ByExample
_TOTAL, _CORRECT, _MARGINS, _ = Detail
_CLASSES, _LABELS, _COUNTS = Data.CLASSES, Data.LABELS, Data.CLASSES | Data.LABELS | Data.SPANS
_OF_TWO, _OF_MANY, _VALUES = Data.SCORES_OF_TWO, Data.SCORES_OF_MANY, Data.VALUES
# fmt: off
ROWS: tuple[AnyRow, ...] = (
    Overall("accuracy", "accuracy", _accuracy,
            detail=_TOTAL, class_base="f1", lowest=0, data=_CLASSES | _LABELS, needs=Needs.NOTHING),
    Overall("balanced_accuracy", "balanced accuracy",
            lambda joint: mean_of_true(ratio(joint.correct, joint.true), joint.true),
            detail=_CORRECT, class_base="recall", lowest=0, data=_CLASSES, needs=Needs.EXAMPLE),
    Overall("matthews_corrcoef", "Matthews correlation", _matthews_corrcoef,
            detail=_MARGINS, class_base="f1", lowest=-1, data=_CLASSES, needs=Needs.VARIATION),
    Overall("cohen_kappa", "Cohen's kappa", _cohen_kappa,
            detail=_MARGINS, class_base="f1", lowest=-1, data=_CLASSES, needs=Needs.VARIATION),
    Overall("g_mean", "G-mean", _g_mean,
            detail=_CORRECT, class_base="recall", lowest=0, data=_CLASSES, needs=Needs.EXAMPLE),
    Overall("answered", "share of readable answers", lambda joint: total(_margins(joint)[..., :-1]),
            detail=_MARGINS, class_base="f1", lowest=0, data=_CLASSES, needs=Needs.UNREADABLE),
    ByClass("f1", "F1", fbeta,
            detail=_MARGINS, micro=_TOTAL, lowest=0, data=_COUNTS),
    ByClass("fbeta", "F{beta:g}", fbeta,
            detail=_MARGINS, micro=_TOTAL, lowest=0, data=_COUNTS),
    ByClass("precision", "precision", lambda rates, _: (rates.tp, rates.tp + rates.fp),
            detail=_MARGINS, micro=_TOTAL, lowest=0, data=_COUNTS),
    ByClass("recall", "recall", lambda rates, _: (rates.tp, rates.tp + rates.fn),
            detail=_CORRECT, micro=_TOTAL, lowest=0, data=_COUNTS),
    ByClass("jaccard", "Jaccard index", lambda rates, _: (rates.tp, rates.tp + rates.fp + rates.fn),
            detail=_MARGINS, micro=_TOTAL, lowest=0, data=_COUNTS),
    ByClass("specificity", "specificity", lambda rates, _: (rates.tn, rates.tn + rates.fp),
            detail=_MARGINS, micro=_MARGINS, lowest=0, data=_CLASSES | _LABELS),
    Ranking("roc_auc", "AUC", roc_auc, joins_positives=True, lowest=0, data=_OF_TWO, needs=Needs.EXAMPLE),
    Ranking("average_precision", "average precision", average_precision, lowest=0, data=_OF_TWO, needs=Needs.EXAMPLE),
    Ranking("roc_auc_ovr", "macro-AUC", roc_auc, joins_positives=True, lowest=0, data=_OF_MANY, needs=Needs.EXAMPLE),
    Ranking("average_precision_macro", "macro-average precision", average_precision,
            lowest=0, data=_OF_MANY, needs=Needs.EXAMPLE),
    ByExample("neg_log_loss", "negative log loss", _log_likelihood,
              lowest=-inf, data=_OF_TWO | _OF_MANY, needs=Needs.PROBABILITIES),
    ByExample("neg_brier_score", "negative Brier score", _negative_brier,
              lowest=-2, data=_OF_TWO | _OF_MANY, needs=Needs.PROBABILITIES),
    ByExample("mean", "mean", lambda _, scores: scores[:, 0], lowest=-inf, data=_VALUES, needs=Needs.NOTHING),
)
# fmt: on
MEASURES: Mapping[str, AnyRow] = {row.name: row for row in ROWS}
"""By name."""
