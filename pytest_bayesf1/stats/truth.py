"""Populations that a test set may have come from: as what was seen, but for a candidate that errs more or less often.

What was seen is kept: how frequent the classes are, what the baseline does, which errors the candidate makes. Only its
odds of being wrong are multiplied, by one factor whatever the class, until the two scores differ by as much as is asked
for. Where both sides' predictions are known, that is done to what the baseline gets right; of what it gets wrong the
candidate gets as many fewer right, as long as it gets any. So the sides agree as often as they were seen to.
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import log

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Codes, Floats, Weights
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import Joint, Measure
from pytest_bayesf1.settings import Model
from pytest_bayesf1.stats.influence import influences
from pytest_bayesf1.stats.zero import CLOSE, zero

_TRACE = 1e-6
"""Examples of an outcome that is to be possible."""


@dataclass(frozen=True, eq=False)
class Truth:
    """A population, as the counts that are to be expected of a test set as large as the one that was seen.

    Attributes
    ----------
    experiment
        Two sides. Its counts are real numbers; examples are drawn one by one.
    baseline, candidate
        Its sides.
    """

    experiment: Experiment
    baseline: "Side"
    candidate: "Side"

    @classmethod
    def seen(cls, experiment: Experiment, measure: Measure) -> "Truth":
        """Take what was seen for the population; every class has an imagined example among its own.

        That one is mistaken as often as the examples of all classes are, so that no class is beyond error.

        Parameters
        ----------
        experiment
            Of two sides. Earlier counts are among what was seen; units are not.
        measure
            What the sides are compared by.
        """
        tables = tuple(_with_imagined(table.without_units()) for table in experiment.known)
        sides = Side.of(tables[0], 0, measure), Side.of(tables[-1], -1, measure)
        return cls(Experiment(experiment.model, tables), *sides)

    @property
    def delta(self) -> float:
        """The true difference: the candidate's score minus the baseline's."""
        return self.candidate.score - self.baseline.score

    @cached_property
    def variance(self) -> float:
        """Of the observed difference on such test sets: to first order, the scatter of the examples' influence on it.

        Where nobody knows which predictions pair up, the two sides are taken to err independently of one another.
        """
        tables, model = self.experiment.tables, self.experiment.model
        of_baseline, of_candidate = self.influences
        if model == Model.PAIRED:
            return _scatter(tables[0], of_candidate - of_baseline, _problems(tables[0])) / tables[0].n_samples ** 2
        sides = list(zip(tables, (of_baseline, of_candidate), strict=True))
        if model == Model.INDEPENDENT:
            return sum(_scatter(table, each, _problems(table)) / table.n_samples**2 for table, each in sides)
        baseline, candidate = tables
        within = sum(_scatter(table, each, table.true) for table, each in sides)
        by_class = _means(candidate, of_candidate, candidate.true) - _means(baseline, of_baseline, baseline.true)
        between = _scatter(baseline, by_class[baseline.true], _problems(baseline))
        return (within + between) / baseline.n_samples**2

    @cached_property
    def influences(self) -> tuple[Floats, ...]:
        """(K,) each: how much either score changes with the share of every outcome of the population."""
        sides = self.baseline, self.candidate
        found = influences(self.baseline.measure, [side.table for side in sides])
        return tuple(np.append(each, 0.0)[side.cells] for side, each in zip(sides, found, strict=True))

    def with_delta(self, delta: float, close: float = CLOSE) -> "Truth | None":
        """Return the population in which the scores differ by this; None where no such candidate's could.

        Parameters
        ----------
        delta
            The true difference that is asked for, the candidate's score minus the baseline's.
        close
            How far from it the population's may be.
        """
        outcomes, more = self._outcomes, self.delta - delta

        @cache
        def tried(log_factor: float) -> tuple[Weights, Side]:
            count = outcomes.with_odds(log_factor)
            return count, self.candidate.counted(count)

        def remaining(log_factor: float) -> float:
            return tried(log_factor)[1].score - self.candidate.score + more

        log_factor = zero(remaining, more, outcomes.log_factor_of(more), close)
        if log_factor is None:
            return None
        count, candidate = tried(log_factor)
        tables = (*self.experiment.tables[:-1], replace(outcomes.table, count=count))
        return replace(self, experiment=replace(self.experiment, tables=tables), candidate=candidate)

    @cached_property
    def _outcomes(self) -> "_Outcomes":
        """What the candidate's may become."""
        return _Outcomes.of(self.experiment.tables[-1])


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a population.

    Attributes
    ----------
    table
        Its own outcomes.
    cells : (K,)
        Which of them every outcome of the population is; one past the last where it is none.
    measure
        What it is scored by.
    """

    table: OutcomeTable
    cells: Codes
    measure: Measure

    @classmethod
    def of(cls, table: OutcomeTable, index: int, measure: Measure) -> "Side":
        """Take one side of a table alone.

        Parameters
        ----------
        table
            Of one side or of both.
        index
            Which.
        measure
            What it is scored by.
        """
        predicted = table.predicted[index]
        seen = (table.true % 2 == 1) | (predicted % 2 == 1) | (not table.spans)
        keys, found = np.unique((table.true * table.n_classes + predicted)[seen], return_inverse=True)
        cells = np.full(seen.size, keys.size)
        cells[seen] = found
        true, said = np.divmod(keys, table.n_classes)
        alone = replace(table, true=true, predicted=said[None], count=np.zeros(keys.size))
        return cls(alone, cells, measure).counted(table.count)

    def counted(self, count: Weights) -> "Side":
        """Return it with other counts: (K,) of the population's outcomes."""
        own = np.bincount(self.cells, count, self.table.count.size + 1)[:-1]
        return replace(self, table=replace(self.table, count=own))

    @cached_property
    def score(self) -> float:
        """Its true score."""
        return float(self.measure(Joint.observed(self.table, self.measure.detail)))


