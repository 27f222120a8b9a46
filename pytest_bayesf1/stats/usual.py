"""How much a score usually changes, and what that makes of the probability of a loss.

A decision rests on the test set alone: as if a change of ten points were as likely beforehand as none. A printed
probability must hold where most changes are small. With true changes N(0, 0.7 points), a loss of more than a point that
has a chance of 85% by the test set alone is true in 26% of cases (`docs/studies/chances.md`). So the draws of delta are
weighed by how much the score usually changes.

**Without a history** that is Student's t with three degrees of freedom: heavy tails let a clear loss be one. Its scale
makes nine changes in ten stay within what is allowed.

**With a history** of changes d_k with standard errors e_k, most changes are N(0, s^2), and a share of them go further:
t with three degrees of freedom, three or six times as wide. The scale s, the share and the factor are unknown, and are
averaged over their posterior on a grid. The prior of s is uniform in the shrinkage e^2 / (s^2 + e^2), with a usual
error e (Daniels 1999): it neither rules out s = 0 nor insists on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import inf, sqrt
from typing import Self

import numpy as np
from scipy.special import roots_genlaguerre, stdtrit

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.comparison import Chance, EarlierChange

FEWEST_CHANGES = 10
"""Fewer earlier changes say too little of what is usual."""

_DOF = 3
_NINE_IN_TEN = float(stdtrit(_DOF, 0.95))
_FAR = (0.0, 1.0), *((share, times) for share in (0.05, 0.15, 0.3) for times in (3.0, 6.0))
"""Kinds of changes: which share of them goes further, and how many times as far."""
_PRIOR_OF_KINDS = np.array([0.5, *[0.5 / (len(_FAR) - 1)] * (len(_FAR) - 1)])
_SCALES = np.geomspace(0.05, 20, 40)  # in usual errors
_N_NODES, _N_POINTS = 24, 800


@dataclass(frozen=True, eq=False)
class UsualChanges:
    """How much a score usually changes, as a prior density of the next change.

    Attributes
    ----------
    scale
        Of the t distribution where nothing is known of earlier changes; else their usual error.
    weights : (kinds, scales)
        What the history makes of each kind of changes and each scale, in usual errors; None where there is none.
    n_earlier
        Changes of the history.
    """

    scale: float
    weights: Floats | None = None
    n_earlier: int = 0

    @classmethod
    def within(cls, allowed: float) -> Self:
        """Let nine changes in ten stay within what is allowed."""
        return cls(allowed / _NINE_IN_TEN)

    @classmethod
    def of(cls, history: Sequence[EarlierChange]) -> Self:
        """Learn from earlier changes, `FEWEST_CHANGES` or more.

        Examples
        --------
        >>> quiet = UsualChanges.of([EarlierChange(0.001, 0.004), EarlierChange(-0.002, 0.004)] * 10)
        >>> lively = UsualChanges.of([EarlierChange(0.03, 0.004), EarlierChange(-0.03, 0.004)] * 10)
        >>> draws = np.random.default_rng(0).normal(-0.015, 0.005, 10_000)
        >>> [round(each.chance(draws, high=-0.01).usual, 1) for each in (quiet, lively)]
        [0.1, 0.8]
        """
        mean, error = np.array([(each.mean, each.std) for each in history]).T[:, :, None]
        usual = float(np.mean(error**-2.0)) ** -0.5
        log_prior = 2 * np.log(_SCALES) - 2 * np.log1p(_SCALES**2)  # the grid is even in log s
        likelihoods = np.array([_blurred(*kind, mean, error, usual * _SCALES) for kind in _FAR])
        log_weights = np.log(np.maximum(likelihoods, np.finfo(float).tiny)).sum(axis=1)
        log_weights += log_prior + np.log(_PRIOR_OF_KINDS)[:, None]
        weights = np.exp(log_weights - log_weights.max())
        return cls(usual, weights / weights.sum(), len(history))

    def density(self, delta: Floats) -> Floats:
        """Prior density of a change, up to a factor."""
        if self.weights is None:
            return _t(delta, self.scale)
        return np.interp(np.abs(delta), *self._table)

    @cached_property
    def _table(self) -> tuple[Floats, Floats]:
        assert self.weights is not None
        scales = self.scale * _SCALES
        points = np.concatenate([[0.0], np.geomspace(scales[0] / 10, 100 * scales[-1], _N_POINTS)])
        near = _normal(points[:, None], scales)
        found = [
            ((1 - share) * near + share * _t(points[:, None], times * scales)) @ weights
            for (share, times), weights in zip(_FAR, self.weights, strict=True)
        ]
        return points, np.asarray(sum(found))

    def chance(self, delta: Floats, low: float = -inf, high: float = inf) -> Chance:
        """Say how likely a change is to lie between two bounds, given draws of it by the test set alone."""
        inside, weights = (low < delta) & (delta < high), self.density(delta)
        usual = float(weights[inside].sum() / weights.sum())
        return Chance(float(inside.mean()), min(usual, 1.0), self.n_earlier)


def _normal(x: Floats, scale: Floats) -> Floats:
    return np.asarray(np.exp(-0.5 * (x / scale) ** 2) / scale)


def _t(x: Floats, scale: Floats | float) -> Floats:
    """Density of Student's t, over that of a normal at 0."""
    return np.asarray(sqrt(8 / (_DOF * np.pi)) * (1 + (x / scale) ** 2 / _DOF) ** (-(_DOF + 1) / 2) / scale)


def _blurred(share: float, times: float, mean: Floats, error: Floats, scale: Floats) -> Floats:
    """Density of observed changes, over that of a normal at 0: a t is a normal whose precision is a gamma variable."""
    found = (1 - share) * _normal(mean, np.hypot(scale, error))
    for node, weight in _precisions() if share else ():
        found = found + share * weight * _normal(mean, np.hypot(times * scale * sqrt(_DOF / 2 / node), error))
    return found


@cache
def _precisions() -> list[tuple[float, float]]:
    nodes, weights = roots_genlaguerre(_N_NODES, _DOF / 2 - 1)
    return list(zip(nodes.tolist(), (weights / weights.sum()).tolist(), strict=True))
