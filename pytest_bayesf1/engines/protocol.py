"""What an engine is: something that turns counts and a prior into posterior draws of scores."""

from dataclasses import asdict, dataclass
from typing import Any, Protocol, TypeAlias

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.counts.experiment import Experiment
from pytest_bayesf1.measures.measures import Scoring
from pytest_bayesf1.priors.priors import Prior

Seed: TypeAlias = int | tuple[int, ...]


@dataclass(frozen=True)
class Convergence:
    """How far draws can be trusted to come from the posterior.

    Attributes
    ----------
    ess
        Effective number of independent draws (bulk), of the quantity that was asked for.
    n_chains
        Markov chains; 1 for independent draws.
    r_hat
        Largest rank-normalised split R-hat of the quantity and of all sampled parameters; None for independent draws.
    divergences
        Divergent transitions.
    """

    ess: float
    n_chains: int = 1
    r_hat: float | None = None
    divergences: int = 0

    def __str__(self) -> str:
        """Write it for a line of figures: independent draws, or how the chains mix."""
        if self.r_hat is None:
            return "independent draws"
        return f"{self.n_chains} chains, R-hat {self.r_hat:.3f}, ESS {self.ess:,.0f}"

    def to_dict(self) -> dict[str, Any]:
        """Return every figure by its name."""
        return asdict(self)


class Sampler(Protocol):
    """A stream of posterior draws of scores."""

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

    def sampler(self, experiment: Experiment, prior: Prior, scoring: Scoring, seed: Seed) -> Sampler:
        """Start a stream of draws that depends on nothing but these arguments.

        Parameters
        ----------
        experiment, prior
            What was counted, and the prior on it.
        scoring
            What of each draw is kept.
        seed
            A whole number, or several.
        """
        ...
