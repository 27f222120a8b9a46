"""Of the gates that fail, and of those that pass, how many are said to be truly worse, and how many are.

From the root of the repository: ``python -m docs.studies.failures --runs 100 > table``.
"""

from argparse import ArgumentParser
from itertools import product

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.stats.posterior import hdi

N_GATES, N_DRAWS = 300, 2_000
DISAGREEMENT, ROPE, PROB, PRIOR = 0.1, 0.01, 0.95, 2.0
"""The prior is the uniform one of two classes: per class one pseudo-observation of each outcome."""
LOSS = 0.05


def run(n: int, share: float, rng: np.random.Generator) -> Floats:
    """Judge the gates of a run: failures, said and truly worse; passed ones, said and truly worse."""
    delta = np.where(np.arange(N_GATES) < share * N_GATES, -LOSS, 0.0)
    cells = np.stack(
        [(DISAGREEMENT + delta) / 2, (DISAGREEMENT - delta) / 2, np.full(N_GATES, 1 - DISAGREEMENT)], axis=1
    )
    counts = rng.multinomial(n, cells)
    weights = rng.standard_gamma(counts[:, None] + np.array([PRIOR, PRIOR, 2 * PRIOR]), (N_GATES, N_DRAWS, 3))
    draws = (weights[..., 0] - weights[..., 1]) / weights.sum(axis=2)
    failed = np.array([hdi(each, PROB)[1] < -ROPE for each in draws])
    said, worse = (draws < -ROPE).mean(axis=1), delta < -ROPE
    return np.array([x for of in (failed, ~failed) for x in (of.sum(), said[of].sum(), worse[of].sum())])


def main() -> None:
    """Print a row for every size of a test set and share of gates that truly lose."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    given = parser.parse_args()
    for n, share in product((200, 1_000, 5_000), (0.0, 0.05, 0.2, 0.5)):
        rng = np.random.default_rng([n, int(100 * share)])
        found = np.array([run(n, share, rng) for _ in range(given.runs)])
        cells = (f"{each:.1f}" for each in found.mean(axis=0))
        print(f"| {n:,} | {100 * share:g}% | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
