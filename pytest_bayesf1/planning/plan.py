"""`plan`: how many examples a gate needs, and what it decides by their number, by the first-order approximation.

A plan assumes a population: from a pilot or from stated shares and accuracies, with given losses.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, floor, log10, sqrt
from typing import Any, NamedTuple

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import AUTO, COMPARISONS, Model
from pytest_bayesf1.comparison.arguments import CompareOptions, Prevalence, PrevalenceLike, of_arrays
from pytest_bayesf1.comparison.design import at_prevalence, design_comparison, design_estimate
from pytest_bayesf1.comparison.subject import OutcomeSubject, fields_asked
from pytest_bayesf1.data.labels import row_labels
from pytest_bayesf1.data.outcomes import CommonShares, Experiment, OutcomeTable
from pytest_bayesf1.data.paired import PairedCounts
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.measures.classification import Measure, MeasureLike, parse_measure, require_defined
from pytest_bayesf1.results.comparison import Asked
from pytest_bayesf1.results.schema import Label, figures_of, plain
from pytest_bayesf1.stats.decision import Rope, RopeLike
from pytest_bayesf1.stats.power import Alternative, DecisionRates, NormalPower, ScoredSide
from pytest_bayesf1.text import MINUS, Scale, aligned, level, one_line, percent, rope_width, scale_of
from pytest_bayesf1.values import as_float, require_choice
from pytest_bayesf1.writing import json_text


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


_ROUNDING = 1e-7
"""How near a difference is to the one that a population was made for."""


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
        return PlannedScenario(name=self.name, delta=delta, agreement=agreement, allowed=delta >= rope.low - _ROUNDING)


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


_WAYS = {
    Model.PAIRED: "the same examples, both predictions kept (paired)",
    Model.SAME_SET: "the same examples, bare matrices (same-set)",
    Model.INDEPENDENT: "two test sets of that size (independent)",
}
_FIRST_DIGITS = ("1", "2", "5")
"""Tables list the sizes that consist of one of these and zeros."""


class PlanTable(NamedTuple):
    """A table of texts under a title."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def _examples(need: Needed) -> str:
    if need.n_of_one_class is None:
        return f"{need.n_examples:,}"
    return f"{need.n_examples:,}, rarest class alone {need.n_of_one_class:,}"


def _needed(plan: "Plan", scale: Scale) -> PlanTable:
    title = f"Examples needed to catch a loss of {_amount(plan.loss, scale)}"
    columns = ("tested on", *(f"in {level(need.power)} of test sets" for need in plan.designs[0].needed))
    rows = ((_WAYS[design.model], *map(_examples, design.needed)) for design in plan.designs)
    return PlanTable(title, columns, tuple(rows))


def _curve(plan: "Plan", design: PlannedDesign, scale: Scale) -> PlanTable:
    allowed = [place for place, each in enumerate(plan.scenarios) if each.allowed and each.delta < _ROUNDING]
    columns = (
        "examples",
        *(f"fails at {_signed(plan.scenarios[place].delta, scale)}" for place in allowed),
        f"misses {_signed(plan.scenarios[-1].delta, scale)}",
        "≈ at 0",
        "? at 0",
        f"? at {_signed(plan.scenarios[-1].delta, scale)}",
    )
    rows = (
        (
            f"{size.n_examples:,}",
            *(_percent(size.rates[place].much_worse) for place in allowed),
            _percent(1 - size.rates[-1].much_worse),
            _percent(size.rates[0].equivalent),
            _percent(size.rates[0].undecided),
            _percent(size.rates[-1].undecided),
        )
        for size in design.curve
        if str(size.n_examples).rstrip("0") in _FIRST_DIGITS
    )
    title = _WAYS[design.model]
    return PlanTable(f"{title[0].upper()}{title[1:]}: what to expect, by the approximation", columns, tuple(rows))


def _amount(loss: float, scale: Scale) -> str:
    return scale.amount(f"{scale.factor * loss:.3g}")


