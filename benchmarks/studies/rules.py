"""The rules under study: each looks at a data set, and fails the candidate or lets it pass."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import nan
from types import MappingProxyType
from typing import Any

import numpy as np

from benchmarks.studies.bootstrap import percentile_interval
from benchmarks.studies.populations import Population
from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.measures.classification import Joint, Measure
from pytest_bayesf1.text import Interval

ROPE = 0.01
N_DRAWS = 2000
N_RESAMPLES = 1000


@dataclass(frozen=True, eq=False)
class DataSet:
    """Both sides' predictions on one test set, and on another one from the same population."""

    measure: Measure
    here: PairedCounts
    elsewhere: PairedCounts
    rng: np.random.Generator
    prior: str = "auto"

    @classmethod
    def draw(
        cls, population: Population, measure: Measure, n_examples: int, rng: np.random.Generator, prior: str = "auto"
    ) -> "DataSet":
        """Draw two test sets of the same size."""
        return cls(measure, population.sample(n_examples, rng), population.sample(n_examples, rng), rng, prior)


@dataclass(frozen=True)
class Answer:
    """Whether the candidate fails, and the 95% interval for delta, if the rule has one."""

    fails: bool
    interval: Interval | None = None

    def covers(self, delta: float) -> float:
        """1 when the interval holds delta, 0 when it does not; nan without an interval."""
        return nan if self.interval is None else float(self.interval[0] <= delta <= self.interval[1])


def _paired(data: DataSet) -> Answer:
    return _posterior(data, data.here)


def _same_set(data: DataSet) -> Answer:
    return _posterior(data, data.here.baseline, data.here.candidate, model="same-set")


def _independent(data: DataSet) -> Answer:
    return _posterior(data, data.here.baseline, data.elsewhere.candidate, model="independent")


def _posterior(data: DataSet, *sides: Any, model: str = "paired") -> Answer:
    comparison = run_comparison(
        *sides, model=model, measure=data.measure.name, rope=ROPE, prior=data.prior, n_draws=N_DRAWS
    )
    return Answer(comparison.decision == "<<", comparison.hdi)


def _bootstrap(data: DataSet) -> Answer:
    low, high = percentile_interval(data.here, data.measure, N_RESAMPLES, data.rng)
    return Answer(high < -ROPE, (low, high))


def _drop_beyond_rope(data: DataSet) -> Answer:
    return Answer(_observed_delta(data) < -ROPE)


def _any_drop(data: DataSet) -> Answer:
    return Answer(_observed_delta(data) < 0)


def _observed_delta(data: DataSet) -> float:
    sides = (data.here.table.side(index) for index in range(2))
    baseline, candidate = (data.measure(Joint.observed(side, data.measure.detail)) for side in sides)
    return float(candidate - baseline)


RULES: Mapping[str, Callable[[DataSet], Answer]] = MappingProxyType(
    {
        "paired": _paired,
        "same-set": _same_set,
        "independent": _independent,
        "bootstrap": _bootstrap,
        "observed < −ROPE": _drop_beyond_rope,
        "observed < 0": _any_drop,
    }
)
