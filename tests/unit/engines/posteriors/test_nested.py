import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.engines.hyperparameters import ConcentrationPosterior, SplitPosterior, root_two_grid
from pytest_bayesf1.priors import NestedGroups

KAPPAS, RHOS = root_two_grid(NestedGroups().kappa), root_two_grid(NestedGroups().rho)
N = 20_000


def log_rising(x, n):
    """Plainly: x (x + 1) ... (x + n - 1)."""
    return sum(np.log(x + i) for i in range(n))


def test_the_grids_run_from_bound_to_bound_in_steps_of_the_root_of_2():
    assert (KAPPAS[0], KAPPAS[-1], KAPPAS.size) == (0.5, 256, 19)
    assert (RHOS[0], RHOS[-1], RHOS.size) == (0.25, 16, 13)
    np.testing.assert_allclose(KAPPAS[1:] / KAPPAS[:-1], np.sqrt(2))


def test_before_data_every_kappa_is_as_likely_and_eta_is_its_prior():
    mass = ConcentrationPosterior(np.zeros((5, 2), dtype=int), (8, 2), NestedGroups().kappa).draw(
        N, np.random.default_rng(0)
    )
    values, times = np.unique(mass.sum(axis=1).round(6), return_counts=True)
    np.testing.assert_allclose(values, KAPPAS, rtol=1e-5)
    assert stats.chisquare(times).pvalue > 1e-4
    assert stats.kstest(mass[:, 0] / mass.sum(axis=1), stats.beta(8, 2).cdf).pvalue > 1e-4


def test_kappa_given_rows_of_two_groups_is_that_of_a_beta_binomial():
    """On a plain grid of eta, with scipy's distribution of the counts."""
    right, totals = np.array([9, 3, 14, 0, 6]), np.array([10, 9, 15, 4, 6])
    eta = (np.arange(4_000) + 0.5) / 4_000
    a, b = KAPPAS[:, None, None] * eta[:, None], KAPPAS[:, None, None] * (1 - eta[:, None])
    expected = stats.betabinom.pmf(right, totals, a, b).prod(axis=2).sum(axis=1)
    posterior = ConcentrationPosterior(np.stack([right, totals - right], axis=1), (1, 1), NestedGroups().kappa)
    np.testing.assert_allclose(posterior._probability, expected / expected.sum(), atol=1e-4)


def test_rho_given_cells_is_that_of_a_dirichlet_multinomial():
    cells = np.array([[3, 0, 1], [0, 7, 0], [2, 2, 1], [0, 0, 0]])
    log_p = [
        sum(sum(log_rising(rho / 3, c) for c in row) - log_rising(rho, sum(row)) for row in cells.tolist())
        for rho in RHOS
    ]
    expected = np.exp(log_p) / np.exp(log_p).sum()
    posterior = SplitPosterior(cells[cells > 0], cells.sum(axis=1), 3, RHOS)
    np.testing.assert_allclose(posterior._probability, expected, atol=1e-12)
    assert posterior.mean == pytest.approx(RHOS @ expected)
    drawn = posterior.draw(N, np.random.default_rng(0))
    assert abs(drawn.mean() - posterior.mean) < 4 * drawn.std() / np.sqrt(N)


def test_a_group_of_one_cell_has_nothing_to_split():
    posterior = SplitPosterior(np.array([5, 3]), np.array([5, 3]), 1, RHOS)
    assert posterior.mean == 1
    assert set(posterior.draw(100, np.random.default_rng(0))) == {1.0}
