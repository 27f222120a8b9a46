"""Bayes factors of "no difference that matters": above 3 the data speak for it, below 1/3 against it."""

from dataclasses import dataclass
from math import hypot, isnan, nan

from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.draws import Draws


@dataclass(frozen=True)
class BayesFactor:
    """A Bayes factor and its Monte Carlo standard error; not a number where the draws say nothing about it."""

    value: float
    mcse: float


UNKNOWN = BayesFactor(nan, nan)
"""Where nothing can be said."""


def interval_bayes_factor(posterior: Draws, prior: Draws, rope: Rope) -> BayesFactor:
    """Posterior odds of delta inside the ROPE over its prior odds.

    A probability below half a draw, or above all but half a draw, counts as that, so that the factor stays finite. Not
    a number where that holds before and after the data, on the same side: then the draws say nothing about it.

    Parameters
    ----------
    posterior, prior
        Draws of delta given the data, and without them; they may differ in number.
    rope
        The differences that do not matter.

    Examples
    --------
    >>> import numpy as np
    >>> before, after = np.linspace(-1, 1, 1000), np.linspace(-0.1, 0.1, 1000)
    >>> round(interval_bayes_factor(Draws(after), Draws(before), Rope(-0.05, 0.05)).value, 1)
    19.0
    """
    after, before = (draws.shares(rope.low, rope.high)[1] for draws in (posterior, prior))
    if before == after and before in (0, 1):
        return UNKNOWN
    return _ratio(_odds(posterior, rope, after), _odds(prior, rope, before))


def savage_dickey(posterior: Draws, prior: Draws) -> BayesFactor:
    """Posterior density of delta at 0 over its prior density there (Zhang et al. 2015, section II-B1).

    Fragile: where the prior density diverges at 0, as under the paired uniform prior, the kernel estimate measures its
    own bandwidth, and the error does not say so. Read the interval factor first. Not a number where delta does not
    vary, or where its prior density at 0 is estimated as 0.

    Parameters
    ----------
    posterior, prior
        Draws of delta given the data, and without them; they may differ in number.
    """
    if posterior.std == 0 or prior.std == 0:
        return UNKNOWN
    return _ratio(_density_at_zero(posterior), _density_at_zero(prior))


@dataclass(frozen=True)
class _Estimate:
    value: float
    relative_error: float


def _ratio(after: _Estimate, before: _Estimate) -> BayesFactor:
    value = after.value / before.value if before.value > 0 else nan
    error = value * hypot(after.relative_error, before.relative_error) if value > 0 else nan
    return BayesFactor(value, 0.0 if value == 0 and isnan(error) else error)


def _odds(delta: Draws, rope: Rope, inside: float) -> _Estimate:
    n = delta.values.size
    share = min(max(inside, 0.5 / n), 1 - 0.5 / n)
    error = max(delta.shares_mcse(rope.low, rope.high)[1], (share * (1 - share) / n) ** 0.5)
    return _Estimate(share / (1 - share), error / (share * (1 - share)))


def _density_at_zero(delta: Draws) -> _Estimate:
    density, error = delta.density_at_zero
    return _Estimate(density, error / density if density > 0 else 0.0)
