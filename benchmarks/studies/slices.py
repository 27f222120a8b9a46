"""Whether the intervals of slices' changes hold the truth.

From the root of the repository: ``python -m benchmarks.studies.slices --repetitions 1000 > tables``.
"""

from argparse import ArgumentParser
from dataclasses import dataclass
from itertools import product
from zlib import crc32

import numpy as np

from pytest_bayesf1 import Comparison, PairedCounts
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.compare import run_comparison

ACCURACY, DISAGREEMENT, ROPE = 0.75, 0.1, 0.01
N_DRAWS = 4_000


@dataclass(frozen=True)
class Slices:
    """Slices of a test set, of which the accuracies differ, or how much they changed.

    Attributes
    ----------
    n_slices, n_examples
        How many there are, and of how many examples each.
    spread
        Standard deviation of the candidate's true accuracies; that of its changes is half of it.
    """

    n_slices: int
    n_examples: int
    spread: float

    def draw(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw the true accuracies of the candidate, (S,), and its true changes, (S,)."""
        scores = np.clip(rng.normal(ACCURACY, self.spread, self.n_slices), 0.55, 0.9)
        return scores, np.clip(rng.normal(-ROPE, self.spread / 2, self.n_slices), -0.09, 0.09)


def compared(score: float, change: float, n: int, rng: np.random.Generator) -> Comparison:
    """Compare the two on one slice: accuracy, paired."""
    disagree = max(DISAGREEMENT, abs(change))
    only_candidate, only_baseline = (disagree + change) / 2, (disagree - change) / 2
    both = score - only_candidate
    counts = rng.multinomial(n, [both, only_baseline, only_candidate, 1 - both - disagree])
    baseline, candidate = (np.repeat(right, counts) for right in ([1, 1, 0, 0], [1, 0, 1, 0]))
    truth = np.arange(n) % 2
    pairs = PairedCounts.from_predictions(truth, truth ^ (1 - baseline), truth ^ (1 - candidate))
    return run_comparison(pairs, measure="accuracy", rope=ROPE, n_draws=N_DRAWS)


def held(slices: Slices, rng: np.random.Generator) -> list[bool]:
    """Compare every slice, and see which intervals hold the true change."""
    found = []
    for score, change in zip(*(values.tolist() for values in slices.draw(rng)), strict=True):
        low, high = compared(score, change, slices.n_examples, rng).hdi
        found.append(low <= change <= high)
    return found


def main() -> None:
    """Print a row for every kind of slices."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100, help="sets of slices of each kind")
    parser.add_argument("--slices", type=int, nargs="+", default=[2, 5, 20])
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print("| slices | examples each | spread | holds |")
    print("| ---: | ---: | ---: | ---: |")
    for each in product(given.slices, (200, 1_000), (0.0, 0.02, 0.06)):
        slices = Slices(*each)
        rng = np.random.default_rng([given.seed, crc32(repr(slices).encode())])
        holds = 100 * np.mean([held(slices, rng) for _ in range(given.repetitions)])
        print(f"| {slices.n_slices} | {slices.n_examples:,} | {100 * slices.spread:g} | {holds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
