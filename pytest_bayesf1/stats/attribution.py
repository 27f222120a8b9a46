"""Each error's share of the change of a score.

The candidate's joint proportions p1 are reached from the baseline's p0 along the straight path p(t) = p0 + t (p1 - p0).
Along it the measure m changes by the integral of its slope, which is a sum over cells, so that each cell has its part:

    m(p1) - m(p0) = sum over cells c of (p1[c] - p0[c]) * integral over t of the derivative of m by p[c] at p(t)

(Aumann & Shapley 1974, Values of non-atomic games). What is no longer right has become an error: the part of an error
(j, k) is counted against (j, j). Where both sides have the same test set nothing is left then for the diagonal.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from pytest_bayesf1.arrays import Bools, Codes, Floats, Weights
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import Joint, Measure
from pytest_bayesf1.measures.formulas import Detail
from pytest_bayesf1.stats.power import slopes


class CellChanges(NamedTuple):
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
        """Compare two sides over the same classes."""
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
    def wrong(self) -> Bools:
        """(K,) whether the cell is an error: off the diagonal."""
        return np.asarray(self.true != self.predicted)

    @property
    def shared(self) -> Weights:
        """(K,) on how many examples both sides may have the cell."""
        return np.asarray(self.counts.min(axis=0))

    def largest(self, n: int, chosen: Bools) -> "CellChanges":
        """Return the cells that changed most, first the largest change."""
        sizes = np.where(chosen, np.abs(self.shares), 0.0)
        order = np.argsort(-sizes, kind="stable")[:n]
        kept = order[sizes[order] > 0]
        return CellChanges(self.true[kept], self.predicted[kept], self.counts[:, kept], self.shares[kept])


_NODES = (8, 32, 128)
"""Points of the path; more are taken until the parts add up."""
_ADDS_UP = 1e-10


class Contributions(NamedTuple):
    """The parts of a score's change.

    Attributes
    ----------
    true, predicted : (K,)
        The errors that either side makes, row by row.
    counts : (2, K)
        How many examples the baseline and the candidate make them on.
    rises : (K,)
        By how much each error's share of all examples rises.
    slopes : (K,)
        By how much the score changes for each cluster of that, on average along the path.
    change
        The candidate's observed score minus the baseline's.
    """

    true: Codes
    predicted: Codes
    counts: Weights
    rises: Floats
    slopes: Floats
    change: float

    @property
    def parts(self) -> Floats:
        """(K,) what each error's change adds to the score's."""
        return self.rises * self.slopes

    @property
    def rest(self) -> float:
        """What no error explains: that the classes have other proportions; 0 but for rounding on the same test set."""
        return self.change - float(self.parts.sum())


def contributions(baseline: OutcomeTable, candidate: OutcomeTable, measure: Measure) -> Contributions:
    """Divide the change of a score among the errors."""
    detail = max(measure.detail, Detail.MARGINS)
    ends = Joint.observed(baseline, detail), Joint.observed(candidate, detail)
    change = float(measure(ends[1]) - measure(ends[0]))
    cells = CellChanges.between(baseline, candidate)
    wrong = cells.wrong
    path = _Path(measure, ends, cells.true[wrong], cells.predicted[wrong])
    rises, rises_of_classes = cells.shares[wrong], (ends[1].true - ends[0].true).ravel()
    for n_nodes in _NODES:
        slopes, of_right = path.slopes(n_nodes)
        if abs(float(rises @ slopes + rises_of_classes @ of_right) - change) <= _ADDS_UP:
            break
    return Contributions(path.true, path.predicted, cells.counts[:, wrong], rises, slopes, change)


class _Path(NamedTuple):
    """The straight path between two distributions, and the errors that are asked for: (K,) each."""

    measure: Measure
    ends: tuple[Joint, Joint]
    true: Codes
    predicted: Codes

    def slopes(self, n_nodes: int) -> tuple[Floats, Floats]:
        """Average the measure's slope along the path."""
        nodes, weights = _gauss_legendre(n_nodes)
        ease = (nodes + 1) / 2
        baseline, candidate = self.ends
        path = baseline.towards(candidate, ease * ease * (3 - 2 * ease))
        errors, right = slopes(self.measure, path, self.true, self.predicted)
        weights = weights * (3 * ease * (1 - ease))
        return weights @ (errors - right[:, self.true]), weights @ right


_gauss_legendre = cache(np.polynomial.legendre.leggauss)
"""The points and weights of a rule of n points on (-1, 1)."""
