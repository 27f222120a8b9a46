"""Whether a gate detects the losses that it reports.

From the root of the repository: ``python -m benchmarks.studies.power`` prints the tables of power.md;
``--help`` lists the options.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np

from benchmarks.studies.populations import Population, losing, retrained
from pytest_bayesf1 import ConfusionMatrix, PairedCounts
from pytest_bayesf1.arrays import Counts
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.compare import ComparisonTask
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import Measure, parse_measure
from pytest_bayesf1.results.comparison import DeltaFigures, DetectableLosses
from pytest_bayesf1.stats.posterior import Draws, summarise_delta

ROPE = 0.01
REPETITIONS = 300
_N_DRAWS = 2_000
_N_SEEN = 12
"""Test sets whose figure is asked for; they come from a population without a difference."""
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
    accuracy: float = field(default=0.8, repr=False)  # random numbers do not depend on it

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
        shape = {"accuracy": self.accuracy, "agreement": self.agreement, "imbalance": self.imbalance}
        population = retrained(self.measure, delta, self.n_classes, **shape)
        return _erring_independently(population) if self.model is Model.SAME_SET else population

    def draw(self, population: Population, n: int, rng: np.random.Generator) -> tuple[Counts, ...]:
        """Count n examples: by true class and both sides' predictions, or by one prediction for each side."""
        here = _sample(population, n, rng)
        if self.model is Model.PAIRED:
            return (here,)
        there = _sample(population, n, rng) if self.model is Model.INDEPENDENT else here
        return here.sum(axis=2), there.sum(axis=1)

    def seen(self, population: Population, rng: np.random.Generator) -> tuple[Counts, ...]:
        """Draw a test set in which every class occurs, as people make them."""
        while True:
            counts = self.draw(population, self.n_examples, rng)
            if all(each.reshape(self.n_classes, -1).any(axis=1).all() for each in counts):
                return counts

    def question(self, counts: tuple[Counts, ...], rng: np.random.Generator) -> ComparisonTask:
        """Ask how the sides compare by what was counted."""
        labels, sides = tuple(range(self.n_classes)), list[Any]()
        for each in counts:
            cells = each.nonzero()
            table = OutcomeTable.tally(self.n_classes, *cells, weight=each[cells])
            sides.append(
                PairedCounts.from_table(table, labels) if each.ndim == 3 else ConfusionMatrix(each, labels=labels)
            )
        return _question(*sides, rng=rng, model=self.model, measure=self.measure.name, rope=self.rope)

    def judged(self, counts: tuple[Counts, ...], rng: np.random.Generator, n_draws: int = _N_DRAWS) -> DeltaFigures:
        """Decide as a gate does, and leave out what else a comparison tells."""
        return _judged(self.question(counts, rng), self.measure, n_draws)

    def fails(self, loss: float, repetitions: int, rng: np.random.Generator, *, afresh: bool = False) -> float:
        """Return how often the gate fails a candidate that loses this much, by new errors or by predicting afresh."""
        if self.model is not Model.PAIRED:
            population = self.population(-loss)
        elif afresh:
            population = replace(self, agreement=self.agreement - loss).population(-loss)
        else:
            population = losing(self.population(0.0), self.measure, loss)
        judged = (self.judged(self.seen(population, rng), rng).decision for _ in range(repetitions))
        return float(np.mean([decision == "<<" for decision in judged]))


def _question(*sides: Any, rng: np.random.Generator, **arguments: Any) -> ComparisonTask:
    return ComparisonTask.of(*sides, n_draws=_N_DRAWS, weak_baseline=True, seed=int(rng.integers(1 << 32)), **arguments)


def _judged(question: ComparisonTask, measure: Measure, n_draws: int = _N_DRAWS) -> DeltaFigures:
    sampler = question.subject.sampler((question.measure(measure.name),), question.options)
    baseline, candidate = sampler.draw(n_draws)[:, :, 0]
    return summarise_delta(Draws(candidate - baseline), question.options.rope, question.options.hdi_prob)


def _losses_of(questions: Iterable[ComparisonTask], measure: Measure) -> Iterator[DetectableLosses]:
    for question in questions:
        found = next(question.answers([question.measure(measure.name)])).detectable_losses
        assert found is not None
        yield found


def _sample(population: Population, n: int, rng: np.random.Generator) -> Counts:
    return rng.multinomial(n, population.joint.ravel()).reshape(population.joint.shape)


def _erring_independently(population: Population) -> Population:
    classes = population.joint.sum(axis=(1, 2))
    baseline, candidate = population.joint.sum(axis=2), population.joint.sum(axis=1)
    return Population(np.einsum("j,jk,jl->jkl", 1 / classes, baseline, candidate))


