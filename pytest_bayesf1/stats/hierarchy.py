"""The collapsed posterior of eta, the shares of a row's prior mass that its groups of outcomes receive.

Both hierarchies (Zhang et al. 2015, eq. 1-13, and its paired form) give row j the prior theta_j ~ Dirichlet(omega),
where each group g spreads its share eta_g evenly: omega = eta_g / size_g. A row's omega sums to 1 whatever eta is, so
theta integrates out to a product over the groups,

    p(eta | c)  ∝  prod_g  eta_g^(a_g - 1)  prod_cells  Gamma(c + eta_g / size_g) / Gamma(eta_g / size_g)

on the simplex, over the non-zero cells c of group g in all rows. Each group's factor has the form
eta^(shape - 1) exp(h(eta)), where shape is a_g plus the number of those cells and h is smooth, increasing and concave.
"""

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Chebyshev
from scipy.special import gammaln, poch, xlogy

from pytest_bayesf1.stats.arrays import Counts, Floats
from pytest_bayesf1.stats.outcomes import OutcomeTable

# The nearest singularity of h is at -1 or below: on [0, 1] its Chebyshev series gains 0.77 digits a term.
_DEGREE = 24
_GRID_POINTS = 4096
_NEGLIGIBLE = 40.0  # a log density this far below the maximum is left out


@dataclass(frozen=True)
class GroupFactor:
    """One group's factor of the posterior, eta^(shape - 1) exp(h(eta))."""

    shape: float
    h: Chebyshev

    @classmethod
    def of_cells(cls, counts: Counts, size: int, a: float) -> "GroupFactor":
        """Build the factor from the non-zero counts of a group with ``size`` cells a row."""
        values, times = np.unique(counts, return_counts=True)

        def log_rising(eta: Floats) -> Floats:
            weight = np.asarray(eta)[..., None] / size
            # log Gamma(c + w) / Gamma(w), without its log w (which is in the shape) and its value at w = 0
            terms = np.log(poch(values.astype(float), weight)) - gammaln(1 + weight)
            return np.asarray(terms @ times, dtype=float)

        return cls(a + counts.size, Chebyshev.interpolate(log_rising, _DEGREE, domain=[0, 1]))

    @property
    def slope(self) -> Chebyshev:
        """h', which falls from its value at 0."""
        return self.h.deriv()

    def spread(self, eta: float) -> float:
        """About the standard deviation of the tilted factor whose typical value is eta."""
        return float((self.shape / eta**2 - self.h.deriv(2)(eta)) ** -0.5)


class EtaPosterior:
    """Independent draws of eta given the counts, by rejection.

    All groups but one are drawn from their own factors by inverse distribution functions; the one left out takes what
    remains of the unit mass, and the draw is accepted in proportion to that group's factor there. The factors are
    tilted by a common exp(-tilt eta), which cancels on the simplex, so that the proposals sum to about one. The group
    left out is the widest, so that at least one draw in three is accepted, and mostly more than one in two.
    """

    def __init__(self, table: OutcomeTable) -> None:
        a = 2.0 ** (1 - table.n_sides)  # (1, 1) for one side; four halves keep each side's own margin at (1, 1)
        factors = [
            GroupFactor.of_cells(table.count[table.group == group], int(size), a)
            for group, size in enumerate(table.group_sizes)
        ]
        self._shapes = [factor.shape for factor in factors]
        self._proposals = _proposals(factors) if table.count.size else []
        bounded = [group for group in range(len(self._proposals)) if self._shapes[group] >= 1]
        self._rest = max(bounded, key=lambda group: self._proposals[group].std, default=0)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw eta n times: shape (n, groups)."""
        if not self._proposals:  # no data: h = 0, and the prior is a plain Dirichlet
            return rng.dirichlet(self._shapes, size=n)
        accepted, missing = [], n
        while missing > 0:
            batch = self._propose(2 * missing + 16, rng)[:, :missing]
            accepted.append(batch)
            missing -= batch.shape[1]
        return np.concatenate(accepted, axis=1).T

    def _propose(self, n: int, rng: np.random.Generator) -> Floats:
        rest = self._rest
        eta = np.zeros((len(self._shapes), n))
        for group, proposal in enumerate(self._proposals):
            if group != rest:
                eta[group] = proposal.quantile(rng.random(n))
        eta[rest] = 1 - eta.sum(axis=0)
        chance = rng.random(n)
        possible = eta[rest] > 0
        eta, chance = eta[:, possible], chance[possible]
        return eta[:, chance < self._proposals[rest].relative_density(eta[rest])]


def _proposals(factors: list[GroupFactor]) -> "list[_TiltedFactor]":
    centre = _typical_point(factors)
    tilt = sum(factor.shape + eta * factor.slope(eta) for factor, eta in zip(factors, centre, strict=True))
    return [_TiltedFactor(factor, float(tilt), float(eta)) for factor, eta in zip(factors, centre, strict=True)]


def _typical_point(factors: list[GroupFactor]) -> Floats:
    """Solve shape_g / eta_g + h_g'(eta_g) = tilt for the eta that sums to one, by fixed-point iteration."""
    slopes = [factor.slope for factor in factors]
    shapes = np.array([factor.shape for factor in factors])
    eta = shapes / shapes.sum()
    for _ in range(1000):
        mass = shapes + eta * [slope(value) for slope, value in zip(slopes, eta, strict=True)]
        eta, before = mass / mass.sum(), eta
        if np.all(np.abs(eta - before) < 1e-3 * eta):
            break
    return np.asarray(eta)


class _TiltedFactor:
    """A factor times exp(-tilt eta), as a distribution of its own on (0, 1), tabulated.

    The table is over u = eta^min(shape, 1), whose density is bounded where eta's own diverges at 0.
    """

    def __init__(self, factor: GroupFactor, tilt: float, centre: float) -> None:
        self._factor, self._tilt = factor, tilt
        self._root = min(factor.shape, 1.0)
        reach = 60 * factor.spread(centre)
        rough = self._grid(max(centre - reach, 0.0), min(centre + reach, 1.0))
        relevant = rough[self._log_density(rough) > self._log_density(rough).max() - _NEGLIGIBLE]
        u = np.linspace(relevant[0], relevant[-1], _GRID_POINTS)
        log_density = self._log_density(u)
        self._peak = float(log_density.max())
        density = np.exp(log_density - self._peak)
        mass = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
        self._u, self._cdf = u, mass / mass[-1]
        eta = u ** (1 / self._root)
        self.std = float(np.sqrt(np.cov(eta, aweights=density)))

    def _grid(self, low: float, high: float) -> Floats:
        return np.linspace(low**self._root, high**self._root, _GRID_POINTS)

    def _log_density(self, u: Floats) -> Floats:
        eta = u ** (1 / self._root)
        power = max(self._factor.shape, 1.0) - 1
        return np.asarray(xlogy(power, u) + self._factor.h(eta) - self._tilt * eta)

    def quantile(self, probability: Floats) -> Floats:
        """Value of eta below which this probability lies."""
        return np.interp(probability, self._cdf, self._u) ** (1 / self._root)

    def relative_density(self, eta: Floats) -> Floats:
        """Density relative to its peak; for a shape of at least 1, where u = eta."""
        return np.exp(self._log_density(eta) - self._peak)
