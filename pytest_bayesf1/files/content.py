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
SCORE = "y_score"
_SCORE_OF = f"{SCORE}_"
NAME_THEM = f"Name the columns of predictions {TRUE} and {PREDICTED} (and {ID}), those of scores {TRUE} and {SCORE}."


@dataclass(frozen=True, eq=False)
class Table:
    """Predictions or scores.

    Attributes
    ----------
    columns
        By name, ``y_true`` among them, and ``y_pred`` or columns of scores: lists or arrays with a value for every
        example.
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

    @property
    def label_columns(self) -> tuple[str, ...]:
        """The columns of labels."""
        return (TRUE, PREDICTED) if PREDICTED in self.columns else (TRUE,)

    @property
    def score_columns(self) -> tuple[str, ...]:
        """The columns of scores; none beside predictions, which say what is to be compared."""
        return () if PREDICTED in self.columns else _score_columns(self.columns)

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
    """Whether these are the columns of predictions or scores; raise `InputError` when the truth or they are missing."""
    names = list(columns)
    if (TRUE in names) != (PREDICTED in names or bool(_score_columns(names))):
        raise wrong_columns(names)
    return TRUE in names


def label_of(score_column: str) -> str | None:
    """Return the class that a column of scores is about; None where its name does not tell."""
    return score_column.removeprefix(_SCORE_OF) if score_column.startswith(_SCORE_OF) else None


def _score_columns(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name == SCORE or label_of(name))


def wrong_columns(names: Iterable[object]) -> InputError:
    """List the columns of a file that holds neither predictions nor counts."""
    found = [repr(name) for name in names]
    return InputError(
        "",
        f"columns {TRUE} and {PREDICTED}, or a matrix of counts",
        f"{'columns' if len(found) > 1 else 'column'} {first_few(found, 20)}" if found else "no columns",
        NAME_THEM,
    )
