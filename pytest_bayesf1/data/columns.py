"""Columns of input, wherever they are from, and where each row is; and what they mean, as the caller declares it.

That is by arguments, keys of gate files and options of the command line.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Self, TypeAlias

import numpy as np

from pytest_bayesf1.choices import INVALID_DEFAULT, READING, Better, Invalid, Kind, Runs
from pytest_bayesf1.data.labels import is_missing
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.values import did_you_mean

TRUE, PREDICTED, ID, RUN, COUNT = "y_true", "y_pred", "id", "run", "n"
GOLD, FOUND = "gold", "predicted"
SCORE, VALUE = "y_score", "value"
OUTCOMES, LABEL = ("tp", "fp", "fn", "tn"), "label"
_SCORE_OF = f"{SCORE}_"
_KNOWN = (TRUE, PREDICTED, ID, RUN, COUNT, SCORE, VALUE, GOLD, FOUND, LABEL, *OUTCOMES)
KNOWN = f"^({'|'.join(_KNOWN)}|{_SCORE_OF}.+)$"
"""A pattern of the names by which columns are known."""

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""A mapping that cannot change."""


def require_known(name: str) -> str:
    """Return one of the names by which columns are known; raise `InputError` for another."""
    if re.match(KNOWN, name):
        return name
    advice = did_you_mean(name, _KNOWN) or "Write one of these first, then the file's own name."
    raise InputError("", f"one of {', '.join(_KNOWN)}, {_SCORE_OF}<label>", shown(name), advice)


def scored_class(score_column: str) -> str | None:
    """Return the class that a column of scores is about; None where its name does not tell."""
    return score_column.removeprefix(_SCORE_OF) if score_column.startswith(_SCORE_OF) else None


def score_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns of scores of classes."""
    return tuple(name for name in names if name == SCORE or scored_class(name))


def answer_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that tell what was predicted, or how well."""
    return tuple(name for name in names if name in (PREDICTED, SCORE, VALUE, FOUND) or scored_class(name))


def kind_of_columns(names: Iterable[str]) -> Kind | None:
    """Return the kind of data that columns of known names hold; None where none of them is an answer.

    Examples
    --------
    >>> kind_of_columns(["y_true", "y_pred", "value"]), kind_of_columns(["id", "value"]), kind_of_columns(["id"])
    ('classes', 'values', None)
    """
    found = {*names}
    if PREDICTED in found:
        return Kind.CLASSES
    if score_columns(found):
        return Kind.SCORES
    if VALUE in found:
        return Kind.VALUES
    return Kind.SPANS if found >= {GOLD, FOUND} else None


@dataclass(frozen=True)
class Schema:
    """What is declared of input; see `pytest_bayesf1.choices.READING` for what each field goes with.

    Attributes
    ----------
    invalid
        What becomes of predictions that are missing or none of the classes.
    clusters
        The column that tells which cluster each example belongs to; empty where every example is its own.
    runs
        What several rows of an example are, which its id tells; None where an example has one.
    show
        The columns that reports show of an example that changed.
    columns
        What a file calls a column, by the name by which it is known.
    rows
        The values that certain columns have in the rows that are read, as text; empty where all rows are.
    gold
        The file of the truth, where others have the predictions alone.
    answer
        A regular expression that finds the class in a prediction, and in which ``{classes}`` is any of them. Empty
        where the prediction is the class.
    kind
        What is asked of every example; None where the names of columns say it.
    labels
        The classes, labels or types in their order; None for those of the truth.
    better
        Of which values there should be more; None where their column's name says it.
    gold_columns, gold_rows
        As `columns` and `rows`, of that file; they come before what is said of all files.
    """

    invalid: Invalid = INVALID_DEFAULT
    clusters: str = ""
    runs: Runs | None = None
    show: tuple[str, ...] = ()
    columns: Pairs = ()
    rows: Pairs = ()
    gold: str | None = None
    answer: str = ""
    kind: Kind | None = None
    labels: tuple[Label, ...] | None = None
    better: Better | None = None
    gold_columns: Pairs = ()
    gold_rows: Pairs = ()

    def of_side(self, columns: Mapping[str, str], rows: Mapping[str, str]) -> "Schema":
        """Add what is said of one side's file alone, which comes before what is said of both."""
        added = dict(self.columns) | dict(columns), dict(self.rows) | dict(rows)
        return replace(self, columns=tuple(added[0].items()), rows=tuple(added[1].items()))

    def over(self, other: "Schema") -> "Schema":
        """Let what is said here come before what another says."""
        return replace(other, **self.declared)

    @property
    def declared(self) -> dict[str, Any]:
        """What is declared, by field."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in said.items() if value != getattr(AS_IT_IS, name)}

    @property
    def of_gold(self) -> "Schema":
        """How the file of the truth is read."""
        of_truth = {known: name for known, name in self.columns if known in (TRUE, GOLD, ID)}
        return Schema(kind=self.kind, columns=tuple(of_truth.items())).of_side(
            dict(self.gold_columns), dict(self.gold_rows)
        )

    def require_fits(self, kind: Kind) -> None:
        """Raise `InputError` for what is declared and does not go with a kind of data."""
        for name in self.declared:
            if name in READING and kind not in READING[name].kinds:
                goes_with = ", ".join(each for each in Kind if each in READING[name].kinds)
                raise InputError.plain(name, f"It goes with {goes_with}, and these are {kind}", f"Leave {name} out.")


AS_IT_IS = Schema()
"""Nothing is declared."""

Schemas: TypeAlias = Mapping[str, Schema]
"""By the side that a file is of: ``baseline``, ``anchor``, ``candidate``; `AS_IT_IS` where there is none."""

ALL_AS_THEY_ARE: Schemas = MappingProxyType({})


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
