"""How likely more examples are to settle a comparison, and how many it would take.

The true difference d is as likely as the posterior says, and k more examples beside the N that there are show it with
the chance that N had. The posterior's mean then moves by the share t = k / (N + k) of what there is still to learn:
it is normal about today's mean with the variance t s^2, where s is today's standard deviation, and what is left to
the posterior is the variance (1 - t) s^2. The decision is made of that mean, and of an HDI whose halves have shrunk
alike.
"""

from math import ceil

import numpy as np
from scipy.special import ndtr

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.comparison import Decision, DeltaFigures
from pytest_bayesf1.stats.decision import Rope

SETTLED = (Decision.MUCH_WORSE, Decision.EQUIVALENT, Decision.MUCH_BETTER)
"""Decisions that ask for no more examples."""
_TIMES = np.geomspace(1e-6, 1e4, 5_000)
"""Numbers of examples that are tried, as multiples of those that there are."""


def chance_of_settling(posterior: DeltaFigures, rope: Rope, times: Floats) -> Floats:
    """Return how likely more examples of the same kind are to settle a decision.

    Parameters
    ----------
    posterior
        Of delta, on the examples that there are.
    rope
        The differences that do not matter.
    times : (K,)
        How many examples come, as multiples of those that there are.

    Returns
    -------
    (K,)
        The probabilities that the decision is ≪, ≈ or ≫ then.
    """
    share = times / (1 + times)
    moves, shrinks = posterior.std * np.sqrt(share), np.sqrt(1 - share)
    lower, upper = (half * shrinks for half in (posterior.mean - posterior.hdi[0], posterior.hdi[1] - posterior.mean))

    def below(bound: Floats) -> Floats:
        """Return how likely the mean will be below."""
        found: Floats = ndtr((bound - posterior.mean) / moves)
        return found

    inside = below(rope.high - upper) - below(rope.low + lower)
    return np.asarray(below(rope.low - upper) + inside.clip(min=0) + 1 - below(rope.high + lower))


def examples_needed(posterior: DeltaFigures, rope: Rope, n_samples: int) -> int | None:
    """Estimate how many more examples would make it as likely as not that a decision is settled.

    Parameters
    ----------
    posterior
        Of delta.
    rope
        The differences that do not matter.
    n_samples
        Examples that it knows.

    Returns
    -------
    int or None
        0 when it is settled already (≪, ≈, ≫); None when no number would do.
    """
    if posterior.decision in SETTLED:
        return 0
    if posterior.std == 0:
        return None  # on an edge of the ROPE, for certain
    enough = np.flatnonzero(chance_of_settling(posterior, rope, _TIMES) >= 1 / 2)
    return ceil(n_samples * _TIMES[enough[0]]) if enough.size else None
