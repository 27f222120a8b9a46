"""The collapsed posterior of eta, the shares of a row's prior mass that its groups of outcomes receive.

Both hierarchies (Zhang et al. 2015, eq. 1-13, and its paired form) give row j the prior theta_j ~ Dirichlet(omega),
where each group g spreads its share eta_g evenly: omega = eta_g / size_g. A row's omega sums to 1 whatever eta is, so
theta integrates out to a product over the groups,

    p(eta | c)  ∝  prod_g  eta_g^(a_g - 1)  prod_cells  Gamma(c + eta_g / size_g) / Gamma(eta_g / size_g)

on the simplex, over the non-zero cells c of group g in all rows. Each group's factor has the form
eta^(shape - 1) exp(h(eta)), where shape is a_g plus the number of those cells and h is smooth, increasing and concave
(`GroupFactor`).
"""

import numpy as np
from scipy.special import gammaln

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.engines.posteriors.group_factor import GroupFactor
from pytest_bayesf1.engines.posteriors.tilted_factor import TiltedFactor

_CONVOLUTION_POINTS = 2048


class EtaPosterior:
    """Independent draws of eta given the counts, by rejection sampling.

    All groups but one are proposed from piecewise-constant envelopes of their own factors; the one left out takes what
    remains of the unit mass. The draw is accepted in proportion to that group's factor and to the others' below their
    envelopes, so that accepted draws are exact. The factors are tilted by a common exp(-tilt eta), which cancels on the
    simplex, so that the proposals sum to about one. The group left out is the widest, so that at least one draw in
    three is accepted, and mostly more than one in two.

    Parameters
    ----------
    factors
        One per group of outcomes.
    """

    def __init__(self, factors: list[GroupFactor]) -> None:
        self._shapes = [factor.shape for factor in factors]
        flat = all(not factor.series.coef.any() for factor in factors)
        self._tilt, self._proposals = (0.0, []) if flat else _proposals(factors)
        bounded = [group for group in range(len(self._proposals)) if self._shapes[group] >= 1]
        self._rest = max(bounded, key=lambda group: self._proposals[group].spread, default=0)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw eta n times: shape (n, groups)."""
        if not self._proposals:  # h = 0: a plain Dirichlet
            return rng.dirichlet(self._shapes, size=n)
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
            return float(gammaln(self._shapes).sum() - gammaln(sum(self._shapes)))
        others = [proposal for group, proposal in enumerate(self._proposals) if group != self._rest]
        rest = self._proposals[self._rest]
        step = max(proposal.range for proposal in self._proposals) / _CONVOLUTION_POINTS
        low, masses = 0.0, np.asarray([1.0])
        for proposal in others:
            start, mass = proposal.binned(step)
            low, masses = low + start, _convolved(masses, mass)
        remainder: Floats = np.asarray(1 - low - step * np.arange(masses.size), dtype=float)
        possible = remainder >= 0
        total = float(masses[possible] @ np.exp(rest.log_relative_density(remainder[possible])))
        return float(self._tilt + np.log(total) + rest.log_peak + sum(proposal.log_mass for proposal in others))

    def _propose(self, n: int, rng: np.random.Generator) -> Floats:
        eta, log_chance = np.zeros((len(self._shapes), n)), np.zeros(n)
        for group, proposal in enumerate(self._proposals):
            if group != self._rest:
                eta[group], below_envelope = proposal.propose(rng.random(n))
                log_chance += below_envelope
        eta[self._rest] = 1 - eta.sum(axis=0)
        possible = eta[self._rest] > 0
        eta, log_chance = eta[:, possible], log_chance[possible]
        log_chance += self._proposals[self._rest].log_relative_density(eta[self._rest])
        return eta[:, np.log1p(-rng.random(log_chance.size)) < log_chance]


def _proposals(factors: list[GroupFactor]) -> tuple[float, list[TiltedFactor]]:
    centre = _typical_point(factors)
    tilt = sum(factor.shape + eta * factor.slope(float(eta)) for factor, eta in zip(factors, centre, strict=True))
    tilted = [TiltedFactor(factor, float(tilt), float(eta)) for factor, eta in zip(factors, centre, strict=True)]
    return float(tilt), tilted


def _typical_point(factors: list[GroupFactor]) -> Floats:
    """Solve shape_g / eta_g + h_g'(eta_g) = tilt for the eta that sums to one, by fixed-point iteration."""
    shapes = np.array([factor.shape for factor in factors])
    eta = shapes / shapes.sum()
    for _ in range(1000):
        mass = shapes + eta * [factor.slope(float(value)) for factor, value in zip(factors, eta, strict=True)]
        eta, before = mass / mass.sum(), eta
        if np.all(np.abs(eta - before) < 1e-3 * eta):
            break
    return np.asarray(eta)


def _convolved(a: Floats, b: Floats) -> Floats:
    """Convolve by Fourier transforms."""
    size = a.size + b.size - 1
    padded = 1 << (size - 1).bit_length()
    return np.fft.irfft(np.fft.rfft(a, padded) * np.fft.rfft(b, padded), padded)[:size]
