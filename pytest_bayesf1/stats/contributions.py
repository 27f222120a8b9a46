"""How much of the change of a score each error explains, so that the parts add up to the whole.

The candidate's joint proportions p1 are reached from the baseline's p0 along the straight path p(t) = p0 + t (p1 - p0).
Along it the measure m changes by the integral of its slope, which is a sum over cells, so that each cell has its part:

    m(p1) - m(p0) = sum over cells c of (p1[c] - p0[c]) * integral over t of the derivative of m by p[c] at p(t)

(Aumann & Shapley 1974, Values of non-atomic games). What is no longer right has become an error: the part of an error
(j, k) is counted against (j, j). Where both sides have the same test set nothing is left then for the diagonal.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats, Weights
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.measures.joint import Joint
from pytest_bayesf1.measures.measures import Measure
from pytest_bayesf1.measures.names import Detail
from pytest_bayesf1.stats.cell_changes import CellChanges

_NODES = (8, 32, 128)
"""Points of the path; more are taken until the parts add up."""
_ADDS_UP = 1e-10
_FORWARD = (-25 / 12, 4.0, -3.0, 4 / 3, -1 / 4)
"""A derivative from five points, all of them ahead: no cell goes below 0, where measures have kinks."""
_STEP = 1e-3
_MOST_NUMBERS = 4_000_000  # at once in memory


@dataclass(frozen=True, eq=False)
class Contributions:
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
        By how much the score changes for each unit of that, on average along the path.
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
    """Divide the change of a score among the errors.

    Parameters
    ----------
    baseline, candidate
        Counts of one side each, over the same classes.
    measure
        The score.
    """
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


@dataclass(frozen=True, eq=False)
class _Path:
    """The straight path between two distributions, and the errors that are asked for: (K,) each."""

    measure: Measure
    ends: tuple[Joint, Joint]
    true: Codes
    predicted: Codes

    def slopes(self, n_nodes: int) -> tuple[Floats, Floats]:
        """Average the measure's slope along the path.

        Parameters
        ----------
        n_nodes
            How many points to look at; they crowd at both ends, where measures may bend most.

        Returns
        -------
        against_right : (K,)
            Of each error, against being right.
        of_right : (M,)
            Of what is right, by class.
        """
        nodes, weights = np.polynomial.legendre.leggauss(n_nodes)
        ease = (nodes + 1) / 2
        against_right, of_right = np.zeros(self.true.size), np.zeros(self.ends[0].true.size)
        for node, weight in zip(ease * ease * (3 - 2 * ease), 3 * ease * (1 - ease) * weights, strict=True):
            errors, right = _slopes(self.measure, _between(*self.ends, node), self.true, self.predicted)
            against_right += weight * (errors - right[self.true])
            of_right += weight * right
        return against_right, of_right


def _between(baseline: Joint, candidate: Joint, t: float) -> Joint:
    def mixed(before: Floats | None, after: Floats | None) -> Floats | None:
        return None if before is None or after is None else (1 - t) * before + t * after

    names = ("true", "correct", "predicted", "matrix")
    return Joint(*(mixed(getattr(baseline, name), getattr(candidate, name)) for name in names))  # type: ignore[arg-type]


def _slopes(measure: Measure, joint: Joint, true: Codes, predicted: Codes) -> tuple[Floats, Floats]:
    """Return the slopes by the errors, (K,), and by what is right, (M,)."""
    assert joint.predicted is not None
    rows, columns = joint.true.ravel(), joint.predicted.ravel()
    occurs = np.flatnonzero(rows > 0)
    of_right = np.zeros(rows.size)
    none = np.full(rows.size, -1)
    room = np.minimum(_room(rows), np.minimum(_room(columns), _room(joint.correct.ravel())))
    of_right[occurs] = _derivative(measure, joint, np.stack([occurs] * 3), room[occurs])
    if joint.matrix is not None:
        errors = np.stack([true, np.full(true.size, -1), predicted])
        return _derivative(measure, joint, errors, np.minimum(room[true], _room(columns)[predicted])), of_right
    by_row, by_column = np.zeros(rows.size), np.zeros(rows.size)
    by_row[occurs] = _derivative(measure, joint, np.stack([occurs, none[occurs], none[occurs]]), room[occurs])
    said = np.unique(predicted)
    by_column[said] = _derivative(measure, joint, np.stack([none[said], none[said], said]), _room(columns)[said])
    return by_row[true] + by_column[predicted], of_right


def _room(shares: Floats) -> Floats:
    """Return how far each share is from its bounds 0 and 1, where it is not at them: what small steps are small to."""
    below, above = (np.where(room > 0, room, 1.0) for room in (shares, 1 - shares))
    return np.minimum(below, above)


def _derivative(measure: Measure, joint: Joint, directions: Codes, room: Floats) -> Floats:
    """Differentiate by R directions: the row, the diagonal cell and the column that grow in each; -1 for none."""
    found = np.zeros(room.size)
    for chunk in _chunks(room.size, joint):
        step = _STEP * room[chunk]
        for n_steps, weight in enumerate(_FORWARD):
            found[chunk] += weight * measure(_moved(joint, directions[:, chunk], n_steps * step)) / step
    return found


def _chunks(size: int, joint: Joint) -> Iterator[slice]:
    length = max(1, _MOST_NUMBERS // (joint.true if joint.matrix is None else joint.matrix).size)
    return (slice(start, start + length) for start in range(0, size, length))


def _moved(joint: Joint, directions: Codes, steps: Floats) -> Joint:
    """Return R distributions, each a step further in its direction."""
    assert joint.predicted is not None
    numbers = np.arange(steps.size)

    def grown(base: Floats, index: Codes) -> Floats:
        moved = np.tile(base.ravel(), (steps.size, 1))
        moves = index >= 0
        moved[numbers[moves], index[moves]] += steps[moves]
        return moved.reshape(steps.size, *base.shape)

    row, right, column = directions
    margins = Joint(grown(joint.true, row), grown(joint.correct, right), grown(joint.predicted, column))
    if joint.matrix is None:
        return margins
    matrix = grown(joint.matrix.ravel(), row * joint.true.size + column).reshape(-1, *joint.matrix.shape)
    return replace(margins, matrix=matrix / (1 + steps)[:, None, None])  # functions of users may want a sum of 1
