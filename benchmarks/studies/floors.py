"""How often a gate fails an unchanged system whose nights share a fault, or drift, if its floor is from earlier runs.

From the root of the repository: ``python -m benchmarks.studies.floors``; ``--help`` lists the options. floors.md
holds its tables.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np
from scipy.special import ndtr

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.planning.floors import NO_GROUPS, Groups, RunScores

MEAN, RUN_SD = 0.9, 0.01
NIGHTS, RUNS, NEW_RUNS = (2, 3, 5, 8), (1, 3, 5), (1, 3)
SEED = 1010


@dataclass(frozen=True)
class System:
    """How the nights of a system that does not change differ; in standard deviations of a run.

    Attributes
    ----------
    fault
        Standard deviation of what the runs of a night share.
    drift
        What each night loses.
    step
        Standard deviation of what is added from one night to the next and stays.
    """

    fault: float = 0.0
    drift: float = 0.0
    step: float = 0.0

    def levels(self, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
        """Draw the levels of nights, without the fault of the last."""
        faults, steps = rng.standard_normal(shape), rng.standard_normal(shape)
        faults[:, -1] = steps[:, -1] = 0
        moved = self.step * np.cumsum(steps, axis=1) - self.drift * np.arange(shape[1])
        levels: Floats = MEAN + RUN_SD * (self.fault * faults + moved)
        return levels

    def next_sd(self, n_new: int) -> float:
        """Return how much the mean of new runs of the last night varies."""
        return RUN_SD * sqrt(self.fault**2 + self.step**2 + 1 / n_new)


SYSTEMS = {
    "independent runs": System(),
    "faults, variance 1×": System(fault=1),
    "faults, variance 2×": System(fault=sqrt(2)),
    "faults, variance 4×": System(fault=2),
    "drift of 0.5 a night": System(drift=0.5),
    "drift of 1 a night": System(drift=1),
    "random walk, steps of 1": System(step=1),
    "drift of 0.25 a night": System(drift=0.25),
}


def histories_of(
    system: System, n_nights: int, n_each: int, repetitions: int, *, known: bool
) -> tuple[list[RunScores], Floats]:
    """Draw histories, and the level of the night after each without its own fault."""
    rng = np.random.default_rng([SEED, [*SYSTEMS.values()].index(system), n_nights, n_each])
    levels = system.levels((repetitions, n_nights + 1), rng)
    histories = levels[:, :-1, None] + RUN_SD * rng.standard_normal((repetitions, n_nights, n_each))
    names = tuple(f"2026-11-{1 + night:02}" for night in range(n_nights) for _ in range(n_each))
    groups = Groups("night", names) if known else NO_GROUPS
    scores = histories.reshape(repetitions, -1).tolist()
    return [RunScores.of_scores(each, groups=groups) for each in scores], levels[:, -1:]


def rates(
    system: System, n_nights: int, n_each: int, repetitions: int, *, known: bool
) -> tuple[tuple[float, ...], float, tuple[float, ...]]:
    """Return false alarms by number of new runs, the share of histories that are warned about, and alarms elsewhere.

    The chance of an alarm is exact for every history.
    """
    found, levels = histories_of(system, n_nights, n_each, repetitions, known=known)
    limits = np.array([[runs.floor(n_new).fails_below for n_new in NEW_RUNS] for runs in found])
    sds = np.array([system.next_sd(n_new) for n_new in NEW_RUNS])
    alarms = ndtr((limits - levels) / sds)
    warned = np.array([bool(runs.warnings) for runs in found])
    unwarned = alarms[~warned].mean(axis=0) if not warned.all() else np.full(len(NEW_RUNS), np.nan)
    return tuple(alarms.mean(axis=0)), float(warned.mean()), tuple(unwarned)


def table(repetitions: int) -> Iterator[str]:
    """Yield the lines of a Markdown table, in per cent."""
    yield "| system | nights × runs | nights known: 1 new run | 3 | warned | unknown: 1 new run | 3 | warned |"
    yield "| --- | ---: |" + " ---: |" * 6
    for (name, system), n_nights, n_each in product(SYSTEMS.items(), NIGHTS, RUNS):
        if n_nights * n_each < 3:
            continue
        cells = []
        for known in (True, False):
            alarms, warned, unwarned = rates(system, n_nights, n_each, repetitions, known=known)
            cells += [f"{100 * each:.1f} ({_percent(other)})" for each, other in zip(alarms, unwarned, strict=True)]
            cells.append(f"{100 * warned:.0f}")
        yield f"| {name} | {n_nights} × {n_each} | {' | '.join(cells)} |"


def losses(repetitions: int) -> Iterator[str]:
    """Yield the lines of a Markdown table: the loss found in 80%, in standard deviations of an independent run."""
    yield "| nights × runs | nights known: 1 new run | 3 | unknown: 1 new run | 3 |"
    yield "| ---: |" + " ---: |" * 4
    for n_nights, n_each in product(NIGHTS[1:], RUNS):
        cells = []
        for known in (True, False):
            found, _ = histories_of(SYSTEMS["independent runs"], n_nights, n_each, repetitions, known=known)
            cells += [np.median([runs.detectable_loss(n_new) for runs in found]) / RUN_SD for n_new in NEW_RUNS]
        yield f"| {n_nights} × {n_each} | {' | '.join(f'{each:.1f}' for each in cells)} |"


def _percent(rate: float) -> str:
    return "–" if np.isnan(rate) else f"{100 * rate:.1f}"


def main() -> None:
    """Print both tables."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=4_000, help="histories of each line (4,000)")
    given = parser.parse_args()
    for lines in (table, losses):
        for line in lines(given.repetitions):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
