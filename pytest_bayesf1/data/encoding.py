"""Labels as integer codes; counts, of matrices, crosstabs and cells."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, issparse

from pytest_bayesf1.arrays import Codes, Counts, LabelArray, Weights
from pytest_bayesf1.choices import INVALID, INVALID_DEFAULT, Invalid
from pytest_bayesf1.data.labels import (
    Answers,
    answer_column,
    count_as_wrong,
    explicit_labels,
    if_class,
    in_order,
    is_fraction,
    kind_of,
    label_column,
    require_no_lists,
    require_no_null_words,
    require_no_scores,
    require_one_kind,
    require_one_spelling,
    require_one_vocabulary,
    tidy,
    whole_number,
)
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.errors import InputError, arg
from pytest_bayesf1.results.schema import UNREADABLE, Label
from pytest_bayesf1.text import first_few
from pytest_bayesf1.values import require_choice, require_once


def mask_unreadable(
    columns: Mapping[str, Iterable[Any]], labels: Iterable[Any] | None, weight: Weights | None = None
) -> tuple[LabelArray, dict[str, Answers]]:
    """Check columns of labels, and mask the predictions that are none of the classes.

    What looks like a mistake about the whole column stays an error: scores, labels of another kind, and answers that
    differ from a class in spelling alone.

    Examples
    --------
    >>> _, answers = mask_unreadable({"y_true": ["a", "b", "b"], "y_pred": ["a", None, "n/a"]}, labels=None)
    >>> answers["y_pred"].tolist()
    ['a', None, None]
    """
    (name, values), *predicted = columns.items()
    true = label_column(values, name)
    if labels is None:
        require_no_null_words({name: true})
    known: dict[str, LabelArray] = {name: true} if labels is None else {"labels": np.asarray(explicit_labels(labels))}
    ((_, classes),) = known.items()
    answers = {each: answer_column(said, each, kind_of(classes)) for each, said in predicted}
    require_one_kind({**known, name: true, **{each: column.compressed() for each, column in answers.items()}})
    said = {each: _counted_answers(column, weight) for each, column in answers.items() if not column.mask.all()}
    if labels is None:
        require_no_scores({name: _counted_answers(true, weight)} | said)
    # none of them may be a class: a model that only ever apologises is wrong, and no error
    first = name if labels is None else "labels"
    require_one_spelling(first, set(classes.tolist()), {each: set(answers) for each, answers in said.items()})
    for column in answers.values():
        column[~np.isin(column.data, classes)] = np.ma.masked
    return true, answers


def _counted_answers(column: LabelArray, weight: Weights | None) -> dict[Any, float]:
    """Count the examples of each label that is there."""
    there = ~np.ma.getmaskarray(column)
    labels, code = np.unique(np.ma.getdata(column)[there], return_inverse=True)
    count = np.bincount(code, None if weight is None else weight[there])
    return dict(zip(labels.tolist(), count.tolist(), strict=True))


def tidy_answers(texts: Iterable[Any], truth: LabelArray, *, is_text: bool) -> list[Any]:
    """Write answers as labels of the truth are written when they are read."""
    as_numbers = is_text and kind_of(truth) == "integers"
    tidied = [tidy(text) if isinstance(text, str) else text for text in texts]
    return [text and whole_number(text) for text in tidied] if as_numbers else tidied


def is_crosstab(value: object) -> bool:
    """Whether the rows and columns have labels of their own."""
    if not (hasattr(value, "index") and hasattr(value, "columns")):
        return False
    return not all(is_mere_position(axis) for axis in (value.index, value.columns))


def is_mere_position(axis: Any) -> bool:
    """Whether a data frame's axis has no names, only numbers that count it."""
    return type(axis).__name__ == "RangeIndex" and axis.name is None


def read_crosstab(table: Any) -> tuple[npt.NDArray[Any], tuple[Label, ...]]:
    """Read true classes off the index and predicted classes off the columns."""
    axes = {"index": label_column(list(table.index), "index"), "columns": label_column(list(table.columns), "columns")}
    require_no_null_words(axes)
    return square_crosstab(np.asarray(table), axes)


