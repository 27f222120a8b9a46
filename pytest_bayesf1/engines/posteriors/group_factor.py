"""One group's factor of eta's collapsed posterior, eta^(shape - 1) exp(h(eta)), and the prior weights in its shape."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import Chebyshev
from scipy.special import betaln

from pytest_bayesf1.arrays import Floats, Weights

_ROUNDING = 1e-16
_NEGLIGIBLE_TERM = 1e-7  # of the log of a factor


@dataclass(frozen=True)
class GroupFactor:
    """One group's factor of the posterior, eta^(shape - 1) exp(h(eta)).

    h comes from rising factorials of scale * eta. It is stored as a series in log(1 + scale eta): its nearest
    singularities in this variable lie pi away from the real axis, whatever the scale, so the series converges fast.
    Under the nested prior kappa eta stands in the place of eta, and reaches beyond 1.

    Attributes
    ----------
    shape
        The prior's weight of the group plus the number of its non-zero cells.
    scale
        What eta is multiplied by to give the Dirichlet weight of a cell.
    series
        h as a Chebyshev series in log(1 + scale eta).
    """

    shape: float
    scale: float
    series: Chebyshev

    @classmethod
    def of_cells(cls, counts: Weights, scale: float, a: float, most: float = 1.0) -> "GroupFactor":
        """Build eta^(a - 1) prod Gamma(c + w) / (Gamma(c) Gamma(w) scale), with w = scale eta, of the counts c > 0.

        Parameters
        ----------
        counts : (K,)
            The group's non-zero cells, of all rows.
        scale
            The Dirichlet weight of a cell is scale * eta.
        a
            The group's weight in eta's own Dirichlet prior.
        most
            The largest eta.
        """
        values, times = np.unique(counts[counts != 1].astype(float), return_counts=True)  # a count of 1 adds nothing

        def log_rising(t: Floats) -> Floats:
            weight = np.expm1(t)[:, None]
            # log of Gamma(c + w) / (Gamma(c) Gamma(w)), without its log w, which is in the shape
            return np.asarray((-betaln(values, weight) - np.log(weight)) @ times, dtype=float)

        width = math.log1p(scale * most)
        gain = math.asinh(2 * math.pi / width)  # of each term, as the log of a factor
        degree = math.ceil(-math.log(_ROUNDING) / gain)
        series = Chebyshev.interpolate(log_rising, degree, domain=[0, width])
        return cls(a + counts.size, scale, series.trim(_NEGLIGIBLE_TERM))

    @cached_property
    def _derivatives(self) -> tuple[Chebyshev, Chebyshev]:
        return self.series.deriv(), self.series.deriv(2)

    def h(self, eta: Floats | float) -> Floats:
        """Log of the factor, but for eta^(shape - 1)."""
        return np.asarray(self.series(np.log1p(self.scale * np.asarray(eta))))

    def slope(self, eta: Floats | float) -> Floats:
        """h', which falls from its value at 0."""
        inner = 1 + self.scale * eta
        return np.asarray(self._derivatives[0](np.log(inner)) * self.scale / inner)

    def curvature(self, eta: Floats | float) -> Floats:
        """h'', which is negative."""
        inner = 1 + self.scale * eta
        first, second = (derivative(np.log(inner)) for derivative in self._derivatives)
        return np.asarray((second - first) * (self.scale / inner) ** 2)

    def spread(self, eta: Floats | float) -> Floats:
        """About the standard deviation of the tilted factor whose typical value is eta."""
        return np.asarray((self.shape / eta**2 - self.curvature(eta)) ** -0.5)


def group_weights(alpha: tuple[float, float], n_sides: int) -> Floats:
    """Weights a of eta's Dirichlet prior: those with which every side alone has Beta(alpha), right against wrong.

    With two sides that holds for one choice among those that make the sides a priori neither more nor less likely to
    agree than independent ones; for alpha = (1, 1) it is four halves.

    Parameters
    ----------
    alpha
        Pseudo-counts of being right and of being wrong, for each side.
    n_sides
        1 or 2.

    Returns
    -------
    (2^n_sides,)
        One weight per group of outcomes, in the order of `OutcomeTable`'s groups.

    Examples
    --------
    >>> group_weights((1, 1), 2).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    right, wrong = alpha
    if n_sides == 1:
        return np.array([right, wrong])
    return np.array([right * right, right * wrong, wrong * right, wrong * wrong]) / (right + wrong)
