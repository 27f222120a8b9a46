"""How often each rule fails a candidate that is good enough, and how often it lets a bad one pass.

From the root of the repository: ``python -m benchmarks.studies.rates --repetitions 1000 > tables``.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import isnan, sqrt
from zlib import crc32

import numpy as np

from benchmarks.studies.populations import retrained
from benchmarks.studies.rules import ROPE, RULES, DataSet
from pytest_bayesf1.measures.classification import Measure, parse_measure

TOLERABLE = (0.0, -ROPE / 2, -ROPE)
REGRESSIONS = (-2 * ROPE, -4 * ROPE)


@dataclass(frozen=True)
class Scenario:
    """Number of classes, size of the test set, and the true difference of the scores."""

    n_classes: int
    n_examples: int
    delta: float

    @property
    def measure(self) -> Measure:
        """F1, averaged where there are more than two classes."""
        return parse_measure("f1" if self.n_classes == 2 else "f1_macro", range(self.n_classes))

    def generator(self, seed: int) -> np.random.Generator:
        """Start a stream of random numbers that does not depend on which other scenarios run."""
        return np.random.default_rng([seed, crc32(repr(self).encode())])


@dataclass(frozen=True)
class Rates:
    """Shares of the data sets on which a rule fails the candidate, and on which its interval holds the true delta."""

    failed: float
    covered: float


RatesByRule = Mapping[str, Rates]


def estimate_rates(scenario: Scenario, repetitions: int, seed: int, prior: str = "auto") -> RatesByRule:
    """Let every rule judge the same simulated data sets."""
    rng, measure = scenario.generator(seed), scenario.measure
    population = retrained(measure, scenario.delta, scenario.n_classes)
    data_sets = [DataSet.draw(population, measure, scenario.n_examples, rng, prior) for _ in range(repetitions)]
    rates = {}
    for name, judge in RULES.items():
        answers = [judge(data) for data in data_sets]
        failed = np.mean([answer.fails for answer in answers])
        covered = np.mean([answer.covers(scenario.delta) for answer in answers])
        rates[name] = Rates(float(failed), float(covered))
    return rates


def standard_error(rate: float, repetitions: int) -> float:
    """Return the Monte Carlo standard error of a rate."""
    return sqrt(rate * (1 - rate) / repetitions)


def main() -> None:
    """Print a table for each number of classes, and progress to the standard error."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100, help="data sets of each scenario")
    parser.add_argument("--classes", type=int, nargs="+", default=[2, 5, 20])
    parser.add_argument("--examples", type=int, nargs="+", default=[200, 400, 1000, 2000, 8000])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--prior", default="auto", help="of the models (auto)")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    given = parser.parse_args()
    estimate = partial(estimate_rates, repetitions=given.repetitions, seed=given.seed, prior=given.prior)
    with ProcessPoolExecutor(given.workers) as pool:
        for n_classes in given.classes:
            grid = [Scenario(n_classes, *rest) for rest in product(given.examples, TOLERABLE + REGRESSIONS)]
            rates = dict(zip(grid, _with_progress(pool.map(estimate, grid)), strict=True))
            print("\n".join(_table(rates, given.repetitions)), flush=True)


def _with_progress(found: Iterable[RatesByRule]) -> Iterator[RatesByRule]:
    for number, rates in enumerate(found, start=1):
        print(f"scenario {number} done", file=sys.stderr, flush=True)
        yield rates


def _table(rates: Mapping[Scenario, RatesByRule], repetitions: int) -> Iterator[str]:
    n_classes = next(iter(rates)).n_classes
    rare, even = (100 * standard_error(rate, repetitions) for rate in (0.025, 0.5))
    yield f"### {n_classes} classes\n"
    yield f"{repetitions} data sets; the standard error of a rate is {rare:.1f} at 2.5% and {even:.1f} at 50%.\n"
    yield "| N | rule | fails at 0 | at −ROPE/2 | at −ROPE | misses −2 ROPE | −4 ROPE | interval holds δ |"
    yield "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for n_examples, rule in product({scenario.n_examples: None for scenario in rates}, RULES):
        by_delta = {each.delta: found[rule] for each, found in rates.items() if each.n_examples == n_examples}
        yield f"| {n_examples:,} | {rule} | {' | '.join(_cells(by_delta))} |"
    yield ""


def _cells(rates: Mapping[float, Rates]) -> Iterator[str]:
    yield from (f"{100 * rates[delta].failed:.1f}" for delta in TOLERABLE)
    yield from (f"{100 * (1 - rates[delta].failed):.1f}" for delta in REGRESSIONS)
    covered = float(np.mean([each.covered for each in rates.values()]))
    yield "" if isnan(covered) else f"{100 * covered:.1f}"


if __name__ == "__main__":
    main()
