"""The examples behind one side's scores."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Codes
from pytest_bayesf1.counts.labels import Label
from pytest_bayesf1.counts.predictions import Predictions
from pytest_bayesf1.counts.score_table import ScoreTable
from pytest_bayesf1.counts.units import UnitContents

Y_SCORE, VALUE = "y_score", "value"


class ScoredExamples(Predictions[ScoreTable]):
    """``y_true`` holds (N,) codes, ``y_pred`` the (N, C) scores. Values without a class are all of code 0."""

    def tally(self, n_labels: int, *others: Self) -> ScoreTable:
        """Count how often each combination of true class and scores occurs."""
        units = None if self.units is None else UnitContents.of_rows(self.units, noun=self.unit_noun)
        scores = (side.y_pred for side in (self, *others))
        return ScoreTable.tally(max(n_labels, 1), self.y_true, *scores, units=units)

    def relabelled(self, codes: Codes, n_labels: int) -> Self:
        """Move the columns, as many as there are labels; of two classes the positive one alone has a column."""
        scores = self.y_pred
        if scores.shape[1] == n_labels:
            scores = np.empty_like(scores)
            scores[:, codes] = self.y_pred
        return replace(self, y_true=codes[self.y_true], y_pred=scores)

    def differs(self, other: Self) -> npt.NDArray[np.bool_]:
        """(N,) whether the true class differs from another side's."""
        return np.asarray(self.y_true != other.y_true)

    def difference(self, other: Self, position: int, labels: tuple[Label, ...]) -> str:
        """Write the names of the two true classes."""
        return " and ".join(repr(labels[side.y_true[position]]) for side in (self, other))

    def columns(self, labels: tuple[Label, ...]) -> dict[str, list[Any]]:
        """Write every example out by names, as files have them: a column of scores, or one for each label."""
        written = super().columns(labels)
        scores = np.array(written.pop("y_pred"))
        if not labels:
            del written["y_true"]
            return written | {VALUE: scores[:, 0].tolist()}
        if scores.shape[1] == 1:
            return written | {Y_SCORE: scores[:, 0].tolist()}
        return written | {f"{Y_SCORE}_{label}": column for label, column in zip(labels, scores.T.tolist(), strict=True)}

    def _named(self, values: Any, labels: tuple[Label, ...]) -> list[Any]:
        if values.ndim > 1 or not labels:
            return list(values.tolist())
        return [labels[code] for code in values.tolist()]
