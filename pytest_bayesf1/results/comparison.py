"""What a comparison found: its decision, figures, classes, slices and changed examples."""

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from math import inf
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Protocol, TypeAlias

from pytest_bayesf1.choices import COMPARISONS, Model, OnNewTestSet
from pytest_bayesf1.results.policy import Decision, Ends, Policy
from pytest_bayesf1.results.schema import (
    Amount,
    ByValue,
    Check,
    Count,
    Counts,
    Declared,
    Described,
    Errors,
    Factor,
    Flag,
    Height,
    Interval,
    Label,
    Limited,
    Number,
    Positive,
    Probability,
    RopeBounds,
    Size,
    Text,
)


@dataclass(frozen=True)
class ClassDifference(Declared):
    """A class's F1 on either side, and the posterior of the difference.

    Attributes
    ----------
    label
        The class.
    n_samples
        Its examples, the baseline's and the candidate's.
    baseline, candidate
        Observed F1.
    mean, hdi
        Of delta, candidate - baseline.
    """

    label: Label
    n_samples: Counts
    baseline: Number
    candidate: Number
    mean: Number
    hdi: Interval

    @property
    def change(self) -> float:
        """How much the observed F1 changed; positive when the candidate is better."""
        return self.candidate - self.baseline


@dataclass(frozen=True)
class Breakdown(Declared):
    """The parts of a comparison.

    Attributes
    ----------
    classes
        By the mean of delta, the worst first; of more than 200 classes those whose observed F1 changed most.
    cells
        (true, predicted, baseline's examples, candidate's): the cells of the confusion matrix that changed, at most
        4,000, as positions among ``classes``; none of labels that do not exclude one another.
    """

    classes: Annotated[tuple[ClassDifference, ...], Limited(max_length=200), Described("The worst first.")]
    cells: Annotated[
        tuple[tuple[Count, Count, Count, Count], ...],
        Limited(max_length=4_000),
        Described("Cells that changed: true and predicted class, as positions among the classes; counts."),
    ]


def _has_cells_of_its_classes(breakdown: Breakdown) -> bool:
    return all(max(cell[:2]) < len(breakdown.classes) for cell in breakdown.cells)


Parts: TypeAlias = Annotated[Breakdown, Check(_has_cells_of_its_classes, "cells of the classes that are listed")]


MOST_IDS = 5
"""Examples that are named beside an error."""

LONGEST_EXCERPT = 200
"""Characters of what is shown of an example."""

MOST_ERRORS = 10
"""Errors that a report tells of."""

MOST_EXAMPLES = 1_000
"""Examples that report.json keeps."""


class Turn(StrEnum):
    """What became of an example."""

    BROKEN = "right to wrong"
    FIXED = "wrong to right"
    STILL_WRONG = "wrong to another wrong"


Excerpts: TypeAlias = Annotated[tuple[Text, ...], Limited(max_length=100)]


@dataclass(frozen=True)
class NamedExample(Declared):
    """An example by its id, or its position, and excerpts of what a report was to show of it."""

    id: Label
    shown: Excerpts = ()


NO_SPAN = "no span"
"""A missed span is taken for it, and it for a spurious one."""


@dataclass(frozen=True)
class ErrorChange(Declared):
    """A kind of error: examples of one class that are taken for another one.

    Attributes
    ----------
    true, predicted
        The two classes.
    baseline, candidate
        How many examples either side makes it on; where runs share one, its share.
    contribution
        The candidate's score less what it would be with the baseline's answers there.
    examples
        Some that changed: those that have it now where it became more frequent, else those that had it.
    """

    true: Label
    predicted: Label
    baseline: Amount
    candidate: Amount
    contribution: Number
    examples: Annotated[tuple[NamedExample, ...], Limited(max_length=MOST_IDS)] = ()


@dataclass(frozen=True)
class ClassContribution(Declared):
    """The candidate's score less what it would be with the baseline's answers on the examples of a class."""

    label: Label
    contribution: Number


