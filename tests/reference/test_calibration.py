"""Simulation-based calibration (Talts et al. 2018): truths drawn from the prior rank uniformly among the draws."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import Joint, parse_measure

from . import naive
from .prior_cases import CASES, Case

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


# how alpha enters the nested prior is seen in the comparison with the naive sampler
OTHERS = [name for name in CASES if name not in ("hierarchical", "nested, alpha")]
NAMES = ["hierarchical", *(pytest.param(name, marks=pytest.mark.long) for name in OTHERS)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("model", ["single", "paired", "same-set", "independent"])
@pytest.mark.one_of_many
def test_ranks_of_the_truth_are_uniform(few_kappas, model, name):
    rng = np.random.default_rng(17)
    case = Case(few_kappas, naive.Nested()) if name == "nested" else CASES[name](2 if model == "paired" else 1)
    measure = parse_measure("f1_macro", LABELS)
    ranks, n_truths = [], 100 if name == "nested" else 250
    for seed in range(n_truths):
        truth, tables = simulate(model, case, measure, 40, rng)
        draws = ExactEngine().sampler(case.experiment(model, tables), case.prior, measure, seed).draw(N_DRAWS)
        # of one side the score, of two the difference
        ranks.append(int((draws[-1] - draws[:-1].sum(axis=0) < truth[-1] - truth[:-1].sum()).sum()))
    histogram = np.bincount(np.array(ranks) * N_BINS // (N_DRAWS + 1), minlength=N_BINS)
    # 28 chi-square tests of uniformity: at 1e-5 each, one false alarm in three thousand seeds
    assert stats.chisquare(histogram).pvalue > 1e-5
