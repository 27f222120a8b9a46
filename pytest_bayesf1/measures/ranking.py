"""Measures of scores: ROC AUC, average precision, log loss, Brier score, mean."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.outcomes import ScoreTable
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.measures.formulas import MEASURES, ROWS, ByExample, Data, Detail, Needs, Ranking
from pytest_bayesf1.measures.names import MeasureName, NamedMeasure, parse_name
from pytest_bayesf1.results.comparison import owners_of
from pytest_bayesf1.results.schema import Label


class Weighting(NamedTuple):
    """Weights of a table's outcomes, and of pseudo-observations beside them.

    Attributes
    ----------
    outcomes : (K, n)
        The weight of all examples with an outcome.
    alike : (J, n)
        The outcome whose scores each of J pseudo-observations was given.
    true : (J,)
        The class that it is of.
    pseudo : (J, n)
        Its weight.
    """

    outcomes: Floats
    alike: Codes
    true: Codes
    pseudo: Floats

    @classmethod
    def of_outcomes(cls, outcomes: Floats) -> "Weighting":
        """Take weights of the outcomes alone."""
        none = np.empty((0, outcomes.shape[1]), dtype=np.int64)
        return cls(outcomes, none, none[:, 0], none.astype(np.float64))

    @property
    def totals(self) -> Floats:
        """(n,) the weight of everything."""
        return np.asarray(self.outcomes.sum(axis=0) + self.pseudo.sum(axis=0))


Scorer: TypeAlias = Callable[[Weighting], Floats]
"""One side's scores under one measure, prepared so that any weighting of them is scored at once: (n,)."""


class RankingScorer:
    """How well a class's examples are ranked above all others.

    Scores are sorted once, into steps: equal scores are one step, and so are neighbours that all are of the class, or
    all of others, where the measure does not tell them apart. Those of the outcomes ``apart`` are steps of their own.
    """

    def __init__(self, row: Ranking, scores: Floats, true: Codes, code: int, apart: Codes | None) -> None:
        self._formula, self._code = row.formula, code
        order = np.argsort(-scores, kind="stable")
        is_positive = true == code
        starts = np.flatnonzero(np.diff(scores[order], prepend=np.nan) != 0)
        positives = np.add.reduceat(is_positive[order].astype(np.int64), starts)
        sizes = np.diff(starts, append=order.size)
        kind = np.where(positives == 0, 0, np.where(positives == sizes, 1, 2))
        if apart is not None:
            kind[np.isin(scores[order][starts], scores[apart])] = 2
        is_same = (kind[1:] == kind[:-1]) & ((kind[1:] == 0) | (row.joins_positives & (kind[1:] == 1)))
        step = np.append(0, np.cumsum(~is_same))
        self._n_steps = int(step[-1]) + 1
        self._step = np.empty_like(order)
        self._step[order] = np.repeat(step, sizes)
        cells = is_positive * self._n_steps + self._step
        shape = (2 * self._n_steps, cells.size)
        self._to_steps = csr_array((np.ones(cells.size, np.float32), (cells, np.arange(cells.size))), shape=shape)

    def __call__(self, weighting: Weighting) -> Floats:
        """Score every draw: sums by step, of the others and of the class, then one cumulative sum."""
        sums = self._to_steps @ weighting.outcomes
        cells = (weighting.true == self._code)[:, None] * self._n_steps + self._step[weighting.alike]
        np.add.at(sums, (cells, np.arange(sums.shape[1])), weighting.pseudo)
        return self._formula(sums[self._n_steps :], sums[: self._n_steps])


def scorer(base: str, table: ScoreTable, side: int, apart: Codes | None = None) -> Scorer:
    """Prepare one side's scores for a measure, and for pseudo-observations that are alike some outcomes."""
    scores, true, row = table.scores[side], table.true, MEASURES[base]
    if isinstance(row, ByExample):
        values = row.formula(true, scores)
        return lambda weighting: _mean(values, weighting)
    assert isinstance(row, Ranking)
    if scores.shape[1] == 1:
        return RankingScorer(row, scores[:, 0], true, 1, apart)
    classes = [RankingScorer(row, scores[:, code], true, code, apart) for code in range(scores.shape[1])]
    return lambda weighting: np.asarray(sum(of_class(weighting) for of_class in classes) / len(classes))


def _mean(values: Floats, weighting: Weighting) -> Floats:
    """Average a number that every example has, (K,) of the table's outcomes; the last may be of no example."""
    pseudo = (weighting.pseudo * values[weighting.alike]).sum(axis=0)
    return np.asarray((values[: len(weighting.outcomes)] @ weighting.outcomes + pseudo) / weighting.totals)


@dataclass(frozen=True)
class ScoreMeasure(NamedMeasure):
    """A measure of scores, ready to be applied to either side."""

    @property
    def detail(self) -> Detail:
        """How much of the scores it looks at: those that rank get pseudo-observations of their own."""
        return Detail.TOTAL if self.is_mean else Detail.MATRIX

    @property
    def needs_probabilities(self) -> bool:
        """Whether other scores make no sense of it."""
        assert self.named is not None
        return Needs.PROBABILITIES in self.named.row.needs

    @property
    def is_mean(self) -> bool:
        """Whether it averages a number that every example has."""
        assert self.named is not None
        return isinstance(MEASURES[self.named.base], ByExample)

    def scorer(self, table: ScoreTable, side: int, apart: Codes | None = None) -> Scorer:
        """Prepare one side's scores, and for pseudo-observations that are alike some outcomes."""
        assert self.named is not None
        return scorer(self.named.base, table, side, apart)

    def observed(self, table: ScoreTable, side: int) -> float:
        """Score what was observed, as scikit-learn does."""
        return float(self.scorer(table, side)(Weighting.of_outcomes(table.count[:, None].astype(np.float64)))[0])


def parse_score_measure(
    measure: object, labels: tuple[Label, ...], sides: Sequence[tuple[ScoreTable, int]]
) -> ScoreMeasure:
    """Understand the name of a measure of scores, and require that every side defines it."""
    data = Data.of_scores(labels)
    name = parse_name(measure) if isinstance(measure, str) else None
    if name is None or data not in name.row.data:
        raise _not_serving(measure, name, labels, [row.name for row in ROWS if data in row.data])
    for owner, (table, _) in zip(owners_of(len(sides)), sides, strict=True):
        if Needs.EXAMPLE in name.row.needs:
            _require_examples(name, owner, table, labels)
    return ScoreMeasure(name.text, name)


def _not_serving(
    measure: object, name: MeasureName | None, labels: tuple[Label, ...], serving: list[str]
) -> InputError:
    what = f"scores of {len(labels)} classes" if labels else "a number per example"
    advice = ""
    if name is not None and not name.of_scores and len(labels) == 2:
        advice = f"Predicted classes take a threshold, as in {name.text + '@0.5'!r}."
    return InputError("measure", f"a measure of {what}: {', '.join(serving)}", shown(measure), advice)


def _require_examples(name: MeasureName, owner: str, table: ScoreTable, labels: tuple[Label, ...]) -> None:
    lacking = np.flatnonzero(table.row_totals == 0)
    if lacking.size:
        expected = "an example of every class, to rank it above others"
        found = f"none of class {shown(labels[lacking[0]])} in the test set of {owner}"
        raise InputError(f"measure {name.text}", expected, found)
