"""A tilted factor of eta's posterior, tabulated."""

from functools import cached_property

import numpy as np
from scipy.special import xlogy

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.engines.posteriors.group_factor import GroupFactor

_GRID_POINTS = 512
_ROUGH_POINTS = 128
_NEGLIGIBLE = 40.0  # a log density this far below the maximum is left out


class TiltedFactor:
    """A factor times exp(-tilt eta), for n tilts, each as a distribution of its own on (0, total), tabulated.

    The table is over u = eta^min(shape / 3, 1), whose density starts at 0 with a slope of 0, whatever eta's own does.

    Parameters
    ----------
    factor
        The factor.
    centres, spreads : (n,)
        The factor's typical etas, around which the tables lie, and about their standard deviations.
    tilts : (n,)
        The same for all factors of a posterior.
    totals : (n,)
        The largest etas.

    Attributes
    ----------
    log_mass, range : (n,)
        Logs of the integrals; widths of what is not negligible.
    """

    def __init__(self, factor: GroupFactor, centres: Floats, spreads: Floats, tilts: Floats, totals: Floats) -> None:
        self._factor, self._tilts = factor, tilts[:, None]
        self._root = min(float(factor.shape) / 3, 1.0)
        self._u = self._support(centres, 60 * spreads, totals)
        log_density = self._log_density(self._u)
        most = log_density.max(axis=1, keepdims=True)
        density = np.exp(log_density - most)
        self._eta = self._u ** (1 / self._root)
        mass, moment = _integrated(density), _integrated(density * self._eta)
        self._cdf, self._partial_mean = mass / mass[:, -1:], moment / mass[:, -1:]
        spacing = (self._u[:, 1] - self._u[:, 0]) / self._root  # eta^(s - 1) d eta = u^(s / root - 1) du / root
        self.log_mass = most[:, 0] + np.log(mass[:, -1] * spacing)
        self.range = self._eta[:, -1] - self._eta[:, 0]

    def _support(self, centres: Floats, reach: Floats, totals: Floats) -> Floats:
        """Points from one end to the other of where u has a density to speak of: (n, points)."""
        ends = np.array([np.maximum(centres - reach, 0.0), np.minimum(centres + reach, totals)]) ** self._root
        rough = np.linspace(ends[0], ends[1], _ROUGH_POINTS, axis=1)
        log_density = self._log_density(rough)
        inside = log_density > log_density.max(axis=1, keepdims=True) - _NEGLIGIBLE
        first, last = inside.argmax(axis=1), _ROUGH_POINTS - 1 - inside[:, ::-1].argmax(axis=1)
        rows = np.arange(len(rough))
        low, high = np.maximum(first - 1, 0), np.minimum(last + 1, _ROUGH_POINTS - 1)
        return np.linspace(rough[rows, low], rough[rows, high], _GRID_POINTS, axis=1)

    def _log_density(self, u: Floats) -> Floats:
        eta = u ** (1 / self._root)
        return np.asarray(xlogy(self._factor.shape / self._root - 1, u) + self._factor.h(eta) - self._tilts * eta)

    def propose(self, probability: Floats, place: int = 0) -> Floats:
        """Draw by inversion; between two points of the table the density of u is even.

        Parameters
        ----------
        probability : (k,)
            Evenly distributed.
        place
            Of the tilt.

        Returns
        -------
        (k,)
            The values of eta below which there are these shares of the distribution.
        """
        return np.asarray(np.interp(probability, self._cdf[place], self._u[place]) ** (1 / self._root))

    def log_relative_density(self, eta: Floats, place: int) -> Floats:
        """Return the log of the density of eta relative to its peak, which a shape of at least 1 has.

        Parameters
        ----------
        eta : (k,)
            Where.
        place
            Of the tilt.
        """
        tilt = self._tilts[place]
        return np.asarray(self._log_factor(eta, tilt) - self.log_peaks[place])

    @cached_property
    def log_peaks(self) -> Floats:
        """(n,) logs of the largest values of the tilted factor."""
        return np.asarray(self._log_factor(self._eta, self._tilts).max(axis=1))

    def _log_factor(self, eta: Floats, tilts: Floats) -> Floats:
        return np.asarray(xlogy(self._factor.shape - 1, eta) + self._factor.h(eta) - tilts * eta)

    def binned(self, step: float, place: int) -> tuple[float, Floats]:
        """Return the distribution as masses on evenly spaced points, its mean unchanged.

        Parameters
        ----------
        step
            Distance of the points.
        place
            Of the tilt.

        Returns
        -------
        start, masses
            The first point, and the mass on each.
        """
        start = float(self._eta[place, 0])
        points = start + step * np.arange(int(np.ceil(self.range[place] / step)) + 1)
        mass, moment = (
            np.diff(np.interp(points**self._root, self._u[place], cumulative[place]))
            for cumulative in (self._cdf, self._partial_mean)
        )
        upwards = moment / step - points[:-1] / step * mass
        return start, np.append(mass - upwards, 0) + np.append(0, upwards)


def _integrated(values: Floats) -> Floats:
    """Cumulative sums of each row by the trapezoidal rule, in units of the spacing."""
    sums = np.zeros_like(values)
    np.cumsum((values[:, 1:] + values[:, :-1]) / 2, axis=1, out=sums[:, 1:])
    return sums
