"""What an engine offers, and draws in blocks."""

from abc import ABC, abstractmethod
from typing import Protocol, TypeAlias

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.measures.classification import Scoring
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import Convergence

Seed: TypeAlias = int | tuple[int, ...]


class Sampler(Protocol):
    """A stream of posterior draws of scores."""

    def draw(self, n: int) -> Floats:
        """Return the next draws of every side's score."""
        ...

    def convergence(self, values: Floats) -> Convergence:
        """Judge the draws by a quantity computed from all of them."""
        ...


class Engine(Protocol):
    """A way to sample the posterior; engines with equal settings are equal."""

    def __hash__(self) -> int:
        """Hash the settings, so that engines can be the key of a cache."""
        ...

    @property
    def name(self) -> str:
        """The engine's name in results."""
        ...

    @property
    def first_draws(self) -> int:
        """Number of draws to begin with."""
        ...

    @property
    def most_draws(self) -> int:
        """Number of draws at which to give up."""
        ...

    def sampler(self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> Sampler:
        """Start a stream of draws that depends on nothing but these arguments."""
        ...


_NUMBERS_PER_BLOCK = 1 << 23  # about 64 MB in all arrays
_MOST_SHARES, _LEAST_NUMBERS = 4, 1 << 19  # of the first draws; of a share


class BlockSampler(ABC):
    """A stream of independent draws, made in blocks.

    Blocks bound the memory. Each has its own generator.
    """

    def __init__(self, numbers_per_draw: int, seed: Seed) -> None:
        self._numbers_per_draw = max(numbers_per_draw, 1)
        self._block = 0  # as large as the first draws make it
        self._seeds = np.random.SeedSequence(seed)
        self._left: list[Floats] = []

    def draw(self, n: int) -> Floats:
        """Return the next n draws of every side's score: (sides, n), or (sides, n, K) where K are scored at once."""
        self._block = self._block or self._share(n)
        missing = n - sum(piece.shape[1] for piece in self._left)
        blocks = self._seeds.spawn(max(-(-missing // self._block), 0))
        scores = np.concatenate([*self._left, *map(self._seeded, blocks)], axis=1)
        self._left = [scores[:, n:].copy()]
        return scores[:, :n]

    def convergence(self, values: Floats) -> Convergence:
        """Count the draws: they are independent, so that all of them are effective."""
        return Convergence(ess=float(values.size))

    def _seeded(self, seed: np.random.SeedSequence) -> Floats:
        return self._scores(self._block, np.random.Generator(np.random.SFC64(seed)))

    def _share(self, n: int) -> int:
        """Return the size of blocks: all of the first n draws, or shares of many numbers."""
        share = -(-n // _MOST_SHARES)
        if share * self._numbers_per_draw < _LEAST_NUMBERS:
            share = n
        n_pieces = -(-share * self._numbers_per_draw // _NUMBERS_PER_BLOCK)
        return -(-share // n_pieces)

    @abstractmethod
    def _scores(self, n: int, rng: np.random.Generator) -> Floats:
        """Make the n draws of a block, by its own generator."""
