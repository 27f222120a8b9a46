"""Read a file as its schema declares it: columns of known names, of the rows that are asked for, with their truth."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isfinite
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from pytest_bayesf1.choices import Kind, Runs
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
from pytest_bayesf1.data.labels import is_missing
from pytest_bayesf1.data.scores import is_higher_better
from pytest_bayesf1.data.spans import spans_of_tags
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
    _require_asked(columns, schema)
    return _PREPARED[columns.kind](columns, schema)


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
    if kind is Kind.COUNTS and COUNT not in columns and {TRUE, PREDICTED} <= columns.values.keys():
        problem = f"No column {COUNT!r} of counts: found {columns_found(columns.values)}"
        raise InputError.plain("", problem, f"Declare: columns (one for {COUNT}), or another kind.")
    if kind is None or (kind is Kind.COUNTS and COUNT not in columns):
        if schema.columns or schema.rows or not columns.values:
            raise lacks(PREDICTED, "nor y_score, value or predicted", columns.values)
        return of_crosstab(columns)
    return replace(columns, kind=kind)


def _require_asked(columns: Columns, schema: Schema) -> None:
    """Require the columns that nothing can be read without."""
    if columns.kind is Kind.COUNTS:
        return
    if schema.clusters:
        columns.column(schema.clusters, "with the cluster of every example")
        columns.require(schema.clusters, "no single cluster", lambda value: not isinstance(value, list))
    if schema.runs:
        ids = columns.column(ID, "with the example of every prediction")
        if schema.runs is Runs.SEEDS and len({*map(value_text, ids)}) < len(ids):
            columns.column(RUN, "with the training that each prediction is of")


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple | set | dict | np.ndarray)


def _has_lists(values: Any) -> bool:
    if isinstance(values, np.ndarray):
        return values.ndim > 1
    return any(issubclass(each, list | tuple | set | dict | np.ndarray) for each in {*map(type, values)})


def _truth_and_answer(columns: Columns) -> None:
    for name, what in ((TRUE, "of the truth"), (PREDICTED, "of predictions")):
        columns.column(name, what)


def _classes(columns: Columns, schema: Schema) -> Columns:
    _truth_and_answer(columns)
    labels = _labels(columns, schema)
    if schema.answer:
        columns = with_classes_read(columns, schema.answer, labels)
    if schema.invalid == "error":
        return _in_whole_numbers(columns, labels, TRUE, PREDICTED)
    columns = _in_whole_numbers(columns, labels, TRUE)
    return columns.with_values(**{PREDICTED: _as_the_truth(columns)}) if columns.is_text else columns


def _as_the_truth(columns: Columns) -> list[Any]:
    """Write predictions as the truth is written: whole numbers as integers, whatever else there may be."""
    answers: list[Any] = columns.values[PREDICTED]
    if not isinstance(columns.values[TRUE], np.ndarray):
        return answers
    return [int(each) if each and WHOLE.fullmatch(each) else each for each in answers]


def _labels(columns: Columns, schema: Schema) -> list[Any] | None:
    listed = columns.labels if schema.labels is None else schema.labels
    return None if listed is None else [*listed]


def _in_whole_numbers(columns: Columns, labels: list[Any] | None, *names: str) -> Columns:
    """Make integers of the classes of a text file if all are whole numbers."""
    if columns.is_text:
        columns = columns.with_values(
            **dict(zip(names, as_written(*(columns.values[name] for name in names)), strict=True))
        )
    are_numbers = all(isinstance(columns.values[name], np.ndarray) for name in names)
    if labels is not None and columns.is_text and are_numbers:
        labels = [int(each) if isinstance(each, str) and WHOLE.fullmatch(each) else each for each in labels]
    return replace(columns, labels=labels)


def _sets(columns: Columns, schema: Schema) -> Columns:
    _truth_and_answer(columns)
    return replace(columns, labels=_labels(columns, schema))


def _spans(columns: Columns, schema: Schema) -> Columns:
    """Take the spans of a document in every row, or the tags of its tokens."""
    if GOLD in columns and FOUND in columns:
        columns = columns.with_values(**{TRUE: columns.values[GOLD], PREDICTED: columns.values[FOUND]})
    _truth_and_answer(columns)
    columns = replace(columns, labels=_labels(columns, schema))
    rows = {name: columns.values[name] for name in (TRUE, PREDICTED)}
    if any(isinstance(tag, str) for each in rows.values() for tags in each if isinstance(tags, list) for tag in tags):
        _, found = spans_of_tags(rows, rows=columns.rows)
        return columns.with_values(**dict(zip(rows, found, strict=True)))
    return columns


def _scores(columns: Columns, schema: Schema) -> Columns:
    names = score_columns(columns.values)
    columns.column(TRUE, "of the truth")
    if not names or (SCORE in names and len(names) > 1):
        expected = f"either {SCORE} or a column {SCORE}_<label> for every class"
        raise InputError("", expected, columns_found(names or columns.values))
    for name in names:
        columns.require(name, "no single number or row of them", _is_no_list_of_one)
    numbers = {name: [*map(_number, columns.values[name])] for name in names}
    return _in_whole_numbers(columns.with_values(**numbers), _labels(columns, schema), TRUE)


def _is_no_list_of_one(value: Any) -> bool:
    """Refuse scores of shape (N, 1): they may be of one class, or of a model that has but one output."""
    return not isinstance(value, list | tuple | np.ndarray) or np.shape(value) == () or len(value) != 1


def _number(value: Any) -> Any:
    """Read a number that is written as text."""
    if not isinstance(value, str):
        return value
    try:
        return float(value)
    except ValueError:
        return value


def _values(columns: Columns, schema: Schema) -> Columns:
    columns.column(VALUE, "of numbers to compare")
    higher = _is_higher_better(columns, schema)
    if schema.invalid == "wrong":
        columns = _zero_where_missing(columns, higher=higher)
    columns.require_present(VALUE, declare="invalid: wrong, which counts it as 0")
    numbers = _grades(columns)
    if higher:
        return columns.with_values(**{VALUE: numbers})
    name = shown(dict(schema.columns).get(VALUE, VALUE))
    negative = columns.with_values(**{VALUE: -np.asarray(numbers, float)})
    return negative.noting(f"lower values of {name} are better: their negatives are compared.")


def _is_higher_better(columns: Columns, schema: Schema) -> bool:
    """Tell whether higher values are better: as declared, or as the log or the column's name says."""
    name, better = dict(schema.columns).get(VALUE, VALUE), schema.better
    if isinstance(columns, LogColumns):
        name, better = columns.compared, better or columns.better
    return is_higher_better(name, better, VALUE)


