"""Factors of eta's collapsed posterior, eta^(shape - 1) exp(h(eta)), and the prior weights in their shapes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import Chebyshev, chebyshev
from scipy.special import betaln

from pytest_bayesf1.arrays import Floats, Weights

_ROUNDING = 1e-16
_NEGLIGIBLE_TERM = 1e-7  # of the log of a factor


@dataclass(frozen=True)
class GroupFactor:
    """One group's factor of the posterior, eta^(shape - 1) exp(h(eta)), or those of several groups.

    h comes from rising factorials of scale * eta. It is stored as a series in log(1 + scale eta): its nearest
    singularities in this variable lie pi away from the real axis, whatever the scale, so the series converges fast.
    Under the nested prior kappa eta stands in the place of eta, and reaches beyond 1.

    Attributes
    ----------
    shape : () or (groups,)
        The prior's weight of the group plus the number of its non-zero cells.
    scale : () or (groups,)
        What eta is multiplied by to give the Dirichlet weight of a cell.
    most : () or (groups,)
        The largest eta.
    series : (degree + 1,) or (degree + 1, groups)
        Coefficients of h as a Chebyshev series in log(1 + scale eta), from 0 to where eta is largest.
    """

    shape: Floats
    scale: Floats
    most: Floats
    series: Floats

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
        width = math.log1p(scale * most)

        def log_rising(position: Floats) -> Floats:
            weight = np.expm1(width * (position + 1) / 2)[:, None]
            # log of Gamma(c + w) / (Gamma(c) Gamma(w)), without its log w, which is in the shape
            return np.asarray((-betaln(values, weight) - np.log(weight)) @ times, dtype=float)

        gain = math.asinh(2 * math.pi / width)  # of each term, as the log of a factor
        degree = math.ceil(-math.log(_ROUNDING) / gain)
        series = Chebyshev.interpolate(log_rising, degree).trim(_NEGLIGIBLE_TERM)
        return cls(np.asarray(a + counts.size), np.asarray(scale), np.asarray(most), np.asarray(series.coef))

    @classmethod
    def together(cls, factors: "Sequence[GroupFactor]") -> "GroupFactor":
        """Put the factors of several groups side by side: what they are functions of has an axis more, (..., groups).

        Parameters
        ----------
        factors
            One for each group.
        """
        terms = max(factor.series.size for factor in factors)
        series = [np.pad(factor.series, (0, terms - factor.series.size)) for factor in factors]
        shapes, scales, most = zip(*((factor.shape, factor.scale, factor.most) for factor in factors), strict=True)
        return cls(np.array(shapes), np.array(scales), np.array(most), np.stack(series, axis=1))

    @property
    def is_flat(self) -> bool:
        """Whether h is 0 of all groups."""
        return not self.series.any()

    @cached_property
    def _per_log(self) -> Floats:
        return 2 / np.log1p(self.scale * self.most)

    @cached_property
    def _slopes(self) -> Floats:
        return np.asarray(chebyshev.chebder(self.series) * self._per_log)

    @cached_property
    def _curvatures(self) -> Floats:
        return np.asarray(chebyshev.chebder(self._slopes) * self._per_log)

    def _value(self, series: Floats, eta: Floats) -> Floats:
        position = np.log1p(self.scale * eta) * self._per_log - 1
        return np.asarray(chebyshev.chebval(position, series, tensor=False))

    def h(self, eta: Floats) -> Floats:
        """Log of the factor, but for eta^(shape - 1)."""
        return self._value(self.series, eta)

    def slope(self, eta: Floats) -> Floats:
        """h', which falls from its value at 0."""
        return np.asarray(self._value(self._slopes, eta) * self.scale / (1 + self.scale * eta))

    def curvature(self, eta: Floats) -> Floats:
        """h'', which is negative."""
        by_log = self._value(self._curvatures, eta) - self._value(self._slopes, eta)
        return np.asarray(by_log * (self.scale / (1 + self.scale * eta)) ** 2)

    def spread(self, eta: Floats) -> Floats:
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
