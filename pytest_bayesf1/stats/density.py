"""A kernel estimate of the density that draws come from."""

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.figures import Density
from pytest_bayesf1.stats.intervals import quantiles

_BINS = 256
_QUARTILES = np.array([0.25, 0.75])
_ENDS = np.array([0.001, 0.999])


def density_at(draws: Floats, points: Floats, least_bandwidth: float = 0.0) -> Floats:
    """Gaussian kernel estimate of the density of the draws, with Silverman's rule for the bandwidth.

    The draws are binned first, so that the work does not grow with their number.

    Parameters
    ----------
    draws : (n,)
        From the distribution.
    points : (k,)
        Where the density is asked for.
    least_bandwidth
        The kernel is at least this wide.

    Returns
    -------
    (k,)
        The density.
    """
    bandwidth = max(silverman(draws), least_bandwidth)
    start, width = points.min() - 6 * bandwidth, (np.ptp(points) + 12 * bandwidth) / _BINS  # only draws there matter
    place = np.floor((draws - start) / width)
    counts = np.bincount(place[(place >= 0) & (place < _BINS)].astype(np.int64), minlength=_BINS)
    distance = (points[:, None] - (start + width * (np.arange(_BINS) + 0.5))) / bandwidth
    kernel = np.exp(-(distance**2) / 2) / (bandwidth * np.sqrt(2 * np.pi))
    return np.asarray(kernel @ counts / draws.size)


def silverman(draws: Floats) -> float:
    """Bandwidth of a kernel estimate by Silverman's rule: 0.9 min(std, IQR / 1.349) n^(-1/5).

    A constant, whose density does not exist, counts as a very narrow peak.

    Parameters
    ----------
    draws : (n,)
        From the distribution.

    References
    ----------
    Silverman (1986), Density Estimation for Statistics and Data Analysis, eq. 3.31.
    """
    std, (low, high) = draws.std(), quantiles(np.sort(draws), _QUARTILES)
    spread = float(min(std, (high - low) / 1.349) or std)
    return 0.9 * (spread or 1e-9 * max(abs(float(draws[0])), 1.0)) * float(draws.size**-0.2)


def density_curve(draws: Floats, n_points: int = 101, *, around: Floats | None = None) -> Density:
    """Density over the central 99.8% of the draws, for a figure; or over that of others, ``around``, and 0.

    Parameters
    ----------
    draws : (n,)
        From the distribution.
    n_points
        How many points the curve has.
    around : (m,), optional
        Other draws, whose range the curve covers instead, so that two densities can be compared there.
    """
    low, high = _central(draws) if around is None else _with_zero(*_central(around))
    points = np.linspace(low, high, n_points)
    # a peak narrower than the distance of the points would fall between them
    heights = density_at(draws, points, least_bandwidth=points[1] - points[0])
    return Density(low, high, tuple(float(f"{height:.4g}") for height in heights))


def _central(draws: Floats) -> tuple[float, float]:
    low, high = quantiles(np.sort(draws), _ENDS)
    margin = 0.05 * (high - low) or 6 * silverman(draws)
    return float(low - margin), float(high + margin)


def _with_zero(low: float, high: float) -> tuple[float, float]:
    margin = 0.05 * (high - low)
    return min(low, -margin), max(high, margin)
