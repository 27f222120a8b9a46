"""Numbers and names that callers hand in: how they are read, and how they are written."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from math import inf
from numbers import Real
from typing import Any


def as_float(value: Any) -> float | None:
    """Return a real number as a float, infinite when it is too large for one; None for all else, booleans included."""
    if _is_point(value):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:
        return inf


def as_floats(values: object) -> tuple[float, ...] | None:
    """Return real numbers in their order as floats; None when one is none, or when they have no order."""
    if _is_point(values) or not isinstance(values, Iterable) or isinstance(values, str | bytes | Mapping | AbstractSet):
        return None
    numbers = [as_float(value) for value in values]
    real = tuple(number for number in numbers if number is not None)
    return real if len(real) == len(numbers) else None


def _is_point(value: object) -> bool:
    """Whether it is a number of numpy's, or an array without dimensions, which only looks iterable."""
    return getattr(value, "shape", None) == () and hasattr(value, "item")


def shown(value: object) -> str:
    """Write a value for an error message: text in quotes, numpy's numbers without their type."""
    return repr(value) if isinstance(value, str) else str(value)


def counted(number: int, noun: str) -> str:
    """Write a number and what it counts: ``1 id``, ``2 ids``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def one_line(text: object) -> str:
    """Keep a name from breaking a line in two."""
    return " ".join(str(text).split())
