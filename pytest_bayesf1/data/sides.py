"""One side of a comparison: what a system answered about every example, or counts of it alone."""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.encoding import LabelsFrom, encode
from pytest_bayesf1.data.labels import key, positions
from pytest_bayesf1.data.questions import Questions
from pytest_bayesf1.results.schema import UNREADABLE, Label


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Side:
    """What is known of one system on a test set."""

    kind: ClassVar[Kind]
    _noun: ClassVar[str]
    _example_noun: ClassVar[str] = "examples"

    labels: tuple[Label, ...]
    """The labels that occur, in the order of the counts."""
    vocabulary: tuple[Label, ...]
    """What an answer may be: the labels of the caller or of the truth, and `UNREADABLE` if ``invalid`` declares it."""
    labels_from: LabelsFrom
    """Where the labels come from: the ``caller``, the ``data`` themselves, or merely the ``position``."""
    questions: Questions | None = None
    """What was answered about every example, when that is known."""
    notes: tuple[str, ...] = ()
    """What a careful reader of a result should know of how the data were read."""

    @classmethod
    def from_table(
        cls,
        table: Any,
        labels: tuple[Label, ...],
        labels_from: LabelsFrom = "caller",
        vocabulary: tuple[Label, ...] | None = None,
    ) -> Self:
        """Wrap counts that were checked before.

        Parameters
        ----------
        table
            Counts.
        labels
            The names of the classes or labels.
        labels_from
            Where these come from, see `labels_from`.
        vocabulary
            Which of them answers may be; by default all.
        """
        side = cls.__new__(cls)
        vars(side).update(table=table, labels=labels, labels_from=labels_from, vocabulary=vocabulary or labels)
        return side

    @classmethod
    def of_questions(
        cls,
        questions: Questions,
        labels: tuple[Label, ...],
        labels_from: LabelsFrom,
        notes: tuple[str, ...] = (),
        vocabulary: tuple[Label, ...] | None = None,
    ) -> Self:
        """Keep what was answered, and count it when that is asked for."""
        side = cls.__new__(cls)
        vars(side).update(questions=questions, labels=labels, labels_from=labels_from, notes=notes)
        vars(side).update(vocabulary=vocabulary or labels)
        return side

    @classmethod
    def of_columns(cls, columns: Mapping[str, Any], labels: Iterable[Label] | None = None, **known: Any) -> list[Self]:
        """Make a side of every column after the truth, over the same labels; see `encode`."""
        found = encode(known.pop("kind", cls.kind), columns, labels, **known)
        sides = zip(found.sides, found.notes, strict=True)
        known = {"labels": found.labels, "labels_from": found.labels_from, "vocabulary": found.vocabulary}
        return [cls.of_questions(side, notes=notes, **known) for side, notes in sides]

    def _with(self, **changed: Any) -> Self:
        side = copy(self)
        if "questions" in changed:
            vars(side).pop("table", None)
        vars(side).update(changed)
        return side

    @cached_property
    def table(self) -> Any:
        """The counts that are not 0, in the form that the statistics work with."""
        assert self.questions is not None
        return self.questions.outcomes(len(self.labels))

    @property
    def classes(self) -> tuple[Label, ...]:
        """The labels that an example can have."""
        return tuple(label for label in self.vocabulary if label is not UNREADABLE)

    @property
    def n_samples(self) -> int:
        """Number of examples, N; of spans the true ones."""
        if self.questions is None or self.kind is Kind.SPANS:
            return int(self.table.n_samples)
        return self.questions.n_samples

    @property
    def counts(self) -> npt.NDArray[Any]:
        """The counts, as a new array."""
        raise NotImplementedError

    @property
    def scores(self) -> Floats:
        """The scores, (N, C): of the positive class, of every class, or the number."""
        assert self.questions is not None
        return np.array(self.questions.said[0])

    def cells(self) -> dict[str, list[Any]]:
        """Write the counts out by names, as columns of equal length."""
        raise NotImplementedError

    def columns(self) -> dict[str, list[Any]]:
        """Write the side out by names: its answers in the order of their ids, or its counts where there are none."""
        return self.cells() if self.questions is None else self.questions.columns(self.labels)

    def with_notes(self, notes: tuple[str, ...]) -> Self:
        """Return the same side with these notes."""
        return self._with(notes=notes)

    def with_labels_from(self, labels_from: LabelsFrom) -> Self:
        """Return the same side, whose labels come from elsewhere."""
        return self._with(labels_from=labels_from)

    def renamed(self, labels: tuple[Label, ...]) -> Self:
        """Return the same side under other names."""
        return self._with(labels=labels, labels_from="caller", vocabulary=labels)

    def with_vocabulary(self, vocabulary: tuple[Label, ...]) -> Self:
        """Return the same side, whose answers may be these."""
        return self._with(vocabulary=vocabulary)

    def of_examples(self, questions: Questions) -> Self:
        """Return the same side about other examples, over the same labels."""
        return self._with(questions=questions)

    def relabelled(self, labels: tuple[Label, ...]) -> Self:
        """Return the same side over ``labels``: reordered, and with those that it lacked, of which it has none."""
        if labels == self.labels:
            return self
        position = positions(labels)
        codes = np.array([position[key(label)] for label in self.labels])
        if self.questions is None:
            return self._with(table=self.table.relabelled(codes, len(labels)), labels=labels)
        return self._with(questions=self.questions.relabelled(codes, len(labels)), labels=labels)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Serve wherever numpy takes an array."""
        return self.counts if dtype is None else self.counts.astype(dtype)

    def __eq__(self, other: object) -> bool:
        """Whether labels and counts are equal; which example is which does not matter."""
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.labels == other.labels and self.table.is_equal(other.table)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Sizes, not cells: a matrix of 20 classes would fill the screen."""
        kept = ", predictions kept" if self.questions else ""
        return f"<{type(self).__name__} {len(self.labels)} {self._noun}, {self.n_samples} {self._example_noun}{kept}>"
