"""What the agreement of two bare matrices buys: ``python -m benchmarks.studies.agreement``; the tables of agreement.md.

Simulated test sets on which both sides' predictions are known, judged with them (`paired`), without them (`same-set`),
and without them but with the share of the examples on which the two agree: the very share, a range around it, whose
lower end counts, or one that is too high. ``--widths`` only asks how much wider the HDI is than with the predictions:
by the first-order standard deviation of delta at the observed joint proportions, which takes no draws, so that measures
of one class and candidates that changed on some classes more can be looked at too.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from zlib import crc32

import numpy as np

from benchmarks.studies.populations import Population, retrained
from benchmarks.studies.rules import N_DRAWS, ROPE, RULES, Answer, DataSet
from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import Joint, Measure, parse_measure
from pytest_bayesf1.stats.agreement import Pairings

AGREEMENT = 0.95
DELTAS = (0.0, -ROPE, -3 * ROPE, -4 * ROPE)
_CHANGED = (1.0, 0.2)
_STEP = 1e-6


@dataclass(frozen=True)
class Setting:
    """Classes, the measure, and whether every second class is predicted afresh five times as often as the others."""

    n_classes: int
    measure_name: str
    uneven: bool = False

    @property
    def measure(self) -> Measure:
        """What is compared."""
        return parse_measure(self.measure_name, range(self.n_classes))

    def population(self, delta: float) -> Population:
        """Build the population on which the true difference is delta."""
        changed = np.resize(_CHANGED, self.n_classes) if self.uneven else 1.0
        return retrained(self.measure, delta, self.n_classes, agreement=AGREEMENT, changed=changed)

    def generator(self, seed: int) -> np.random.Generator:
        """Start a stream of random numbers that does not depend on which other settings run."""
        return np.random.default_rng([seed, crc32(repr(self).encode())])


def _stated(low: float, high: float) -> Callable[[DataSet], Answer]:
    """Say that the agreement lies between two distances from what it is; no farther than the matrices allow."""

    def judge(data: DataSet) -> Answer:
        sides = data.here.baseline, data.here.candidate
        pairings = Pairings(*(side.table for side in sides))
        bounds = pairings.least / pairings.n, pairings.most / pairings.n
        stated = tuple(float(np.clip(_agreement(data) + each, *bounds)) for each in (low, high))
        arguments = {"measure": data.measure.name, "rope": ROPE, "prior": data.prior, "n_draws": N_DRAWS}
        comparison = run_comparison(*sides, agreement=stated, **arguments)  # type: ignore[arg-type]
        return Answer(comparison.decision == "<<", comparison.hdi)

    return judge


def _agreement(data: DataSet) -> float:
    table = data.here.table
    return float(table.count[table.predicted[0] == table.predicted[1]].sum() / table.n_samples)


JUDGES: Mapping[str, Callable[[DataSet], Answer]] = MappingProxyType(
    {
        "paired": RULES["paired"],
        "same-set": RULES["same-set"],
        "agreement": _stated(0, 0),
        "range −2 to +2": _stated(-0.02, 0.02),
        "too high by 2": _stated(0.02, 0.02),
    }
)
"""How the two sides are compared; numbers are points of agreement."""


@dataclass(frozen=True)
class Found:
    """How often a judge fails the candidate, by delta; its HDI's coverage, and its mean width in points."""

    failed: Mapping[float, float]
    covered: float
    width: float


def study(setting: Setting, n_examples: int, repetitions: int, seed: int) -> Mapping[str, Found]:
    """Let every judge judge the same data sets."""
    rng, measure = setting.generator(seed), setting.measure
    populations = {delta: setting.population(delta) for delta in DELTAS}
    answers: dict[str, dict[float, list[Answer]]] = {name: {delta: [] for delta in DELTAS} for name in JUDGES}
    for delta, _ in product(DELTAS, range(repetitions)):
        data = DataSet.draw(populations[delta], measure, n_examples, rng)
        for name, judge in JUDGES.items():
            answers[name][delta].append(judge(data))
    return {name: _found(by_delta) for name, by_delta in answers.items()}


