import numpy as np
import pytest

from pytest_bayesf1.stats.hierarchy import EtaPosterior, GroupFactor, group_weights

ALPHAS = [(1, 1), (8, 2), (0.05, 40)]


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_one_side_has_the_weights_themselves(alpha):
    assert group_weights(alpha, 1).tolist() == list(alpha)


def test_four_halves_for_two_sides_of_beta_1_1():
    assert group_weights((1, 1), 2).tolist() == [0.5] * 4


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_weights_of_two_sides_add_up_to_either_side_s_and_do_not_correlate(alpha):
    both, baseline, candidate, none = group_weights(alpha, 2)
    assert (both + baseline, candidate + none) == pytest.approx(alpha)
    assert (both + candidate, baseline + none) == pytest.approx(alpha)
    assert both * none == pytest.approx(baseline * candidate)


@pytest.mark.parametrize("scale", [0.25, 1.0, 256.0])
@pytest.mark.parametrize("shapes", [(0.5, 0.5, 0.5, 0.5), (6.4, 1.6, 1.6, 0.4), (0.05, 30.0)], ids=str)
def test_draws_lie_on_the_simplex(shapes, scale):
    rng = np.random.default_rng(0)
    posterior = EtaPosterior([GroupFactor.of_cells(rng.integers(1, 50, 6), scale, shape) for shape in shapes])
    draws = posterior.draw(5_000, rng)
    assert draws.shape == (5_000, len(shapes))
    assert draws.min() >= 0
    np.testing.assert_allclose(draws.sum(axis=1), 1, rtol=0, atol=1e-12)


def test_at_least_a_third_of_the_proposals_is_accepted():
    """On counts from one to a million, in one group or in all, at the scales of either prior."""
    rng, n = np.random.default_rng(0), 20_000
    for scale in (1e-4, 0.5, 16.0, 256.0):
        for highest in (2, 10, 1_000, 1_000_000):
            for sizes in ((8, 8, 8, 8), (8, 0, 1, 0), (8, 1), (20, 5, 5, 2)):
                cells = [rng.integers(1, highest, size) for size in sizes]
                posterior = EtaPosterior([GroupFactor.of_cells(each, scale, 2 / len(cells)) for each in cells])
                if posterior._proposals:
                    assert posterior._propose(n, rng).shape[1] > n / 3
