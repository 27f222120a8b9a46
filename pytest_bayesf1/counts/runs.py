"""Several predictions of the same example, which share its one vote."""

from collections.abc import Sequence

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats

NO_RUN = -1
"""Stands where an example has fewer runs than others."""

_DIGITS = 6


def combined(sides: Sequence[Codes]) -> tuple[Codes, list[Codes], Floats]:
    """Let the predictions of several sides meet, example by example: those of two in every combination.

    The combinations of more would be too many. Theirs meet in the order of their codes, which makes no difference to
    any side's own counts.

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
    if len(shared) > 2:
        return _in_step(shared)
    other_example, other_predicted, other_weight = shared[1]
    first, second = _meetings(example, other_example)
    return example[first], [predicted[first], other_predicted[second]], weight[first] * other_weight[second]


def moved(baseline: Codes, candidate: Codes) -> tuple[Codes, Codes, Codes, Floats]:
    """Tell which shares of the examples are predicted otherwise, where the runs of both sides agree as far as they can.

    What one side predicts more often than the other meets, example by example, what the other predicts more often.

    Parameters
    ----------
    baseline, candidate : (N,) or (N, R)
        Codes of predicted classes; `NO_RUN` for none.

    Returns
    -------
    example : (K,)
        Position of the example; in order.
    before, after : (K,)
        What the baseline and the candidate predict.
    share : (K,)
        Of the example.

    Examples
    --------
    >>> [found.tolist() for found in moved(np.array([[0, 0], [1, 1]]), np.array([[0, 2], [1, 1]]))]
    [[0], [0], [2], [0.5]]
    """
    sides = [_shares(side.reshape(len(side), -1)) for side in (baseline, candidate)]
    n_codes = 1 + max(int(predicted.max()) for _, predicted, _ in sides)
    keys = np.concatenate([example * n_codes + predicted for example, predicted, _ in sides])
    surplus = np.concatenate([sides[0][2], -sides[1][2]])
    keys, place = np.unique(keys, return_inverse=True)
    surplus = np.bincount(place, surplus).round(12)
    example, predicted = np.divmod(keys, n_codes)
    given, taken = np.flatnonzero(surplus > 0), np.flatnonzero(surplus < 0)
    first, second = _meetings(example[given], example[taken])
    given, taken = given[first], taken[second]
    total = np.bincount(example, surplus.clip(min=0))[example[given]]
    return example[given], predicted[given], predicted[taken], -surplus[given] * surplus[taken] / total


def _in_step(shared: Sequence[tuple[Codes, Codes, Floats]]) -> tuple[Codes, list[Codes], Floats]:
    """Cut the examples wherever the share of a prediction ends on any side."""
    ends = [_ends(example, weight) for example, _, weight in shared]
    cuts = np.unique(np.concatenate(ends))
    example = np.ceil(cuts).astype(np.int64) - 1
    weight = (cuts - np.maximum(np.append(0.0, cuts[:-1]), example)).round(_DIGITS)
    predicted = [side[1][np.searchsorted(end, cuts)] for side, end in zip(shared, ends, strict=True)]
    return example, predicted, weight / np.bincount(example, weight)[example]


def _ends(example: Codes, weight: Floats) -> Floats:
    """Where each share ends if those of example i fill the numbers from i to i + 1."""
    up_to = weight.cumsum()
    return np.asarray((example + up_to - np.append(0.0, up_to)[np.searchsorted(example, example)]).round(_DIGITS))


def _meetings(example: Codes, other: Codes) -> tuple[Codes, Codes]:
    """Return the positions of all pairs of equal numbers in two sorted arrays."""
    starts = np.searchsorted(other, example)
    meetings = np.searchsorted(other, example, side="right") - starts
    first = np.repeat(np.arange(example.size), meetings)
    return first, starts[first] + np.arange(first.size) - np.repeat(meetings.cumsum() - meetings, meetings)


def _shares(runs: Codes) -> tuple[Codes, Codes, Floats]:
    """Count how large a share of an example's runs each prediction has; sorted by example."""
    example, run = np.nonzero(runs != NO_RUN)
    n_codes = int(runs.max()) + 1
    keys, times = np.unique(example * n_codes + runs[example, run], return_counts=True)
    example, predicted = np.divmod(keys, n_codes)
    return example, predicted, times / np.bincount(example, times)[example]
