"""`plan`: the power of a gate by number of examples, checked by simulation.

Every test set has random numbers of its own, which depend on the seed and its place alone: however many processes share
the work, the decisions are the same.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from math import sqrt
from multiprocessing import get_context
from numbers import Integral
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.arguments import CompareOptions, of_arrays
from pytest_bayesf1.comparison.sampling import draw_delta
from pytest_bayesf1.comparison.subject import OutcomeSubject, fields_asked
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.data.prevalence import PrevalenceLike
from pytest_bayesf1.errors import InputError, arg, python_call, shown
from pytest_bayesf1.figures.picture_file import Pictured
from pytest_bayesf1.figures.pictures import power_plot
from pytest_bayesf1.figures.plot import Plot
from pytest_bayesf1.measures.classification import MeasureLike
from pytest_bayesf1.planning.pilot import (
    ClassNeeds,
    Needed,
    PlannedDesign,
    PlannedScenario,
    Population,
    Scenario,
    Scenarios,
    assumed_pilot,
    counted_pilot,
    rounded_up,
)
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import Asked
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.schema import Label, figures_of, plain
from pytest_bayesf1.stats.decision import Rope, RopeLike
from pytest_bayesf1.stats.looks import hdi_prob_at_look
from pytest_bayesf1.stats.posterior import SETTLED
from pytest_bayesf1.stats.power import DecisionRates
from pytest_bayesf1.text import MINUS, Scale, aligned, level, one_line, rope_width, scale_of
from pytest_bayesf1.values import as_float
from pytest_bayesf1.writing import json_text


@dataclass(frozen=True, kw_only=True)
class SimulatedRates:
    """What the gate itself decided on simulated test sets.

    Attributes
    ----------
    model
        What the two sides share.
    scenario
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

    model: Model
    scenario: str
    n_examples: int
    rates: DecisionRates
    mcse: float
    approximation: DecisionRates
    agrees: bool


@dataclass(frozen=True, kw_only=True)
class LookRates:
    """What repeated looks do to a gate, for one true difference.

    Attributes
    ----------
    scenario
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

    scenario: str
    failed_once: float
    failed_looking: float
    undecided: float
    n_labelled: float
    stopped: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Looks:
    """Test sets that are looked at whenever another equal part is labelled, until ≪, ≈ or ≫ settles them.

    Attributes
    ----------
    n_examples
        At each look.
    rates
        Of each scenario.
    """

    n_examples: tuple[int, ...]
    rates: tuple[LookRates, ...]


def look_rates(scenario: str, sizes: Sequence[int], decisions: Sequence[Sequence[Decision]]) -> LookRates:
    """Stop each test set at the first look that settles it; the decision at a single look comes last.

    Examples
    --------
    >>> fails, passes, open_ = Decision.MUCH_WORSE, Decision.EQUIVALENT, Decision.UNDECIDED
    >>> each_look_and_once = [(fails, open_, open_), (open_, passes, passes), (open_, open_, open_)]
    >>> rates = look_rates("no difference", (100, 200), each_look_and_once)
    >>> round(rates.failed_looking, 2), rates.failed_once, round(rates.n_labelled)
    (0.33, 0.0, 167)
    """
    last = len(sizes) - 1
    settled = [[decision in SETTLED for decision in each[:-1]] for each in decisions]
    stops = [each.index(True) if any(each) else last for each in settled]
    ends = [each[stop] for each, stop in zip(decisions, stops, strict=True)]
    settles = np.array([stop for each, stop in zip(settled, stops, strict=True) if each[stop]], dtype=np.int64)
    return LookRates(
        scenario=scenario,
        failed_once=_share([each[-1] is Decision.MUCH_WORSE for each in decisions]),
        failed_looking=_share([end is Decision.MUCH_WORSE for end in ends]),
        undecided=_share([end not in SETTLED for end in ends]),
        n_labelled=float(np.mean([sizes[stop] for stop in stops])),
        stopped=tuple((np.bincount(settles, minlength=len(sizes)) / len(decisions)).tolist()),
    )


def _share(hits: Sequence[bool]) -> float:
    return float(np.mean(hits))


_WAYS = {
    Model.PAIRED: "the same examples, both predictions kept (paired)",
    Model.SAME_SET: "the same examples, bare matrices (same-set)",
    Model.INDEPENDENT: "two test sets of that size (independent)",
}
_MOST_CLASSES = 10
_MOST_LOOKS = 6
_FIRST_DIGITS = ("1", "2", "5")
"""Tables list the sizes that consist of one of these and zeros."""
_ROUNDING = 1e-7
_WORTH_SAYING = 0.02
"""Of the examples that an allocation saves."""


class PlanTable(NamedTuple):
    """A table of texts under a title."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def _needed(plan: "Plan", scale: Scale) -> PlanTable:
    title = f"Examples needed to catch a loss of {_amount(plan.loss, scale)}"
    columns = ("tested on", *(f"in {level(need.power)} of test sets" for need in plan.designs[0].needed))
    rows = ((_WAYS[design.model], *map(_with_interval, design.needed)) for design in plan.designs)
    return PlanTable(title, columns, tuple(rows))


