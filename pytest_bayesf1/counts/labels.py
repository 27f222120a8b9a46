"""Class labels and ids: what counts as one, and the codes 0..M-1 that the statistics work with."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

import numpy as np

from pytest_bayesf1.arrays import Codes, LabelArray, Weights
from pytest_bayesf1.checks import require_once
from pytest_bayesf1.counts.spelling import alike_pairs, in_order, is_fraction, pairs_told, require_one_spelling
from pytest_bayesf1.counts.vocabulary import require_one_vocabulary
from pytest_bayesf1.errors import InputError

Label: TypeAlias = str | int | bool

_KINDS = {"b": "booleans", "i": "integers", "U": "strings"}


def kind_of(array: LabelArray) -> str:
    """Name the kind of labels in a column: strings, integers or booleans."""
    return _KINDS[array.dtype.kind]


def label_column(values: Iterable[Any], where: str, noun: str = "class label") -> LabelArray:
    """Check a column of labels (or of what ``noun`` says) and return it as a 1-D array of one kind.

    Strings, integers and booleans serve; whole floats become integers. Raises `InputError` for anything else.
    """
    array = _as_array(values, where, noun)
    if array.ndim != 1:
        raise _not_flat(where, noun, f"{array.ndim} dimensions")
    if array.size == 0:
        raise InputError(where, f"at least one {noun}", "an empty sequence")
    if array.dtype.kind == "O":
        array = _from_objects(array, where, noun)
    if array.dtype.kind == "f":
        array = _whole_numbers(array, where, noun)
    if array.dtype.kind == "u":
        array = _signed(array, where, noun)
    if array.dtype.kind not in _KINDS:
        raise InputError(where, f"{noun}s that are strings, integers or booleans", f"dtype {array.dtype}")
    return array


def _as_array(values: Iterable[Any], where: str, noun: str) -> LabelArray:
    """Make an array; of objects unless numpy chose the type before, for numpy would turn [1, "a"] into strings."""
    if isinstance(values, str | bytes | Mapping | AbstractSet) or not isinstance(values, Iterable):
        raise _not_flat(where, noun, type(values).__name__)
    if np.ma.is_masked(values):
        raise InputError(where, f"a {noun} for every example", "masked values")
    if hasattr(values, "__array__"):
        return np.asarray(values)
    items = list(values)
    if any(isinstance(item, list | tuple | np.ndarray) for item in items):
        raise _not_flat(where, noun, "nested sequences")
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def _not_flat(where: str, noun: str, found: str) -> InputError:
    advice = f"Pass one {noun} an example"
    if noun == "class label":
        advice += ", not scores; for any number of labels an example there is MultilabelCounts"
    return InputError(where, f"a 1-D sequence of {noun}s", found, f"{advice}.")


def _from_objects(array: LabelArray, where: str, noun: str) -> LabelArray:
    missing = [position for position, value in enumerate(array) if _is_missing(value)]
    if missing:
        raise _missing(where, noun, missing[0])
    kinds = {_kind(cls) for cls in set(map(type, array.tolist()))}
    if len(kinds) > 1 or "other" in kinds:
        types = ", ".join(sorted({type(value).__name__ for value in array}))
        raise InputError(where, f"{noun}s of one type", f"mixed or unsupported types ({types})", "Convert them first.")
    array = np.asarray(array.tolist())
    if array.dtype.kind == "O":
        raise InputError(where, f"{noun}s below 2^63", "a larger number")
    return array


def _missing(where: str, noun: str, position: int) -> InputError:
    return InputError(where, f"a {noun} for every example", f"a missing value at position {position}")


def _is_missing(value: object) -> bool:
    """Recognise None, NaN, and pandas' NA and NaT."""
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    return value is None or type(value).__name__ in {"NAType", "NaTType"}


def _kind(cls: type) -> str:
    for kind, bases in (
        ("strings", (str,)),
        ("booleans", (bool, np.bool_)),
        ("numbers", (int, float, np.integer, np.floating)),
    ):
        if issubclass(cls, bases):
            return kind
    return "other"


def _whole_numbers(array: LabelArray, where: str, noun: str) -> LabelArray:
    missing = np.isnan(array)
    if missing.any():
        raise _missing(where, noun, int(missing.argmax()))
    bad = ~np.isfinite(array) | (array != np.round(array)) | (np.abs(array) > 2**53)
    if bad.any():
        position = int(bad.argmax())
        advice = "Pass labels, not probabilities." if noun == "class label" else ""
        raise InputError(where, f"{noun}s", f"{array[position]} at position {position}", advice)
    return array.astype(np.int64)


def _signed(array: LabelArray, where: str, noun: str) -> LabelArray:
    if array.max() > np.iinfo(np.int64).max:
        raise InputError(where, f"{noun}s below 2^63", str(array.max()))
    return array.astype(np.int64)


