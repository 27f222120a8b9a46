"""Columns of input, wherever they are from, and where each row is; and what they mean, as the caller declares it.

That is by arguments, keys of gate files and options of the command line.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import isqrt
from types import MappingProxyType
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.choices import INVALID_DEFAULT, Better, Invalid, Kind, Runs
from pytest_bayesf1.data.counts import ConfusionMatrix
from pytest_bayesf1.data.labels import DECLARE_KIND, Rows, in_order, is_missing
from pytest_bayesf1.data.paired import SIDES
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.errors import InputError, shown, within
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import first_few
from pytest_bayesf1.values import did_you_mean

TRUE, PREDICTED, ID, RUN, COUNT = "y_true", "y_pred", "id", "run", "n"
GOLD, FOUND = "gold", "predicted"
SCORE, VALUE = "y_score", "value"
_SCORE_OF = f"{SCORE}_"
_KNOWN = (TRUE, PREDICTED, ID, RUN, COUNT, SCORE, VALUE, GOLD, FOUND)
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


AS_IT_IS = Schema()
"""Nothing is declared."""

Schemas: TypeAlias = Mapping[str, Schema]
"""By the side that a file is of: ``baseline``, ``anchor``, ``candidate``; `AS_IT_IS` where there is none."""

ALL_AS_THEY_ARE: Schemas = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns of equal length: what a file holds of one classifier.

    Attributes
    ----------
    values
        By name: lists or arrays with a value for every row.
    where
        The side and the file, as messages say them.
    lines
        The line that each row begins on, in a file of lines.
    labels
        The classes in their order, where the input lists them beside its columns.
    kind
        The kind of data, where the form of the input says it.
    notes
        What a careful reader of a result should know of how it was read.
    schema
        What is declared of them.
    better
        Whether higher or lower values are better, as far as that is known.
    """

    values: Mapping[str, Any]
    where: str = ""
    lines: Sequence[int] | None = None
    labels: Any = None
    kind: Kind | None = None
    notes: tuple[str, ...] = ()
    schema: Schema = AS_IT_IS
    better: Better | None = None

    def __len__(self) -> int:
        """Count the rows."""
        return next((len(each) for each in self.values.values()), 0)

    def __contains__(self, name: object) -> bool:
        """Whether there is a column of this name."""
        return name in self.values

    @property
    def rows(self) -> Rows:
        """What messages call the rows, and the columns of ids."""
        names = {"ids": ID, "documents": ID, "run_ids": RUN, "values": VALUE, "clusters": self.schema.clusters}
        unit = "row" if self.lines is None else "line"
        declare = DECLARE_KIND if self.schema.kind is None else ""
        return Rows(None, unit, self.lines, self.where, names, declare)

    def place(self, row: int) -> str:
        """Name a row, counted from 0, as an editor of the file would."""
        return self.rows.place(row)

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

    def require(self, name: str, what: str, is_right: Callable[[Any], bool]) -> None:
        """Raise `InputError` where values of a column are not right."""
        values = self.values[name]
        wrong = [row for row, value in enumerate(values) if not is_right(value)]
        if wrong:
            raise self.rows.refused(name, what, values, wrong)

    def require_present(self, name: str, what: str = "no value") -> None:
        """Raise `InputError` where a column lacks values."""
        self.require(name, what, lambda value: not is_missing(value))

    def counts(self) -> Side:
        """Count; where the file has predictions they are kept, and scores are taken as they are."""
        with within(self.where):
            side = side_of_counts(self) if self.kind is Kind.COUNTS else self._side()
        return side.with_notes(self.notes + side.notes)

    def _side(self) -> Side:
        values, schema = self.values, self.schema
        known: dict[str, Any] = {"ids": values.get(ID), "show": self._shown()}
        if schema.clusters:
            known["clusters"] = np.array([*map(value_text, self.column(schema.clusters))])
        columns = {name: values[name] for name in (TRUE, PREDICTED) if name in values}
        if self.kind is Kind.VALUES:
            columns = {VALUE: values[VALUE]}
            known |= {"better": self.better or Better.HIGHER, "invalid": schema.invalid, "runs": schema.runs}
        if self.kind is Kind.SCORES:
            names = score_columns(values)
            scores = values[SCORE] if SCORE in names else {scored_class(name): values[name] for name in names}
            columns = {TRUE: values[TRUE], SCORE: scores}
        if self.kind is Kind.CLASSES:
            run_ids = values.get(RUN) if schema.runs else None
            of_one_classifier = schema.runs == Runs.SEEDS and run_ids is None
            known |= {"run_ids": run_ids, "runs": None if of_one_classifier else schema.runs, "invalid": schema.invalid}
        return SIDES[self.kind].of_columns(columns, self.labels, kind=self.kind, rows=self.rows, **known)[0]

    def _shown(self) -> dict[str, Sequence[Any]]:
        """Return what reports show of an example that changed."""
        return {name: self.column(name) for name in self.schema.show if name in self}

    def slice_values(self, column: str, side: Side) -> list[str]:
        """Return a column's value of every example of the side that these are counted to, as text."""
        with within(self.where):
            if side.questions is None:
                raise InputError.plain("", "Counts have no slices: only predictions have")
            values = self.column(column, "to slice by")
            self.require(column, "no value to slice by", _may_name_a_slice)
        values = [*map(value_text, values)]
        by_id: dict[str, str] = {}
        ids = self.column(ID) if self.schema.runs is not None and ID in self else range(len(self))
        own = [by_id.setdefault(value_text(each), value) for each, value in zip(ids, values, strict=True)]
        if wrong := [row for row, value in enumerate(values) if value != own[row]]:
            raise self.rows.refused(column, "unlike an earlier row of the id", values, wrong)
        return [values[row] for row in side.questions.rows.positions(range(side.questions.n_samples)).tolist()]

    def is_same(self, other: "Columns") -> bool:
        """Whether both are the same rows, as text."""
        own, others = self.values, other.values
        return own.keys() == others.keys() and all([*map(str, own[name])] == [*map(str, others[name])] for name in own)

    def runs(self) -> dict[str, Self]:
        """Take each of several runs of the same examples for columns of their own."""
        if RUN not in self:
            return {"": self}
        self.require_present(RUN)
        rows: dict[str, list[int]] = {}
        for row, run in enumerate(self.column(RUN)):
            rows.setdefault(value_text(run), []).append(row)
        return {run: replace(self.take(rows[run]), notes=()) for run in sorted(rows)}

    def with_own_classes(self) -> Self:
        """Take the classes of the truth for those that are listed, which alone say what a score is about."""
        own = in_order(dict.fromkeys(self.values[TRUE])) if SCORE in self else None
        return replace(self, labels=own, schema=replace(self.schema, labels=None))

    @property
    def ruler(self) -> str | None:
        """What graded its answers; None where nothing tells."""
        return None

    @property
    def is_judged(self) -> bool:
        """Whether a model graded its answers, as far as its log says so."""
        return False

    @property
    def n_missing_runs(self) -> int:
        """How many more runs there would be if every example had as many as the one that has most."""
        if self.schema.runs is None or ID not in self:
            return 0
        runs = np.unique([*map(value_text, self.column(ID))], return_counts=True)[1]
        return int((runs.max(initial=0) - runs).sum())


