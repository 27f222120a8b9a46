"""How often each outcome occurs in a table: one group-by, which its engine runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from pytest_bayesf1.choices import COUNT_AS_WRONG, Invalid
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.frames.columns import pick
from pytest_bayesf1.frames.lazy_table import LazyTable

COUNT, BY = "count", "by"


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
        The rows.
    is_text
        Whether labels are text for want of another type.
    """

    labels: dict[str, list[Any]]
    by: list[Any]
    count: list[int]
    is_text: bool


def tally(frame: LazyTable, names: Mapping[str, str], by: str | None, invalid: Invalid) -> Cells:
    """Count the rows of a table for each combination of labels, and of the values of ``by``.

    Parameters
    ----------
    frame
        The table.
    names
        Its columns of labels, by what they are used as.
    by
        Its column of slices, if any.
    invalid
        What becomes of predictions that are missing.

    Raises
    ------
    InputError
        When a column is missing or not of labels, or rows have none.
    """
    picked = pick(frame, {**names, **({} if by is None else {BY: by})})
    answer = picked.read(outcomes(picked.table))
    return checked_cells(frame, names, answer, invalid)


def outcomes(table: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """Ask for the different rows of a table, and how many there are of each."""
    return table.group_by(*table.collect_schema(), drop_null_keys=False).agg(nw.len().alias(COUNT))


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
    return Cells(labels, answer.get(BY, [None] * len(count)), count, frame.is_text)


def _is_none(value: object) -> bool:
    return value is None


def _is_blank(value: object) -> bool:
    """Recognise what is missing where the engine does not: among spaces."""
    return value is None or str(value).strip() in {"", "nan", "NaN"}


def _is_fraction(value: object) -> bool:
    return isinstance(value, float) and not value.is_integer()
