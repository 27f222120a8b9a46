"""Weights per example for scores: the Bayesian bootstrap.

The posterior is that of a Dirichlet process on the population of clusters (Ferguson 1973). The data's part is Rubin's
(1981) Bayesian bootstrap: a cluster has a weight W ~ Gamma(1), which all its examples share, and both sides too where
they were given the same examples. A measure is computed from these weights as from any ``sample_weight``; for the area
under the ROC curve this is the posterior of Gu, Ghosal and Roy (2008).

The prior's part keeps a perfect ranking of thirty examples from being a certainty, and two sides that score every
example alike from being alike for ever. It is pseudo-observations, clusters of their own.

If a measure ranks, every class has four, Gamma(1/4) each, which together weigh as much as one example. Any two sides
have one for each pair of ends: ranked as well as the best of the class by either side, or as badly as the worst. It
costs no more than a real one does: the scores of any example would make the range of an area of .99 three times as wide
as DeLong's (`benchmarks/studies/scores.md`). Where neither side makes an error, the worst is ranked as by chance.

Grades, numbers of examples that have no class, are on a scale, and no number of equal grades excludes that others fall
to its end. So any two sides have four pseudo-observations here too, one for each pair of ends, Gamma(1) each: of grades
of 0 and 1 this is the Dirichlet posterior of the four outcomes of a pair. A side alone has two, both at one end or both
at the other, with even odds: else one wrong answer would be below a floor of 0.8. Among clusters a pseudo-observation
weighs as much as a cluster (`benchmarks/studies/few_graded.md`).

Losses by class have no such scale. A pseudo-observation, `PSEUDO_PER_CLASS` of every class, Gamma(1 / PSEUDO_PER_CLASS)
each, has the number of a real one, of whatever class, so that the mean stays where it is. With probability 1/2 any two
sides are given the same real example, else each one of its own.

Where scores are about a population with other class proportions, the weights of every class are multiplied so that they
add up to its proportion: within a class they stay as they were drawn.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.outcomes import ClusterContents, ScoreExperiment, ScoreTable
from pytest_bayesf1.engines.data_draws import ClusterWeights, selector
from pytest_bayesf1.engines.protocol import BlockSampler, Seed
from pytest_bayesf1.measures.formulas import ratio
from pytest_bayesf1.measures.ranking import ScoreMeasure, Weighting
from pytest_bayesf1.stats.clusters import placements, shares_below

PSEUDO_PER_CLASS = 4
"""Pseudo-observations of each class; more would come closer to a Dirichlet process, whose variance is 4/5 of theirs."""

_NUMBERS_PER_OUTCOME = 4  # weights, their sums by step and by class, and cumulative ones


class ScoreSampler(BlockSampler):
    """Draws of every side's score."""

    def __init__(self, experiment: ScoreExperiment, measures: Sequence[ScoreMeasure], seed: Seed) -> None:
        scale = _scale(experiment.tables)
        self._tables = [_TableDraws(table, measures, scale) for table in experiment.tables]
        self._population = experiment.population
        super().__init__(sum(table.numbers_per_draw for table in self._tables), seed)

    def _scores(self, n: int, rng: np.random.Generator) -> Floats:
        if self._population is None:
            return np.concatenate([table.scores(table.draw(n, rng)) for table in self._tables])
        drawn = [table.draw(n, rng) for table in self._tables]
        masses = [table.class_masses(weights) for table, weights in zip(self._tables, drawn, strict=True)]
        shares = self._population.given(masses)
        parts = zip(self._tables, drawn, masses, strict=True)
        return np.concatenate(
            [table.scores(table.reweighted(weights, ratio(shares, mass))) for table, weights, mass in parts]
        )


class _Weights(NamedTuple):
    """The weights of n draws from one table.

    Attributes
    ----------
    outcomes : (K, n)
        Of all examples with an outcome.
    pseudo : (J, n)
        Of the pseudo-observations.
    given
        What each side gives them, (J, n) outcomes each.
    """

    outcomes: Floats
    pseudo: Floats
    given: list[Codes]


