"""What a gate can see: the smallest true loss that it fails with a given probability.

A gate fails where the HDI of delta ends below the ROPE. On test sets from a population in which the candidate loses L,
the HDI's upper end is about normal with the mean -L + z s and the standard deviation s, if z s is how far it lies above
the posterior's mean. With r for the loss that the ROPE tolerates, the gate then fails with the probability
Phi((L - r) / s(L) - z), so that the loss which it fails with a given power solves

    L = r + (z + Phi^-1(power)) s(L)

s(L) is the posterior's own standard deviation, which knows of units, runs, trainings and earlier test sets, times the
ratio of two first-order ones: at the `Truth` where the loss is L, and at the one that was seen.
"""

from collections.abc import Callable
from math import sqrt

from scipy.special import ndtri

from pytest_bayesf1.results.results import DeltaFigures
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.truth import Truth

LIKELY, EVEN = 0.8, 0.5
"""Powers that a loss is told for: that of a loss which a gate is said to find, and an even chance."""
_CLOSE = 0.01  # relative error of a loss
_MOST_ROUNDS = 6


def detectable_loss(posterior: DeltaFigures, rope: Rope, spread: Callable[[float], float], power: float) -> float:
    """Return the smallest true loss that a gate fails with this probability, on test sets like the one that was seen.

    Parameters
    ----------
    posterior
        Of delta on the test set that was seen.
    rope
        The differences that do not matter.
    spread
        The standard deviation of delta's posterior where the true loss is its argument, see `spread_of`.
    power
        The probability of failing that is asked for.

    Returns
    -------
    float
        A positive difference of scores; it may be more than a candidate can lose.

    Examples
    --------
    >>> from pytest_bayesf1.stats.summary import summarise_delta
    >>> posterior = summarise_delta(np.random.default_rng(0).normal(0, 0.01, 100_000), Rope(-0.01, 0.01), 0.95)
    >>> round(detectable_loss(posterior, Rope(-0.01, 0.01), lambda loss: 0.01, power=0.8), 3)
    0.038
    """
    if posterior.std == 0:
        return -rope.low
    deviations = (posterior.hdi[1] - posterior.mean) / posterior.std + float(ndtri(power))
    loss, found = 0.0, -rope.low + deviations * posterior.std
    for _ in range(_MOST_ROUNDS):
        if abs(found - loss) <= _CLOSE * found:
            break
        loss, found = found, -rope.low + deviations * spread(found)
    return found


def spread_of(posterior: DeltaFigures, seen: Truth | None) -> Callable[[float], float]:
    """Return the standard deviation of delta's posterior as a function of the true loss.

    Parameters
    ----------
    posterior
        Of delta on the test set that was seen.
    seen
        The population as it was seen; None where nothing is known but the posterior. That has the same standard
        deviation then whatever the loss, as it has where no candidate errs so often that it loses as much.
    """
    if seen is None or seen.variance == 0:
        return lambda loss: posterior.std  # noqa: ARG005
    ratio = posterior.std / sqrt(seen.variance)

    def spread(loss: float) -> float:
        truth = seen.with_delta(-loss)
        return posterior.std if truth is None else ratio * sqrt(truth.variance)

    return spread
