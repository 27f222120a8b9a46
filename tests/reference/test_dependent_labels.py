"""What the multi-label model leaves out: errors that come together in an example, as the statistics tell."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import MultilabelCounts, compare
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.priors import UNIFORM
from pytest_bayesf1.stats.posterior import hdi

N_EXAMPLES, N_LABELS, ERROR, RUNS, N_DRAWS = 500, 10, 0.1, 300, 1_000
ACCURACY = parse_measure("accuracy", range(N_LABELS), multilabel=True)


def errors(correlation, rng):
    """Draw which decisions are wrong, (N, L); those of one example correlate."""
    chance = np.full((N_EXAMPLES, 1), ERROR)
    if correlation:
        spread = 1 / correlation - 1
        chance = rng.beta(ERROR * spread, (1 - ERROR) * spread, size=(N_EXAMPLES, 1))
    return rng.random((N_EXAMPLES, N_LABELS)) < chance


def covers(correlation, rng):
    """Whether the interval holds the true difference, which is none."""
    y_true = rng.random((N_EXAMPLES, N_LABELS)) < 0.3
    sides = [MultilabelCounts.from_predictions(y_true, y_true ^ errors(correlation, rng)) for _ in range(2)]
    baseline, candidate = (side.predictions for side in sides)
    experiment = Experiment("paired", (baseline.tally(N_LABELS, candidate),))
    baseline, candidate = ExactEngine().sampler(experiment, UNIFORM, ACCURACY, 0).draw(N_DRAWS)
    low, high = hdi(candidate - baseline, 0.95)
    return low < 0 < high


@pytest.mark.parametrize(("correlation", "expected"), [(0.0, 0.95), (0.1, 0.845)])
@pytest.mark.one_of_many
def test_coverage(correlation, expected):
    inflation = 1 + (N_LABELS - 1) * correlation  # of the variance of an example's summed differences
    assert expected == pytest.approx(2 * stats.norm.cdf(1.96 / np.sqrt(inflation)) - 1, abs=0.001)
    rng = np.random.default_rng(8)
    covered = sum(covers(correlation, rng) for _ in range(RUNS))
    assert abs(covered - RUNS * expected) < 4 * np.sqrt(RUNS * expected * (1 - expected))


def test_examples_as_units_know_how_their_labels_vary_together():
    rng = np.random.default_rng(2)
    n, n_labels = 500, 10
    truth = rng.random((n, n_labels)) < 0.3
    # a quarter of the examples is hard, for all their labels
    sides = [truth ^ ((rng.random((n, 1)) < 0.25) & (rng.random((n, n_labels)) < 0.4)) for _ in range(2)]
    built = [MultilabelCounts.from_predictions(truth, side, clusters=np.arange(n)) for side in sides]
    found = compare(*built, measure="accuracy", rope=0.01)
    gained = ((sides[1] == truth).mean(axis=1) - (sides[0] == truth).mean(axis=1)).std() / np.sqrt(n)
    # the prior is worth an example or two of 500, and 20,000 draws know a standard deviation to 0.5%
    assert found.std == pytest.approx(gained, rel=0.03)
    assert found.clusters is not None
    assert found.clusters.design_effect > 1.5