@dataclass(frozen=True, eq=False)
class _Outcomes:
    """Outcomes of the candidate, given the true class, and what the baseline predicts where that is known.

    Attributes
    ----------
    given : (K,)
        Outcomes with the same number have the same true class and prediction of the baseline.
    fixed : (K,)
        Whether it is known how many such examples there are: nobody counts the spans that rightly nobody predicts.
    wrong : (K,)
        Whether the candidate is.
    baseline_wrong : (K,)
        Whether the baseline is known to be.
    """

    table: OutcomeTable
    given: Codes
    fixed: npt.NDArray[np.bool_]
    wrong: npt.NDArray[np.bool_]
    baseline_wrong: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, table: OutcomeTable) -> "_Outcomes":
        *baseline, candidate = table.predicted
        key, absent, baseline_wrong = table.true, table.true % 2 == 0, np.zeros(table.true.size, dtype=bool)
        for said in baseline:
            key, absent, baseline_wrong = key * table.n_classes + said, absent & (said % 2 == 0), said != table.true
        _, given = np.unique(key, return_inverse=True)
        return cls(table, given, ~(absent & table.spans), candidate != table.true, baseline_wrong)

    def with_odds(self, log_factor: float) -> Weights:
        """Return the counts when the odds of losing what the baseline gets right are multiplied."""
        before, factor, (lost, won, rest) = self.table.count, np.exp(log_factor), self._kinds
        after = lost * before * factor / (1 + self.fixed * self._shares[0] * (factor - 1))
        if won.any():
            left = max(0.0, 1 - (after.sum() - before[lost].sum()) / before[won].sum())
            after[won] = before[won] * np.minimum(left, 1 / self._shares[1][won])
        room = self._totals - np.bincount(self.given, after)
        was = np.bincount(self.given, before * rest)
        times = np.divide(room, was, out=np.ones_like(room), where=was > 0)[self.given]
        after[rest] = (before * np.where(self.fixed, times, 1.0).clip(min=0))[rest]
        return np.asarray(after)

    def log_factor_of(self, loss: float) -> float:
        """Guess the log of that factor from how much the score is to fall: it is right about accuracy."""
        before, (lost, won, _) = self.table.count, self._kinds
        right = before[~self.baseline_wrong].sum()
        share, more = before[lost].sum() / right, loss * before.sum() / right
        share_lost = share + max(more / 2, more - before[won].sum() / right)
        return _logit(share_lost) - _logit(share)

    @cached_property
    def _kinds(self) -> tuple[npt.NDArray[np.bool_], ...]:
        """(K,) what the baseline gets right and the candidate does not, the other way round, and the rest."""
        lost, won = self.wrong & ~self.baseline_wrong, self.baseline_wrong & ~self.wrong
        return lost, won, ~(lost | won)

    @cached_property
    def _totals(self) -> Floats:
        return np.bincount(self.given, self.table.count).astype(np.float64)

    @cached_property
    def _shares(self) -> tuple[Floats, ...]:
        """(K,) what share of what is given is lost, and what share is won."""
        count = self.table.count
        lost, won, _ = (np.bincount(self.given, count * kind) for kind in self._kinds)
        return (lost / self._totals)[self.given], (won / self._totals)[self.given]


def _with_imagined(table: OutcomeTable) -> OutcomeTable:
    """Put an imagined example of every class beside its own, and leave the class as frequent as it is."""
    classes = np.flatnonzero(table.row_totals > 0)
    if table.multilabel:
        others = classes ^ 1
    else:
        others = np.roll(classes, -1) if classes.size > 1 else (classes + 1) % table.n_classes
    kinds = table.row_kinds
    of_kinds = np.stack([np.bincount(kinds, counts) for counts in table.group_counts.T], axis=1) + 1 / 2
    shares = (of_kinds / of_kinds.sum(axis=1, keepdims=True))[kinds[classes]]

    def outcomes(true: Codes, *predicted: Codes, count: Weights) -> OutcomeTable:
        return replace(table, true=true, predicted=np.stack(predicted), count=count)

    if table.n_sides == 1:
        beside = table.plus(outcomes(classes, others, count=shares[:, 1]))
    else:
        lost = outcomes(classes, classes, others, count=shares[:, 1])
        won = outcomes(classes, others, classes, count=shares[:, 2])
        beside = table.plus(lost).plus(won)
        true, said = beside.true[beside.group == 2], beside.predicted[0, beside.group == 2]
        beside = beside.plus(outcomes(true, said, said, count=np.full(true.size, _TRACE)))  # what is won may be lost
    kept = np.divide(table.row_totals, beside.row_totals, out=np.ones(table.n_classes), where=table.row_totals > 0)
    return replace(beside, count=beside.count * kept[beside.true])


def _problems(table: OutcomeTable) -> Codes | None:
    return None if table.spans else table.true // table.n_outcomes


def _scatter(table: OutcomeTable, values: Floats, groups: Codes | None) -> float:
    """Return the sum of squares about the mean of each group; about 0 without groups: there is no total to keep."""
    about = 0.0 if groups is None else _means(table, values, groups)[groups]
    return float(table.count @ np.square(values - about))


def _means(table: OutcomeTable, values: Floats, groups: Codes) -> Floats:
    totals = np.bincount(groups, table.count, table.n_classes)
    return np.bincount(groups, table.count * values, table.n_classes) / np.where(totals > 0, totals, 1.0)


def _logit(share: float) -> float:
    return log(max(share, CLOSE) / max(1 - share, CLOSE))
