"""How far each prior can be trusted: bias, coverage and width of its intervals on simulated test sets.

Run ``python -m benchmarks.studies.priors > benchmarks/studies/priors.md``; ``--help`` lists the options.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from benchmarks.studies.populations import Population, retrained
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import Levelled, Measure, Several, parse_measure
from pytest_bayesf1.priors import NESTED, PRIORS
from pytest_bayesf1.stats.posterior import hdi

N_CLASSES = (5, 20)
N_EXAMPLES = (200, 400, 2_000)
IMBALANCES = {"balanced": 1.0, "skewed": 20.0}
TRUE_DELTA = -0.01
HDI_PROB = 0.95


@dataclass(frozen=True)
class Setting:
    """A population and the size of the test sets drawn from it."""

    n_classes: int
    n_examples: int
    balance: str

    @property
    def measure(self) -> Measure:
        """Macro-F1."""
        return parse_measure("f1_macro", tuple(range(self.n_classes)))

    def population(self) -> Population:
        """Baseline of accuracy about 0.8, classes of unequal difficulty, a candidate one point worse."""
        imbalance = IMBALANCES[self.balance]
        return retrained(self.measure, TRUE_DELTA, self.n_classes, imbalance=imbalance, spread=0.12)


@dataclass(frozen=True)
class Behaviour:
    """What a prior does on many test sets, for the absolute score and for delta.

    Attributes
    ----------
    bias
        Mean error of the posterior mean, in posterior standard deviations.
    coverage
        How often the HDI holds the truth.
    width
        Mean width of the HDI, in points.
    """

    bias: float
    coverage: float
    width: float


def behaviour(draws: Floats, truth: float) -> Behaviour:
    """Judge posterior draws, (test sets, draws), against the truth."""
    low, high = np.array([hdi(each, HDI_PROB) for each in draws]).T
    bias = ((draws.mean(axis=1) - truth) / draws.std(axis=1)).mean()
    return Behaviour(float(bias), float(((low <= truth) & (truth <= high)).mean()), 100 * float((high - low).mean()))


def study(setting: Setting, prior: str, repetitions: int, n_draws: int, seed: int = 0) -> tuple[Behaviour, Behaviour]:
    """Return the behaviour for the baseline's score alone, and for delta of the paired model."""
    population, measure = setting.population(), setting.measure
    rng = np.random.default_rng([seed, setting.n_classes, setting.n_examples])
    singles, deltas = [], []
    for _ in range(repetitions):
        pairs = population.sample(setting.n_examples, rng)
        single = Experiment(Model.SINGLE, (pairs.table.side(0),))
        paired = Experiment(Model.PAIRED, (pairs.table,))
        singles.append(draw_scores(single, prior, measure, n_draws)[0])
        baseline, candidate = draw_scores(paired, prior, measure, n_draws)
        deltas.append(candidate - baseline)
    truth = float(measure(population.sides[0]))
    return behaviour(np.array(singles), truth), behaviour(np.array(deltas), TRUE_DELTA)


def draw_scores(experiment: Experiment, prior: str, measure: Any, n_draws: int) -> Floats:
    """Draw every side's score, that of one side as `estimate` does."""
    if experiment.model is Model.SINGLE and PRIORS[prior] is NESTED:
        several = measure if isinstance(measure, Several) else Several((measure,))
        drawn = ExactEngine().sampler(experiment, NESTED, Levelled(several), 0).draw(n_draws)
        return drawn if several is measure else drawn[:, :, 0]
    return ExactEngine().sampler(experiment, PRIORS[prior], measure, 0).draw(n_draws)


def table(priors: Sequence[str], repetitions: int, n_draws: int, workers: int) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| M | N | classes | prior | F1: bias | coverage | width | δ: bias | coverage | width |"
    yield "| ---: | ---: | --- | --- |" + " ---: |" * 6
    settings = [Setting(*each) for each in product(N_CLASSES, N_EXAMPLES, IMBALANCES)]
    jobs = list(product(settings, priors))
    with ProcessPoolExecutor(workers) as pool:
        results = pool.map(study, *zip(*jobs, strict=True), [repetitions] * len(jobs), [n_draws] * len(jobs))
        for (setting, prior), (score, delta) in zip(jobs, results, strict=True):
            where = f"{setting.n_classes} | {setting.n_examples:,} | {setting.balance}"
            yield f"| {where} | {prior} | {cells(score)} | {cells(delta)} |"


def cells(found: Behaviour) -> str:
    """Write it as cells of a Markdown table."""
    return f"{found.bias:+.2f} | {100 * found.coverage:.1f}% | {found.width:.2f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--priors", nargs="+", default=list(PRIORS), choices=PRIORS, help="some of them (all)")
    parser.add_argument("--repetitions", type=int, default=400, help="test sets a setting (400)")
    parser.add_argument("--draws", type=int, default=2_000, help="posterior draws per test set (2,000)")
    parser.add_argument("--workers", type=int, default=1, help="processes (1)")
    given = parser.parse_args()
    for line in table(given.priors, given.repetitions, given.draws, given.workers):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
