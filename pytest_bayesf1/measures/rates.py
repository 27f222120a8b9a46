"""True and false positives and negatives, and the scores that are made of them.

Classes exclude one another: each is set against the rest. Labels do not: each is a question of its own, yes or no. A
ratio whose denominator is 0 counts as 0. What is never true is no class or label of a macro average, which scikit-learn
averages in as 0; predicting it is wrong all the same.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.joint import Joint
from pytest_bayesf1.measures.names import MeasureName


@dataclass(frozen=True, eq=False)
class Rates:
    """Shares of the examples, each (..., K), one for every class or label."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats

    @classmethod
    def of_classes(cls, joint: Joint) -> "Rates":
        """Set every class against the rest; what is never true is no class, so that nothing is rightly not of it.

        Without column sums nobody knows which class a false alarm belongs to. There are as many as misses, so they are
        put down to the classes that were missed: right in total, which is all that a micro average looks at.

        Parameters
        ----------
        joint
            Of classes that exclude one another: arrays of shape (..., M).
        """
        fn = joint.true - joint.correct
        fp = fn if joint.predicted is None else (joint.predicted - joint.correct).clip(min=0)
        return cls(joint.correct, fp, fn, (1 - joint.correct - fn - fp) * (joint.true > 0))

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


def ratio(numerator: Floats, denominator: Floats) -> Floats:
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


def total(values: Floats) -> Floats:
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


def weighted_total(values: Floats, weights: Floats) -> Floats:
    """Add up products over the last axis, as `total` does.

    Parameters
    ----------
    values, weights : (..., K)
        Numbers.
    """
    return np.asarray(np.einsum("...k,...k->...", values, weights))


def f1(rates: Rates) -> Floats:
    """F1 of every class or label.

    Parameters
    ----------
    rates
        Of K classes or labels.

    Returns
    -------
    (..., K)
        2 tp / (2 tp + fp + fn).
    """
    return _fbeta(rates, 1.0)


def _fbeta(rates: Rates, beta: float) -> Floats:
    weighted = (1 + beta**2) * rates.tp
    return ratio(weighted, weighted + beta**2 * rates.fn + rates.fp)


_SCORES: Mapping[str, Callable[[Rates, float], Floats]] = MappingProxyType(
    {
        "f1": _fbeta,
        "fbeta": _fbeta,
        "precision": lambda rates, _: ratio(rates.tp, rates.tp + rates.fp),
        "recall": lambda rates, _: ratio(rates.tp, rates.tp + rates.fn),
        "jaccard": lambda rates, _: ratio(rates.tp, rates.tp + rates.fp + rates.fn),
        "specificity": lambda rates, _: ratio(rates.tn.clip(min=0), rates.tn + rates.fp),
        "accuracy": lambda rates, _: rates.tn + rates.tp,
    }
)


def scores_by_class(base: str, beta: float, rates: Rates) -> Floats:
    """Score every class or label.

    Parameters
    ----------
    base
        One of `PER_CLASS`, or accuracy.
    beta
        Weight of recall against precision; ``fbeta`` alone looks at it.
    rates
        Of K classes or labels.

    Returns
    -------
    (..., K)
        The scores.
    """
    return _SCORES[base](rates, beta)


def score(name: MeasureName, index: int | None, rates: Rates) -> Floats:
    """Score the class or label at ``index``, or average over those that are ever true.

    Parameters
    ----------
    name
        The measure: one of `PER_CLASS`, or accuracy.
    index
        Position of the class; None for averages.
    rates
        Of K classes or labels.

    Returns
    -------
    (...)
        One score per distribution.
    """
    if name.average == "micro":
        return scores_by_class(name.base, name.beta, rates.pooled())
    scores = scores_by_class(name.base, name.beta, rates)
    if index is not None:
        return scores[..., index]
    if name.average == "weighted":
        weights = rates.positives
        return ratio(weighted_total(scores, weights), total(weights))
    return np.asarray(scores.mean(axis=-1)) if name.base == "accuracy" else mean_of_true(scores, rates.positives)


def mean_of_true(scores: Floats, positives: Floats) -> Floats:
    """Average scores over the classes that are ever true.

    Parameters
    ----------
    scores, positives : (..., K)
        The scores, and how often each class is true.

    Returns
    -------
    (...)
        The averages.
    """
    present = (positives > 0).astype(np.float64)
    return ratio(weighted_total(scores, present), total(present))


def f1_by_class(side: OutcomeTable) -> Floats:
    """Observed F1 of every class or label; from whole numbers, so that equal scores are equal.

    Parameters
    ----------
    side
        Counts of one side.

    Returns
    -------
    (K,)
        2 tp / (2 tp + fp + fn).
    """
    right = side.group_counts[:, 0]
    scores = ratio((2 * right).astype(np.float64), (side.row_totals + side.times_predicted).astype(np.float64))
    return scores[side.named]
