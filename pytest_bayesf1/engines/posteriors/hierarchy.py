"""The collapsed posterior of eta, the shares of a row's prior mass that its groups of outcomes receive.

Both hierarchies (Zhang et al. 2015, eq. 1-13, and its paired form) give row j the prior theta_j ~ Dirichlet(omega),
where each group g spreads its share eta_g evenly: omega = eta_g / size_g. A row's omega sums to 1 whatever eta is, so
theta integrates out to a product over the groups,

    p(eta | c)  ∝  prod_g  eta_g^(a_g - 1)  prod_cells  Gamma(c + eta_g / size_g) / Gamma(eta_g / size_g)

on the simplex, over the non-zero cells c of group g in all rows. Each group's factor has the form
eta^(shape - 1) exp(h(eta)), where shape is a_g plus the number of those cells and h is smooth, increasing and concave.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import Chebyshev
from scipy.special import betaln, gammaln, xlogy

from pytest_bayesf1.arrays import Floats, Weights

_ROUNDING = 1e-16
_GRID_POINTS = 4096
_ROUGH_POINTS = 512
_CONVOLUTION_POINTS = 2048
_NEGLIGIBLE = 40.0  # a log density this far below the maximum is left out


@dataclass(frozen=True)
class GroupFactor:
    """One group's factor of the posterior, eta^(shape - 1) exp(h(eta)).

    h comes from rising factorials of scale * eta. It is stored as a series in log(1 + scale eta): its nearest
    singularities in this variable lie pi away from the real axis, whatever the scale, so the series converges fast.
    """

    shape: float
    scale: float
    series: Chebyshev

    @classmethod
    def of_cells(cls, counts: Weights, scale: float, a: float) -> "GroupFactor":
        """Build eta^(a - 1) prod Gamma(c + w) / (Gamma(c) Gamma(w) scale), with w = scale eta, of the counts c > 0."""
        values, times = np.unique(counts[counts != 1].astype(float), return_counts=True)  # a count of 1 adds nothing

        def log_rising(t: Floats) -> Floats:
            weight = np.expm1(t)[:, None]
            # log of Gamma(c + w) / (Gamma(c) Gamma(w)), without its log w, which is in the shape
            return np.asarray((-betaln(values, weight) - np.log(weight)) @ times, dtype=float)

        width = math.log1p(scale)
        gain = math.asinh(2 * math.pi / width)  # of each term, as the log of a factor
        degree = math.ceil(-math.log(_ROUNDING) / gain)
        return cls(a + counts.size, scale, Chebyshev.interpolate(log_rising, degree, domain=[0, width]))

    @cached_property
    def _derivatives(self) -> tuple[Chebyshev, Chebyshev]:
        return self.series.deriv(), self.series.deriv(2)

    def h(self, eta: Floats | float) -> Floats:
        """Log of the factor, but for eta^(shape - 1)."""
        return np.asarray(self.series(np.log1p(self.scale * np.asarray(eta))))

    def slope(self, eta: float) -> float:
        """h', which falls from its value at 0."""
        inner = 1 + self.scale * eta
        return float(self._derivatives[0](np.log(inner)) * self.scale / inner)

    def curvature(self, eta: float) -> float:
        """h'', which is negative."""
        inner = 1 + self.scale * eta
        first, second = (derivative(np.log(inner)) for derivative in self._derivatives)
        return float((second - first) * (self.scale / inner) ** 2)

    def spread(self, eta: float) -> float:
        """About the standard deviation of the tilted factor whose typical value is eta."""
        return float((self.shape / eta**2 - self.curvature(eta)) ** -0.5)


def group_weights(alpha: tuple[float, float], n_sides: int) -> Floats:
    """Weights a of eta's Dirichlet prior: those with which every side alone has Beta(alpha), right against wrong.

    With two sides that holds for one choice among those that make the sides a priori neither more nor less likely to
    agree than independent ones; for alpha = (1, 1) it is four halves.
    """
    right, wrong = alpha
    if n_sides == 1:
        return np.array([right, wrong])
    return np.array([right * right, right * wrong, wrong * right, wrong * wrong]) / (right + wrong)


