"""Simulation-based calibration (Talts et al. 2018): truths drawn from the prior rank uniformly among the draws."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.joint import Joint
from pytest_bayesf1.stats.measures import parse_measure
from pytest_bayesf1.stats.outcomes import OutcomeTable
from pytest_bayesf1.stats.priors import PRIORS

from . import naive

REPETITIONS, N_DRAWS, N_BINS = 400, 99, 10
LABELS = (0, 1, 2)


def draw_truth(prior, n_sides, rng):
    """Draw outcome probabilities (rows, outcomes) from the prior."""
    nothing = np.zeros((3, 3**n_sides), dtype=int)
    if prior in naive.PRIOR_WEIGHTS:
        weights = np.full(nothing.shape, naive.PRIOR_WEIGHTS[prior])
    else:
        groups, share = naive.group_shares(3, n_sides)
        weights = rng.dirichlet(np.full(groups.max() + 1, 2 / (groups.max() + 1)))[groups] * share
    gammas = rng.standard_gamma(weights) + 1e-300
    return gammas / gammas.sum(axis=1, keepdims=True)


def draw_table(theta, row_totals, n_sides, rng):
    counts = np.array([rng.multinomial(n, row) for n, row in zip(row_totals, theta, strict=True)])
    true, outcome = np.nonzero(counts)
    predicted = np.array(naive.outcomes(3, n_sides))[outcome].T
    return OutcomeTable.tally(3, true, *predicted, weight=counts[true, outcome])


def score_of(measure, mu, theta, n_sides, side):
    cube = (mu[:, None] * theta).reshape((3, *[3] * n_sides))
    p = cube.sum(axis=tuple(1 + other for other in range(n_sides) if other != side))
    return float(measure(Joint(p.sum(axis=1), np.diagonal(p), p.sum(axis=0), p)))


def simulate(model, prior, measure, n, rng):
    """Draw a truth and data from it; return delta and the experiment."""

    def proportions():
        return rng.dirichlet(np.full(3, naive.PRIOR_WEIGHTS.get(prior, 1.0)))

    mu = proportions()
    totals = rng.multinomial(n, mu)
    if model == "paired":
        theta = draw_truth(prior, 2, rng)
        baseline, candidate = (score_of(measure, mu, theta, 2, side) for side in (0, 1))
        return candidate - baseline, Experiment(model, (draw_table(theta, totals, 2, rng),))
    scores, tables = [], []
    for side in range(2):
        if side and model == "independent":
            mu = proportions()
            totals = rng.multinomial(n, mu)
        theta = draw_truth(prior, 1, rng)
        scores.append(score_of(measure, mu, theta, 1, 0))
        tables.append(draw_table(theta, totals, 1, rng))
    return scores[1] - scores[0], Experiment(model, tuple(tables))


@pytest.mark.parametrize("prior", ["hierarchical", "uniform", "jeffreys"])
@pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
def test_ranks_of_the_truth_are_uniform(model, prior):
    rng = np.random.default_rng(17)
    measure = parse_measure("f1_macro", LABELS)
    ranks = []
    for seed in range(REPETITIONS):
        truth, experiment = simulate(model, prior, measure, 40, rng)
        baseline, candidate = ExactEngine().sampler(experiment, PRIORS[prior], measure, seed).draw(N_DRAWS)
        ranks.append(int((candidate - baseline < truth).sum()))
    histogram = np.bincount(np.array(ranks) * N_BINS // (N_DRAWS + 1), minlength=N_BINS)
    # nine chi-square tests of uniformity: at 1e-4 each, one false alarm in a thousand seeds
    assert stats.chisquare(histogram).pvalue > 1e-4