@dataclass(frozen=True)
class ExampleChange(Declared):
    """An example that the two sides predict otherwise.

    Attributes
    ----------
    id
        The example's, or its position; of a span the document's and where the span is.
    true, baseline, candidate
        Its true class, and what either side predicts.
    share
        How much of the example this is about: less than 1 where several runs share it.
    contribution
        The candidate's score less what it would be with the baseline's answer.
    shown
        Excerpts of what a report was to show of it.
    """

    id: Label
    true: Label
    baseline: Label
    candidate: Label
    share: Probability
    contribution: Number
    shown: Excerpts = ()

    @property
    def turn(self) -> Turn:
        """What became of it."""
        if self.true == self.baseline:
            return Turn.BROKEN
        return Turn.FIXED if self.true == self.candidate else Turn.STILL_WRONG


@dataclass(frozen=True)
class SpanErrors(Declared):
    """How many of a side's spans are wrong, each counted once.

    Attributes
    ----------
    wrong_type
        Predicted where a true span of another type is.
    wrong_boundary
        Predicted of the type of a true span that they overlap, but do not equal.
    missed, spurious
        Other true spans that are not predicted, and other predicted spans that are not true.
    """

    wrong_type: Count
    wrong_boundary: Count
    missed: Count
    spurious: Count


@dataclass(frozen=True)
class ReportedChanges(Declared):
    """What a candidate predicts otherwise, as reports show it.

    Attributes
    ----------
    change
        The candidate's observed score minus the baseline's.
    rest
        What is left of it with all errors undone: that the classes have other proportions on different test sets.
    errors, classes
        With their contributions, each undone alone; first what explains most.
    n_examples
        How many examples are predicted otherwise; None where they are unknown.
    examples
        Those of the errors that explain most.
    span_errors
        Of the baseline and of the candidate; None of other data than spans, and of counts.
    """

    change: Number
    rest: Number
    errors: Annotated[tuple[ErrorChange, ...], Limited(max_length=MOST_ERRORS), Described("The ten that explain most.")]
    classes: Annotated[
        tuple[ClassContribution, ...], Limited(max_length=MOST_ERRORS), Described("The ten that explain most.")
    ]
    n_examples: Count | None
    examples: Annotated[
        tuple[ExampleChange, ...], Limited(max_length=MOST_EXAMPLES), Described("The first thousand of them.")
    ]
    span_errors: tuple[SpanErrors, SpanErrors] | None = None

    @property
    def most_telling(self) -> ErrorChange | None:
        """The error that explains most of the change; None where there is no change, or nothing explains it."""
        return next((each for each in self.errors if each.contribution * self.change > 0), None)


@dataclass(frozen=True)
class Density(Declared):
    """A density at evenly spaced points: ``values[i]`` at ``low + i (high - low) / (len(values) - 1)``."""

    low: Number
    high: Number
    values: Annotated[
        tuple[Height, ...], Limited(min_length=2, max_length=1_001), Check(any, "a density that is not 0 everywhere")
    ] = field(repr=False)


Curve: TypeAlias = Annotated[Density, Check(lambda density: density.low < density.high, "low < high")]


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


@dataclass(frozen=True)
class Score(Declared):
    """The posterior of one classifier's score.

    Attributes
    ----------
    observed
        The score at the observed counts, as scikit-learn computes it; of a pool an estimate.
    mean, std, hdi
        Of the posterior; ``hdi`` is (low, high).
    """

    observed: Number
    mean: Number
    std: Size
    hdi: Interval


PerSide: TypeAlias = Annotated[tuple[Count, ...], Limited(min_length=1, max_length=2)]


@dataclass(frozen=True)
class UnsupportedClass(Declared):
    """A label without examples: predicting it is wrong, and it is in no average.

    Attributes
    ----------
    label
        The label; of answers that are missing, or that ``invalid`` declares wrong, `UNREADABLE`, in JSON null.
    predicted
        How many examples each side predicts it for, the baseline first; where runs share one, its share.
    listed
        Whether the caller declares it: in ``labels``, or `UNREADABLE` by ``invalid``.
    """

    label: Label
    predicted: Annotated[tuple[Amount, ...], Limited(min_length=1, max_length=2)]
    listed: Flag


