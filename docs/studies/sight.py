"""Whether a gate sees what it says it sees, and whether more examples settle what they are said to settle.

From the root of the repository: ``python -m docs.studies.sight`` prints the tables of sight.md; ``--help`` lists the
options.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from math import sqrt
from types import MappingProxyType
from typing import TypeAlias
from zlib import crc32

import numpy as np
from scipy.special import ndtri

from docs.studies.populations import Population, retrained
from pytest_bayesf1 import ConfusionMatrix, PairedCounts
from pytest_bayesf1.arrays import Counts, Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.measures.measures import Measure, parse_measure
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.settling import SETTLED, chance_of_settling, examples_needed

ROPE = 0.01
POWER = 0.8
REPETITIONS = 300
_N_DRAWS = 2_000
_N_SEEN = 20
"""Test sets whose figure is asked for; they come from a population without a difference."""
_TRIED = (0.85, 1.0, 1.15)
"""True losses, as multiples of the one that was told."""
Row: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Setting:
    """Test sets of one kind; the most frequent class is ``imbalance`` times as frequent as the rarest."""

    n_classes: int
    n_examples: int
    model: Model
    agreement: float = 0.9
    imbalance: float = 2.0
    rope: float = ROPE

    @property
    def measure(self) -> Measure:
        """F1, averaged where there are more than two classes."""
        return parse_measure("f1" if self.n_classes == 2 else "f1_macro", range(self.n_classes))

    @property
    def generator(self) -> np.random.Generator:
        """Random numbers that do not depend on which other settings run."""
        return np.random.default_rng(crc32(repr(self).encode()))

    def population(self, delta: float) -> Population:
        """Return the population in which the scores differ by this; nobody knows who agrees if the data do not tell."""
        shape = {"agreement": self.agreement, "imbalance": self.imbalance}
        population = retrained(self.measure, delta, self.n_classes, **shape)
        return _erring_independently(population) if self.model is Model.SAME_SET else population

    def draw(self, population: Population, n: int, rng: np.random.Generator) -> tuple[Counts, ...]:
        """Count n examples: by true class and both sides' predictions, or by one prediction for each side."""
        joint = rng.multinomial(n, population.joint.ravel(), size=2).reshape(2, *population.joint.shape)
        if self.model is Model.PAIRED:
            return (joint[0],)
        return joint[0].sum(axis=2), joint[int(self.model is Model.INDEPENDENT)].sum(axis=1)

    def seen(self, population: Population, rng: np.random.Generator) -> tuple[Counts, ...]:
        """Draw a test set in which every class occurs, as people make them."""
        while True:
            counts = self.draw(population, self.n_examples, rng)
            if all(each.reshape(self.n_classes, -1).any(axis=1).all() for each in counts):
                return counts

    def compare(self, counts: tuple[Counts, ...], rng: np.random.Generator) -> Comparison:
        """Compare by what was counted."""
        labels = tuple(range(self.n_classes))
        tables = [OutcomeTable.tally(self.n_classes, *each.nonzero(), weight=each[each.nonzero()]) for each in counts]
        sides = (
            [PairedCounts(tables[0], labels)]
            if self.model is Model.PAIRED
            else [ConfusionMatrix(each, labels=labels) for each in counts]
        )
        seed = int(rng.integers(1 << 32))
        return run_comparison(
            *sides, model=self.model, measure=self.measure.name, rope=self.rope, n_draws=_N_DRAWS, seed=seed
        )

    def fails(self, loss: float, repetitions: int, rng: np.random.Generator) -> float:
        """Return how often the gate fails a candidate that loses this much."""
        population = self.population(-loss)
        judged = (self.compare(self.seen(population, rng), rng).decision for _ in range(repetitions))
        return float(np.mean([decision == "<<" for decision in judged]))


def _erring_independently(population: Population) -> Population:
    classes = population.joint.sum(axis=(1, 2))
    baseline, candidate = population.joint.sum(axis=2), population.joint.sum(axis=1)
    return Population(np.einsum("j,jk,jl->jkl", 1 / classes, baseline, candidate))


P, S, I = Model.PAIRED, Model.SAME_SET, Model.INDEPENDENT  # noqa: E741
SETTINGS = (
    *(Setting(2, 100, P, 0.8), Setting(2, 400, P), Setting(2, 400, P, 0.8, 20), Setting(2, 2_000, P)),
    *(Setting(2, 2_000, P, 0.9, 20), Setting(2, 10_000, P), Setting(2, 10_000, P, 0.98)),
    *(Setting(2, 100, S, 0.7), Setting(2, 400, S, 0.8), Setting(2, 2_000, S, 0.8, 20)),
    *(Setting(2, 100, I, 0.7), Setting(2, 1_000, I, 0.8), Setting(2, 10_000, I, 0.9, 20)),
    *(Setting(5, 200, P), Setting(5, 1_000, P, 0.9, 20), Setting(5, 10_000, P)),
    *(Setting(5, 1_000, S), Setting(5, 1_000, I, 0.9, 20)),
    *(Setting(20, 400, P), Setting(20, 2_000, P), Setting(20, 2_000, P, 0.9, 20), Setting(20, 10_000, P)),
    *(Setting(20, 2_000, S, 0.9, 20), Setting(20, 2_000, I)),
    *(Setting(100, 1_000, P), Setting(100, 5_000, P, 0.9, 20), Setting(100, 10_000, P)),
    *(Setting(100, 5_000, S), Setting(100, 10_000, I, 0.9, 20)),
)


