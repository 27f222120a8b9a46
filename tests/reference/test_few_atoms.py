"""How far the ends of an interval move when few atoms stand for a Dirichlet process: by quadrature, without draws.

The mass of a column is what its examples give, Gamma(c), and what the other rows have put there without an example of
theirs: each holds Gamma(a), of which the column gets a share S of mean 1 / (M - 1). The characteristic function of
Gamma(a) S is the mean of (1 - i t S)^-a over S, for Beta(rho m, rho (1 - m)) as for few atoms; the distribution of
the sum follows by Gil-Pelaez' inversion.
"""

import math
from itertools import product

import numpy as np
import pytest
from scipy import optimize, special

from pytest_bayesf1.engines.prior_draws import LateAtoms, sizes

STEP = 0.04
T = STEP * (np.arange(2_000) + 0.5)


def beta_nodes(a, b, n):
    """Points and weights of Gaussian quadrature for Beta(a, b)."""
    points, weights = special.roots_sh_jacobi(n, a + b - 1, a)
    return points, weights / weights.sum()


def scaled_gamma(shape, share):
    """Characteristic function of Gamma(shape) times each share: (K, T)."""
    return (1 - 1j * np.multiply.outer(share, T)) ** -shape


def exact(rho, share, mass):
    points, weights = beta_nodes(rho * share, rho * (1 - share), 60)
    return weights @ scaled_gamma(mass, points)


def patterns(rho):
    """Yield how likely each choice of late atoms is, with their shares and how many there are of each size."""
    late, exact = LateAtoms.draw(np.full(200_000, rho), 1, np.random.default_rng(0)), sizes(rho)
    for number, chance in frequencies(late.n_small):
        yield (1 - exact.chance) * chance, exact.small * math.sqrt(exact.alone / number), number, 0.0
    for number, chance in frequencies(late.n_beside):
        yield exact.chance * chance, exact.small, number, exact.large


def frequencies(values):
    found, times = np.unique(values, return_counts=True)
    return zip(found.tolist(), (times / times.sum()).tolist(), strict=True)


def few_atoms(rho, share, mass):
    """Average over how many atoms there are, and over how many of them are in the column."""
    totals, chances = [], []
    for chance, small, n_small, large in patterns(rho):
        hit, evenly = np.arange(n_small + 1), share * (1 - large - n_small * small)
        of_small = special.binom(n_small, hit) * share**hit * (1 - share) ** (n_small - hit)
        for of_large, likely in ((large, share), (0.0, 1 - share)) if large else ((0.0, 1.0),):
            totals.append(of_large + hit * small + evenly)
            chances.append(chance * likely * of_small)
    return np.concatenate(chances) @ scaled_gamma(mass, np.concatenate(totals))


def cdf(transform, x):
    return 0.5 - STEP / math.pi * (np.imag(np.exp(-1j * T * x) * transform) / T).sum()


CASES = [
    *product((10,), ("rho", 1.0, 0.25), (19, 4, 99), (1,)),
    *product((6,), (1.0, 0.25), (99,), (1,)),
    *product((3,), (1.0, 0.25), (4,), (1,)),
    *product((3,), ("rho", 1.0, 0.25), (19, 99), (4,)),
    (3, "rho", 4, 4),
]
"""Examples in the column, what each other row holds, how many there are, thousandths by which an end may move."""


@pytest.mark.parametrize("rho", [4.0, 0.25, 2**-0.5, 2**0.5, 2**2.5, 16.0])
@pytest.mark.parametrize(("examples", "held", "n_others", "thousandths"), CASES)
@pytest.mark.one_of_many
def test_ends_hardly_move(rho, examples, held, n_others, thousandths):
    share, mass = 1 / n_others, rho if held == "rho" else held
    data = (1 - 1j * T) ** -examples
    right = data * exact(rho, share, mass) ** n_others
    few = data * few_atoms(rho, share, mass) ** n_others
    variance = examples + n_others * (mass * (1 + mass) * share * (1 + rho * share) / (1 + rho) - (mass * share) ** 2)
    for probability in (0.025, 0.05, 0.5, 0.95, 0.975):
        end = optimize.brentq(lambda x, p=probability: cdf(right, x) - p, 0, 60)
        density = (cdf(right, end + 1e-3) - cdf(right, end - 1e-3)) / 2e-3
        assert abs(cdf(few, end) - probability) < thousandths * 1e-3 * density * math.sqrt(variance)
