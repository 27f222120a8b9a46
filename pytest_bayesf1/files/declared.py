"""Read a file as its schema declares it: columns of known names, of the rows that are asked for, with their truth."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pytest_bayesf1.choices import Better, Kind, Runs
from pytest_bayesf1.data.columns import (
    AS_IT_IS,
    COUNT,
    FOUND,
    GOLD,
    ID,
    PREDICTED,
    RUN,
    SCORE,
    TRUE,
    VALUE,
    WHOLE,
    Columns,
    Schema,
    answer_columns,
    as_written,
    columns_found,
    kind_of_columns,
    lacks,
    score_columns,
    value_text,
)
from pytest_bayesf1.data.encoding import require_goes_with
from pytest_bayesf1.data.paired import better_of
from pytest_bayesf1.errors import InputError, shown, within
from pytest_bayesf1.files.conll import read_conll
from pytest_bayesf1.files.counts import of_crosstab
from pytest_bayesf1.files.eval_logs import LogColumns
from pytest_bayesf1.files.formats import accepted, read_raw, reader_of
from pytest_bayesf1.files.patterns import with_classes_read
from pytest_bayesf1.text import counted, first_few


def read(path: Path, schema: Schema = AS_IT_IS) -> Columns:
    """Read a file as its schema declares it; the kind of data is then known."""
    columns = named_rows(path, schema)
    if schema.gold is not None and reader_of(path) is not read_conll:
        columns = _with_gold(columns, schema)
    columns = _of_kind(columns, schema)
    assert columns.kind is not None
    require_goes_with(columns.kind, schema.declared)
    if columns.kind is Kind.COUNTS:
        return replace(columns, labels=_labels(columns, schema))
    _require_columns(columns, schema)
    if columns.kind is Kind.VALUES:
        return _with_better(columns, schema)
    return _with_classes(columns, schema)


def named_rows(path: Path, schema: Schema) -> Columns:
    """Read the rows that are asked for, by the names of their columns, whatever they mean."""
    found = accepted(read_raw(path, schema))
    columns = found if reader_of(path) is read_conll else renamed(found, dict(schema.columns))
    columns = selected(_without_points(columns), dict(schema.rows))
    if isinstance(columns, LogColumns):
        columns.require_one_system()
    return columns


_WHOLE_FLOAT = re.compile(r"-?[0-9]+\.0")


def _without_points(columns: Columns) -> Columns:
    """Write ids and classes of a text file as whole numbers where all are, as a column of floats has them: 2.0 is 2."""
    found = {}
    for name in (ID, TRUE, PREDICTED) if columns.is_text else ():
        texts = columns.values.get(name, ())
        if any(texts) and all(not text or _WHOLE_FLOAT.fullmatch(text) for text in texts):
            found[name] = [text and text.removesuffix(".0") for text in columns.values[name]]
    return columns.with_values(**found)


def renamed(columns: Columns, names: Mapping[str, str]) -> Columns:
    """Give columns the names by which they are known; those that are declared come before any others."""
    for known, name in names.items():
        if name not in columns:
            raise lacks(name, f"to take for {known}", columns.values)
    _require_two(names)
    found = {known: columns.values[name] for known, name in names.items()}
    hidden = {*answer_columns(columns.values)} if answer_columns(found) else set()
    kept = {name: values for name, values in columns.values.items() if name not in hidden}
    return replace(columns, values={**kept, **found})


def _require_two(names: Mapping[str, str]) -> None:
    """Refuse one column as truth and prediction: by it every example would be right."""
    for known, answers in (
        (TRUE, [name for name in answer_columns(names) if name != VALUE] or [PREDICTED]),
        (GOLD, [FOUND]),
    ):
        true = names.get(known, known)
        for other in answers:
            if names.get(other, other) == true:
                problem = f"{shown(true)} would be both {known} and {other}"
                raise InputError.plain("columns", problem, f"Name another column for {other}.")


def selected(columns: Columns, rows: Mapping[str, str]) -> Columns:
    """Keep the rows in which certain columns have certain values."""
    kept = np.ones(len(columns), dtype=bool)
    for name, value in rows.items():
        found = [value_text(each) for each in columns.column(name, "to choose rows by")]
        if value not in found:
            listed = f"found {first_few(map(shown, sorted({*found})), 3)}"
            raise InputError.plain("rows", f"No row's {shown(name)} is {shown(value)}: {listed}")
        kept &= np.array([each == value for each in found], dtype=bool)
    if not kept.any() and rows:
        wanted = " and ".join(f"{shown(name)} is {shown(value)}" for name, value in rows.items())
        raise InputError.plain("rows", f"There is no row in which {wanted}")
    return columns if kept.all() else columns.take(np.flatnonzero(kept).tolist())


def _with_gold(predictions: Columns, schema: Schema) -> Columns:
    """Put the truth of another file beside predictions: by id, or by position where neither file has ids.

    Other columns of the truth come too, for slices.
    """
    place = f"gold ({schema.gold})"
    with within(place):
        truth = named_rows(Path(str(schema.gold)), schema.of_gold)
    known = next((name for name in (TRUE, GOLD) if name in truth), "")
    if not known:
        raise lacks(TRUE, "of the truth", truth.values, place)
    if (ID in truth) != (ID in predictions):
        whole = "the file of the truth" if ID in truth else "the predictions"
        raise InputError.plain(place, f"Only {whole} has a column {ID!r}", "Declare: columns for both, or for neither.")
    if ID not in truth:
        if len(truth) != len(predictions):
            raise InputError(place, f"{counted(len(predictions), 'row')}, as there are predictions", str(len(truth)))
        return _beside(predictions, truth, known)
    ids, of_truth = ([value_text(each) for each in table.column(ID)] for table in (predictions, truth))
    position = {each: row for row, each in enumerate(of_truth)}
    if len(position) < len(of_truth):
        twice = next(each for row, each in enumerate(of_truth) if position[each] != row)
        raise InputError.plain(place, f"The id {shown(twice)} is there more than once", "One truth for each.")
    if strange := [each for each in ids if each not in position]:
        problem = f"No truth for {counted(len(strange), 'prediction')}: {first_few(map(shown, strange), 3)}"
        raise InputError.plain(place, problem)
    said = {*ids}
    lacking = [each for each in of_truth if each not in said]
    if lacking and (PREDICTED not in predictions or known == GOLD):
        problem = (
            f"No prediction of {counted(len(lacking), 'example')} of the truth: {first_few(map(shown, lacking), 3)}"
        )
        raise InputError.plain(ID, problem)
    values = {name: [*each, *[None] * len(lacking)] for name, each in predictions.values.items()}
    padded = replace(predictions, values={**values, ID: [*ids, *lacking]}, lines=None if lacking else predictions.lines)
    return _beside(padded, truth.take([position[each] for each in (*ids, *lacking)]), known)


def _beside(predictions: Columns, truth: Columns, known: str) -> Columns:
    """Put the columns of the truth beside those of predictions, which come first but for the truth itself."""
    values = {**truth.values, **predictions.values, known: truth.values[known]}
    is_text = predictions.is_text and truth.is_text
    if predictions.is_text != truth.is_text:
        for name in {TRUE, PREDICTED} & values.keys():
            values[name] = [each if isinstance(each, list | tuple) else value_text(each) for each in values[name]]
    return replace(predictions, values=values, is_text=is_text, notes=(*truth.notes, *predictions.notes))


def _of_kind(columns: Columns, schema: Schema) -> Columns:
    """Find out what kind of data these are: declared, or as the form or the names of columns say."""
    if columns.kind is not None:
        if schema.kind not in (None, columns.kind):
            raise InputError.plain("kind", f"The file holds {columns.kind}, and {schema.kind} are declared")
        return columns
    kind = schema.kind or kind_of_columns(columns.values)
    if kind is Kind.SPANS and GOLD in columns and FOUND in columns:
        columns = columns.with_values(**{TRUE: columns.values[GOLD], PREDICTED: columns.values[FOUND]})
    if kind is Kind.CLASSES and schema.kind is None and ID not in columns:
        _require_no_counts(columns)
    if kind is Kind.COUNTS and COUNT not in columns and {TRUE, PREDICTED} <= columns.values.keys():
        problem = f"No column {COUNT!r} of counts: found {columns_found(columns.values)}"
        raise InputError.plain("", problem, f"Declare: columns (one for {COUNT}), or another kind.")
    if kind is None or (kind is Kind.COUNTS and COUNT not in columns):
        if schema.columns or schema.rows or not columns.values:
            raise lacks(PREDICTED, "nor y_score, value or predicted", columns.values)
        return of_crosstab(columns)
    return replace(columns, kind=kind)


def _require_no_counts(columns: Columns) -> None:
    """Refuse rows that may be of several examples each, as tables that a query groups call their number."""
    for name in (COUNT, "count"):
        if name in columns:
            problem = f"A column {name!r} and no {ID!r}: a row may be an example, or count several"
            raise InputError.plain("", problem, "Declare: kind (classes or counts).")


def _require_columns(columns: Columns, schema: Schema) -> None:
    """Require the columns that nothing can be read without."""
    if columns.kind is Kind.VALUES:
        columns.column(VALUE, "of numbers to compare")
    else:
        columns.column(TRUE, "of the truth")
    if columns.kind is Kind.SCORES:
        names = score_columns(columns.values)
        if not names or (SCORE in names and len(names) > 1):
            expected = f"either {SCORE} or a column {SCORE}_<label> for every class"
            raise InputError("", expected, columns_found(names or columns.values))
    elif columns.kind is not Kind.VALUES:
        columns.column(PREDICTED, "of predictions")
    if schema.clusters:
        columns.column(schema.clusters, "with the cluster of every example")
        columns.require(schema.clusters, "no single cluster", lambda value: not isinstance(value, list))
    if schema.runs:
        ids = columns.column(ID, "with the example of every prediction")
        if schema.runs is Runs.SEEDS and len({*map(value_text, ids)}) < len(ids):
            columns.column(RUN, "with the training that each prediction is of")


def _with_classes(columns: Columns, schema: Schema) -> Columns:
    """Read the classes off answers in words, and make integers of those of a text file if all are whole numbers."""
    labels = _labels(columns, schema)
    if schema.answer:
        columns = with_classes_read(columns, schema.answer, labels)
    is_flat = columns.is_text and columns.kind in (Kind.CLASSES, Kind.SCORES)
    if not is_flat:
        return replace(columns, labels=labels)
    names = (TRUE, PREDICTED) if columns.kind is Kind.CLASSES and schema.invalid == "error" else (TRUE,)
    written = as_written(*(columns.values[name] for name in names))
    columns = columns.with_values(**dict(zip(names, written, strict=True)))
    if isinstance(written[0], np.ndarray):
        labels = None if labels is None else [*map(_whole, labels)]
        if columns.kind is Kind.CLASSES and PREDICTED not in names:
            columns = columns.with_values(**{PREDICTED: [*map(_whole, columns.values[PREDICTED])]})
    return replace(columns, labels=labels)


def _whole(label: Any) -> Any:
    """Make an integer of a whole number that is written as text."""
    return int(label) if isinstance(label, str) and WHOLE.fullmatch(label) else label


def _labels(columns: Columns, schema: Schema) -> list[Any] | None:
    listed = columns.labels if schema.labels is None else schema.labels
    return None if listed is None else [*listed]


def _with_better(columns: Columns, schema: Schema) -> Columns:
    """Tell whether higher values are better: as declared, or as the log or the column's name says."""
    name, better = dict(schema.columns).get(VALUE, VALUE), schema.better or columns.better
    called = columns.compared if isinstance(columns, LogColumns) else name
    columns = replace(columns, better=better_of(called, better, VALUE))
    if columns.better == Better.HIGHER:
        return columns
    return columns.noting(f"lower values of {shown(name)} are better: their negatives are compared.")
