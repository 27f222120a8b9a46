"""A kernel estimate of the density that draws come from."""

from math import ceil, log10

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.comparison import Density
from pytest_bayesf1.stats.draws import Draws
from pytest_bayesf1.stats.intervals import quantiles

_DIGITS = 4  # of the highest point: as fine as all points are told
_ENDS = np.array([0.001, 0.999])
_BIN = 0.1  # of the bandwidth
_REACH = 60  # bins on both sides of a draw that its kernel is spread over
_KERNEL = np.exp(-((_BIN * np.arange(-_REACH, _REACH + 1)) ** 2) / 2) / np.sqrt(2 * np.pi)


def density_at(draws: Draws, points: Floats, least_bandwidth: float = 0.0) -> Floats:
    """Gaussian kernel estimate of the density of the draws.

    They are binned first; the work grows with the range of the points over the bandwidth.

    Parameters
    ----------
    draws
        From the distribution.
    points : (k,)
        Where the density is asked for, in ascending order.
    least_bandwidth
        The kernel is at least this wide.

    Returns
    -------
    (k,)
        The density.
    """
    bandwidth = max(draws.bandwidth, least_bandwidth)
    width = _BIN * bandwidth
    n_bins = ceil((points[-1] - points[0]) / width) + 2
    edges = points[0] + width * (np.arange(-_REACH - 1, n_bins + _REACH) - 0.5)  # only draws there matter
    counts = np.diff(np.searchsorted(draws.ordered, edges))
    heights = np.convolve(counts, _KERNEL, mode="valid") / (bandwidth * draws.values.size)
    return np.interp(points, points[0] + width * np.arange(-1, n_bins - 1), heights)


def density_curve(draws: Draws, n_points: int = 101, *, around: Draws | None = None) -> Density:
    """Density over the central 99.8% of the draws, for a figure; or over that of others, ``around``, and 0.

    Parameters
    ----------
    draws
        From the distribution.
    n_points
        How many points the curve has.
    around
        Other draws, whose range the curve covers instead, so that two densities can be compared there.
    """
    low, high = _central(draws) if around is None else _with_zero(*_central(around))
    points, distance = np.linspace(low, high, n_points, retstep=True)
    # a peak narrower than the distance of the points would fall between them
    heights = density_at(draws, points, least_bandwidth=float(distance))
    decimals = _DIGITS - ceil(log10(float(heights.max()) or 1.0))
    return Density(low, high, tuple(np.round(heights, decimals).tolist()))


def _central(draws: Draws) -> tuple[float, float]:
    low, high = quantiles(draws.ordered, _ENDS)
    margin = 0.05 * (high - low) or 6 * draws.bandwidth
    return float(low - margin), float(high + margin)


def _with_zero(low: float, high: float) -> tuple[float, float]:
    margin = 0.05 * (high - low)
    return min(low, -margin), max(high, margin)
