"""Measures of scores: functions of what every example was given and of the examples' weights."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.outcomes import ScoreTable
from pytest_bayesf1.measures.ranking import RankingMeasure, average_precision, roc_auc
from pytest_bayesf1.measures.weighting import Weighting

_CLIP = float(np.finfo(np.float64).eps)  # as scikit-learn keeps probabilities from 0 and 1


class Scorer(Protocol):
    """One side's scores under one measure, prepared so that any weighting of them is scored at once."""

    def __call__(self, weighting: Weighting) -> Floats:
        """Score every draw: (n,)."""
        ...


@dataclass(frozen=True, eq=False)
class MeanScorer:
    """The mean of a number that every example has.

    Attributes
    ----------
    values : (K,)
        Of the table's outcomes.
    """

    values: Floats

    def __call__(self, weighting: Weighting) -> Floats:
        """Score every draw."""
        imagined = (weighting.imagined * self.values[weighting.alike]).sum(axis=1)
        return np.asarray((weighting.outcomes @ self.values + imagined) / weighting.totals)


class RankingScorer:
    """How well a class's examples are ranked above all others.

    Parameters
    ----------
    measure
        Of the masses by distinct score.
    scores : (K,)
        For the class, of every outcome.
    true : (K,)
        The outcomes' classes.
    code
        The class that should come first.
    """

    def __init__(self, measure: RankingMeasure, scores: Floats, true: Codes, code: int) -> None:
        self._measure, self._code = measure, code
        self._order = np.argsort(-scores, kind="stable")
        self._is_positive = (true[self._order] == code).astype(np.float64)
        self._place = np.empty_like(self._order)
        self._place[self._order] = np.arange(self._order.size)
        starts = np.flatnonzero(np.diff(scores[self._order], prepend=np.nan) != 0)
        self._starts = starts if starts.size < self._order.size else None

    def __call__(self, weighting: Weighting) -> Floats:
        """Score every draw: a gather in the order of the scores, then sums along it."""
        total = weighting.outcomes.take(self._order, axis=1)
        positive = total * self._is_positive
        draws, place = np.arange(len(total))[:, None], self._place[weighting.alike]
        of_class = np.flatnonzero(weighting.true == self._code)
        np.add.at(total, (draws, place), weighting.imagined)
        np.add.at(positive, (draws, place[:, of_class]), weighting.imagined[:, of_class])
        if self._starts is not None:
            total, positive = (np.add.reduceat(masses, self._starts, axis=1) for masses in (total, positive))
        return self._measure(positive, total)


@dataclass(frozen=True, eq=False)
class MacroScorer:
    """The mean of every class's score.

    Attributes
    ----------
    classes
        A scorer of each.
    """

    classes: tuple[RankingScorer, ...]

    def __call__(self, weighting: Weighting) -> Floats:
        """Score every draw, class by class."""
        return np.asarray(sum(scorer(weighting) for scorer in self.classes) / len(self.classes))


def log_likelihood(true: Codes, scores: Floats) -> Floats:
    """Return the logarithm of the probability that each outcome's own class was given.

    Parameters
    ----------
    true : (K,)
        Classes; of two the second is the positive one.
    scores : (K, C)
        Probabilities of the positive class, C = 1, or of every class; kept from 0 and 1 as scikit-learn does.
    """
    of_class = np.where(true == 1, scores[:, 0], 1 - scores[:, 0]) if scores.shape[1] == 1 else _own(scores, true)
    return np.asarray(np.log(of_class.clip(_CLIP, 1 - _CLIP)))


def negative_brier(true: Codes, scores: Floats) -> Floats:
    """Return minus the squared distance of each outcome's probabilities from the truth, over all classes if many.

    Parameters
    ----------
    true, scores
        As of `log_likelihood`.
    """
    if scores.shape[1] == 1:
        return -np.square(scores[:, 0] - true)
    # sum over k of (p_k - [k is true])^2 = sum of p_k^2 - 2 p_true + 1
    return -np.asarray(np.square(scores).sum(axis=1) - 2 * _own(scores, true) + 1)


def _own(scores: Floats, true: Codes) -> npt.NDArray[np.float64]:
    return np.asarray(np.take_along_axis(scores, true[:, None], axis=1)[:, 0])


def _mean(true: Codes, scores: Floats) -> Floats:  # noqa: ARG001
    return scores[:, 0]


_BY_EXAMPLE: Mapping[str, Callable[[Codes, Floats], Floats]] = MappingProxyType(
    {"mean": _mean, "neg_log_loss": log_likelihood, "neg_brier_score": negative_brier}
)
_RANKINGS: Mapping[str, RankingMeasure] = MappingProxyType(
    {
        "roc_auc": roc_auc,
        "roc_auc_ovr": roc_auc,
        "average_precision": average_precision,
        "average_precision_macro": average_precision,
    }
)


def scorer(base: str, table: ScoreTable, side: int) -> Scorer:
    """Prepare one side's scores for a measure.

    Parameters
    ----------
    base
        The measure's name.
    table
        The scores.
    side
        Which side's.
    """
    scores, true = table.scores[side], table.true
    if base in _BY_EXAMPLE:
        return MeanScorer(_BY_EXAMPLE[base](true, scores))
    measure = _RANKINGS[base]
    if scores.shape[1] == 1:
        return RankingScorer(measure, scores[:, 0], true, 1)
    return MacroScorer(tuple(RankingScorer(measure, scores[:, code], true, code) for code in range(scores.shape[1])))