def _signed(delta: float, scale: Scale) -> str:
    return "0" if abs(delta) < _ROUNDING else f"{scale.factor * delta:+.3g}".replace("-", MINUS)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Plan(Asked):
    """What is to be expected of a gate on test sets that are not labelled yet.

    Attributes
    ----------
    measure, measure_words, custom_measure, rope, hdi_prob, prevalence
        Of the gate.
    pilot, n_pilot
        What the plan starts from, in words; and how many examples were counted.
    loss
        The loss that is to be found.
    scenarios : tuple of PlannedScenario
        Differences that may be the true one: the first is none, the last the loss that is to be found.
    designs : tuple of PlannedDesign
        Ways to test, the strongest first: the predictions of both on the same examples (paired), the confusion matrices
        of both on the same examples (same-set), two test sets (independent). Each with the examples that it needs and
        a curve of the decisions, by the first-order approximation.

    Examples
    --------
    >>> from pytest_bayesf1 import plan
    >>> found = plan(shares={"ham": 0.8, "spam": 0.2}, accuracy=0.95, agreement=0.97, rope=0.01)
    >>> found.measure, [design.model for design in found.designs]
    ('f1_macro', ['paired', 'same-set', 'independent'])
    >>> paired, _, independent = found.designs
    >>> [(each.power, each.n_examples < independent.needed[0].n_examples) for each in paired.needed]
    [(0.8, True), (0.9, True)]
    """

    pilot: str
    n_pilot: int
    loss: float
    scenarios: tuple[PlannedScenario, ...]
    designs: tuple[PlannedDesign, ...]

    @property
    def headline(self) -> str:
        """The answer in one sentence, without its full stop."""
        need, scale = self.designs[0].needed[0], scale_of(custom_measure=self.custom_measure)
        apart = 2 * self.designs[-1].needed[0].n_examples
        of_one_class = ""
        if need.n_of_one_class is not None:
            of_one_class = f", or {need.n_of_one_class:,} if the rarest class alone loses"
        return (
            f"To catch a loss of {_amount(self.loss, scale)} of {one_line(self.measure_words)} in {level(need.power)} "
            f"of test sets, where you allow {rope_width(self.rope, scale)}, you need {need.n_examples:,} examples that "
            f"both classifiers predict{of_one_class}. Two separate test sets "
            f"need {apart:,} labels in all, {apart / need.n_examples:.1f} times as many"
        )

    def notes(self) -> list[str]:
        """List what a careful reader should know beside the figures."""
        return list(self._notes())

    def _notes(self) -> Iterator[str]:
        yield f"Planned from {self.pilot}."
        if self.n_pilot == 0:
            yield "These numbers rest on your assumptions, which the plan cannot check."

    def tables(self) -> list[PlanTable]:
        """Write the figures as tables."""
        scale = scale_of(custom_measure=self.custom_measure)
        found = [_needed(self, scale)]
        found += [_curve(self, design, scale) for design in self.designs if design.model is not Model.SAME_SET]
        return found

    def __str__(self) -> str:
        """Write the answer, its tables and its notes."""
        parts = ["\n".join([table.title, *aligned([table.columns, *table.rows])]) for table in self.tables()]
        return "\n\n".join([f"{self.headline}.", *parts, "\n".join(self.notes())])

    def __repr__(self) -> str:
        """Write the measure, the loss and what finds it on one line."""
        return f"<Plan {self.measure} loss={self.loss:g} n={self.designs[0].needed[0].n_examples}>"

    def to_dict(self) -> dict[str, Any]:
        """Return every figure as plain data.

        Examples
        --------
        >>> from pytest_bayesf1 import plan
        >>> plan(shares={"a": 0.5, "b": 0.5}, accuracy=0.9, agreement=0.95, rope=0.01).to_dict()["loss"]
        0.02
        """
        return {**plain(figures_of(self, Plan)), "headline": self.headline, "notes": self.notes()}

    def to_json(self) -> str:
        """Write every figure as JSON.

        Examples
        --------
        >>> from pytest_bayesf1 import plan
        >>> found = plan(shares={"a": 0.5, "b": 0.5}, accuracy=0.9, agreement=0.95, rope=0.01)
        >>> '"loss": 0.02' in found.to_json()
        True
        """
        return json_text(self.to_dict())


