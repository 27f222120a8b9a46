"""What a file holds, whatever its format: columns by name, or counts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import LabelArray
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.text import first_few

TRUE, PREDICTED, ID, RUN = "y_true", "y_pred", "id", "run"
GOLD, FOUND = "gold", "predicted"
NAME_THEM = f"Name the columns of predictions {TRUE} and {PREDICTED} (and {ID})."


@dataclass(frozen=True, eq=False)
class Table:
    """Predictions.

    Attributes
    ----------
    columns
        By name, ``y_true`` and ``y_pred`` among them: lists or arrays with a value for every example.
    labels
        The classes in their order, when the file gives them.
    lines
        The line that each row begins on, when the file is a text without types.
    spans
        Whether each example is a document, with any number of spans in ``y_true`` and ``y_pred``.
    notes
        What a careful reader of a result should know of how the file was read.
    """

    columns: Mapping[str, Any]
    labels: Any = None
    lines: Sequence[int] | None = None
    spans: bool = False
    notes: tuple[str, ...] = ()

    @property
    def is_text(self) -> bool:
        """Whether every value is text for want of another type."""
        return self.lines is not None

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


def holds_predictions(columns: Iterable[str]) -> bool:
    """Whether these are the columns of predictions; raise `InputError` when one of the two is missing."""
    names = list(columns)
    if (TRUE in names) != (PREDICTED in names):
        raise wrong_columns(names)
    return TRUE in names


def wrong_columns(names: Iterable[object]) -> InputError:
    """List the columns of a file that holds neither predictions nor counts."""
    found = [repr(name) for name in names]
    return InputError(
        "",
        f"columns {TRUE} and {PREDICTED}, or a matrix of counts",
        f"{'columns' if len(found) > 1 else 'column'} {first_few(found, 20)}" if found else "no columns",
        NAME_THEM,
    )
