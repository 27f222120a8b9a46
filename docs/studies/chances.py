"""How often a printed chance of a loss comes true, in three worlds of changes.

Run ``python -m docs.studies.chances`` for the table of chances.md; ``--help`` lists the options.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from types import MappingProxyType

import numpy as np

from pytest_bayesf1.arrays import Bools, Floats
from pytest_bayesf1.stats.posterior import Draws, chance

ALLOWED = (0.005, 0.01, 0.02)
ERRORS = (0.004, 0.02)  # standard errors of a change, evenly spread
FEWEST = 50  # cases in a tenth that is shown
_N_DRAWS = 2_000


def _flat(n: int, rng: np.random.Generator) -> Floats:
    return rng.uniform(-0.08, 0.08, n)


def _retrain(n: int, rng: np.random.Generator) -> Floats:
    return rng.normal(0, 0.007, n)


def _mix(n: int, rng: np.random.Generator) -> Floats:
    return np.where(rng.random(n) < 0.85, rng.normal(0, 0.005, n), rng.normal(-0.03, 0.02, n))


WORLDS: Mapping[str, Callable[[int, np.random.Generator], Floats]] = MappingProxyType(
    {"flat": _flat, "retrain": _retrain, "mix": _mix}
)


def cases(world: str, allowed: float, n: int) -> tuple[Floats, Bools]:
    """Return both chances of n candidates, (n, 2), and which of them really lost more, (n,).

    The posterior is normal about the observed change: what is printed is under study here, not the posterior.
    """
    rng = np.random.default_rng([round(1e4 * allowed), list(WORLDS).index(world)])
    true, error = WORLDS[world](n, rng), rng.uniform(*ERRORS, n)
    observed = rng.normal(true, error)
    found = [
        chance(Draws(rng.normal(mean, std, _N_DRAWS)), allowed, high=-allowed)
        for mean, std in zip(observed, error, strict=True)
    ]
    return np.array([(each.alone, each.usual) for each in found]), true < -allowed


def table(n: int) -> Iterator[str]:
    """Yield the lines of a Markdown table: by tenths of the chance by the test set alone."""
    yield "| world | you allow | cases | by this test set alone | if nine in ten stay within | true |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for world, allowed in product(WORLDS, ALLOWED):
        chances, lost = cases(world, allowed, n)
        tenth = np.minimum((10 * chances[:, 0]).astype(int), 9)
        for place in range(10):
            here = tenth == place
            if here.sum() >= FEWEST:
                alone, usual = chances[here].mean(axis=0)
                figures = f"{here.sum():,} | {alone:.0%} | {usual:.0%} | {lost[here].mean():.0%}"
                yield f"| {world} | {100 * allowed:g} | {figures} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=4_000, help="candidates of each world (4,000)")
    for line in table(parser.parse_args().cases):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
