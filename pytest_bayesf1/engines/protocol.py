"""What an engine is: something that turns counts and a prior into posterior draws of scores."""

from typing import Protocol, TypeAlias

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.counts.experiment import Experiment
from pytest_bayesf1.measures.measures import Scoring
from pytest_bayesf1.priors.priors import Prior
from pytest_bayesf1.results.figures import Convergence

Seed: TypeAlias = int | tuple[int, ...]


class Sampler(Protocol):
    """A stream of posterior draws."""

    def draw(self, n: int) -> Floats:
        """Return the next n draws of every side's score: (sides, n), or (sides, n, K) where K are scored at once."""
        ...

    def convergence(self, values: Floats) -> Convergence:
        """Judge the draws by a quantity computed from all of them, (n,).

        Raises
        ------
        ConvergenceError
            When they cannot be trusted.
        """
        ...


class Engine(Protocol):
    """A way to sample the posterior; engines with equal settings are equal."""

    def __hash__(self) -> int:
        """Hash the settings."""
        ...

    @property
    def name(self) -> str:
        """What results call it."""
        ...

    @property
    def first_draws(self) -> int:
        """Draws to begin with."""
        ...

    @property
    def most_draws(self) -> int:
        """Draws at which to give up."""
        ...

    def sampler(self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> Sampler:
        """Start a stream of draws that depends on nothing but these arguments."""
        ...
