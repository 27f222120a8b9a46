import numpy as np
import pytest

from pytest_bayesf1.engines.posteriors.hierarchy import EtaPosterior, GroupFactor, group_weights

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
        if posterior._proposals:
            assert posterior._propose(n, rng).shape[1] > n / 3


@pytest.mark.slow
def test_no_stair_is_below_the_density_so_that_accepted_draws_are_exact():
    rng = np.random.default_rng(1)
    for posterior in posteriors(rng):
        for proposal in posterior._proposals:
            _, below_stair = proposal.propose(rng.random(20_000))
            assert below_stair.max() <= 0
            assert below_stair.mean() > -0.01  # not wasteful either


@pytest.mark.parametrize("scale", [1e-8, 1 / 19, 1.0, 16.0, 1_000.0])
def test_the_series_of_a_factor_is_the_log_of_its_rising_factorials(scale):
    counts, eta = np.random.default_rng(2).integers(1, 300, 400), np.linspace(1e-3, 1, 7)
    steps = np.concatenate([np.arange(1, count) for count in counts])
    expected = np.log1p(scale * eta[:, None] / steps).sum(axis=1)  # Gamma(c + w) / (Gamma(c) Gamma(1 + w))
    np.testing.assert_allclose(GroupFactor.of_cells(counts, scale, 0.5).h(eta), expected, rtol=1e-12, atol=1e-10)
