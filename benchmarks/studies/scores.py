"""How often the HDI of a difference of areas under the ROC curve holds the truth, and how often a model fails.

From the root of the repository: ``python -m benchmarks.studies.scores``; ``--help`` lists the options. scores.md
holds its table.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.stats import norm

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import ScoreExperiment
from pytest_bayesf1.data.paired import Scores
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.engines.bootstrap import ScoreSampler
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.measures.ranking import ScoreMeasure
from pytest_bayesf1.stats.posterior import hdi

ROPE = 0.01
AUC = ScoreMeasure("roc_auc", parse_name("roc_auc"))


@dataclass(frozen=True)
class Population:
    """Normal scores of two systems that err alike, of which every area is known.

    Attributes
    ----------
    n_clusters, size
        Clusters, and examples of each.
    share
        Of positive examples.
    gaps
        How far apart each system puts the classes, in standard deviations of either.
    together
        Correlation of an error of one system within a cluster.
    alike
        Correlation of the errors of the two systems on an example.
    """

    n_clusters: int
    size: int = 1
    share: float = 0.4
    gaps: tuple[float, float] = (1.5, 1.5)
    together: float = 0.0
    alike: float = 0.7

    @property
    def delta(self) -> float:
        """The true difference of the two areas."""
        old, new = (float(norm.cdf(gap / sqrt(2))) for gap in self.gaps)
        return new - old

    def sample(self, rng: np.random.Generator) -> tuple[Codes, Codes, list[Floats]]:
        """Draw a test set: clusters, truth, and the scores of both systems."""
        cluster = np.repeat(np.arange(self.n_clusters), self.size)
        true = (rng.random(cluster.size) < self.share).astype(np.int64)

        def errors() -> Floats:
            of_unit = rng.normal(size=self.n_clusters)[cluster]
            return sqrt(self.together) * of_unit + sqrt(1 - self.together) * rng.normal(size=cluster.size)

        shared = sqrt(self.alike) * errors()
        return cluster, true, [gap * true + shared + sqrt(1 - self.alike) * errors() for gap in self.gaps]


LINES = (
    *(Population(n) for n in (50, 100, 300, 1_000)),
    Population(300, gaps=(1.5, 1.2)),
    Population(300, share=0.1, gaps=(2.0, 1.8)),
    *(Population(n, size=10, together=0.3) for n in (20, 50, 150)),
)


def interval(cluster: Codes, true: Codes, given: list[Floats], n_draws: int) -> tuple[float, float]:
    """Return the 95% HDI of the difference."""
    clusters = cluster if np.bincount(cluster).max() > 1 else None
    sides = [Scores.from_predictions(true, each, clusters=clusters, labels=[0, 1]) for each in given]
    experiment = ScoreExperiment(Model.PAIRED, (Sides.aligned(*sides).joint,))
    baseline, candidate = ScoreSampler(experiment, [AUC], 0).draw(n_draws)[:, :, 0]
    low, high = hdi(candidate - baseline, 0.95).tolist()
    return low, high


def table(repetitions: int, n_draws: int) -> Iterator[str]:
    """Yield the lines of a Markdown table, in per cent; in brackets what examples taken as independent would give."""
    yield "| clusters x size | correlation | positives | δ | coverage | ≪ |\n| --- | ---: | ---: | ---: | ---: | ---: |"
    for population in LINES:
        rng, held, worse = np.random.default_rng(0), [], []
        for _ in range(repetitions):
            cluster, true, given = population.sample(rng)
            found = [interval(each, true, given, n_draws) for each in (cluster, np.arange(cluster.size))]
            held.append([low <= population.delta <= high for low, high in found])
            worse.append([high < -ROPE for _, high in found])
        rates = " | ".join(
            f"{ours:.1f} ({naive:.1f})" for ours, naive in (100 * np.mean([held, worse], axis=1)).tolist()
        )
        size = f"{population.n_clusters} x {population.size} | {population.together:g} | {population.share:.0%}"
        yield f"| {size} | {population.delta:+.3f} | {rates} |"


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1_000, help="test sets of each line (1,000)")
    parser.add_argument("--draws", type=int, default=2_000, help="posterior draws per test set (2,000)")
    given = parser.parse_args()
    for line in table(given.repetitions, given.draws):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
