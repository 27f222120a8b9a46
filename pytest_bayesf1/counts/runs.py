"""Several predictions of the same example, which share its one vote."""

from collections.abc import Sequence

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats

NO_RUN = -1
"""Stands where an example has fewer runs than others."""


def combined(sides: Sequence[Codes]) -> tuple[Codes, list[Codes], Floats]:
    """Let the predictions of one or two sides meet in every combination, example by example.

    Parameters
    ----------
    sides : (N,) or (N, R) each
        Codes of predicted classes; `NO_RUN` for none.

    Returns
    -------
    example : (K,)
        Position of the example of each combination.
    predicted : (K,) per side
        What each side predicts in it.
    weight : (K,)
        Its share of the example.
    """
    shared = [_shares(side.reshape(len(side), -1)) for side in sides]
    example, predicted, weight = shared[0]
    if len(shared) == 1:
        return example, [predicted], weight
    other_example, other_predicted, other_weight = shared[1]
    starts = np.searchsorted(other_example, example)
    meetings = np.searchsorted(other_example, example, side="right") - starts
    first = np.repeat(np.arange(example.size), meetings)
    second = starts[first] + np.arange(first.size) - np.repeat(meetings.cumsum() - meetings, meetings)
    return example[first], [predicted[first], other_predicted[second]], weight[first] * other_weight[second]


def _shares(runs: Codes) -> tuple[Codes, Codes, Floats]:
    """Count how large a share of an example's runs each prediction has; sorted by example."""
    example, run = np.nonzero(runs != NO_RUN)
    n_codes = int(runs.max()) + 1
    keys, times = np.unique(example * n_codes + runs[example, run], return_counts=True)
    example, predicted = np.divmod(keys, n_codes)
    return example, predicted, times / np.bincount(example, times)[example]