@dataclass(frozen=True)
class Clusters(Declared):
    """The clusters of a test set; see `ClusterFigures`."""

    noun: Text
    holding: Text
    n: PerSide
    n_equal: PerSide
    runs: PerSide
    trainings: PerSide


@dataclass(frozen=True)
class ClusterFigures(Clusters):
    """Clusters that were drawn independently, each with its examples, and what they do to the interval.

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

    design_effect: Size
    independent_hdi: Interval


@dataclass(frozen=True, kw_only=True)
class PoolFigures(Declared):
    """A pool of examples that both sides predicted, and what is labelled of it.

    Attributes
    ----------
    n_pool, n_labelled
        Examples of the pool, and how many of them are labelled.
    n_differ, n_labelled_differ
        On how many the sides predict otherwise, and how many of these are labelled.
    n_strata, n_unlabelled_strata
        Parts of the pool whose examples are predicted alike, and how many of them have no label.
    unlabelled_share
        The share of the pool's examples in these: what is said of them rests on the others.
    """

    n_pool: Count
    n_labelled: Count
    n_differ: Count
    n_labelled_differ: Count
    n_strata: Count
    n_unlabelled_strata: Count
    unlabelled_share: Probability


class Doubt(Enum):
    """What may hide a loss where two test sets differ."""

    LACKING = "lacking"
    """Examples that the candidate lacks."""
    OLD_LABELS = "old labels"
    """Corrections that help the candidate."""
    WHOLE = "whole"
    """Examples that one side alone has."""


_FAVOURED = 0.01


@dataclass(frozen=True, kw_only=True)
class SharedExamples(Declared):
    """What two test sets that differ have in common: on this part the two sides were compared.

    Attributes
    ----------
    n_baseline, n_candidate, n_shared
        Examples of either test set, and of both.
    n_corrected
        Shared examples whose truth is another one than the baseline's test set had; the candidate's truth was used.
    favoured
        How many corrections help the baseline against the candidate, and how many the candidate.
    p_favoured
        P-value of the exact McNemar test that they help both alike.
    decision_if_wrong
        What the decision would be if the candidate were wrong on all examples that it lacks; None where it lacks none.
    decision_on_old_truth
        What the decision would be by the baseline's truth; None where no truth differs.
    decision_on_whole, whole_scores
        What two independent samples, each side on all its own examples, would decide, and both scores on these; None
        where the test sets have the same examples.
    """

    n_baseline: Count
    n_candidate: Count
    n_shared: Count
    n_corrected: Count
    favoured: Annotated[tuple[Count, Count], Described("Corrections that help the baseline, and the candidate.")]
    p_favoured: Probability
    decision_if_wrong: Annotated[Decision, ByValue()] | None
    decision_on_old_truth: Annotated[Decision, ByValue()] | None
    decision_on_whole: Annotated[Decision, ByValue()] | None
    whole_scores: Annotated[tuple[float, float], Described("Of the baseline, and of the candidate.")] | None

    @property
    def n_lacking(self) -> int:
        """How many of the baseline's examples the candidate lacks."""
        return self.n_baseline - self.n_shared

    @property
    def are_one_sided(self) -> bool:
        """Whether corrections help one side by more than chance."""
        return self.p_favoured < _FAVOURED

    @property
    def doubt(self) -> Doubt | None:
        """What may hide that the candidate is worse, if anything."""
        for_baseline, for_candidate = self.favoured
        if self.decision_if_wrong is Decision.MUCH_WORSE:
            return Doubt.LACKING
        if (
            self.are_one_sided
            and for_candidate > for_baseline
            and self.decision_on_old_truth in (Decision.MUCH_WORSE, Decision.WORSE)
        ):
            return Doubt.OLD_LABELS
        return Doubt.WHOLE if self.decision_on_whole is Decision.MUCH_WORSE else None


@dataclass(frozen=True)
class Contingency(Declared):
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


@dataclass(frozen=True)
class GapEstimate(Declared):
    """A gap between slices: its median-unbiased estimate, and a confidence interval of it."""

    estimate: Number
    interval: Interval


