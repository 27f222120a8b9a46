"""Figures that comparisons and estimates are made of."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pytest_bayesf1.results.fields import (
    Amount,
    Check,
    Count,
    Declared,
    Described,
    Height,
    Interval,
    Label,
    Limited,
    Number,
    Positive,
    Probability,
    Size,
    Text,
)


def _has_a_peak(values: tuple[float, ...]) -> bool:
    return any(values)


@dataclass(frozen=True)
class Density(Declared):
    """A density at evenly spaced points: ``values[i]`` at ``low + i (high - low) / (len(values) - 1)``."""

    low: Number
    high: Number
    values: Annotated[
        tuple[Height, ...],
        Limited(min_length=2, max_length=1_001),
        Check(_has_a_peak, "a density that is not 0 everywhere"),
    ]


def _is_wide(density: Density) -> bool:
    return density.low < density.high


Curve: TypeAlias = Annotated[Density, Check(_is_wide, "low < high")]


@dataclass(frozen=True)
class Convergence(Declared):
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

    ess: Size
    n_chains: Positive = 1
    r_hat: Size | None = None
    divergences: Count = 0

    def __str__(self) -> str:
        """Write it for a line of figures."""
        if self.r_hat is None:
            return "independent draws"
        return f"{self.n_chains} chains, R-hat {self.r_hat:.3f}, ESS {self.ess:,.0f}"


@dataclass(frozen=True)
class Score(Declared):
    """The posterior of one classifier's score.

    Attributes
    ----------
    observed
        The score at the observed counts, as scikit-learn computes it.
    mean, std, hdi
        Of the posterior; ``hdi`` is (low, high).
    density
        Of the posterior; None in documents that older versions wrote.
    """

    observed: Number
    mean: Number
    std: Size
    hdi: Interval
    density: Curve | None


@dataclass(frozen=True)
class ClassChange(Declared):
    """A class's observed F1 on either side."""

    label: Label
    baseline: Number
    candidate: Number

    @property
    def change(self) -> float:
        """Positive when the candidate is better."""
        return self.candidate - self.baseline


Shares: TypeAlias = Annotated[
    tuple[Probability, Probability],
    Described("The least and the greatest share of the examples on which both sides were said to predict the same."),
]
PerSide: TypeAlias = Annotated[tuple[Count, ...], Limited(min_length=1, max_length=2)]


@dataclass(frozen=True)
class NeverTrue(Declared):
    """A class without examples: predicting it is wrong, and it is in no average.

    Attributes
    ----------
    label
        The class; of answers that could not be read `UNREADABLE`, in JSON null.
    predicted
        How many examples each side predicts it for, the baseline first; where runs share one, its share.
    """

    label: Label
    predicted: Annotated[tuple[Amount, ...], Limited(min_length=1, max_length=2)]


@dataclass(frozen=True)
class Move(Declared):
    """A kind of error, and on how many examples either side makes it."""

    true: Label
    predicted: Label
    baseline: Count
    candidate: Count


@dataclass(frozen=True)
class UnitFigures(Declared):
    """Units that were drawn independently, each with its examples, and what they do to the interval.

    Attributes
    ----------
    noun, holding
        What they are called and what they hold, both in the plural: documents that hold examples.
    n
        How many each side has, the baseline first.
    n_equal
        How many of one size would tell as much (Kish's effective number).
    runs
        The most predictions that an example has, side by side.
    trainings
        Of how many trainings of a recipe each side is; 0 where it is one classifier.
    design_effect
        Variance of delta, or of the score, over what it would be if every example were drawn on its own.
    independent_hdi
        The HDI that there would be then.
    """

    noun: Text
    holding: Text
    n: PerSide
    n_equal: PerSide
    runs: PerSide
    trainings: PerSide
    design_effect: Size
    independent_hdi: Interval


@dataclass(frozen=True)
class Agreement(Declared):
    """How many examples, or of multi-label data decisions about an example and a label, each side gets right.

    Where both are right or both are wrong, the example says nothing about the difference in accuracy: the fewer are
    left, the less room for chance. Paired data know how many are left.
    """

    both_right: Count
    only_baseline: Count
    only_candidate: Count
    both_wrong: Count

    @property
    def n_differ(self) -> int:
        """How many only one side gets right."""
        return self.only_baseline + self.only_candidate

    @property
    def total(self) -> int:
        """How many there are."""
        return self.both_right + self.n_differ + self.both_wrong


TestName: TypeAlias = Literal["s-test", "S-test", "T-test", "T'-test", "p-test"]
Proportions: TypeAlias = Literal["", "accuracy", "recall", "precision", "micro-recall", "micro-precision"]
Symbol: TypeAlias = Literal["<<", "<", "~", ">", ">>"]


@dataclass(frozen=True)
class Significance(Declared):
    """The outcome of a test of Yang & Liu (1999): of A against B, of the candidate against the baseline.

    Attributes
    ----------
    name
        The paper's: ``s-test``, ``S-test``, ``T-test``, ``T'-test`` or ``p-test``.
    statistic
        Positive when the data favour A: the standardised difference, Z or T. For an exact sign test the number of
        times that A wins, less its expectation.
    p_value
        One-sided, in the direction of the data: at most 1/2, but above it when an exact sign test is a tie.
    n
        The paper's n: differing pairs, or trials in all.
    of
        The proportion that a p-test compares, such as ``recall``; empty for the other tests.
    symbol
        ``>>`` or ``<<`` for a P-value up to 0.01, ``>`` or ``<`` up to 0.05, else ``~``; ``>`` favours A.
    """

    name: TestName
    statistic: Number
    p_value: Probability
    n: Count
    of: Annotated[
        Proportions,
        Described("The proportion that a p-test compares: recall and precision are those of the measure's class."),
    ]
    symbol: Symbol


@dataclass(frozen=True)
class PairedDifference(Declared):
    """Of pi_1, that only the candidate is right, and pi_2, only the baseline (Goutte & Gaussier 2005, section 3)."""

    p_first_better: Annotated[Probability, Described("P(pi_1 > pi_2).")]
    mean_difference: Annotated[Number, Described("Expectation of Delta = pi_1 - pi_2.")]
    mean_log_odds: Annotated[Number, Described("Expectation of rho = ln(pi_1 / pi_2).")]
