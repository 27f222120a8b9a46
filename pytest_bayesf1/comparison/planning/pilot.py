"""What is known before the examples are labelled: the predictions of a pilot, or what somebody takes for granted."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from pytest_bayesf1._util import as_float, percent, require_choice, shown
from pytest_bayesf1.comparison.design import Design, design_comparison, design_estimate
from pytest_bayesf1.comparison.planning.population import Population
from pytest_bayesf1.comparison.sides import Sides
from pytest_bayesf1.data.labels import Label, row_labels
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.data.paired import PairedCounts
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import Measure, MeasureLike, parse_measure, require_defined
from pytest_bayesf1.settings import AUTO, Model

_MOST_OUTCOMES = 1_000_000
_ADD_UP = 0.005  # shares that were rounded to two digits

ByClass: TypeAlias = Mapping[Any, float]


@dataclass(frozen=True, eq=False)
class Pilot:
    """What a plan starts from.

    Attributes
    ----------
    table
        The outcomes of both sides, or of one; counted, or probabilities that were taken for granted.
    labels
        The names of the classes.
    measure
        What the sides are to be compared by.
    n_examples
        Examples that were counted; 0 where all was taken for granted.
    agreement
        How often both are taken to predict the same; None where that was counted.
    """

    table: OutcomeTable
    labels: tuple[Label, ...]
    measure: Measure
    n_examples: int
    agreement: float | None

    @property
    def has_both_sides(self) -> bool:
        """Whether the table tells what either side predicts."""
        return self.table.n_sides == 2

    @property
    def population(self) -> Population:
        """The population in which all is as in the pilot."""
        if self.has_both_sides:
            return Population.seen(self.table, self.measure)
        assert self.agreement is not None
        side = replace(self.table, count=self.table.count / self.table.count.sum())
        return Population(with_another(side, self.agreement), self.measure)

    def redrawn(self, rng: np.random.Generator) -> "Pilot":
        """Return a pilot that might as well have been: every example weighs as much as chance says (Rubin 1981).

        Parameters
        ----------
        rng
            The random numbers.
        """
        if self.n_examples == 0:
            return self
        return replace(self, table=replace(self.table, count=rng.standard_gamma(self.table.count)))

    @property
    def in_words(self) -> str:
        """What it is, for people."""
        if self.agreement is None:
            return f"the predictions of both on {self.n_examples:,} examples"
        taken = f"an agreement of {percent(self.agreement)} taken for granted"
        if self.n_examples == 0:
            return f"shares of the classes, accuracies and {taken}"
        if self.has_both_sides:
            return f"the confusion matrices of both on {self.n_examples:,} examples, and {taken}"
        return f"one classifier's outcomes on {self.n_examples:,} examples, and {taken}"


def counted_pilot(baseline: Any, candidate: Any, agreement: Any, measure: MeasureLike) -> Pilot:
    """Take counted outcomes for a pilot.

    Parameters
    ----------
    baseline, candidate
        What `compare` takes, both on the same examples; or one side's counts alone.
    agreement
        How often both predict the same, where their predictions do not tell.
    measure
        A name or a function.

    Raises
    ------
    InputError
        When these cannot be used, or are not enough.
    """
    both = candidate is not None or isinstance(baseline, PairedCounts | Sides)
    stated = None if both and agreement is None else checked_agreement(agreement)
    if both:
        design = design_comparison(baseline, candidate, AUTO, agreement=None if stated is None else (stated, stated))
    else:
        design = design_estimate(baseline)
    _require_single_examples(design.experiment)
    if both and design.experiment.model is not Model.PAIRED:
        advice = "Build both sides with from_predictions; or say how often they agree: agreement=0.9."
        raise InputError("candidate", "predictions on the same examples", design.reason, advice)
    table, chosen = design.experiment.tables[0], _measure(measure, design)
    return Pilot(table, design.labels, chosen, table.n_samples, stated)


def assumed_pilot(shares: Any, accuracy: Any, agreement: Any, measure: MeasureLike) -> Pilot:
    """Take for granted what nobody has counted.

    Parameters
    ----------
    shares
        The share of each class, by its label.
    accuracy
        The share that is predicted rightly: of all classes alike, or of each by its label. Errors fall on the other
        classes in proportion to their shares.
    agreement
        How often the other side predicts the same.
    measure
        A name or a function.

    Raises
    ------
    InputError
        When a number is missing or cannot be one.
    """
    proportions = _shares(shares)
    labels = row_labels(list(proportions), len(proportions))
    mu = np.array(list(proportions.values()))
    recalls = np.array([_accuracy(accuracy, label, labels) for label in labels])
    others = np.where(np.eye(mu.size, dtype=bool), 0.0, mu)
    others /= others.sum(axis=1, keepdims=True)
    matrix = mu[:, None] * (np.diag(recalls) + (1 - recalls)[:, None] * others)
    cells = matrix.nonzero()
    table = OutcomeTable.tally(mu.size, *cells, weight=matrix[cells])
    design = Design(Experiment(Model.SINGLE, (table,)), labels, "")
    return Pilot(table, labels, _measure(measure, design), 0, checked_agreement(agreement))


def with_another(side: OutcomeTable, agreement: float) -> OutcomeTable:
    """Set another side with the same confusion matrix beside one.

    In most examples it repeats the prediction; in the others it makes one afresh, as likely right and as likely wrong.

    Parameters
    ----------
    side
        Probabilities of one side's outcomes.
    agreement
        How often both predict the same.

    Raises
    ------
    InputError
        When two independent sides would agree more often.
    """
    true, (predicted,), share = side.true, side.predicted, side.count
    within = share / side.row_totals[true]
    by_chance = float(share @ within)
    if agreement < by_chance:
        expected = f"{percent(by_chance)} or more, which two such classifiers would agree on if they were independent"
        raise InputError("agreement", expected, percent(agreement))
    sizes = np.bincount(true, minlength=side.n_classes)
    if (sizes**2).sum() > _MOST_OUTCOMES:
        advice = "Pass the predictions of both, on however few examples."
        raise InputError("baseline", f"fewer than {_MOST_OUTCOMES:,} possible outcomes of both sides", "more", advice)
    afresh = (1 - agreement) / (1 - by_chance)
    first = np.repeat(np.arange(true.size), sizes[true])  # each outcome beside every one of its class
    starts = np.concatenate([[0], np.cumsum(sizes)])[true]
    second = np.arange(first.size) - np.repeat(np.cumsum(sizes[true]) - sizes[true], sizes[true])
    second += starts[first]
    probability = share[first] * (afresh * within[second] + (1 - afresh) * (first == second))
    return OutcomeTable.tally(side.n_classes, true[first], predicted[first], predicted[second], weight=probability)


def checked_agreement(value: Any) -> float:
    """Return the agreement that is taken for granted.

    Parameters
    ----------
    value
        What a call gives.

    Raises
    ------
    InputError
        When it is no share below 1.
    """
    expected = "how often both predict the same, such as 0.9"
    if value is None:
        advice = "Only the predictions of both on the same examples tell it."
        raise InputError("agreement", expected, "nothing", advice)
    agreement = as_float(value)
    if agreement is None or not 0 <= agreement < 1:
        advice = "Two that never differ need no test." if agreement == 1 else ""
        raise InputError("agreement", expected, shown(value), advice)
    return agreement


def _require_single_examples(experiment: Experiment) -> None:
    expected, advice = "", ""
    if experiment.multilabel:
        found, advice = "labels or spans", "Plan for the one that matters most, as a problem of two classes."
        expected = "one class per example"
    elif experiment.units or experiment.trainings:
        found, advice = "units that hold several", "Leave clusters and runs out, and take the plan for a lower bound."
        expected = "examples that are drawn on their own"
    if expected:
        raise InputError("baseline", expected, found, advice)


def _measure(measure: MeasureLike, design: Design) -> Measure:
    chosen = parse_measure(measure, design.labels, true_labels=design.true_labels)
    require_defined(design.experiment, design.labels, chosen)
    return chosen


def _shares(given: Any) -> dict[Label, float]:
    expected = "the share of every class by its label, such as {'ham': 0.9, 'spam': 0.1}"
    if not isinstance(given, Mapping):
        raise InputError("shares", expected, shown(given))
    found = {label: as_float(share) for label, share in given.items()}
    known = {label: share for label, share in found.items() if share is not None and 0 < share < 1}
    for label in found:
        if label not in known:
            raise InputError(f"shares[{label!r}]", "a number between 0 and 1", shown(given[label]))
    if abs(sum(known.values()) - 1) > _ADD_UP:
        raise InputError("shares", f"{expected}; they add up to 1", f"{sum(known.values()):g} in all")
    return {label: share / sum(known.values()) for label, share in known.items()}


def _accuracy(given: Any, label: Label, labels: tuple[Label, ...]) -> float:
    expected = "the share that is predicted rightly, such as 0.9, of all classes or of each by its label"
    value = given
    if isinstance(given, Mapping):
        for name in given:
            require_choice("accuracy", str(name), map(str, labels))
        value = given.get(label)
    accuracy = as_float(value)
    if accuracy is None or not 0 < accuracy <= 1:
        where = f"accuracy[{label!r}]" if isinstance(given, Mapping) else "accuracy"
        raise InputError(where, expected, "nothing" if value is None else shown(value))
    return accuracy
