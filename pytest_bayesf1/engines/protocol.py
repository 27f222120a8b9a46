"""What an engine is: something that turns counts and a prior into posterior draws of a measure."""

from typing import Protocol, TypeAlias

from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.measures import Measure
from pytest_bayesf1.stats.priors import Prior

Seed: TypeAlias = int | tuple[int, ...]


class Sampler(Protocol):
    """A stream of posterior draws."""

    def draw(self, n: int) -> Floats:
        """Return the next n draws of every side's score, shape (sides, n)."""
        ...


class Engine(Protocol):
    """A way to sample the posterior."""

    def sampler(self, experiment: Experiment, prior: Prior, measure: Measure, seed: Seed) -> Sampler:
        """Start a stream of draws that depends on nothing but these arguments."""
        ...
