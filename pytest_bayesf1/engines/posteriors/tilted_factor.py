"""A tilted factor of eta's posterior, tabulated, with a piecewise-constant envelope to propose draws from."""

from functools import cached_property

import numpy as np
from scipy.special import xlogy

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.engines.posteriors.group_factor import GroupFactor

_GRID_POINTS = 4096
_ROUGH_POINTS = 512
_NEGLIGIBLE = 40.0  # a log density this far below the maximum is left out


class TiltedFactor:
    """A factor times exp(-tilt eta), as a distribution of its own on (0, 1), tabulated.

    The table is over u = eta^min(shape / 2, 1), whose density starts at 0 with a finite slope, whatever eta's own does.

    Parameters
    ----------
    factor
        The factor.
    tilt
        The same for all factors of a posterior.
    centre
        The factor's typical eta, around which the table lies.
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
        """Draw from the envelope by inversion.

        Parameters
        ----------
        probability : (n,)
            Evenly distributed: shares of the area under the envelope.

        Returns
        -------
        eta, log_chance : (n,)
            The values of eta below which these shares lie; the log of the density there over the envelope.
        """
        heights, below = self._envelope
        u = np.interp(probability, below, self._u)
        interval = np.minimum(((u - self._u[0]) / self._step).astype(np.intp), heights.size - 1)
        return u ** (1 / self._root), self._log_density(u) - heights[interval]

    @cached_property
    def _envelope(self) -> tuple[Floats, Floats]:
        """Bounds of the log density of u between the points of the table; the share of their area below every point."""
        heights = _envelope_of(self._table)
        area = np.cumsum(np.exp(heights - heights.max()))
        return heights, np.concatenate([[0.0], area / area[-1]])

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


def _envelope_of(log_density: Floats) -> Floats:
    """Return bounds of a smooth log density between the points of its table: it bends little from one to the next.

    Where it bends by b, it exceeds the larger of its values on both sides by b / 8 at most. The envelope leaves eight
    times that, so that the bend may vary.
    """
    bend = np.abs(np.diff(log_density[1:], 2))  # the first point may be at 0, where it rises from minus infinity
    bend = np.pad(bend, (2, 1), mode="edge")
    return np.asarray(np.maximum(log_density[1:], log_density[:-1]) + np.maximum(bend[1:], bend[:-1]))


def _integrated(values: Floats) -> Floats:
    """Cumulative sums by the trapezoidal rule, in units of the spacing."""
    return np.concatenate([[0.0], np.cumsum((values[1:] + values[:-1]) / 2)])
