"""How often a few graded examples show something that is not true.

Run ``python -m benchmarks.studies.few_graded`` for the tables of few_graded.md; ``--help`` lists the options.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, product

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable, ScoreExperiment
from pytest_bayesf1.data.paired import Scores
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.engines.bootstrap import ScoreSampler
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.measures.ranking import ScoreMeasure
from pytest_bayesf1.priors import JEFFREYS
from pytest_bayesf1.stats.posterior import hdi

ALLOWED = (0.05, 0.1)
LOSSES = (0.05, 0.1, 0.2)
BEYOND = 1.2
"""A loss that is more than allowed, as a multiple of that."""
MEAN = ScoreMeasure("mean", parse_name("mean"))
ACCURACY = parse_measure("accuracy", (0, 1))
HDI_PROB = 0.95
N_DRAWS = 200_000
"""Of the table beside accuracy, whose last digit they give nearly."""

Grades = tuple[Floats, Floats]


def right_or_wrong(rng: np.random.Generator, n: int, loss: float) -> Grades:
    """Grade 1 in 80%; one in ten is graded afresh by the candidate."""
    baseline, afresh = (rng.random((2, n)) < 0.8).astype(float)
    candidate = np.where(rng.random(n) < 0.1, afresh, baseline)
    return baseline, np.where(rng.random(n) < loss / 0.8, 0, candidate)


def always_right(rng: np.random.Generator, n: int, loss: float) -> Grades:
    """Grade 1 always; the candidate only loses."""
    return np.ones(n), (rng.random(n) >= loss).astype(float)


def three_levels(rng: np.random.Generator, n: int, loss: float) -> Grades:
    """Grade 0, 1/2 and 1 in 10, 30 and 60%; one in five is graded afresh, and what is lost falls to 0."""
    baseline, afresh = rng.choice([0, 0.5, 1], (2, n), p=[0.1, 0.3, 0.6])
    candidate = np.where(rng.random(n) < 0.2, afresh, baseline)
    return baseline, np.where(rng.random(n) < loss / 0.75, 0, candidate)


def continuous(rng: np.random.Generator, n: int, loss: float) -> Grades:
    """Grade by Beta(8, 3); three in ten are graded afresh, and all grades of the candidate are lower alike."""
    baseline, afresh = rng.beta(8, 3, (2, n))
    return baseline, (1 - loss * 11 / 8) * np.where(rng.random(n) < 0.3, afresh, baseline)


def collapses(rng: np.random.Generator, n: int, loss: float) -> Grades:
    """Grade 0.8 always, but for rare examples that fall to 0."""
    return np.full(n, 0.8), np.where(rng.random(n) < loss / 0.8, 0, 0.8)


def constant(rng: np.random.Generator, n: int, loss: float) -> Grades:  # noqa: ARG001
    """Grade 0.8, and the candidate less by the loss, always."""
    return np.full(n, 0.8), np.full(n, 0.8 - loss)


@dataclass(frozen=True)
class Population:
    """Grades, of clusters of so many examples.

    Attributes
    ----------
    name
        As the tables have it.
    draw
        Draws grades of so many examples by a baseline, and by a candidate with this loss on average.
    mean
        The baseline's mean grade.
    sizes
        Numbers of examples, or of clusters.
    in_cluster
        Examples of a cluster: the first is drawn, and each other is its copy with probability 1/2, else drawn itself.
    """

    name: str
    draw: Callable[[np.random.Generator, int, float], Grades]
    mean: float
    sizes: tuple[int, ...] = (10, 15, 20, 30, 50)
    in_cluster: int = 1

    def sample(self, rng: np.random.Generator, n: int, loss: float) -> tuple[Codes, Grades]:
        """Draw a test set: clusters, and the grades of both sides."""
        cluster = np.repeat(np.arange(n), self.in_cluster)
        baseline, candidate = self.draw(rng, cluster.size, loss)
        at = np.where(rng.random(cluster.size) < 0.5, self.in_cluster * cluster, np.arange(cluster.size))
        return cluster, (baseline[at], candidate[at])


FEW = (1, 2, 3, 5, 8, 10, 15, 20, 30, 50)
CLUSTERS = (10, 20, 40)
POPULATIONS = (
    Population("0 and 1", right_or_wrong, 0.8, FEW),
    Population("0 and 1, never wrong before", always_right, 1.0, FEW),
    Population("three levels", three_levels, 0.75),
    Population("continuous", continuous, 8 / 11),
    Population("constant, rare collapses", collapses, 0.8),
    Population("constant", constant, 0.8),
    Population("0 and 1, clusters of 5", right_or_wrong, 0.8, CLUSTERS, 5),
    Population("three levels, clusters of 5", three_levels, 0.75, CLUSTERS, 5),
    Population("rare collapses, clusters of 5", collapses, 0.8, CLUSTERS, 5),
)


@dataclass(frozen=True)
class Study:
    """So many test sets of a setting, and draws for each; equal test sets are looked at once."""

    repetitions: int
    n_draws: int
    known: dict[bytes, tuple[float, float]] = field(default_factory=dict)

    def intervals(self, population: Population, n: int, loss: float, n_sides: int = 2) -> Floats:
        """Return the 95% HDIs of the difference, or of the candidate's own mean, (2, repetitions)."""
        rng = np.random.default_rng([n, round(1_000 * loss), n_sides, *population.name.encode()])
        samples = (population.sample(rng, n, loss) for _ in range(self.repetitions))
        return np.array([self._interval(cluster, grades[-n_sides:]) for cluster, grades in samples]).T

    def _interval(self, cluster: Codes, grades: tuple[Floats, ...]) -> tuple[float, float]:
        clusters = cluster if cluster.size > cluster[-1] + 1 else None
        sides = [Scores.from_values(each, clusters=clusters) for each in grades]
        is_pair = len(sides) == 2
        table = Sides.aligned(*sides).joint if is_pair else sides[0].table
        key = table.scores.tobytes() + table.count.tobytes() if clusters is None else b""
        if key not in self.known or not key:
            experiment = ScoreExperiment(Model.PAIRED if is_pair else Model.SINGLE, (table,))
            scores = ScoreSampler(experiment, [MEAN], 0).draw(self.n_draws)[:, :, 0]
            low, high = hdi(scores[1] - scores[0] if is_pair else scores[0], HDI_PROB).tolist()
            self.known[key] = low, high
        return self.known[key]

    def decisions(self) -> Iterator[str]:
        """Yield a table of decisions that are false, for each loss that is allowed."""
        yield "| grades | N | ≪, 5 points | ≈ | no worse | ≪, 10 points | ≈ | no worse |"
        yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        for population in POPULATIONS:
            for n in population.sizes:
                none, rates = self.intervals(population, n, 0.0), []
                for allowed in ALLOWED:
                    lost = [self.intervals(population, n, times * allowed) for times in (1, BEYOND)]
                    rates += [
                        max(np.mean(high < -allowed) for _, high in (none, lost[0])),
                        max(np.mean((low > -allowed) & (high < allowed)) for low, high in lost),
                        max(np.mean(low > -allowed) for low, _ in lost),
                    ]
                yield f"| {population.name} | {n} | {' | '.join(f'{100 * rate:.1f}' for rate in rates)} |"

    def floors(self) -> Iterator[str]:
        """Yield a table of true mean grades that are found to be below themselves, or above."""
        yield f"| grades | N | {' | '.join(f'below, −{100 * loss:g} | above' for loss in LOSSES)} |"
        yield f"| --- | ---: |{' ---: |' * 2 * len(LOSSES)}"
        for population in POPULATIONS[1:]:
            for n in population.sizes:
                found = [(self.intervals(population, n, loss, 1), population.mean - loss) for loss in LOSSES]
                rates = [np.mean(each) for (low, high), floor in found for each in (high < floor, low > floor)]
                yield f"| {population.name} | {n} | {' | '.join(f'{100 * rate:.1f}' for rate in rates)} |"


