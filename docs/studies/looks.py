"""What repeated looks at a growing test set do to a gate: false failures, losses found, and labels that are saved.

From the root of the repository: ``python -m docs.studies.looks --repetitions 1000 > tables``.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import sqrt

from pytest_bayesf1._util import counted
from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.planning.pilot import Scenario, Scenarios, assumed_pilot, two_digits
from pytest_bayesf1.planning.plan import N_DRAWS, Answers, Simulation, Trial, look_rates
from pytest_bayesf1.settings import Model

ROPE, LOSS = 0.01, 0.03
SHARES, ACCURACY, AGREEMENT = {0: 0.7, 1: 0.3}, 0.9, 0.95
MOST_LOOKS = 10
SCHEDULES = (1, 2, 5, 10)
"""Each of these looks is one of the ten: the same test sets serve for all."""
HDI_PROBS = (0.95, 0.99)


def stated(hdi_prob: float) -> Scenarios:
    """Make populations without a loss, with those that are tolerated, and with one that is to be found."""
    options = CompareOptions.resolve(measure="f1", rope=ROPE, hdi_prob=hdi_prob, n_draws=N_DRAWS)
    return Scenarios.of(assumed_pilot(SHARES, ACCURACY, AGREEMENT, options.measure), options, LOSS)


def simulated(scenarios: Scenarios, scenario: Scenario, n_examples: int, simulation: Simulation) -> Answers:
    """Look ten times at every test set."""
    trial = Trial(scenario.population, scenarios.pilot.labels, scenarios.options, Model.PAIRED, n_examples, MOST_LOOKS)
    (decisions,) = simulation.run([replace(trial, key=(scenarios.all.index(scenario),))])
    return decisions


def lines(hdi_prob: float, simulation: Simulation) -> Iterator[str]:
    """Write the table of an HDI."""
    scenarios = stated(hdi_prob)
    needed = scenarios.found.power(Model.PAIRED, scenarios.options).examples_to_fail(0.8)
    assert needed is not None
    size = MOST_LOOKS * (two_digits(needed) // MOST_LOOKS)
    yield f"### {100 * hdi_prob:g}% HDI: {size:,} examples in all\n"
    yield "| true δ | looks | fails | passes (≈, ≫) | never settled | labels |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for scenario in scenarios.all:
        decisions = simulated(scenarios, scenario, size, simulation)
        for looks in SCHEDULES:
            step = MOST_LOOKS // looks
            sizes = [size * (look + 1) // looks for look in range(looks)]
            found = look_rates(scenario.name, sizes, [each[step - 1 :: step] for each in decisions])
            passes = 1 - found.failed_looking - found.undecided
            shares = (f"{100 * share:.1f}" for share in (found.failed_looking, abs(passes), found.undecided))
            delta = f"{100 * scenario.population.delta:+.1f} points" if scenario.population.delta < -1e-6 else "none"
            yield f"| {delta} | {looks} | {' | '.join(shares)} | {found.n_labelled:,.0f} |"
    yield ""


def _with_progress(parts: Iterable[Answers], n_parts: int) -> Iterator[Answers]:
    for number, part in enumerate(parts, start=1):
        if number % 10 == 0:
            print(f"{number} of {n_parts}", file=sys.stderr, flush=True)
        yield part


def main() -> None:
    """Print a table for each HDI, and progress to the standard error."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100, help="test sets of each true difference")
    parser.add_argument("--hdi-probs", type=float, nargs="+", default=list(HDI_PROBS))
    parser.add_argument("--workers", type=int, default=1, help="processes")
    given = parser.parse_args()
    simulation = Simulation(given.repetitions, given.workers, _with_progress)
    rare, even = (100 * sqrt(rate * (1 - rate) / given.repetitions) for rate in (0.025, 0.5))
    sets = counted(given.repetitions, "test set")
    print(f"{sets} each; the standard error of a rate is {rare:.1f} at 2.5% and {even:.1f} at 50%.\n")
    for hdi_prob in given.hdi_probs:
        print("\n".join(lines(hdi_prob, simulation)), flush=True)


if __name__ == "__main__":
    main()
