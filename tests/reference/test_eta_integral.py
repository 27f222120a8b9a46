"""The integral of eta's collapsed posterior, on which the weight of each kappa rests, by nested quadrature."""

import numpy as np
import pytest
from scipy.special import gammaln

from pytest_bayesf1.engines.hyperparameters import EtaPosterior, GroupFactor, group_weights

from . import quadrature

SCALES = [0.01, 1.0, 16.0, 256.0]
NONE = np.array([], dtype=int)
# sums over 1,024 bins of the widest support, some 30 standard deviations: a twelfth of the square of a step is 7e-5 of
# the variance
ERROR = 1e-4


def counts(low, high, size, seed=0):
    return np.random.default_rng([seed, high]).integers(low, high, size)


CELLS = {
    "no examples": (NONE, NONE),
    "single examples": (counts(1, 2, 5), counts(1, 2, 2)),
    "few": (counts(1, 6, 8), counts(1, 4, 3)),
    "many": (counts(20, 100, 8), counts(1, 40, 8)),
    "a million each": (counts(500_000, 1_000_000, 5), counts(10, 400_000, 5)),
    "one group only": (counts(20, 100, 12), NONE),
    "one cell each": (np.array([1_000_000]), np.array([1])),
}


def log_integral(cells, scale, weights):
    return EtaPosterior(
        [GroupFactor.of_cells(each, scale, float(a)) for each, a in zip(cells, weights, strict=True)]
    ).log_integrals[0]


@pytest.mark.parametrize("alpha", [(1, 1), (8, 2), (0.5, 0.5)], ids=str)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("cells", CELLS.values(), ids=CELLS.keys())
def test_two_groups(cells, scale, alpha):
    expected = quadrature.log_simplex_integral(cells, scale, alpha)
    assert log_integral(cells, scale, alpha) == pytest.approx(expected, abs=ERROR)


@pytest.mark.parametrize("alpha", [(1, 1), (8, 2)], ids=str)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.one_of_many
def test_four_groups(kind, scale, alpha):
    right, wrong = CELLS[kind]
    cells, weights = (right, wrong[:3], wrong[1:5], wrong), group_weights(alpha, 2)
    expected = quadrature.log_simplex_integral(cells, scale, weights)
    assert log_integral(cells, scale, weights) == pytest.approx(expected, abs=ERROR)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("a", [0.05, 0.5, 2.0])
def test_groups_of_single_examples_merge(a, scale):
    """Gamma(1 + w) / Gamma(w) = w: what such groups hold is a Dirichlet within their sum, a Beta beside the others."""
    cells, shapes = (counts(20, 100, 12), NONE, np.ones(3, dtype=int), NONE), np.array([a, a + 3, a])
    merged = quadrature.log_simplex_integral((cells[0], NONE), scale, (a, shapes.sum()))
    expected = merged + gammaln(shapes).sum() - gammaln(shapes.sum())
    assert log_integral(cells, scale, (a,) * 4) == pytest.approx(expected, abs=ERROR)


def test_without_counts_it_is_the_dirichlet_s():
    weights = np.array([0.5, 2.0, 3.0, 0.25])
    assert log_integral([NONE] * 4, 16.0, weights) == pytest.approx(gammaln(weights).sum() - gammaln(weights.sum()))


@pytest.mark.parametrize("scale", [0.01, 256.0])
@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.one_of_many
def test_draws_have_the_means_of_the_same_integral(kind, scale):
    """E(eta_g) is a ratio of integrals, the upper one with one more in a_g."""
    right, wrong = CELLS[kind]
    cells, weights, n = (right, wrong[:3], wrong[1:5], wrong), np.full(4, 0.5), 20_000
    draws = EtaPosterior([GroupFactor.of_cells(each, scale, 0.5) for each in cells]).draw(n, np.random.default_rng(1))
    below = quadrature.log_simplex_integral(cells, scale, weights)
    for group, one_more in enumerate(np.eye(4)):
        mean = np.exp(quadrature.log_simplex_integral(cells, scale, weights + one_more) - below)
        # 5 standard errors: of 56 means one is beyond in thirty thousand seeds
        assert abs(draws[:, group].mean() - mean) < 5 * draws[:, group].std() / np.sqrt(n)
