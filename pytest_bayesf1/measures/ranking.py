"""Measures of scores: ROC AUC, average precision, log loss, Brier score, mean."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.outcomes import ScoreTable
from pytest_bayesf1.data.scores import first_without_sum
from pytest_bayesf1.errors import InputError, arg
from pytest_bayesf1.measures.names import (
    OF_MANY_CLASSES,
    OF_PROBABILITIES,
    OF_TWO_CLASSES,
    OF_VALUES,
    Detail,
    MeasureName,
    NamedMeasure,
    parse_name,
)
from pytest_bayesf1.results.comparison import owners_of
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import shown

RankingMeasure: TypeAlias = Callable[[Floats, Floats], Floats]
"""Of the masses of the class, (n, U), and of all examples, (n, U), by distinct score, the highest first: (n,)."""


def roc_auc(positive: Floats, total: Floats) -> Floats:
    """Return the proportion of correctly ranked pairs, ties counting half: the area under the ROC curve.

    References
    ----------
    Zhang, Wang, Yilmaz, Wang and Zhou (2016), section 5: "the proportion of correctly ranked pairs".

    Examples
    --------
    >>> roc_auc(np.array([[1.0, 0.0, 1.0]]), np.array([[1.0, 1.0, 1.0]])).tolist()
    [0.5]
    """
    # Above a positive example lie as many positive ones, ties counting half, as below: half of all pairs of positives.
    above = np.cumsum(total, axis=1)
    outranking = np.einsum("nu,nu->n", positive, above) - 0.5 * np.einsum("nu,nu->n", positive, total)
    n_positive = positive.sum(axis=1)
    n_negative = above[:, -1] - n_positive
    return np.asarray(1 - (outranking - 0.5 * n_positive**2) / (n_positive * n_negative))


def average_precision(positive: Floats, total: Floats) -> Floats:
    """Return the precision at every threshold, averaged by the recall that each step down adds.

    Examples
    --------
    >>> average_precision(np.array([[1.0, 0.0, 1.0]]), np.array([[1.0, 1.0, 1.0]])).round(3).tolist()
    [0.833]
    """
    found = np.cumsum(positive, axis=1)
    n_positive = found[:, -1].copy()
    found /= np.cumsum(total, axis=1)
    return np.asarray(np.einsum("nu,nu->n", positive, found) / n_positive)


class Weighting(NamedTuple):
    """Weights of a table's outcomes, and of pseudo-observations beside them.

    Attributes
    ----------
    outcomes : (n, K)
        The weight of all examples with an outcome.
    alike : (n, J)
        The outcome whose scores each of J pseudo-observations was given.
    true : (J,)
        The class that it is of.
    pseudo : (n, J)
        Its weight.
    """

    outcomes: Floats
    alike: Codes
    true: Codes
    pseudo: Floats

    @classmethod
    def of_outcomes(cls, outcomes: Floats) -> "Weighting":
        """Take weights of the outcomes alone."""
        none = np.empty((len(outcomes), 0), dtype=np.int64)
        return cls(outcomes, none, none[0], none.astype(np.float64))

    @property
    def totals(self) -> Floats:
        """(n,) the weight of everything."""
        return np.asarray(self.outcomes.sum(axis=1) + self.pseudo.sum(axis=1))


_CLIP = float(np.finfo(np.float64).eps)  # as scikit-learn keeps probabilities from 0 and 1


Scorer: TypeAlias = Callable[[Weighting], Floats]
"""One side's scores under one measure, prepared so that any weighting of them is scored at once: (n,)."""


class RankingScorer:
    """How well a class's examples are ranked above all others."""

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
        np.add.at(total, (draws, place), weighting.pseudo)
        np.add.at(positive, (draws, place[:, of_class]), weighting.pseudo[:, of_class])
        if self._starts is not None:
            total, positive = (np.add.reduceat(masses, self._starts, axis=1) for masses in (total, positive))
        return self._measure(positive, total)


def log_likelihood(true: Codes, scores: Floats) -> Floats:
    """Return the logarithm of the probability that each outcome's own class was given."""
    of_class = np.where(true == 1, scores[:, 0], 1 - scores[:, 0]) if scores.shape[1] == 1 else _own(scores, true)
    return np.asarray(np.log(of_class.clip(_CLIP, 1 - _CLIP)))


def negative_brier(true: Codes, scores: Floats) -> Floats:
    """Return minus the squared distance of each outcome's probabilities from the truth, over all classes if many."""
    if scores.shape[1] == 1:
        return -np.square(scores[:, 0] - true)
    # sum over k of (p_k - [k is true])^2 = sum of p_k^2 - 2 p_true + 1
    return -np.asarray(np.square(scores).sum(axis=1) - 2 * _own(scores, true) + 1)


