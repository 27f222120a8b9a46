"""The population a plan assumes: from a pilot or from stated shares and accuracies, with given losses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, floor, log10, sqrt
from typing import Any, NamedTuple

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import AUTO, COMPARISONS, Model
from pytest_bayesf1.comparison.arguments import CompareOptions, Prevalence
from pytest_bayesf1.comparison.design import at_prevalence, design_comparison, design_estimate
from pytest_bayesf1.comparison.subject import OutcomeSubject
from pytest_bayesf1.data.labels import row_labels
from pytest_bayesf1.data.outcomes import CommonShares, Experiment, OutcomeTable
from pytest_bayesf1.data.paired import PairedCounts
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.measures.classification import Measure, MeasureLike, parse_measure, require_defined
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.power import Alternative, DecisionRates, NormalPower, ScoredSide
from pytest_bayesf1.text import level, percent
from pytest_bayesf1.values import as_float, require_choice


@dataclass(frozen=True, kw_only=True)
class PlannedScenario:
    """A difference that may be the true one.

    Attributes
    ----------
    name
        What it is called.
    delta
        The candidate's true score minus the baseline's.
    agreement
        How often both predict the same.
    allowed
        Whether the loss, if it is one, lies within the ROPE: a gate that fails fails falsely.
    """

    name: str
    delta: float
    agreement: float
    allowed: bool


@dataclass(frozen=True, kw_only=True)
class PlannedSize:
    """What is to be expected of a test set.

    Attributes
    ----------
    n_examples
        Its size; of two test sets that of each.
    rates
        By the first-order approximation, of each scenario.
    """

    n_examples: int
    rates: tuple[DecisionRates, ...]


@dataclass(frozen=True, kw_only=True)
class Needed:
    """How many examples find the loss.

    Attributes
    ----------
    power
        The probability that the gate fails.
    n_examples
        The smallest test set with that power; of two test sets the size of each.
    n_of_one_class
        The same where only the rarest class loses; None where it could not lose as much.
    """

    power: float
    n_examples: int
    n_of_one_class: int | None


@dataclass(frozen=True, kw_only=True)
class PlannedDesign:
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

    model: Model
    needed: tuple[Needed, ...]
    curve: tuple[PlannedSize, ...]


@dataclass(frozen=True, eq=False)
class Population:
    """Joint probabilities of the true class and both predictions.

    Attributes
    ----------
    table
        The outcomes of both sides, counted by their probabilities, which add up to 1.
    measure
        What the sides are compared by.
    scored_at
        The class shares that scores are about; None for those of the table, which test sets have.
    """

    table: OutcomeTable
    measure: Measure
    scored_at: CommonShares | None = None

    @classmethod
    def seen(cls, table: OutcomeTable, measure: Measure) -> "Population":
        """Take the observed outcomes of both sides for the population; see `Alternative.seen`."""
        (expected,) = Alternative.seen(Experiment(Model.PAIRED, (table,)), measure).experiment.tables
        return cls(replace(expected, count=expected.count / expected.count.sum()), measure)

    @cached_property
    def scored(self) -> OutcomeTable:
        """The outcomes as scores see them: with the class shares that these are about."""
        return self.table if self._shares is None else self.table.at_shares(self._shares)

    @property
    def _shares(self) -> Floats | None:
        return None if self.scored_at is None else self.scored_at.point([self.table.row_totals])

    def _weights(self, n_tables: int) -> tuple[Floats, ...] | None:
        return None if self._shares is None else (self.table.class_weights(self._shares),) * n_tables

    @cached_property
    def alternative(self) -> Alternative:
        """The population as the statistics know it, of a single example."""
        baseline, candidate = (ScoredSide.of(self.scored, index, self.measure) for index in range(2))
        return Alternative(Experiment(Model.PAIRED, (self.scored,)), baseline, candidate, self._weights(1))

    @property
    def delta(self) -> float:
        """The candidate's true score minus the baseline's."""
        return self.alternative.delta

    @property
    def agreement(self) -> float:
        """How often both predict the same."""
        same = self.table.predicted[0] == self.table.predicted[1]
        return float(self.table.count[same].sum())

    def spread(self, model: Model) -> tuple[float, float]:
        """Tell to first order how far delta's estimate and its posterior spread, times the root of the examples."""
        paired = sqrt(self.alternative.variance)
        if model is Model.PAIRED:
            return paired, paired
        tables = self.scored.side(0), self.scored.side(1)
        baseline, candidate = (ScoredSide.of(table, 0, self.measure) for table in tables)
        apart = Alternative(Experiment(model, tables), baseline, candidate, self._weights(2))
        width = sqrt(apart.variance)
        return (paired if model is Model.SAME_SET else width), width

    def with_delta(self, delta: float) -> "Population":
        """Return the population with another difference, as `Alternative.with_delta` does; raise `InputError`."""
        alternative = self.alternative.with_delta(delta)
        if alternative is None:
            raise InputError.plain("loss", f"With this baseline no candidate can lose {-delta:g}")
        return self._with(alternative)

    def of_rarest_class(self, loss: float) -> "Population | None":
        """Return the population in which only the rarest class loses; None where it cannot lose so much."""
        start = self.alternative.of_rarest_class()
        alternative = None if start is None else start.with_delta(-loss)
        return None if alternative is None else self._with(alternative)

    def _with(self, alternative: Alternative) -> "Population":
        (table,) = alternative.experiment.tables
        return replace(self, table=table if self.scored_at is None else table.at_shares(self.table.row_totals))


