"""The fast sampler against dense draws of the same generative models."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.joint import Joint
from pytest_bayesf1.stats.measure_names import Detail
from pytest_bayesf1.stats.measures import parse_measure
from pytest_bayesf1.stats.outcomes import OutcomeTable
from pytest_bayesf1.stats.priors import PRIORS

from . import naive

N_DRAWS = 20_000
MEASURES = ("accuracy", "f1_macro", "matthews_corrcoef", "f1[0]")


def _error_rate(p):
    return 1 - np.trace(p, axis1=-2, axis2=-1) * p[..., 0, :].sum(axis=-1)


@pytest.fixture(scope="module")
def example():
    """Forty examples of three classes, one class rare, with cells that never occur."""
    rng = np.random.default_rng(11)
    true = rng.choice(3, p=[0.6, 0.3, 0.1], size=40)
    baseline = np.where(rng.random(40) < 0.7, true, rng.integers(0, 3, 40))
    candidate = np.where(rng.random(40) < 0.6, baseline, rng.integers(0, 3, 40))
    return true, baseline, candidate


def _naive_sides(example, model, prior, rng):
    true, baseline, candidate = example
    if model == "paired":
        return naive.draw_joint(naive.dense_counts(3, true, baseline, candidate), 3, 2, prior, N_DRAWS, rng)
    tables = [naive.dense_counts(3, true, side) for side in (baseline, candidate)]
    mu = naive.draw_proportions(tables[0], prior, N_DRAWS, rng) if model == "same-set" else None
    return [naive.draw_joint(table, 3, 1, prior, N_DRAWS, rng, mu)[0] for table in tables]


def _experiment(example, model):
    table = OutcomeTable.tally(3, *example)
    return Experiment(model, (table,) if model == "paired" else (table.side(0), table.side(1)))


def _as_joint(p):
    return Joint(p.sum(axis=2), np.diagonal(p, axis1=1, axis2=2), p.sum(axis=1), p)


@pytest.mark.parametrize("prior", ["hierarchical", "uniform", "jeffreys"])
@pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
def test_same_distribution_of_every_score_and_difference(example, model, prior):
    sides = _naive_sides(example, model, prior, np.random.default_rng(5))
    for name in (*MEASURES, _error_rate):
        measure = parse_measure(name, (0, 1, 2))
        expected = [measure(_as_joint(p)) for p in sides]
        drawn = ExactEngine().sampler(_experiment(example, model), PRIORS[prior], measure, 3).draw(N_DRAWS)
        # 135 Kolmogorov-Smirnov tests: at 1e-5 each, one false alarm in 700 seeds
        assert stats.ks_2samp(drawn[0], expected[0]).pvalue > 1e-5
        assert stats.ks_2samp(drawn[1], expected[1]).pvalue > 1e-5
        assert stats.ks_2samp(drawn[1] - drawn[0], expected[1] - expected[0]).pvalue > 1e-5


def test_every_level_of_detail_draws_the_same_accuracy(example):
    experiment = _experiment(example, "paired")

    def diagonal(p):
        return np.trace(p, axis1=-2, axis2=-1)

    coarse = ExactEngine().sampler(experiment, PRIORS["hierarchical"], parse_measure("accuracy", (0, 1, 2)), 1)
    fine = ExactEngine().sampler(experiment, PRIORS["hierarchical"], parse_measure(diagonal, (0, 1, 2)), 2)
    assert parse_measure("accuracy", (0, 1, 2)).detail is Detail.CORRECT
    assert parse_measure(diagonal, (0, 1, 2)).detail is Detail.MATRIX
    assert stats.ks_2samp(coarse.draw(N_DRAWS)[1], fine.draw(N_DRAWS)[1]).pvalue > 1e-5