def _with_interval(need: Needed) -> str:
    pilots = "" if need.interval is None else " ({:,} to {:,})".format(*need.interval)
    return f"{need.n_examples:,}{pilots}, at worst {need.n_at_worst:,}"


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


def _simulation_table(plan: "Plan", scale: Scale) -> PlanTable:
    differences = {scenario.name: scenario.delta for scenario in plan.scenarios}
    columns = ("test", "true difference", "δ", *(decision.value for decision in Decision), "≪ by the approximation")
    rows = (
        (
            each.model.value,
            each.scenario,
            _signed(differences[each.scenario], scale),
            *(_percent(each.rates.of(decision)) for decision in Decision),
            f"{_percent(each.approximation.much_worse)}{'' if each.agrees else ' (off)'}",
        )
        for each in plan.simulated
    )
    title = f"What the gate itself decides on {plan.repetitions:,} simulated test sets of {plan.n_examples:,} examples"
    return PlanTable(title, columns, tuple(rows))


def _allocation(plan: "Plan") -> PlanTable:
    found = plan.allocation
    rows = (
        (one_line(each.label), f"{each.as_they_come:,}", f"{each.optimal:,}") for each in found.classes[:_MOST_CLASSES]
    )
    title = (
        f"With the best shares of the classes {found.n_optimal:,} examples are enough, instead of "
        f"{found.n_as_they_come:,} as they come ({_percent(found.saved)} fewer)"
    )
    if len(found.classes) > _MOST_CLASSES:
        title += f"; the {_MOST_CLASSES} classes that need most beyond their share"
    return PlanTable(title, ("class", "as they come", "best"), tuple(rows))


def _looks(looks: Looks) -> PlanTable:
    sizes = looks.n_examples
    columns = (
        "true difference",
        "fails, one look",
        f"fails, {len(sizes)} looks",
        "never settled",
        "labels",
        *(f"settled at {size:,}" for size in sizes[:_MOST_LOOKS]),
    )
    rows = (
        (
            each.scenario,
            _percent(each.failed_once),
            _percent(each.failed_looking),
            _percent(each.undecided),
            f"{each.n_labelled:,.0f}",
            *(_percent(share) for share in each.stopped[:_MOST_LOOKS]),
        )
        for each in looks.rates
    )
    return PlanTable(f"Looking after every {sizes[0]:,} examples, until ≪, ≈ or ≫", columns, tuple(rows))


def _amount(loss: float, scale: Scale) -> str:
    return scale.amount(f"{scale.factor * loss:.3g}")


