"""What a gate can see: the smallest true loss that it fails with a given probability.

A gate fails where the HDI of delta ends below the ROPE: where the loss that is observed exceeds what the ROPE
tolerates, r, by z standard deviations of the posterior, if the HDI ends z of them above the mean. A test set that
shows a loss of L has the standard deviation s(L), so that a gate fails from the loss L_even = r + z s(L_even) on.
Where that is the true loss, half of the test sets show more. Losses that are observed scatter about the true one with
s too: a gate fails with a given power where the true loss is L = L_even + Phi^-1(power) s(L).

s^2 is the posterior's own variance, which knows of the prior, units, runs, trainings and earlier test sets, and what
the first-order variance at the `Truth` where the loss is L has more than at the one that was seen.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt

from scipy.special import ndtri

from pytest_bayesf1.results.comparison import POWER, DeltaFigures, Sight, UnitFigures
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.truth import Truth
from pytest_bayesf1.stats.zero import CLOSE

_NEAR = 0.15  # relative, of a loss: so near to one at which the spread is known, it is known well
_CLOSE = 0.01  # relative, of a loss: so close to another that the spread is the same
_EVEN = 1e-4  # relative, of a loss that is solved for
_MOST_ROUNDS, _MOST_STEPS = 6, 50

Spread = Callable[[float], float]
"""The standard deviation of delta's posterior as a function of the true loss."""


def sight_of(
    posterior: DeltaFigures, rope: Rope, seen: Truth | None, most: float, units: UnitFigures | None = None
) -> Sight:
    """Return what a gate can see.

    Parameters
    ----------
    posterior
        Of delta on the test set that was seen.
    rope
        The differences that do not matter.
    seen
        As of `spread_of`.
    most
        The largest loss that there is, down to the lowest score.
    units
        That examples belong to; None where every example was drawn on its own.
    """
    design_effect = 1.0 if units is None else units.design_effect
    losses = detectable_losses(posterior, rope, spread_of(posterior, seen, design_effect))
    return Sight(*(loss if loss <= most else None for loss in losses))


def detectable_losses(posterior: DeltaFigures, rope: Rope, spread: Spread) -> tuple[float, float]:
    """Return the smallest true losses that a gate is likely to fail, on test sets like the one that was seen.

    Parameters
    ----------
    posterior
        Of delta on the test set that was seen.
    rope
        The differences that do not matter.
    spread
        Of the posterior, see `spread_of`.

    Returns
    -------
    likely, even
        Failed with probability `POWER`, and as often as not. Positive differences of scores, which may be more than a
        candidate can lose.

    Examples
    --------
    >>> import numpy as np
    >>> from pytest_bayesf1.stats.draws import Draws
    >>> from pytest_bayesf1.stats.summary import summarise_delta
    >>> draws = Draws(np.random.default_rng(0).normal(0, 0.01, 100_000))
    >>> posterior = summarise_delta(draws, Rope(-0.01, 0.01), 0.95)
    >>> likely, even = detectable_losses(posterior, Rope(-0.01, 0.01), lambda loss: 0.01)
    >>> round(likely, 3), round(even, 3)
    (0.038, 0.03)
    """
    upper_half = (posterior.hdi[1] - posterior.mean) / posterior.std if posterior.std else 0.0
    known, near = _Line(-posterior.mean, posterior.std), 0.0
    for _ in range(_MOST_ROUNDS):
        even = _solved(-rope.low, upper_half, known)
        likely = _solved(even, float(ndtri(POWER)), known)
        if abs(likely - near) <= _NEAR * likely:
            break
        near, known = likely, known.through(likely, spread(likely))
    return likely, even


@dataclass(frozen=True)
class _Line:
    """Standard deviations whose squares lie on a straight line, which those of shares nearly do.

    Attributes
    ----------
    loss, sd
        A point.
    slope
        How much the variance grows for each unit of loss.
    """

    loss: float
    sd: float
    slope: float = 0.0

    def __call__(self, loss: float) -> float:
        """Return the standard deviation at a loss."""
        return sqrt(max(self.sd**2 + self.slope * (loss - self.loss), 0.0))

    def through(self, loss: float, sd: float) -> "_Line":
        """Return the line that goes through its point and another.

        Parameters
        ----------
        loss, sd
            The other point.
        """
        distance = loss - self.loss
        return replace(self, slope=(sd**2 - self.sd**2) / distance if distance else 0.0)


def spread_of(posterior: DeltaFigures, seen: Truth | None, design_effect: float = 1.0) -> Spread:
    """Return the standard deviation of delta's posterior as a function of the true loss.

    Parameters
    ----------
    posterior
        Of delta on the test set that was seen.
    seen
        The population as it was seen; None where nothing is known but the posterior. That has the same standard
        deviation then whatever the loss, as it has where no candidate errs so often that it loses as much.
    design_effect
        The variance over that of examples which were drawn one by one.
    """

    def spread(loss: float) -> float:
        truth = None if seen is None else seen.with_delta(-loss, max(_CLOSE * loss, CLOSE))
        if seen is None or truth is None:
            return posterior.std
        more = design_effect * (truth.variance - seen.variance)
        return sqrt(max(posterior.std**2 + more, 0.0))

    return spread


def _solved(least: float, deviations: float, spread: Spread) -> float:
    """Solve loss = least + deviations * spread(loss)."""
    loss = least
    for _ in range(_MOST_STEPS):
        before, loss = loss, least + deviations * spread(loss)
        if abs(loss - before) <= _EVEN * loss:
            break
    return loss
