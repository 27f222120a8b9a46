"""How large a loss a gate detects, from the influence of single examples on the score.

An observed score is its true value plus the mean of a bounded influence of each example, and so is a difference of two.
On N examples the estimate of delta is then nearly normal about the true delta with a standard deviation
``scatter / sqrt(N)``, and the posterior nearly normal about the estimate with ``width / sqrt(N)``. The two are equal
where the model knows all that the sides share; the same test set read as bare matrices is scattered less than its
posterior is wide.

What was seen is kept: how frequent the classes are, what the baseline does, which errors the candidate makes. Only its
odds of being wrong are multiplied, by one factor whatever the class, until the two scores differ by as much as is asked
for. Where both sides' predictions are known, that is done to what the baseline gets right, and what only the candidate
gets right stays: new errors come on top. Keeping the agreement instead was tried: half of every loss was then paid for
by errors that the candidate stopped mending, and losses of 80% power were found in 51 to 72% of the test sets.

A gate fails where the HDI of delta ends below the ROPE: where the loss that is observed exceeds what the ROPE
allows, r, by z standard deviations of the posterior, if the HDI ends z of them above the mean. Losses that are
observed scatter about the true one, L, with the standard deviation s(L), which the posterior has too: a gate fails with
a given power where L = r + (z + Phi^-1(power)) s(L).

s^2 is the posterior's own variance, which knows of the prior, clusters, runs, trainings and earlier test sets, and what
the first-order variance at the `Alternative` where the loss is L has more than at the one that was seen.

A loss that spreads evenly is the easiest to find. So there is another figure, of a loss that only the rarest class
suffers. A weaker model of another kind, which also gets more of the baseline's errors right, is found less often.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import ceil, copysign, log, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from pytest_bayesf1.arrays import Bools, Codes, Floats, Weights
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import Joint, Measure
from pytest_bayesf1.measures.formulas import Detail
from pytest_bayesf1.results.comparison import POWER, ClusterFigures, DeltaFigures, DetectableLosses
from pytest_bayesf1.stats.decision import LEANING, Rope

_STEP = 1e-6
"""Of a derivative, ahead: where a cell is 0 measures have kinks."""
_MOST_NUMBERS = 4_000_000  # at once in memory
_NONE = np.array(-1)


def influences(measure: Measure, sides: Sequence[OutcomeTable]) -> list[Floats]:
    """Return how much each side's observed score changes with each outcome's share of all examples.

    Up to a constant, which shares that add up to 1 leave open. Its mean over one test set less that over another is
    what the scores of the two differ by, to first order (Hampel 1974, The influence curve and its role).
    """
    joints = Joint.stacked([Joint.observed(side, max(measure.detail, Detail.MARGINS)) for side in sides])
    true = np.concatenate([side.true for side in sides])
    predicted = np.concatenate([side.predicted[0] for side in sides])
    by_errors, by_right = slopes(measure, joints, true, predicted)
    ends = np.cumsum([side.true.size for side in sides]).tolist()
    return [
        np.where(side.true == side.predicted[0], right[side.true], errors[end - side.true.size : end])
        for side, right, errors, end in zip(sides, by_right, by_errors, ends, strict=True)
    ]


def slopes(measure: Measure, joints: Joint, true: Codes, predicted: Codes) -> tuple[Floats, Floats]:
    """Differentiate a score by the shares of errors and of what is right."""
    assert joints.predicted is not None
    rows, columns, correct = (each.reshape(len(each), -1) for each in (joints.true, joints.predicted, joints.correct))
    occurs, by_right = np.flatnonzero(rows.any(axis=0)), np.zeros(rows.shape)
    # how far each share is from its bounds 0 and 1, where it is not at them: what small steps are small to
    shares = np.stack([rows, columns, correct])
    rooms = np.minimum(*(np.where(room > 0, room, 1.0) for room in (shares, 1 - shares)))
    room, of_column = rooms.min(axis=0), rooms[1]
    right = _Ways(occurs, occurs, occurs, room[:, occurs])
    if joints.matrix is not None:
        errors = _Ways(true, _NONE, predicted, np.minimum(room[:, true], of_column[:, predicted]))
        by_right[:, occurs], by_errors = _derivatives(measure, joints, right, errors)
        return by_errors, by_right
    said, by_row, by_column = np.unique(predicted), np.zeros(rows.shape), np.zeros(rows.shape)
    of_rows = _Ways(occurs, _NONE, _NONE, room[:, occurs])
    of_columns = _Ways(_NONE, _NONE, said, of_column[:, said])
    by_right[:, occurs], by_row[:, occurs], by_column[:, said] = _derivatives(
        measure, joints, right, of_rows, of_columns
    )
    return by_row[:, true] + by_column[:, predicted], by_right


class _Ways(NamedTuple):
    """Ways in which distributions may change, (R,) each: the row, the diagonal cell and the column that grow, or none.

    Steps are small to the room that there is, (B, R).
    """

    row: Codes
    right: Codes
    column: Codes
    room: Floats

    @property
    def directions(self) -> Codes:
        """(3, R) all of them."""
        size = self.room.shape[1]
        return np.stack([np.broadcast_to(each, size) for each in (self.row, self.right, self.column)])


def _derivatives(measure: Measure, joints: Joint, *ways: _Ways) -> list[Floats]:
    """Differentiate by each way: (B, R) of each."""
    directions = np.concatenate([each.directions for each in ways], axis=1)
    room = np.concatenate([each.room for each in ways], axis=1)
    found = np.empty(room.shape)
    here = measure(joints)[:, None]
    whole = joints.true if joints.matrix is None else joints.matrix
    length = max(1, _MOST_NUMBERS // whole.size)
    for start in range(0, directions.shape[1], length):
        chunk = slice(start, start + length)
        steps = _STEP * room[:, chunk]
        ahead = measure(_moved(joints, directions[:, chunk], steps[:, None])).reshape(steps.shape)
        found[:, chunk] = (ahead - here) / steps
    return np.split(found, np.cumsum([each.room.shape[1] for each in ways])[:-1], axis=1)


def _moved(joints: Joint, directions: Codes, steps: Floats) -> Joint:
    """Return B x S x R distributions, each a step further in its direction; steps are (B, S, R)."""
    assert joints.predicted is not None

    def grown(base: Floats, index: Codes) -> Floats:
        flat = base.reshape(len(base), 1, 1, -1)
        moved = np.broadcast_to(flat, (*steps.shape, flat.shape[-1])).copy()
        moves = np.flatnonzero(index >= 0)
        moved[:, :, moves, index[moves]] += steps[:, :, moves]
        return moved.reshape(steps.size, *base.shape[1:])

    row, right, column = directions
    margins = Joint(grown(joints.true, row), grown(joints.correct, right), grown(joints.predicted, column))
    if joints.matrix is None:
        return margins
    matrix = grown(joints.matrix, row * joints.true.shape[-1] + column)
    return replace(margins, matrix=matrix / (1 + steps.reshape(-1, 1, 1)))  # functions of users may want a sum of 1


@dataclass(frozen=True, kw_only=True)
class DecisionRates:
    """How probable each decision is; they add up to 1.

    Attributes
    ----------
    much_worse
        ≪: the gate fails.
    worse, equivalent, better, much_better
        <, ≈, > and ≫.
    undecided
        ?: more examples are needed.
    """

    much_worse: float
    worse: float
    equivalent: float
    better: float
    much_better: float
    undecided: float


@dataclass(frozen=True)
class NormalPower:
    """The decisions that a normal posterior leads to.

    Attributes
    ----------
    rope, prob
        What decides.
    delta
        The true difference.
    scatter
        Standard deviation of the estimate, times the root of the number of examples.
    width
        That of the posterior.
    """

    rope: Rope
    prob: float
    delta: float
    scatter: float
    width: float

    @cached_property
    def _reach(self) -> float:
        """Half of the HDI, in standard deviations of the posterior."""
        return float(ndtri(0.5 + self.prob / 2))

    def rates(self, n_examples: int) -> DecisionRates:
        """Tell how probable each decision is.

        Examples
        --------
        >>> edge = NormalPower(Rope(-0.01, 0.01), 0.95, delta=-0.01, scatter=0.3, width=0.3)
        >>> round(edge.rates(100_000).much_worse, 3)
        0.025
        """
        low, high = self.rope.low, self.rope.high
        half, leaning = (each * self.width / sqrt(n_examples) for each in (self._reach, float(ndtri(LEANING))))
        inside = (low + half, high - half)  # of the estimate, where the whole HDI lies inside the ROPE
        ends = (low - half, low - min(leaning, half), high + min(leaning, half), high + half)
        much_worse, below, not_above, not_much_better = self._below(n_examples, *ends)
        equivalent = 0.0
        if inside[0] < inside[1]:
            at_low, at_high = self._below(n_examples, *inside)
            equivalent = at_high - at_low
        return DecisionRates(
            much_worse=much_worse,
            worse=below - much_worse,
            equivalent=equivalent,
            better=not_much_better - not_above,
            much_better=1 - not_much_better,
            undecided=max(not_above - below - equivalent, 0.0),
        )

    def _below(self, n_examples: int, *estimates: float) -> tuple[float, ...]:
        """Return the probabilities that the estimate falls below each."""
        if self.scatter == 0:
            return tuple(float(self.delta < estimate) for estimate in estimates)
        return tuple(float(ndtr((estimate - self.delta) * sqrt(n_examples) / self.scatter)) for estimate in estimates)

    def examples_to_fail(self, power: float) -> int | None:
        """Return the smallest test set on which the candidate fails (≪) with a given probability.

        Examples
        --------
        >>> NormalPower(Rope(-0.01, 0.01), 0.95, delta=-0.03, scatter=0.3, width=0.3).examples_to_fail(0.8)
        1766
        """
        room = self.rope.low - self.delta
        if room <= 0:
            return None
        root = (self._reach * self.width + self.scatter * float(ndtri(power))) / room
        return max(ceil(max(root, 0.0) ** 2), 1)


MOST = 32.0
"""Roots are looked for within this distance of 0: of log odds far enough, as all is wrong by then, or all right."""
CLOSE = 1e-7
"""How far from 0 the function may be at its root, unless more is allowed."""


def find_root(function: Callable[[float], float], at_0: float, guess: float, close: float = CLOSE) -> float | None:
    """Find the root of a falling function within `MOST` of 0; None where it has none.

    By the method of Anderson and Bjorck: regula falsi that shrinks the value at the end that stays.
    """
    at, value, step = 0.0, at_0, min(max(abs(guess), CLOSE), MOST)
    beyond = copysign(step, value)
    value_beyond = function(beyond)
    while value * value_beyond > 0 and abs(value_beyond) > close:
        if abs(beyond) >= MOST:
            return None
        at, value, beyond = beyond, value_beyond, copysign(min(2 * abs(beyond), MOST), beyond)
        value_beyond = function(beyond)
    while abs(value_beyond) > close and at != beyond:
        tried = beyond - value_beyond * (beyond - at) / (value_beyond - value)
        found = function(tried)
        if found * value_beyond <= 0:
            at, value = beyond, value_beyond
        else:
            value *= max(1 - found / value_beyond, 0.0) or 0.5
        beyond, value_beyond = tried, found
    return beyond


_EQUAL = 1e-3
"""How much scores may differ where they count as equal."""
_TRACE = 1e-6
"""Examples of an outcome that is to be possible."""


@dataclass(frozen=True, eq=False)
class Alternative:
    """A population, as the counts that are to be expected of a test set as large as the one that was seen.

    Attributes
    ----------
    experiment
        Two sides. Its counts are real numbers; examples are drawn one by one.
    baseline, candidate
        Its sides.
    weights
        (M,) by table what an example of each class weighs in the counts, where these have the class shares that scores
        are about; None where they have those of the test set.
    losing
        (M,) the classes in which another candidate may lose more; None for all.
    """

    experiment: Experiment
    baseline: "ScoredSide"
    candidate: "ScoredSide"
    weights: tuple[Floats, ...] | None = None
    losing: Bools | None = None

    @classmethod
    def seen(cls, experiment: Experiment, measure: Measure) -> "Alternative":
        """Take what was seen for the population; every class has a pseudo-observation among its own.

        That one is mistaken as often as the examples of all classes are, so that no class is beyond error.
        """
        tables = tuple(_with_pseudo_observations(replace(table, clusters=None)) for table in experiment.known)
        weights, shares = None, experiment.class_shares
        if shares is not None:
            weights = tuple(table.class_weights(shares) for table in tables)
            tables = tuple(table.at_shares(shares) for table in tables)
        return cls.of(Experiment(experiment.model, tables), measure, weights)

    @classmethod
    def of(cls, experiment: Experiment, measure: Measure, weights: tuple[Floats, ...] | None = None) -> "Alternative":
        """Take counts for the population."""
        baseline, candidate = experiment.tables[0], experiment.tables[-1]
        return cls(experiment, ScoredSide.of(baseline, 0, measure), ScoredSide.of(candidate, -1, measure), weights)

    def of_rarest_class(self) -> "Alternative | None":
        """Return the population without a difference whose further losses are the rarest class's; None of one class."""
        equal = self.with_delta(0.0, _EQUAL) or self
        table = equal.experiment.tables[-1]
        totals = table.row_totals.reshape(table.class_shape)[..., -1] if table.multilabel else table.row_totals
        if np.count_nonzero(totals) < 2:
            return None
        rarest = int(np.where(totals > 0, totals, np.inf).argmin())
        return replace(equal, losing=np.arange(table.n_classes) * totals.size // table.n_classes == rarest)

    @property
    def delta(self) -> float:
        """The true difference: the candidate's score minus the baseline's."""
        return self.candidate.score - self.baseline.score

    @cached_property
    def variance(self) -> float:
        """Of the observed difference on such test sets: to first order, the scatter of the examples' influence on it.

        Where it is unknown which predictions pair up, the two sides are taken to err independently of one another.
        Class shares that are stated do not scatter.
        """
        tables, model = self.experiment.tables, self.experiment.model
        of_baseline, of_candidate = self.influences
        influences = (of_candidate - of_baseline,) if model == Model.PAIRED else (of_baseline, of_candidate)
        sides = list(zip(tables, influences, strict=True))
        if self.weights is not None:
            return sum(
                _scatter(table, each, table.true, weights) / table.n_samples**2
                for (table, each), weights in zip(sides, self.weights, strict=True)
            )
        if model != Model.SAME_SET:
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

    def with_delta(self, delta: float, close: float = CLOSE) -> "Alternative | None":
        """Return the population in which the scores differ by this; None where no such candidate's could."""
        outcomes, more = self._outcomes, self.delta - delta

        @cache
        def candidate_at(log_factor: float) -> tuple[Weights, ScoredSide]:
            count = outcomes.with_odds(log_factor)
            return count, self.candidate.counted(count)

        def remaining(log_factor: float) -> float:
            return candidate_at(log_factor)[1].score - self.candidate.score + more

        log_factor = find_root(remaining, more, outcomes.log_factor_of(more), close)
        if log_factor is None:
            return None
        count, candidate = candidate_at(log_factor)
        tables = (*self.experiment.tables[:-1], replace(outcomes.table, count=count))
        return replace(self, experiment=replace(self.experiment, tables=tables), candidate=candidate)

    @cached_property
    def _outcomes(self) -> "_Outcomes":
        """What the candidate's may become."""
        return _Outcomes.of(self.experiment.tables[-1], self.losing)


@dataclass(frozen=True, eq=False)
class ScoredSide:
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
    def of(cls, table: OutcomeTable, index: int, measure: Measure) -> "ScoredSide":
        """Take one side of a table alone."""
        predicted = table.predicted[index]
        seen = (table.true % 2 == 1) | (predicted % 2 == 1) | (not table.spans)
        keys, found = np.unique((table.true * table.n_classes + predicted)[seen], return_inverse=True)
        cells = np.full(seen.size, keys.size)
        cells[seen] = found
        true, said = np.divmod(keys, table.n_classes)
        alone = replace(table, true=true, predicted=said[None], count=np.zeros(keys.size))
        return cls(alone, cells, measure).counted(table.count)

    def counted(self, count: Weights) -> "ScoredSide":
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
        Whether it is known how many such examples there are: spans that are rightly not predicted have no count.
    wrong : (K,)
        Whether the candidate is.
    baseline_wrong : (K,)
        Whether the baseline is known to be.
    losing : (K,)
        Whether what the baseline gets right may be lost.
    """

    table: OutcomeTable
    given: Codes
    fixed: Bools
    wrong: Bools
    baseline_wrong: Bools
    losing: Bools

    @classmethod
    def of(cls, table: OutcomeTable, losing: Bools | None = None) -> "_Outcomes":
        *baseline, candidate = table.predicted
        key, absent, baseline_wrong = table.true, table.true % 2 == 0, np.zeros(table.true.size, dtype=bool)
        for said in baseline:
            key, absent, baseline_wrong = key * table.n_classes + said, absent & (said % 2 == 0), said != table.true
        _, given = np.unique(key, return_inverse=True)
        may_lose = np.ones(given.size, dtype=bool) if losing is None else losing[table.true]
        return cls(table, given, ~(absent & table.spans), candidate != table.true, baseline_wrong, may_lose)

    def with_odds(self, log_factor: float) -> Weights:
        """Return the counts when the odds of losing what the baseline gets right are multiplied."""
        before, factor, (lost, won, rest) = self.table.count, np.exp(log_factor * self.losing), self._kinds
        after = lost * before * factor / (1 + self.fixed * self._shares[0] * (factor - 1))
        after[won] = before[won]
        if log_factor < 0 and won.any():  # a gain is paid half by what is no longer lost, for that may not suffice
            left = 1 + (before[lost].sum() - after[lost].sum()) / before[won].sum()
            after[won] = before[won] * np.minimum(left, 1 / self._shares[1][won])
        room = self._totals - np.bincount(self.given, after)
        was = np.bincount(self.given, before * rest)
        times = np.divide(room, was, out=np.ones_like(room), where=was > 0)[self.given]
        after[rest] = (before * np.where(self.fixed, times, 1.0).clip(min=0))[rest]
        return np.asarray(after)

    def log_factor_of(self, loss: float) -> float:
        """Guess the log of that factor from how much the score is to fall: it is right about accuracy."""
        before, (lost, _, _) = self.table.count, self._kinds
        right = before[~self.baseline_wrong & self.losing].sum()
        share, more = before[lost & self.losing].sum() / right, loss * before.sum() / right
        share_lost = share + (more if more > 0 else more / 2)
        return _logit(share_lost) - _logit(share)

    @cached_property
    def _kinds(self) -> tuple[Bools, ...]:
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


def _with_pseudo_observations(table: OutcomeTable) -> OutcomeTable:
    """Put a pseudo-observation of every class beside its own, and leave the class as frequent as it is."""
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


def _scatter(table: OutcomeTable, values: Floats, groups: Codes | None, weights: Floats | None = None) -> float:
    """Return the sum of squares about the mean of each group; about 0 without groups: there is no total to keep.

    Where an example of each class weighs so much in the counts, there are fewer by that, and each moves more.
    """
    about = 0.0 if groups is None else _means(table, values, groups)[groups]
    count = table.count if weights is None else table.count * weights[table.true]
    return float(count @ np.square(values - about))


def _means(table: OutcomeTable, values: Floats, groups: Codes) -> Floats:
    totals = np.bincount(groups, table.count, table.n_classes)
    return np.bincount(groups, table.count * values, table.n_classes) / np.where(totals > 0, totals, 1.0)


def _logit(share: float) -> float:
    return log(max(share, CLOSE) / max(1 - share, CLOSE))


_NEAR = 0.15  # relative, of a loss: so near to one at which the spread is known, it is known well
_CLOSE = 0.01  # relative, of a loss: so close to another that the spread is the same
_EVEN = 1e-4  # relative, of a loss that is solved for
_MOST_ROUNDS, _MOST_STEPS = 6, 50

Spread = Callable[[float], float | None]
"""The standard deviation of delta's posterior as a function of the true loss; None where no candidate loses as much."""


def detectable_losses_of(
    posterior: DeltaFigures, rope: Rope, seen: Alternative | None, most: float, clusters: ClusterFigures | None = None
) -> DetectableLosses:
    """Return the losses that a gate detects with 80% and with 50% power; None where they exceed the most possible."""
    design_effect = 1.0 if clusters is None else clusters.design_effect
    likely, even, known = _solutions(posterior, rope, spread_of(posterior, seen, design_effect))
    start, one_class = None if seen is None else seen.of_rarest_class(), None
    if start is not None:
        spread = spread_of(posterior, seen, design_effect, start)
        if (sd := spread(likely)) is not None:
            one_class, _, _ = _solutions(posterior, rope, spread, replace(known, loss=likely, sd=sd), likely)
            one_class = None if spread(one_class) is None else one_class
    return DetectableLosses(
        *(loss if loss is not None and loss <= most else None for loss in (likely, even, one_class))
    )


def detectable_losses(posterior: DeltaFigures, rope: Rope, spread: Spread) -> tuple[float, float]:
    """Return the smallest true losses that a gate is likely to fail, on test sets like the one that was seen.

    Examples
    --------
    >>> import numpy as np
    >>> from pytest_bayesf1.stats.posterior import Draws
    >>> from pytest_bayesf1.stats.posterior import summarise_delta
    >>> draws = Draws(np.random.default_rng(0).normal(0, 0.01, 100_000))
    >>> posterior = summarise_delta(draws, Rope(-0.01, 0.01), 0.95)
    >>> likely, even = detectable_losses(posterior, Rope(-0.01, 0.01), lambda loss: 0.01)
    >>> round(likely, 3), round(even, 3)
    (0.038, 0.03)
    """
    likely, even, _ = _solutions(posterior, rope, spread)
    return likely, even


def _solutions(
    posterior: DeltaFigures, rope: Rope, spread: Spread, known: "_Line | None" = None, near: float = 0.0
) -> tuple[float, float, "_Line"]:
    """Return both losses, and what is then known of the spread, which is that at ``near`` or what was seen at first."""
    upper_half = (posterior.hdi[1] - posterior.mean) / posterior.std if posterior.std else 0.0
    known = known or _Line(-posterior.mean, posterior.std)
    for _ in range(_MOST_ROUNDS):
        even, likely = (_solved(-rope.low, upper_half + each, known) for each in (0.0, float(ndtri(POWER))))
        if abs(likely - near) <= _NEAR * likely or (sd := spread(likely)) is None:
            break
        near, known = likely, known.through(likely, sd)
    return likely, even, known


@dataclass(frozen=True)
class _Line:
    """Standard deviations whose squares lie on a straight line, which those of shares nearly do.

    Attributes
    ----------
    loss, sd
        A point.
    slope
        How much the variance grows per unit of loss.
    """

    loss: float
    sd: float
    slope: float = 0.0

    def __call__(self, loss: float) -> float:
        """Return the standard deviation at a loss."""
        return sqrt(max(self.sd**2 + self.slope * (loss - self.loss), 0.0))

    def through(self, loss: float, sd: float) -> "_Line":
        """Return the line that goes through its point and another; two so near that noise would turn it are one."""
        distance = loss - self.loss
        if abs(distance) <= _NEAR * abs(loss):
            return replace(self, loss=loss, sd=sd)
        return replace(self, slope=(sd**2 - self.sd**2) / distance)


def spread_of(
    posterior: DeltaFigures, seen: Alternative | None, design_effect: float = 1.0, start: Alternative | None = None
) -> Spread:
    """Return how wide delta's posterior is by the true loss, which a candidate has that starts from what was seen."""

    def spread(loss: float) -> float | None:
        if seen is None:
            return posterior.std
        alternative = (start or seen).with_delta(-loss, max(_CLOSE * loss, CLOSE))
        if alternative is None:
            return None
        more = design_effect * (alternative.variance - seen.variance)
        return sqrt(max(posterior.std**2 + more, 0.0))

    return spread


def _solved(least: float, deviations: float, spread: _Line) -> float:
    """Solve loss = least + deviations * spread(loss)."""
    loss = least
    for _ in range(_MOST_STEPS):
        before, loss = loss, least + deviations * spread(loss)
        if abs(loss - before) <= _EVEN * loss:
            break
    return loss
