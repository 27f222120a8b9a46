"""Whether the interval of the gap between slices holds the true one, and how often a gate on it fails.

The true scores of the slices are fixed, one of them behind the others unless said otherwise; nothing makes them vary
about a common mean. From the root of the repository: ``python -m benchmarks.studies.gaps --repetitions 1000 > tables``.
"""

from argparse import ArgumentParser
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from pytest_bayesf1.comparison.breakdown import ScoreRange

PROB, LIMIT, N_DRAWS = 0.95, 0.05, 4_000
LARGE, EQUAL = (1_000,) * 7, (300,) * 8
OTHERS = (0.8, 0.9, 0.95)


@dataclass(frozen=True)
class Slices:
    """Slices of a test set, by their sizes and the true accuracies of the candidate, (S,) each."""

    name: str
    sizes: tuple[int, ...]
    scores: tuple[float, ...]

    @property
    def gap(self) -> float:
        """The true one."""
        return float(np.ptp(self.scores))

    def found(self, rng: np.random.Generator) -> ScoreRange:
        """Draw a test set, and what its posteriors say."""
        right = rng.binomial(self.sizes, self.scores)
        draws = rng.beta(right[:, None] + 1, (self.sizes - right)[:, None] + 1, size=(right.size, N_DRAWS))
        return ScoreRange(draws)


def behind(sizes: tuple[int, ...], gap: float, others: float = 0.9) -> Slices:
    """Make slices of which the first is behind all others, which are alike."""
    n = len(sizes) - 1
    name = f"{sizes[0]} + {n} × {sizes[1]:,}, others {100 * others:g}%"
    return Slices(name, sizes, (others - gap, *[others] * n))


GAP = 0.075
SMALL = (60, 150)
HELD = (
    *(behind((n, *LARGE), gap, others) for n in SMALL for others in OTHERS for gap in (0.0, GAP)),
    *(behind((300,) * n, gap) for n in (2, 8, 20) for gap in (0.0, GAP)),
    Slices("8 × 300, half of them behind", EQUAL, (*[0.9 - GAP] * 4, *[0.9] * 4)),
    Slices("8 × 300, evenly spread", EQUAL, tuple(np.linspace(0.9 - GAP, 0.9, 8).tolist())),
    Slices("8 × 300, one ahead", EQUAL, (0.9, *[0.9 - GAP] * 7)),
    Slices("60 + 5, 5, 20 + 7 × 1,000, that of 60 behind", (60, 5, 5, 20, *LARGE), (0.9 - GAP, *[0.9] * 10)),
)
FAILED = tuple(behind((n, *LARGE), gap, others) for n in SMALL for others in OTHERS for gap in (LIMIT, 0.15))


def held(slices: Slices, repetitions: int, rng: np.random.Generator) -> list[float]:
    """Return how often intervals hold the gap, lie above it and below it, and the mean ends and estimate."""
    found = []
    for _ in range(repetitions):
        gap = slices.found(rng)
        low, high = gap.interval(PROB)
        above, below = low > slices.gap, high < slices.gap
        found.append([not (above or below), above, below, low, gap.estimate, high])
    return [float(each) for each in np.mean(found, axis=0)]


def failed(slices: Slices, repetitions: int, rng: np.random.Generator) -> list[float]:
    """Return how often a gate on the gap fails."""
    return [float(np.mean([slices.found(rng).p_value(LIMIT) <= (1 - PROB) / 2 for _ in range(repetitions)]))]


def main() -> None:
    """Print a row for every kind of slices."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100, help="test sets of each kind")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for rows, kinds in ((held, HELD), (failed, FAILED)):
        for slices in kinds:
            rng = np.random.default_rng([given.seed, crc32(repr(slices).encode())])
            found = " | ".join(f"{100 * each:.1f}" for each in rows(slices, given.repetitions, rng))
            print(f"| {slices.name} | {100 * slices.gap:g} | {found} |", flush=True)


if __name__ == "__main__":
    main()
