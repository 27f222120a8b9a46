"""Class labels, by three rules: what is missing, what the classes are, and what names an example.

**Missing** are None, NaN, pandas' NA and NaT, and text that is empty or spaces. Words such as "nan" are text.

**The vocabulary is closed.** The classes are those that the caller lists, or those of the truth. Labels are text, whole
numbers or booleans, and equal if their text is equal: 1 and "1" are one class, "1" and "01" are two. Other answers are
kept as they are: what they count as depends on the side that gives them, which a comparison decides.

**Ids** are labels of examples: none is missing, and none is there twice.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from datetime import date
from enum import Enum
from math import isfinite, nan
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np

from pytest_bayesf1.arrays import Codes, LabelArray, Weights, as_array
from pytest_bayesf1.choices import INVALID, Invalid
from pytest_bayesf1.errors import InputError, not_declared, shown
from pytest_bayesf1.results.schema import UNREADABLE, Label
from pytest_bayesf1.text import brief, counted, first_few, plural
from pytest_bayesf1.values import require_choice, require_once

LARGEST_WHOLE = 2**53
"""Beyond it a float no longer holds every whole number."""

DECLARE_LABELS = "labels (all classes)"
DECLARE_CLASSES = f"{DECLARE_LABELS}, or invalid: wrong"
DECLARE_KIND = "kind, or write classes as text"
_LABELS = "text, whole numbers or booleans"


def is_missing(value: object) -> bool:
    """Tell None, NaN, pandas' NA and NaT, and text that is empty or spaces from values.

    Examples
    --------
    >>> is_missing(" "), is_missing("nan")
    (True, False)
    """
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    return value is None or value is UNREADABLE or type(value).__name__ in {"NAType", "NaTType"}


def label_of(value: Any) -> Label | None:
    """Return a value as a label; None where it cannot be one.

    Examples
    --------
    >>> label_of(np.float32(2)), label_of(0.5), label_of("01"), label_of(b"ham")
    (2, None, '01', 'ham')
    """
    value = value.value if isinstance(value, Enum) else value
    value = value.item() if hasattr(value, "item") and np.ndim(value) == 0 else value
    if isinstance(value, bytes):
        value = value.decode(errors="backslashreplace")
    if isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST_WHOLE:
        return int(value)
    if isinstance(value, str):
        return str.__str__(value)
    return value if isinstance(value, int) else None


def positions(labels: Iterable[Label]) -> dict[Any, int]:
    """Return the position of every label by its `key`."""
    return {key(label): code for code, label in enumerate(labels)}


def key(label: Label) -> Any:
    """Return what equal labels have in common."""
    return label if label is UNREADABLE else str(label)


class Rows(NamedTuple):
    """What the rows of columns are.

    Attributes
    ----------
    weight : (N,) or None
        How many examples each is; None where it is one.
    unit
        What messages call a row: a position, counted from 0; of files a line, or a row, counted from 1.
    numbers : (K,) or None
        The number of each row of the input; None where they are counted.
    taken : (N,) or None
        Which of these they are; None where they are all.
    where
        The side and the file, as messages say them.
    names
        What messages call arguments, where that is not their own name.
    declare
        The argument that declares that rows have no class each; nothing where there is none.
    """

    weight: Weights | None = None
    unit: str = "position"
    numbers: Sequence[int] | Codes | None = None
    where: str = ""
    names: Mapping[str, str] = MappingProxyType({})
    declare: str = ""
    taken: Codes | None = None

    def place(self, row: int) -> str:
        """Name a row, counted from 0."""
        (position,) = self.positions([row])
        number = position + (self.unit == "row") if self.numbers is None else self.numbers[position]
        return self.unit and f"{self.unit} {number}"

    def positions(self, rows: Any) -> Codes:
        """Return where rows are in the input, from 0."""
        found = np.asarray(rows, dtype=np.int64)
        return found if self.taken is None else self.taken[found]

    def take(self, rows: Any) -> "Rows":
        """Return some of the rows, by position."""
        return self._replace(taken=self.positions(rows), weight=None)

    def of_items(self, lists: Sequence[Sized]) -> "Rows":
        """Return the row of every item of the lists that the rows hold."""
        return self.take(np.repeat(np.arange(len(lists)), [*map(len, lists)]))

    def named(self, argument: str) -> str:
        """Return what messages call an argument."""
        return self.names.get(argument, argument)

    def refused(
        self, where: str, what: str, values: Any, rows: Sequence[int] | Codes, declared: str = "", declare: str = ""
    ) -> InputError:
        """Say that values in some rows cannot be used."""
        wrong = [None if is_missing(values[row]) else values[row] for row in rows]
        times = Counter(map(shown, wrong))
        found = {shown(value): (value, times[shown(value)]) for value in wrong}
        return not_declared(where, what, [*found.values()], len(values), self.place(int(rows[0])), declared, declare)


EACH = Rows()
"""Every row is an example."""


class Column(NamedTuple):
    """A column of labels.

    Attributes
    ----------
    labels
        The different labels, in any order; None stands for what is missing.
    codes : (N,)
        The position of each row's label among them.
    rows
        What the rows are.
    """

    labels: list[Label | None]
    codes: Codes
    rows: Rows

    def refused(
        self, where: str, what: str, labels: Sequence[int], values: Sequence[Any], declared: str = "", declare: str = ""
    ) -> InputError:
        """Say that some of the labels cannot be used."""
        times = np.bincount(self.codes, self.rows.weight)
        found = [(values[label], round(float(times[label]))) for label in labels]
        first = self.rows.place(int(np.isin(self.codes, labels).argmax()))
        return not_declared(where, what, found, round(float(times.sum())), first, declared, declare)


def read_column(values: Any, where: str, noun: str = "class label", rows: Rows = EACH) -> Column:
    """Read a column of labels, or of what ``noun`` says.

    Examples
    --------
    >>> column = read_column([1, "1", None, 2.0], "y_true")
    >>> column.labels, column.codes.tolist()
    ([1, None, 2], [0, 0, 1, 2])
    """
    items = _items(values, where, noun)
    raw, codes = _distinct(items)
    if not codes.size:
        raise InputError(where, f"at least one {noun}", "an empty sequence")
    labels: list[Label | None] = []
    positions: dict[str | None, int] = {}
    merged, wrong = [], []
    for position, value in enumerate(raw):
        label = None if is_missing(value) else label_of(value)
        if label is None and not is_missing(value):
            wrong.append(position)
        text = None if label is None else str(label)
        if text not in positions:
            positions[text] = len(labels)
            labels.append(label)
        merged.append(positions[text])
    if wrong:
        declare = rows.declare if noun == "class label" else ""
        raise Column([], codes, rows).refused(where, f"no {noun}", wrong, raw, f"{noun}s are {_LABELS}", declare)
    return Column(labels, codes if len(labels) == len(raw) else np.array(merged)[codes], rows)


def _items(values: Any, where: str, noun: str) -> Any:
    """Return a flat array of numbers, or a list."""
    if isinstance(values, str | bytes | Mapping | AbstractSet) or not isinstance(values, Iterable):
        raise not_flat(where, noun, type(values).__name__)
    if isinstance(values, np.ma.MaskedArray):
        return values.ravel().tolist()
    if hasattr(values, "__array__"):
        array = as_array(values)
        if array.ndim == 2 and array.shape[1] == 1:
            array = array[:, 0]
        if array.ndim != 1:
            raise not_flat(where, noun, f"shape {array.shape}")
        if array.dtype.kind in "biuf":
            return array
        values = array.tolist()
    return list(values)


def not_flat(where: str, noun: str, found: str, declare: str = "") -> InputError:
    """Say that there is no single value for every example."""
    return InputError(where, f"one {noun} for every example", found, declare and f"Declare: {declare}.")


def _distinct(items: Any) -> tuple[list[Any], Codes]:
    """Return the different values, and which of them each is; 1 and True are two."""
    if isinstance(items, np.ndarray):
        raw, codes = np.unique(items, return_inverse=True)
        return raw.tolist(), codes
    keys: Iterable[Any] = items
    if not set(map(type, items)) <= {str, int}:
        keys = [(type(each), each if isinstance(each, str | int | float) else repr(each)) for each in items]
    different = dict(zip(keys, items, strict=True))
    places = {key: place for place, key in enumerate(different)}
    codes = np.fromiter(map(places.__getitem__, keys), np.int64, len(items))
    return [*different.values()], codes


def label_column(values: Any, where: str, noun: str = "class label", rows: Rows = EACH) -> LabelArray:
    """Read a column of which nothing is missing, as an array: of numbers if all are whole numbers, else of text.

    Examples
    --------
    >>> label_column([2.0, 10], "ids", "id"), label_column(["x", 7], "ids", "id")
    (array([ 2, 10]), array(['x', '7'], dtype='<U1'))
    """
    items = _items(values, where, noun)
    plain = _plain_array(items)
    if plain is not None and plain.size:
        return plain
    column = read_column(items, where, noun, rows)
    require_present(column, where, noun)
    kinds = set(map(type, column.labels))
    if kinds == {bool} or (kinds == {int} and all(-(2**63) <= each < 2**63 for each in column.labels)):  # type: ignore[operator]
        return np.array(column.labels)[column.codes]
    return np.array([*map(str, column.labels)])[column.codes]


def _plain_array(items: Any) -> LabelArray | None:
    """Return text or whole numbers as an array; None where something is missing, or they are of several types."""
    types = set() if isinstance(items, np.ndarray) else {*map(type, items)}
    if types == {str}:
        return np.array(items) if all(map(str.strip, items)) else None
    array = np.array(items) if types <= {int} else None
    return array if array is not None and array.dtype == np.int64 else None


def require_present(column: Column, where: str, noun: str = "class label") -> None:
    """Refuse missing values."""
    if None in column.labels:
        raise column.refused(where, f"no {noun}", [column.labels.index(None)], column.labels)


def in_order(labels: Iterable[Any]) -> list[Any]:
    """Sort labels: numbers by their value, also where they are text, before other text.

    Examples
    --------
    >>> in_order(["10", "9", "b", "a"])
    ['9', '10', 'a', 'b']
    """
    return sorted(labels, key=_place)


def _place(label: Any) -> tuple[Any, ...]:
    if not isinstance(label, str):
        return 0, label, ""
    try:
        value = nan if label.startswith("0") and label[1:2].isdigit() else float(label)
    except ValueError:
        value = nan
    return (0, value, label) if isfinite(value) else (1, 0, label)


class ClassCodes(NamedTuple):
    """Columns of labels as positions among the same labels.

    Attributes
    ----------
    codes
        (N,) by column.
    labels
        All that occur, `UNREADABLE` last where answers are missing or count as wrong.
    vocabulary
        What an answer may be: the classes, and `UNREADABLE` where that is declared.
    """

    codes: dict[str, Codes]
    labels: tuple[Label, ...]
    vocabulary: tuple[Label, ...]


def encode(
    columns: Mapping[str, Iterable[Any]],
    labels: Iterable[Any] | None = None,
    *,
    invalid: Invalid = None,
    true: Collection[str] = (),
    rows: Rows = EACH,
) -> ClassCodes:
    """Encode columns of labels, one label per example; the first is the truth, or those that ``true`` names are.

    Examples
    --------
    >>> found = encode({"y_true": ["b", "a"], "y_pred": ["b", "c"]})
    >>> found.labels, found.vocabulary, found.codes["y_pred"].tolist()
    (('a', 'b', 'c'), ('a', 'b'), [1, 2])
    """
    if invalid is not None:
        require_choice("invalid", invalid, INVALID)
    require_same_index(columns)
    read = {name: read_column(values, name, rows=rows) for name, values in columns.items()}
    first = next(iter(read))
    n = read[first].codes.size
    for name, column in read.items():
        if column.codes.size != n:
            raise InputError(name, f"{counted(n, 'label')}, as in {first}", f"{column.codes.size}")
    found = encode_read(read, labels, true=true or (first,), invalid=invalid)
    if len(found.labels) < 2:
        problem = f"{first if labels is None else 'labels'} has only one class, {shown(found.labels[0])}"
        raise InputError.plain("", problem, "Declare: labels (all classes).")
    return found


def encode_read(
    read: Mapping[str, Column],
    labels: Iterable[Any] | None,
    *,
    true: Collection[str],
    invalid: Invalid = None,
    noun: str = "class",
) -> ClassCodes:
    """Do the same with columns that were read, of any lengths."""
    for name in true:
        require_present(read[name], name)
    own: dict[str, Label] = {}
    for name in true:
        own = {str(label): label for label in read[name].labels if label is not None} | own
    classes = in_order(own.values()) if labels is None else [*explicit_labels(labels)]
    known = positions(classes)
    others: dict[str, Label] = {}
    for name, column in read.items():
        outside = {str(each): each for each in column.labels if each is not None}
        if name in true or invalid == "error":
            of = "labels" if labels is not None else " or ".join(true)
            declare = DECLARE_LABELS if name in true else DECLARE_CLASSES
            require_known(name, column, classes, f"no {noun} of {of}", noun, declare)
        others = {text: each for text, each in outside.items() if text not in known} | others
    lacks_some = any(None in column.labels for column in read.values())
    if invalid == "wrong":
        others = {}
    names = [*classes, *in_order(others.values())] if labels is not None else in_order([*classes, *others.values()])
    position, unreadable = positions(names), len(names)
    if invalid == "wrong" or lacks_some:
        names.append(UNREADABLE)
    codes = {}
    for name, column in read.items():
        of_labels = [unreadable if each is None else position.get(str(each), unreadable) for each in column.labels]
        codes[name] = np.array(of_labels, dtype=np.int64)[column.codes]
    declared = [UNREADABLE] if invalid == "wrong" else []
    return ClassCodes(codes, tuple(names), (*classes, *declared))


def require_known(
    where: str, column: Column, classes: Collection[Label], what: str, noun: str = "class", declare: str = ""
) -> None:
    """Refuse labels that are none of the classes, and missing ones."""
    known = positions(classes)
    outside = [at for at, each in enumerate(column.labels) if each is None or str(each) not in known]
    if outside:
        declared = f"{plural(noun)} {first_few(map(shown, classes), 3)}"
        raise column.refused(where, what, outside, column.labels, declared, declare)


def encode_any_number(
    columns: Mapping[str, Sequence[Collection[Any]]], labels: Iterable[Any] | None, noun: str, rows: Rows = EACH
) -> ClassCodes:
    """Encode labels of which an example has any number, so that a column, but not all, may be empty."""
    read = {}
    for name, collections in columns.items():
        flat = [label for each in collections for label in each]
        if flat:
            read[name] = read_column(flat, name, noun, rows.of_items(collections))
            require_present(read[name], name, noun)
    true = [name for name in list(columns)[:1] if name in read]
    found = encode_read(read, labels, true=true, noun=noun)
    codes = {name: found.codes.get(name, np.empty(0, dtype=np.int64)) for name in columns}
    return found._replace(codes=codes)


def identifiers(
    values: Iterable[Any], n: int, where: str, noun: str = "id", per: str = "example", rows: Rows = EACH
) -> LabelArray:
    """Check a column of ids, or of what ``noun`` says, one for each of ``n`` rows."""
    array = as_array(values) if hasattr(values, "__array__") else None
    if array is not None and array.dtype.kind in "MO":
        values = (array.astype("M8[us]") if array.dtype == "M8[ns]" else array).tolist()  # Python has no nanoseconds
    if isinstance(values, list | tuple):  # what is no label may name an example all the same
        values = [str(each) if isinstance(each, UUID | date) and not is_missing(each) else each for each in values]
    ids = label_column(values, where, noun, rows)
    if ids.size != n:
        raise InputError(where, f"{n} {noun}s, one per {per}", f"{ids.size}")
    return ids


def require_unique(ids: LabelArray, where: str = "ids", declare: str = "", rows: Rows = EACH) -> None:
    """Refuse ids of which one is there twice."""
    if len({*ids.tolist()}) < ids.size:
        again = np.ones(ids.size, dtype=bool)
        again[np.unique(ids, return_index=True)[1]] = False
        raise rows.refused(where, "duplicate", ids, np.flatnonzero(again), declare=declare)


def explicit_labels(labels: Iterable[Any], where: str = "labels") -> tuple[Label, ...]:
    """Check a caller's list of labels: no label twice."""
    listed = [label for label in labels if label is not UNREADABLE]
    column = read_column(listed, where)
    require_present(column, where)
    require_once((str(column.labels[code]) for code in column.codes.tolist()), where, "label")
    return tuple(column.labels)  # type: ignore[arg-type]