_MOST_OUTCOMES = 1_000_000
_ADD_UP = 0.005  # shares that were rounded to two digits


@dataclass(frozen=True, eq=False)
class Pilot:
    """What a plan starts from.

    Attributes
    ----------
    table
        The outcomes of both sides, or of one; counted, or assumed probabilities.
    labels
        The names of the classes.
    measure
        What the sides are to be compared by.
    n_examples
        Examples that were counted; 0 where all is assumed.
    agreement
        How often both are taken to predict the same; None where that was counted.
    scored_at
        The class shares that scores are about; None for those of the table, which test sets have.
    """

    table: OutcomeTable
    labels: tuple[Label, ...]
    measure: Measure
    n_examples: int
    agreement: float | None
    scored_at: CommonShares | None = None

    @property
    def has_both_sides(self) -> bool:
        """Whether the table tells what either side predicts."""
        return self.table.n_sides == 2

    @property
    def population(self) -> Population:
        """The population in which all is as in the pilot."""
        if self.has_both_sides:
            return replace(Population.seen(self.table, self.measure), scored_at=self.scored_at)
        assert self.agreement is not None
        side = replace(self.table, count=self.table.count / self.table.count.sum())
        return Population(with_second_side(side, self.agreement), self.measure, self.scored_at)

    @property
    def in_words(self) -> str:
        """What it is, for people."""
        if self.agreement is None:
            return f"the predictions of both on {self.n_examples:,} examples"
        taken = f"an assumed agreement of {percent(self.agreement)}"
        if self.n_examples == 0:
            return f"shares of the classes, accuracies and {taken}"
        return f"one classifier's outcomes on {self.n_examples:,} examples, and {taken}"


def counted_pilot(
    baseline: Any, candidate: Any, agreement: Any, measure: MeasureLike, prevalence: Prevalence | None = None
) -> Pilot:
    """Take counted outcomes for a pilot."""
    both = candidate is not None or isinstance(baseline, PairedCounts | Sides)
    stated = None if both and agreement is None else checked_agreement(agreement)
    design = design_comparison(baseline, candidate, AUTO) if both else design_estimate(baseline)
    _require_single_examples(design.experiment)
    if both and design.experiment.model is not Model.PAIRED:
        advice = "Build both sides from predictions; or pass one side, and how often the two agree as agreement."
        raise InputError.plain("candidate", f"The two sides do not pair up: {design.reason}", advice)
    if both and stated is not None:
        _require_unknown(design.experiment.tables[0])
    table, chosen = design.experiment.tables[0], _measure(measure, design)
    scored_at = at_prevalence(design, prevalence).experiment.population
    return Pilot(table, design.labels, chosen, table.n_samples, stated, scored_at)


def _require_unknown(table: OutcomeTable) -> None:
    """Refuse an agreement that the predictions tell."""
    alike = table.count[table.predicted[0] == table.predicted[1]].sum() / max(table.count.sum(), 1)
    known = f"The predictions show it: they agree on {level(round(float(alike), 4))}"
    raise InputError.plain("agreement", known, "Leave agreement out.")


