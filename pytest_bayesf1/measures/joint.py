"""The joint probabilities of truth and prediction, in as much detail as a measure needs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.names import Detail


@dataclass(frozen=True, eq=False)
class Joint:
    """Joint probabilities p[j, k] of true class j and prediction k, of one distribution or of many draws.

    Multi-label data have one such distribution for every label, over the two classes absent and present: (..., L, 2)
    stands in place of (..., M) below, and ``true`` and ``correct`` say all.

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
    def stacked(cls, joints: Sequence["Joint"]) -> "Joint":
        """Return single distributions as one joint of several.

        Parameters
        ----------
        joints
            In the same detail.
        """

        def known(parts: Sequence[Floats | None]) -> Floats | None:
            found = [part for part in parts if part is not None]
            return np.stack(found) if found else None

        true, correct = np.stack([each.true for each in joints]), np.stack([each.correct for each in joints])
        predicted, matrix = known([each.predicted for each in joints]), known([each.matrix for each in joints])
        return cls(true, correct, predicted, matrix)

    def towards(self, other: "Joint", shares: Floats) -> "Joint":
        """Mix this distribution with another.

        Parameters
        ----------
        other
            In the same detail.
        shares : (B,)
            Of the other one.

        Returns
        -------
        Joint
            Of B distributions.
        """

        def mixed(before: Floats, after: Floats) -> Floats:
            return before + np.multiply.outer(shares, after - before)

        def mixed_if_known(before: Floats | None, after: Floats | None) -> Floats | None:
            return None if before is None or after is None else mixed(before, after)

        return Joint(
            mixed(self.true, other.true),
            mixed(self.correct, other.correct),
            mixed_if_known(self.predicted, other.predicted),
            mixed_if_known(self.matrix, other.matrix),
        )

    def first(self, n: int) -> "Joint":
        """Return the first n of many draws."""
        predicted, matrix = (None if part is None else part[:n] for part in (self.predicted, self.matrix))
        return Joint(self.true[:n], self.correct[:n], predicted, matrix)

    def of_two_classes(self, detail: Detail) -> "Joint":
        """Return the same in more detail, of two classes: what is wrong is predicted as the other class.

        Parameters
        ----------
        detail
            How much is needed; the margins are there in any case.
        """
        wrong, right = (self.true - self.correct).clip(min=0), np.eye(2)
        matrix = right * self.correct[..., None] + (1 - right) * wrong[..., None] if detail >= Detail.MATRIX else None
        return Joint(self.true, self.correct, self.correct + wrong[..., ::-1], matrix)

    @classmethod
    def observed(cls, table: OutcomeTable, detail: Detail) -> "Joint":
        """Return the observed proportions of one side.

        Parameters
        ----------
        table
            Counts of one side.
        detail
            How much is needed; the margins are there in any case.
        """
        n_classes, predicted, share = table.n_classes, table.predicted[0], table.count / table.n_samples
        right = predicted == table.true
        matrix = None
        if detail >= Detail.MATRIX:
            matrix = np.zeros((n_classes, n_classes))
            matrix[table.true, predicted] = share

        def by_class(codes: Codes, weight: Floats) -> Floats:
            return np.bincount(codes, weight, n_classes).astype(np.float64).reshape(table.class_shape)

        return cls(
            by_class(table.true, share), by_class(table.true[right], share[right]), by_class(predicted, share), matrix
        )
