"""How much a score usually changes, and what that makes of the probability of a loss.

A decision rests on the test set alone: as if a change of ten points were as likely beforehand as none. A printed
probability must hold where most changes are small. With true changes N(0, 0.7 points), a loss of more than a point that
has a chance of 85% by the test set alone is true in 26% of cases (`benchmarks/studies/chances.md`). So the draws of
delta are weighed by how much the score usually changes.

**Without a history** that is Student's t with three degrees of freedom: heavy tails let a clear loss be one. Its scale
makes nine changes in ten stay within what is allowed.

**With a history** of changes d_k with standard errors e_k, most changes are N(0, s^2), and a share of them go three or
six times as far: both ways (t with three degrees of freedom), only down, or only up. The scale s, the share and the way
are unknown, and are averaged over their posterior on a grid. The prior of s is uniform in e / (s + e), with a usual
error e: it neither rules out s = 0 nor insists on it. A gate keeps clear losses out of a history. Where it has none,
each change is as likely as among those that a gate lets in: else losses that are said to be 14% likely are true in up
to 39% of cases (`benchmarks/studies/chances.md`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import starmap
from math import inf, sqrt
from typing import Self, TypeAlias

import numpy as np
from scipy.special import ndtr, ndtri, roots_genlaguerre, stdtrit

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.comparison import Chance, EarlierChange

FEWEST_CHANGES = 10
"""Fewer earlier changes say too little of what is usual."""

_DOF = 3
_NINE_IN_TEN = float(stdtrit(_DOF, 0.95))
_SCALES = np.geomspace(0.05, 20, 40)
"""Of most changes, in usual errors."""
_SHARES = np.array([0.05, 0.15, 0.3])[:, None, None]
_FAR = tuple((times, way) for times in (3.0, 6.0) for way in (-1, 0, 1))
"""How many times as far the others go, and which way; 0 for both."""
_N_NODES, _N_POINTS = 24, 800


@dataclass(frozen=True, eq=False)
class UsualChanges:
    """How much a score usually changes, as a prior density of the next change.

    Attributes
    ----------
    density
        Of a change, up to a factor.
    n_earlier
        Earlier changes that it was learned from.
    """

    density: Callable[[Floats], Floats]
    n_earlier: int = 0

    @classmethod
    def within(cls, allowed: float) -> Self:
        """Let nine changes in ten stay within what is allowed."""
        return cls(partial(_t, scale=allowed / _NINE_IN_TEN))

    @classmethod
    def of(cls, history: Sequence[EarlierChange], allowed: float, hdi_prob: float = 0.95) -> Self:
        """Learn from earlier changes, `FEWEST_CHANGES` or more, of which a gate may have kept out the clear losses.

        Examples
        --------
        >>> quiet = UsualChanges.of([EarlierChange(0.001, 0.004), EarlierChange(-0.002, 0.004)] * 10, 0.01)
        >>> lively = UsualChanges.of([EarlierChange(0.03, 0.004), EarlierChange(-0.03, 0.004)] * 10, 0.01)
        >>> draws = np.random.default_rng(0).normal(-0.015, 0.005, 10_000)
        >>> [round(each.chance(draws, high=-0.01).usual, 1) for each in (quiet, lively)]
        [0.0, 0.8]
        """
        mean, error = np.array([(each.mean, each.std) for each in history]).T[:, :, None]
        usual = float(np.mean(error**-2.0)) ** -0.5
        scales = usual * _SCALES
        least = ndtri((1 - hdi_prob) / 2) * error - allowed
        least = least if np.all(mean >= least) else np.full_like(error, -inf)  # a clear loss has come in
        near, *far = (_seen(parts, mean, error, least, scales) for parts in (_NEAR, *starmap(_parts, _FAR)))
        mixed = (1 - _SHARES) * near[:, None, None] + _SHARES * np.stack(far, axis=1)[:, :, None]
        kinds = np.concatenate([near[:, None], mixed.reshape(2, -1, *near.shape[1:])], axis=1)
        densities, let_in = np.log(np.maximum(kinds, np.finfo(float).tiny))
        log_weights = (densities - let_in).sum(axis=1)
        log_weights[1:] -= np.log(len(log_weights) - 1)  # as likely beforehand, in all, as that no change goes far
        log_weights += np.log(_SCALES) - 2 * np.log1p(_SCALES)  # the grid is even in log s
        weights = np.exp(log_weights - log_weights.max())
        weights /= weights.sum()
        shares, of_far = _SHARES[:, 0], weights[1:].reshape(len(_FAR), _SHARES.size, -1)
        near_weights = weights[0] + ((1 - shares) * of_far).sum(axis=(0, 1))
        return cls(_tabulated(scales, near_weights, (shares * of_far).sum(axis=1)), len(history))

    def chance(self, delta: Floats, low: float = -inf, high: float = inf) -> Chance:
        """Say how likely a change is to lie between two bounds, given draws of it by the test set alone."""
        inside, weights = (low < delta) & (delta < high), self.density(delta)
        usual = float(weights[inside].sum() / weights.sum())
        return Chance(float(inside.mean()), min(usual, 1.0), self.n_earlier)


def _tabulated(scales: Floats, near: Floats, far: Floats) -> Callable[[Floats], Floats]:
    """Mix near changes, and far ones of each way, by how likely each scale is; read off a table."""
    up = np.geomspace(scales[0] / 10, 100 * scales[-1], _N_POINTS)
    points = np.concatenate([-up[::-1], [0.0], up])
    found = _normal(points[:, None], scales) @ near
    for (times, way), weights in zip(_FAR, far, strict=True):
        there, wide = points[:, None], times * scales
        found = found + (_normal(there - way * wide, 2 / 3 * wide) if way else _t(there, wide)) @ weights
    return lambda delta: np.interp(delta, points, found)


def _normal(x: Floats, scale: Floats) -> Floats:
    """Density of a normal about 0, up to a factor that all densities share."""
    return np.asarray(np.exp(-0.5 * (x / scale) ** 2) / scale)


def _t(x: Floats, scale: Floats | float) -> Floats:
    return np.asarray(sqrt(8 / (_DOF * np.pi)) * (1 + (x / scale) ** 2 / _DOF) ** (-(_DOF + 1) / 2) / scale)


_Parts: TypeAlias = list[tuple[float, float, float]]
"""Normals that a distribution is made of: how much of it each is, its mean and its standard deviation, in scales."""
_NEAR: _Parts = [(1.0, 0.0, 1.0)]


@cache
def _parts(times: float, way: int) -> _Parts:
    """Return changes that go far; those both ways are t, a normal whose precision is a gamma variable."""
    if way:
        return [(1.0, way * times, 2 / 3 * times)]
    nodes, weights = roots_genlaguerre(_N_NODES, _DOF / 2 - 1)
    widths = times * np.sqrt(_DOF / 2 / nodes)
    return [(weight, 0.0, width) for weight, width in zip(weights / weights.sum(), widths, strict=True)]


def _seen(parts: _Parts, mean: Floats, error: Floats, least: Floats, scale: Floats) -> Floats:
    """Return the density of changes as they are observed, and how likely one is to be let in: (2, changes, scales)."""
    found = np.zeros((2, mean.size, scale.size))
    for share, centre, width in parts:
        spread = np.hypot(width * scale, error)
        found += share * np.array([_normal(mean - centre * scale, spread), ndtr((centre * scale - least) / spread)])
    return found