def _zero_where_missing(columns: Columns, *, higher: bool) -> Columns:
    """Count an example without a value as wrong, as 0; what that is among values below 0 is not known."""
    values = columns.column(VALUE)
    missing = {row for row, value in enumerate(values) if is_missing(value)}
    if not missing:
        return columns
    filled = columns.with_values(**{VALUE: [0.0 if row in missing else value for row, value in enumerate(values)]})
    if not higher or min(_grades(filled)) < 0:
        problem = "invalid: wrong counts a missing value as 0, and that is not the worst of these"
        raise InputError.plain(VALUE, problem, "Leave these examples out of both files.")
    return replace(filled, n_filled=len(missing))


_RIGHT = {"true": 1.0, "false": 0.0}


def _grades(columns: Columns) -> list[float]:
    """Read numbers, also where they are text. What is right has the value 1."""
    numbers = [_number(_RIGHT.get(str(value).lower(), value)) for value in columns.column(VALUE)]
    columns.with_values(**{VALUE: numbers}).require(VALUE, "no finite number", _is_finite)
    return numbers


def _is_finite(value: Any) -> bool:
    return isinstance(value, Real) and isfinite(value)


def _counts(columns: Columns, schema: Schema) -> Columns:
    return replace(columns, labels=_labels(columns, schema))


_PREPARED: Mapping[Kind, Callable[[Columns, Schema], Columns]] = {
    Kind.CLASSES: _classes,
    Kind.LABELS: _sets,
    Kind.SPANS: _spans,
    Kind.SCORES: _scores,
    Kind.VALUES: _values,
    Kind.COUNTS: _counts,
}
