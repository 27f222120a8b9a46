"""Draws of a block share small jumps, and are worth as many independent draws nevertheless."""

import numpy as np
import pytest

from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.counts.experiment import Experiment
from pytest_bayesf1.engines.cells.prior_jumps import may_share
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.measures import parse_measure
from pytest_bayesf1.priors.priors import HIERARCHICAL

N_DRAWS = 1_000_000


def scattered():
    """Classes from 5 to 2,000 examples, and a candidate without a mistake."""
    rng = np.random.default_rng(0)
    true = np.repeat(np.arange(4), [5, 50, 500, 2_000])
    baseline = np.where(rng.random(true.size) < 0.2, rng.integers(0, 4, true.size), true)
    baseline[:5] = [0, 0, 0, 1, 1]
    return true, baseline, true


def perfect(n_examples):
    """As little as draws may share anything at, or much: only the prior's part can be wrong."""
    true = np.repeat(np.arange(4), n_examples)
    return true, true, true


@pytest.mark.parametrize("measure", ["f1_macro", "precision[0]", "recall_macro", "g_mean"])
@pytest.mark.parametrize(
    "data",
    [
        pytest.param(perfect(3), id="few", marks=pytest.mark.long),
        pytest.param(perfect(500), id="many", marks=pytest.mark.long),
        pytest.param(scattered(), id="scattered"),
    ],
)
@pytest.mark.one_of_many
def test_blocks_vary_as_independent_draws_do(data, measure):
    counts = PairedCounts.from_predictions(*data)
    assert may_share(counts.table)
    experiment = Experiment("paired", (counts.table,))
    sampler = ExactEngine().sampler(experiment, HIERARCHICAL, parse_measure(measure, counts.labels), 0)
    baseline, candidate = sampler.draw(N_DRAWS)
    for draws in (baseline, candidate - baseline):
        blocks = draws.reshape(-1, sampler._block)
        ratio = blocks.mean(axis=1).var(ddof=1) * sampler._block / draws.var()
        assert abs(ratio - 1) < 4 * np.sqrt(2 / (len(blocks) - 1))


def test_rare_classes_share_nothing():
    true, baseline, candidate = scattered()
    for side in (np.where(true == 0, 1, true), np.roll(true, 3)):
        without = PairedCounts.from_predictions(true, side, candidate, labels=range(4))
        assert not may_share(without.table)
    assert not may_share(PairedCounts.from_predictions(true[3:], baseline[3:], candidate[3:], labels=range(4)).table)
