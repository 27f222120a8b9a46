"""Columns of input, wherever they are from, and where each row is; what they mean a `Schema` says."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.labels import is_missing
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.text import counted, first_few


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns of equal length.

    Attributes
    ----------
    values
        By name: lists or arrays with a value for every row.
    where
        The side and the file, as messages say them.
    lines
        The line that each row begins on, in a file of lines.
    is_text
        Whether every value is text for want of another type.
    labels
        The classes in their order, where the input lists them beside its columns.
    kind
        The kind of data, where the form of the input says it.
    notes
        What a careful reader of a result should know of how it was read.
    """

    values: Mapping[str, Any]
    where: str = ""
    lines: Sequence[int] | None = None
    is_text: bool = False
    labels: Any = None
    kind: Kind | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Count the rows."""
        return next((len(each) for each in self.values.values()), 0)

    def __contains__(self, name: object) -> bool:
        """Whether there is a column of this name."""
        return name in self.values

    def place(self, row: int) -> str:
        """Name a row, counted from 0, as an editor of the file would."""
        return f"row {row + 1}" if self.lines is None else f"line {self.lines[row]}"

    def column(self, name: str, purpose: str = "") -> Sequence[Any]:
        """Return the values of a column as a list; raise `InputError` where there is none of this name."""
        if name not in self.values:
            raise lacks(name, purpose, self.values)
        values = self.values[name]
        return values.tolist() if isinstance(values, np.ndarray) and values.ndim == 1 else list(values)

    def take(self, rows: Sequence[int]) -> Self:
        """Return some of the rows, in their order."""
        values = {
            name: each[list(rows)] if isinstance(each, np.ndarray) else [each[row] for row in rows]
            for name, each in self.values.items()
        }
        return replace(self, values=values, lines=None if self.lines is None else [self.lines[row] for row in rows])

    def with_values(self, **columns: Any) -> Self:
        """Return the same with other columns, or more."""
        return replace(self, values={**self.values, **columns})

    def noting(self, *notes: str) -> Self:
        """Return the same with more notes."""
        return replace(self, notes=(*self.notes, *notes))

    def require_present(self, name: str, declare: str = "") -> None:
        """Raise `InputError` where a column lacks values: None, NaN, and text that is empty or spaces."""
        values = self.values[name]
        missing = [row for row, value in enumerate(values) if is_missing(value)] if may_lack(values) else []
        if missing:
            problem = f"{len(missing):,} of {counted(len(values), 'value')} missing, first at {self.place(missing[0])}"
            raise InputError.plain(name, problem, declare)


def value_text(value: object) -> str:
    """Write a value of any column as text: a whole float as an integer, and none as nothing."""
    if is_missing(value):
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def may_lack(values: Any) -> bool:
    """Whether a column may have missing values: numbers and text are looked through at once."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iub":
        return False
    types = {*map(type, values)}
    if types == {str}:
        return "" in map(str.strip, values)
    return not types <= {int, bool}


def lacks(column: str, purpose: str, names: Iterable[str], where: str = "") -> InputError:
    """Say that there is no such column, what it would be for, and which columns there are: first those like it."""
    above, _, last = column.rpartition(".")
    found = sorted(names, key=lambda name: not ((above and name.startswith(f"{above}.")) or name.endswith(f".{last}")))
    problem = f"No column {shown(column)}{purpose and f' {purpose}'}"
    return InputError.plain(where, f"{problem}: found {columns_found(found)}", "Declare: columns.")


def columns_found(names: Iterable[str]) -> str:
    """List the columns that there are: three, of how many.

    Examples
    --------
    >>> print(columns_found(["id", "gold", "answer", "text"]))
    columns 'id', 'gold', 'answer' and 1 more
    """
    found = [*map(shown, names)]
    return f"{'columns' if len(found) > 1 else 'column'} {first_few(found, 3)}" if found else "no columns"
