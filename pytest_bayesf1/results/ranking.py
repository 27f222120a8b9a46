"""The figures of a ranking of several systems on the same examples."""

from dataclasses import dataclass
from typing import Annotated

from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.fields import (
    ByValue,
    Count,
    Declared,
    Flag,
    Interval,
    Number,
    Positive,
    Probability,
    RopeBounds,
    Size,
    Text,
    Texts,
)


@dataclass(frozen=True, kw_only=True)
class SystemFigures(Declared):
    """One of several systems.

    Attributes
    ----------
    name
        What it is called.
    observed
        Its score at the observed counts, as scikit-learn computes it.
    mean, std, hdi
        Of the posterior of its score; ``hdi`` is (low, high).
    p_best
        Probability that no other system has a higher score.
    rank_hdi
        The shortest run of ranks, first and last, that is at least as likely as the HDI; 1 is the best.
    expected_rank
        The mean of its rank.
    rank_probabilities
        Of the ranks 1 to K.
    expected_loss
        How far its score lies behind the best one, on average: what it costs to choose this system.
    ties
        The systems whose difference from it lies within the ROPE (decision ≈).
    """

    name: Text
    observed: Number
    mean: Number
    std: Size
    hdi: Interval
    p_best: Probability
    rank_hdi: tuple[Positive, Positive]
    expected_rank: Size
    rank_probabilities: tuple[Probability, ...]
    expected_loss: Size
    ties: Texts


@dataclass(frozen=True, kw_only=True)
class PairFigures(Declared):
    """A comparison of two systems, of which the one with the higher mean score is the baseline.

    Attributes
    ----------
    baseline, candidate
        Their names.
    mean, hdi
        Of the posterior of delta, the candidate's score minus the baseline's.
    p_worse
        P(delta < 0).
    decision
        What the data say of the candidate.
    settled
        Whether the decision is clear of Monte Carlo error.
    """

    baseline: Text
    candidate: Text
    mean: Number
    hdi: Interval
    p_worse: Probability
    decision: Annotated[Decision, ByValue()]
    settled: Flag


@dataclass(frozen=True, kw_only=True, eq=False)
class RankingFigures(Declared):
    """The figures of a ranking.

    Attributes
    ----------
    measure, measure_words, custom_measure, rope, hdi_prob, prior, seed, n_draws
        How it was computed, so that it can be redone; see `compare`.
    n_samples, n_classes
        Examples, and classes that have any.
    settled
        Whether the decisions between the first system and every other are clear of Monte Carlo error.
    systems
        In the order of their mean scores, the best first.
    pairs
        Every two systems, in the same order.
    groups
        Tie groups: the longest runs of systems, in this order, of which any two differ by less than the ROPE (≈). A
        system may be in two of them, for ties are no equivalence: A may be tied with B, B with C, and A not with C.
    """

    measure: Text
    measure_words: Text
    custom_measure: Flag
    rope: RopeBounds
    hdi_prob: Probability
    prior: Text
    seed: Count
    n_draws: Positive
    n_samples: Count
    n_classes: Count
    settled: Flag
    systems: tuple[SystemFigures, ...]
    pairs: tuple[PairFigures, ...]
    groups: tuple[Texts, ...]