class EtaPosterior:
    """Independent draws of eta given the counts, by rejection.

    All groups but one are proposed from staircases just above their own factors; the one left out takes what remains
    of the unit mass. The draw is accepted in proportion to that group's factor and to the others' below their stairs,
    so that accepted draws are exact. The factors are tilted by a common exp(-tilt eta), which cancels on the simplex,
    so that the proposals sum to about one. The group left out is the widest, so that at least one draw in three is
    accepted, and mostly more than one in two.
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
                eta[group], below_stair = proposal.propose(rng.random(n))
                log_chance += below_stair
        eta[self._rest] = 1 - eta.sum(axis=0)
        possible = eta[self._rest] > 0
        eta, log_chance = eta[:, possible], log_chance[possible]
        log_chance += self._proposals[self._rest].log_relative_density(eta[self._rest])
        return eta[:, np.log1p(-rng.random(log_chance.size)) < log_chance]


def _proposals(factors: list[GroupFactor]) -> "tuple[float, list[_TiltedFactor]]":
    centre = _typical_point(factors)
    tilt = sum(factor.shape + eta * factor.slope(float(eta)) for factor, eta in zip(factors, centre, strict=True))
    tilted = [_TiltedFactor(factor, float(tilt), float(eta)) for factor, eta in zip(factors, centre, strict=True)]
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


class _TiltedFactor:
    """A factor times exp(-tilt eta), as a distribution of its own on (0, 1), tabulated.

    The table is over u = eta^min(shape / 2, 1), whose density starts at 0 with a finite slope, whatever eta's own does.
    """

    def __init__(self, factor: GroupFactor, tilt: float, centre: float) -> None:
        self._factor, self._tilt = factor, tilt
        self._root = min(factor.shape / 2, 1.0)
        self._u = self._support(centre)
        self._table = log_density = self._log_density(self._u)
        density = np.exp(log_density - log_density.max())
        self._eta = self._u ** (1 / self._root)
        mass, moment = _integrated(density), _integrated(density * self._eta)
        self._cdf, self._partial_mean = mass / mass[-1], moment / mass[-1]
        self.spread = factor.spread(centre)
        self._step = float(self._u[1] - self._u[0])
        spacing = self._step / self._root  # eta^(s - 1) d eta = u^(s / root - 1) du / root
        self.log_mass = float(log_density.max() + np.log(mass[-1] * spacing))

    def _support(self, centre: float) -> Floats:
        """Points from one end to the other of where u has a density to speak of."""
        reach = 60 * self._factor.spread(centre)
        ends = np.array([max(centre - reach, 0.0), min(centre + reach, 1.0)]) ** self._root
        rough = np.linspace(ends[0], ends[1], _ROUGH_POINTS)
        log_density = self._log_density(rough)
        inside = np.flatnonzero(log_density > log_density.max() - _NEGLIGIBLE)
        return np.linspace(rough[max(inside[0] - 1, 0)], rough[min(inside[-1] + 1, _ROUGH_POINTS - 1)], _GRID_POINTS)

    def _log_density(self, u: Floats) -> Floats:
        return np.asarray(xlogy(self._factor.shape / self._root - 1, u) + self._log_smooth(u ** (1 / self._root)))

    def _log_smooth(self, eta: Floats) -> Floats:
        return self._factor.h(eta) - self._tilt * eta

    def propose(self, probability: Floats) -> tuple[Floats, Floats]:
        """Value of eta below which this share of the area under the stairs lies; log of its density over its stair."""
        stairs, below = self._stairs
        u = np.interp(probability, below, self._u)
        stair = np.minimum(((u - self._u[0]) / self._step).astype(np.intp), stairs.size - 1)
        return u ** (1 / self._root), self._log_density(u) - stairs[stair]

    @cached_property
    def _stairs(self) -> tuple[Floats, Floats]:
        """Bounds of the log density of u between the points of the table; the share of their area below every point."""
        stairs = _stairs_above(self._table)
        rising = np.cumsum(np.exp(stairs - stairs.max()))
        return stairs, np.concatenate([[0.0], rising / rising[-1]])

    def log_relative_density(self, eta: Floats) -> Floats:
        """Log of the density of eta relative to its peak; there is one for a shape of at least 1."""
        return self._log_factor(eta) - self.log_peak

    @cached_property
    def log_peak(self) -> float:
        """Log of the largest value of the tilted factor."""
        return float(self._log_factor(self._eta).max())

    def _log_factor(self, eta: Floats) -> Floats:
        return np.asarray(xlogy(self._factor.shape - 1, eta) + self._log_smooth(eta))

    @property
    def range(self) -> float:
        """Width of what is not negligible."""
        return float(self._eta[-1] - self._eta[0])

    def binned(self, step: float) -> tuple[float, Floats]:
        """Return the distribution as masses on points ``step`` apart, its mean unchanged, and the first point."""
        points = self._eta[0] + step * np.arange(int(np.ceil(self.range / step)) + 1)
        mass, moment = (
            np.diff(np.interp(points**self._root, self._u, cumulative))
            for cumulative in (self._cdf, self._partial_mean)
        )
        upwards = moment / step - points[:-1] / step * mass
        return float(self._eta[0]), np.append(mass - upwards, 0) + np.append(0, upwards)


def _stairs_above(log_density: Floats) -> Floats:
    """Return bounds of a smooth log density between the points of its table: it bends little from one to the next.

    Where it bends by b, it exceeds the larger of its values on both sides by b / 8 at most. A stair leaves eight times
    that, so that the bend may vary.
    """
    bend = np.abs(np.diff(log_density[1:], 2))  # the first point may be at 0, where it rises from minus infinity
    bend = np.pad(bend, (2, 1), mode="edge")
    return np.asarray(np.maximum(log_density[1:], log_density[:-1]) + np.maximum(bend[1:], bend[:-1]))


def _convolved(a: Floats, b: Floats) -> Floats:
    """Convolve by Fourier transforms."""
    size = a.size + b.size - 1
    padded = 1 << (size - 1).bit_length()
    return np.fft.irfft(np.fft.rfft(a, padded) * np.fft.rfft(b, padded), padded)[:size]


def _integrated(values: Floats) -> Floats:
    """Cumulative sums by the trapezoidal rule, in units of the spacing."""
    return np.concatenate([[0.0], np.cumsum((values[1:] + values[:-1]) / 2)])
