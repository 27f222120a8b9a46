"""What pydantic finds wrong with a file, in the words of all our errors: what was expected."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

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

    Parameters
    ----------
    detail
        One of the errors that pydantic lists.
    mapping
        What the file's format calls a mapping.
    own
        What is expected by the type of the error, where the file has words of its own for it.

    Examples
    --------
    >>> from pydantic import TypeAdapter, ValidationError
    >>> try:
    ...     TypeAdapter(list[int]).validate_python({})
    ... except ValidationError as error:
    ...     print(expected(error.errors()[0], mapping="an object"))
    a list
    """
    told = {**_EXPECTED, **(own or {})}.get(detail["type"])
    if told is None:
        return detail["msg"].removeprefix("Input should be ")
    return told.format(mapping=mapping, **detail.get("ctx", {}))