def square_crosstab(
    counts: npt.NDArray[Any], axes: Mapping[str, LabelArray]
) -> tuple[npt.NDArray[Any], tuple[Label, ...]]:
    """Bring a table to the same classes in its rows and columns, with zeros where one lacked."""
    (first, rows), (second, columns) = axes.items()
    for name, axis in axes.items():
        require_once(axis.tolist(), name, "class")
    if kind_of(rows) != kind_of(columns):
        raise InputError(second, f"{kind_of(rows)}, as in the {first}", kind_of(columns))
    _refuse_totals(counts)
    if counts.dtype.kind in "iuf" and counts.sum() > 0:
        examples = zip((rows, columns), (counts.sum(axis=1), counts.sum(axis=0)), strict=True)
        of_axes = (dict(zip(axis.tolist(), n.tolist(), strict=True)) for axis, n in examples)
        require_one_vocabulary(dict(zip(axes, of_axes, strict=True)))
    same = set(rows.tolist()) == set(columns.tolist())
    labels = rows.tolist() if same else in_order({*rows.tolist(), *columns.tolist()})
    position = {label: code for code, label in enumerate(labels)}
    square = np.zeros((len(labels), len(labels)), dtype=counts.dtype)
    square[np.ix_([position[row] for row in rows.tolist()], [position[column] for column in columns.tolist()])] = counts
    return square, tuple(labels)


def _refuse_totals(counts: npt.NDArray[Any]) -> None:
    """Refuse a crosstab with margins, which would count every example twice under a class called All."""
    if min(counts.shape) < 3 or counts.dtype.kind not in "iuf":
        return
    inner = counts[:-1, :-1]
    if (counts[-1, :-1] == inner.sum(axis=0)).all() and (counts[:-1, -1] == inner.sum(axis=1)).all():
        raise InputError("last row and column", "a class", "the totals of the others", "Use margins=False.")


