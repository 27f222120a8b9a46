"""Checks of plain values."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from difflib import get_close_matches
from math import inf
from numbers import Real
from typing import TYPE_CHECKING, Any

from pytest_bayesf1.errors import InputError, shown

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def require_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Raise `InputError` when an argument's value is none of the choices, with the nearest one as advice."""
    choices = tuple(choices)
    if value in choices:
        return
    raise InputError(name, f"one of {', '.join(choices)}", shown(value), did_you_mean(value, choices))


def did_you_mean(value: object, choices: Iterable[str]) -> str:
    """Ask for the choice that is spelt most alike; nothing where none is."""
    near = get_close_matches(str(value), choices, n=1)
    return f"Did you mean {near[0]!r}?" if near else ""


def require_once(names: Iterable[Hashable], where: str = "", noun: str = "name") -> None:
    """Raise `InputError` for the first name that stands there twice.

    Examples
    --------
    >>> require_once(["y_true", "y_pred", "y_true"], "header")
    Traceback (most recent call last):
    pytest_bayesf1.errors.InputError: header: expected each name once, got 'y_true' 2 times
    """
    for name, times in Counter(names).items():
        if times > 1:
            raise InputError(where, f"each {noun} once", f"{shown(name)} {times} times")


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a mapping of a JSON object's pairs, of which `json.loads` would keep the last of a key in silence."""
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


_EXPECTED = {
    "bool_type": "true or false",
    "dataclass_type": "{mapping}",
    "dict_type": "{mapping}",
    "extra_forbidden": "no such key",
    "float_type": "a number",
    "greater_than_equal": "at least {ge:g}",
    "int_type": "a whole number",
    "invalid_key": "text",
    "is_instance_of": "text",
    "less_than_equal": "at most {le:g}",
    "list_type": "a list",
    "literal_error": "{expected}",
    "missing": "a value",
    "model_attributes_type": "{mapping}",
    "model_type": "{mapping}",
    "string_type": "text",
    "string_unicode": "text",
    "too_long": "a length of at most {max_length:,}",
    "too_short": "a length of at least {min_length}",
    "tuple_type": "a list",
    "unexpected_keyword_argument": "no such key",
    "union_tag_invalid": "one of {expected_tags}",
    "union_tag_not_found": "an entry with its kind",
}


def expected(detail: "ErrorDetails", mapping: str, own: Mapping[str, str] | None = None) -> str:
    """Say what a file should have held.

    Examples
    --------
    >>> from pydantic import TypeAdapter, ValidationError
    >>> try:
    ...     TypeAdapter(list[int]).validate_python({})
    ... except ValidationError as error:
    ...     print(expected(error.errors()[0], mapping="an object"))
    a list
    """
    text = {**_EXPECTED, **(own or {})}.get(detail["type"])
    if text is None:
        return detail["msg"].removeprefix("Input should be ")
    return text.format(mapping=mapping, **detail.get("ctx", {}))