def row_labels(labels: Iterable[Any] | None, n_rows: int) -> tuple[Label, ...]:
    """Name the rows of counts: by the caller's labels, else by position."""
    names = tuple(range(n_rows)) if labels is None else explicit_labels(labels)
    if len(names) != n_rows:
        raise InputError("labels", f"{counted(n_rows, 'label')}, one per row", f"{len(names)}")
    return names


def position_of(label: str, labels: Sequence[Label], where: str, advice: str = "") -> int:
    """Find a class by its name, as somebody writes it down; raise `InputError` where there is none.

    Examples
    --------
    >>> position_of("1", [0, 1], "measure")
    1
    """
    names = [str(each) for each in labels]
    if label in names:
        return names.index(label)
    raise InputError(where, f"a class among {first_few(map(brief, names), 20)}", shown(label), advice)


_NEGATIVE_AND_POSITIVE = (("0", "1"), ("-1", "1"), ("False", "True"), ("false", "true"), ("FALSE", "TRUE"))


def positive_class(labels: Sequence[Label], true_labels: Sequence[Label]) -> Label | None:
    """Return the class that a measure of one class is about when none is named, if the labels tell; else None.

    They do when they are 0 and 1, -1 and 1, or False and True, also where a file has these as text. Others may be among
    them that no example has: these are no classes.

    Examples
    --------
    >>> positive_class([0, 1], [0, 1]), positive_class(["ham", "spam"], ["ham", "spam"])
    (1, None)
    """
    by_text = {str(label): label for label in labels}
    true = set(map(str, true_labels))
    positives = {pair[1] for pair in _NEGATIVE_AND_POSITIVE if true <= set(pair) <= by_text.keys()}
    return by_text[positives.pop()] if len(positives) == 1 else None


def is_mere_position(axis: Any) -> bool:
    """Whether a data frame's axis has no names, only numbers that count it."""
    return type(axis).__name__ == "RangeIndex" and axis.name is None


def require_same_index(columns: Mapping[str, Iterable[Any]]) -> None:
    """Refuse pandas columns that pandas itself would not put side by side in this order."""
    axes: dict[str, Any] = {name: getattr(values, "index", None) for name, values in columns.items()}
    first, *others = [(name, axis) for name, axis in axes.items() if hasattr(axis, "equals")] or [("", None)]
    for name, axis in others:
        if len(axis) == len(first[1]) and not axis.equals(first[1]):
            advice = "Align them, or pass .to_numpy() of each."
            raise InputError.plain(name, f"The index is not that of {first[0]}", advice)
