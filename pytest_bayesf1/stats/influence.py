"""How much a score changes with each outcome's share: its derivative, numerically, whatever the measure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import Joint, Measure
from pytest_bayesf1.measures.names import Detail

Rule: TypeAlias = tuple[float, tuple[float, ...]]
"""Of a derivative: the step, and the weights of points, all of them ahead: where a cell is 0 measures have kinks."""
PRECISE: Rule = (1e-3, (-25 / 12, 4.0, -3.0, 4 / 3, -1 / 4))
QUICK: Rule = (1e-6, (-1.0, 1.0))
_MOST_NUMBERS = 4_000_000  # at once in memory
_NONE = np.array(-1)


def influences(measure: Measure, sides: Sequence[OutcomeTable]) -> list[Floats]:
    """Return how much each side's observed score changes with each outcome's share of all examples.

    Up to a constant, which shares that add up to 1 leave open. Its mean over one test set less that over another is
    what the scores of the two differ by, to first order (Hampel 1974, The influence curve and its role).

    Parameters
    ----------
    measure
        The score.
    sides
        Counts of one side each, over the same classes.

    Returns
    -------
    (K,) each
        Of the table's outcomes.
    """
    joints = Joint.stacked([Joint.observed(side, max(measure.detail, Detail.MARGINS)) for side in sides])
    true, predicted = (
        np.concatenate(each) for each in zip(*((side.true, side.predicted[0]) for side in sides), strict=True)
    )
    by_errors, by_right = slopes(measure, joints, true, predicted, QUICK)
    ends = np.cumsum([side.true.size for side in sides]).tolist()
    return [
        np.where(side.true == side.predicted[0], right[side.true], errors[end - side.true.size : end])
        for side, right, errors, end in zip(sides, by_right, by_errors, ends, strict=True)
    ]


def slopes(
    measure: Measure, joints: Joint, true: Codes, predicted: Codes, rule: Rule = PRECISE
) -> tuple[Floats, Floats]:
    """Differentiate a score by the shares of errors and of what is right.

    Parameters
    ----------
    measure
        The score.
    joints
        B distributions, with their margins at least, in which the same classes occur.
    true, predicted : (K,)
        The errors.
    rule
        How precise the derivatives are to be.

    Returns
    -------
    by_errors : (B, K)
        How much the score changes for each unit of an error's share.
    by_right : (B, M)
        Likewise of what is right, by class.
    """
    assert joints.predicted is not None
    rows, columns, correct = (each.reshape(len(each), -1) for each in (joints.true, joints.predicted, joints.correct))
    occurs, by_right = np.flatnonzero(rows.any(axis=0)), np.zeros(rows.shape)
    rooms = _room(np.stack([rows, columns, correct]))
    room, of_column = rooms.min(axis=0), rooms[1]
    right = _Ways(occurs, occurs, occurs, room[:, occurs])
    if joints.matrix is not None:
        errors = _Ways(true, _NONE, predicted, np.minimum(room[:, true], of_column[:, predicted]))
        by_right[:, occurs], by_errors = _derivatives(measure, joints, rule, right, errors)
        return by_errors, by_right
    said, by_row, by_column = np.unique(predicted), np.zeros(rows.shape), np.zeros(rows.shape)
    of_rows = _Ways(occurs, _NONE, _NONE, room[:, occurs])
    of_columns = _Ways(_NONE, _NONE, said, of_column[:, said])
    by_right[:, occurs], by_row[:, occurs], by_column[:, said] = _derivatives(
        measure, joints, rule, right, of_rows, of_columns
    )
    return by_row[:, true] + by_column[:, predicted], by_right


def _room(shares: Floats) -> Floats:
    """Return how far each share is from its bounds 0 and 1, where it is not at them: what small steps are small to."""
    below, above = (np.where(room > 0, room, 1.0) for room in (shares, 1 - shares))
    return np.minimum(below, above)


@dataclass(frozen=True, eq=False)
class _Ways:
    """Ways in which distributions may change, (R,) each: the row, the diagonal cell and the column that grow, or none.

    Steps are small to the room that there is, (B, R).
    """

    row: Codes
    right: Codes
    column: Codes
    room: Floats

    @property
    def directions(self) -> Codes:
        """(3, R) all of them."""
        found = np.empty((3, self.room.shape[1]), np.int64)
        found[0], found[1], found[2] = self.row, self.right, self.column
        return found


def _derivatives(measure: Measure, joints: Joint, rule: Rule, *ways: _Ways) -> list[Floats]:
    """Differentiate by each way: (B, R) of each."""
    directions = np.concatenate([each.directions for each in ways], axis=1)
    room = np.concatenate([each.room for each in ways], axis=1)
    size, (weight_here, *weights) = rule
    n_steps = np.arange(1, len(weights) + 1)[:, None]
    found = np.repeat(weight_here * measure(joints)[:, None], directions.shape[1], axis=1)
    for chunk in _chunks(directions.shape[1], joints, len(weights)):
        steps = n_steps * (size * room[:, None, chunk])
        found[:, chunk] += weights @ measure(_moved(joints, directions[:, chunk], steps)).reshape(steps.shape)
    return np.split(found / (size * room), np.cumsum([each.room.shape[1] for each in ways])[:-1], axis=1)


def _chunks(size: int, joints: Joint, n_steps: int) -> Iterator[slice]:
    length = max(1, _MOST_NUMBERS // n_steps // (joints.true if joints.matrix is None else joints.matrix).size)
    return (slice(start, start + length) for start in range(0, size, length))


def _moved(joints: Joint, directions: Codes, steps: Floats) -> Joint:
    """Return B x S x R distributions, each a step further in its direction; steps are (B, S, R)."""
    assert joints.predicted is not None

    def grown(base: Floats, index: Codes) -> Floats:
        flat = base.reshape(len(base), 1, 1, -1)
        moved = np.broadcast_to(flat, (*steps.shape, flat.shape[-1])).copy()
        moves = np.flatnonzero(index >= 0)
        moved[:, :, moves, index[moves]] += steps[:, :, moves]
        return moved.reshape(steps.size, *base.shape[1:])

    row, right, column = directions
    margins = Joint(grown(joints.true, row), grown(joints.correct, right), grown(joints.predicted, column))
    if joints.matrix is None:
        return margins
    matrix = grown(joints.matrix, row * joints.true.shape[-1] + column)
    return replace(margins, matrix=matrix / (1 + steps.reshape(-1, 1, 1)))  # functions of users may want a sum of 1
