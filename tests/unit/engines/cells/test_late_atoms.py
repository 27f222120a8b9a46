import numpy as np
import pytest

from pytest_bayesf1.engines.prior_draws import LateAtoms, sizes

RHOS = 2.0 ** (np.arange(-6, 16) / 2)


@pytest.mark.parametrize("rho", RHOS)
def test_powers_of_the_shares_have_the_means_of_a_dirichlet_process(rho):
    large, small, chance, beside, alone = sizes(rho)

    def mean(power):
        return chance * (large**power + beside * small**power) + (1 - chance) * alone * small**power

    squares = chance * (large**2 + beside * small**2) ** 2 + (1 - chance) * (alone * small**2) ** 2
    assert mean(2) == pytest.approx(1 / (1 + rho))
    assert mean(3) == pytest.approx(2 / ((1 + rho) * (2 + rho)))
    assert mean(4) == pytest.approx(6 / ((1 + rho) * (2 + rho) * (3 + rho)))
    assert squares == pytest.approx((6 + rho) / ((1 + rho) * (2 + rho) * (3 + rho)))


@pytest.mark.parametrize("rho", RHOS)
def test_they_are_rounded_without_a_change_of_the_moments_and_hold_at_most_all(rho):
    n_draws, n_rows = 20_000, 3
    late, exact = LateAtoms.draw(np.full(n_draws, rho), n_rows, np.random.default_rng(0)), sizes(rho)
    assert min(late.rest.min(), late.rest_beside.min()) >= 0
    assert_mean(np.bincount(late.draws, minlength=n_draws), n_rows * exact.chance)
    assert_mean(late.n_beside, exact.beside)
    np.testing.assert_allclose(late.n_small * late.small**2, exact.alone * exact.small**2)
    cubes = exact.alone * exact.small**3
    # where three atoms would hold more than all there are always two, though 2.1 are wanted
    assert_mean(late.n_small * late.small**3, cubes, at_most=0 if rho > 1 else 0.025 * cubes)


def assert_mean(values, expected, at_most=0.0):
    assert abs(values.mean() - expected) <= at_most + 5 * values.std() / np.sqrt(values.size) + 1e-9


def test_rows_do_not_vary_together():
    """They have the number of small atoms in common; what these put on a set of cells has the same variance."""
    late = LateAtoms.draw(np.full(20_000, 4.0), 2, np.random.default_rng(1))
    squares = np.tile((late.n_small * late.small**2)[:, None], 2)
    squares[late.draws, late.rows] = late.large**2 + late.n_beside * late.beside**2
    assert abs(np.corrcoef(squares.T)[0, 1]) < 5 / np.sqrt(len(squares))
