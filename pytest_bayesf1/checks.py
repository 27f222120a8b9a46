"""What callers hand in: numbers, one of a few names, names that stand once. Light, for the plugin checks options."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from difflib import get_close_matches
from math import inf
from numbers import Real
from typing import Any

from pytest_bayesf1.errors import InputError


def require_choice(where: str, value: object, choices: Iterable[str]) -> None:
    """Raise `InputError` when ``value`` is none of the choices, with the nearest one as advice."""
    choices = tuple(choices)
    if value in choices:
        return
    raise InputError(where, f"one of {', '.join(choices)}", repr(value), did_you_mean(value, choices))


def did_you_mean(value: object, choices: Iterable[str]) -> str:
    """Ask for the choice that is spelt most alike; nothing where none is."""
    near = get_close_matches(str(value), choices, n=1)
    return f"Did you mean {near[0]!r}?" if near else ""


def require_once(names: Iterable[Hashable], where: str = "", noun: str = "name") -> None:
    """Raise `InputError` for the first name that stands there twice.

    Parameters
    ----------
    names
        What must differ from one another.
    where
        The place that the error names.
    noun
        What the names are of.

    Raises
    ------
    InputError
        With the name, and how often it stands there.

    Examples
    --------
    >>> require_once(["y_true", "y_pred", "y_true"], "header")
    Traceback (most recent call last):
    pytest_bayesf1.errors.InputError: header: expected each name once, got 'y_true' 2 times
    """
    for name, times in Counter(names).items():
        if times > 1:
            raise InputError(where, f"each {noun} once", f"{name!r:.80} {times} times")


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a mapping of a JSON object's pairs, of which `json.loads` would keep the last of a key in silence.

    Parameters
    ----------
    pairs
        What ``json.loads(..., object_pairs_hook=each_key_once)`` hands over.

    Raises
    ------
    InputError
        When a key stands there twice; it names no place.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        require_once(key for key, _ in pairs)
    return found


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
