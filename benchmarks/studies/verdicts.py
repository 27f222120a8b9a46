"""Verdicts of the paired model on many simulated test sets of two classes, by F1."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pytest_bayesf1.arrays import Counts, Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import CommonShares, Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.priors import UNIFORM, Prior
from pytest_bayesf1.stats.posterior import hdi

ROPE = 0.01
F1 = parse_measure("f1", (0, 1))
_N_DRAWS = 2_500
_HDI_PROB = 0.95


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Posterior means and HDIs of delta, each of shape (test sets,)."""

    mean: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(
        cls,
        test_sets: Iterable[Counts],
        rng: np.random.Generator,
        prior: Prior = UNIFORM,
        scored_at: CommonShares | None = None,
    ) -> "Verdicts":
        """Compare on every test set, counts (2, 2, 2) of the truth and of both sides' predictions."""
        return cls(*np.array([_verdict(counts, rng, prior, scored_at) for counts in test_sets]).T)

    @property
    def worse(self) -> Floats:
        """Whether the decision is ≪, on which a gate fails."""
        return np.asarray(self.high < -ROPE, dtype=float)

    @property
    def better(self) -> Floats:
        """Whether the decision is ≫."""
        return np.asarray(self.low > ROPE, dtype=float)

    def covers(self, delta: Floats | float) -> Floats:
        """Whether the HDI holds delta."""
        return np.asarray((self.low <= delta) & (delta <= self.high), dtype=float)


def _verdict(
    counts: Counts, rng: np.random.Generator, prior: Prior, scored_at: CommonShares | None
) -> tuple[float, float, float]:
    cells = counts.nonzero()
    table = OutcomeTable.tally(2, *cells, weight=counts[cells])
    experiment = Experiment(Model.PAIRED, (table,), population=scored_at)
    baseline, candidate = ExactEngine().sampler(experiment, prior, F1, int(rng.integers(1 << 32))).draw(_N_DRAWS)
    delta = candidate - baseline
    low, high = hdi(delta, _HDI_PROB).tolist()
    return float(delta.mean()), low, high
