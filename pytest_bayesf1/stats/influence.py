"""How much a score changes with each outcome's share: its derivative, numerically, whatever the measure."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.measures.joint import Joint
from pytest_bayesf1.measures.measures import Measure
from pytest_bayesf1.measures.names import Detail

Rule: TypeAlias = tuple[float, tuple[float, ...]]
"""Of a derivative: the step, and the weights of points, all of them ahead: where a cell is 0 measures have kinks."""
PRECISE: Rule = (1e-3, (-25 / 12, 4.0, -3.0, 4 / 3, -1 / 4))
QUICK: Rule = (1e-6, (-1.0, 1.0))
_MOST_NUMBERS = 4_000_000  # at once in memory
_NONE = np.array(-1)


def influence(measure: Measure, side: OutcomeTable) -> Floats:
    """Return how much an observed score changes with each outcome's share of all examples.

    Up to a constant, which shares that add up to 1 leave open. Its mean over one test set less that over another is
    what the scores of the two differ by, to first order (Hampel 1974, The influence curve and its role).

    Parameters
    ----------
    measure
        The score.
    side
        Counts of one side.

    Returns
    -------
    (K,)
        Of the table's outcomes.
    """
    (predicted,) = side.predicted
    wrong = predicted != side.true
    joint = Joint.observed(side, max(measure.detail, Detail.MARGINS))
    found = np.empty(side.true.size)
    by_errors, by_right = slopes(measure, joint, side.true[wrong], predicted[wrong], QUICK)
    found[wrong], found[~wrong] = by_errors, by_right[side.true[~wrong]]
    return found


def slopes(
    measure: Measure, joint: Joint, true: Codes, predicted: Codes, rule: Rule = PRECISE
) -> tuple[Floats, Floats]:
    """Differentiate a score by the shares of errors and of what is right.

    Parameters
    ----------
    measure
        The score.
    joint
        One distribution, with its margins at least.
    true, predicted : (K,)
        The errors.
    rule
        How precise the derivatives are to be.

    Returns
    -------
    by_errors : (K,)
        How much the score changes for each unit of an error's share.
    by_right : (M,)
        Likewise of what is right, by class.
    """
    assert joint.predicted is not None
    rows, columns = joint.true.ravel(), joint.predicted.ravel()
    occurs, by_right = np.flatnonzero(rows > 0), np.zeros(rows.size)
    room = np.minimum(_room(rows), np.minimum(_room(columns), _room(joint.correct.ravel())))
    right = _Ways(occurs, occurs, occurs, room[occurs])
    if joint.matrix is not None:
        errors = _Ways(true, _NONE, predicted, np.minimum(room[true], _room(columns)[predicted]))
        by_right[occurs], by_errors = _derivatives(measure, joint, rule, right, errors)
        return by_errors, by_right
    said, by_row, by_column = np.unique(predicted), np.zeros(rows.size), np.zeros(rows.size)
    of_rows, of_columns = _Ways(occurs, _NONE, _NONE, room[occurs]), _Ways(_NONE, _NONE, said, _room(columns)[said])
    by_right[occurs], by_row[occurs], by_column[said] = _derivatives(measure, joint, rule, right, of_rows, of_columns)
    return by_row[true] + by_column[predicted], by_right


def _room(shares: Floats) -> Floats:
    """Return how far each share is from its bounds 0 and 1, where it is not at them: what small steps are small to."""
    below, above = (np.where(room > 0, room, 1.0) for room in (shares, 1 - shares))
    return np.minimum(below, above)


@dataclass(frozen=True, eq=False)
class _Ways:
    """Ways in which a distribution may change, (R,) each: the row, the diagonal cell and the column that grow, or none.

    Steps are small to the room that there is.
    """

    row: Codes
    right: Codes
    column: Codes
    room: Floats

    @property
    def directions(self) -> Codes:
        """(3, R) all of them."""
        return np.stack(np.broadcast_arrays(self.row, self.right, self.column, self.room)[:3]).astype(np.int64)


def _derivatives(measure: Measure, joint: Joint, rule: Rule, *ways: _Ways) -> list[Floats]:
    directions, room = (
        np.concatenate([each.directions for each in ways], axis=1),
        np.concatenate([w.room for w in ways]),
    )
    size, (weight_here, *weights) = rule
    n_steps = np.arange(1, len(weights) + 1)[:, None]
    found = np.full(room.size, weight_here * measure(joint))
    for chunk in _chunks(room.size, joint, len(weights)):
        steps, ahead = n_steps * (size * room[chunk]), np.tile(directions[:, chunk], len(weights))
        found[chunk] += weights @ measure(_moved(joint, ahead, steps.ravel())).reshape(steps.shape)
    return np.split(found / (size * room), np.cumsum([each.room.size for each in ways])[:-1])


def _chunks(size: int, joint: Joint, n_steps: int) -> Iterator[slice]:
    length = max(1, _MOST_NUMBERS // n_steps // (joint.true if joint.matrix is None else joint.matrix).size)
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
