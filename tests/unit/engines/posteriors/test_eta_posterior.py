import numpy as np
import pytest

from pytest_bayesf1.engines.hyperparameters import EtaPosterior, GroupFactor, rough_log_integrals, typical_points


@pytest.mark.parametrize("scale", [0.25, 1.0, 256.0])
@pytest.mark.parametrize("shapes", [(0.5, 0.5, 0.5, 0.5), (6.4, 1.6, 1.6, 0.4), (0.05, 30.0)], ids=str)
def test_draws_lie_on_the_simplex(shapes, scale):
    rng = np.random.default_rng(0)
    posterior = EtaPosterior([GroupFactor.of_cells(rng.integers(1, 50, 6), scale, shape) for shape in shapes])
    draws = posterior.draw(5_000, rng)
    assert draws.shape == (5_000, len(shapes))
    assert draws.min() >= 0
    np.testing.assert_allclose(draws.sum(axis=1), 1, rtol=0, atol=1e-12)


def posteriors(rng):
    """Counts from one to a million, in one group or in all, at the scales of either prior."""
    for scale in (1e-4, 0.5, 16.0, 256.0):
        for highest in (2, 10, 1_000, 1_000_000):
            for sizes in ((8, 8, 8, 8), (8, 0, 1, 0), (8, 1), (20, 5, 5, 2), (900, 40, 30, 300)):
                cells = [rng.integers(1, highest, size) for size in sizes]
                yield EtaPosterior([GroupFactor.of_cells(each, scale, 2 / len(cells)) for each in cells])


def test_at_least_a_third_of_the_proposals_is_accepted():
    rng, n = np.random.default_rng(0), 20_000
    for posterior in posteriors(rng):
        if not posterior._is_flat:
            assert posterior._propose(n, rng, 0).shape[1] > n / 3


@pytest.mark.parametrize("rate", [0.05, 1.0, 30.0])
@pytest.mark.parametrize("n_groups", [2, 4])
def test_rough_integrals_are_good_to_a_factor_but_for_one_of_all(n_groups, rate):
    rng, totals = np.random.default_rng(3), 2.0 ** (np.arange(-2, 17) / 2)
    cells = rng.poisson(rng.gamma(0.5, 2 * rate, size=(n_groups, 12)))
    factors = [GroupFactor.of_cells(each[each > 0], 1.0, 2 / n_groups, totals[-1]) for each in cells]
    stacked = GroupFactor.stacked(factors)
    rough = rough_log_integrals(stacked, typical_points(stacked, totals))
    assert np.ptp(EtaPosterior(factors, totals).log_integrals - rough) < 0.25
