"""Class labels and ids: what counts as one."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1._util import require_once
from pytest_bayesf1.arrays import LabelArray
from pytest_bayesf1.counts.spelling import alike_pairs, show_pairs
from pytest_bayesf1.errors import UNREADABLE, InputError, Unreadable

Label: TypeAlias = str | int | bool | Unreadable

Answers: TypeAlias = np.ma.MaskedArray[Any, Any]
"""Labels of one kind, masked where there is none."""

_KINDS = {"b": "booleans", "i": "integers", "U": "strings"}
_EMPTY = {"booleans": False, "integers": 0, "strings": ""}
_NEVER_MISSING = {str, int, bool}


def kind_of(array: LabelArray) -> str:
    """Name the kind of labels in a column: strings, integers or booleans.

    Parameters
    ----------
    array
        As `label_column` returns it.
    """
    return _KINDS[array.dtype.kind]


def require_one_kind(arrays: Mapping[str, LabelArray]) -> None:
    """Refuse columns of different kinds, of which no labels would ever be equal.

    Parameters
    ----------
    arrays
        As `label_column` returns them, by the name that error messages use.

    Raises
    ------
    InputError
        For the first that is of another kind than the first of all.
    """
    first, *others = arrays
    expected = kind_of(arrays[first])
    for name in others:
        found = kind_of(arrays[name])
        if found != expected:
            pairs = alike_pairs(set(arrays[name].tolist()), set(arrays[first].tolist()))
            shown = f"{found} ({show_pairs(pairs)})" if pairs else found
            raise InputError(name, f"{expected}, as in {first}", shown, "Mixed label types never match: convert one.")


def label_column(values: Iterable[Any], where: str, noun: str = "class label", if_missing: str = "") -> LabelArray:
    """Check a column of labels (or of what ``noun`` says) and return it as a 1-D array of one kind.

    Strings, integers and booleans serve; whole floats become integers.

    Parameters
    ----------
    values
        A list, an array, a column of a data frame.
    where, noun
        What error messages call the column, and one of its values.
    if_missing
        What to do about a value that is missing.

    Raises
    ------
    InputError
        For anything else: nested, missing or mixed values, fractions, dates.
    """
    array, missing = _as_array(values, where, noun)
    if missing.any():
        found = f"a missing value at position {missing.argmax()}"
        raise InputError(where, f"a {noun} for every example", found, if_missing)
    return _of_one_kind(array, where, noun)


def answer_column(values: Iterable[Any], where: str, kind: str) -> Answers:
    """Check a column of labels that may lack some, and mask what is missing.

    Parameters
    ----------
    values
        As of `label_column`.
    where
        What error messages call the column.
    kind
        The kind of the classes; where some values are of it, those of other kinds are as good as missing.

    Raises
    ------
    InputError
        For what `label_column` refuses besides.

    Examples
    --------
    >>> answer_column([1, None, "one"], "y_pred", "integers").tolist()
    [1, None, None]
    """
    array, missing = _as_array(values, where, "class label")
    if array.dtype.kind == "O":
        alike = np.fromiter((_kind(type(value)) == _kind(type(_EMPTY[kind])) for value in array), dtype=bool) & ~missing
        missing |= ~alike & alike.any()
    if missing.all():
        array = np.full(array.size, _EMPTY[kind])
    else:
        array = array.copy()
        array[missing] = array[~missing][0]
    return np.ma.array(_of_one_kind(array, where, "class label"), mask=missing)


def _as_array(values: Iterable[Any], where: str, noun: str) -> tuple[LabelArray, npt.NDArray[np.bool_]]:
    """Make an array, 1-D and not empty, and tell what of it is missing.

    An array of objects unless numpy chose the type before, for numpy would turn [1, "a"] into strings.
    """
    if isinstance(values, str | bytes | Mapping | AbstractSet) or not isinstance(values, Iterable):
        raise _not_flat(where, noun, type(values).__name__)
    if hasattr(values, "__array__"):
        array = np.asarray(values)
    else:
        items = list(values)
        if any(issubclass(cls, list | tuple | np.ndarray) for cls in set(map(type, items))):
            raise _not_flat(where, noun, "nested sequences")
        array = np.empty(len(items), dtype=object)
        array[:] = items
    if array.ndim != 1:
        raise _not_flat(where, noun, f"{array.ndim} dimensions")
    if array.size == 0:
        raise InputError(where, f"at least one {noun}", "an empty sequence")
    missing = _missing(array)
    return array, missing | np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else missing


def _of_one_kind(array: LabelArray, where: str, noun: str) -> LabelArray:
    if array.dtype.kind == "O":
        array = _from_objects(array, where, noun)
    if array.dtype.kind == "f":
        array = _whole_numbers(array, where, noun)
    if array.dtype.kind == "u":
        array = _signed(array, where, noun)
    if array.dtype.kind not in _KINDS:
        raise InputError(where, f"{noun}s that are strings, integers or booleans", f"dtype {array.dtype}")
    return array


def _not_flat(where: str, noun: str, found: str) -> InputError:
    advice = f"Pass one {noun} per example"
    if noun == "class label":
        advice += (
            ", not scores; for any number of labels per example there is MultilabelCounts, "
            "for several runs of a system runs='samples' or 'seeds'"
        )
    return InputError(where, f"a 1-D sequence of {noun}s", found, f"{advice}.")


def _from_objects(array: LabelArray, where: str, noun: str) -> LabelArray:
    kinds = {_kind(cls) for cls in set(map(type, array.tolist()))}
    if len(kinds) > 1 or "other" in kinds:
        types = ", ".join(sorted({type(value).__name__ for value in array}))
        raise InputError(where, f"{noun}s of one type", f"mixed or unsupported types ({types})", "Convert them first.")
    array = np.asarray(array.tolist())
    if array.dtype.kind == "O":
        raise InputError(where, f"{noun}s below 2^63", "a larger number")
    return array


def _missing(array: LabelArray) -> npt.NDArray[np.bool_]:
    """Find None, NaN, pandas' NA and NaT, and answers that are known to be unreadable."""
    if array.dtype.kind == "f":
        return np.isnan(array)
    if array.dtype.kind != "O":
        return np.zeros(array.shape, dtype=bool)
    values = array.tolist()
    if set(map(type, values)) <= _NEVER_MISSING:
        return np.zeros(array.shape, dtype=bool)
    return np.fromiter(map(is_missing, values), dtype=bool)


def is_missing(value: object) -> bool:
    """Tell None, NaN, pandas' NA and NaT, and answers that are known to be unreadable from values.

    Parameters
    ----------
    value
        Of a column.
    """
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    return value is None or value is UNREADABLE or type(value).__name__ in {"NAType", "NaTType"}


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
    """Check a caller's list of labels: no label twice.

    Parameters
    ----------
    labels
        The classes in their order.
    where
        What error messages call the list.

    Raises
    ------
    InputError
        When a label stands there twice, or is none.
    """
    names = tuple(label_column(labels, where).tolist())
    require_once(names, where, "label")
    return names


def row_labels(labels: Iterable[Any] | None, n_rows: int) -> tuple[Label, ...]:
    """Name the rows of counts: by the caller's labels, else by position.

    Parameters
    ----------
    labels
        The caller's, if any.
    n_rows
        How many there have to be.

    Raises
    ------
    InputError
        When there are more or fewer, or a label stands there twice.
    """
    names = tuple(range(n_rows)) if labels is None else explicit_labels(labels)
    if len(names) != n_rows:
        raise InputError("labels", f"{n_rows} labels, one per row", f"{len(names)}")
    return names
