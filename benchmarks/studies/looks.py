"""What repeated looks at a growing test set do to a gate: false failures, losses found, and labels that are saved.

From the root of the repository: ``python -m benchmarks.studies.looks --repetitions 1000 > tables``.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt

import numpy as np

from pytest_bayesf1 import Decision, PairedCounts, compare
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.planning.plan import Population, Scenarios, assumed_pilot, two_digits
from pytest_bayesf1.stats.looks import hdi_prob_at_look
from pytest_bayesf1.stats.posterior import SETTLED
from pytest_bayesf1.text import counted

ROPE, LOSS, HDI_PROB = 0.01, 0.03, 0.95
SHARES, ACCURACY, AGREEMENT = {0: 0.7, 1: 0.3}, 0.9, 0.95
N_DRAWS = 2_500
"""Of each posterior: its HDI's bounds are known to about 1/20 of its spread."""
MOST_LOOKS = 12
SCHEDULES = ((1, False), (2, False), (2, True), (4, False), (4, True), (12, False), (12, True))
"""How often each test set is looked at, and whether the gate plans it."""


@dataclass(frozen=True)
class Course:
    """How test sets of a population grow, and how they are looked at."""

    number: int
    population: Population
    n_examples: int
    looks: int
    planned: bool

    def end(self, repetition: int) -> tuple[Decision, int]:
        """Look at one test set until a look settles it; return what was decided last, and from how many labels."""
        rng = np.random.default_rng([0, self.number, repetition])
        seen, size = drawn(self.population, self.n_examples // self.looks, rng), self.n_examples // self.looks
        decision = self._decision(seen, size)
        for look in range(2, self.looks + 1):
            if decision in SETTLED:
                break
            before, size = size, self.n_examples * look // self.looks
            seen = seen.plus(drawn(self.population, size - before, rng))
            decision = self._decision(seen, size)
        return decision, size

    def _decision(self, seen: OutcomeTable, size: int) -> Decision:
        prob = hdi_prob_at_look(self.looks, size / self.n_examples, HDI_PROB) if self.planned else HDI_PROB
        pairs = PairedCounts.from_table(seen, tuple(SHARES))
        return compare(pairs, measure="f1", rope=ROPE, hdi_prob=prob, n_draws=N_DRAWS).decision


def drawn(population: Population, n_examples: int, rng: np.random.Generator) -> OutcomeTable:
    """Draw a test set."""
    table, count = population.table, rng.multinomial(n_examples, population.table.count)
    kept = count > 0
    return replace(table, true=table.true[kept], predicted=table.predicted[:, kept], count=count[kept])


def lines(repetitions: int, workers: int) -> Iterator[str]:
    """Write a table, without and with a plan of looks."""
    options = CompareOptions.resolve(measure="f1", rope=ROPE)
    scenarios = Scenarios.of(assumed_pilot(SHARES, ACCURACY, AGREEMENT, "f1"), options, LOSS)
    needed = scenarios.found.power(Model.PAIRED, options).examples_to_fail(0.8)
    assert needed is not None
    size = MOST_LOOKS * (two_digits(needed) // MOST_LOOKS)
    yield f"### {size:,} examples in all\n"
    yield "| true δ | looks | planned | fails | passes (≈, ≫) | never settled | labels |"
    yield "| --- | ---: | --- | ---: | ---: | ---: | ---: |"
    with ProcessPoolExecutor(workers) as pool:
        for number, scenario in enumerate(scenarios.all):
            for looks, planned in SCHEDULES:
                course = Course(number, scenario.population, size, looks, planned)
                ends = list(pool.map(partial(Course.end, course), range(repetitions), chunksize=10))
                yield _row(course, ends)
                print(f"{scenario.name}: {looks} looks done", file=sys.stderr, flush=True)
    yield ""


def _row(course: Course, ends: list[tuple[Decision, int]]) -> str:
    decisions = [decision for decision, _ in ends]
    failed = decisions.count(Decision.MUCH_WORSE)
    settled = sum(decision in SETTLED for decision in decisions)
    counts = (failed, settled - failed, len(ends) - settled)
    shares = " | ".join(f"{100 * count / len(ends):.1f}" for count in counts)
    delta = course.population.delta
    words = f"{100 * delta:+.1f} points" if delta < -1e-6 else "none"
    planned = "" if course.looks == 1 else "yes" if course.planned else "no"
    labels = np.mean([n_labelled for _, n_labelled in ends])
    return f"| {words} | {course.looks} | {planned} | {shares} | {labels:,.0f} |"


def main() -> None:
    """Print the table, and progress to the standard error."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100, help="test sets of each true difference")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    given = parser.parse_args()
    rare, even = (100 * sqrt(rate * (1 - rate) / given.repetitions) for rate in (0.025, 0.5))
    sets = counted(given.repetitions, "test set")
    print(f"{sets} each; the standard error of a rate is {rare:.1f} at 2.5% and {even:.1f} at 50%.\n")
    for line in lines(given.repetitions, given.workers):
        print(line, flush=True)


if __name__ == "__main__":
    main()