def assumed_pilot(
    shares: Any, accuracy: Any, agreement: Any, measure: MeasureLike, prevalence: Prevalence | None = None
) -> Pilot:
    """Return a pilot of stated shares, accuracies and agreement, without any examples."""
    proportions = _shares(shares)
    labels = row_labels(list(proportions), len(proportions))
    mu = np.array(list(proportions.values()))
    recalls = np.array([_accuracy(accuracy, label, labels) for label in labels])
    others = np.where(np.eye(mu.size, dtype=bool), 0.0, mu)
    others /= others.sum(axis=1, keepdims=True)
    matrix = mu[:, None] * (np.diag(recalls) + (1 - recalls)[:, None] * others)
    cells = matrix.nonzero()
    table = OutcomeTable.tally(mu.size, *cells, weight=matrix[cells])
    design = OutcomeSubject(Experiment(Model.SINGLE, (table,)), labels, "")
    scored_at = at_prevalence(design, prevalence).experiment.population
    return Pilot(table, labels, _measure(measure, design), 0, checked_agreement(agreement), scored_at)


def with_second_side(side: OutcomeTable, agreement: float) -> OutcomeTable:
    """Pair a side with another one of the same confusion matrix.

    In most examples it repeats the prediction; in the others it makes one afresh, as likely right and as likely wrong.
    """
    true, (predicted,), share = side.true, side.predicted, side.count
    within = share / side.row_totals[true]
    by_chance = float(share @ within)
    if agreement < by_chance:
        expected = f"{percent(by_chance)} or more, on which two such classifiers agree by chance"
        raise InputError("agreement", expected, percent(agreement))
    sizes = np.bincount(true, minlength=side.n_classes)
    if (sizes**2).sum() > _MOST_OUTCOMES:
        advice = "Pass the predictions of both, on however few examples."
        raise InputError.plain("baseline", f"There are more than {_MOST_OUTCOMES:,} possible outcomes", advice)
    afresh = (1 - agreement) / (1 - by_chance)
    first = np.repeat(np.arange(true.size), sizes[true])  # each outcome beside every one of its class
    starts = np.concatenate([[0], np.cumsum(sizes)])[true]
    second = np.arange(first.size) - np.repeat(np.cumsum(sizes[true]) - sizes[true], sizes[true])
    second += starts[first]
    probability = share[first] * (afresh * within[second] + (1 - afresh) * (first == second))
    return OutcomeTable.tally(side.n_classes, true[first], predicted[first], predicted[second], weight=probability)


def checked_agreement(value: Any) -> float:
    """Return the agreement that is assumed."""
    expected = "how often both predict the same, such as 0.9"
    if value is None:
        advice = "Only both sides' predictions of the same examples show it."
        raise InputError("agreement", expected, "nothing", advice)
    agreement = as_float(value)
    if agreement is None or not 0 <= agreement < 1:
        advice = "Two that never differ need no test." if agreement == 1 else ""
        raise InputError("agreement", expected, shown(value), advice)
    return agreement


def _require_single_examples(experiment: Experiment) -> None:
    if experiment.multilabel:
        advice = "Plan for the one that matters most, as a problem of two classes."
        raise InputError.plain("baseline", "A plan covers one label, or one type of span", advice)
    if experiment.clusters or experiment.trainings:
        advice = "Leave clusters and runs out, and take the plan for a lower bound."
        raise InputError.plain("baseline", "A plan is for independent examples only", advice)


def _measure(measure: MeasureLike, design: OutcomeSubject) -> Measure:
    chosen = parse_measure(measure, design.labels, true_labels=design.true_labels)
    require_defined(design.experiment, design.labels, chosen)
    return chosen


def _shares(given: Any) -> dict[Label, float]:
    expected = "the share of every class by its label, such as {ham: 0.9, spam: 0.1}"
    if not isinstance(given, Mapping):
        raise InputError("shares", expected, shown(given))
    known = {}
    for label, value in given.items():
        share = as_float(value)
        if share is None or not 0 < share < 1:
            raise InputError(f"shares[{shown(label)}]", "a number between 0 and 1", shown(value))
        known[label] = share
    in_all = sum(known.values())
    if abs(in_all - 1) > _ADD_UP:
        raise InputError("shares", f"{expected}; they add up to 1", f"{in_all:g} in all")
    return {label: share / in_all for label, share in known.items()}


