"""What the gate itself decides on simulated test sets, looked at once or several times."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from pytest_bayesf1.comparison.planning.looks import look_rates
from pytest_bayesf1.comparison.planning.simulation import Simulation, Trial
from pytest_bayesf1.comparison.planning.truths import Truth, Truths
from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.results.other import DecisionRates, Looks, SimulatedRates
from pytest_bayesf1.settings import Model

_TOO_FAR = 0.05
"""By which the approximation may be wrong before a plan says so."""
_TRIED = (Model.PAIRED, Model.INDEPENDENT)
_ERRORS = 3
"""Monte Carlo standard errors that chance explains."""


@dataclass(frozen=True)
class Tried:
    """What came of the trials.

    Attributes
    ----------
    rates
        Of each way to test and each truth, all examples at once.
    looks
        What repeated looks do where both sides predict the same examples; None where one was asked for.
    """

    rates: tuple[SimulatedRates, ...]
    looks: Looks | None


def tried(truths: Truths, n_examples: int, n_looks: int, simulation: Simulation) -> Tried:
    """Try the gate on test sets of every truth, paired and two that are independent.

    Parameters
    ----------
    truths
        The differences that may be the true ones.
    n_examples
        Of each test set.
    n_looks
        How often the paired ones are looked at.
    simulation
        How many test sets there are, and who computes.
    """
    kinds = [(model, truth) for model in _TRIED for truth in truths.all]
    trials = [
        Trial(
            truth.population,
            truths.pilot.labels,
            truths.options,
            model,
            n_examples,
            n_looks if model is Model.PAIRED else 1,
            key=(number,),
        )
        for number, (model, truth) in enumerate(kinds)
    ]
    decided = list(zip(kinds, trials, simulation.run(trials), strict=True))
    rates = tuple(
        _rates(truth, model, trial, [each[-1] for each in decisions]) for (model, truth), trial, decisions in decided
    )
    if n_looks == 1:
        return Tried(rates, None)
    paired = [(truth.name, trial.sizes, found) for (model, truth), trial, found in decided if model is Model.PAIRED]
    return Tried(rates, Looks(n_examples=paired[0][1], rates=tuple(look_rates(*each) for each in paired)))


def _rates(truth: Truth, model: Model, trial: Trial, decisions: Sequence[Decision]) -> SimulatedRates:
    share = {decision.name.lower(): decisions.count(decision) / len(decisions) for decision in Decision}
    rates, approximation = DecisionRates(**share), truth.power(model, trial.options).rates(trial.n_examples)
    return SimulatedRates(
        model=model,
        truth=truth.name,
        n_examples=trial.n_examples,
        rates=rates,
        mcse=_mcse(rates.much_worse, len(decisions)),
        approximation=approximation,
        agrees=_agrees(rates.much_worse, approximation.much_worse, len(decisions)),
    )


def _mcse(share: float, n: int) -> float:
    return sqrt(share * (1 - share) / n)


def _agrees(share: float, expected: float, n: int) -> bool:
    return abs(share - expected) <= _TOO_FAR + _ERRORS * max(_mcse(share, n), _mcse(expected, n))
