"""`plan`: how many examples a gate needs, before they are labelled."""

import pickle
from collections.abc import Mapping
from numbers import Integral
from typing import Any

from pytest_bayesf1._util import as_float, shown
from pytest_bayesf1.comparison.options import CompareOptions
from pytest_bayesf1.comparison.planning.pilot import assumed_pilot, counted_pilot
from pytest_bayesf1.comparison.planning.result import Plan
from pytest_bayesf1.comparison.planning.simulation import N_DRAWS, Simulation, Watch, unwatched
from pytest_bayesf1.comparison.planning.trials import Tried, tried
from pytest_bayesf1.comparison.planning.truths import Truths, rounded_up
from pytest_bayesf1.comparison.positional import TWO_SIDES, positional
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import MeasureLike
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.stats.decision import Rope, RopeLike

REPETITIONS = 200
"""Test sets of each kind: the standard error of a power of 0.8 is then 3 points."""
_FEWEST = {"n_examples": 10, "repetitions": 0, "looks": 1, "workers": 1}
_MOST = {"n_examples": 10**9, "repetitions": 10**6, "looks": 100, "workers": 1_000}


@positional(TWO_SIDES)
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
        How often both predict the same, such as 0.9, where no predictions of both tell it.
    shares, accuracy
        In place of a pilot: the share of every class by its label, and how many of its examples are predicted rightly,
        one number or one by label. Errors fall on the other classes in proportion to their shares.
    measure, rope, hdi_prob, prior, seed
        Of the gate, as in `compare`; the prior has no examples of its own.
    loss
        The loss that the gate is to find, a positive number beyond the ROPE; by default twice what is tolerated.
    n_draws
        Of each simulated posterior; by default 2,500.
    n_examples
        The test set to look at closely; by default the one that finds the loss with probability 0.8 where both predict
        the same examples, by the approximation.
    repetitions
        Test sets of each kind that the gate itself is tried on; 0 for the approximation alone.
    looks
        How often the test set is looked at, whenever another equal part of it is labelled.
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
    [2324, 3111]
    """
    counts = {"n_examples": n_examples, "repetitions": repetitions, "looks": looks, "workers": workers}
    checked = {name: _whole(name, value) for name, value in counts.items() if value is not None}
    options = _options(measure=measure, rope=rope, hdi_prob=hdi_prob, prior=prior, seed=seed, n_draws=n_draws)
    if (baseline is None) == (shares is None):
        raise InputError(
            "baseline", "a pilot, or shares of the classes in its place", "neither" if baseline is None else "both"
        )
    if baseline is None:
        pilot = assumed_pilot(shares, accuracy, agreement, options.measure)
    else:
        pilot = counted_pilot(baseline, candidate, agreement, options.measure)
    _require_sendable(options.measure, checked["workers"])
    truths = Truths.of(pilot, options, _loss(loss, options.rope))
    designs = truths.designs()
    size = checked.get("n_examples", rounded_up(designs[0].needed[0].n_examples))
    if checked["looks"] > size:
        raise InputError("looks", f"no more than there are examples, {size:,}", f"{checked['looks']}")
    if checked["repetitions"]:
        simulation = Simulation(checked["repetitions"], checked["workers"], progress or unwatched)
        found = tried(truths, size, checked["looks"], simulation)
    elif checked["looks"] > 1:
        raise InputError("repetitions", "some, for looks are simulated", "0", "Leave it out, or ask for one look.")
    else:
        found = Tried((), None)
    return Plan(
        measure=pilot.measure.name,
        measure_words=pilot.measure.words,
        custom_measure=not pilot.measure.bounded,
        rope=(options.rope.low, options.rope.high),
        hdi_prob=options.hdi_prob,
        prior=str(options.prior_for(truths.found.population.truth.experiment)),
        seed=options.seed,
        pilot=pilot.in_words,
        n_pilot=pilot.n_examples,
        loss=truths.loss,
        truths=tuple(truth.figures(options.rope) for truth in truths.all),
        designs=designs,
        n_examples=size,
        simulated=found.rates,
        repetitions=checked["repetitions"],
        allocation=truths.allocation(pilot.labels),
        looks=found.looks,
    )


def _options(**given: Any) -> CompareOptions:
    options = CompareOptions.resolve(**{**given, "n_draws": given["n_draws"] or N_DRAWS})
    if options.earlier is not None:
        raise InputError("prior", "a prior that has seen nothing yet", str(options.prior), "Plan from its counts.")
    return options


def _loss(given: Any, rope: Rope) -> float:
    expected = f"a positive number beyond the {-rope.low:g} that the ROPE tolerates"
    if given is None and rope.low == 0:
        raise InputError("loss", expected, "nothing")
    loss = -2 * rope.low if given is None else as_float(given)
    if loss is None or not -rope.low < loss < 1e6:
        raise InputError("loss", expected, shown(given), "Within the ROPE no number of examples makes a gate fail.")
    return loss


def _require_sendable(measure: MeasureLike, workers: int) -> None:
    """Refuse a function that other processes cannot import, such as one that a function made."""
    if workers == 1 or isinstance(measure, str):
        return
    try:
        pickle.dumps(measure)
    except (pickle.PicklingError, AttributeError, TypeError):
        expected = "1, for a measure that is no function of a module"
        raise InputError("workers", expected, f"{workers}") from None


def _whole(name: str, value: Any) -> int:
    if isinstance(value, Integral) and not isinstance(value, bool) and _FEWEST[name] <= int(value) <= _MOST[name]:
        return int(value)
    raise InputError(name, f"a whole number from {_FEWEST[name]:,} to {_MOST[name]:,}", shown(value))