def losses(settings: tuple[Setting, ...], repetitions: int) -> Iterator[Row]:
    """Ask for the losses that are found, and let the gate judge candidates that lose about as much."""
    for setting in settings:
        rng = setting.generator
        equal = setting.population(0.0)
        seen = [setting.compare(setting.seen(equal, rng), rng) for _ in range(_N_SEEN)]
        told = [comparison.sight for comparison in seen if comparison.sight and comparison.sight.likely]
        likely, even = np.array([(sight.likely, sight.even) for sight in told], dtype=float).T
        loss = float(likely.mean())
        rates = [setting.fails(times * loss, repetitions, rng) for times in _TRIED]
        found = _where(np.array(_TRIED) * loss, np.array(rates), repetitions)
        yield (
            f"{setting.n_classes}",
            f"{setting.n_examples:,}",
            str(setting.model),
            "balanced" if setting.imbalance == 2 else "skewed",
            f"{setting.agreement:.0%}",
            f"{100 * loss:.2f} ± {100 * likely.std(ddof=1):.2f}",
            f"{100 * found:.2f}",
            f"{found / loss - 1:+.1%}",
            f"{rates[1]:.0%}",
            f"{100 * even.mean():.2f}",
            f"{setting.fails(float(even.mean()), repetitions, rng):.0%}",
        )


def _where(tried: Floats, rates: Floats, repetitions: int) -> float:
    """Return the loss that is found with probability `POWER`, by the straight line through the rates' normal scores."""
    kept = rates.clip(0.5 / repetitions, 1 - 0.5 / repetitions)
    slope, height = np.polyfit(tried, ndtri(kept), 1)
    return float((ndtri(POWER) - height) / slope)


UNDECIDED = (
    *(Setting(2, 400, P), Setting(2, 2_000, P), Setting(2, 10_000, P), Setting(5, 1_000, P), Setting(2, 2_000, S, 0.8)),
    *(Setting(20, 2_000, P), Setting(2, 2_000, P, rope=0.02), Setting(5, 1_000, I, rope=0.03)),
)
_BINS = (0.0, 1.0, 10.0, 100.0, np.inf)
_REACH = 4.0
"""True differences are even over so many standard deviations of the posterior on either side of 0."""


def settling(settings: tuple[Setting, ...], repetitions: int) -> Iterator[Row]:
    """Add examples to test sets that settle nothing, as many as are said to be needed, and any number."""
    found = np.array([each for setting in settings for each in _added(setting, repetitions)])
    for what, times, chance, settled in (("needed", 0, None, 1), ("any", 2, 3, 4)):
        for low, high in pairwise(_BINS):
            inside = found[(low < found[:, times]) & (found[:, times] <= high)]
            if not len(inside):
                continue
            predicted = 0.5 if chance is None else inside[:, chance].mean()
            rate = inside[:, settled].mean()
            between = f"{low:g} to {high:g}" if high < np.inf else f"above {low:g}"
            error = sqrt(rate * (1 - rate) / len(inside))
            yield what, between, f"{len(inside):,}", f"{predicted:.1%}", f"{rate:.1%}", f"{error:.1%}"


def _added(setting: Setting, repetitions: int) -> Iterator[tuple[float, ...]]:
    rng, rope = setting.generator, Rope.of(setting.rope)
    width = _REACH * setting.compare(setting.seen(setting.population(0.0), rng), rng).std
    for _ in range(repetitions):
        population = setting.population(float(rng.uniform(-width, width)))
        counts = setting.seen(population, rng)
        first = setting.compare(counts, rng)
        n_needed = examples_needed(first, rope, setting.n_examples)
        if not n_needed:
            continue
        times = float(np.exp(rng.uniform(np.log(0.1), np.log(400))))
        (chance,) = chance_of_settling(first, rope, np.array([times]))
        settled = []
        for n_more in (n_needed, round(times * setting.n_examples)):
            more = setting.draw(population, n_more, rng)
            together = tuple(before + new for before, new in zip(counts, more, strict=True))
            settled.append(float(setting.compare(together, rng).decision in SETTLED))
        yield n_needed / setting.n_examples, settled[0], times, float(chance), settled[1]


Study: TypeAlias = Callable[[int], Iterator[Row]]
STUDIES: Mapping[str, tuple[str, Study]] = MappingProxyType(
    {
        "losses": (
            "M | N | model | classes | agreement | told, power 80% | found | by | fails at told | told, 50% | fails",
            partial(losses, SETTINGS),
        ),
        "settling": (
            "more examples | as multiples of N | test sets | predicted | settled | ±",
            partial(settling, UNDECIDED),
        ),
    }
)


def main() -> None:
    """Print the tables, row by row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=f"of {', '.join(STUDIES)}; by default all")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="test sets of each rate (300)")
    given = parser.parse_args()
    for name in given.studies or STUDIES:
        head, study = STUDIES[name]
        for line in chain(
            ("", f"### {name}", "", f"| {head} |", "|" + " ---: |" * (1 + head.count("|"))),
            _rows(study(given.repetitions)),
        ):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


def _rows(rows: Iterator[Row]) -> Iterator[str]:
    return (f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    main()