class _TableDraws:
    """Draws from one table of scores."""

    def __init__(self, table: ScoreTable, measures: Sequence[ScoreMeasure], scale: tuple[float, float]) -> None:
        clusters = table.clusters or ClusterContents.of_one_example(table.count)
        influences = _influences(table) @ clusters.cells
        self._clusters = ClusterWeights.of_influences(influences, clusters.sizes, clusters.n_clusters)
        self._contents = clusters.cells[:, self._clusters.order].tocsr().astype(np.float32)
        n_outcomes, self._cumulative = table.count.size, np.cumsum(table.count)
        self._class, self._is_one_graded = table.true, table.are_grades and table.n_sides == 1
        self._by_class = selector(table.true, np.arange(n_outcomes), table.n_classes, n_outcomes)
        self._true = np.repeat(np.flatnonzero(table.row_totals), PSEUDO_PER_CLASS)
        self._shape, self._weight, self._ends = 1 / PSEUDO_PER_CLASS, 1.0, None
        n_pairs = 2**table.n_sides
        is_high = np.array([[1, 0]] if table.n_sides == 1 else [[1, 0, 1, 0], [1, 1, 0, 0]])
        scored = table
        if table.are_grades:
            scored = table.with_ends(*scale)
            self._true = np.zeros(n_pairs, dtype=np.int64)
            self._shape, self._weight = 1.0, table.n_samples / clusters.n_equal
            self._ends = n_outcomes + is_high
        elif not measures[0].is_mean:
            occurring = np.flatnonzero(table.row_totals)
            self._true, self._shape = np.repeat(occurring, n_pairs), 1 / n_pairs
            low, high = _ends_of_classes(table)[:, :, self._true]
            self._ends = np.where(np.tile(is_high, occurring.size), high, low)
        apart = [None] * table.n_sides if self._ends is None else self._ends
        self._scorers = [
            [measure.scorer(scored, side, apart[side]) for measure in measures] for side in range(table.n_sides)
        ]
        self.numbers_per_draw = clusters.n_clusters.size + _NUMBERS_PER_OUTCOME * table.count.size

    def draw(self, n: int, rng: np.random.Generator) -> _Weights:
        """Draw n times what the examples weigh, and what the pseudo-observations are."""
        # the weights of the examples with each outcome are those of the clusters that hold them
        outcomes = self._contents @ self._clusters.draw(n, rng, np.float32)
        pseudo = self._weight * rng.standard_gamma(self._shape, (self._true.size, n))
        return _Weights(outcomes, pseudo, self._given(n, rng))

    def class_masses(self, weights: _Weights) -> Floats:
        """Add up the weights in every class: (n, M)."""
        masses = self._by_class @ weights.outcomes
        np.add.at(masses, self._true, weights.pseudo)
        return np.ascontiguousarray(masses.T)

    def reweighted(self, weights: _Weights, factor: Floats) -> _Weights:
        """Multiply the weights in every class by a factor, (n, M)."""
        by_class = np.ascontiguousarray(factor.T)
        outcomes, pseudo = weights.outcomes * by_class[self._class], weights.pseudo * by_class[self._true]
        return _Weights(outcomes, pseudo, weights.given)

    def scores(self, weights: _Weights) -> Floats:
        """Score every side as often: (sides, n, measures)."""
        drawn = []
        for scorers, given in zip(self._scorers, weights.given, strict=True):
            weighting = Weighting(weights.outcomes, given, self._true, weights.pseudo)
            drawn.append(np.stack([scorer(weighting) for scorer in scorers], axis=-1))
        return np.stack(drawn)

    def _given(self, n: int, rng: np.random.Generator) -> list[Codes]:
        """Choose what a side gives each pseudo-observation, (J, n) outcomes each: an end, or a real one.

        Of real ones the second side takes that of the first with probability 1/2.
        """
        if self._ends is not None:
            ends = self._ends[:, :, None]
            if self._is_one_graded:
                ends = ends.min() + rng.integers(2, size=(1, 1, n))
            return [np.broadcast_to(each, (self._true.size, n)) for each in ends]
        given = [self._some_examples(n, rng)]
        if len(self._scorers) > 1:
            is_shared = rng.random(given[0].shape) < 1 / 2
            given.append(np.where(is_shared, given[0], self._some_examples(n, rng)))
        return given

    def _some_examples(self, n: int, rng: np.random.Generator) -> Codes:
        """Choose a real example for each pseudo-observation: (J, n) outcomes."""
        chosen = rng.integers(self._cumulative[-1], size=(self._true.size, n))
        return np.searchsorted(self._cumulative, chosen, side="right")


_BY_CHANCE = 0.5
"""The share of the other classes' examples that lie below one of a class, if nothing ranks it."""


def _ends_of_classes(table: ScoreTable) -> Codes:
    """Return the outcomes that every side ranks as badly, and as well, as any side does any of a class: (2, S, M)."""
    ends = np.zeros((2, table.n_sides, table.n_classes), dtype=np.int64)
    for code in np.flatnonzero(table.row_totals).tolist():
        shares = np.stack([shares_below(table, side, code) for side in range(table.n_sides)])
        own = shares[:, table.true == code]
        low = float(own.min()) if own.min() < 1 else _BY_CHANCE
        for end, share in enumerate((low, own.max())):
            ends[end, :, code] = np.abs(shares - share).argmin(axis=1)
    return ends


def _scale(tables: Sequence[ScoreTable]) -> tuple[float, float]:
    """Return the ends of a scale of grades: 0 and 1, or beyond where grades are; of negative ones their own and 0."""
    low = min(0.0, *(float(table.scores.min()) for table in tables))
    return low, max(0.0 if low < 0 else 1.0, *(float(table.scores.max()) for table in tables))


def _influences(table: ScoreTable) -> Floats:
    """Take from how rightly examples are ranked, or from their values, how far each outcome moves every side."""
    ranked = np.stack([placements(table, side) for side in range(table.n_sides)])
    gained = ranked if table.n_sides == 1 else ranked - ranked.mean(axis=0)
    totals = table.row_totals
    return np.stack([_about_class_means(each, table) / totals[table.true] for each in gained])


def _about_class_means(values: Floats, table: ScoreTable) -> Floats:
    means = np.bincount(table.true, table.count * values, table.n_classes) / table.row_totals.clip(min=1)
    return np.asarray(values - means[table.true])
