"""How many more examples would answer a question, where changes are usually small.

With k more examples beside the N that there are, and a true change d, the posterior's mean m moves to a normal with
mean (m + t d) / (1 + t) and variance t s^2 / (1 + t)^2, where t = k / N and s is today's standard deviation; the halves
of the HDI shrink by the root of 1 + t. The true change is as likely as `UsualChanges` make of today's posterior. As if
every change were as likely beforehand as none, an even chance would come true in 19 to 40% of cases where most changes
are smaller than what is allowed (`benchmarks/studies/settling.md`).
"""

from math import ceil

import numpy as np
from scipy.special import ndtr

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.comparison import DeltaFigures, ExamplesNeeded
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.usual import UsualChanges
from pytest_bayesf1.text import Interval

TIMES = np.geomspace(1e-4, 1e4, 200)
"""Numbers of examples to try, as multiples of those that there are."""
_TRUTHS = np.linspace(-6, 6, 61)  # in standard deviations


def chance_of_settling(posterior: DeltaFigures, ends: Interval, times: Floats, usual: UsualChanges) -> Floats:
    """Return how likely more examples, as multiples of those that there are, are to settle where a change lies.

    It lies below both ends, above both, or, if they differ, between them.
    """
    (low, high), t = ends, times[:, None]
    truths = posterior.mean + posterior.std * _TRUTHS
    weights = np.exp(-(_TRUTHS**2) / 2) * usual.density(truths)
    mean, spread = (posterior.mean + t * truths) / (1 + t), posterior.std * np.sqrt(t) / (1 + t)
    lower, upper = (abs(posterior.mean - end) / np.sqrt(1 + t) for end in posterior.hdi)

    def below(bound: Floats) -> Floats:
        """Return how likely the mean will be below."""
        found: Floats = ndtr((bound - mean) / spread)
        return found

    between = (below(high - upper) - below(low + lower)).clip(min=0)
    return np.asarray((below(low - upper) + between + 1 - below(high + lower)) @ weights / weights.sum())


def examples_needed(
    posterior: DeltaFigures, rope: Rope, usual: UsualChanges | None, n_more: Floats, times: Floats
) -> ExamplesNeeded:
    """Estimate how many more examples would give an even chance of an answer to each question.

    Without a history nine changes in ten stay within what is allowed or, where gains are asked for too, within the
    ROPE's end that is nearer to 0: with a ROPE of -3 to +0.5 points an even chance of a gain, or of an equal score,
    would else come true in 33 to 37%.

    Parameters
    ----------
    usual
        What a history says; None without one.
    n_more : (n,)
        Numbers of more examples to try, in ascending order.
    times : (n,)
        What each of them tells, as a multiple of what is known.
    """
    nearer = min(rope.allowed, rope.high or rope.allowed)

    def needed(ends: Interval, within: float) -> int | None:
        (low, high), (start, end) = posterior.hdi, ends
        if high < start or low > end or (start <= low and high <= end):
            return 0
        if posterior.std == 0 or not times.size:
            return None
        going_by = UsualChanges.within(within) if usual is None else usual
        enough = np.flatnonzero(chance_of_settling(posterior, ends, times, going_by) >= 1 / 2)
        return ceil(n_more[enough[0]]) if enough.size else None

    low, high = rope.low, rope.high
    return ExamplesNeeded(needed((low, low), rope.allowed), needed((high, high), nearer), needed((low, high), nearer))
