"""The joint probabilities of truth and prediction, in as much detail as a measure needs."""

from dataclasses import dataclass

import numpy as np

from pytest_bayesf1.stats.arrays import Codes, Floats
from pytest_bayesf1.stats.measure_names import Detail
from pytest_bayesf1.stats.outcomes import OutcomeTable


@dataclass(frozen=True, eq=False)
class Joint:
    """Joint probabilities p[j, k] of true class j and prediction k, of one distribution or of many draws.

    Attributes
    ----------
    true : (..., M)
        Row sums, the class proportions.
    correct : (..., M)
        The diagonal.
    predicted : (..., M) or None
        Column sums; None below `Detail.MARGINS`.
    matrix : (..., M, M) or None
        All of p; None below `Detail.MATRIX`.
    """

    true: Floats
    correct: Floats
    predicted: Floats | None = None
    matrix: Floats | None = None

    @classmethod
    def observed(cls, table: OutcomeTable, detail: Detail) -> "Joint":
        """Return the observed proportions of one side."""
        n_classes, predicted, share = table.n_classes, table.predicted[0], table.count / table.n_samples
        right = predicted == table.true
        matrix = None
        if detail >= Detail.MATRIX:
            matrix = np.zeros((n_classes, n_classes))
            matrix[table.true, predicted] = share
        return cls(
            true=_sum_by(table.true, share, n_classes),
            correct=_sum_by(table.true[right], share[right], n_classes),
            predicted=_sum_by(predicted, share, n_classes),
            matrix=matrix,
        )


def _sum_by(index: Codes, weight: Floats, size: int) -> Floats:
    return np.bincount(index, weight, size).astype(np.float64)
