"""Which classes need more examples: where examples are drawn class by class, and as many of each as one likes."""

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.planning.population import Population

LEAST = 0.5
"""Of the examples that a class has as they come: that a pilot saw it vary little does not prove that it does."""


def optimal_shares(population: Population) -> Floats:
    """Share a test set among the classes so that delta is known best.

    With n_j examples of class j, whose share in the population is mu_j and whose examples' effects on delta have the
    standard deviation s_j, delta has to first order the variance sum(mu_j^2 s_j^2 / n_j), which is least where n_j is
    proportional to mu_j s_j (Neyman 1934). No class gets less than `LEAST` of what it has as they come.

    Parameters
    ----------
    population
        With the difference that is to be found.

    Returns
    -------
    (M,)
        Of all classes; they add up to 1.
    """
    mu, spread = population.table.row_totals, population.spread_within_classes()
    need = mu * spread
    if not need.any():
        return np.asarray(mu)
    least = LEAST * mu
    held = np.zeros(mu.size, dtype=bool)
    while True:
        free = 1 - least[held].sum()
        share = np.where(held, least, need * free / need[~held].sum())
        below = ~held & (share < least)
        if not below.any():
            return np.asarray(share)
        held |= below


def relative_variance(population: Population, shares: Floats) -> float:
    """Compare the variance of delta with that of as many examples as they come.

    Parameters
    ----------
    population
        With the difference that is to be found.
    shares : (M,)
        Of the classes in the test set. Their shares in the population are known, and told to the gate.

    Returns
    -------
    float
        1 where nothing is gained.
    """
    mu, spread = population.table.row_totals, population.spread_within_classes()
    occurs = mu > 0
    stratified = float((mu[occurs] ** 2 * spread[occurs] ** 2 / shares[occurs]).sum())
    return stratified / population.truth.variance
