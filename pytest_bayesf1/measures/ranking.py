"""How well scores rank the examples of a class above all others, for many weightings of the examples at once."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from pytest_bayesf1.arrays import Floats

RankingMeasure: TypeAlias = Callable[[Floats, Floats], Floats]
"""Of the masses of the class, (n, U), and of all examples, (n, U), by distinct score, the highest first: (n,)."""


def roc_auc(positive: Floats, total: Floats) -> Floats:
    """Return the proportion of correctly ranked pairs, ties counting half: the area under the ROC curve.

    Parameters
    ----------
    positive : (n, U)
        Masses of the class's own examples at each distinct score, the highest score first.
    total : (n, U)
        Masses of all examples there.

    Returns
    -------
    (n,)
        A proportion for each row.

    References
    ----------
    Zhang, Wang, Yilmaz, Wang and Zhou (2016), section 5: "the proportion of correctly ranked pairs".

    Examples
    --------
    >>> roc_auc(np.array([[1.0, 0.0, 1.0]]), np.array([[1.0, 1.0, 1.0]])).tolist()
    [0.5]
    """
    # Above a positive example lie as many positive ones, ties counting half, as below: half of all pairs of positives.
    above = np.cumsum(total, axis=1)
    outranking = np.einsum("nu,nu->n", positive, above) - 0.5 * np.einsum("nu,nu->n", positive, total)
    n_positive = positive.sum(axis=1)
    n_negative = above[:, -1] - n_positive
    return np.asarray(1 - (outranking - 0.5 * n_positive**2) / (n_positive * n_negative))


def average_precision(positive: Floats, total: Floats) -> Floats:
    """Return the precision at every threshold, averaged by the recall that each step down adds.

    Parameters
    ----------
    positive, total : (n, U)
        As of `roc_auc`.

    Returns
    -------
    (n,)
        A score for each row.

    Examples
    --------
    >>> average_precision(np.array([[1.0, 0.0, 1.0]]), np.array([[1.0, 1.0, 1.0]])).round(3).tolist()
    [0.833]
    """
    found = np.cumsum(positive, axis=1)
    n_positive = found[:, -1].copy()
    found /= np.cumsum(total, axis=1)
    return np.asarray(np.einsum("nu,nu->n", positive, found) / n_positive)
