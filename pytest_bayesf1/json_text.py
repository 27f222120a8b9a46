"""JSON as people review it in a diff: one value per line, but a list of numbers on one line."""

from json import JSONEncoder
from json.encoder import encode_basestring
from typing import Any

_on_one_line = JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_NUMBERS = {int, float}


def json_text(document: Any) -> str:
    """Write a document of dicts and lists; raise `ValueError` for a number that is none."""
    return _written(document, "\n") + "\n"


def _written(value: Any, line: str) -> str:
    """Write a value; ``line`` is what its closing bracket begins a line with."""
    if isinstance(value, str):
        return encode_basestring(value)
    if type(value) in _NUMBERS and value - value == 0:  # neither infinite nor none
        return repr(value)
    inner = f"{line} "
    if value and isinstance(value, dict):
        lines = [f"{encode_basestring(key)}: {_written(each, inner)}" for key, each in value.items()]
        return f"{{{inner}{f',{inner}'.join(lines)}{line}}}"
    if value and isinstance(value, list):
        if {*map(type, value)} <= _NUMBERS:
            return f"[ {_on_one_line(value)[1:-1]} ]"
        return f"[{inner}{f',{inner}'.join([_written(each, inner) for each in value])}{line}]"
    return _on_one_line(value)
