"""`plan`: how many examples a gate needs, and what it decides by their number, by the first-order approximation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.arguments import CompareOptions, PrevalenceLike, of_arrays
from pytest_bayesf1.comparison.subject import OutcomeSubject, fields_asked
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.measures.classification import MeasureLike
from pytest_bayesf1.planning.pilot import (
    Needed,
    PlannedDesign,
    PlannedScenario,
    Population,
    Scenarios,
    assumed_pilot,
    counted_pilot,
)
from pytest_bayesf1.results.comparison import Asked
from pytest_bayesf1.results.schema import Label, figures_of, plain
from pytest_bayesf1.stats.decision import Rope, RopeLike
from pytest_bayesf1.text import MINUS, Scale, aligned, level, one_line, rope_width, scale_of
from pytest_bayesf1.values import as_float
from pytest_bayesf1.writing import json_text

_WAYS = {
    Model.PAIRED: "the same examples, both predictions kept (paired)",
    Model.SAME_SET: "the same examples, bare matrices (same-set)",
    Model.INDEPENDENT: "two test sets of that size (independent)",
}
_FIRST_DIGITS = ("1", "2", "5")
"""Tables list the sizes that consist of one of these and zeros."""
_ROUNDING = 1e-7


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
