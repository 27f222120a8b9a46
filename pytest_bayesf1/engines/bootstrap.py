"""Weights per example for scores: the Bayesian bootstrap.

The posterior is that of a Dirichlet process on the population of clusters (Ferguson 1973). The data's part is Rubin's
(1981) Bayesian bootstrap: a cluster has a weight W ~ Gamma(1), which all its examples share, and both sides too where
they were given the same examples. A measure is computed from these weights as from any ``sample_weight``; for the area
under the ROC curve this is the posterior of Gu, Ghosal and Roy (2008).

The prior's part keeps a perfect ranking of thirty examples from being a certainty, and two sides that score every
example alike from being alike for ever. Every class has `PSEUDO_PER_CLASS` more examples, clusters of their own, which
together weigh as much as one: Gamma(1 / PSEUDO_PER_CLASS) each, about a Dirichlet process of mass 1, which is also what
a row of counts has. What a pseudo-observation is given is what the side gave a real one, of whatever class. With
probability 1/2 any two sides are given the same real example, else each one of its own: even chances of agreeing, as
the hierarchical prior of paired counts has them. A measure that ranks is drawn towards chance thereby, by one example
in as many as the class has. Where it is the mean of a number that every example has, such as its loss, a
pseudo-observation has the number of the real one: the mean stays where it is.

Grades, numbers of examples that have no class, are on a scale, and no number of equal grades excludes that others fall
to its end. So any two sides have four pseudo-observations, one for each pair of ends, Gamma(1) each: of grades of 0 and
1 this is the Dirichlet posterior of the four outcomes of a pair. Several sides take the columns of a Hadamard matrix,
any two of which meet in all four pairs alike. A side alone has two, both at one end or both at the other, with even
odds: else one wrong answer would be below a floor of 0.8. Among clusters a pseudo-observation weighs as much as a
cluster (`benchmarks/studies/few_graded.md`).

Where scores are about a population with other class proportions, the weights of every class are multiplied so that they
add up to its proportion: within a class they stay as they were drawn.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.linalg import hadamard

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.outcomes import ClusterContents, ScoreExperiment, ScoreTable
from pytest_bayesf1.engines.data_draws import ClusterWeights, selector
from pytest_bayesf1.engines.protocol import Block, BlockSampler, Seed
from pytest_bayesf1.measures.formulas import ratio
from pytest_bayesf1.measures.ranking import ScoreMeasure, Weighting
from pytest_bayesf1.stats.clusters import placements

PSEUDO_PER_CLASS = 4
"""Pseudo-observations of each class; more would come closer to a Dirichlet process, whose variance is 4/5 of theirs."""

_NUMBERS_PER_OUTCOME = 6  # weights, the same in the order of scores, by class, and their sums


class ScoreSampler(BlockSampler):
    """Draws of every side's score."""

    def __init__(self, experiment: ScoreExperiment, measures: Sequence[ScoreMeasure], seed: Seed) -> None:
        scale = _scale(experiment.tables)
        self._tables = [_TableDraws(table, measures, scale) for table in experiment.tables]
        self._population = experiment.population
        super().__init__(sum(table.numbers_per_draw for table in self._tables), seed)

    def _scores(self, block: Block) -> Floats:
        if self._population is None:
            return np.concatenate([table.scores(table.draw(block.n, block.rng)) for table in self._tables])
        drawn = [table.draw(block.n, block.rng) for table in self._tables]
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
    outcomes : (n, K)
        Of all examples with an outcome.
    pseudo : (n, J)
        Of the pseudo-observations.
    given
        What each side gives them, (n, J) outcomes each.
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
        self._contents = clusters.cells[:, self._clusters.order].tocsr()
        scored = table.with_ends(*scale) if table.are_grades else table
        self._scorers = [[measure.scorer(scored, side) for measure in measures] for side in range(table.n_sides)]
        self._cumulative = np.cumsum(table.count)
        self._class, n_outcomes = table.true, table.count.size
        self._by_class = selector(table.true, np.arange(n_outcomes), table.n_classes, n_outcomes)
        self._true = np.repeat(np.flatnonzero(table.row_totals), PSEUDO_PER_CLASS)
        self._shape, self._weight, self._ends = 1 / PSEUDO_PER_CLASS, 1.0, None
        if table.are_grades:
            n_pseudo = 2 ** table.n_sides.bit_length()
            self._true = np.zeros(n_pseudo, dtype=np.int64)
            self._shape, self._weight = min(1.0, 4 / n_pseudo), table.n_samples / clusters.n_equal
            self._ends = n_outcomes + (hadamard(n_pseudo)[1 : table.n_sides + 1] > 0)
        self.numbers_per_draw = clusters.n_clusters.size + _NUMBERS_PER_OUTCOME * table.count.size

    def draw(self, n: int, rng: np.random.Generator) -> _Weights:
        """Draw n times what the examples weigh, and what the pseudo-observations are."""
        # the weights of the examples with each outcome are those of the clusters that hold them
        outcomes = np.ascontiguousarray((self._contents @ self._clusters.draw(n, rng)).T)
        pseudo = self._weight * rng.standard_gamma(self._shape, (n, self._true.size))
        return _Weights(outcomes, pseudo, self._given(n, rng))

    def class_masses(self, weights: _Weights) -> Floats:
        """Add up the weights in every class: (n, M)."""
        masses = self._by_class @ weights.outcomes.T
        np.add.at(masses, self._true, weights.pseudo.T)
        return np.ascontiguousarray(masses.T)

    def reweighted(self, weights: _Weights, factor: Floats) -> _Weights:
        """Multiply the weights in every class by a factor, (n, M)."""
        outcomes, pseudo = weights.outcomes * factor[:, self._class], weights.pseudo * factor[:, self._true]
        return _Weights(outcomes, pseudo, weights.given)

    def scores(self, weights: _Weights) -> Floats:
        """Score every side as often: (sides, n, measures)."""
        drawn = []
        for scorers, given in zip(self._scorers, weights.given, strict=True):
            weighting = Weighting(weights.outcomes, given, self._true, weights.pseudo)
            drawn.append(np.stack([scorer(weighting) for scorer in scorers], axis=-1))
        return np.stack(drawn)

    def _given(self, n: int, rng: np.random.Generator) -> list[Codes]:
        """Choose what a side gives each pseudo-observation, (n, J) outcomes each: a real one, or an end of the scale.

        A side takes that of one of the s sides before it with probability s / (s + 1), a Polya urn, by which any two
        have the same one with probability 1/2.
        """
        if self._ends is not None:
            ends = self._ends if len(self._ends) > 1 else [self._ends.min() + rng.integers(2, size=(n, 1))]
            return [np.broadcast_to(each, (n, self._true.size)) for each in ends]
        given = [self._some_examples(n, rng)]
        for side in range(1, len(self._scorers)):
            other = (rng.random(given[0].shape) * (side + 1)).astype(np.int64)
            urn = np.stack([*given, self._some_examples(n, rng)])
            given.append(np.take_along_axis(urn, other[None], axis=0)[0])
        return given

    def _some_examples(self, n: int, rng: np.random.Generator) -> Codes:
        """Choose a real example for each pseudo-observation: (n, J) outcomes."""
        chosen = rng.integers(self._cumulative[-1], size=(n, self._true.size))
        return np.searchsorted(self._cumulative, chosen, side="right")


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
