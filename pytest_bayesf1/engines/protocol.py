"""What an engine is: something that turns counts and a prior into posterior draws of scores."""

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.measures.classification import Scoring
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import Convergence

Seed: TypeAlias = int | tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Glimpse:
    """Another scoring, of the first draws only.

    Attributes
    ----------
    scoring
        Of no more detail than that of all draws.
    n_draws
        How many it is to see.
    """

    scoring: Scoring
    n_draws: int


class Sampler(Protocol):
    """A stream of posterior draws of scores."""

    @property
    def glimpsed(self) -> Floats | None:
        """(sides, n, K) the first draws by the other scoring, once they are made; None where there is no other."""
        ...

    def draw(self, n: int) -> Floats:
        """Return the next draws of every side's score.

        Parameters
        ----------
        n
            Number of draws; chains round it up to whole chains.

        Returns
        -------
        (sides, n) or (sides, n, K)
            The latter where K scores are computed at once.
        """
        ...

    def convergence(self, values: Floats) -> Convergence:
        """Judge the draws by a quantity computed from all of them.

        Parameters
        ----------
        values : (n,)
            The quantity, such as delta, in the order of the draws.

        Raises
        ------
        ConvergenceError
            When they cannot be trusted.
        """
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

    def sampler(
        self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed, glimpse: Glimpse | None = None
    ) -> Sampler:
        """Start a stream of draws that depends on nothing but these arguments.

        Parameters
        ----------
        experiment, prior
            What was counted, and the prior on it.
        scoring
            What of each draw is kept.
        seed
            A whole number, or several.
        glimpse
            Another scoring of the first draws, which changes none of them; an engine may leave it out.
        """
        ...
