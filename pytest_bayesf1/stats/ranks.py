"""Ranks of several systems in every draw of their scores: 1 for the best."""

from collections.abc import Sequence

import numpy as np

from pytest_bayesf1.arrays import Floats

_ROUNDING = 1e-9


def rank_probabilities(scores: Floats) -> Floats:
    """Return how likely each system has each rank; equal scores share their ranks evenly.

    Parameters
    ----------
    scores : (K, n)
        Joint draws of the scores of K systems.

    Returns
    -------
    (K, K)
        Of every system the probabilities of the ranks 1 to K.

    Examples
    --------
    >>> rank_probabilities(np.array([[0.9, 0.9, 0.8, 0.8], [0.7, 0.9, 0.9, 0.9]])).tolist()
    [[0.375, 0.625], [0.625, 0.375]]
    """
    n_systems, n_draws = scores.shape
    probabilities = np.zeros((n_systems, n_systems))
    for system, own in enumerate(scores):
        better, equal = (scores > own).sum(axis=0), (scores == own).sum(axis=0)
        for behind in range(int(equal.max())):
            shares = (equal > behind) / equal
            probabilities[system] += np.bincount((better + behind) * (equal > behind), shares, n_systems)
    return np.asarray(probabilities / n_draws)


def rank_interval(probabilities: Floats, prob: float) -> tuple[int, int]:
    """Return the shortest run of ranks that is at least so likely; of several the likeliest.

    Parameters
    ----------
    probabilities : (K,)
        Of the ranks 1 to K.
    prob
        What the run has to hold.

    Examples
    --------
    >>> rank_interval(np.array([0.02, 0.5, 0.46, 0.02]), 0.95)
    (2, 3)
    """
    up_to = np.append(0.0, probabilities.cumsum())
    for length in range(1, probabilities.size + 1):
        held = up_to[length:] - up_to[:-length]
        if held.max() >= prob - _ROUNDING:
            break
    first = int(held.argmax())
    return first + 1, first + length


def expected_losses(scores: Floats) -> Floats:
    """Return how far each system lies behind the best of the draw, on average.

    Parameters
    ----------
    scores : (K, n)
        Joint draws of the scores of K systems.

    Returns
    -------
    (K,)
        Not negative.
    """
    return np.asarray((scores.max(axis=0) - scores).mean(axis=1))


def runs_of_ties(tied: Sequence[Sequence[bool]]) -> list[tuple[int, int]]:
    """Return the longest runs of systems that are tied with one another, each from its first to its last.

    Parameters
    ----------
    tied : (K, K)
        Whether two systems are tied.

    Examples
    --------
    >>> runs_of_ties([[True, True, False], [True, True, True], [False, True, True]])
    [(0, 1), (1, 2)]
    """
    runs: list[tuple[int, int]] = []
    for start in range(len(tied)):
        end = start
        while end + 1 < len(tied) and all(tied[each][end + 1] for each in range(start, end + 1)):
            end += 1
        if end > start and (not runs or end > runs[-1][1]):
            runs.append((start, end))
    return runs
