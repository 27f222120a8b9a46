"""Two classes: how often a floor fails a good model, and whether a regression is found where positives are rare.

From the root of the repository: ``python -m benchmarks.studies.binary``; ``--help`` lists the options. binary.md
holds its tables.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import product

import numpy as np

from benchmarks.studies.populations import Population, retrained
from benchmarks.studies.rules import ROPE
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.priors import PRIORS
from pytest_bayesf1.stats.posterior import hdi

F1 = parse_measure("f1", (0, 1))
HDI_PROB = 0.95
FLOOR = 0.95
POSITIVES = (5, 10, 20, 50)
EXAMPLES_PER_POSITIVE = (2, 10)
COMPARED = ("uniform", "jeffreys")
RARE, N_EXAMPLES = 0.03, 1_500
DELTAS = (0.0, -ROPE, -0.05, -0.1, -0.15)


def rare_positives(delta: float) -> Population:
    """Build a population with few positives, F1 about 0.67, and a candidate that agrees on 97% of the examples."""
    imbalance = (1 - RARE) / RARE
    return retrained(F1, delta, 2, accuracy=0.9, spread=-0.08, agreement=0.97, imbalance=imbalance)


def intervals(experiments: list[Experiment], prior: str, n_draws: int) -> Floats:
    """Return the HDI of F1, or of its difference, on every test set: (n, 2)."""
    found = []
    for experiment in experiments:
        *before, last = ExactEngine().sampler(experiment, PRIORS[prior], F1, 0).draw(n_draws)
        found.append(hdi(last - sum(before), HDI_PROB))
    return np.array(found)


def good_model(positives: int, negatives: int, rng: np.random.Generator) -> Experiment:
    """Draw the counts of a model on a test set made of so many of each; its F1 is the floor, as are both its rates.

    Recall is the floor, and so many negatives are taken for positives that precision is the floor, too.
    """
    hits = rng.binomial(positives, FLOOR)
    alarms = rng.binomial(negatives, (1 - FLOOR) * positives / negatives)
    counts = np.array([negatives - alarms, alarms, positives - hits, hits])
    true, predicted = np.repeat([0, 1], 2), np.tile([0, 1], 2)
    return Experiment(Model.SINGLE, (OutcomeTable.tally(2, true, predicted, weight=counts),))


def floor_rates(positives: int, n_examples: int, repetitions: int, n_draws: int) -> dict[str, float]:
    """Return by prior how often ``assert_at_least`` fails a model whose F1 is the floor."""
    rng = np.random.default_rng([positives, n_examples])
    experiments = [good_model(positives, n_examples - positives, rng) for _ in range(repetitions)]
    return {prior: float((intervals(experiments, prior, n_draws)[:, 1] < FLOOR).mean()) for prior in COMPARED}


def rare_rates(delta: float, repetitions: int, n_draws: int) -> dict[str, tuple[float, float]]:
    """Return by prior how often the candidate fails, and how often the interval holds the true difference."""
    population, rng = rare_positives(delta), np.random.default_rng(N_EXAMPLES)
    experiments = [Experiment(Model.PAIRED, (population.sample(N_EXAMPLES, rng).table,)) for _ in range(repetitions)]
    rates = {}
    for prior in COMPARED:
        low, high = intervals(experiments, prior, n_draws).T
        rates[prior] = float((high < -ROPE).mean()), float(((low <= delta) & (delta <= high)).mean())
    return rates


def floor_table(repetitions: int, n_draws: int) -> Iterator[str]:
    """Yield the lines of a Markdown table: false failures, in per cent."""
    yield f"| positives | examples | {' | '.join(COMPARED)} |"
    yield "| ---: | ---: |" + " ---: |" * len(COMPARED)
    for positives, times in product(POSITIVES, EXAMPLES_PER_POSITIVE):
        rates = floor_rates(positives, times * positives, repetitions, n_draws).values()
        failed = " | ".join(f"{100 * rate:.1f}" for rate in rates)
        yield f"| {positives} | {times * positives:,} | {failed} |"


def rare_table(repetitions: int, n_draws: int) -> Iterator[str]:
    """Yield the lines of a Markdown table: failures and coverage, in per cent."""
    yield f"| δ | {' | '.join(COMPARED)} |"
    yield "| ---: |" + " ---: |" * len(COMPARED)
    for delta in DELTAS:
        rates = rare_rates(delta, repetitions, n_draws).values()
        cells = " | ".join(f"{100 * failed:.1f} ({100 * covered:.1f})" for failed, covered in rates)
        yield f"| {delta:+.2f} | {cells} |"


def main() -> None:
    """Print both tables."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1_000, help="test sets of each line (1,000)")
    parser.add_argument("--draws", type=int, default=2_000, help="posterior draws per test set (2,000)")
    given = parser.parse_args()
    for lines in (floor_table, rare_table):
        for line in lines(given.repetitions, given.draws):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
