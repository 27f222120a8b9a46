"""Where a candidate's predictions differ from a baseline's, cell by cell of the confusion matrix."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Codes, Floats, Weights
from pytest_bayesf1.data.outcomes import OutcomeTable


@dataclass(frozen=True, eq=False)
class CellChanges:
    """The cells of two confusion matrices that hold an example in either, row by row.

    Attributes
    ----------
    true, predicted : (K,)
        The cell.
    counts : (2, K)
        The baseline's and the candidate's.
    shares : (K,)
        By how much the cell's share of all examples rises.
    """

    true: Codes
    predicted: Codes
    counts: Weights
    shares: Floats

    @classmethod
    def between(cls, baseline: OutcomeTable, candidate: OutcomeTable) -> "CellChanges":
        """Compare two sides over the same classes.

        Parameters
        ----------
        baseline, candidate
            Counts of one side each.
        """
        sides = (baseline, candidate)
        keys = [side.cell_numbers for side in sides]
        cells = np.union1d(*keys)
        counts = np.zeros((2, cells.size), dtype=np.result_type(baseline.count, candidate.count))
        for row, key, side in zip(counts, keys, sides, strict=True):
            row[np.searchsorted(cells, key)] = side.count
        before, after = (row / max(side.n_samples, 1) for row, side in zip(counts, sides, strict=True))
        true, predicted = np.divmod(cells, baseline.n_classes)
        return cls(true, predicted, counts, after - before)

    @property
    def wrong(self) -> npt.NDArray[np.bool_]:
        """(K,) whether the cell is an error: off the diagonal."""
        return np.asarray(self.true != self.predicted)

    def largest(self, n: int, chosen: npt.NDArray[np.bool_]) -> "CellChanges":
        """Return the cells that changed most, first the largest change.

        Parameters
        ----------
        n
            How many at most.
        chosen : (K,)
            Which cells are asked for; those that did not change are left out in any case.
        """
        sizes = np.where(chosen, np.abs(self.shares), 0.0)
        order = np.argsort(-sizes, kind="stable")[:n]
        kept = order[sizes[order] > 0]
        return CellChanges(self.true[kept], self.predicted[kept], self.counts[:, kept], self.shares[kept])
