"""Outcomes that an engine counted -> tables of counts, one per slice."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1._util import first_few, require_choice
from pytest_bayesf1.arrays import LabelArray
from pytest_bayesf1.counts.answers import tidy_answers
from pytest_bayesf1.counts.encoding import encode
from pytest_bayesf1.counts.labels import Label, kind_of, label_column
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.counts.spelling import tidied, tidy, typed
from pytest_bayesf1.counts.units import UnitContents
from pytest_bayesf1.errors import UNREADABLE, InputError
from pytest_bayesf1.frames.group_by import Cells, Extra, tally
from pytest_bayesf1.frames.joins import tally_joined
from pytest_bayesf1.frames.lazy_table import open_frames
from pytest_bayesf1.settings import INVALID, Invalid, Runs

Counted: TypeAlias = tuple[OutcomeTable, tuple[Label, ...]]
"""Counts, and the labels of the classes."""
_Extra: TypeAlias = tuple[str | None, str | None, Runs | None]


def count_frame(
    frame: Any, names: Mapping[str, str], extra: _Extra, labels: Iterable[Label] | None, invalid: Invalid
) -> dict[Any, Counted]:
    """Count the rows of one table: for each value of the column of slices, or for None when there is no such column.

    Parameters
    ----------
    frame
        A data frame of any engine, or the path or pattern of files.
    names
        The columns of labels, the truth first, by the names that error messages use.
    extra
        The columns of slices and of units, if there are any, and what several rows of an id are.
    labels
        The classes in their order; by default those that occur in the slice, sorted.
    invalid
        As in `encode`.

    Raises
    ------
    InputError
        When the table, a column or a row cannot be used.
    """
    (table,) = open_frames({"frame": frame})
    require_choice("invalid", invalid, INVALID)
    columns = Extra(*extra)
    return _counted(tally(table, names, columns, invalid), labels, invalid, columns.unit_noun)


def count_frames(
    frames: Mapping[str, Any],
    names: Mapping[str, str],
    extra: _Extra,
    labels: Iterable[Label] | None,
    invalid: Invalid,
) -> dict[Any, Counted]:
    """Do as `count_frame` does with the tables of the baseline and the candidate, joined on their ids.

    Parameters
    ----------
    frames
        The baseline's table and the candidate's, by the name that error messages use.
    names
        The columns of both by their use: ``id``, ``y_true`` and ``y_pred``.
    extra, labels, invalid
        As in `count_frame`; the baseline alone has the column of slices.

    Raises
    ------
    InputError
        When the tables are not about the same examples with the same truth, or cannot be used.
    """
    baseline, candidate = open_frames(frames)
    require_choice("invalid", invalid, INVALID)
    columns = Extra(*extra)
    cells = tally_joined(baseline, candidate, names, columns, tidy, invalid)
    return _counted(cells, labels, invalid, columns.unit_noun)


def _counted(cells: Cells, labels: Iterable[Label] | None, invalid: Invalid, unit_noun: str) -> dict[Any, Counted]:
    count = np.array(cells.count)
    if labels is not None:
        labels = [tidy(label) if isinstance(label, str) else label for label in labels]
    codes, names = encode(_tidied(cells) if invalid == "error" else _tidied_answers(cells), labels, count, invalid)
    true, *predicted = codes.values()
    tables = {}
    for value, at in _positions(cells.by).items():
        sides, units = [side[at] for side in predicted], _units(cells, at, unit_noun)
        tables[value] = OutcomeTable.tally(len(names), true[at], *sides, weight=count[at], units=units)
    if labels is not None:
        return {value: (table, names) for value, table in tables.items()}
    return _with_own_classes(tables, names)


def _units(cells: Cells, at: npt.NDArray[np.int64], noun: str) -> UnitContents | None:
    """Put the cells at these positions into their units."""
    if cells.unit is None:
        return None
    count, times = (np.array(each)[at] for each in (cells.count, cells.n_units))
    _, first, unit = np.unique(np.array(cells.unit)[at], return_index=True, return_inverse=True)
    return UnitContents.of_rows(unit, count / times, n_units=times[first], noun=noun)


def _tidied(cells: Cells) -> dict[str, LabelArray]:
    columns = {name: label_column(values, name) for name, values in cells.labels.items()}
    texts = {name: column for name, column in columns.items() if kind_of(column) == "strings"}
    alike = typed(*(text.tolist() for text in texts.values())) if cells.is_text else tidied(*texts.values())
    return columns | dict(zip(texts, alike, strict=True))


def _tidied_answers(cells: Cells) -> dict[str, Any]:
    (true, values), *predicted = cells.labels.items()
    (truth,) = _tidied(replace(cells, labels={true: values})).values()
    return {true: truth} | {name: tidy_answers(said, truth, is_text=cells.is_text) for name, said in predicted}


def _positions(by: list[Any]) -> dict[Any, npt.NDArray[np.int64]]:
    """Find the cells of each slice, in the order of the slices; those without a value come last."""
    found: dict[Any, list[int]] = {}
    for position, value in enumerate(by):
        found.setdefault(value, []).append(position)
    first = sorted(value for value in found if value is not None)
    return {value: np.array(found[value]) for value in [*first, None] if value in found}


def _with_own_classes(tables: Mapping[Any, OutcomeTable], names: tuple[Label, ...]) -> dict[Any, Counted]:
    """Leave out of every slice the classes that it lacks, for these would drag its averages down."""
    always = np.flatnonzero([name is UNREADABLE for name in names])
    own = {value: np.union1d(table.true, np.append(table.predicted, always)) for value, table in tables.items()}
    alone = [value for value, classes in own.items() if classes.size < 2 + always.size]
    if alone:
        found = f"one class only in {first_few(map(repr, alone))}"
        advice = "Leave these rows out, or pass labels=[...]."
        raise InputError("by", "at least two classes in every slice", found, advice)
    positions = np.arange(len(names))
    return {
        value: (
            table.relabelled(np.searchsorted(own[value], positions), own[value].size),
            tuple(names[code] for code in own[value].tolist()),
        )
        for value, table in tables.items()
    }
