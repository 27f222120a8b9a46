"""How large a loss can stay hidden when each release is the best of several candidates on one test set.

From the root of the repository: ``python -m benchmarks.studies.reuse > table``.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from math import sqrt

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.baselines.regression import HIDDEN_LUCK

ACCURACY = 0.85
AGREEMENTS = (0.85, 0.9, 0.95, 0.98, 0.99, 0.995)
CANDIDATES = 5


def luck(n: int, releases: int, agreement: float, repetitions: int, rng: np.random.Generator) -> Floats:
    """Simulate the luck of the last release: its observed accuracy minus the true one.

    All candidates have one true accuracy. What the observed accuracy would gain by luck, a true loss can take away
    without being seen.
    """
    share = (1 - agreement) / (2 * ACCURACY * (1 - ACCURACY))
    right = rng.random((repetitions, n)) < ACCURACY
    for _ in range(releases):
        # each candidate predicts a share of the examples afresh; sorted out one by one to spare memory
        best, most = right, np.full(repetitions, -1)
        for _ in range(CANDIDATES):
            fresh = rng.random((repetitions, n)) < share
            candidate = np.where(fresh, rng.random((repetitions, n)) < ACCURACY, right)
            n_right = candidate.sum(axis=1)
            better = n_right > most
            best = np.where(better[:, None], candidate, best)
            most = np.maximum(most, n_right)
        right = best
    found: Floats = right.mean(axis=1) - ACCURACY
    return found


def bound(n: int, releases: int) -> float:
    """Return what the note of a stored baseline says can stay hidden."""
    return HIDDEN_LUCK * sqrt(2 * ACCURACY * (1 - ACCURACY) / n) * sqrt(releases)


def lines(repetitions: int) -> Iterator[str]:
    """Write the table."""
    rng = np.random.default_rng(0)
    yield "| N | releases | " + " | ".join(f"{100 * each:g}%" for each in AGREEMENTS) + " | the note says |"
    yield "| ---: | ---: |" + " ---: |" * (len(AGREEMENTS) + 1)
    for n in (500, 2_000, 8_000):
        for releases in (5, 20, 50):
            means = [100 * luck(n, releases, each, repetitions, rng).mean() for each in AGREEMENTS]
            shown = " | ".join(f"{mean:.1f}" for mean in means)
            yield f"| {n:,} | {releases} | {shown} | {100 * bound(n, releases):.1f} |"


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100, help="runs of each cell")
    for line in lines(parser.parse_args().repetitions):
        print(line, flush=True)


if __name__ == "__main__":
    main()
