"""The collapsed posterior under the nested prior: kappa, eta and rho given the counts.

The probabilities of row j's groups of outcomes are Dirichlet(kappa eta), and group g's share is split over its size_g
cells by a symmetric Dirichlet of total rho_g. With both integrated out, the posterior falls into two parts:

    p(kappa, eta | c)  ∝  p(eta) prod_j  Gamma(kappa) / Gamma(kappa + n_j)  prod_g  (kappa eta_g)_(n_jg)
    p(rho_g | c)       ∝  prod_j  1 / (rho_g)_(n_jg)  prod_cells  (rho_g / size_g)_(c)

with rising factorials (x)_n = Gamma(x + n) / Gamma(x), row totals n_j and group totals n_jg. For each kappa on its grid
the first is a product of one factor per group, as in `eta_posterior`, and rho_g has a grid of its own: nothing is
approximated but the tables that eta is drawn from.
"""

import numpy as np
from scipy.special import gammaln, logsumexp

from pytest_bayesf1.arrays import Floats, Weights
from pytest_bayesf1.engines.posteriors.eta_posterior import EtaPosterior, rough_log_integrals, typical_points
from pytest_bayesf1.engines.posteriors.group_factor import GroupFactor, group_weights

_NEGLIGIBLE = 1e-12
_FAR = 30.0  # a rough log probability this far below the largest is negligible


class ConcentrationPosterior:
    """Draws of kappa eta, the Dirichlet concentration of each group in a row.

    Parameters
    ----------
    group_counts : (rows, 2^S)
        Examples of each true class in each group of outcomes.
    weights : (2^S,)
        Of eta's Dirichlet prior.
    kappas
        The grid of kappa.
    """

    def __init__(self, group_counts: Weights, weights: Floats, kappas: Floats) -> None:
        factors = [
            GroupFactor.of_cells(counts[counts > 0], 1.0, float(weight), kappas[-1])
            for counts, weight in zip(group_counts.T, weights, strict=True)
        ]
        log_prior = (1 - weights.sum()) * np.log(kappas)  # the density of kappa eta leaves out this power of kappa
        others = log_prior - _log_rising(kappas[:, None], group_counts.sum(axis=1)).sum(axis=1)
        together = GroupFactor.together(factors)
        centres = typical_points(together, kappas)
        rough = others + rough_log_integrals(together, centres)
        likely = rough > rough.max() - _FAR
        self._posterior = EtaPosterior(factors, kappas[likely], centres[likely])
        self._probability = _normalised(others[likely] + self._posterior.log_integrals)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw kappa from its grid, and eta given kappa: (n, groups)."""
        times = rng.multinomial(n, self._probability)
        pieces = [self._posterior.draw(times[place], rng, place) for place in np.flatnonzero(times).tolist()]
        return rng.permutation(np.concatenate(pieces))  # else the draws would come in the order of kappa


class SplitPosterior:
    """Draws of rho, the Dirichlet mass that splits a group's share over its cells.

    Parameters
    ----------
    cells
        The group's non-zero cells.
    group_totals : (M,)
        Examples of each true class in the group.
    size
        Number of the group's cells in a row.
    rhos
        The grid of rho.
    """

    def __init__(self, cells: Weights, group_totals: Weights, size: int, rhos: Floats) -> None:
        if size == 1:
            rhos = np.ones(1)  # nothing to split
        values, times = np.unique(cells, return_counts=True)
        totals, rows = np.unique(group_totals, return_counts=True)
        weight = rhos[:, None]
        log_posterior = _log_rising(weight / size, values) @ times - _log_rising(weight, totals) @ rows
        self._rhos, self._probability = rhos, _normalised(log_posterior)

    @property
    def mean(self) -> float:
        """Posterior mean of rho."""
        return float(self._rhos @ self._probability)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw rho from its grid: (n,)."""
        return rng.choice(self._rhos, size=n, p=self._probability)


def draw_kappa(group_counts: Weights, eta: Floats, kappas: Floats, rng: np.random.Generator) -> Floats:
    """Draw kappa given eta from its conditional posterior on the grid.

    Parameters
    ----------
    group_counts : (rows, 2^S)
        Examples of each true class in each group of outcomes.
    eta : (n, 2^S)
        Given draws.
    kappas
        The grid.
    rng
        Where the randomness comes from.

    Returns
    -------
    (n,)
        A kappa for every eta.
    """
    log_posterior = np.zeros((kappas.size, len(eta)))
    totals = group_counts.sum(axis=1)
    for index, kappa in enumerate(kappas):
        for group, counts in enumerate(group_counts.T):
            values, times = np.unique(counts, return_counts=True)
            log_posterior[index] += _log_rising(kappa * eta[:, group, None], values) @ times
        log_posterior[index] -= _log_rising(kappa, totals).sum()
    noise = rng.gumbel(size=log_posterior.shape)  # the largest of log p + Gumbel noise is a draw from p
    return np.asarray(kappas[(log_posterior + noise).argmax(axis=0)])


def root_two_grid(bounds: tuple[float, float]) -> Floats:
    """Powers of the root of 2 from the lower to the upper bound.

    Parameters
    ----------
    bounds
        Both are on the grid when they are such powers.

    Examples
    --------
    >>> root_two_grid((1, 4)).round(2).tolist()
    [1.0, 1.41, 2.0, 2.83, 4.0]
    """
    low, high = (2 * np.log2(bound) for bound in bounds)
    return np.asarray(2.0 ** (np.arange(np.ceil(low), np.floor(high) + 1) / 2))


def concentration_posterior(
    group_counts: Weights, alpha: tuple[float, float], kappa: tuple[float, float]
) -> ConcentrationPosterior:
    """Build the posterior of kappa eta from the rows' group totals.

    Parameters
    ----------
    group_counts : (rows, 2^S)
        Examples of each true class in each group of outcomes.
    alpha
        Of eta ~ Beta(alpha): being right and being wrong, for each side.
    kappa
        Smallest and largest value on its grid.
    """
    n_sides = group_counts.shape[1].bit_length() - 1
    return ConcentrationPosterior(group_counts, group_weights(alpha, n_sides), root_two_grid(kappa))


def _log_rising(x: Floats | float, n: Weights) -> Floats:
    return np.asarray(gammaln(x + n) - gammaln(x))


def _normalised(log_probability: Floats) -> Floats:
    probability = np.exp(log_probability - logsumexp(log_probability))
    probability[probability < _NEGLIGIBLE] = 0
    return np.asarray(probability / probability.sum())
