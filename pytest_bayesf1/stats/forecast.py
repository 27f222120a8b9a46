"""How many more examples would answer a question, if the true change is the observed one.

With k more examples beside the N that there are, and a true change as large as the posterior's mean m, the later mean
is normal about m with variance t s^2 / (1 + t)^2, where t = k / N and s is the standard deviation today; the halves of
the HDI shrink by the root of 1 + t. No belief about usual changes is in it.
"""

from math import ceil

import numpy as np
from scipy.special import ndtr

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.comparison import DeltaFigures, ExamplesNeeded
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.text import Interval

TIMES = np.geomspace(1e-4, 1e4, 200)
"""Numbers of examples to try, as multiples of those that there are."""


def chance_of_settling(posterior: DeltaFigures, ends: Interval, times: Floats) -> Floats:
    """Return how likely more examples, as multiples of those that there are, are to settle where a change lies.

    It lies below both ends, above both, or, if they differ, between them.
    """
    low, high = ends
    spread = posterior.std * np.sqrt(times) / (1 + times)
    lower, upper = (abs(posterior.mean - end) / np.sqrt(1 + times) for end in posterior.hdi)

    def below(bound: Floats) -> Floats:
        """Return how likely the mean will be below."""
        found: Floats = ndtr((bound - posterior.mean) / spread)
        return found

    between = (below(high - upper) - below(low + lower)).clip(min=0)
    return np.asarray(below(low - upper) + between + 1 - below(high + lower))


def examples_needed(posterior: DeltaFigures, rope: Rope, n_more: Floats, times: Floats) -> ExamplesNeeded:
    """Estimate how many more examples would settle each question in half of the cases.

    Parameters
    ----------
    n_more : (n,)
        Numbers of more examples to try, in ascending order.
    times : (n,)
        What each of them tells, as a multiple of what is known.
    """

    def needed(start: float, end: float) -> int | None:
        low, high = posterior.hdi
        if high < start or low > end or (start <= low and high <= end):
            return 0
        if posterior.std == 0 or not times.size:
            return None
        enough = np.flatnonzero(chance_of_settling(posterior, (start, end), times) >= 1 / 2)
        return ceil(n_more[enough[0]]) if enough.size else None

    return ExamplesNeeded(needed(rope.low, rope.low), needed(rope.high, rope.high), needed(rope.low, rope.high))