PAIRS = ((20, 0, 0, 0), (10, 0, 0, 0), (45, 2, 1, 2), (30, 8, 2, 10), (0, 1, 0, 0), (3, 5, 0, 2))


def beside_accuracy() -> Iterator[str]:
    """Yield what grades of 0 and 1 show, and what predictions of two classes, half of each, show by accuracy."""
    yield "| both right | only the baseline | only the candidate | neither | 95% HDI of the grades | of accuracy |"
    yield "| ---: | ---: | ---: | ---: | --- | --- |"
    for counts in PAIRS:
        baseline, candidate = (np.repeat(right, counts) for right in ([1, 1, 0, 0], [1, 0, 1, 0]))
        grades = run_comparison(
            *map(Scores.from_values, (baseline, candidate)), measure="mean", rope=0.05, n_draws=N_DRAWS
        )
        half = np.array(counts).reshape(2, 2) / 2
        cells = [(true, true ^ 1 ^ a, true ^ 1 ^ b, half[1 - a, 1 - b]) for true, a, b in product((0, 1), repeat=3)]
        *codes, weight = map(np.array, zip(*cells, strict=True))
        table = OutcomeTable.tally(2, *codes, weight=weight)
        accuracy = ExactEngine().sampler(Experiment(Model.PAIRED, (table,)), JEFFREYS, ACCURACY, 0).draw(N_DRAWS)
        shown = (
            f"{100 * low:+.1f} to {100 * high:+.1f}"
            for low, high in (grades.hdi, hdi(accuracy[1] - accuracy[0], HDI_PROB))
        )
        yield f"| {' | '.join(map(str, counts))} | {' | '.join(shown)} |"


def main() -> None:
    """Print the tables."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=600, help="test sets of each setting (600)")
    parser.add_argument("--draws", type=int, default=2_000, help="posterior draws per test set (2,000)")
    given = parser.parse_args()
    study = Study(given.repetitions, given.draws)
    for line in chain(beside_accuracy(), [""], study.decisions(), [""], study.floors()):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