def encode(
    columns: Mapping[str, Iterable[Any]],
    labels: Iterable[Any] | None,
    weight: Weights | None = None,
    invalid: Invalid = INVALID_DEFAULT,
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    """Encode columns of labels, one label per example, all over the same two or more classes.

    Examples
    --------
    >>> codes, labels = encode({"y_true": ["b", "a"], "y_pred": ["b", "b"]}, labels=None)
    >>> labels, codes["y_true"].tolist(), codes["y_pred"].tolist()
    (('a', 'b'), [1, 0], [1, 1])
    """
    require_choice("invalid", invalid, INVALID)
    require_same_index(columns)
    if invalid == "wrong":
        return _encode_answers(columns, labels, weight)
    true, *_ = columns
    arrays = {
        name: label_column(values, name, if_missing="" if name == true else count_as_wrong())
        for name, values in columns.items()
    }
    _require_equal_lengths(arrays)
    if labels is None:
        require_no_null_words({true: arrays[true]})
        require_no_null_words(arrays, advice=f"{count_as_wrong()} {if_class()}")
    codes, names = encode_arrays(arrays, labels, count_as_wrong())
    _require_two(names, " and ".join(arrays) if labels is None else "labels")
    if labels is None:
        require_one_vocabulary({name: _counted(column, names, weight) for name, column in codes.items()})
        require_no_lists(true, names)
    return codes, names


def _encode_answers(
    columns: Mapping[str, Iterable[Any]], labels: Iterable[Any] | None, weight: Weights | None
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    listed = None if labels is None else [label for label in labels if label is not UNREADABLE]
    truth, answers = mask_unreadable(columns, listed, weight)
    true, *_ = columns
    _require_equal_lengths({true: truth, **answers})
    codes, names = encode_arrays({true: truth}, listed)
    _require_two(names, true if listed is None else "labels")
    for name, said in answers.items():
        codes[name] = np.full(said.size, len(names))
        codes[name][~said.mask] = encode_arrays({name: said.compressed()}, names)[0][name]
    return codes, (*names, UNREADABLE)


def _require_two(names: tuple[Label, ...], where: str) -> None:
    if len(names) < 2:
        found = f"one class only ({names[0]!r})"
        raise InputError(where, "at least two classes", found, f"Name the others with {arg('labels', [...])}.")


def _counted(codes: Codes, names: tuple[Label, ...], weight: Weights | None) -> dict[Label, float]:
    """Count the examples of each label that occurs."""
    count = np.bincount(codes, weight, minlength=len(names)).tolist()
    return {name: n for name, n in zip(names, count, strict=True) if n}


def encode_arrays(
    arrays: Mapping[str, LabelArray], labels: Iterable[Any] | None, if_unlisted: str = ""
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    """Do as `encode` does, with columns that `label_column` checked and of any lengths."""
    require_one_kind(arrays)
    if labels is None:
        found = np.unique(np.concatenate([np.unique(array) for array in arrays.values()]))
        known = np.array(in_order(found.tolist()))
    else:
        known = np.asarray(explicit_labels(labels))
        require_one_kind({"labels": known, **arrays})
    order = np.argsort(known, kind="stable")
    advice = dict.fromkeys(list(arrays)[1:], if_unlisted)
    codes = {name: _codes(array, known, order, name, advice.get(name, "")) for name, array in arrays.items()}
    return codes, tuple(known.tolist())


def _codes(array: LabelArray, known: LabelArray, order: Codes, where: str, if_unlisted: str) -> Codes:
    position = np.searchsorted(known, array, sorter=order).clip(max=known.size - 1)
    codes: Codes = order[position]
    unknown = known[codes] != array
    if unknown.any():
        missing = in_order(np.unique(array[unknown]).tolist())
        require_one_spelling("labels", set(known.tolist()), {where: set(missing)})
        are_scores = is_fraction(str(missing[0]))
        advice = "Pass labels, not probabilities." if are_scores else f"Add them to labels. {if_unlisted}".strip()
        raise InputError(where, "only values listed in labels", first_few(map(repr, missing)), advice)
    return codes


def require_same_index(columns: Mapping[str, Iterable[Any]]) -> None:
    """Refuse pandas columns that pandas itself would not put side by side in this order."""
    axes: dict[str, Any] = {name: getattr(values, "index", None) for name, values in columns.items()}
    first, *others = [(name, axis) for name, axis in axes.items() if hasattr(axis, "equals")] or [("", None)]
    for name, axis in others:
        if len(axis) == len(first[1]) and not axis.equals(first[1]):
            advice = "Align them, or pass .to_numpy() of both."
            raise InputError(name, f"the index of {first[0]}", "another index", advice)


def _require_equal_lengths(arrays: Mapping[str, LabelArray]) -> None:
    first, *others = arrays
    for name in others:
        if arrays[name].size != arrays[first].size:
            raise InputError(name, f"{arrays[first].size} labels, as in {first}", f"{arrays[name].size}")


_MAX_COUNT = 2**53  # beyond it a float no longer holds every whole number


def as_numbers(values: Any, where: str, expected: str, *, or_booleans: bool = False) -> npt.NDArray[Any]:
    """Make an array of numbers of what a caller handed in, never out of text."""
    if np.ma.is_masked(values):
        raise InputError(where, expected, "masked values")
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(where, expected, "rows of different lengths") from None
    if array.dtype.kind == "O" and all(isinstance(value, Real | None) for value in array.ravel()):
        try:
            array = array.astype(float)
        except OverflowError:
            raise InputError(where, expected, "a number beyond 10^308") from None
    if array.dtype.kind not in ("biuf" if or_booleans else "iuf"):
        found = {"U": "text", "S": "text", "b": "booleans", "O": f"{type(values).__name__}"}
        raise InputError(where, expected, found.get(array.dtype.kind, str(array.dtype)))
    return array


def require_cells(array: npt.NDArray[Any], where: str, rules: Iterable[tuple[npt.NDArray[np.bool_], str, str]]) -> None:
    """Require that no cell of an array breaks a rule."""
    for broken, expected, advice in rules:
        if broken.any():
            cell = tuple(np.argwhere(broken)[0].tolist())
            raise InputError(f"{where}[{', '.join(map(str, cell))}]", expected, str(array[cell]), advice)


def whole_counts(array: npt.NDArray[Any]) -> Counts:
    """Return numbers of examples as 64-bit integers."""
    require_cells(
        array,
        "counts",
        (
            (~np.isfinite(array), "finite counts", ""),
            (array < 0, "no negative count", ""),
            (array != np.floor(array), "whole numbers", "Pass counts, not normalised rates."),
            (array > _MAX_COUNT, "counts up to 2^53", ""),
        ),
    )
    if array.sum(dtype=float) > _MAX_COUNT:
        raise InputError("counts", "at most 2^53 examples in all", f"{array.sum(dtype=float):.3g}")
    if not array.any():
        raise InputError("counts", "at least one example", "zeros only")
    return array.astype(np.int64)


Labels: TypeAlias = Iterable[Label] | None
"""The classes in their order, or all that occur."""


def tally_cells(
    columns: Mapping[str, Iterable[Any]], count: npt.ArrayLike, labels: Iterable[Label], invalid: Invalid
) -> tuple[OutcomeTable, tuple[Label, ...]]:
    """Count outcomes that are given with their numbers."""
    codes, names = encode(columns, labels, invalid=invalid)
    true, *predicted = codes.values()
    weight = whole_counts(as_numbers(count, "counts", "whole numbers"))
    if weight.shape != true.shape:
        raise InputError("counts", f"{true.size} counts, one per cell", f"shape {weight.shape}")
    return OutcomeTable.tally(len(names), true, *predicted, weight=weight), names


Indicators: TypeAlias = Any
"""A sparse (N, L) array of ones."""
Encoded: TypeAlias = tuple[dict[str, Indicators], tuple[Label, ...], str]
Sets: TypeAlias = list[Collection[Any]]

_FORMS = "indicators of shape (N, L), or N sets of labels"


def encode_labels(columns: Mapping[str, Any], labels: Iterable[Any] | None) -> Encoded:
    """Bring examples' labels, all in one form, to indicators over the same labels."""
    require_same_index(columns)
    rows = {name: _rows(values, name) for name, values in columns.items()}
    forms = {name: "sets of labels" if _are_sets(each) else "indicators" for name, each in rows.items()}
    (first, form), *others = forms.items()
    for name, other in others:
        if other != form:
            raise InputError(name, f"{form}, as in {first}", other, "Convert one.")
    encoded = _from_sets(rows, labels) if form == "sets of labels" else _from_tables(rows, labels)
    sizes = {name: table.shape[0] for name, table in encoded[0].items()}
    for name, size in sizes.items():
        if size != sizes[first]:
            raise InputError(name, f"{sizes[first]} examples, as in {first}", f"{size}")
    return encoded


def _rows(values: Any, where: str) -> Any:
    """Return a table as it is, anything else as a list with a collection for every example."""
    if len(getattr(values, "shape", (0,))) != 1:
        return values
    in_order = isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping | AbstractSet)
    rows = list(values) if in_order else []
    wrong = [values]
    if in_order:
        wrong = [row for row in rows if isinstance(row, str | bytes | Mapping) or not isinstance(row, Collection)]
    if wrong:
        advice = "For one class per example there is ConfusionMatrix."
        raise InputError(where, _FORMS, f"{type(wrong[0]).__name__} for an example", advice)
    if not rows:
        raise InputError(where, "at least one example", "an empty sequence")
    return rows


def _are_sets(rows: Any) -> bool:
    """Whether rows hold labels: those of numbers must be sets, or be taken for indicators."""
    if not isinstance(rows, list):
        return False
    holds_labels = any(isinstance(row, AbstractSet) for row in rows) or not any(len(row) for row in rows)
    return holds_labels or any(isinstance(label, str) for row in rows for label in row)


def _from_sets(columns: Mapping[str, Sets], labels: Iterable[Any] | None) -> Encoded:
    if not any(len(row) for rows in columns.values() for row in rows):
        raise InputError(" and ".join(columns), "at least one label", "none at all")
    codes, names = encode_any_number(columns, labels, "label")
    indicators = {name: _indicators(rows, codes[name], len(names)) for name, rows in columns.items()}
    return indicators, names, "data" if labels is None else "caller"


def encode_any_number(
    columns: Mapping[str, Sequence[Collection[Any]]], labels: Iterable[Any] | None, noun: str
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    """Encode labels of which an example has any number, so that a column, but not all, may be empty."""
    flat = {name: [label for row in rows for label in row] for name, rows in columns.items()}
    examples = {name: np.repeat(np.arange(len(rows)), list(map(len, rows))).tolist() for name, rows in columns.items()}
    arrays = {
        name: label_column(values, name, noun, examples=examples[name]) for name, values in flat.items() if values
    }
    if labels is None:
        require_no_null_words(arrays, noun, examples=examples)
    codes, names = encode_arrays(arrays, labels)
    if labels is None:
        first, *others = ((name, set(array.tolist())) for name, array in arrays.items())
        require_one_spelling(*first, dict(others))
    return {name: codes.get(name, np.empty(0, dtype=np.int64)) for name in columns}, names


def _indicators(rows: Sets, codes: Codes, n_labels: int) -> Indicators:
    ends = np.cumsum([0, *map(len, rows)])
    table = csr_array((np.ones(codes.size, dtype=np.int8), codes, ends), shape=(len(rows), n_labels))
    table.sum_duplicates()
    table.data[:] = 1
    return table


def _from_tables(columns: Mapping[str, Any], labels: Iterable[Any] | None) -> Encoded:
    tables = {name: _read_table(values, name) for name, values in columns.items()}
    own = {name: _column_names(values, name) for name, values in columns.items()}
    named = [names for names in own.values() if names is not None]
    known = explicit_labels(labels) if labels is not None else named[0] if named else None
    names = tuple(range(next(iter(tables.values())).shape[1])) if known is None else known
    indicators = {name: _with_columns(table, own[name], names, name) for name, table in tables.items()}
    return indicators, names, "position" if known is None else "caller"


def _read_table(values: Any, where: str) -> Indicators:
    array = values if issparse(values) else as_numbers(values, where, _FORMS, or_booleans=True)
    if len(array.shape) != 2 or not all(array.shape):
        raise InputError(where, _FORMS, f"shape {array.shape}")
    table = csr_array(array, copy=True)
    table.sum_duplicates()
    table.eliminate_zeros()
    wrong = np.flatnonzero(table.data != 1)
    if wrong.size:
        cells = table.tocoo()
        row, column, value = (each[wrong[0]].item() for each in (cells.row, cells.col, cells.data))
        advice = "Pass decisions, not scores; and labels that are numbers in sets: {0, 2}."
        raise InputError(f"{where}[{row}, {column}]", "0 or 1", f"{value:g}", advice)
    return table.astype(np.int8)


def _column_names(values: Any, where: str) -> tuple[Label, ...] | None:
    columns = getattr(values, "columns", None)
    if columns is None or is_mere_position(columns):
        return None
    return explicit_labels(list(columns), f"{where}.columns")


def _with_columns(table: Indicators, own: tuple[Label, ...] | None, names: tuple[Label, ...], where: str) -> Indicators:
    """Put the columns in the order of the names."""
    if own is None:
        if table.shape[1] != len(names):
            raise InputError(where, f"{len(names)} columns, one per label", f"{table.shape[1]}")
        return table
    if set(own) != set(names):
        differing = sorted(map(repr, set(own) ^ set(names)))
        raise InputError(f"{where}.columns", "the same labels everywhere", f"{first_few(differing)} not everywhere")
    column = {label: code for code, label in enumerate(own)}
    return table[:, [column[label] for label in names]]
