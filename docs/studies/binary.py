"""Two classes: how often a floor fails a good model, and whether a regression is found where positives are rare.

From the root of the repository: ``python -m docs.studies.binary``; ``--help`` lists the options. docs/studies/binary.md
holds its tables.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import product

import numpy as np

from docs.studies.populations import Population, retrained
from docs.studies.rules import ROPE
from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.intervals import hdi
from pytest_bayesf1.stats.measures import parse_measure
from pytest_bayesf1.stats.priors import PRIORS

F1 = parse_measure("f1", (0, 1))
HDI_PROB = 0.95
FLOOR = 0.95
POSITIVES = (5, 10, 20, 50, 200)
PREVALENCES = (0.5, 0.1)
RARE, N_EXAMPLES = 0.03, 1_500
DELTAS = (0.0, -ROPE, -0.05, -0.1, -0.15)


def good_model(prevalence: float) -> Population:
    """Build a population on which F1, precision and recall are the floor exactly, on both sides."""
    right = prevalence * FLOOR
    wrong = prevalence - right
    joint = np.zeros((2, 2, 2))
    joint[1, 1, 1], joint[1, 0, 0], joint[0, 1, 1] = right, wrong, wrong
    joint[0, 0, 0] = 1 - prevalence - wrong
    return Population(joint)


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


def floor_rates(prevalence: float, positives: int, repetitions: int, n_draws: int) -> dict[str, float]:
    """Return by prior how often ``assert_at_least`` fails a model whose F1 is the floor."""
    sets = _sample(good_model(prevalence), round(positives / prevalence), repetitions)
    experiments = [Experiment("single", (each.table.side(0),)) for each in sets]
    return {prior: float((intervals(experiments, prior, n_draws)[:, 1] < FLOOR).mean()) for prior in PRIORS}


def rare_rates(delta: float, repetitions: int, n_draws: int) -> dict[str, tuple[float, float]]:
    """Return by prior how often the candidate fails, and how often the interval holds the true difference."""
    sets = _sample(rare_positives(delta), N_EXAMPLES, repetitions)
    experiments = [Experiment("paired", (each.table,)) for each in sets]
    rates = {}
    for prior in PRIORS:
        low, high = intervals(experiments, prior, n_draws).T
        rates[prior] = float((high < -ROPE).mean()), float(((low <= delta) & (delta <= high)).mean())
    return rates


def _sample(population: Population, n_examples: int, repetitions: int) -> list[PairedCounts]:
    rng = np.random.default_rng(n_examples)
    return [population.sample(n_examples, rng) for _ in range(repetitions)]


def floor_table(repetitions: int, n_draws: int) -> Iterator[str]:
    """Yield the lines of a Markdown table: false failures, in per cent."""
    yield f"| positives | examples | {' | '.join(PRIORS)} |"
    yield "| ---: | ---: |" + " ---: |" * len(PRIORS)
    for prevalence, positives in product(PREVALENCES, POSITIVES):
        rates = floor_rates(prevalence, positives, repetitions, n_draws).values()
        failed = " | ".join(f"{100 * rate:.1f}" for rate in rates)
        yield f"| {positives} | {round(positives / prevalence):,} | {failed} |"


def rare_table(repetitions: int, n_draws: int) -> Iterator[str]:
    """Yield the lines of a Markdown table: failures and coverage, in per cent."""
    yield f"| δ | {' | '.join(PRIORS)} |"
    yield "| ---: |" + " ---: |" * len(PRIORS)
    for delta in DELTAS:
        rates = rare_rates(delta, repetitions, n_draws).values()
        cells = " | ".join(f"{100 * failed:.1f} ({100 * covered:.1f})" for failed, covered in rates)
        yield f"| {delta:+.2f} | {cells} |"


def main() -> None:
    """Print both tables."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=2_000, help="test sets of each line (2,000)")
    parser.add_argument("--draws", type=int, default=2_000, help="posterior draws a test set (2,000)")
    given = parser.parse_args()
    for lines in (floor_table, rare_table):
        for line in lines(given.repetitions, given.draws):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
