import numpy as np
import pytest

from pytest_bayesf1 import compare
from pytest_bayesf1.engines.nuts import bulk_ess, largest_r_hat

CHAINS, DRAWS = 4, 1_000


@pytest.fixture
def noise():
    return np.random.default_rng(0).normal(size=(CHAINS, DRAWS))


def test_independent_draws_count_about_fully(noise):
    assert bulk_ess(noise) == pytest.approx(CHAINS * DRAWS, rel=0.15)


def test_draws_that_depend_on_the_last_count_less(noise):
    slow = np.zeros_like(noise)
    for step in range(1, DRAWS):
        slow[:, step] = 0.9 * slow[:, step - 1] + noise[:, step]
    assert bulk_ess(slow) == pytest.approx(CHAINS * DRAWS * (1 - 0.9) / (1 + 0.9), rel=0.5)


def test_a_constant_counts_fully_and_has_converged():
    assert bulk_ess(np.ones((CHAINS, DRAWS))) == CHAINS * DRAWS
    assert largest_r_hat([np.ones((CHAINS, DRAWS))]) == 1


def test_chains_that_agree_have_an_r_hat_of_one(noise):
    assert largest_r_hat([noise]) == pytest.approx(1, abs=0.01)


def test_one_chain_elsewhere_shows_in_the_largest_r_hat(noise):
    stuck = np.stack([noise, noise], axis=2)
    stuck[0, :, 1] += 3
    assert largest_r_hat([noise, stuck]) > 1.2


def test_a_comparison_goes_to_arviz():
    comparison = compare([[48, 2], [3, 47]], [[47, 3], [2, 48]], measure="f1", rope=0.05)
    posterior = comparison.to_arviz()["posterior"]
    assert posterior["delta"].shape == (1, comparison.n_draws)
    np.testing.assert_array_equal(posterior["delta"], comparison.delta[None])
    np.testing.assert_array_equal(posterior["candidate"] - posterior["baseline"], comparison.delta[None])
