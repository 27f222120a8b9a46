"""The figures of a comparison and of an estimate, and what is told of either."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.fields import (
    ByValue,
    Chains,
    Count,
    Counts,
    Declared,
    Described,
    Errors,
    Factor,
    Flag,
    Interval,
    Limited,
    Number,
    Positive,
    Probability,
    RopeBounds,
    Size,
    Text,
    Texts,
)
from pytest_bayesf1.results.figures import (
    Agreement,
    ClassChange,
    Convergence,
    Curve,
    Move,
    NeverTrue,
    PairedDifference,
    Score,
    Shares,
    Significance,
    UnitFigures,
)
from pytest_bayesf1.results.nouns import nouns_of
from pytest_bayesf1.settings import COMPARISONS, Model


@dataclass(frozen=True, kw_only=True, eq=False)
class DeltaFigures(Declared):
    """The posterior of delta = candidate - baseline, and what it decides.

    Attributes
    ----------
    mean, std, hdi, mcse_hdi
        Of the posterior; ``mcse_hdi`` holds the Monte Carlo standard errors of the two bounds of ``hdi``.
    p_worse, p_better
        P(delta < 0) and P(delta > 0).
    p_below_rope, p_in_rope, p_above_rope
        Probability left of, inside and right of the ROPE.
    decision
        See `Decision`.
    settled
        Whether every bound that decides is at least 4 Monte Carlo standard errors away from what it is compared with.
    """

    mean: Number
    std: Size
    hdi: Interval
    mcse_hdi: Errors
    p_worse: Probability
    p_better: Probability
    p_below_rope: Probability
    p_in_rope: Probability
    p_above_rope: Probability
    decision: Annotated[Decision, ByValue()]
    settled: Flag


POWER = 0.8
"""How surely a gate finds a loss that it is said to find."""


@dataclass(frozen=True)
class Sight(Declared):
    """The smallest true losses that a gate finds on test sets like this one: positive differences of scores.

    Attributes
    ----------
    likely
        Found with probability 0.8; None where no candidate could lose as much.
    even
        Found as often as not; None likewise.
    """

    likely: Size | None
    even: Size | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Computed(Declared):
    """How a result was computed, so that it can be redone; and what a figure shows of its draws.

    Attributes
    ----------
    measure, measure_words
        The measure's name, and the measure as people say it.
    hdi_prob, prior, engine, seed, n_draws
        As in `compare`.
    convergence
        How far the draws can be trusted: R-hat, effective number.
    never_true
        Classes without examples and how often they are predicted: counted as wrong, and in no average.
    units
        The units that examples belong to; None where every example was drawn on its own.
    density
        Of delta, or of the score.
    trace
        Its Markov chains, thinned; None for independent draws, which have none.
    """

    measure: Text
    measure_words: Text
    hdi_prob: Probability
    prior: Text
    engine: Text
    seed: Count
    n_draws: Positive
    convergence: Convergence
    never_true: Annotated[tuple[NeverTrue, ...], Limited(max_length=1_000_000)]
    units: UnitFigures | None
    density: Curve
    trace: Chains

    @property
    def example(self) -> str:
        """What was counted, in the singular."""
        return nouns_of(self.units)[0]

    @property
    def category(self) -> str:
        """What it is of."""
        return nouns_of(self.units)[1]


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparisonFigures(Computed, DeltaFigures):
    """The figures of a comparison; `Comparison` says what each is."""

    custom_measure: Flag
    rope: RopeBounds
    bayes_factor: Factor | None
    bayes_factor_mcse: Factor | None
    bayes_factor_sd: Factor | None
    bayes_factor_sd_mcse: Factor | None
    examples_needed: Count | None
    sight: Sight | None
    model: Annotated[Model, ByValue(*COMPARISONS)]
    model_reason: Text
    stated_agreement: Shares | None
    n_samples: Counts
    largest_drops: Annotated[tuple[ClassChange, ...], Limited(max_length=3)]
    largest_moves: Annotated[tuple[Move, ...], Limited(max_length=5)]
    agreement: Agreement | None
    companions: Annotated[tuple[Significance, ...], Limited(max_length=7)]
    paired_outcomes: PairedDifference | None
    baseline: Score
    candidate: Score
    prior_density: Curve | None
    can_fail: Annotated[Flag, Described("Whether some candidate could be found significantly worse.")]

    @property
    def detectable_loss(self) -> float | None:
        """The smallest true loss that a gate finds with probability 0.8; None where no candidate could lose as much."""
        return self.sight.likely if self.sight else None


@dataclass(frozen=True, kw_only=True, eq=False)
class EstimateFigures(Computed):
    """The figures of an estimate; `Estimate` says what each is."""

    score: Score
    floor: Number
    p_below_floor: Probability
    below_floor: Flag
    above_floor: Flag
    mcse_hdi: Errors
    settled: Flag
    n_samples: Count
    n_classes: Count


@dataclass(frozen=True, kw_only=True)
class Sentences(Declared):
    """What is said of a result.

    Attributes
    ----------
    kind
        ``comparison`` or ``estimate``.
    headline
        The outcome in one sentence, without its full stop.
    notes
        What a careful reader should know beside the figures.
    """

    kind: str
    headline: Text
    notes: Texts


@dataclass(frozen=True, kw_only=True)
class ReportedComparison(ComparisonFigures, Sentences):
    """A comparison as it is told.

    Attributes
    ----------
    mcse
        Monte Carlo standard error of the mean of delta.
    n_classes
        Classes that have examples.
    """

    kind: Literal["comparison"] = "comparison"
    decision_words: Text
    mcse: Size
    n_classes: Count


@dataclass(frozen=True, kw_only=True)
class ReportedEstimate(EstimateFigures, Sentences):
    """An estimate as it is told."""

    kind: Literal["estimate"] = "estimate"


Reported: TypeAlias = ReportedComparison | ReportedEstimate
