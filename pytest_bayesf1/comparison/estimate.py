"""`Estimate`: one classifier's score, with all its figures."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pytest_bayesf1.comparison.result import Result
from pytest_bayesf1.comparison.subject import Provenance
from pytest_bayesf1.results.comparison import EstimateFigures
from pytest_bayesf1.results.schema import figures_of
from pytest_bayesf1.stats.posterior import ScorePosterior
from pytest_bayesf1.text import one_line, scores
from pytest_bayesf1.words.results import observed


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Estimate(EstimateFigures, Result):
    """One classifier's score, and how it compares with a floor, if there is one.

    Attributes
    ----------
    score : ScorePosterior
        Observed score and posterior.
    floor, p_below_floor
        The floor and the probability that the score lies below it; None without a floor.
    below_floor, above_floor
        Whether the whole HDI does, on either side.
    mcse_hdi, settled
        Monte Carlo standard errors of the HDI's bounds, and whether they are clear of the floor.
    measure, measure_words, hdi_prob, prevalence, prior, engine, seed, n_draws, n_samples, n_classes
        How it was computed.
    run_sd
        How far the score varies from run to run where the HDI is about these very examples; None where it is about all
        that they are a sample of.
    unsupported
        Classes without examples and how often they are predicted: counted as wrong, and in no average.
    clusters : ClusterFigures or None
        The clusters that examples belong to, and what they do to the interval; None where every example is its own.
    convergence : Convergence
        How far the draws can be trusted: R-hat, effective number.
    density : Density
        Of the score.
    trace
        Its Markov chains, thinned for a figure; None for independent draws, which have none.
    provenance : Provenance
        The counts, the prior and the measure themselves.

    Examples
    --------
    >>> from pytest_bayesf1 import assert_at_least
    >>> estimate = assert_at_least([[960, 40], [30, 970]], 0.9, measure="accuracy")
    >>> round(estimate.score.mean, 2), estimate.score.observed, estimate.above_floor, estimate.p_below_floor
    (0.96, 0.965, True, 0.0)
    """

    kind: ClassVar[Literal["estimate"]] = "estimate"
    known_changes: ClassVar[None] = None

    mcse_hdi: tuple[float, float]
    score: ScorePosterior
    provenance: Provenance

    def columns(self) -> dict[str, list[Any]]:
        """Return the main figures, by the names of columns with one value."""
        low, high = self.score.hdi
        return {
            "measure": [self.measure],
            "score": [self.score.observed],
            "hdi_low": [low],
            "hdi_high": [high],
            "floor": [self.floor],
            "p_below_floor": [self.p_below_floor],
            "n_samples": [self.n_samples],
        }

    @property
    def is_not_inferior(self) -> bool:
        """Whether the whole HDI reaches the floor."""
        return self.above_floor

    def thinned(self, most: int) -> "Estimate":  # noqa: ARG002
        """Return the same: nothing is computed from its draws."""
        return self

    def without_draws(self) -> "Estimate":
        """Return the same."""
        return self

    @property
    def pull(self) -> float:
        """How far the prior moves the posterior mean from the observed score, in posterior standard deviations."""
        return (self.score.mean - self.score.observed) / self.score.std if self.score.std > 0 else 0.0

    def figures(self, *, at_length: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return every figure by name, without the draws; none takes long."""
        return figures_of(self, EstimateFigures, {"score": self.score.figures})

    def __repr__(self) -> str:
        """Write the measure, the score, its likely range and the floor on one line."""
        floor = "" if self.floor is None else f", floor {self.floor:g}"
        return f"<Estimate {one_line(self.measure)} {observed(self)} ({scores(self.score.hdi)}){floor}>"
