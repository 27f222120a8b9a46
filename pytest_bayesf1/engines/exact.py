"""Exact sampling: the shared parameters from their collapsed posterior, everything else conjugate given those.

Draws come in blocks, each with a random generator of its own, so that memory is bounded and the draws depend on the
seed alone, not on the number of threads that draw them. They are independent, but for a negligible correlation within
a block (`prior_jumps`).
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import EngineName, Model
from pytest_bayesf1.counts.experiment import Experiment
from pytest_bayesf1.engines.cells.table_draws import table_draws
from pytest_bayesf1.engines.posteriors.group_mass import group_mass
from pytest_bayesf1.engines.posteriors.training_spread import TrainingSpread
from pytest_bayesf1.engines.protocol import Seed
from pytest_bayesf1.measures.joint import Joint
from pytest_bayesf1.measures.measures import Scoring
from pytest_bayesf1.priors.priors import Prior
from pytest_bayesf1.results.figures import Convergence

_NUMBERS_PER_BLOCK = 1 << 22  # about 32 MB in all arrays
_LARGEST_BLOCK = 2_500  # an even share of the first draws for every thread
_MOST_THREADS = 4  # each holds a block


@cache
def _keep_freed_blocks() -> None:
    """Let the process keep what it frees: else every large array comes from the system anew, to be cleared by pages.

    glibc's malloc raises the size up to which it does so to that of the largest block freed so far.
    """
    np.empty((1 << 25) - (1 << 13), np.uint8)


@dataclass(frozen=True)
class ExactEngine:
    """The default engine: independent draws from the exact posterior, as many as are asked for."""

    name: ClassVar[str] = EngineName.EXACT
    first_draws: ClassVar[int] = 20_000
    most_draws: ClassVar[int] = 1_000_000

    def sampler(self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> "ExactSampler":
        """Start a stream of independent draws."""
        return ExactSampler(experiment, prior, scoring, seed)


class ExactSampler:
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
        _keep_freed_blocks()
        self._scoring = scoring
        self._proportions = _Proportions(experiment, prior)
        self._recipes = [TrainingSpread.of(tables, scoring) for tables in experiment.trainings]
        self._tables = [
            table_draws(table, group_mass(table, prior), scoring.detail, one_dirichlet=self._proportions.implied)
            for table in experiment.known
        ]
        numbers = sum(table.numbers_per_draw for table in self._tables)
        self._block = _LARGEST_BLOCK
        while self._block * numbers > _NUMBERS_PER_BLOCK and self._block > 1:  # halved: the shares stay even
            self._block //= 2
        self._seeds = np.random.SeedSequence(seed)
        self._left: list[Floats] = []

    def draw(self, n: int) -> Floats:
        """Return the next n draws of every side's score: (sides, n), or (sides, n, K) where K are scored at once."""
        missing = n - sum(piece.shape[1] for piece in self._left)
        blocks = self._seeds.spawn(max(-(-missing // self._block), 0))
        scores = np.concatenate([*self._left, *self._in_order(blocks)], axis=1)
        self._left = [scores[:, n:].copy()]
        return scores[:, :n]

    def convergence(self, values: Floats) -> Convergence:
        """Count the draws: they are independent, so that all of them are effective."""
        return Convergence(ess=float(values.size))

    def _in_order(self, blocks: list[np.random.SeedSequence]) -> Iterator[Floats]:
        """Draw every block; numpy leaves the other threads free to run."""
        workers = min(available_threads(), len(blocks))
        if workers < 2 or not self._scoring.concurrent:
            yield from map(self._scores, blocks)
            return
        with ThreadPoolExecutor(workers) as pool:
            yield from pool.map(self._scores, blocks)

    def _scores(self, seed: np.random.SeedSequence) -> Floats:
        rng = np.random.Generator(np.random.SFC64(seed))
        scores = np.stack([self._scoring(joint) for joint in self._joints(rng)])
        for index, recipe in enumerate(self._recipes):
            if recipe is not None:
                scores[index] += recipe.draw(self._block, rng)
        return scores

    def _joints(self, rng: np.random.Generator) -> Iterator[Joint]:
        for table, mass in zip(self._tables, self._proportions.draw(self._block, rng), strict=True):
            yield from table.draw(self._block, rng, mass)


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


def available_threads() -> int:
    """Count the processors that this process may use, up to as many as are worth while."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, _MOST_THREADS)