P, S, I = Model.PAIRED, Model.SAME_SET, Model.INDEPENDENT  # noqa: E741
SETTINGS = (
    *(Setting(2, 100, P, 0.75), Setting(2, 400, P), Setting(2, 400, P, 0.8, 20), Setting(2, 2_000, P)),
    *(Setting(2, 2_000, P, 0.9, 20), Setting(2, 10_000, P), Setting(2, 10_000, P, 0.98)),
    *(Setting(2, 100, S, 0.7), Setting(2, 400, S, 0.8), Setting(2, 2_000, S, 0.8, 20)),
    *(Setting(2, 100, I, 0.7), Setting(2, 1_000, I, 0.8), Setting(2, 10_000, I, 0.9, 20)),
    *(Setting(5, 200, P), Setting(5, 1_000, P, 0.9, 20), Setting(5, 1_000, S), Setting(5, 1_000, I, 0.8, 20)),
    *(Setting(20, 400, P), Setting(20, 2_000, P, 0.9, 20), Setting(20, 10_000, P)),
    *(Setting(20, 2_000, S, 0.9, 20), Setting(20, 2_000, I)),
    *(Setting(100, 1_000, P), Setting(100, 5_000, P, 0.9, 20), Setting(100, 5_000, S)),
    *(Setting(2, n, P, 0.97, accuracy=0.98) for n in (2_000, 5_000)),
    Setting(20, 5_000, P, 0.97, accuracy=0.98),
)


def losses(settings: Sequence[Setting], repetitions: int) -> Iterator[Row]:
    """Ask for the losses that are found, and let the gate judge candidates that lose about as much."""
    for setting in settings:
        rng = setting.generator
        equal = setting.population(0.0)
        questions = [setting.question(setting.seen(equal, rng), rng) for _ in range(_N_SEEN)]
        reported = [(each.power_80, each.power_50) for each in _losses_of(questions, setting.measure)]
        likely, even = np.array(reported, dtype=float).T
        loss = float(likely.mean())
        yield (
            f"{setting.n_classes}",
            f"{setting.n_examples:,}",
            str(setting.model),
            "balanced" if setting.imbalance == 2 else "skewed",
            f"{setting.accuracy:.0%}",
            f"{setting.agreement:.0%}",
            f"{100 * loss:.2f} ± {100 * likely.std(ddof=1):.2f}",
            f"{setting.fails(loss, repetitions, rng):.0%}",
            f"{setting.fails(loss, repetitions, rng, afresh=True):.0%}" if setting.model is Model.PAIRED else "",
            f"{100 * even.mean():.2f}",
            f"{setting.fails(float(even.mean()), repetitions, rng):.0%}",
        )


ONE_CLASS = (
    Setting(4, 1_000, Model.PAIRED, imbalance=10),
    Setting(4, 4_000, Model.PAIRED, imbalance=30),
    Setting(10, 2_000, Model.PAIRED, imbalance=10),
)


def one_class(settings: Sequence[Setting], repetitions: int) -> Iterator[Row]:
    """Ask equal candidates for the losses that are found, and judge candidates that lose so much, evenly or not."""
    for setting in settings:
        rng, equal = setting.generator, setting.population(0.0)
        questions = (setting.question(setting.seen(equal, rng), rng) for _ in range(_N_SEEN))
        said = [
            (each.power_80 or np.nan, each.one_class_80 or np.nan) for each in _losses_of(questions, setting.measure)
        ]
        even, alone = np.nanmean(said, axis=0).tolist()
        rates = [
            _rate(setting, losing(equal, setting.measure, loss, share), repetitions, rng)
            for loss, share in ((even, 1.0), (even, 1 / setting.n_classes), (alone, 1 / setting.n_classes))
        ]
        row = [f"{setting.n_classes}", f"{setting.n_examples:,}", f"{setting.imbalance:g}", f"{100 * even:.1f}"]
        yield (*row, *rates[:2], f"{100 * alone:.1f}", rates[2])


def _rate(setting: Setting, population: Population, repetitions: int, rng: np.random.Generator) -> str:
    judged = (setting.judged(setting.seen(population, rng), rng).decision for _ in range(repetitions))
    return f"{np.mean([decision == '<<' for decision in judged]):.0%}"


Study: TypeAlias = Callable[[Sequence[Any], int], Iterator[Row]]
STUDIES: Mapping[str, tuple[str, tuple[Any, ...], Study]] = MappingProxyType(
    {
        "losses": (
            "M | N | model | classes | accuracy | agreement | reported, 80% | fails | afresh | reported, 50% | fails",
            SETTINGS,
            losses,
        ),
        "one class": (
            "M | N | imbalance | spread evenly | found | found if one class loses it | one class alone | found",
            ONE_CLASS,
            one_class,
        ),
    }
)


def table(name: str, classes: Sequence[int], repetitions: int) -> Iterator[str]:
    """Yield the lines of a study's Markdown table."""
    head, settings, study = STUDIES[name]
    yield f"| {head} |"
    yield "|" + " ---: |" * (1 + head.count("|"))
    for row in study([setting for setting in settings if setting.n_classes in classes], repetitions):
        yield f"| {' | '.join(row)} |"


def main() -> None:
    """Print the tables, row by row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=f"of {', '.join(STUDIES)}; by default all")
    parser.add_argument("--classes", type=int, nargs="+", default=[2, 3, 5, 10, 20, 100])
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="test sets of each rate (300)")
    given = parser.parse_args()
    for name in given.studies or STUDIES:
        for line in chain(("", f"### {name}", ""), table(name, given.classes, given.repetitions)):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
