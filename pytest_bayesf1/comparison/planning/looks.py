"""What repeated looks do to a gate: the same simulated test sets, labelled in parts or at once."""

from collections.abc import Sequence

import numpy as np

from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.results.other import LookRates
from pytest_bayesf1.stats.posterior import SETTLED


def look_rates(truth: str, sizes: Sequence[int], decisions: Sequence[Sequence[Decision]]) -> LookRates:
    """Stop each test set at the first look that settles it.

    Parameters
    ----------
    truth
        The name of the true difference.
    sizes
        Examples at each of L looks.
    decisions
        Of each test set, L of them.

    Examples
    --------
    >>> fails, passes, open_ = Decision.MUCH_WORSE, Decision.EQUIVALENT, Decision.UNDECIDED
    >>> rates = look_rates("no difference", (100, 200), [(fails, open_), (open_, passes), (open_, open_)])
    >>> round(rates.failed_looking, 2), rates.failed_once, round(rates.n_labelled)
    (0.33, 0.0, 167)
    """
    last = len(sizes) - 1
    settled = [[decision in SETTLED for decision in each] for each in decisions]
    stops = [each.index(True) if any(each) else last for each in settled]
    ends = [each[stop] for each, stop in zip(decisions, stops, strict=True)]
    settles = np.array([stop for each, stop in zip(settled, stops, strict=True) if each[stop]], dtype=np.int64)
    return LookRates(
        truth=truth,
        failed_once=_share([each[last] is Decision.MUCH_WORSE for each in decisions]),
        failed_looking=_share([end is Decision.MUCH_WORSE for end in ends]),
        undecided=_share([end not in SETTLED for end in ends]),
        n_labelled=float(np.mean([sizes[stop] for stop in stops])),
        stopped=tuple((np.bincount(settles, minlength=len(sizes)) / len(decisions)).tolist()),
    )


def _share(hits: Sequence[bool]) -> float:
    return float(np.mean(hits))