@dataclass(frozen=True)
class ScoreGap(Declared):
    """How far the scores of the best and of the worst slice are apart.

    Attributes
    ----------
    by
        The column; empty where it is not known.
    best, worst
        The two slices that show the candidate's gap most clearly.
    baseline, candidate
        Each side's gap between the true scores, whichever slices have the highest and the lowest.
    limit
        What the candidate's gap may be; None where nothing is demanded.
    p_value
        How likely so wide a gap is observed where the true one is the limit; None where nothing is demanded.
    """

    by: Text
    best: Text
    worst: Text
    baseline: GapEstimate
    candidate: GapEstimate
    limit: Size | None = None
    p_value: Probability | None = None

    @property
    def is_too_wide(self) -> bool:
        """Whether the whole interval of the candidate's gap lies above the limit."""
        return self.limit is not None and self.candidate.interval[0] > self.limit


SPANS = "spans"
"""What documents hold."""


_OWNERS = {1: ("the classifier",), 2: ("the baseline", "the candidate")}


def owners_of(n_sides: int) -> tuple[str, ...]:
    """Return whose each side is, for a sentence."""
    return _OWNERS[n_sides]


class _Holding(Protocol):
    @property
    def holding(self) -> str: ...


def nouns_of(clusters: _Holding | None) -> tuple[str, str]:
    """Return what was counted and what it is of, both in the singular."""
    return ("span", "type") if clusters is not None and clusters.holding == SPANS else ("example", "class")


@dataclass(frozen=True, kw_only=True, eq=False)
class DeltaFigures(Declared):
    """The posterior of delta = candidate - baseline, and what it decides; see `Comparison`."""

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


@dataclass(frozen=True)
class EarlierChange(Declared):
    """A change of the score that came before: the mean and the standard deviation of its posterior."""

    mean: Number
    std: Size


MOST_EARLIER = 30
"""The newest changes say what is usual."""


@dataclass(frozen=True)
class ExamplesNeeded(Declared):
    """How many more examples settle a question in half of the cases, if the true change is the observed one.

    0 where it is settled, None where no number would do.

    Attributes
    ----------
    not_worse, better
        Whether more is lost than is allowed; whether more is gained than the ROPE's upper end.
    equivalent
        Whether the change lies in the ROPE, or on which side of it.
    """

    not_worse: Count | None
    better: Count | None
    equivalent: Count | None

    def of(self, policy: Policy) -> int | None:
        """Return the number for what a policy asks."""
        return {Ends.HIGH: self.better, Ends.BOTH: self.equivalent}.get(policy.ends, self.not_worse)


NO_NUMBER = ExamplesNeeded(None, None, None)


POWER = 0.8
"""How surely a gate finds a loss that it is said to find."""


@dataclass(frozen=True)
class DetectableLosses(Declared):
    """The smallest true losses that a gate finds on test sets like this one: positive differences of scores.

    Attributes
    ----------
    power_80
        Found with probability 0.8 where the loss spreads evenly; None where no candidate could lose as much.
    power_50
        Found as often as not; None likewise.
    one_class_80
        Found with probability 0.8 where only the rarest class loses; None where it could not lose as much.
    """

    power_80: Size | None
    power_50: Size | None
    one_class_80: Size | None


@dataclass(frozen=True)
class ClassShares(Declared):
    """Class shares that differ between two test sets, whose comparison has no pairs, and what they do to delta.

    Attributes
    ----------
    label
        The class whose share differs most clearly.
    baseline, candidate
        Its share of either test set.
    at_baseline, at_candidate
        Posterior mean of delta with both sides at the class shares of this test set.
    decision
        What the data say as they were tested.
    decides
        Whether another decision, or the other sign, follows with equal shares: the comparison is then undecided.
    """

    label: Label
    baseline: Probability
    candidate: Probability
    at_baseline: Number
    at_candidate: Number
    decision: Annotated[Decision, ByValue()]
    decides: Flag