def _accuracy(given: Any, label: Label, labels: tuple[Label, ...]) -> float:
    expected = "the share of right predictions, such as 0.9, of all classes or of each by its label"
    value = given
    if isinstance(given, Mapping):
        for name in given:
            require_choice("accuracy", str(name), map(str, labels))
        value = given.get(label)
    accuracy = as_float(value)
    if accuracy is None or not 0 < accuracy <= 1:
        where = f"accuracy[{shown(label)}]" if isinstance(given, Mapping) else "accuracy"
        raise InputError(where, expected, "nothing" if value is None else shown(value))
    return accuracy


POWERS = (0.8, 0.9)
"""With which the loss is to be found."""

_PER_DECADE = 10
_FEWEST = 10


class Scenario(NamedTuple):
    """A difference that may be the true one, and a population that has it."""

    name: str
    population: Population

    def power(self, model: Model, options: CompareOptions) -> NormalPower:
        """Return what a gate decides, by the first-order approximation."""
        scatter, width = self.population.spread(model)
        return NormalPower(options.rope, options.hdi_prob, self.population.delta, scatter, width)

    def figures(self, rope: Rope) -> PlannedScenario:
        """Return the figures that reports show."""
        delta, agreement = self.population.delta, self.population.agreement
        return PlannedScenario(name=self.name, delta=delta, agreement=agreement, allowed=delta >= rope.low - 1e-9)


@dataclass(frozen=True, eq=False)
class Scenarios:
    """The differences that a plan looks at.

    Attributes
    ----------
    options
        Of the gate.
    loss
        The loss that is to be found.
    found
        The population that has it.
    all
        The first has no difference; the last is ``found``.
    of_one_class
        The population in which only the rarest class has it; None where it could not.
    """

    options: CompareOptions
    loss: float
    found: Scenario
    all: tuple[Scenario, ...]
    of_one_class: Scenario | None

    @classmethod
    def of(cls, pilot: Pilot, options: CompareOptions, loss: float) -> "Scenarios":
        """Make a population of each difference."""
        seen, low = pilot.population, options.rope.low
        found = Scenario("the loss to find", seen.with_delta(-loss))
        stated = {low: "all that you allow", low / 2: "half of what you allow", 0.0: "no difference"}
        others = [Scenario(stated[delta], seen.with_delta(delta)) for delta in sorted(stated, reverse=True)]
        if pilot.has_both_sides:
            others.append(Scenario("as in the pilot", seen))
        rarest = seen.of_rarest_class(loss)
        of_one_class = None if rarest is None else Scenario(found.name, rarest)
        return cls(options, loss, found, (*others, found), of_one_class)

    def designs(self) -> tuple[PlannedDesign, ...]:
        """Say of each way to test how many examples it needs, and what is to be expected of others."""
        needed = {model: tuple(self._needed(model)) for model in COMPARISONS}
        numbers = [each.n_examples for found in needed.values() for each in found]
        sizes = round_sizes(min(numbers) / 8, 1.5 * max(numbers))
        return tuple(
            PlannedDesign(model=model, needed=found, curve=tuple(self._curve(model, sizes)))
            for model, found in needed.items()
        )

    def _curve(self, model: Model, sizes: Sequence[int]) -> Iterator[PlannedSize]:
        powers = [scenario.power(model, self.options) for scenario in self.all]
        for size in sizes:
            yield PlannedSize(n_examples=size, rates=tuple(power.rates(size) for power in powers))

    def _needed(self, model: Model) -> Iterator[Needed]:
        found = self.found.power(model, self.options)
        of_one_class = self.of_one_class and self.of_one_class.power(model, self.options)
        for power in POWERS:
            wanted = found.examples_to_fail(power)
            assert wanted is not None  # the loss is larger than what is allowed
            more = of_one_class.examples_to_fail(power) if of_one_class else None
            yield Needed(power=power, n_examples=wanted, n_of_one_class=more)


def round_sizes(least: float, most: float) -> list[int]:
    """List sizes of test sets, ten in each decade: 100, 130, 160, 200, ...

    Examples
    --------
    >>> round_sizes(100, 500)
    [100, 130, 160, 200, 250, 320, 400, 500]
    """
    exponents = range(floor(_PER_DECADE * log10(max(least, _FEWEST))), ceil(_PER_DECADE * log10(most)) + 1)
    return sorted({two_digits(10 ** (exponent / _PER_DECADE)) for exponent in exponents})


def two_digits(number: float) -> int:
    """Round to two digits that count.

    Examples
    --------
    >>> two_digits(1_766)
    1800
    """
    return int(float(f"{number:.1e}"))
