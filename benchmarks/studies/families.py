"""How often any gate of many fails falsely, each on its own and in a family whose chance of that is kept.

From the root of the repository: ``python -m benchmarks.studies.families --gates 200000 > tables``.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from math import sqrt
from types import MappingProxyType
from zlib import crc32

import numpy as np
import numpy.typing as npt

from benchmarks.studies.populations import Population, retrained
from benchmarks.studies.rules import ROPE
from benchmarks.studies.uneven import UNEVEN
from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.arrays import Counts, Floats
from pytest_bayesf1.comparison.compare import ComparisonTask
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.gates.demand import Family, Verdict
from pytest_bayesf1.measures.classification import Joint, Measure, parse_measure
from pytest_bayesf1.results.policy import NOT_WORSE, Outcome

LEVEL = 0.05
SIZES = (20, 100, 500)
MAYBE_WORSE, MAYBE_FAR = -1.4, -2.3
"""Standard errors of the observed difference above the ROPE, below which a gate could fail on its own, or in a family.

It takes about -2 on its own, and -2.8 in a family of 20, but standard errors vary from test set to test set.
"""
EVEN = "errors spread evenly"


KINDS: Mapping[str, tuple[int, Callable[[Measure, float], Population]]] = MappingProxyType(
    {
        EVEN: (2, lambda measure, loss: retrained(measure, -loss, 2)),
        "one class in 20 rare": (2, lambda measure, loss: retrained(measure, -loss, 2, imbalance=20)),
        **UNEVEN,
    }
)
"""Populations by the number of classes and a loss: all but the first break what the prior expects."""


@dataclass(frozen=True)
class Truth:
    """Gates on test sets of so many examples, all with the same true difference of the scores."""

    n_examples: int
    delta: float
    kind: str = field(default=EVEN, repr=False)  # random numbers do not depend on it

    @property
    def measure(self) -> Measure:
        """F1, averaged where there are more than two classes."""
        n_classes, _ = KINDS[self.kind]
        return parse_measure("f1" if n_classes == 2 else "f1_macro", range(n_classes))

    def test_sets(self, n_gates: int, seed: int) -> tuple[Counts, Floats]:
        """Draw joint counts, (gates, M, M, M), and how far the observed difference lies above the ROPE's lower end.

        The distance is in standard errors.
        """
        rng, measure = np.random.default_rng([seed, crc32(repr(self).encode())]), self.measure
        joint = KINDS[self.kind][1](measure, -self.delta).joint
        counts = rng.multinomial(self.n_examples, joint.ravel(), n_gates).reshape(n_gates, *joint.shape)
        baseline, candidate = (measure(_joints(counts.sum(axis=axis).astype(np.float64))) for axis in (3, 2))
        observed = candidate - baseline
        return counts, (observed + ROPE) / observed.std()


@dataclass(frozen=True)
class Rates:
    """Shares of families of one size with any failure, and how many families were made, without and with the policy."""

    n_raw: int
    raw: float
    n_kept: int
    kept: float


def judged(counts: Counts, measure: Measure, family: Family) -> tuple[bool, bool]:
    """Whether the real gate fails on its own, and whether it does in a family."""
    cells, n_classes = counts.nonzero(), len(counts)
    pairs = PairedCounts.from_table(
        OutcomeTable.tally(n_classes, *cells, weight=counts[cells]), tuple(range(n_classes))
    )
    question = ComparisonTask.of(pairs, measure=measure.name, rope=ROPE)
    (comparison,) = question.answers([question.measure(measure.name)], family.tail)
    alone = Verdict.of(comparison, NOT_WORSE)
    return alone.outcome is Outcome.FAILED, family.judged(alone).outcome is Outcome.FAILED


def estimate_rates(truth: Truth, n_gates: int, seed: int) -> dict[int, Rates]:
    """Put gates into families of each size; a fortieth of them serves for what gates do on their own."""
    counts, distance = truth.test_sets(n_gates, seed)
    n_raw = n_gates // 40
    fails_alone = np.zeros(n_raw, dtype=bool)
    fails = {size: np.zeros(n_gates, dtype=bool) for size in SIZES}
    families = {size: Family("", LEVEL, size) for size in SIZES}
    for gate in np.flatnonzero(distance < np.where(np.arange(n_gates) < n_raw, MAYBE_WORSE, MAYBE_FAR)).tolist():
        for size, family in families.items():
            alone, fails[size][gate] = judged(counts[gate], truth.measure, family)
            if not alone:
                break
            if gate < n_raw:
                fails_alone[gate] = True
            if not fails[size][gate]:
                break  # nor does it in a larger family
    return {size: Rates(*_share(fails_alone, size), *_share(fails[size], size)) for size in SIZES}


def _share(failed: npt.NDArray[np.bool_], size: int) -> tuple[int, float]:
    families = failed[: failed.size - failed.size % size].reshape(-1, size)
    return len(families), float(families.any(axis=1).mean())


def _joints(matrix: Floats) -> Joint:
    return Joint(matrix.sum(axis=-1), matrix.diagonal(axis1=-2, axis2=-1), matrix.sum(axis=-2), matrix)


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--gates", type=int, default=20_000, help="of each truth, 20,000 at least")
    parser.add_argument("--examples", type=int, nargs="+", default=[1_000, 4_000])
    parser.add_argument("--kinds", choices=KINDS, nargs="+", default=[EVEN], help="populations, by default the first")
    parser.add_argument("--deltas", type=float, nargs="+", default=[-ROPE, 0.0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1, help="processes")
    given = parser.parse_args()
    scenarios = [Truth(*each) for each in product(given.examples, given.deltas, given.kinds)]
    print("| N | true δ | population | gates | any fails on its own | any fails in the family |")
    print("| ---: | --- | --- | ---: | ---: | ---: |")
    with ProcessPoolExecutor(given.workers) as pool:
        found = pool.map(partial(estimate_rates, n_gates=given.gates, seed=given.seed), scenarios)
        for truth, rates in zip(scenarios, found, strict=True):
            print("\n".join(_rows(truth, rates)), flush=True)
            print(f"{truth} done", file=sys.stderr)


def _rows(truth: Truth, rates: dict[int, Rates]) -> Iterator[str]:
    where = "−ROPE" if truth.delta else "0"
    for size, each in rates.items():
        raw, kept = _percent(each.raw, each.n_raw), _percent(each.kept, each.n_kept)
        yield f"| {truth.n_examples:,} | {where} | {truth.kind} | {size} | {raw} | {kept} |"


def _percent(rate: float, n: int) -> str:
    return f"{100 * rate:.1f} ± {100 * sqrt(rate * (1 - rate) / n):.1f}"


if __name__ == "__main__":
    main()
