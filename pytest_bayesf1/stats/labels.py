"""Class labels: what counts as one, and the codes 0..M-1 that the statistics work with."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.arrays import Codes

Label: TypeAlias = str | int | bool
LabelArray: TypeAlias = npt.NDArray[Any]

_KINDS = {"b": "booleans", "i": "integers", "u": "integers", "U": "strings"}


def label_array(values: Iterable[Any], where: str) -> LabelArray:
    """Check a column of labels and return it as a 1-D array of one kind: strings, integers or booleans.

    Whole floats become integers. Raises `InputError` for anything that cannot be a label.
    """
    array = np.asarray(values if isinstance(values, Sequence | np.ndarray) else _materialise(values))
    if array.ndim != 1:
        raise InputError(
            where, "a 1-D sequence of class labels", f"{array.ndim} dimensions", "Pass labels, not scores."
        )
    if array.size == 0:
        raise InputError(where, "at least one label", "an empty sequence")
    if array.dtype.kind == "O" or (array.dtype.kind == "U" and isinstance(values, Sequence)):
        array = _from_objects(np.asarray(values, dtype=object), where)
    if array.dtype.kind == "f":
        array = _whole_numbers(array, where)
    if array.dtype.kind not in _KINDS:
        raise InputError(where, "strings, integers or booleans", f"dtype {array.dtype}")
    return array


def _materialise(values: Any) -> Any:
    return values if hasattr(values, "__array__") else list(values)


def _from_objects(array: LabelArray, where: str) -> LabelArray:
    """Give an array of Python objects the dtype of its elements; numpy alone would turn [1, "a"] into strings."""
    kinds = {_kind(cls) for cls in set(map(type, array.tolist()))}
    missing = [position for position, value in enumerate(array) if _is_missing(value)]
    if missing:
        raise InputError(where, "a label for every example", f"a missing value at position {missing[0]}")
    if len(kinds) > 1 or "other" in kinds:
        types = ", ".join(sorted({type(value).__name__ for value in array}))
        raise InputError(where, "labels of one type", f"mixed or unsupported types ({types})", "Convert them first.")
    return np.asarray(array.tolist())


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


def _whole_numbers(array: LabelArray, where: str) -> LabelArray:
    bad = ~np.isfinite(array) | (array != np.round(array))
    if bad.any():
        position = int(bad.argmax())
        raise InputError(
            where, "class labels", f"{array[position]} at position {position}", "Pass labels, not probabilities."
        )
    return array.astype(np.int64)


def explicit_labels(labels: Iterable[Any], where: str = "labels") -> tuple[Label, ...]:
    """Check a caller's list of labels: at least two, no label twice."""
    array = label_array(labels, where)
    unique, counts = np.unique(array, return_counts=True)
    if unique.size < array.size:
        raise InputError(where, "each label once", f"{unique[counts.argmax()]!s} {counts.max()} times")
    return _require_two(tuple(array.tolist()), where)


def encode(
    columns: Mapping[str, Iterable[Any]], labels: Iterable[Any] | None
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    """Encode columns of labels, all over the same classes.

    Parameters
    ----------
    columns
        Columns of equal length by the name that error messages use.
    labels
        The classes in their order; by default all that occur, sorted.

    Returns
    -------
    codes, labels
        Each column as positions in ``labels``.
    """
    arrays = {name: label_array(values, name) for name, values in columns.items()}
    _require_equal_lengths(arrays)
    _require_one_kind(arrays)
    if labels is None:
        known = np.unique(np.concatenate([np.unique(array) for array in arrays.values()]))
        names = _require_two(tuple(known.tolist()), " and ".join(arrays))
    else:
        names = explicit_labels(labels)
        known = np.asarray(names)
        _require_one_kind({"labels": known, **arrays})
    order = np.argsort(known, kind="stable")
    codes = {name: _codes(array, known, order, name) for name, array in arrays.items()}
    return codes, names


def _codes(array: LabelArray, known: LabelArray, order: Codes, where: str) -> Codes:
    position = np.searchsorted(known, array, sorter=order).clip(max=known.size - 1)
    codes: Codes = order[position]
    unknown = known[codes] != array
    if unknown.any():
        missing = ", ".join(repr(label) for label in np.unique(array[unknown]).tolist()[:5])
        raise InputError(where, "only values listed in labels", missing, "Add them to labels.")
    return codes


def _require_equal_lengths(arrays: Mapping[str, LabelArray]) -> None:
    first, *others = arrays
    for name in others:
        if arrays[name].size != arrays[first].size:
            raise InputError(name, f"{arrays[first].size} labels, as in {first}", f"{arrays[name].size}")


def _require_one_kind(arrays: Mapping[str, LabelArray]) -> None:
    first, *others = arrays
    expected = _KINDS[arrays[first].dtype.kind]
    for name in others:
        found = _KINDS[arrays[name].dtype.kind]
        if found != expected:
            raise InputError(name, f"{expected}, as in {first}", found, "Mixed label types never match: convert one.")


def _require_two(labels: tuple[Label, ...], where: str) -> tuple[Label, ...]:
    if len(labels) < 2:
        raise InputError(
            where, "at least two classes", f"one class only ({labels[0]!r})", "Name the others with labels=[...]."
        )
    return labels