@of_arrays("y_true", "baseline", "candidate")
def plan(
    baseline: Any = None,
    candidate: Any = None,
    *,
    agreement: float | None = None,
    shares: Mapping[Any, float] | None = None,
    accuracy: float | Mapping[Any, float] | None = None,
    measure: MeasureLike | None = None,
    rope: RopeLike | None = None,
    loss: float | None = None,
    hdi_prob: float | None = None,
    prevalence: PrevalenceLike | None = None,
) -> Plan:
    """Plan a test set: how probable each decision of a gate is, against the number of examples.

    Start from a pilot's predictions by both classifiers; from those of one, and how often the other agrees; or from
    shares of the classes, accuracies and an agreement.

    Parameters
    ----------
    baseline, candidate
        A pilot as `compare` takes it, both on the same examples; or counts of one side alone.
    agreement
        How often both predict the same, such as 0.9; leave it out if you pass the predictions of both.
    shares, accuracy
        In place of a pilot: the share of every class by its label, and how many of its examples are predicted rightly,
        one number or one by label. Errors fall on the other classes in proportion to their shares.
    measure, rope, hdi_prob, prevalence
        Of the gate, as in `compare`. Test sets have the class shares of the pilot, whatever shares the gate scores
        them at.
    loss
        The loss that the gate is to find, a positive number beyond the ROPE; by default twice what is allowed.

    Returns
    -------
    Plan
        What is to be expected of test sets of any size.

    Raises
    ------
    InputError
        When the pilot or an argument cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import plan
    >>> classes = {"ham": 0.8, "spam": 0.2}
    >>> found = plan(shares=classes, accuracy=0.95, agreement=0.97, measure="accuracy", rope=0.01)
    >>> [need.n_examples for need in found.designs[0].needed]
    [3894, 5212]
    """
    options = CompareOptions.resolve(measure=measure, rope=rope, hdi_prob=hdi_prob, prevalence=prevalence)
    if (baseline is None) == (shares is None):
        problem = "There is neither a pilot nor shares" if baseline is None else "There are a pilot and shares"
        supposed = "shares: {ham: 0.8, spam: 0.2}, accuracy: 0.9, agreement: 0.93"
        raise InputError.plain("baseline", problem, f"Pass either a pilot, or what you suppose, such as {supposed}.")
    if baseline is None:
        pilot = assumed_pilot(shares, accuracy, agreement, options.measure, options.prevalence)
    else:
        pilot = counted_pilot(baseline, candidate, agreement, options.measure, options.prevalence)
    scenarios = Scenarios.of(pilot, options, _loss(loss, options.rope))
    return Plan(
        **fields_asked(pilot.measure, _subject(scenarios.found.population, pilot.labels), options),
        pilot=pilot.in_words,
        n_pilot=pilot.n_examples,
        loss=scenarios.loss,
        scenarios=tuple(scenario.figures(options.rope) for scenario in scenarios.all),
        designs=scenarios.designs(),
    )


def _subject(population: Population, labels: tuple[Label, ...]) -> OutcomeSubject:
    """Take a population for what was counted."""
    experiment = Experiment(Model.PAIRED, (population.table,), population=population.scored_at)
    return OutcomeSubject(experiment, labels, "")


def _loss(given: Any, rope: Rope) -> float:
    expected = f"a positive number beyond the {-rope.low:g} that the ROPE allows"
    if given is None and rope.low == 0:
        raise InputError("loss", expected, "nothing")
    loss = -2 * rope.low if given is None else as_float(given)
    if loss is None or not -rope.low < loss < 1e6:
        raise InputError("loss", expected, shown(given), "Within the ROPE no number of examples makes a gate fail.")
    return loss