def _may_name_a_slice(value: Any) -> bool:
    return not (isinstance(value, list | tuple | dict | np.ndarray) or is_missing(value))


def value_text(value: object) -> str:
    """Write a value of any column as text: a whole float as an integer, and none as nothing."""
    if is_missing(value):
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def lacks(column: str, purpose: str, names: Iterable[str], where: str = "") -> InputError:
    """Say that there is no such column, what it would be for, and which columns there are."""
    problem = f"No column {shown(column)}{purpose and f' {purpose}'}"
    return InputError.plain(where, f"{problem}: found {columns_found(names)}", "Declare: columns.")


def columns_found(names: Iterable[str]) -> str:
    """List the columns that there are: three, of how many.

    Examples
    --------
    >>> print(columns_found(["id", "gold", "answer", "text"]))
    columns 'id', 'gold', 'answer' and 1 more
    """
    found = [*map(shown, names)]
    return f"{'columns' if len(found) > 1 else 'column'} {first_few(found, 3)}" if found else "no columns"


_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")


def side_of_counts(columns: Columns) -> Side:
    """Make counts of rows that hold the numbers of pairs."""
    labels, numbers = columns.labels, _whole(columns, COUNT)
    if TRUE not in columns and PREDICTED not in columns:  # a matrix without names
        n_classes = isqrt(len(columns))
        return ConfusionMatrix(numbers.reshape(n_classes, n_classes), labels=labels)
    true, predicted = _pair(columns)
    listed = in_order({*true, *predicted}) if labels is None else labels
    return ConfusionMatrix.from_cells(true, predicted, numbers, labels=listed)


def _pair(columns: Columns) -> list[Any]:
    for name in (TRUE, PREDICTED):
        columns.column(name, "of the pairs that n counts")
        columns.require_present(name, "no class")
    return [columns.column(name) for name in (TRUE, PREDICTED)]


def _whole(columns: Columns, name: str) -> npt.NDArray[np.int64]:
    """Read numbers of examples."""
    columns.require(name, "no whole number of examples", is_whole)
    return np.array([int(value_text(value)) for value in columns.values[name]], np.int64)


def is_whole(value: Any) -> bool:
    """Whether this is a number of examples."""
    return not isinstance(value, bool) and bool(_WHOLE.fullmatch(text := value_text(value))) and int(text) >= 0
