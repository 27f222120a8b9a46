"""Exact sampling: the shared parameters from their collapsed posterior, everything else conjugate given those.

Draws come in `blocks`; they are independent.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.blocks import Block, BlockSampler
from pytest_bayesf1.engines.cells.gammas import gamma_rows
from pytest_bayesf1.engines.cells.table_draws import table_draws
from pytest_bayesf1.engines.posteriors.group_mass import group_mass
from pytest_bayesf1.engines.posteriors.training_spread import Scorer
from pytest_bayesf1.engines.protocol import Glimpse, Seed
from pytest_bayesf1.measures.classification import Joint, Scoring
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.settings import EngineName, Model


@dataclass(frozen=True)
class ExactEngine:
    """The default engine: independent draws from the exact posterior, as many as are asked for."""

    name: ClassVar[str] = EngineName.EXACT
    first_draws: ClassVar[int] = 20_000
    most_draws: ClassVar[int] = 100_000

    def sampler(
        self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed, glimpse: Glimpse | None = None
    ) -> "ExactSampler":
        """Start a stream of independent draws."""
        return ExactSampler(experiment, prior, scoring, seed, glimpse)


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
    glimpse
        Another scoring of the first draws.
    """

    def __init__(
        self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed, glimpse: Glimpse | None = None
    ) -> None:
        self._scorer = Scorer(scoring, experiment.trainings)
        self._glimpse = None if glimpse is None else Scorer(glimpse.scoring, experiment.trainings)
        self._n_glimpsed = 0 if glimpse is None else glimpse.n_draws
        self._glimpsed: dict[int, Floats] = {}
        self._proportions = _Proportions(experiment, prior)
        self._tables = [
            table_draws(table, group_mass(table, prior), scoring.detail, one_dirichlet=self._proportions.implied)
            for table in experiment.known
        ]
        numbers = sum(table.numbers_per_draw for table in self._tables)
        super().__init__(numbers, seed, concurrent=scoring.concurrent)

    @property
    def glimpsed(self) -> Floats | None:
        """(sides, n, K) the first draws by the other scoring, once they are made; None where there is no other."""
        if not self._glimpsed:
            return None
        return np.concatenate([scores for _, scores in sorted(self._glimpsed.items())], axis=1)

    def _scores(self, block: Block) -> Floats:
        joints, left = self._joints(block.n, block.rng), self._n_glimpsed - block.before
        if self._glimpse is None or left <= 0:
            return self._scorer.scores(joints, block.rng)
        kept = list(joints)
        scores = self._scorer.scores(kept, block.rng)
        self._glimpsed[block.before] = self._glimpse.scores([joint.first(left) for joint in kept], block.rng)
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


def _gammas(shapes: Floats, n: int, rng: np.random.Generator) -> Floats:
    return np.ascontiguousarray(gamma_rows(shapes, n, rng).T)