def _found(answers: Mapping[float, list[Answer]]) -> Found:
    covered = [each.covers(delta) for delta, some in answers.items() for each in some]
    widths = [each.interval[1] - each.interval[0] for some in answers.values() for each in some if each.interval]
    failed = {delta: float(np.mean([each.fails for each in some])) for delta, some in answers.items()}
    return Found(failed, float(np.mean(covered)), 100 * float(np.mean(widths)))


def widths(setting: Setting, n_examples: int, repetitions: int, seed: int) -> Iterator[tuple[float, Floats]]:
    """Yield, by delta, how many times as wide the interval is with the agreement in place of the predictions."""
    rng, measure = setting.generator(seed), setting.measure
    for delta in DELTAS[:2]:
        population = setting.population(delta)
        pairs = [population.sample(n_examples, rng) for _ in range(repetitions)]
        yield delta, np.array([_width(measure, each) for each in pairs])


def _width(measure: Measure, pairs: PairedCounts) -> float:
    joint = _proportions(pairs.table)
    slopes = [_slopes(measure, joint.sum(axis=2 - side)) for side in range(2)]
    change = slopes[1][:, None, :] - slopes[0][:, :, None]
    pairings = Pairings(pairs.baseline.table, pairs.candidate.table)
    n_agreed = round(float(np.trace(joint, axis1=1, axis2=2).sum()) * pairings.n)
    variances = [
        (each * change**2).sum() - (each * change).sum() ** 2
        for each in (_proportions(pairings.agreeing_on(n_agreed)), joint)
    ]
    with np.errstate(divide="ignore"):  # of a class on which the two agree wholly
        return float(np.sqrt(np.divide(*variances)))


def _proportions(table: OutcomeTable) -> Floats:
    joint = np.zeros((table.n_classes,) * 3)
    joint[table.true, table.predicted[0], table.predicted[1]] = table.count
    return np.asarray(joint / joint.sum())


def _slopes(measure: Measure, matrix: Floats) -> Floats:
    """Differentiate a measure by every cell."""
    steps = _STEP * np.eye(matrix.size).reshape(matrix.size, *matrix.shape)

    def scores(moved: Floats) -> Floats:
        right = np.diagonal(moved, axis1=1, axis2=2)
        return np.asarray(measure(Joint(moved.sum(axis=2), right, moved.sum(axis=1), moved)))

    return ((scores(matrix + steps) - scores(matrix - steps)) / (2 * _STEP)).reshape(matrix.shape)


def main() -> None:
    """Print a table, and progress to the standard error."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=300, help="data sets of each setting and delta")
    parser.add_argument("--examples", type=int, default=1_000)
    parser.add_argument("--classes", type=int, nargs="+", default=[2, 5, 20])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--widths", action="store_true", help="only ask how wide the intervals are")
    given = parser.parse_args()
    arguments = given.examples, given.repetitions, given.seed
    if given.widths:
        _print_widths(given.classes, *arguments)
        return
    print("| M | measure | judged by | interval holds δ | width | fails at 0 | at −1 | at −3 | at −4 |")
    print("| ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for setting in (Setting(*each) for each in product(given.classes, ("accuracy", "f1_macro"))):
        print("\n".join(_rows(setting, study(setting, *arguments))), flush=True)
        print(setting, "done", file=sys.stderr, flush=True)


def _rows(setting: Setting, found: Mapping[str, Found]) -> Iterator[str]:
    for judge, each in found.items():
        rates = " | ".join(f"{100 * rate:.1f}" for rate in each.failed.values())
        covered, width = f"{100 * each.covered:.1f}", f"{each.width:.1f}"
        yield f"| {setting.n_classes} | {setting.measure_name} | {judge} | {covered} | {width} | {rates} |"


def _print_widths(classes: Iterable[int], *arguments: int) -> None:
    print("| M | measure | changed | δ | median width | nine in ten |")
    print("| ---: | --- | --- | ---: | ---: | --- |")
    for n_classes, name, uneven in product(classes, ("accuracy", "f1_macro", "f1[0]"), (False, True)):
        for delta, found in widths(Setting(n_classes, name, uneven), *arguments):
            low, median, high = np.quantile(found, (0.05, 0.5, 0.95))
            how = "every second class more" if uneven else "all classes alike"
            row = f"| {n_classes} | {name} | {how} | {100 * delta:g} | {median:.2f} | {low:.2f} to {high:.2f} |"
            print(row, flush=True)


if __name__ == "__main__":
    main()