def leave_open(shares: ClassShares | None, shared: SharedExamples | None, doubted: Label | None) -> bool:
    """Whether class shares, what the test sets do not share, or a class may hide that the candidate is worse."""
    return (
        (shares is not None and shares.decides)
        or (shared is not None and shared.doubt is not None)
        or doubted is not None
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class FloorFigures(Declared):
    """The posterior of a score and a floor; see `Estimate`."""

    floor: Number | None
    p_below_floor: Probability | None
    below_floor: Flag
    above_floor: Flag
    mcse_hdi: Errors
    settled: Flag


_EVEN, _RANDOM = 0.05, 0.01
"""P-values below which a judge is uneven, and up to which a sample is not random."""


@dataclass(frozen=True, kw_only=True)
class JudgeFigures(Declared):
    """A judge's grades, beside those that people gave some of the answers: these correct the judge's.

    Attributes
    ----------
    n_human
        Examples that people graded.
    checksum
        Of people's and the judge's grades of these.
    scores, hdi
        The mean grade of each side by the judge alone, the baseline's first; and the HDI of the change, or of the only
        side's mean.
    corrected
        The change of the mean that people would give; None of one side.
    errors
        How much higher than people the judge grades each side, on average.
    failed, passed
        Of grades of 0 and 1: how many of each side's answers people fail, and how many of these the judge passes; None
        of other grades.
    favour
        How much higher it grades the candidate's answers than the baseline's that people grade alike; None of one side.
    p_even
        P-value of Student's t test that this is chance; None of one side.
    p_random
        Probability that random answers are as unlike all, by the judge's grades, as those that people graded; None
        where people graded all, or a part of a cluster.
    """

    n_human: Count
    checksum: Text
    scores: Annotated[tuple[Number, ...], Limited(min_length=1, max_length=2)]
    hdi: Interval
    errors: Annotated[tuple[Number, ...], Limited(min_length=1, max_length=2)]
    corrected: Number | None
    failed: PerSide | None
    passed: PerSide | None
    favour: Number | None
    p_even: Probability | None
    p_random: Probability | None

    @property
    def change(self) -> float:
        """The change by the judge alone, or the only side's score."""
        return self.scores[-1] - self.scores[0] if len(self.scores) > 1 else self.scores[0]

    @property
    def is_uneven(self) -> bool:
        """Whether the judge treats the two sides differently beyond chance."""
        return self.p_even is not None and self.p_even < _EVEN

    @property
    def is_selective(self) -> bool:
        """Whether the judge's grades show that people graded no random sample."""
        return self.p_random is not None and self.p_random <= _RANDOM


@dataclass(frozen=True, kw_only=True, eq=False)
class Computed(Declared):
    """How a result was computed, so that it can be redone, and its curves; see `Comparison`."""

    measure: Text
    measure_words: Text
    hdi_prob: Probability
    prevalence: Text
    prior: Text
    engine: Text
    seed: Count
    n_draws: Positive
    convergence: Convergence
    unsupported: Annotated[tuple[UnsupportedClass, ...], Limited(max_length=1_000_000)]
    clusters: ClusterFigures | None
    judge: JudgeFigures | None = None
    density: Curve
    n_classes: Count

    @property
    def example(self) -> str:
        """What was counted, in the singular."""
        return nouns_of(self.clusters)[0]

    @property
    def category(self) -> str:
        """What it is of."""
        return nouns_of(self.clusters)[1]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Asked:
    """What a plan or a ranking was asked for, so that it can be made again; see `compare`."""

    measure: Text
    measure_words: Text
    custom_measure: Flag
    rope: Interval
    hdi_prob: Probability
    prevalence: Text


_UNDERPOWERED = 5.0


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparisonFigures(Computed, DeltaFigures):
    """The figures that every comparison has; `Comparison` says what each is."""

    custom_measure: Flag
    rope: RopeBounds
    examples_needed: ExamplesNeeded
    model: Annotated[Model, ByValue(*COMPARISONS)]
    model_reason: Text
    on_new_test_set: Annotated[OnNewTestSet, ByValue()]
    shared_examples: SharedExamples | None
    contingency: Contingency | None
    pool: PoolFigures | None
    class_shares: ClassShares | None
    doubted_class: Annotated[
        Label | None, Described("A class with too few examples to rule out that it alone lost too much.")
    ]
    n_samples: Counts
    p_lost_more: Annotated[Probability, Described("That it lost more than you allow, by earlier changes if known.")]
    p_gained_more: Annotated[Probability, Described("That it gained more than the ROPE's upper end, likewise.")]
    earlier_changes: Annotated[
        tuple[EarlierChange, ...], Limited(max_length=MOST_EARLIER), Described("The oldest first; none where too few.")
    ] = ()
    baseline: Score
    candidate: Score
    can_fail: Annotated[Flag, Described("Whether a candidate can be significantly worse at all.")]
    decision_words: Text
    mcse: Size

    if TYPE_CHECKING:

        @property
        def detectable_losses(self) -> DetectableLosses | None:
            """Every subclass has it: see `LateFigures`."""

    @property
    def change(self) -> float:
        """How much the observed score changed, as scikit-learn computes it; positive when the candidate is better.

        Of a judge's grades the corrected change.
        """
        if self.judge is not None and self.judge.corrected is not None:
            return self.judge.corrected
        return self.candidate.observed - self.baseline.observed

    @property
    def is_clear(self) -> bool:
        """Whether the test set alone leaves hardly any doubt of a loss or a gain: no chance is said beside it then."""
        if self.decision in (Decision.MUCH_WORSE, Decision.MUCH_BETTER):
            return True
        return not any(0.01 < each < 0.99 for each in (self.p_below_rope, self.p_above_rope))

    @property
    def is_not_inferior(self) -> bool:
        """Whether the whole HDI lies above the ROPE's lower end, whatever class shares and lacking examples do."""
        is_open = leave_open(self.class_shares, self.shared_examples, self.doubted_class)
        return self.hdi[0] > self.rope[0] and not is_open

    def beyond(self, policy: Policy) -> float:
        """Measure from the ROPE's end that a policy asks about to that of the HDI which fails it."""
        (low, high), (rope_low, rope_high) = self.hdi, self.rope
        if policy.ends is Ends.BOTH:
            return max(rope_low - low, high - rope_high)
        end = rope_high if policy.ends is Ends.HIGH else rope_low
        return end - (low if Decision.BETTER in policy.fails else high)

    @property
    def shares_decide(self) -> bool:
        """Whether it is undecided because class shares differ between the two test sets."""
        return self.class_shares is not None and self.class_shares.decides

    @property
    def is_underpowered(self) -> bool:
        """Whether a gate hardly finds losses five times as large as what it allows."""
        low, high = self.rope
        return self.detectable_loss is None or self.detectable_loss > _UNDERPOWERED * (-low or high)

    @property
    def detectable_loss(self) -> float | None:
        """The smallest true loss that a gate finds with probability 0.8; None where no candidate could lose as much."""
        return self.detectable_losses.power_80 if self.detectable_losses else None


@dataclass(frozen=True, kw_only=True, eq=False)
class LateFigures(Declared):
    """The figures that a `Comparison` computes when they are first read."""

    bayes_factor: Factor | None
    bayes_factor_mcse: Factor | None
    bayes_factor_sd: Factor | None
    bayes_factor_sd_mcse: Factor | None
    detectable_losses: DetectableLosses | None
    classical_tests: Annotated[tuple[Significance, ...], Limited(max_length=7)]
    paired_outcomes: PairedDifference | None


@dataclass(frozen=True, kw_only=True, eq=False)
class EstimateFigures(Computed, FloorFigures):
    """The figures of an estimate, a comparison with a known constant; `Estimate` says what each is."""

    shared_examples: ClassVar[None] = None

    score: Score
    n_samples: Count
    n_of_class: Annotated[Count | None, Described("Those of the class that the measure is about.")] = None
    run_sd: Annotated[
        Size | None,
        Described("Standard deviation of the score from run to run, where the interval is about these examples alone."),
    ] = None

    @property
    def decision(self) -> Decision:
        """What the data say of the score and its floor, between which nothing is called equivalent."""
        if self.below_floor:
            return Decision.MUCH_WORSE
        return Decision.MUCH_BETTER if self.above_floor else Decision.UNDECIDED

    def beyond(self, policy: Policy) -> float:  # noqa: ARG002
        """Measure from the floor to the HDI's upper end."""
        return -inf if self.floor is None else self.floor - self.score.hdi[1]
