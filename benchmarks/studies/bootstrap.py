"""The paired percentile bootstrap: test sets drawn again from the observed examples, with replacement."""

import numpy as np

from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.measures.classification import Joint, Measure
from pytest_bayesf1.text import Interval


def percentile_interval(
    pairs: PairedCounts, measure: Measure, n_resamples: int, rng: np.random.Generator, prob: float = 0.95
) -> Interval:
    """Return the central interval that holds ``prob`` of the resampled differences."""
    deltas = resampled_deltas(pairs, measure, n_resamples, rng)
    low, high = np.quantile(deltas, [(1 - prob) / 2, (1 + prob) / 2]).tolist()
    return low, high


def resampled_deltas(pairs: PairedCounts, measure: Measure, n_resamples: int, rng: np.random.Generator) -> Floats:
    """Return the candidate's score minus the baseline's on every resample.

    An example's pair of predictions stays together, so that a resample is a multinomial draw of the joint counts.
    """
    table, n = pairs.table, pairs.n_samples
    shares = rng.multinomial(n, table.count / n, size=n_resamples) / n

    def by_class(classes: Codes, which: Codes | slice = slice(None)) -> Floats:
        return shares[:, which] @ np.eye(table.n_classes)[classes[which]]

    true = by_class(table.true)
    baseline, candidate = (
        measure(Joint(true, by_class(table.true, np.flatnonzero(side == table.true)), by_class(side)))
        for side in table.predicted
    )
    return np.asarray(candidate - baseline)
