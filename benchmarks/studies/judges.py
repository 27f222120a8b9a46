"""How often a judge's grades, corrected by people's grades of some answers, hold the mean that people would give.

Run ``python -m benchmarks.studies.judges`` for the tables of judges.md; ``--help`` lists the options.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.comparison.human import FEWEST
from pytest_bayesf1.engines.corrected import CorrectedSampler, Grades
from pytest_bayesf1.stats.posterior import hdi

HDI_PROB = 0.95
N_DRAWS = 2_000
N_OF_TRUTH = 1_000_000
"""Examples whose mean is taken for the truth."""

PASSED = {
    "good": ((0.93, 0.08), (0.93, 0.08)),
    "lenient": ((0.98, 0.5), (0.98, 0.5)),
    "biased": ((0.85, 0.15), (0.98, 0.6)),
    "noise": ((0.5, 0.5), (0.5, 0.5)),
}
"""How often a judge passes each side's answers: those that people pass, and those that they fail."""


def passes(rng: np.random.Generator, n: int, judge: str, odds: tuple[float, float], size: int = 1) -> Grades:
    """Grade by 0 and 1: people pass an answer by Beta odds of its cluster, and agree on both sides in three of four."""
    cluster = np.repeat(np.arange(-(-n // size)), size)[:n]
    p = rng.beta(*odds, cluster[-1] + 1)[cluster]
    before = rng.random(n) < p
    after = np.where(rng.random(n) < 0.75, before, rng.random(n) < np.clip(p - 0.1, 0, 1))
    human = np.stack([before, after])
    said = [rng.random(n) < np.where(side, *passed) for side, passed in zip(human, PASSED[judge], strict=True)]
    return Grades(np.array(said, float), human.astype(float), np.arange(n), cluster)


def one_to_five(rng: np.random.Generator, n: int, judge: str) -> Grades:
    """Grade from 1 to 5: a good judge is one off in three of ten, a biased one lifts half of the candidate's by 1."""
    quality = rng.normal(3.5, 0.8, n)
    human = np.clip(np.rint(quality + rng.normal([[0.0], [-0.1]], 0.7, (2, n))), 1, 5)
    said = human + rng.choice([-1, 0, 1], (2, n), p=[0.15, 0.7, 0.15])
    if judge == "biased":
        said[1] += rng.random(n) < 0.5
    if judge == "noise":
        said = rng.integers(1, 6, (2, n))
    return Grades(np.clip(said, 1, 5).astype(float), human, np.arange(n), np.arange(n))


@dataclass(frozen=True)
class Population:
    """Answers of both sides, and how people and a judge grade them."""

    name: str
    draw: Callable[[np.random.Generator, int], Grades]
    in_cluster: int = 1

    def truth(self) -> Floats:
        """Return the mean that people would give each side."""
        return np.asarray(self.draw(np.random.default_rng(8), N_OF_TRUTH).human.mean(axis=1))

    def sample(self, rng: np.random.Generator, n: int, n_human: int) -> Grades:
        """Draw n answers of each side, of which people grade so many, by whole clusters."""
        drawn = self.draw(rng, n)
        n_clusters = int(drawn.cluster[-1]) + 1
        chosen = rng.permutation(n_clusters)[: round(n_human * n_clusters / n)]
        graded = np.flatnonzero(np.isin(drawn.cluster, chosen))
        return replace(drawn, human=drawn.human[:, graded], graded=graded)


_MIXED, _HARD, _EASY, _ALIKE = (3.0, 1.0), (3.0, 7.0), (17.0, 3.0), (1.0, 0.5)
POPULATIONS = (
    *(Population(f"0/1, {judge}", partial(passes, judge=judge, odds=_MIXED)) for judge in PASSED),
    *(Population(f"0/1, most fail, {judge}", partial(passes, judge=judge, odds=_HARD)) for judge in ("good", "biased")),
    *(Population(f"0/1, most pass, {judge}", partial(passes, judge=judge, odds=_EASY)) for judge in ("good", "biased")),
    *(Population(f"1 to 5, {judge}", partial(one_to_five, judge=judge)) for judge in ("good", "biased", "noise")),
    *(
        Population(f"0/1, clusters of 4, {judge}", partial(passes, judge=judge, odds=_ALIKE, size=4), 4)
        for judge in ("good", "biased")
    ),
)
SIZES = ((100, 20), (500, 60), (5_000, 400))
FEW = ((300, 10), (300, 15), (300, 20), (300, 30))


def interval(grades: Grades, side: int | None, seed: Codes) -> Floats:
    """Return the 95% HDI of the change, or of one side."""
    if side is not None:
        grades = grades.of_side(side)
    scores = CorrectedSampler(grades, tuple(seed)).draw(N_DRAWS)[:, :, 0]
    return np.asarray(hdi(scores[-1] - scores[0] if side is None else scores[0], HDI_PROB))


def row(population: Population, n: int, n_human: int, repetitions: int) -> str:
    """Say how often ranges hold the truth, and how wide they are beside those of people's grades alone."""
    truth = population.truth()
    held, width, of_human, by_judge = np.zeros(2), np.zeros(2), np.zeros(2), 0
    for number in range(repetitions):
        seed = np.array([20, number, n, n_human])
        grades = population.sample(np.random.default_rng(seed), n, n_human)
        blind = replace(grades, judge=np.zeros_like(grades.judge))
        for place, (side, true) in enumerate([(None, truth[1] - truth[0]), (1, truth[1])]):
            low, high = interval(grades, side, seed)
            held[place] += low <= true <= high
            width[place] += high - low
            of_human[place] += np.ptp(interval(blind, side, seed))
        change = np.diff(grades.judge, axis=0)[0]
        clusters = np.bincount(grades.cluster, change)
        error = clusters.std() * np.sqrt(clusters.size) / n
        by_judge += abs(change.mean() - truth[1] + truth[0]) <= 1.96 * error
    cells = [population.name, f"{n:,}", f"{n_human:,}", f"{by_judge / repetitions:.0%}"]
    for place in range(2):
        cells += [f"{held[place] / repetitions:.1%}", f"{width[place] / of_human[place]:.2f}"]
    return f"| {' | '.join(cells)} |"


def rows(sizes: tuple[tuple[int, int], ...], repetitions: int) -> Iterator[str]:
    """Write a table."""
    yield "| grades, judge | answers | by people | judge alone | change held | width | one side held | width |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for population in POPULATIONS:
        for n, n_human in sizes:
            if n_human >= FEWEST * population.in_cluster:
                yield row(population, n, n_human, repetitions)


def main() -> None:
    """Print one of the tables."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=("sizes", "few"), nargs="?", default="sizes")
    parser.add_argument("--repetitions", type=int, default=600)
    asked = parser.parse_args()
    for line in rows(SIZES if asked.table == "sizes" else FEW, asked.repetitions):
        print(line, flush=True)


if __name__ == "__main__":
    main()
