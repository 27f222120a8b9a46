"""A truncated gamma process against gamma variables and an inverted Fourier transform."""

import math

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.engines.prior_draws import CELL_DEPTH, DEPTH, atom_sizes

N = 20_000


def totals(mass, depth, rng):
    """Draw what N processes of the mass hold in all."""
    times = rng.poisson(mass * depth, N)
    atoms = atom_sizes(times.sum(), depth, rng)
    return mass * math.exp(-depth) + np.bincount(np.repeat(np.arange(N), times), atoms, N)


@pytest.mark.parametrize("mass", [0.5, 3.0])
def test_the_atoms_of_a_process_add_up_to_a_gamma_variable(mass):
    drawn = totals(mass, CELL_DEPTH, np.random.default_rng(0))
    assert stats.kstest(drawn, stats.gamma(mass).cdf).pvalue > 1e-4


@pytest.mark.parametrize("depth", [1.0, DEPTH])
def test_the_mean_is_right_and_cumulants_lack_what_lies_below_the_depth(depth):
    drawn = totals(1.0, depth, np.random.default_rng(1))
    deviation = drawn - 1
    for power, cumulant in ((1, 0), (2, 1), (3, 2)):
        values, expected = deviation**power, cumulant * (1 - math.exp(-power * depth))
        assert abs(values.mean() - expected) < 4 * values.std() / np.sqrt(N)


def cdf_beside_data(shape, mass, depth, points):
    """P(Gamma(shape) + the process <= points), by Gil-Pelaez' inversion of the characteristic function."""
    step = 0.01
    t = step * (np.arange(400_000) + 0.5)
    rest = 1j * t * math.exp(-depth)
    # the atoms down to the depth: those of a gamma variable less those of one that is exp(-depth) times as large
    log_process = -np.log(1 - 1j * t) + np.log(1 - rest) + rest
    transform = np.exp(-shape * np.log(1 - 1j * t) + mass * log_process)
    return np.array([0.5 - step / math.pi * (np.imag(np.exp(-1j * t * x) * transform) / t).sum() for x in points])


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "mass"), [(1, 0.25), (1, 1), (3, 0.5), (3, 2), (15, 1)])
def test_beside_an_example_no_end_of_an_interval_moves_by_a_thousandth_of_a_standard_deviation(shape, mass):
    exact = stats.gamma(shape + mass)
    ends = exact.ppf([0.005, 0.025, 0.05, 0.5, 0.95, 0.975, 0.995])
    error = (cdf_beside_data(shape, mass, DEPTH, ends) - exact.cdf(ends)) / exact.pdf(ends)
    assert abs(error).max() < 1e-3 * exact.std()
