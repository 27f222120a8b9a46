"""What repeated looks at a growing test set do to a gate: false failures, losses found, and labels that are saved.

From the root of the repository: ``python -m benchmarks.studies.looks --repetitions 1000 > tables``.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import product
from math import sqrt

from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.planning.pilot import Scenarios, assumed_pilot, two_digits
from pytest_bayesf1.planning.plan import N_DRAWS, Decisions, Simulation, Trial, look_rates
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.text import counted

ROPE, LOSS = 0.01, 0.03
SHARES, ACCURACY, AGREEMENT = {0: 0.7, 1: 0.3}, 0.9, 0.95
MOST_LOOKS = 12
SCHEDULES = (1, 2, 4, 12)
"""How often each test set is looked at."""


class Unplanned(Trial):
    """A gate that judges every look as if it were the only one."""

    def _decision(self, experiment: Experiment, hdi_prob: float) -> Decision:  # noqa: ARG002
        return super()._decision(experiment, self.options.hdi_prob)


def stated() -> Scenarios:
    """Make populations without a loss, with those that are tolerated, and with one that is to be found."""
    options = CompareOptions.resolve(measure="f1", rope=ROPE, n_draws=N_DRAWS)
    return Scenarios.of(assumed_pilot(SHARES, ACCURACY, AGREEMENT, options.measure), options, LOSS)


def lines(simulation: Simulation) -> Iterator[str]:
    """Write a table, without and with a plan of looks."""
    scenarios = stated()
    needed = scenarios.found.power(Model.PAIRED, scenarios.options).examples_to_fail(0.8)
    assert needed is not None
    size = MOST_LOOKS * (two_digits(needed) // MOST_LOOKS)
    yield f"### {size:,} examples in all\n"
    yield "| true δ | looks | planned | fails | passes (≈, ≫) | never settled | labels |"
    yield "| --- | ---: | --- | ---: | ---: | ---: | ---: |"
    for number, scenario in enumerate(scenarios.all):
        for looks, kind in product(SCHEDULES, (Unplanned, Trial)):
            if looks == 1 and kind is Trial:
                continue
            trial = kind(
                scenario.population, scenarios.pilot.labels, scenarios.options, Model.PAIRED, size, looks, (number,)
            )
            (decisions,) = simulation.run([trial])
            found = look_rates(scenario.name, trial.sizes, decisions if looks > 1 else [2 * each for each in decisions])
            passes = 1 - found.failed_looking - found.undecided
            shares = (f"{100 * share:.1f}" for share in (found.failed_looking, abs(passes), found.undecided))
            delta = f"{100 * scenario.population.delta:+.1f} points" if scenario.population.delta < -1e-6 else "none"
            planned = "" if looks == 1 else "yes" if kind is Trial else "no"
            yield f"| {delta} | {looks} | {planned} | {' | '.join(shares)} | {found.n_labelled:,.0f} |"
    yield ""


def _with_progress(parts: Iterable[Decisions], n_parts: int) -> Iterator[Decisions]:
    for number, part in enumerate(parts, start=1):
        if number % 10 == 0:
            print(f"{number} of {n_parts}", file=sys.stderr, flush=True)
        yield part


def main() -> None:
    """Print a table for each HDI, and progress to the standard error."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100, help="test sets of each true difference")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    given = parser.parse_args()
    simulation = Simulation(given.repetitions, given.workers, _with_progress)
    rare, even = (100 * sqrt(rate * (1 - rate) / given.repetitions) for rate in (0.025, 0.5))
    sets = counted(given.repetitions, "test set")
    print(f"{sets} each; the standard error of a rate is {rare:.1f} at 2.5% and {even:.1f} at 50%.\n")
    for line in lines(simulation):
        print(line, flush=True)


if __name__ == "__main__":
    main()
