"""Exact sampling: the shared parameters from their collapsed posterior, everything else conjugate given those.

Draws come in `blocks`; they are independent.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import EngineName, Model
from pytest_bayesf1.counts.experiment import Experiment
from pytest_bayesf1.engines.blocks import BlockSampler
from pytest_bayesf1.engines.cells.table_draws import table_draws
from pytest_bayesf1.engines.posteriors.group_mass import group_mass
from pytest_bayesf1.engines.posteriors.training_spread import TrainingSpread
from pytest_bayesf1.engines.protocol import Seed
from pytest_bayesf1.measures.joint import Joint
from pytest_bayesf1.measures.measures import Scoring
from pytest_bayesf1.priors.priors import Prior


@dataclass(frozen=True)
class ExactEngine:
    """The default engine: independent draws from the exact posterior, as many as are asked for."""

    name: ClassVar[str] = EngineName.EXACT
    first_draws: ClassVar[int] = 20_000
    most_draws: ClassVar[int] = 100_000

    def sampler(self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> "ExactSampler":
        """Start a stream of independent draws."""
        return ExactSampler(experiment, prior, scoring, seed)


class ExactSampler(BlockSampler):
    """Draws from the exact posterior.

    Parameters
    ----------
    experiment, prior
        What was counted, and the prior on it.
    scoring
        What of each draw is kept.
    seed
        Draws of one seed are the same whatever the number of threads.
    """

    def __init__(self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> None:
        self._scoring = scoring
        self._proportions = _Proportions(experiment, prior)
        self._recipes = [TrainingSpread.of(tables, scoring) for tables in experiment.trainings]
        self._tables = [
            table_draws(table, group_mass(table, prior), scoring.detail, one_dirichlet=self._proportions.implied)
            for table in experiment.known
        ]
        numbers = sum(table.numbers_per_draw for table in self._tables)
        super().__init__(numbers, seed, concurrent=scoring.concurrent)

    def _scores(self, n: int, rng: np.random.Generator) -> Floats:
        scores = np.stack([self._scoring(joint) for joint in self._joints(n, rng)])
        for index, recipe in enumerate(self._recipes):
            if recipe is not None:
                scores[index] += recipe.draw(n, rng)
        return scores

    def _joints(self, n: int, rng: np.random.Generator) -> Iterator[Joint]:
        for table, mass in zip(self._tables, self._proportions.draw(n, rng), strict=True):
            yield from table.draw(n, rng, mass)


class _Proportions:
    """Unnormalised class proportions mu for each table, or None where drawing a table's cells settles them already."""

    def __init__(self, experiment: Experiment, prior: Prior) -> None:
        self._shared = experiment.model == Model.SAME_SET
        self._shapes = [table.row_totals + prior.class_weights(table) for table in experiment.known]
        self.implied = prior.makes_joint_dirichlet(experiment.tables[0]) and not self._shared

    def draw(self, n: int, rng: np.random.Generator) -> list[Floats | None]:
        """Masses of shape (n, M), one per table."""
        if self._shared:
            return [_gammas(self._shapes[0], n, rng)] * len(self._shapes)
        return [None if self.implied else _gammas(shape, n, rng) for shape in self._shapes]


def _gammas(shape: Floats, n: int, rng: np.random.Generator) -> Floats:
    return rng.standard_gamma(shape, size=(n, shape.size))
