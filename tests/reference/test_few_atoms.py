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

from pytest_bayesf1.engines.cells.prior_atoms import ATOMS, equal_atoms

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


def few_atoms(rho, share, mass, first_atoms):
    """Average over the column's part of the first atoms, of the equal ones, and of how many these are."""
    points, weights = beta_nodes(1, rho, 10)
    counts, times = np.unique(equal_atoms(np.full(200_000, rho), np.random.default_rng(0)), return_counts=True)
    totals, chances = [], []
    for breaks in map(list, product(range(points.size), repeat=first_atoms)):
        left = np.cumprod([1.0, *(1 - points[breaks])])
        for hits in product((0, 1), repeat=first_atoms):
            first = np.dot(hits, left[:-1] * points[breaks])
            chance = weights[breaks].prod() * math.prod(share if hit else 1 - share for hit in hits) / times.sum()
            for count, time in zip(counts.tolist(), times.tolist(), strict=True):
                held, here = math.sqrt(count / (1 + rho)), np.arange(count + 1)
                totals.append(first + left[-1] * (held * here / count + (1 - held) * share))
                chances.append(chance * time * special.binom(count, here) * share**here * (1 - share) ** (count - here))
    return np.concatenate(chances) @ scaled_gamma(mass, np.concatenate(totals))


def cdf(transform, x):
    return 0.5 - STEP / math.pi * (np.imag(np.exp(-1j * T * x) * transform) / T).sum()


@pytest.mark.parametrize("mass", [0.25, 1.0])
@pytest.mark.parametrize("rho", [2**0.5, 0.25, 2**-0.5, 4.0, 16.0])
@pytest.mark.parametrize(
    ("examples", "first_atoms", "n_others"), [(3, ATOMS[0], 4), *((n, ATOMS[n], 99) for n in ATOMS if n)]
)
@pytest.mark.one_of_many
def test_no_end_moves_by_a_thousandth_of_a_standard_deviation(rho, mass, examples, first_atoms, n_others):
    share = 1 / n_others
    data = (1 - 1j * T) ** -examples
    right = data * exact(rho, share, mass) ** n_others
    few = data * few_atoms(rho, share, mass, first_atoms) ** n_others
    variance = examples + n_others * (mass * (1 + mass) * share * (1 + rho * share) / (1 + rho) - (mass * share) ** 2)
    for probability in (0.025, 0.05, 0.5, 0.95, 0.975):
        end = optimize.brentq(lambda x, p=probability: cdf(right, x) - p, 0, 60)
        density = (cdf(right, end + 1e-3) - cdf(right, end - 1e-3)) / 2e-3
        assert abs(cdf(few, end) - probability) < 1e-3 * density * math.sqrt(variance)
