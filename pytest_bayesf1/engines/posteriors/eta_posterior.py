"""The collapsed posterior of eta, the shares of a row's prior mass that its groups of outcomes receive.

Both hierarchies (Zhang et al. 2015, eq. 1-13, and its paired form) give row j the prior theta_j ~ Dirichlet(omega),
where each group g spreads its share eta_g evenly: omega = eta_g / size_g. A row's omega sums to 1 whatever eta is, so
theta integrates out to a product over the groups,

    p(eta | c)  ∝  prod_g  eta_g^(a_g - 1)  prod_cells  Gamma(c + eta_g / size_g) / Gamma(eta_g / size_g)

on the simplex, over the non-zero cells c of group g in all rows. Each group's factor has the form
eta^(shape - 1) exp(h(eta)), where shape is a_g plus the number of those cells and h is smooth, increasing and concave
(`GroupFactor`). Under the nested prior the same holds of kappa eta, which sums to kappa (`nested`).
"""

import numpy as np
from scipy.special import gammaln

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.engines.posteriors.group_factor import GroupFactor
from pytest_bayesf1.engines.posteriors.tilted_factor import TiltedFactor

_CONVOLUTION_POINTS = 2048


class EtaPosterior:
    """Independent draws of eta given the counts, by rejection sampling.

    All groups but one are proposed from tables of their own factors; the one left out takes what remains of the total.
    The draw is accepted in proportion to that group's factor. The factors are tilted by a common exp(-tilt eta), which
    cancels on the simplex, so that the proposals sum to about the total. The group left out is the widest, so that at
    least one draw in three is accepted, and mostly more than one in two.

    Parameters
    ----------
    factors
        One per group of outcomes.
    centre
        One of their `typical_points`, whose sum is that of eta; by default that of the sum one.
    """

    def __init__(self, factors: list[GroupFactor], centre: Floats | None = None) -> None:
        if centre is None:
            (centre,) = typical_points(factors, np.ones(1))
        self._shapes, self._total = [factor.shape for factor in factors], float(centre.sum())
        parts = list(zip(factors, centre.tolist(), strict=True))
        self._tilt = float(sum(factor.shape + eta * factor.slope(eta) for factor, eta in parts) / self._total)
        flat = all(not factor.series.coef.any() for factor in factors)
        self._proposals = [] if flat else [TiltedFactor(*part, self._tilt, self._total) for part in parts]
        bounded = [group for group in range(len(self._proposals)) if self._shapes[group] >= 1]
        self._rest = max(bounded, key=lambda group: self._proposals[group].spread, default=0)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw eta n times: shape (n, groups)."""
        if not self._proposals:  # h = 0: a plain Dirichlet
            return self._total * rng.dirichlet(self._shapes, size=n)
        accepted, missing = [], n
        while missing > 0:
            batch = self._propose(2 * missing + 16, rng)[:, :missing]
            accepted.append(batch)
            missing -= batch.shape[1]
        return np.concatenate(accepted, axis=1).T

    @property
    def log_integral(self) -> float:
        """Log of the integral of the product of the factors over the simplex."""
        if not self._proposals:
            power = sum(self._shapes)
            return float(gammaln(self._shapes).sum() - gammaln(power) + (power - 1) * np.log(self._total))
        others = [proposal for group, proposal in enumerate(self._proposals) if group != self._rest]
        rest = self._proposals[self._rest]
        step = max(proposal.range for proposal in self._proposals) / _CONVOLUTION_POINTS
        low, masses = 0.0, np.asarray([1.0])
        for proposal in others:
            start, mass = proposal.binned(step)
            low, masses = low + start, _convolved(masses, mass)
        remainder: Floats = np.asarray(self._total - low - step * np.arange(masses.size), dtype=float)
        possible = remainder >= 0
        total = float(masses[possible] @ np.exp(rest.log_relative_density(remainder[possible])))
        return float(
            self._tilt * self._total + np.log(total) + rest.log_peak + sum(proposal.log_mass for proposal in others)
        )

    def _propose(self, n: int, rng: np.random.Generator) -> Floats:
        eta = np.zeros((len(self._shapes), n))
        for group, proposal in enumerate(self._proposals):
            if group != self._rest:
                eta[group] = proposal.propose(rng.random(n))
        eta[self._rest] = self._total - eta.sum(axis=0)
        eta = eta[:, eta[self._rest] > 0]
        log_chance = self._proposals[self._rest].log_relative_density(eta[self._rest])
        return eta[:, np.log1p(-rng.random(log_chance.size)) < log_chance]


def typical_points(factors: list[GroupFactor], totals: Floats) -> Floats:
    """Solve shape_g / eta_g + h_g'(eta_g) = tilt for the eta that sums to the total, by fixed-point iteration.

    Parameters
    ----------
    factors
        One per group of outcomes.
    totals : (n,)
        Each has a solution of its own.

    Returns
    -------
    (n, groups)
        The solutions, within some thousandths.
    """
    shapes = np.array([factor.shape for factor in factors])
    eta = np.multiply.outer(totals, shapes / shapes.sum())
    for _ in range(1000):
        slope = np.stack([factor.slope(each) for factor, each in zip(factors, eta.T, strict=True)], axis=1)
        mass = shapes + eta * slope
        eta, before = mass * (totals / mass.sum(axis=1))[:, None], eta
        if np.all(np.abs(eta - before) < 1e-3 * eta):
            break
    return np.asarray(eta)


def _convolved(a: Floats, b: Floats) -> Floats:
    """Convolve by Fourier transforms."""
    size = a.size + b.size - 1
    padded = 1 << (size - 1).bit_length()
    return np.fft.irfft(np.fft.rfft(a, padded) * np.fft.rfft(b, padded), padded)[:size]
