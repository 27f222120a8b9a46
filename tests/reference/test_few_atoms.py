"""How far the ends of an interval move when a stick-breaking process is truncated: by quadrature, without draws.

The mass of a column is what its examples give, Gamma(c), and what the other rows have put there without an example of
theirs: each holds Gamma(a), of which the column gets a share S of mean 1 / (M - 1). The characteristic function of
Gamma(a) S is the mean of (1 - i t S)^-a over S, for Beta(rho m, rho (1 - m)) as for few atoms, whose S has masses on a
fine grid here; the distribution of the sum follows by Gil-Pelaez' inversion.
"""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy import optimize, special, stats

from pytest_bayesf1.engines.prior_draws import n_equal_atoms, n_sticks

STEP = 0.04
T = STEP * (np.arange(1_000) + 0.5)
GRID = np.linspace(0, 1, 3_001)


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


@cache
def few_atoms(rho, share):
    """Masses of S on the grid: those of the rest of the stick, then an atom more at a time, the last one first."""
    n = int(n_equal_atoms(np.array(rho)))
    size, hits = 1 / math.sqrt(n * (1 + rho)), np.arange(n + 1)
    masses = on_grid(hits * size + share * (1 - n * size), stats.binom(n, share).pmf(hits))
    points, weights = beta_nodes(1, rho, 24)
    for _ in range(int(n_sticks(np.array(rho), one_by_one=False))):
        masses = sum(
            weight
            * (share * on_grid(point + (1 - point) * GRID, masses) + (1 - share) * on_grid((1 - point) * GRID, masses))
            for point, weight in zip(points, weights, strict=True)
        )
    return masses


def on_grid(positions, masses):
    """Split masses between their neighbours on the grid; the mean stays."""
    steps = positions * (GRID.size - 1)
    before = np.minimum(steps.astype(int), GRID.size - 2)
    upwards = masses * (steps - before)
    return np.bincount(before, masses - upwards, GRID.size) + np.bincount(before + 1, upwards, GRID.size)


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
    few = data * (few_atoms(rho, share) @ scaled_gamma(mass, GRID)) ** n_others
    variance = examples + n_others * (mass * (1 + mass) * share * (1 + rho * share) / (1 + rho) - (mass * share) ** 2)
    for probability in (0.025, 0.05, 0.5, 0.95, 0.975):
        end = optimize.brentq(lambda x, p=probability: cdf(right, x) - p, 0, 60)
        density = (cdf(right, end + 1e-3) - cdf(right, end - 1e-3)) / 2e-3
        assert abs(cdf(few, end) - probability) < thousandths * 1e-3 * density * math.sqrt(variance)
