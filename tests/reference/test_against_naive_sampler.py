"""The fast sampler against dense draws of the same generative models."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.measures.names import Detail
from pytest_bayesf1.priors import PRIORS

from . import naive
from .prior_cases import CASES

N_DRAWS = 20_000
MEASURES = ("accuracy", "jaccard_micro", "f1_macro", "matthews_corrcoef", "f1[0]")


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


def _naive_sides(example, model, case, rng, draw_proportions=naive.draw_proportions):
    true, baseline, candidate = example
    if model == "paired":
        counts = naive.dense_counts(3, true, baseline, candidate)
        mu = draw_proportions(counts, case.beta, N_DRAWS, rng)
        return naive.draw_joint(counts, 2, case.rows, N_DRAWS, rng, mu)
    tables = [naive.dense_counts(3, true, side) for side in (baseline, candidate)]
    mus = [draw_proportions(table, case.beta, N_DRAWS, rng) for table in tables]
    if model == "same-set":
        mus[1] = mus[0]
    return [naive.draw_joint(table, 1, case.rows, N_DRAWS, rng, mu)[0] for table, mu in zip(tables, mus, strict=True)]


def _tables(example, model):
    table = OutcomeTable.tally(3, *example)
    return (table,) if model == "paired" else (table.side(0), table.side(1))


def _as_joint(p):
    return Joint(p.sum(axis=2), np.diagonal(p, axis1=1, axis2=2), p.sum(axis=1), p)


def _assert_same_distributions(sides, experiment, prior, measured, seed):
    measure = parse_measure(measured, (0, 1, 2))
    expected = [measure(_as_joint(p)) for p in sides]
    drawn = ExactEngine().sampler(experiment, prior, measure, seed).draw(N_DRAWS)
    assert stats.ks_2samp(drawn[0], expected[0]).pvalue > 1e-6
    assert stats.ks_2samp(drawn[1], expected[1]).pvalue > 1e-6
    assert stats.ks_2samp(drawn[1] - drawn[0], expected[1] - expected[0]).pvalue > 1e-6


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
@pytest.mark.one_of_many
def test_same_distribution_of_every_score_and_difference(example, model, name):
    case = CASES[name](2 if model == "paired" else 1)
    sides = _naive_sides(example, model, case, np.random.default_rng(5))
    experiment = case.experiment(model, _tables(example, model))
    for measured in (*MEASURES, _error_rate):
        # 432 Kolmogorov-Smirnov tests: at 1e-6 each, one false alarm in 2,300 seeds
        _assert_same_distributions(sides, experiment, case.prior, measured, 3)


def _of_classes_that_occur(counts, beta, n, rng):
    """Proportions of the classes that have examples; none of the others."""
    occurs = counts.sum(axis=1) > 0
    mu = np.zeros((n, len(counts)))
    mu[:, occurs] = naive.draw_proportions(counts[occurs], beta, n, rng)
    return mu


@pytest.mark.parametrize("name", ["hierarchical", "uniform", pytest.param("nested", marks=pytest.mark.long)])
@pytest.mark.parametrize("model", ["paired", "same-set"])
def test_a_class_that_is_never_true_has_no_share_of_the_examples(example, model, name):
    true, baseline, candidate = example
    with_stray = np.where(true == 2, 1, true), baseline, candidate
    case = CASES[name](2 if model == "paired" else 1)
    sides = _naive_sides(with_stray, model, case, np.random.default_rng(6), _of_classes_that_occur)
    experiment = Experiment(model, _tables(with_stray, model)).without_unsupported_classes()
    assert experiment.unsupported == (2,)
    for measured in ("accuracy", "f1_macro", "recall_macro", "g_mean", "cohen_kappa", "f1[0]", _error_rate):
        # 126 Kolmogorov-Smirnov tests, at 1e-6 each
        _assert_same_distributions(sides, experiment, case.prior, measured, 4)


@pytest.mark.parametrize("prior", ["hierarchical", "nested"])
def test_every_level_of_detail_draws_the_same_accuracy(example, prior):
    experiment = Experiment("paired", _tables(example, "paired"))

    def diagonal(p):
        return np.trace(p, axis1=-2, axis2=-1)

    coarse = ExactEngine().sampler(experiment, PRIORS[prior], parse_measure("accuracy", (0, 1, 2)), 1)
    fine = ExactEngine().sampler(experiment, PRIORS[prior], parse_measure(diagonal, (0, 1, 2)), 2)
    assert parse_measure("accuracy", (0, 1, 2)).detail is Detail.TOTAL
    assert parse_measure(diagonal, (0, 1, 2)).detail is Detail.MATRIX
    assert stats.ks_2samp(coarse.draw(N_DRAWS)[1], fine.draw(N_DRAWS)[1]).pvalue > 1e-5
