"""A tilted factor of eta's posterior, tabulated."""

from functools import cached_property

import numpy as np
from scipy.special import xlogy

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.engines.posteriors.group_factor import GroupFactor

_GRID_POINTS = 2048
_ROUGH_POINTS = 128
_NEGLIGIBLE = 40.0  # a log density this far below the maximum is left out


class TiltedFactor:
    """A factor times exp(-tilt eta), as a distribution of its own on (0, total), tabulated.

    The table is over u = eta^min(shape / 2, 1), whose density starts at 0 with a finite slope, whatever eta's own does.

    Parameters
    ----------
    factor
        The factor.
    centre
        The factor's typical eta, around which the table lies.
    tilt
        The same for all factors of a posterior.
    total
        The largest eta.
    """

    def __init__(self, factor: GroupFactor, centre: float, tilt: float, total: float = 1.0) -> None:
        self._factor, self._tilt = factor, tilt
        self._root = min(factor.shape / 2, 1.0)
        self._u = self._support(centre, total)
        log_density = self._log_density(self._u)
        density = np.exp(log_density - log_density.max())
        self._eta = self._u ** (1 / self._root)
        mass, moment = _integrated(density), _integrated(density * self._eta)
        self._cdf, self._partial_mean = mass / mass[-1], moment / mass[-1]
        self.spread = factor.spread(centre)
        spacing = float(self._u[1] - self._u[0]) / self._root  # eta^(s - 1) d eta = u^(s / root - 1) du / root
        self.log_mass = float(log_density.max() + np.log(mass[-1] * spacing))

    def _support(self, centre: float, total: float) -> Floats:
        """Points from one end to the other of where u has a density to speak of."""
        reach = 60 * self._factor.spread(centre)
        ends = np.array([max(centre - reach, 0.0), min(centre + reach, total)]) ** self._root
        rough = np.linspace(ends[0], ends[1], _ROUGH_POINTS)
        log_density = self._log_density(rough)
        inside = np.flatnonzero(log_density > log_density.max() - _NEGLIGIBLE)
        return np.linspace(rough[max(inside[0] - 1, 0)], rough[min(inside[-1] + 1, _ROUGH_POINTS - 1)], _GRID_POINTS)

    def _log_density(self, u: Floats) -> Floats:
        return np.asarray(xlogy(self._factor.shape / self._root - 1, u) + self._log_smooth(u ** (1 / self._root)))

    def _log_smooth(self, eta: Floats) -> Floats:
        return self._factor.h(eta) - self._tilt * eta

    def propose(self, probability: Floats) -> Floats:
        """Draw by inversion; between two points of the table the density of u is even.

        Parameters
        ----------
        probability : (n,)
            Evenly distributed.

        Returns
        -------
        (n,)
            The values of eta below which there are these shares of the distribution.
        """
        return np.asarray(np.interp(probability, self._cdf, self._u) ** (1 / self._root))

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
        """Return the distribution as masses on evenly spaced points, its mean unchanged.

        Parameters
        ----------
        step
            Distance of the points.

        Returns
        -------
        start, masses
            The first point, and the mass on each.
        """
        points = self._eta[0] + step * np.arange(int(np.ceil(self.range / step)) + 1)
        mass, moment = (
            np.diff(np.interp(points**self._root, self._u, cumulative))
            for cumulative in (self._cdf, self._partial_mean)
        )
        upwards = moment / step - points[:-1] / step * mass
        return float(self._eta[0]), np.append(mass - upwards, 0) + np.append(0, upwards)


def _integrated(values: Floats) -> Floats:
    """Cumulative sums by the trapezoidal rule, in units of the spacing."""
    return np.concatenate([[0.0], np.cumsum((values[1:] + values[:-1]) / 2)])