def _signed(delta: float, scale: Scale) -> str:
    return "0" if abs(delta) < _ROUNDING else f"{scale.factor * delta:+.3g}".replace("-", MINUS)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Plan(Asked, Pictured):
    """What is to be expected of a gate on test sets that are not labelled yet.

    Attributes
    ----------
    measure, measure_words, custom_measure, rope, hdi_prob, prevalence, prior, seed
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
    n_examples
        The test set that was looked at closely.
    simulated : tuple of SimulatedRates
        What the gate itself decides on it; empty where nothing was simulated.
    repetitions
        Simulated test sets of each kind.
    allocation : ClassNeeds
        Which classes need more examples.
    looks : Looks or None
        What repeated looks do; None where one was asked for.

    Examples
    --------
    >>> from pytest_bayesf1 import plan
    >>> found = plan(shares={"ham": 0.8, "spam": 0.2}, accuracy=0.95, agreement=0.97, rope=0.01, repetitions=0)
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
    n_examples: int
    simulated: tuple[SimulatedRates, ...]
    repetitions: int
    allocation: ClassNeeds
    looks: Looks | None

    @property
    def headline(self) -> str:
        """The answer in one sentence, without its full stop."""
        need, scale = self.designs[0].needed[0], scale_of(custom_measure=self.custom_measure)
        apart = 2 * self.designs[-1].needed[0].n_examples
        return (
            f"To catch a loss of {_amount(self.loss, scale)} of {one_line(self.measure_words)} in {level(need.power)} "
            f"of test sets, where you allow {rope_width(self.rope, scale)}, you need {need.n_examples:,} examples that "
            f"both classifiers predict, or {need.n_at_worst:,} at worst. Two separate test sets "
            f"need {apart:,} labels in all, {apart / need.n_examples:.1f} times as many"
        )

    def notes(self) -> list[str]:
        """List what a careful reader should know beside the figures."""
        return list(self._notes())

    def _notes(self) -> Iterator[str]:
        yield f"Planned from {self.pilot}."
        if self.n_pilot == 0:
            yield "These numbers rest on your assumptions, which the plan cannot check."
        elif (first := self.designs[0].needed[0]).interval is not None:
            low, high = first.interval
            yield (
                f"The pilot is small: nine in ten pilots of its size would ask for {low:,} to {high:,} paired examples."
            )
        for each in self.simulated:
            if not each.agrees:
                yield (
                    f"On {each.n_examples:,} examples, {each.model}, {each.scenario}: the gate itself fails in "
                    f"{_percent(each.rates.much_worse)} of {self.repetitions:,} simulated test sets, and the "
                    f"approximation says {_percent(each.approximation.much_worse)}. Believe the simulation."
                )
        if self.allocation.saved >= _WORTH_SAYING:
            yield (
                "To give a class more examples, you must know an example's class before you label it, or label until "
                "the class has enough. The test set then has other class shares than production. Unless the measure "
                "only depends on recalls, state production's shares with prevalence."
            )
        if self.looks is not None:
            yield (
                f"These rates of {len(self.looks.n_examples)} looks hold for a gate that plans them: write looks and "
                "planned_examples into the gate file."
            )

    def tables(self) -> list[PlanTable]:
        """Write the figures as tables."""
        scale = scale_of(custom_measure=self.custom_measure)
        found = [_needed(self, scale)]
        found += [_curve(self, design, scale) for design in self.designs if design.model is not Model.SAME_SET]
        if self.simulated:
            found.append(_simulation_table(self, scale))
        if self.allocation.saved >= _WORTH_SAYING:
            found.append(_allocation(self))
        if self.looks is not None:
            found.append(_looks(self.looks))
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
        >>> plan(shares={"a": 0.5, "b": 0.5}, accuracy=0.9, agreement=0.95, rope=0.01, repetitions=0).to_dict()["loss"]
        0.02
        """
        return {**plain(figures_of(self, Plan)), "headline": self.headline, "notes": self.notes()}

    def to_json(self) -> str:
        """Write every figure as JSON.

        Examples
        --------
        >>> from pytest_bayesf1 import plan
        >>> found = plan(shares={"a": 0.5, "b": 0.5}, accuracy=0.9, agreement=0.95, rope=0.01, repetitions=0)
        >>> '"loss": 0.02' in found.to_json()
        True
        """
        return json_text(self.to_dict())

    @property
    def plot(self) -> Plot:
        """The probability of failing against the number of examples."""
        return power_plot(self)


N_DRAWS = 2_500
"""Of each simulated posterior, unless others are asked for: its HDI's bounds are known to about 1/20 of its spread."""

_PER_TASK = 10  # test sets that a process takes at once

