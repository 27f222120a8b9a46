"""Test sets that stand there several times, as when the predictions of several runs are put one after the other."""

import numpy as np

from pytest_bayesf1._util import counted
from pytest_bayesf1.arrays import Codes, LabelArray
from pytest_bayesf1.errors import InputError

_FEWEST = 30
"""Examples of a test set: shorter sequences that repeat are made up."""


def require_no_repetition(true: Codes, clusters: LabelArray | None) -> None:
    """Refuse a truth that repeats itself, where nothing tells the examples apart.

    Each run would count as examples of its own: four of them would halve the interval.

    Parameters
    ----------
    true : (N,)
        True classes.
    clusters : (N,), optional
        The unit of each example, which then has to repeat itself too.

    Raises
    ------
    InputError
        When all of it is the same sequence again and again, of thirty or more examples and more than one class.
    """
    length = _period(true)
    if length < _FEWEST or length == true.size or not _recurs(true[:length]):
        return
    if clusters is not None and not _repeats(clusters, length):
        return
    raise InputError(
        "y_true",
        "each example once",
        f"the same {counted(length, 'example')} {true.size // length} times, as it seems",
        "Put the runs into columns, y_pred of shape (N, R), or name every prediction's example with ids=..., and say "
        "runs='samples' if the same system was asked again, runs='seeds' if a recipe was trained again. Examples that "
        "only look alike need ids=... of their own.",
    )


def _period(true: Codes) -> int:
    """Return the length of the shortest sequence that all of it repeats."""
    lengths = np.arange(1, true.size // 2 + 1)
    candidates = lengths[true.size % lengths == 0]
    return next((length for length in candidates.tolist() if _repeats(true, length)), true.size)


def _repeats(values: LabelArray, length: int) -> bool:
    return bool((values[length:] == values[:-length]).all())


def _recurs(true: Codes) -> bool:
    """Whether there are several classes, and one of them several times, as in a test set that nobody made up."""
    return 1 < np.unique(true).size < true.size
