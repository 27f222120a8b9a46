import numpy as np
import pytest

from pytest_bayesf1.engines.hyperparameters import GroupFactor, group_weights

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


@pytest.mark.parametrize("scale", [1e-8, 1 / 19, 1.0, 16.0, 1_000.0])
def test_the_series_of_a_factor_is_the_log_of_its_rising_factorials(scale):
    counts, eta = np.random.default_rng(2).integers(1, 300, 400), np.linspace(1e-3, 1, 7)
    steps = np.concatenate([np.arange(1, count) for count in counts])
    expected = np.log1p(scale * eta[:, None] / steps).sum(axis=1)  # Gamma(c + w) / (Gamma(c) Gamma(1 + w))
    np.testing.assert_allclose(GroupFactor.of_cells(counts, scale, 0.5).h(eta), expected, rtol=1e-12, atol=1e-6)
