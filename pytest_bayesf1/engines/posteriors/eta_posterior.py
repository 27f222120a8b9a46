"""The collapsed posterior of eta, the shares of a row's prior mass that its groups of outcomes receive.

Both hierarchies (Zhang et al. 2015, eq. 1-13, and its paired form) give row j the prior theta_j ~ Dirichlet(omega),
where each group g spreads its share eta_g evenly: omega = eta_g / size_g. A row's omega sums to 1 whatever eta is, so
theta integrates out to a product over the groups,

    p(eta | c)  ∝  prod_g  eta_g^(a_g - 1)  prod_cells  Gamma(c + eta_g / size_g) / Gamma(eta_g / size_g)

on the simplex, over the non-zero cells c of group g in all rows. Each group's factor has the form
eta^(shape - 1) exp(h(eta)), where shape is a_g plus the number of those cells and h is smooth, increasing and concave
(`GroupFactor`). Under the nested prior the same holds of kappa eta, which sums to kappa (`nested`).
"""

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy.special import gammaln, xlogy

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.engines.posteriors.group_factor import GroupFactor
from pytest_bayesf1.engines.posteriors.tilted_factor import TiltedFactor

_CONVOLUTION_POINTS = 1024
_ONE = np.ones(1)


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
    totals : (k,), optional
        What eta sums to; each total has a posterior of its own. One by default.
    centres : (k, groups), optional
        Of `typical_points`, where they are known.
    """

    def __init__(self, factors: list[GroupFactor], totals: Floats = _ONE, centres: Floats | None = None) -> None:
        together = GroupFactor.together(factors)
        self._shapes, self._totals, self._is_flat = together.shape, totals, together.is_flat
        centres = typical_points(together, totals) if centres is None else centres
        self._tilts = (together.shape + centres * together.slope(centres)).sum(axis=1) / totals
        if not self._is_flat:
            spreads = together.spread(centres)
            parts = zip(factors, centres.T, spreads.T, strict=True)
            self._proposals = [TiltedFactor(*part, self._tilts, totals) for part in parts]
            self._rests = np.where(self._shapes >= 1, spreads, 0).argmax(axis=1)

    def draw(self, n: int, rng: np.random.Generator, place: int = 0) -> Floats:
        """Draw eta.

        Parameters
        ----------
        n
            How many times.
        rng
            Where the randomness comes from.
        place
            Of the total.

        Returns
        -------
        (n, groups)
            The draws.
        """
        if self._is_flat:  # h = 0: a plain Dirichlet
            return np.asarray(self._totals[place] * rng.dirichlet(self._shapes, size=n))
        accepted, missing = [], n
        while missing > 0:
            batch = self._propose(missing + missing // 4 + 16, rng, place)[:, :missing]
            accepted.append(batch)
            missing -= batch.shape[1]
        return np.concatenate(accepted, axis=1).T

    @cached_property
    def log_integrals(self) -> Floats:
        """(k,) logs of the integrals of the product of the factors over the simplex of each total."""
        if self._is_flat:
            power = self._shapes.sum()
            return np.asarray(gammaln(self._shapes).sum() - gammaln(power) + (power - 1) * np.log(self._totals))
        return np.array([self._log_integral(place) for place in range(self._totals.size)])

    def _log_integral(self, place: int) -> float:
        others, rest = self._others(place), self._proposals[self._rests[place]]
        step = max(proposal.range[place] for proposal in self._proposals) / _CONVOLUTION_POINTS
        starts, masses = zip(*(proposal.binned(step, place) for proposal in others.values()), strict=True)
        together = _convolved(masses)
        remainder = self._totals[place] - sum(starts) - step * np.arange(together.size)
        possible = remainder >= 0
        total = together[possible] @ np.exp(rest.log_relative_density(remainder[possible], place))
        of_others = sum(proposal.log_mass[place] for proposal in others.values())
        return float(self._tilts[place] * self._totals[place] + np.log(total) + rest.log_peaks[place] + of_others)

    def _propose(self, n: int, rng: np.random.Generator, place: int) -> Floats:
        eta, rest = np.zeros((self._shapes.size, n)), self._rests[place]
        for group, proposal in self._others(place).items():
            eta[group] = proposal.propose(rng.random(n), place)
        eta[rest] = self._totals[place] - eta.sum(axis=0)
        eta = eta[:, eta[rest] > 0]
        log_chance = self._proposals[rest].log_relative_density(eta[rest], place)
        return eta[:, np.log1p(-rng.random(log_chance.size)) < log_chance]

    def _others(self, place: int) -> dict[int, TiltedFactor]:
        """Return the proposals of all groups but the one that is left out."""
        return {group: each for group, each in enumerate(self._proposals) if group != self._rests[place]}


def typical_points(factors: GroupFactor, totals: Floats) -> Floats:
    """Solve shape_g / eta_g + h_g'(eta_g) = tilt for the eta that sums to the total, by fixed-point iteration.

    Parameters
    ----------
    factors
        Those of all groups of outcomes together.
    totals : (n,)
        Each has a solution of its own.

    Returns
    -------
    (n, groups)
        The solutions, within some thousandths.
    """
    eta = np.multiply.outer(totals, factors.shape / factors.shape.sum())
    for _ in range(1000):
        mass = factors.shape + eta * factors.slope(eta)
        eta, before = mass * (totals / mass.sum(axis=1))[:, None], eta
        if np.all(np.abs(eta - before) < 1e-3 * eta):
            break
    return np.asarray(eta)


def rough_log_integrals(factors: GroupFactor, centres: Floats) -> Floats:
    """Approximate `EtaPosterior.log_integrals` by Laplace's method, on the logarithm of every eta.

    Parameters
    ----------
    factors
        Those of all groups of outcomes together.
    centres : (k, groups)
        Of `typical_points`.

    Returns
    -------
    (k,)
        Within some units, which tells what is negligible.
    """
    spreads = factors.spread(centres)
    heights = xlogy(factors.shape - 1, centres) + factors.h(centres)
    return np.asarray((heights + np.log(spreads)).sum(axis=1) - np.log(np.square(spreads).sum(axis=1)) / 2)


def _convolved(masses: Sequence[Floats]) -> Floats:
    """Convolve by Fourier transforms."""
    size = sum(mass.size - 1 for mass in masses) + 1
    padded = 1 << (size - 1).bit_length()
    return np.fft.irfft(math.prod(np.fft.rfft(mass, padded) for mass in masses), padded)[:size]
