"""The figures of a plan: how probable each decision is on test sets of other sizes."""

from dataclasses import dataclass
from typing import Annotated

from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.fields import (
    ByValue,
    Count,
    Declared,
    Flag,
    Label,
    Number,
    Positive,
    Probability,
    RopeBounds,
    Size,
    Text,
)
from pytest_bayesf1.settings import COMPARISONS, Model


@dataclass(frozen=True, kw_only=True)
class DecisionRates(Declared):
    """How probable each decision is; they add up to 1.

    Attributes
    ----------
    much_worse
        ≪: the gate fails.
    worse, equivalent, better, much_better
        <, ≈, > and ≫.
    undecided
        ?: more examples are needed.
    """

    much_worse: Probability
    worse: Probability
    equivalent: Probability
    better: Probability
    much_better: Probability
    undecided: Probability

    def of(self, decision: Decision) -> float:
        """Return the probability of one of them."""
        found: float = getattr(self, decision.name.lower())
        return found


@dataclass(frozen=True, kw_only=True)
class PlannedTruth(Declared):
    """A difference that may be the true one.

    Attributes
    ----------
    name
        What it is called.
    delta
        The candidate's true score minus the baseline's.
    agreement
        How often both predict the same.
    tolerated
        Whether the loss, if it is one, lies within the ROPE: a gate that fails fails falsely.
    """

    name: Text
    delta: Number
    agreement: Probability
    tolerated: Flag


@dataclass(frozen=True, kw_only=True)
class PlannedSize(Declared):
    """What is to be expected of a test set.

    Attributes
    ----------
    n_examples
        Its size; of two test sets that of each.
    rates
        By the first-order approximation, of each truth.
    """

    n_examples: Positive
    rates: tuple[DecisionRates, ...]


@dataclass(frozen=True, kw_only=True)
class Needed(Declared):
    """How many examples find the loss.

    Attributes
    ----------
    power
        The probability that the gate fails.
    n_examples
        The smallest test set with that power; of two test sets the size of each.
    interval
        Where 90% of such pilots would put it; None where no examples were counted.
    """

    power: Probability
    n_examples: Positive
    interval: tuple[Positive, Positive] | None


@dataclass(frozen=True, kw_only=True)
class PlannedDesign(Declared):
    """A way to test.

    Attributes
    ----------
    model
        What the two sides share.
    needed
        Examples that find the loss.
    curve
        Test sets of growing size.
    """

    model: Annotated[Model, ByValue(*COMPARISONS)]
    needed: tuple[Needed, ...]
    curve: tuple[PlannedSize, ...]


@dataclass(frozen=True, kw_only=True)
class SimulatedRates(Declared):
    """What the gate itself decided on simulated test sets.

    Attributes
    ----------
    model
        What the two sides share.
    truth
        The name of the true difference.
    n_examples
        Of each test set.
    rates
        Shares of the test sets.
    mcse
        Monte Carlo standard error of the share that failed.
    approximation
        What the first-order approximation says.
    agrees
        Whether it is right about failures, by no more than 5 points beyond what chance explains.
    """

    model: Annotated[Model, ByValue(*COMPARISONS)]
    truth: Text
    n_examples: Positive
    rates: DecisionRates
    mcse: Size
    approximation: DecisionRates
    agrees: Flag


@dataclass(frozen=True, kw_only=True)
class ClassNeed(Declared):
    """How many examples of a class to test.

    Attributes
    ----------
    label
        The class.
    as_they_come
        As many as its share of the test set.
    optimal
        As many as make delta known best, with the same power in all.
    """

    label: Label
    as_they_come: Count
    optimal: Count


@dataclass(frozen=True, kw_only=True)
class Allocation(Declared):
    """A test set whose examples are drawn class by class.

    Attributes
    ----------
    n_as_they_come
        Examples that find the loss where they are drawn whatever their class.
    n_optimal
        Examples that do where each class has as many as are best.
    classes
        All of them, those first that need most beyond their share.
    """

    n_as_they_come: Positive
    n_optimal: Positive
    classes: tuple[ClassNeed, ...]

    @property
    def saved(self) -> float:
        """The share of the examples that need not be labelled."""
        return 1 - self.n_optimal / self.n_as_they_come


@dataclass(frozen=True, kw_only=True)
class LookRates(Declared):
    """What repeated looks do to a gate, for one true difference.

    Attributes
    ----------
    truth
        Its name.
    failed_once
        Share of the test sets that fail where all examples are labelled before anyone looks.
    failed_looking
        Share that fail at the look that settles them.
    undecided
        Share that no look settles.
    n_labelled
        Mean number of examples that were labelled.
    stopped
        Share that each look settles.
    """

    truth: Text
    failed_once: Probability
    failed_looking: Probability
    undecided: Probability
    n_labelled: Size
    stopped: tuple[Probability, ...]


@dataclass(frozen=True, kw_only=True)
class Looks(Declared):
    """Test sets that are looked at whenever another equal part is labelled, until ≪, ≈ or ≫ settles them.

    Attributes
    ----------
    n_examples
        At each look.
    rates
        Of each truth.
    """

    n_examples: tuple[Positive, ...]
    rates: tuple[LookRates, ...]


@dataclass(frozen=True, kw_only=True)
class PlanFigures(Declared):
    """How many examples a gate needs.

    Attributes
    ----------
    measure, measure_words, custom_measure, rope, hdi_prob, prior, seed
        Of the gate.
    pilot, n_pilot
        What the plan starts from, in words; and how many examples were counted.
    loss
        The loss that is to be found.
    truths
        Differences that may be the true one: the first is none, the last the loss that is to be found.
    designs
        Ways to test, the strongest first.
    n_examples
        The test set that was looked at closely.
    simulated
        What the gate itself decides on it; empty where nothing was simulated.
    repetitions
        Test sets that were simulated of each kind.
    allocation
        Which classes need more examples.
    looks
        What repeated looks do; None where one was asked for.
    """

    measure: Text
    measure_words: Text
    custom_measure: Flag
    rope: RopeBounds
    hdi_prob: Probability
    prior: Text
    seed: Count
    pilot: Text
    n_pilot: Count
    loss: Size
    truths: tuple[PlannedTruth, ...]
    designs: tuple[PlannedDesign, ...]
    n_examples: Positive
    simulated: tuple[SimulatedRates, ...]
    repetitions: Count
    allocation: Allocation
    looks: Looks | None
