"""Results as plain data, which JSON and other processes take."""

from collections.abc import Collection
from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import Any


def plain(value: Any) -> Any:
    """Return a value as JSON holds it: a dataclass by the names of its fields."""
    if isinstance(value, Enum) or is_dataclass(value):
        value = opened(value)
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


def opened(value: Any) -> Any:
    """Return the fields of a dataclass by name, or the value of an Enum."""
    return value.value if isinstance(value, Enum) else {each.name: getattr(value, each.name) for each in fields(value)}


def known(value: Any) -> Any:
    """Return a number or a tuple of numbers, None in the place of those that are infinite or none."""
    if isinstance(value, tuple):
        return tuple(map(known, value))
    return None if isinstance(value, float) and not isfinite(value) else value


def figures_of(value: Any, declared: type[Any], without: Collection[str] = ()) -> dict[str, Any]:
    """Return the fields of a dataclass that it shares with another, by name; None for numbers that are none.

    Parameters
    ----------
    value
        The dataclass.
    declared
        The other one.
    without
        Names of fields that are not read: None stands for them.
    """
    names = [field.name for field in fields(declared)]
    return {name: None if name in without else known(getattr(value, name)) for name in names}
