"""Whether the intervals of a ranking hold what they promise.

From the root of the repository: ``python -m benchmarks.studies.ranking intervals --repetitions 400 > table``,
or ``close``.
"""

from argparse import ArgumentParser
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from scipy.stats import norm

from benchmarks.studies.rules import N_DRAWS, ROPE
from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.systems import Ranking, run_rank

N_SYSTEMS = 5
ACCURACY, GAPS, CLASS_EFFECT = 0.8, 0.02, 0.4
"""Mean accuracy; standard deviation of the systems' accuracies, and of how hard classes are, as normal quantiles."""
IN_COMMON = 0.7
"""Share of an example's difficulty, as a variance, that is the same for all systems."""


@dataclass(frozen=True)
class Setting:
    """Test sets of one size.

    Attributes
    ----------
    n_classes, n_examples
        M and N.
    imbalance
        How many times the first class is as frequent as the last.
    """

    n_classes: int
    n_examples: int
    imbalance: float = 1.0


@dataclass(frozen=True, eq=False)
class Field:
    """Several systems on one population, of which every true score is known.

    Attributes
    ----------
    proportions : (M,)
        Of the true classes.
    recalls : (K, M)
        How often each system is right about each.
    confusions : (M, M)
        What is predicted when it is wrong.
    """

    proportions: Floats
    recalls: Floats
    confusions: Floats

    @classmethod
    def random(cls, setting: Setting, rng: np.random.Generator) -> "Field":
        """Draw one."""
        n_classes = setting.n_classes
        proportions = np.geomspace(setting.imbalance, 1, n_classes)
        accuracies = norm.ppf((ACCURACY + GAPS * rng.standard_normal(N_SYSTEMS)).clip(max=0.99))
        recalls = norm.cdf(accuracies[:, None] + CLASS_EFFECT * rng.standard_normal(n_classes))
        steps = (np.arange(n_classes) - np.arange(n_classes)[:, None]) % n_classes
        wrong = np.where(steps > 0, 0.5**steps, 0)
        return cls(proportions / proportions.sum(), recalls, wrong / wrong.sum(axis=1, keepdims=True))

    def true_scores(self) -> Floats:
        """Score every system on the population by macro-F1."""
        measure = parse_measure("f1_macro", range(self.proportions.size))
        return np.array([float(measure(self._joint(recalls))) for recalls in self.recalls])

    def _joint(self, recalls: Floats) -> Joint:
        matrix = self.proportions[:, None] * (np.diag(recalls) + (1 - recalls)[:, None] * self.confusions)
        return Joint(matrix.sum(axis=1), matrix.diagonal(), matrix.sum(axis=0), matrix)

    def sample(self, n: int, rng: np.random.Generator) -> list[ConfusionMatrix]:
        """Draw a test set; every class occurs, as people make them."""
        n_classes = self.proportions.size
        true = rng.choice(n_classes, n, p=self.proportions)
        if np.unique(true).size < n_classes:
            return self.sample(n, rng)
        hardness = np.sqrt(IN_COMMON) * rng.standard_normal(n)
        return [self._predictions(true, hardness, recalls, rng) for recalls in self.recalls]

    def _predictions(self, true: Codes, hardness: Floats, recalls: Floats, rng: np.random.Generator) -> ConfusionMatrix:
        right = hardness + np.sqrt(1 - IN_COMMON) * rng.standard_normal(true.size) < norm.ppf(recalls[true])
        wrong = (rng.random((true.size, 1)) > self.confusions.cumsum(axis=1)[true]).sum(axis=1)
        wrong = wrong.clip(max=self.proportions.size - 1)
        labels = list(range(self.proportions.size))
        return ConfusionMatrix.from_predictions(true, np.where(right, true, wrong), labels=labels)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What became of one test set.

    Attributes
    ----------
    held : (P,)
        Whether the HDI of each pair's difference holds the true one.
    ranks_held : (K,)
        Whether each system's interval of ranks holds the true one.
    n_ranks : (K,)
        How many ranks each interval has.
    """

    held: Floats
    ranks_held: Floats
    n_ranks: Floats


def judge(ranking: Ranking, systems: dict[str, ConfusionMatrix], truth: dict[str, float]) -> Outcome:
    """Set a ranking against the true scores."""
    names = list(systems)
    order = sorted(names, key=lambda name: -truth[name])
    intervals = [ranking[name].rank_hdi for name in names]
    true_ranks = [1 + order.index(name) for name in names]
    return Outcome(
        held=np.array([_holds(pair.hdi, truth[pair.candidate] - truth[pair.baseline]) for pair in ranking.pairs]),
        ranks_held=np.array([_holds(held, rank) for held, rank in zip(intervals, true_ranks, strict=True)]),
        n_ranks=np.array([high - low + 1 for low, high in intervals]),
    )


def _holds(interval: tuple[float, float], value: float) -> bool:
    return interval[0] <= value <= interval[1]


def simulate(setting: Setting, repetitions: int, seed: int) -> list[Outcome]:
    """Rank the systems of many fields on a test set each."""
    rng = np.random.default_rng([seed, crc32(repr(setting).encode())])
    outcomes = []
    for _ in range(repetitions):
        field = Field.random(setting, rng)
        systems = {str(number): each for number, each in enumerate(field.sample(setting.n_examples, rng))}
        truth = dict(zip(systems, field.true_scores().tolist(), strict=True))
        outcomes.append(judge(run_rank(systems, rope=ROPE, n_draws=N_DRAWS), systems, truth))
    return outcomes


@dataclass(frozen=True)
class Close:
    """Systems of two classes whose accuracies scatter by so much.

    Attributes
    ----------
    n_systems, n_examples
        K and N.
    spread
        Standard deviation of the true accuracies.
    shape
        How they are distributed: ``normal``, ``uniform``, ``leaders`` (a long tail of better ones) or ``laggards``.
    """

    n_systems: int
    n_examples: int
    spread: float
    shape: str = "normal"

    def accuracies(self, rng: np.random.Generator) -> Floats:
        """Draw the true ones, (K,)."""
        n = self.n_systems
        away: Floats
        match self.shape:
            case "normal":
                away = rng.standard_normal(n)
            case "uniform":
                away = rng.uniform(-np.sqrt(3), np.sqrt(3), n)
            case "leaders":
                away = rng.exponential(size=n) - 1
            case _:
                away = 1 - rng.exponential(size=n)
        return np.asarray((ACCURACY + self.spread * away).clip(0.01, 0.99))

    def judged(self, rng: np.random.Generator) -> tuple[float, bool, int]:
        """Rank the systems on one test set: the share of intervals of ranks that hold; who may be the best.

        Of the latter, whether the best is among them, and how many they are.
        """
        accuracies = self.accuracies(rng)
        hardness = np.sqrt(IN_COMMON) * rng.standard_normal(self.n_examples)
        own = np.sqrt(1 - IN_COMMON) * rng.standard_normal((self.n_systems, self.n_examples))
        right = hardness + own < norm.ppf(accuracies)[:, None]
        true = np.arange(self.n_examples) % 2
        systems = {
            str(number): ConfusionMatrix.from_predictions(true, np.where(each, true, 1 - true))
            for number, each in enumerate(right)
        }
        ranking = run_rank(systems, measure="accuracy", rope=ROPE, n_draws=N_DRAWS)
        ranks = (-accuracies).argsort().argsort() + 1
        held = [_holds(ranking[name].rank_hdi, rank) for name, rank in zip(systems, ranks.tolist(), strict=True)]
        return float(np.mean(held)), str(ranks.argmin()) in ranking.may_be_best, len(ranking.may_be_best)


CLOSE = tuple(
    Close(*setting, shape)
    for shape in ("normal", "uniform", "leaders", "laggards")
    for setting in ((10, 500, 0.005), (30, 500, 0.005), (5, 300, 0.02), (10, 500, 0.02))
)


def close(setting: Close, repetitions: int, seed: int) -> str:
    """Write a row: how often intervals of ranks hold, how often the best is among those that may be, and their number.

    As many systems are ranked in all as there are in so many test sets with ten.
    """
    rng = np.random.default_rng([seed, crc32(repr(setting).encode())])
    judged = [setting.judged(rng) for _ in range(10 * repetitions // setting.n_systems)]
    held, best, n_best = np.mean(judged, axis=0)
    cells = f"{100 * setting.spread:g}", f"{100 * held:.1f}", f"{100 * best:.0f}", f"{n_best:.1f}"
    return f"| {setting.shape} | {setting.n_systems} | {setting.n_examples} | {' | '.join(cells)} |"


STUDIED = (
    Setting(2, 300),
    Setting(5, 300),
    Setting(5, 2_000),
    Setting(20, 200),
    Setting(20, 400, 20.0),
    Setting(20, 2_000),
    Setting(20, 2_000, 20.0),
    Setting(20, 10_000, 20.0),
)


def main() -> None:
    """Print a row for every setting."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("study", choices=("intervals", "close"))
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.study == "close":
        for each in CLOSE:
            print(close(each, arguments.repetitions, arguments.seed), flush=True)
        return
    for setting in STUDIED:
        found = simulate(setting, arguments.repetitions, arguments.seed)
        cells = (
            f"{setting.n_classes}",
            f"{setting.n_examples:,}",
            f"{setting.imbalance:g}",
            f"{100 * np.mean([each.held for each in found]):.1f}",
            f"{100 * np.mean([each.ranks_held for each in found]):.1f}",
            f"{np.mean([each.n_ranks for each in found]):.1f}",
        )
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
