"""Numbers and names that callers hand in: how they are read, and how they are written."""

from math import inf
from numbers import Real


def as_float(value: object) -> float | None:
    """Return a real number as a float, infinite when it is too large for one; None for all else, booleans included."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:
        return inf


def shown(value: object) -> str:
    """Write a value for an error message: text in quotes, numpy's numbers without their type."""
    return repr(value) if isinstance(value, str) else str(value)


def counted(number: int, noun: str) -> str:
    """Write a number and what it counts: ``1 id``, ``2 ids``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def one_line(text: object) -> str:
    """Keep a name from breaking a line in two."""
    return " ".join(str(text).split())
