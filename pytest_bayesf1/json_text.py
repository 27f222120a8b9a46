"""JSON as people review it in a diff: one value per line, but a list of numbers on one line."""

from collections.abc import Callable
from json import JSONEncoder
from json.encoder import encode_basestring
from math import isfinite
from typing import Any

_NUMBERS = {int, float}


def json_text(document: Any, default: Callable[[Any], Any] | None = None) -> str:
    """Write a document of dicts, lists and tuples; raise `ValueError` for a number that is none.

    Parameters
    ----------
    document
        What to write.
    default
        Makes such things of all others, one at a time.
    """
    return _written(document, default, "\n") + "\n"


def _written(value: Any, default: Callable[[Any], Any] | None, line: str) -> str:
    """Write a value; ``line`` is what its closing bracket begins a line with."""
    if type(value) in _SHORT:
        return _SHORT[type(value)](value)
    inner = f"{line} "
    if isinstance(value, dict) and value:
        lines = [f"{encode_basestring(key)}: {_written(each, default, inner)}" for key, each in value.items()]
        return f"{{{inner}{f',{inner}'.join(lines)}{line}}}"
    if isinstance(value, list | tuple) and value:
        if {*map(type, value)} <= _NUMBERS:
            return f"[ {_on_one_line(value)[1:-1]} ]"
        return f"[{inner}{f',{inner}'.join([_written(each, default, inner) for each in value])}{line}]"
    if default is None or value is None or isinstance(value, str | int | float | dict | list | tuple):
        return _on_one_line(value)
    return _written(default(value), default, line)


_on_one_line = JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _number(value: float) -> str:
    return repr(value) if isfinite(value) else _on_one_line(value)


_SHORT: dict[type[Any], Callable[[Any], str]] = {str: encode_basestring, int: repr, float: _number}
"""How most values are written, without the time that an encoder takes to begin."""
