"""Whether intervals of slices that are shrunk toward each other hold.

From the root of the repository: ``python -m docs.studies.slices --repetitions 1000 > tables``.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from zlib import crc32

import numpy as np

from pytest_bayesf1 import Comparison, PairedCounts, shrink
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.results.comparison import MeanAndHdi

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


@dataclass(frozen=True)
class Outcome:
    """What came of one set of slices.

    Attributes
    ----------
    alone, shrunk
        Share of the intervals that hold the true change.
    error_alone, error_shrunk
        Mean squared error of the means.
    """

    alone: float
    shrunk: float
    error_alone: float
    error_shrunk: float


def simulate(slices: Slices, rng: np.random.Generator) -> Outcome:
    """Compare every slice, and see them together."""
    scores, changes = slices.draw(rng)
    found = {
        str(place): compared(score, change, slices.n_examples, rng)
        for place, (score, change) in enumerate(zip(scores.tolist(), changes.tolist(), strict=True))
    }
    parts = shrink(found).parts
    alone, shrunk = (Estimates.of([getattr(part, name) for part in parts], changes) for name in ("alone", "shrunk"))
    return Outcome(alone=alone.covered, shrunk=shrunk.covered, error_alone=alone.error, error_shrunk=shrunk.error)


@dataclass(frozen=True)
class Estimates:
    """What share of intervals holds the truth, and the mean squared error of the means."""

    covered: float
    error: float

    @classmethod
    def of(cls, found: list[MeanAndHdi], truth: Floats) -> "Estimates":
        """Compare with the true values, (S,)."""
        low, high = np.array([each.hdi for each in found]).T
        means = np.array([each.mean for each in found])
        return cls(float(np.mean((low <= truth) & (truth <= high))), float(np.mean((means - truth) ** 2)))


def main() -> None:
    """Print a row for every kind of slices."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100, help="sets of slices of each kind")
    parser.add_argument("--slices", type=int, nargs="+", default=[2, 5, 20])
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print("| slices | examples each | spread | alone | shrunk | error |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for each in product(given.slices, (200, 1_000), (0.0, 0.02, 0.06)):
        slices = Slices(*each)
        rng = np.random.default_rng([given.seed, crc32(repr(slices).encode())])
        outcomes = [simulate(slices, rng) for _ in range(given.repetitions)]
        print(f"| {' | '.join(_cells(slices, outcomes))} |", flush=True)


def _cells(slices: Slices, outcomes: list[Outcome]) -> Iterator[str]:
    def mean(name: str) -> float:
        return float(np.mean([getattr(each, name) for each in outcomes]))

    yield from (str(slices.n_slices), f"{slices.n_examples:,}", f"{100 * slices.spread:g}")
    yield from (f"{100 * mean(name):.1f}" for name in ("alone", "shrunk"))
    yield f"{np.sqrt(mean('error_shrunk') / mean('error_alone')):.2f}"


if __name__ == "__main__":
    main()
