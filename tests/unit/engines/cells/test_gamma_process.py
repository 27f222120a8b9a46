import numpy as np
import pytest
from scipy import stats
from scipy.special import exp1

from pytest_bayesf1.engines.cells.gamma_process import jump_counts, jump_rate, jump_sizes

N = 200_000


@pytest.mark.parametrize("cut", [1e-12, 1e-3, 0.5])
def test_sizes_have_density_exp_minus_x_over_x_above_the_cut(cut):
    sizes = jump_sizes(N, -np.log(cut), np.random.default_rng(0))
    kept = sizes[sizes > 0]
    assert kept.min() >= cut
    assert stats.kstest(kept, lambda x: 1 - exp1(x) / exp1(cut)).pvalue > 1e-4


@pytest.mark.parametrize("cut", [1e-12, 1e-3, 0.5])
def test_thinning_leaves_as_many_jumps_as_there_should_be(cut):
    rng, shape = np.random.default_rng(1), np.repeat([0.1, 3.0], 20_000)
    times = jump_counts(shape, -np.log(cut), rng)
    kept = jump_sizes(int(times.sum()), -np.log(cut), rng) > 0
    per_shape = np.bincount(np.repeat(np.arange(shape.size), times), kept, shape.size).reshape(2, -1)
    expected = np.array([0.1, 3.0]) * jump_rate(cut)
    assert (abs(per_shape.mean(axis=1) - expected) < 4 * np.sqrt(expected / 20_000)).all()


def test_the_jumps_between_two_depths_are_those_above_the_lower_cut_but_for_those_above_the_higher():
    rng, high, low = np.random.default_rng(3), 0.2, 1e-4
    n = jump_counts(np.array([N / 10.0]), -np.log(low), rng, start=-np.log(high)).item()
    sizes = jump_sizes(n, -np.log(low), rng, start=-np.log(high))
    kept = sizes[sizes > 0]
    rate = exp1(low) - exp1(high)
    assert abs(kept.size - N / 10 * rate) < 4 * np.sqrt(N / 10 * rate)
    assert low <= kept.min()
    assert kept.max() <= high
    assert stats.kstest(kept, lambda x: (exp1(low) - exp1(x)) / rate).pvalue > 1e-4