def explicit_labels(labels: Iterable[Any], where: str = "labels") -> tuple[Label, ...]:
    """Check a caller's list of labels: no label twice."""
    names = tuple(label_column(labels, where).tolist())
    require_once(names, where, "label")
    return names


def row_labels(labels: Iterable[Any] | None, n_rows: int) -> tuple[Label, ...]:
    """Name the rows of counts: by the caller's labels, else by position."""
    names = tuple(range(n_rows)) if labels is None else explicit_labels(labels)
    if len(names) != n_rows:
        raise InputError("labels", f"{n_rows} labels, one a row", f"{len(names)}")
    return names


def encode(
    columns: Mapping[str, Iterable[Any]], labels: Iterable[Any] | None, weight: Weights | None = None
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    """Encode columns of labels, one label an example, all over the same two or more classes.

    Parameters
    ----------
    columns
        Columns of equal length by the name that error messages use, the truth first.
    labels
        The classes in their order; by default all that occur, sorted: numbers by their value, also where they are text.
        Then the predictions must be of the truth's classes, see `vocabulary`.
    weight
        Examples that each row stands for; by default one.

    Returns
    -------
    codes, labels
        Each column as positions in ``labels``.
    """
    require_same_index(columns)
    arrays = {name: label_column(values, name) for name, values in columns.items()}
    _require_equal_lengths(arrays)
    codes, names = encode_arrays(arrays, labels)
    if len(names) < 2:
        where = " and ".join(arrays) if labels is None else "labels"
        found = f"one class only ({names[0]!r})"
        raise InputError(where, "at least two classes", found, "Name the others with labels=[...].")
    if labels is None:
        require_one_vocabulary({name: _counted(column, names, weight) for name, column in codes.items()})
    return codes, names


def _counted(codes: Codes, names: tuple[Label, ...], weight: Weights | None) -> dict[Label, float]:
    """Count the examples of each label that occurs."""
    count = np.bincount(codes, weight, minlength=len(names)).tolist()
    return {name: n for name, n in zip(names, count, strict=True) if n}


def encode_arrays(
    arrays: Mapping[str, LabelArray], labels: Iterable[Any] | None
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    """Do as `encode` does, with columns that `label_column` checked and of any lengths."""
    _require_one_kind(arrays)
    if labels is None:
        found = np.unique(np.concatenate([np.unique(array) for array in arrays.values()]))
        known = np.array(in_order(found.tolist()))
    else:
        known = np.asarray(explicit_labels(labels))
        _require_one_kind({"labels": known, **arrays})
    order = np.argsort(known, kind="stable")
    codes = {name: _codes(array, known, order, name) for name, array in arrays.items()}
    return codes, tuple(known.tolist())


def _codes(array: LabelArray, known: LabelArray, order: Codes, where: str) -> Codes:
    position = np.searchsorted(known, array, sorter=order).clip(max=known.size - 1)
    codes: Codes = order[position]
    unknown = known[codes] != array
    if unknown.any():
        missing = in_order(np.unique(array[unknown]).tolist())
        require_one_spelling("labels", set(known.tolist()), {where: set(missing)})
        advice = "Pass labels, not probabilities." if is_fraction(str(missing[0])) else "Add them to labels."
        raise InputError(where, "only values listed in labels", ", ".join(map(repr, missing[:5])), advice)
    return codes


def require_same_index(columns: Mapping[str, Iterable[Any]]) -> None:
    """Refuse pandas columns that pandas itself would not put side by side in this order."""
    axes: dict[str, Any] = {name: getattr(values, "index", None) for name, values in columns.items()}
    indexed = {name: axis for name, axis in axes.items() if hasattr(axis, "equals")}
    for name in list(indexed)[1:]:
        first = next(iter(indexed))
        if len(indexed[name]) == len(indexed[first]) and not indexed[name].equals(indexed[first]):
            raise InputError(name, f"the index of {first}", "another index", "Align them, or pass .to_numpy() of both.")


def _require_equal_lengths(arrays: Mapping[str, LabelArray]) -> None:
    first, *others = arrays
    for name in others:
        if arrays[name].size != arrays[first].size:
            raise InputError(name, f"{arrays[first].size} labels, as in {first}", f"{arrays[name].size}")


def _require_one_kind(arrays: Mapping[str, LabelArray]) -> None:
    first, *others = arrays
    expected = kind_of(arrays[first])
    for name in others:
        found = kind_of(arrays[name])
        if found != expected:
            pairs = alike_pairs(set(arrays[name].tolist()), set(arrays[first].tolist()))
            told = f"{found} ({pairs_told(pairs)})" if pairs else found
            raise InputError(name, f"{expected}, as in {first}", told, "Mixed label types never match: convert one.")
