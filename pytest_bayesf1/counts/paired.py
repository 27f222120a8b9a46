"""What a user hands in of two classifiers at once: `PairedCounts`."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy.typing as npt

from pytest_bayesf1.counts.confusion import ConfusionMatrix
from pytest_bayesf1.counts.encoding import encode
from pytest_bayesf1.counts.examples import Examples
from pytest_bayesf1.counts.from_cells import Labels, tally_cells
from pytest_bayesf1.counts.labels import Label
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.counts.predictions import ClassPredictions
from pytest_bayesf1.counts.repetition import require_no_repetition
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.settings import INVALID_DEFAULT, Invalid, Runs


@dataclass(frozen=True, eq=False)
class PairedCounts:
    """Joint outcomes of two classifiers on the same examples, non-zero cells only.

    Attributes
    ----------
    table : OutcomeTable
        Side 0 is the baseline, side 1 the candidate.
    labels : tuple of M labels
    notes : tuple of str
        What a careful reader of a result should know of how the data were read.

    Examples
    --------
    >>> from pytest_bayesf1 import PairedCounts
    >>> pairs = PairedCounts.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 0])
    >>> pairs.candidate.counts.tolist()
    [[2, 0], [1, 1]]
    """

    table: OutcomeTable
    labels: tuple[Label, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def from_predictions(
        cls,
        y_true: Iterable[Any],
        baseline_pred: Iterable[Any],
        candidate_pred: Iterable[Any],
        *,
        labels: Iterable[Label] | None = None,
        clusters: Iterable[Any] | None = None,
        invalid: Invalid = INVALID_DEFAULT,
    ) -> "PairedCounts":
        """Count the joint outcomes of N examples.

        Parameters
        ----------
        y_true, baseline_pred, candidate_pred : sequences of N labels
            Strings, integers or booleans; position i is the same example in all three.
        labels : sequence of M labels, optional
            The classes in their order; by default all that occur, sorted.
        clusters : sequence of N identifiers, optional
            Which examples belong together, as in `ConfusionMatrix.from_predictions`.
        invalid : "error" or "wrong"
            As in `ConfusionMatrix.from_predictions`.

        Raises
        ------
        InputError
            When the columns do not fit together.
        """
        columns = {"y_true": y_true, "baseline_pred": baseline_pred, "candidate_pred": candidate_pred}
        codes, names = encode(columns, labels, invalid=invalid)
        true, baseline, candidate = codes.values()
        examples = Examples.read(true.size, None, clusters)
        require_no_repetition(true, examples.clusters)
        sides = [ClassPredictions(true, side, *examples.belonging) for side in (baseline, candidate)]
        return cls(sides[0].tally(len(names), sides[1]), names)

    @classmethod
    def from_cells(
        cls,
        y_true: Iterable[Any],
        baseline_pred: Iterable[Any],
        candidate_pred: Iterable[Any],
        count: npt.ArrayLike,
        *,
        labels: Iterable[Label],
        invalid: Invalid = INVALID_DEFAULT,
    ) -> "PairedCounts":
        """Take counts outcome by outcome, as ``SELECT ..., count(*) GROUP BY ...`` gives them.

        Parameters
        ----------
        y_true, baseline_pred, candidate_pred : sequences of K labels
            The outcomes; those that are left out have no examples.
        count : sequence of K whole numbers
            Examples with each outcome.
        labels : sequence of M labels
            The classes in their order.
        invalid : "error" or "wrong"
            As in `ConfusionMatrix.from_predictions`.

        Raises
        ------
        InputError
            When a label is not among ``labels``, or a count is no whole number.
        """
        columns = {"y_true": y_true, "baseline_pred": baseline_pred, "candidate_pred": candidate_pred}
        return cls(*tally_cells(columns, count, labels, invalid))

    @overload
    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        baseline: str,
        candidate: str,
        y_true: str = ...,
        by: None = ...,
        clusters: str | None = ...,
        labels: Labels = ...,
        invalid: Invalid = ...,
    ) -> "PairedCounts": ...
    @overload
    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        baseline: str,
        candidate: str,
        y_true: str = ...,
        by: str,
        clusters: str | None = ...,
        labels: Labels = ...,
        invalid: Invalid = ...,
    ) -> "dict[Any, PairedCounts]": ...
    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        baseline: str,
        candidate: str,
        y_true: str = "y_true",
        by: str | None = None,
        clusters: str | None = None,
        labels: Labels = None,
        invalid: Invalid = INVALID_DEFAULT,
    ) -> "PairedCounts | dict[Any, PairedCounts]":
        """Do as `ConfusionMatrix.from_frame` does, with the columns of both sides' predictions.

        Parameters
        ----------
        frame, by, clusters, labels, invalid
            As there.
        baseline, candidate, y_true : str
            Names of the columns of labels.

        Raises
        ------
        InputError
            When a column is missing or not one of labels, or rows lack a label: it counts them.
        """
        from pytest_bayesf1.counts.from_frames import count_frame  # noqa: PLC0415 (loads Narwhals)

        columns = {"y_true": y_true, "baseline": baseline, "candidate": candidate}
        made = {
            value: cls(*counts)
            for value, counts in count_frame(frame, columns, (by, clusters, None), labels, invalid).items()
        }
        return made[None] if by is None else made

    @overload
    @classmethod
    def from_frames(
        cls,
        baseline: Any,
        candidate: Any,
        *,
        on: str = ...,
        y_true: str = ...,
        y_pred: str = ...,
        by: None = ...,
        clusters: str | None = ...,
        runs: str | None = ...,
        labels: Labels = ...,
        invalid: Invalid = ...,
    ) -> "PairedCounts": ...
    @overload
    @classmethod
    def from_frames(
        cls,
        baseline: Any,
        candidate: Any,
        *,
        on: str = ...,
        y_true: str = ...,
        y_pred: str = ...,
        by: str,
        clusters: str | None = ...,
        runs: str | None = ...,
        labels: Labels = ...,
        invalid: Invalid = ...,
    ) -> "dict[Any, PairedCounts]": ...
    @classmethod
    def from_frames(
        cls,
        baseline: Any,
        candidate: Any,
        *,
        on: str = "id",
        y_true: str = "y_true",
        y_pred: str = "y_pred",
        by: str | None = None,
        clusters: str | None = None,
        runs: str | None = None,
        labels: Labels = None,
        invalid: Invalid = INVALID_DEFAULT,
    ) -> "PairedCounts | dict[Any, PairedCounts]":
        """Join two tables of predictions on the ids of the examples, in their engine, and count.

        Parameters
        ----------
        baseline, candidate : data frame, relation, or path
            Tables of one engine, as in `ConfusionMatrix.from_frame`.
        on, y_true, y_pred : str
            Names of the columns of ids and labels that both have.
        by : str, optional
            Name of a column of slices in the baseline's table.
        clusters : str, optional
            Name of a column of units, as in `ConfusionMatrix.from_frame`, that both have.
        runs : str, optional
            ``"samples"`` where an id has several rows, which are answers of one system that was asked again.
        labels : sequence of M labels, optional
            As in `ConfusionMatrix.from_frame`.
        invalid : "error" or "wrong"
            As in `ConfusionMatrix.from_predictions`.

        Raises
        ------
        InputError
            When ids are missing, repeated or in one table only, when labels are missing, or the tables differ in the
            truth: it counts them all.
        """
        from pytest_bayesf1.counts.from_frames import count_frames  # noqa: PLC0415 (loads Narwhals)

        columns = {"id": on, "y_true": y_true, "y_pred": y_pred}
        counted = count_frames(
            {"baseline": baseline, "candidate": candidate}, columns, (by, clusters, _samples(runs)), labels, invalid
        )
        made = {value: cls(*counts) for value, counts in counted.items()}
        return made[None] if by is None else made

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return self.table.n_samples

    @cached_property
    def baseline(self) -> ConfusionMatrix:
        """The baseline's confusion matrix."""
        return ConfusionMatrix.from_table(self.table.side(0), self.labels)

    @cached_property
    def candidate(self) -> ConfusionMatrix:
        """The candidate's confusion matrix."""
        return ConfusionMatrix.from_table(self.table.side(1), self.labels)

    def __repr__(self) -> str:
        """Tell sizes, not cells: there may be very many."""
        return f"<PairedCounts {len(self.labels)} classes, {self.n_samples} examples>"


def _samples(runs: str | None) -> Runs | None:
    """Refuse trainings, each of which would have to be told apart from the others."""
    if runs is not None and runs != Runs.SAMPLES:
        advice = "Build both sides with ConfusionMatrix.from_predictions(..., runs='seeds')."
        raise InputError("runs", "'samples', which alone serves two tables", repr(runs), advice)
    return None if runs is None else Runs.SAMPLES
