"""How often each outcome occurs in a table, in all or unit by unit: a group-by, which its engine runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.frames.columns import pick
from pytest_bayesf1.frames.lazy_table import LazyTable
from pytest_bayesf1.settings import COUNT_AS_WRONG, Invalid, Runs

COUNT, BY, UNIT, WEIGHT = "count", "by", "unit", "weight"
_OUTCOMES, _UNITS = "outcomes", "units"


@dataclass(frozen=True)
class Extra:
    """The columns of a table beside those of labels and ids.

    Attributes
    ----------
    by
        The column of slices, if any.
    clusters
        The column that tells the unit of every row, if any.
    runs
        What several rows of an id are; None where an id has one.
    """

    by: str | None = None
    clusters: str | None = None
    runs: Runs | None = None

    @property
    def by_use(self) -> dict[str, str]:
        """Their names, by what they are used as."""
        return {use: name for use, name in ((BY, self.by), (UNIT, self.clusters)) if name is not None}

    @property
    def unit_noun(self) -> str:
        """What the units are called, in the plural."""
        return f"units of {self.clusters}" if self.clusters else "examples"


@dataclass(frozen=True, eq=False)
class Cells:
    """Outcomes that differ from one another, and how many rows had each.

    Attributes
    ----------
    labels
        The columns of labels, by what they are used as, the truth first; None where a prediction is missing.
    by
        The slice of each, where there are slices; None where the table has no value.
    count
        The rows; of an example with several runs, shares of one.
    is_text
        Whether labels are text for want of another type.
    unit
        Which unit the rows are of, by a number; the same for units of which all examples had the same outcome, as many
        of it as one another. None where every row is its own.
    n_units
        How many units the rows are of, and each has as many of them.
    """

    labels: dict[str, list[Any]]
    by: list[Any]
    count: list[float]
    is_text: bool
    unit: list[int] | None
    n_units: list[int]


def tally(frame: LazyTable, names: Mapping[str, str], extra: Extra, invalid: Invalid) -> Cells:
    """Count the rows of a table for each combination of labels, and of the values of ``by``.

    Parameters
    ----------
    frame
        The table.
    names
        Its columns of labels, by what they are used as.
    extra
        Its columns of slices and of units.
    invalid
        What becomes of predictions that are missing.

    Raises
    ------
    InputError
        When a column is missing or not of labels, or rows have none.
    """
    picked = pick(frame, {**names, **extra.by_use})
    if extra.clusters is None:
        return checked_cells(frame, names, picked.read(outcomes(picked.table)), invalid)
    _require_units(picked, extra.clusters)
    return checked_cells(frame, names, outcomes_of_units(picked, picked.table), invalid)


def _require_units(picked: LazyTable, name: str) -> None:
    (without,) = picked.read(picked.table.filter(nw.col(UNIT).is_null()).select(nw.len().alias(COUNT)))[COUNT]
    if without:
        raise InputError(picked.where, "a unit in every row", f"rows: {without:,} without {name!r}")


def outcomes(table: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """Ask for the different rows of a table, and how many there are of each."""
    return table.group_by(*table.collect_schema(), drop_null_keys=False).agg(nw.len().alias(COUNT))


def outcomes_of_units(frame: LazyTable, table: nw.LazyFrame[Any]) -> dict[str, list[Any]]:
    """Count the different rows of every unit, and tell which and how many units each count is of.

    Units of which all rows are alike come back together, by their numbers of rows; of the others every one. A column
    of weights says how much of an example each row is.
    """
    names = list(table.collect_schema())
    columns = [name for name in names if name not in (UNIT, WEIGHT)]
    count = nw.col(WEIGHT).sum() if WEIGHT in names else nw.len()
    held = table.group_by(UNIT, *columns, drop_null_keys=False).agg(count.alias(COUNT))
    outcomes_of = held.group_by(UNIT).agg(nw.len().alias(_OUTCOMES))
    of_one, of_several = (
        held.join(outcomes_of.filter(several).select(UNIT), on=UNIT, how="inner")
        for several in (nw.col(_OUTCOMES) == 1, nw.col(_OUTCOMES) > 1)
    )
    alike = frame.read(of_one.group_by(*columns, COUNT, drop_null_keys=False).agg(nw.len().alias(_UNITS)))
    others = frame.read(of_several)
    numbers: dict[Any, int] = {}
    known = [numbers.setdefault(unit, len(alike[COUNT]) + len(numbers)) for unit in others[UNIT]]
    counts = [n * units for n, units in zip(alike[COUNT], alike[_UNITS], strict=True)]
    return {name: alike[name] + others[name] for name in columns} | {
        COUNT: counts + others[COUNT],
        UNIT: [*range(len(alike[COUNT])), *known],
        _UNITS: alike[_UNITS] + [1] * len(known),
    }


def checked_cells(
    frame: LazyTable, names: Mapping[str, str], answer: Mapping[str, list[Any]], invalid: Invalid
) -> Cells:
    """Wrap counts when there are any and all are of labels, but for predictions that may be missing."""
    count, (true, *_) = answer[COUNT], names
    if not count:
        raise InputError(frame.where, "rows", "an empty table")
    is_missing = _is_blank if frame.is_text else _is_none
    labels = {role: [None if is_missing(value) else value for value in answer[role]] for role in names}
    whole = [true] if invalid == "wrong" else names
    problems = [
        f"{sum(n for n, value in zip(count, labels[role], strict=True) if is_bad(value)):,} {what} {names[role]!r}"
        for what, is_bad, roles in (("without", _is_none, whole), ("with a fraction in", _is_fraction, names))
        for role in roles
        if any(map(is_bad, labels[role]))
    ]
    if problems:
        advice = f"Leave rows without labels out; scores are no labels. {COUNT_AS_WRONG}"
        raise InputError(frame.where, "a class label in every row", f"rows: {', '.join(problems)}", advice)
    by, n_units = answer.get(BY, [None] * len(count)), answer.get(_UNITS, count)
    return Cells(labels, by, count, frame.is_text, answer.get(UNIT), n_units)


def _is_none(value: object) -> bool:
    return value is None


def _is_blank(value: object) -> bool:
    """Recognise what is missing where the engine does not: among spaces."""
    return value is None or str(value).strip() in {"", "nan", "NaN"}


def _is_fraction(value: object) -> bool:
    return isinstance(value, float) and not value.is_integer()
