"""How often a printed chance of a loss comes true, in three worlds of changes.

Run ``python -m benchmarks.studies.chances`` for the tables of chances.md; ``--help`` lists the options.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from types import MappingProxyType

import numpy as np

from pytest_bayesf1.arrays import Bools, Floats
from pytest_bayesf1.results.comparison import EarlierChange
from pytest_bayesf1.stats.usual import UsualChanges

ALLOWED = (0.005, 0.01, 0.02)
RELEASES = (10, 30)
ERRORS = (0.004, 0.02)  # standard errors of a change, evenly spread
FEWEST = 50  # cases in a tenth that is shown
PER_HISTORY = 16
_N_DRAWS = 2_000
_Z = 1.96


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


def _chances(
    usual: UsualChanges, observed: Floats, error: Floats, allowed: float, rng: np.random.Generator
) -> list[tuple[float, float]]:
    """Take posteriors that are normal about the observed change: what is printed is under study here, not they."""
    draws = (rng.normal(mean, std, _N_DRAWS) for mean, std in zip(observed, error, strict=True))
    return [(found.alone, found.usual) for found in (usual.chance(each, high=-allowed) for each in draws)]


def cases(world: str, allowed: float, n: int) -> tuple[Floats, Bools]:
    """Return both chances of n candidates, (n, 2), and which of them really lost more, (n,)."""
    rng = np.random.default_rng([round(1e4 * allowed), list(WORLDS).index(world)])
    true, observed, error = _observed(world, n, rng)
    return np.array(_chances(UsualChanges.within(allowed), observed, error, allowed, rng)), true < -allowed


def cases_with_history(
    world: str, allowed: float, n_releases: int, n_histories: int, *, merged_only: bool = False
) -> tuple[Floats, Bools]:
    """Return the same of some candidates after each of many histories, which may lack what a gate would not let in."""
    rng = np.random.default_rng([round(1e4 * allowed), list(WORLDS).index(world), n_releases, merged_only])
    chances, lost = [], []
    for _ in range(n_histories):
        _, observed, error = _observed(world, 20 * n_releases, rng)
        kept = observed + _Z * error >= -allowed if merged_only else np.ones(observed.size, bool)
        history = zip(observed[kept][:n_releases], error[kept][:n_releases], strict=True)
        usual = UsualChanges.of([EarlierChange(*each) for each in history], allowed)
        true, observed, error = _observed(world, PER_HISTORY, rng)
        chances += _chances(usual, observed, error, allowed, rng)
        lost.append(true < -allowed)
    return np.array(chances), np.concatenate(lost)


def table(n: int) -> Iterator[str]:
    """Yield the lines of a Markdown table: by tenths of the chance by the test set alone."""
    yield "| world | you allow | cases | by this test set alone | if nine in ten stay within | true |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for world, allowed in product(WORLDS, ALLOWED):
        chances, lost = cases(world, allowed, n)
        for here in _tenths(chances[:, 0]):
            alone, usual = chances[here].mean(axis=0)
            figures = f"{here.sum():,} | {alone:.0%} | {usual:.0%} | {lost[here].mean():.0%}"
            yield f"| {world} | {100 * allowed:g} | {figures} |"


def table_with_history(n: int) -> Iterator[str]:
    """Yield the lines of a Markdown table: by tenths of the chance that a history makes, said and true."""
    tenths = " | ".join(f"{10 * place} to {10 * place + 10}%" for place in range(10))
    yield f"| world | releases | you allow | {tenths} | farthest |"
    yield f"| --- | ---: | ---: | {' | '.join(['---:'] * 11)} |"
    for merged_only, world, n_releases, allowed in product((False, True), WORLDS, RELEASES, ALLOWED):
        chances, lost = cases_with_history(world, allowed, n_releases, n, merged_only=merged_only)
        said = chances[:, 1]
        found = {int(10 * said[here].mean()): (said[here].mean(), lost[here].mean()) for here in _tenths(said)}
        shown = " | ".join("{:.0%} → {:.0%}".format(*found[place]) if place in found else "" for place in range(10))
        farthest = max(abs(each[0] - each[1]) for each in found.values())
        name = f"{world}, gated" if merged_only else world
        yield f"| {name} | {n_releases} | {100 * allowed:g} | {shown} | {100 * farthest:.0f} |"


def _tenths(chance: Floats) -> Iterator[Bools]:
    """Yield which cases are in each tenth, if they are enough."""
    tenth = np.minimum((10 * chance).astype(int), 9)
    return (here for here in (tenth == place for place in range(10)) if here.sum() >= FEWEST)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=4_000, help="candidates of each world (4,000)")
    parser.add_argument("--histories", type=int, default=1_000, help="histories of each world (1,000)")
    given = parser.parse_args()
    for line in (*table(given.cases), "", *table_with_history(given.histories)):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
