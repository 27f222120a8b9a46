"""How often a loss that comes in small steps is found by a gate, against the last baseline and against an anchor.

From the root of the repository: ``python -m benchmarks.studies.creep --repetitions 1000 > table``.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import isinf
from typing import TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt

from benchmarks.studies.rules import N_DRAWS, ROPE
from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.compare import run_comparison

BUDGET = 2 * ROPE
ACCURACY = 0.85
NEVER = np.inf
Bools: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Creep:
    """A classifier that is trained again and again, always tested on the same examples, and always made the baseline.

    Attributes
    ----------
    n_examples
        Of the test set.
    n_steps, delta
        How often it is trained again, and by how much each step changes its true accuracy.
    agreement
        How often two neighbours predict the same.
    anchor_best_of, step_best_of
        Of how many candidates of the same true accuracy the one is taken that scores best on the test set.
    """

    n_examples: int
    n_steps: int
    delta: float
    agreement: float = 0.95
    anchor_best_of: int = 1
    step_best_of: int = 1

    @property
    def oracle_step(self) -> float:
        """The first step after which the true loss is more than the budget."""
        if self.delta >= 0:
            return NEVER
        step = int(np.floor(BUDGET / -self.delta + 1e-9)) + 1
        return step if step <= self.n_steps else NEVER

    def generations(self, rng: np.random.Generator) -> Iterator[Bools]:
        """Draw which examples each classifier gets right, the anchor first.

        A step predicts a share of the examples afresh, the share that makes the agreement; how often it is right
        there makes the change of the accuracy.
        """
        first = rng.random((self.anchor_best_of, self.n_examples)) < ACCURACY
        right = first[first.sum(axis=1).argmax()]
        accuracy = ACCURACY
        yield right
        for _ in range(self.n_steps):
            share = (1 - self.agreement) / (2 * accuracy * (1 - accuracy))
            fresh = rng.random((self.step_best_of, self.n_examples)) < accuracy + self.delta / share
            candidates = np.where(rng.random(fresh.shape) < share, fresh, right)
            right = candidates[candidates.sum(axis=1).argmax()]
            accuracy += self.delta
            yield right


def is_much_worse(baseline: Bools, candidate: Bools, tolerance: float) -> bool:
    """Whether the paired comparison of two accuracies fails; where the observed loss is tolerated, it cannot."""
    if candidate.mean() - baseline.mean() >= -tolerance:
        return False
    truth = np.arange(baseline.size) % 2
    pairs = PairedCounts.from_predictions(truth, truth ^ ~baseline, truth ^ ~candidate)
    return bool(run_comparison(pairs, measure="accuracy", rope=tolerance, n_draws=N_DRAWS).decision == "<<")


def first_failures(creep: Creep, rng: np.random.Generator) -> tuple[float, float]:
    """Return the first step that fails against the last baseline, and the first that fails against the anchor."""
    generations = creep.generations(rng)
    anchor = baseline = next(generations)
    steps = [NEVER, NEVER]
    for number, candidate in enumerate(generations, start=1):
        for which, (other, tolerance) in enumerate([(baseline, ROPE), (anchor, BUDGET)]):
            if isinf(steps[which]) and is_much_worse(other, candidate, tolerance):
                steps[which] = number
        baseline = candidate
    return steps[0], steps[1]


def simulate(creep: Creep, repetitions: int, seed: int) -> Floats:
    """Run one creep many times: (repetitions, 2), the first steps that fail."""
    rng = np.random.default_rng([seed, crc32(repr(creep).encode())])
    return np.array([first_failures(creep, rng) for _ in range(repetitions)])


STUDIED = (
    *(Creep(n, 12, -ROPE / 2) for n in (1_000, 4_000, 16_000)),
    *(Creep(n, 10, -0.004) for n in (1_000, 4_000, 16_000)),
    Creep(4_000, 12, -0.0015),
    *(Creep(n, 12, 0.0) for n in (1_000, 4_000)),
    *(Creep(n, 200, 0.0) for n in (1_000, 4_000)),
    *(Creep(n, 200, 0.0, anchor_best_of=10) for n in (1_000, 4_000)),
    Creep(4_000, 200, 0.0, step_best_of=5),
)


def main() -> None:
    """Print a row for every creep."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100, help="runs of each creep")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1, help="processes")
    given = parser.parse_args()
    print("| N | steps | true change of a step | last baseline | anchor | oracle's step | median step |")
    print("| ---: | ---: | --- | ---: | ---: | ---: | ---: |")
    with ProcessPoolExecutor(given.workers) as pool:
        found = pool.map(partial(simulate, repetitions=given.repetitions, seed=given.seed), STUDIED)
        for creep, steps in zip(STUDIED, found, strict=True):
            print(_row(creep, steps), flush=True)


def _row(creep: Creep, steps: Floats) -> str:
    change = f"{100 * creep.delta:+zg} points" if creep.delta else "none"
    if creep.anchor_best_of > 1:
        change += f"; the anchor the best of {creep.anchor_best_of}"
    if creep.step_best_of > 1:
        change += f"; each the best of {creep.step_best_of}"
    rates = [f"{100 * rate:.1f}" for rate in np.isfinite(steps).mean(axis=0)]
    median = np.median(steps[:, 1])
    text = ["" if isinf(step) else f"{step:g}" for step in (creep.oracle_step, median)]
    return f"| {creep.n_examples:,} | {creep.n_steps} | {' | '.join([change, *rates, *text])} |"


if __name__ == "__main__":
    main()