Decisions: TypeAlias = list[list[Decision]]
"""Of each test set, at each look."""
Watch: TypeAlias = Callable[[Iterable[Decisions], int], Iterable[Decisions]]
"""Goes through so many parts of the work, and may show how far it is."""


@dataclass(frozen=True, eq=False)
class Trial:
    """Test sets of one population, read by one model, and looked at once or several times.

    Attributes
    ----------
    population
        Where they come from.
    labels
        The names of the classes.
    options
        Of the gate.
    model
        What the sides share.
    n_examples
        Of each test set in the end.
    n_looks
        How often each is looked at, whenever another equal part of it is labelled.
    key
        Numbers that tell this trial from others of the same seed.
    """

    population: Population
    labels: tuple[Label, ...]
    options: CompareOptions
    model: Model
    n_examples: int
    n_looks: int = 1
    key: tuple[int, ...] = ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """Examples that there are at each look."""
        return tuple(self.n_examples * (look + 1) // self.n_looks for look in range(self.n_looks))

    def decisions(self, repetition: int) -> list[Decision]:
        """Simulate one test set, and decide at every look by its level, and at last as if there were one look."""
        rng = np.random.default_rng([self.options.seed, *self.key, repetition])
        found, seen, before = [], None, 0
        for size in self.sizes:
            batch = self.population.experiment(self.model, size - before, rng)
            seen, before = batch if seen is None else _added(seen, batch), size
            if self.n_looks > 1:
                hdi_prob = hdi_prob_at_look(self.n_looks, size / self.n_examples, self.options.hdi_prob)
                found.append(self._decision(seen, hdi_prob))
        assert seen is not None
        return [*found, self._decision(seen, self.options.hdi_prob)]

    def _decision(self, experiment: Experiment, hdi_prob: float) -> Decision:
        """Decide as a gate does; where it cannot, for want of examples of a class, nothing is decided."""
        subject = OutcomeSubject(experiment.without_unsupported_classes(), self.labels, "")
        try:
            measure = subject.measure(self.options.measure)
        except InputError:
            return Decision.UNDECIDED
        (drawn,) = draw_delta(subject, replace(self.options, hdi_prob=hdi_prob), (measure,))
        return drawn.summary.decision


class Simulation(NamedTuple):
    """How a simulation is run.

    Attributes
    ----------
    repetitions
        Test sets of each trial.
    workers
        Processes; 1 stays in this one.
    watch
        Goes through the finished parts of the work, and may show how far it is.
    """

    repetitions: int
    workers: int
    watch: Watch

    def run(self, trials: list[Trial]) -> list[Decisions]:
        """Simulate all trials."""
        parts = range(0, self.repetitions, _PER_TASK)
        tasks = [(trial, start, min(start + _PER_TASK, self.repetitions)) for trial in trials for start in parts]
        found = iter(list(self.watch(self._answers(tasks), len(tasks))))
        return [[each for _ in parts for each in next(found)] for _ in trials]

    def _answers(self, tasks: list[tuple[Trial, int, int]]) -> Iterator[Decisions]:
        if self.workers == 1 or self.repetitions < _PER_TASK:  # so few are done before other processes have started
            yield from map(_simulated, tasks)
            return
        with ProcessPoolExecutor(self.workers, mp_context=get_context("spawn")) as pool:
            try:
                yield from pool.map(_simulated, tasks)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _simulated(task: tuple[Trial, int, int]) -> Decisions:
    trial, start, stop = task
    return [trial.decisions(repetition) for repetition in range(start, stop)]


def _added(before: Experiment, batch: Experiment) -> Experiment:
    """Add the counts of a batch to those that were seen before."""
    tables: tuple[OutcomeTable, ...] = tuple(
        old.plus(new) for old, new in zip(before.tables, batch.tables, strict=True)
    )
    return replace(before, tables=tables)


def unwatched(parts: Iterable[Decisions], n_parts: int) -> Iterable[Decisions]:  # noqa: ARG001
    """Do the work in silence."""
    return parts


_TOO_FAR = 0.05
"""By which the approximation may be wrong before a plan says so."""
_SIMULATED = (Model.PAIRED, Model.INDEPENDENT)
_ERRORS = 3
"""Monte Carlo standard errors that chance explains."""


def simulate(
    scenarios: Scenarios, n_examples: int, n_looks: int, simulation: Simulation
) -> tuple[tuple[SimulatedRates, ...], Looks | None]:
    """Try the gate on test sets of every scenario, paired and two that are independent; paired ones at several looks.

    The rates are of all examples at once; there are none of looks where one was asked for.
    """
    kinds = [(model, scenario) for model in _SIMULATED for scenario in scenarios.all]
    trials = [
        Trial(
            scenario.population,
            scenarios.pilot.labels,
            scenarios.options,
            model,
            n_examples,
            n_looks if model is Model.PAIRED else 1,
            key=(number,),
        )
        for number, (model, scenario) in enumerate(kinds)
    ]
    rates, looks = [], []
    for (model, scenario), trial, decisions in zip(kinds, trials, simulation.run(trials), strict=True):
        rates.append(_rates(scenario, model, trial, [each[-1] for each in decisions]))
        if trial.n_looks > 1:
            looks.append(look_rates(scenario.name, trial.sizes, decisions))
    return tuple(rates), Looks(n_examples=trials[0].sizes, rates=tuple(looks)) if n_looks > 1 else None


def _rates(scenario: Scenario, model: Model, trial: Trial, decisions: Sequence[Decision]) -> SimulatedRates:
    n = len(decisions)
    rates = DecisionRates(**{decision.name.lower(): decisions.count(decision) / n for decision in Decision})
    approximation = scenario.power(model, trial.options).rates(trial.n_examples)
    share, expected = rates.much_worse, approximation.much_worse
    by_chance = _ERRORS * max(_mcse(share, n), _mcse(expected, n))
    return SimulatedRates(
        model=model,
        scenario=scenario.name,
        n_examples=trial.n_examples,
        rates=rates,
        mcse=_mcse(share, n),
        approximation=approximation,
        agrees=abs(share - expected) <= _TOO_FAR + by_chance,
    )


def _mcse(share: float, n: int) -> float:
    return sqrt(share * (1 - share) / n)


REPETITIONS = 200
"""Test sets of each kind: the standard error of a power of 0.8 is then 3 points."""
_FEWEST = {"n_examples": 10, "repetitions": 0, "looks": 1, "workers": 1}
_MOST = {"n_examples": 10**9, "repetitions": 10**6, "looks": 100, "workers": 1_000}


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
    prior: str | Prior | None = None,
    seed: int | None = None,
    n_draws: int | None = None,
    n_examples: int | None = None,
    repetitions: int = REPETITIONS,
    looks: int = 1,
    workers: int = 1,
    progress: Watch | None = None,
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
    measure, rope, hdi_prob, prevalence, prior, seed
        Of the gate, as in `compare`; the prior has no observed examples. Test sets have the class shares of the
        pilot, whatever shares the gate scores them at.
    loss
        The loss that the gate is to find, a positive number beyond the ROPE; by default twice what is allowed.
    n_draws
        Of each simulated posterior; by default 2,500.
    n_examples
        The test set to look at closely; by default the one that finds the loss with probability 0.8 where both predict
        the same examples, by the approximation.
    repetitions
        Test sets of each kind that the gate itself is tried on; 0 for the approximation alone.
    looks
        How often the test set is looked at, whenever another equal part of it is labelled: by wider intervals at first,
        as a gate judges that has ``looks`` and ``planned_examples``.
    workers
        Processes that simulate. More than one need a measure that has a name, and a script that can be imported.
    progress
        Is called with the parts of the simulation and their number; goes through them, and may show how far it is.

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
    >>> found = plan(shares=classes, accuracy=0.95, agreement=0.97, measure="accuracy", rope=0.01, repetitions=0)
    >>> [need.n_examples for need in found.designs[0].needed]
    [3894, 5212]
    """
    counts = {"n_examples": n_examples, "repetitions": repetitions, "looks": looks, "workers": workers}
    checked = {name: _whole(name, value) for name, value in counts.items() if value is not None}
    asked = {"measure": measure, "rope": rope, "hdi_prob": hdi_prob, "prevalence": prevalence, "prior": prior}
    options = _options(**asked, seed=seed, n_draws=n_draws)
    if (baseline is None) == (shares is None):
        problem = "There is neither a pilot nor shares" if baseline is None else "There are a pilot and shares"
        in_call = 'shares={"ham": 0.8, "spam": 0.2}, accuracy=0.9, agreement=0.93'
        example = python_call(in_call, "--shares ham=0.8,spam=0.2 --accuracy 0.9 --agreement 0.93")
        raise InputError.plain(
            arg("baseline"), problem, f"Pass either a pilot, or what you suppose, such as {example}."
        )
    if baseline is None:
        pilot = assumed_pilot(shares, accuracy, agreement, options.measure, options.prevalence)
    else:
        pilot = counted_pilot(baseline, candidate, agreement, options.measure, options.prevalence)
    _require_sendable(options.measure, checked["workers"])
    scenarios = Scenarios.of(pilot, options, _loss(loss, options.rope))
    designs = scenarios.designs()
    size = checked.get("n_examples", rounded_up(designs[0].needed[0].n_examples))
    if checked["looks"] > size:
        raise InputError(arg("looks"), f"at most {size:,}, as there are examples", f"{checked['looks']}")
    if checked["repetitions"]:
        simulation = Simulation(checked["repetitions"], checked["workers"], progress or unwatched)
        rates, found_looks = simulate(scenarios, size, checked["looks"], simulation)
    elif checked["looks"] > 1:
        raise InputError(arg("repetitions"), "at least 1, to simulate looks", "0", "Leave it out, or ask for one look.")
    else:
        rates, found_looks = (), None
    return Plan(
        **fields_asked(
            pilot.measure,
            _subject(scenarios.found.population, pilot.labels),
            options,
            options.prior_for(scenarios.found.population.alternative.experiment),
        ),
        pilot=pilot.in_words,
        n_pilot=pilot.n_examples,
        loss=scenarios.loss,
        scenarios=tuple(scenario.figures(options.rope) for scenario in scenarios.all),
        designs=designs,
        n_examples=size,
        simulated=rates,
        repetitions=checked["repetitions"],
        allocation=scenarios.allocation(pilot.labels),
        looks=found_looks,
    )


def _subject(population: Population, labels: tuple[Label, ...]) -> OutcomeSubject:
    """Take a population for what was counted."""
    experiment = Experiment(Model.PAIRED, (population.table,), population=population.scored_at)
    return OutcomeSubject(experiment, labels, "")


def _options(**given: Any) -> CompareOptions:
    options = CompareOptions.resolve(**{**given, "n_draws": given["n_draws"] or N_DRAWS})
    if options.earlier is not None:
        raise InputError.plain(arg("prior"), "The prior has seen data already", "Plan from its counts.")
    return options


def _loss(given: Any, rope: Rope) -> float:
    expected = f"a positive number beyond the {-rope.low:g} that the ROPE allows"
    if given is None and rope.low == 0:
        raise InputError(arg("loss"), expected, "nothing")
    loss = -2 * rope.low if given is None else as_float(given)
    if loss is None or not -rope.low < loss < 1e6:
        raise InputError(
            arg("loss"), expected, shown(given), "Within the ROPE no number of examples makes a gate fail."
        )
    return loss


def _require_sendable(measure: MeasureLike, workers: int) -> None:
    """Refuse a function that other processes cannot import, such as one that a function made."""
    if workers == 1 or isinstance(measure, str):
        return
    try:
        pickle.dumps(measure)
    except (pickle.PicklingError, AttributeError, TypeError):
        advice = f"Define it in a module, or pass {arg('workers', 1)}."
        raise InputError.plain(arg("measure"), "Other processes cannot load this function", advice) from None


def _whole(name: str, value: Any) -> int:
    if isinstance(value, Integral) and not isinstance(value, bool) and _FEWEST[name] <= int(value) <= _MOST[name]:
        return int(value)
    raise InputError(arg(name), f"a whole number from {_FEWEST[name]:,} to {_MOST[name]:,}", shown(value))
