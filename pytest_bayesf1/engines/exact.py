"""Exact sampling: the shared parameters from their collapsed posterior, everything else conjugate given those.

Draws are independent. They come in blocks, each with a random generator of its own, so that memory is bounded and the
draws depend on the seed alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pytest_bayesf1.engines.group_mass import group_mass
from pytest_bayesf1.engines.protocol import Convergence, Seed
from pytest_bayesf1.engines.table_draws import table_draws
from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.joint import Joint
from pytest_bayesf1.stats.measures import Scoring
from pytest_bayesf1.stats.priors import Prior

_NUMBERS_PER_BLOCK = 1 << 20  # about 8 MB an array
_LARGEST_BLOCK = 4096


@dataclass(frozen=True)
class ExactEngine:
    """The default engine."""

    name: ClassVar[str] = "exact"
    first_draws: ClassVar[int] = 20_000
    most_draws: ClassVar[int] = 1_000_000

    def sampler(self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> "ExactSampler":
        """Start a stream of draws."""
        return ExactSampler(experiment, prior, scoring, seed)


class ExactSampler:
    """Independent draws from the exact posterior."""

    def __init__(self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> None:
        self._scoring, self._seed = scoring, seed
        self._tables = [table_draws(table, group_mass(table, prior), scoring.detail) for table in experiment.known]
        self._proportions = _Proportions(experiment, prior)
        numbers = sum(table.numbers_per_draw for table in self._tables)
        self._block = min(max(_NUMBERS_PER_BLOCK // numbers, 1), _LARGEST_BLOCK)
        self._stream = self._blocks()
        self._left: list[Floats] = []

    def draw(self, n: int) -> Floats:
        """Return the next n draws of every side's score: (sides, n), or (sides, n, K) where K are scored at once."""
        pieces, have = self._left, sum(piece.shape[1] for piece in self._left)
        while have < n:
            piece = next(self._stream)
            pieces.append(piece)
            have += piece.shape[1]
        scores = np.concatenate(pieces, axis=1)
        self._left = [scores[:, n:].copy()]
        return scores[:, :n]

    def convergence(self, values: Floats) -> Convergence:
        """Count the draws: they are independent."""
        return Convergence(ess=values.size)

    def _blocks(self) -> Iterator[Floats]:
        for seeds in _children(self._seed):
            rng = np.random.Generator(np.random.SFC64(seeds))
            yield np.stack([self._scoring(joint) for joint in self._joints(rng)])

    def _joints(self, rng: np.random.Generator) -> Iterator[Joint]:
        for table, mass in zip(self._tables, self._proportions.draw(self._block, rng), strict=True):
            yield from table.draw(self._block, rng, mass)


class _Proportions:
    """Unnormalised class proportions mu for each table, or None where drawing a table's cells settles them already."""

    def __init__(self, experiment: Experiment, prior: Prior) -> None:
        self._shared = experiment.model == "same-set"
        self._shapes = [table.row_totals + prior.class_weights(table) for table in experiment.known]
        self._implied = prior.makes_joint_dirichlet()

    def draw(self, n: int, rng: np.random.Generator) -> list[Floats | None]:
        """Masses of shape (n, M), one a table."""
        if self._shared:
            return [_gammas(self._shapes[0], n, rng)] * len(self._shapes)
        return [None if self._implied else _gammas(shape, n, rng) for shape in self._shapes]


def _gammas(shape: Floats, n: int, rng: np.random.Generator) -> Floats:
    return rng.standard_gamma(shape, size=(n, shape.size))


def _children(seed: Seed) -> Iterator[np.random.SeedSequence]:
    parent = np.random.SeedSequence(seed)
    while True:
        yield from parent.spawn(1)
