"""What each error costs: how much higher the candidate's score would be with the baseline's answers there.

Each example that the two sides answer otherwise belongs to one error: the one that the candidate makes on it, or the
one that the baseline made. Undoing these changes gives another score, exactly: a rare class's score bends too much for
slopes. Together errors do not cost what the score lost, as one may hide another.

Two bare matrices do not say what an example was before: what is no longer right has become an error, and the other way
round.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pytest_bayesf1.arrays import Bools, Codes, Floats, Weights
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import Joint, Measure
from pytest_bayesf1.measures.formulas import Detail


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

    def largest(self, n: int, chosen: Bools) -> "CellChanges":
        """Return the cells that changed most, first the largest change."""
        sizes = np.where(chosen, np.abs(self.shares), 0.0)
        order = np.argsort(-sizes, kind="stable")[:n]
        kept = order[sizes[order] > 0]
        return CellChanges(self.true[kept], self.predicted[kept], self.counts[:, kept], self.shares[kept])


class Moves(NamedTuple):
    """Answers that changed.

    Attributes
    ----------
    true, before, after : (R,)
        The true class, and what the baseline and the candidate predict.
    shares : (R,)
        The share of all examples, as scores weigh them.
    """

    true: Codes
    before: Codes
    after: Codes
    shares: Floats

    @classmethod
    def of(cls, experiment: Experiment, cells: CellChanges) -> "Moves":
        """Find them, of pairs; of two separate tables, what takes one side's errors to the other's."""
        if experiment.model != Model.PAIRED:
            wrong = cells.wrong
            return cls(cells.true[wrong], cells.true[wrong], cells.predicted[wrong], cells.shares[wrong])
        (table,), weights = experiment.tables, weights_of_classes(experiment)
        differs = table.predicted[0] != table.predicted[1]
        true, (before, after) = table.true[differs], table.predicted[:, differs]
        return cls(true, before, after, table.count[differs] * weights[true] / table.n_samples)

    def only(self, chosen: Bools) -> "Moves":
        """Return those that are chosen, (R,)."""
        return Moves(self.true[chosen], self.before[chosen], self.after[chosen], self.shares[chosen])

    @property
    def error(self) -> Codes:
        """(R,) the wrong answer that each is about: the one that is there now, else the one that was."""
        return np.where(self.after == self.true, self.before, self.after)


def weights_of_classes(experiment: Experiment) -> Floats:
    """Return what an example of each class weighs in the scores: (M,)."""
    table, shares = experiment.tables[0], experiment.class_shares
    return np.ones(table.n_classes) if shares is None else table.class_weights(shares)


_MOST_NUMBERS = 4_000_000
"""At once in memory."""


def gains(candidate: OutcomeTable, measure: Measure, moves: Moves, line: Codes, n_lines: int) -> Floats:
    """Return what the moves of each line add to the candidate's score: (n_lines,), 0 where a line has none.

    Parameters
    ----------
    candidate
        Its own counts, as scores weigh them.
    measure
        The score.
    moves, line : (R,) each
        What is undone, and for which line.
    n_lines
        Their number.
    """
    joint = Joint.observed(candidate, max(measure.detail, Detail.MARGINS))
    whole = joint.true if joint.matrix is None else joint.matrix
    at_once = max(1, _MOST_NUMBERS // whole.size)
    without = np.empty(n_lines)
    for first in range(0, n_lines, at_once):
        last = min(first + at_once, n_lines)
        here = (first <= line) & (line < last)
        undone = _undone(joint, moves.only(here), line[here] - first, last - first)
        without[first:last] = measure(undone)
    return np.asarray(float(measure(joint)) - without)


def _undone(joint: Joint, moves: Moves, line: Codes, n_lines: int) -> Joint:
    """Return the distribution without the moves of each line."""
    assert joint.predicted is not None
    n_classes, sizes = joint.true.size, moves.shares
    correct, predicted = (np.tile(each.ravel(), (n_lines, 1)) for each in (joint.correct, joint.predicted))
    matrix = None if joint.matrix is None else np.tile(joint.matrix.ravel(), (n_lines, 1))
    for answer, sign in ((moves.before, 1), (moves.after, -1)):
        right = answer == moves.true
        np.add.at(correct, (line[right], answer[right]), sign * sizes[right])
        np.add.at(predicted, (line, answer), sign * sizes)
        if matrix is not None:
            np.add.at(matrix, (line, moves.true * n_classes + answer), sign * sizes)

    def in_shape(numbers: Floats, like: Floats) -> Floats:
        return numbers.clip(min=0).reshape(n_lines, *like.shape)  # sums of shares leave rounding errors

    true = np.broadcast_to(joint.true, (n_lines, *joint.true.shape))
    undone = Joint(true, in_shape(correct, joint.correct), in_shape(predicted, joint.predicted))
    return undone if joint.matrix is None or matrix is None else replace(undone, matrix=in_shape(matrix, joint.matrix))


class Contributions(NamedTuple):
    """What errors add to a score's change.

    Attributes
    ----------
    true, predicted : (K,)
        The errors that either side makes, row by row.
    counts : (2, K)
        How many examples the baseline and the candidate make them on.
    parts : (K,)
        What the changed answers of each add to the candidate's score.
    classes : (L,)
        What those on examples of each class, or about each label, add.
    change
        The candidate's observed score minus the baseline's.
    rest
        What is left of it with all of them undone: that the classes have other proportions; 0 on the same test set.
    """

    true: Codes
    predicted: Codes
    counts: Weights
    parts: Floats
    classes: Floats
    change: float
    rest: float


def contributions(experiment: Experiment, measure: Measure) -> Contributions:
    """Undo each error's changes, then those of each class, then all."""
    baseline, candidate = experiment.scored_sides
    cells, counted = CellChanges.between(baseline, candidate), CellChanges.between(*experiment.sides)
    moves, wrong, n_classes = Moves.of(experiment, cells), cells.wrong, baseline.n_classes
    keys = cells.true[wrong] * n_classes + cells.predicted[wrong]
    line = np.searchsorted(keys, moves.true * n_classes + moves.error)
    before, after = (float(measure(Joint.observed(side, measure.detail))) for side in (baseline, candidate))
    in_all = gains(candidate, measure, moves, np.zeros_like(line), 1)
    cells_each = 2 if experiment.multilabel else 1  # a label is absent or present
    return Contributions(
        cells.true[wrong],
        cells.predicted[wrong],
        counted.counts[:, counted.wrong],
        gains(candidate, measure, moves, line, keys.size),
        gains(candidate, measure, moves, moves.true // cells_each, n_classes // cells_each),
        after - before,
        after - before - float(in_all[0]),
    )
