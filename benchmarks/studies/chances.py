"""How often a printed chance of a loss comes true, in three worlds of changes, with earlier changes and without.

Run ``python -m benchmarks.studies.chances`` for the table of chances.md; ``--help`` lists the options.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from types import MappingProxyType

import numpy as np

from pytest_bayesf1.arrays import Bools, Floats
from pytest_bayesf1.results.comparison import EarlierChange
from pytest_bayesf1.stats.posterior import usual_weights

ALLOWED = (0.005, 0.01, 0.02)
RELEASES = (10, 30)
ERRORS = (0.004, 0.02)  # standard errors of a change, evenly spread
PER_HISTORY = 16
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


def _observed(world: str, n: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Return true changes, observed ones, and their errors."""
    true, error = WORLDS[world](n, rng), rng.uniform(*ERRORS, n)
    return true, rng.normal(true, error), error


def with_history(world: str, allowed: float, n_releases: int, n: int) -> tuple[Floats, Bools]:
    """Return the chances of n candidates, alone and by earlier changes, (2, n), and which really lost more, (n,)."""
    rng = np.random.default_rng([round(1e4 * allowed), list(WORLDS).index(world), n_releases])
    chances, lost = np.empty((2, n)), np.empty(n, dtype=bool)
    for case in range(n):
        if case % PER_HISTORY == 0:
            _, seen, errors = _observed(world, n_releases, rng)
            history = [EarlierChange(*each) for each in zip(seen, errors, strict=True)]
        (true,), (mean,), (error,) = _observed(world, 1, rng)
        draws = rng.normal(mean, error, _N_DRAWS)  # what is printed is under study, not the posterior
        loses = draws < -allowed
        chances[:, case] = loses.mean(), usual_weights(draws, history)[loses].sum()
        lost[case] = true < -allowed
    return chances, lost


def table(n: int) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| world | you allow | releases | lost more | alone | by history | Brier, alone | Brier, by history |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for world, allowed, n_releases in product(WORLDS, ALLOWED, RELEASES):
        chances, lost = with_history(world, allowed, n_releases, n)
        said, brier = chances.mean(axis=1), np.square(chances - lost).mean(axis=1)
        figures = f"{lost.mean():.0%} | {said[0]:.0%} | {said[1]:.0%} | {brier[0]:.3f} | {brier[1]:.3f}"
        yield f"| {world} | {100 * allowed:g} | {n_releases} | {figures} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=4_000, help="candidates of each line (4,000)")
    for line in table(parser.parse_args().cases):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
