"""What a file holds, whatever its format: columns by name, or counts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import LabelArray
from pytest_bayesf1.files.columns import PREDICTED, TRUE, VALUE, score_columns


@dataclass(frozen=True, eq=False)
class Table:
    """Predictions, scores, or a number per example.

    Attributes
    ----------
    columns
        By name, ``y_true`` among them, and ``y_pred`` or columns of scores; or ``value``: lists or arrays with a value
        for every example.
    labels
        The classes in their order, when the file gives them.
    lines
        The line that each row begins on, in a file of lines.
    is_text
        Whether every value is text for want of another type.
    spans
        Whether each example is a document, with any number of spans in ``y_true`` and ``y_pred``.
    one_each
        Columns that must have one value in all the rows of a side, such as which system it is.
    notes
        What a careful reader of a result should know of how the file was read.
    """

    columns: Mapping[str, Any]
    labels: Any = None
    lines: Sequence[int] | None = None
    is_text: bool = False
    spans: bool = False
    one_each: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def label_columns(self) -> tuple[str, ...]:
        """The columns of labels; none where every example has a number alone."""
        if PREDICTED in self.columns:
            return TRUE, PREDICTED
        return (TRUE,) if score_columns(self.columns) else ()

    @property
    def score_columns(self) -> tuple[str, ...]:
        """The columns of scores or numbers; none beside predictions, which say what is to be compared."""
        return () if PREDICTED in self.columns else score_columns(self.columns) or (VALUE,)

    @property
    def first_column(self) -> str:
        """The column of which the others have as many values."""
        return (*self.label_columns, *self.score_columns)[0]

    def place(self, row: int) -> str:
        """Name a row, counted from 0, as an editor of the file would."""
        return f"row {row + 1}" if self.lines is None else f"line {self.lines[row]}"


@dataclass(frozen=True, eq=False)
class Matrix:
    """Counts, and the names of the classes when the file gives them."""

    counts: Any
    labels: Any = None


@dataclass(frozen=True, eq=False)
class NamedColumn:
    """A column that knows its name, as one of a data frame does."""

    values: LabelArray
    name: str

    def __iter__(self) -> Iterator[Any]:
        """Yield the values."""
        return iter(self.values)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> LabelArray:
        """Serve wherever numpy takes an array."""
        return np.array(self.values, dtype=dtype, copy=copy)


Content: TypeAlias = Table | Matrix
