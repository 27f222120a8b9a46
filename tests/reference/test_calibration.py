from functools import partial

import numpy as np
import pytest
from scipy import stats

from benchmarks.studies.few_labels import Pool, Scenario, labelled_in_batches
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.engines.stratified import PoolPosterior, StratifiedSampler
from pytest_bayesf1.measures.classification import Joint, Several, parse_measure
from pytest_bayesf1.priors import PRIORS
from tests.reference import naive, naive_labels
from tests.reference.prior_cases import CASES

# Simulation-based calibration (Talts et al. 2018): truths drawn from the prior rank uniformly among the draws.
N_DRAWS, N_BINS = 99, 10
LABELS = (0, 1, 2)


def draw_table(theta, row_totals, n_sides, rng):
    counts = np.array([rng.multinomial(n, row) for n, row in zip(row_totals, theta, strict=True)])
    true, outcome = np.nonzero(counts)
    predicted = np.array(naive.outcomes(3, n_sides))[outcome].T
    return OutcomeTable.tally(3, true, *predicted, weight=counts[true, outcome])


def score_of(measure, mu, theta, n_sides, side):
    cube = (mu[:, None] * theta).reshape((3, *[3] * n_sides))
    p = cube.sum(axis=tuple(1 + other for other in range(n_sides) if other != side))
    return float(measure(Joint(p.sum(axis=1), np.diagonal(p), p.sum(axis=0), p)))


def simulate(model, case, measure, n, rng):
    """Draw a truth and data from it; return the true scores and the tables."""
    n_sides = 2 if model == "paired" else 1
    scores, tables, mu, totals = [], [], None, None
    for _ in range(2 if model in ("same-set", "independent") else 1):
        if mu is None or model == "independent":
            mu = rng.dirichlet(np.broadcast_to(case.beta, 3))
            totals = rng.multinomial(n, mu)
        (theta,) = case.rows.draw(np.zeros((3, 3**n_sides), dtype=int), n_sides, 1, rng)
        scores += [score_of(measure, mu, theta, n_sides, side) for side in range(n_sides)]
        tables.append(draw_table(theta, totals, n_sides, rng))
    return np.array(scores), tuple(tables)


# the nested prior learns from the data how errors are spread, and is no distribution before them
OTHERS = [name for name in CASES if not name.startswith(("hierarchical", "nested"))] + ["hierarchical, alpha, beta"]
NAMES = ["hierarchical", *(pytest.param(name, marks=pytest.mark.long) for name in OTHERS)]


def assert_uniform_ranks(model, prior, measure, n_sets, simulate):
    """Of one side the score, of two the difference."""
    rng, ranks = np.random.default_rng(17), []
    for seed in range(n_sets):
        truth, tables = simulate(rng)
        draws = ExactEngine().sampler(Experiment(model, tables), prior, measure, seed).draw(N_DRAWS)
        ranks.append(int((draws[-1] - draws[:-1].sum(axis=0) < truth[-1] - truth[:-1].sum()).sum()))
    histogram = np.bincount(np.array(ranks) * N_BINS // (N_DRAWS + 1), minlength=N_BINS)
    # 25 chi-square tests of uniformity: at 1e-5 each, one false alarm in four thousand seeds
    assert stats.chisquare(histogram).pvalue > 1e-5


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("model", ["single", "paired", "same-set", "independent"])
@pytest.mark.one_of_many
def test_ranks_of_the_truth_are_uniform(model, name):
    case, measure = CASES[name], parse_measure("f1_macro", LABELS)
    assert_uniform_ranks(model, case.prior, measure, 250, partial(simulate, model, case, measure, 40))


# Of labels: the same, with a table for every label.
N_LABELS = 3
OF_LABELS = parse_measure("f1_macro", range(N_LABELS), multilabel=True)


def draw_theta(prior, n_sides, rng):
    """Draw the probabilities of every outcome, (L, 2, outcomes), from the prior."""
    n_outcomes = 2**n_sides
    rows = []
    for truth in (naive_labels.ABSENT, naive_labels.PRESENT):
        weights = np.full(n_outcomes, naive.PRIOR_WEIGHTS.get(prior, np.nan))
        if prior == "hierarchical":
            (mass,) = naive_labels.draw_group_mass(n_sides, 1, rng)
            weights = mass[naive_labels.groups_of(truth, n_sides)]
        rows.append(naive.dirichlet(np.broadcast_to(weights, (N_LABELS, n_outcomes)), rng))
    return np.stack(rows, axis=1)


def draw_labels(mu, theta, totals, n_sides, rng):
    """Draw a table and the true score of each side."""
    shape = N_LABELS, *[2] * (1 + n_sides)
    counts = [rng.multinomial(n, row) for n, row in zip(totals.ravel(), theta.reshape(2 * N_LABELS, -1), strict=True)]
    cube, scores = (mu[:, :, None] * theta).reshape(shape), []
    for side in range(n_sides):
        p = cube.sum(axis=tuple(2 + other for other in range(n_sides) if other != side))
        scores.append(float(OF_LABELS(Joint(p.sum(axis=2), np.diagonal(p, axis1=1, axis2=2)))))
    return OutcomeTable.of_labels(np.reshape(counts, shape)), scores


def simulate_labels(model, prior, n, rng):
    """Draw a truth and data from it; return the true scores and the tables."""
    n_sides = 2 if model == "paired" else 1
    scores, tables, mu, totals = [], [], None, None
    for _ in range(3 - n_sides):
        if mu is None or model == "independent":
            mu = rng.dirichlet(np.full(2, naive.PRIOR_WEIGHTS.get(prior, 1.0)), size=N_LABELS)
            totals = rng.multinomial(n, mu)
        table, of_sides = draw_labels(mu, draw_theta(prior, n_sides, rng), totals, n_sides, rng)
        scores += of_sides
        tables.append(table)
    return np.array(scores), tuple(tables)


@pytest.mark.parametrize("prior", ["uniform", "jeffreys", "hierarchical"])
@pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
@pytest.mark.one_of_many
def test_so_are_those_of_labels(model, prior):
    assert_uniform_ranks(model, PRIORS[prior], OF_LABELS, 400, partial(simulate_labels, model, prior, 40))


@pytest.mark.long
def test_pools_with_few_labels_in_a_stratum_are_as_uncertain_as_they_are_wrong():
    """Ten labels of a disagreement's stratum or fewer, of which the second half was allocated by the first."""
    scenario, n = Scenario(5, 100, agreement=0.8, batches=2), 300
    rng, errors = np.random.default_rng(23), []
    for seed in range(n):
        strata = labelled_in_batches(scenario, Pool.draw(scenario, rng), rng)
        sampler = StratifiedSampler(PoolPosterior(strata), Several((scenario.measure,)), seed)
        difference = np.subtract(*sampler.draw(400)[::-1, :, 0])
        errors.append((difference.mean() + scenario.rope) / difference.std())
    # of normal errors the mean square has the standard error (2 / n)^(1/2); 91% coverage would be one of 1.36
    assert np.mean(errors) == pytest.approx(0, abs=4 / np.sqrt(n))
    assert np.mean(np.square(errors)) == pytest.approx(1, abs=3.5 * np.sqrt(2 / n))
