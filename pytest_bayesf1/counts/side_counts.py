"""What the counts of one classifier are, whether of classes or of labels."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Counts
from pytest_bayesf1.counts.labels import Label
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.counts.predictions import Predictions
from pytest_bayesf1.errors import UNREADABLE

LabelsFrom: TypeAlias = str  # "caller", "data" or "position"


class SideCounts(ABC):
    """One classifier's counts, the names of the classes, and the predictions where they are known."""

    _noun: ClassVar[str]
    _example_noun: ClassVar[str] = "examples"
    paired_by: ClassVar[str] = "from_predictions"
    """What makes counts that can be paired."""
    _table: OutcomeTable
    _labels: tuple[Label, ...]
    _labels_from: LabelsFrom
    _predictions: Predictions[OutcomeTable] | None
    _notes: tuple[str, ...] = ()

    @classmethod
    def from_table(
        cls,
        table: OutcomeTable,
        labels: tuple[Label, ...],
        labels_from: LabelsFrom = "caller",
        predictions: Predictions[OutcomeTable] | None = None,
    ) -> Self:
        """Wrap counts that were checked before.

        Parameters
        ----------
        table
            Counts of one side.
        labels
            The names of the classes or labels.
        labels_from
            Where these come from, see `labels_from`.
        predictions
            The examples behind the counts, when they are known.
        """
        counts = cls.__new__(cls)
        counts._set(table, labels, labels_from, predictions)  # noqa: SLF001 (its own)
        return counts

    def _set(
        self,
        table: OutcomeTable,
        labels: tuple[Label, ...],
        labels_from: LabelsFrom,
        predictions: Predictions[OutcomeTable] | None = None,
    ) -> None:
        self._table, self._labels, self._labels_from = table, labels, labels_from
        self._predictions = predictions

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels, in the order of the counts."""
        return self._labels

    @property
    def classes(self) -> tuple[Label, ...]:
        """The labels that an example can have: those of which `UNREADABLE` is none."""
        return tuple(label for label in self._labels if label is not UNREADABLE)

    @property
    def labels_from(self) -> LabelsFrom:
        """Where the labels come from: the ``caller``, the ``data`` themselves, or merely the ``position``."""
        return self._labels_from

    @property
    def table(self) -> OutcomeTable:
        """The counts that are not 0, in the form that the statistics work with."""
        return self._table

    @property
    def predictions(self) -> Predictions[OutcomeTable] | None:
        """The examples behind the counts, when they are known."""
        return self._predictions

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful reader of a result should know of how the data were read."""
        return self._notes

    def with_notes(self, notes: tuple[str, ...]) -> Self:
        """Return the same counts with these notes."""
        noted = self.from_table(self._table, self._labels, self._labels_from, self._predictions)
        noted._notes = notes  # noqa: SLF001 (its own)
        return noted

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return self._table.n_samples

    @property
    @abstractmethod
    def counts(self) -> Counts:
        """The counts, as a new array of 64-bit integers."""

    @abstractmethod
    def cells(self) -> dict[str, list[Any]]:
        """Write the counts out by names, as columns of equal length."""

    def renamed(self, labels: tuple[Label, ...]) -> Self:
        """Return the same counts under other names."""
        return self.from_table(self._table, labels, predictions=self._predictions).with_notes(self._notes)

    def relabelled(self, labels: tuple[Label, ...]) -> Self:
        """Return the same counts over ``labels``: reordered, and with those that it lacked, of which it has none."""
        position = {label: code for code, label in enumerate(labels)}
        codes = np.array([position[label] for label in self._labels])
        kept = None if self._predictions is None else self._predictions.relabelled(codes, len(labels))
        table = self._table.relabelled(codes, len(labels))
        return self.from_table(table, labels, self._labels_from, kept).with_notes(self._notes)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Serve wherever numpy takes an array."""
        return self.counts if dtype is None else self.counts.astype(dtype)

    def __eq__(self, other: object) -> bool:
        """Whether labels and counts are equal; predictions behind them do not matter."""
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.labels == other.labels and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Sizes, not cells: a matrix of 20 classes would fill the screen."""
        kept = ", predictions kept" if self._predictions else ""
        return f"<{type(self).__name__} {len(self._labels)} {self._noun}, {self.n_samples} {self._example_noun}{kept}>"