def _own(scores: Floats, true: Codes) -> npt.NDArray[np.float64]:
    return np.asarray(np.take_along_axis(scores, true[:, None], axis=1)[:, 0])


_BY_EXAMPLE: Mapping[str, Callable[[Codes, Floats], Floats]] = {
    "mean": lambda _, scores: scores[:, 0],
    "neg_log_loss": log_likelihood,
    "neg_brier_score": negative_brier,
}
_RANKINGS: Mapping[str, RankingMeasure] = {
    **dict.fromkeys(("roc_auc", "roc_auc_ovr"), roc_auc),
    **dict.fromkeys(("average_precision", "average_precision_macro"), average_precision),
}


def scorer(base: str, table: ScoreTable, side: int) -> Scorer:
    """Prepare one side's scores for a measure."""
    scores, true = table.scores[side], table.true
    if base in _BY_EXAMPLE:
        values = _BY_EXAMPLE[base](true, scores)
        return lambda weighting: _mean(values, weighting)
    measure = _RANKINGS[base]
    if scores.shape[1] == 1:
        return RankingScorer(measure, scores[:, 0], true, 1)
    classes = [RankingScorer(measure, scores[:, code], true, code) for code in range(scores.shape[1])]
    return lambda weighting: np.asarray(sum(of_class(weighting) for of_class in classes) / len(classes))


def _mean(values: Floats, weighting: Weighting) -> Floats:
    """Average a number that every example has: (K,) of the table's outcomes."""
    pseudo = (weighting.pseudo * values[weighting.alike]).sum(axis=1)
    return np.asarray((weighting.outcomes @ values + pseudo) / weighting.totals)


@dataclass(frozen=True)
class ScoreMeasure(NamedMeasure):
    """A measure of scores, ready to be applied to either side."""

    detail: ClassVar[Detail] = Detail.MATRIX

    def scorer(self, table: ScoreTable, side: int) -> Scorer:
        """Prepare one side's scores."""
        assert self.named is not None
        return scorer(self.named.base, table, side)

    def observed(self, table: ScoreTable, side: int) -> float:
        """Score what was observed, as scikit-learn does."""
        return float(self.scorer(table, side)(Weighting.of_outcomes(table.count[None].astype(np.float64)))[0])


def parse_score_measure(
    measure: object, labels: tuple[Label, ...], sides: Sequence[tuple[ScoreTable, int]]
) -> ScoreMeasure:
    """Understand the name of a measure of scores, and require that every side defines it."""
    of_classes = OF_TWO_CLASSES if len(labels) == 2 else OF_MANY_CLASSES
    serving = (*of_classes, *OF_PROBABILITIES) if labels else OF_VALUES
    name = parse_name(measure) if isinstance(measure, str) else None
    if name is None or name.base not in serving:
        raise _not_serving(measure, name, labels, serving)
    for owner, (table, side) in zip(owners_of(len(sides)), sides, strict=True):
        if name.base in OF_PROBABILITIES:
            _require_probabilities(name, owner, table, side)
        elif name.base not in OF_VALUES:
            _require_examples(name, owner, table, labels)
    return ScoreMeasure(name.text, name)


def _not_serving(
    measure: object, name: MeasureName | None, labels: tuple[Label, ...], serving: tuple[str, ...]
) -> InputError:
    what = f"scores of {len(labels)} classes" if labels else "a number per example"
    advice = ""
    if name is not None and not labels:
        advice = "Of 1 for right and 0 for wrong, mean is the accuracy."
    elif name is not None and not name.of_scores and len(labels) == 2:
        advice = f"Predicted classes take a threshold, as in {name.text + '@0.5'!r}."
    return InputError(arg("measure"), f"a measure of {what}: {', '.join(serving)}", shown(measure), advice)


def _require_examples(name: MeasureName, owner: str, table: ScoreTable, labels: tuple[Label, ...]) -> None:
    lacking = np.flatnonzero(table.row_totals == 0)
    if lacking.size:
        expected = "an example of every class, to rank it above others"
        found = f"none of class {labels[lacking[0]]!r} in the test set of {arg(owner)}"
        raise InputError(f"measure {name.text}", expected, found)


def _require_probabilities(name: MeasureName, owner: str, table: ScoreTable, side: int) -> None:
    scores = table.scores[side]
    outside = scores[(scores < 0) | (scores > 1)]
    if outside.size:
        raise InputError(f"measure {name.text}", "probabilities from 0 to 1", f"{outside[0]:g} by {arg(owner)}")
    row = first_without_sum(scores) if scores.shape[1] > 1 else None
    if row is not None:
        found = f"{scores[row].sum():g} in all for an example, by {arg(owner)}"
        raise InputError(f"measure {name.text}", "probabilities that sum to 1", found)
