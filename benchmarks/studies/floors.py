"""How often a gate fails a system that has not changed, if its floor is from earlier runs that are not as it supposes.

From the root of the repository: ``python -m benchmarks.studies.floors``; ``--help`` lists the options. floors.md
holds its tables.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np
from scipy.special import ndtr

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.planning.floors import RunScores

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
Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]
"""Scores of runs, in standard deviations."""
SHAPES: dict[str, Draw] = {
    "normal": lambda rng, size: rng.standard_normal(size),
    "lognormal": lambda rng, size: -np.exp(0.5 * rng.standard_normal(size)),
    "exponential": lambda rng, size: -rng.standard_exponential(size),
}


def alarms(system: System, n_nights: int, n_each: int, repetitions: int) -> list[float]:
    """Return false alarms on runs of the next night, by their number; the chance of one is exact for every history."""
    rng = np.random.default_rng([SEED, [*SYSTEMS.values()].index(system), n_nights, n_each])
    levels = system.levels((repetitions, n_nights + 1), rng)
    histories = levels[:, :-1, None] + RUN_SD * rng.standard_normal((repetitions, n_nights, n_each))
    found = [RunScores.of_scores(each) for each in histories.reshape(repetitions, -1).tolist()]
    limits = np.array([[runs.floor(n_new).fails_below for n_new in NEW_RUNS] for runs in found])
    sds = np.array([system.next_sd(n_new) for n_new in NEW_RUNS])
    chances: list[float] = ndtr((limits - levels[:, -1:]) / sds).mean(axis=0).tolist()
    return chances


def alarms_by_shape(draw: Draw, n_runs: int, n_new: int, repetitions: int) -> float:
    """Return how often the mean of new runs lies below the limit."""
    rng = np.random.default_rng([SEED, n_runs, n_new])
    old, new = (MEAN + RUN_SD * draw(rng, (repetitions, size)) for size in (n_runs, n_new))
    limits = [RunScores.of_scores(each).floor(n_new).fails_below for each in old.tolist()]
    return float(np.mean(new.mean(axis=1) < limits))


def nights(repetitions: int) -> Iterator[str]:
    """Yield the lines of a Markdown table, in per cent."""
    yield "| system | nights × runs | 1 new run | 3 |"
    yield "| --- | ---: | ---: | ---: |"
    for (name, system), n_nights, n_each in product(SYSTEMS.items(), NIGHTS, RUNS):
        if n_nights * n_each >= 3:
            found = " | ".join(f"{100 * each:.1f}" for each in alarms(system, n_nights, n_each, repetitions))
            yield f"| {name} | {n_nights} × {n_each} | {found} |"


def shapes(repetitions: int) -> Iterator[str]:
    """Yield the lines of another one: scores that are skewed."""
    yield "| scores | runs | 1 new run | 3 |"
    yield "| --- | ---: | ---: | ---: |"
    for (name, draw), n_runs in product(SHAPES.items(), (3, 5, 8, 20)):
        found = " | ".join(f"{100 * alarms_by_shape(draw, n_runs, n_new, repetitions):.1f}" for n_new in NEW_RUNS)
        yield f"| {name} | {n_runs} | {found} |"


def main() -> None:
    """Print both tables."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=4_000, help="histories of each line (4,000)")
    given = parser.parse_args()
    for lines in (nights(given.repetitions), shapes(10 * given.repetitions)):
        for line in lines:
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
