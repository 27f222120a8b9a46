"""Labels and ids between formats that know types and those that hold text only."""

from collections.abc import Iterable
from math import isnan

from pytest_bayesf1.arrays import LabelArray

_NO_TEXT = frozenset({"", "nan", "NaN"})


def is_missing(value: object, *, is_text: bool) -> bool:
    """Whether a file's value stands for none: null and NaN or, in text, nothing but spaces, or a NaN."""
    if is_text:
        return str(value).strip() in _NO_TEXT
    return value is None or (isinstance(value, float) and isnan(value))


def first_missing(values: Iterable[object], *, is_text: bool) -> int | None:
    """Return the position of the first value that stands for none."""
    if is_text and _NO_TEXT.isdisjoint(map(str.strip, {*map(str, values)})):
        return None
    return next((position for position, value in enumerate(values) if is_missing(value, is_text=is_text)), None)


def describe_missing(value: object) -> str:
    """Say what stands where a value should."""
    if value is None:
        return "a missing value"
    return "NaN" if str(value).strip() else "an empty cell"


def as_text(labels: LabelArray) -> LabelArray:
    """Write labels or ids as a format of text only would."""
    return labels.astype(str)


def value_text(value: object) -> str:
    """Write a value of any column as text: a whole float as an integer, and none as nothing."""
    if is_missing(value, is_text=False):
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
