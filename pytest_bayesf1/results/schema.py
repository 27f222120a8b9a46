"""How fields of results are declared, and results as plain data.

A type checker sees plain types. Whoever reads a document lets pydantic build a validator from the same annotations,
which alone imports pydantic: making and printing results does not.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from inspect import getdoc
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, get_args

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema


LARGEST = 1e15
"""Of any score: far beyond those of measures that people make up, and small enough to write out and to draw."""

LONGEST = 100_000
"""Characters of a text, and findings, notes or missing tests of a report."""


class Declared:
    """A dataclass that is read with every field that it declares and with no other."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 (pydantic's name for it)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: "CoreSchema", handler: "GetJsonSchemaHandler") -> "JsonSchemaValue":
        """Describe the class by its docstring, which pydantic does from 2.13 on."""
        described = handler(schema)
        handler.resolve_ref_schema(described)["description"] = getdoc(cls)
        return described


class Limited:
    """Limits that pydantic has a name for, such as ``ge`` or ``max_length``."""

    def __init__(self, **limits: Any) -> None:
        self._limits = limits

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        """Add the limits to what the type says."""
        return {**handler(source), **self._limits}


class Described(Limited):
    """What the JSON Schema says of a field."""

    def __init__(self, text: str) -> None:
        super().__init__(metadata={"pydantic_js_updates": {"description": text}})


@dataclass(frozen=True)
class Check:
    """A condition, and what is expected where it does not hold."""

    holds: Callable[[Any], bool]
    expected: str

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        """Check what the type allows."""
        from pydantic_core import PydanticCustomError, core_schema  # noqa: PLC0415 (see the module)

        def checked(value: Any) -> Any:
            if not self.holds(value):
                raise PydanticCustomError("unexpected", self.expected)
            return value

        return core_schema.no_info_after_validator_function(checked, handler(source))


class AnyText:
    """A text that may hold half of a surrogate pair, which pydantic's own would refuse."""

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        """Take any str that is not too long."""
        from pydantic_core import PydanticKnownError, core_schema  # noqa: PLC0415 (see the module)

        def short(text: str) -> str:
            if len(text) > LONGEST:
                lengths = {"field_type": "Text", "max_length": LONGEST, "actual_length": len(text)}
                raise PydanticKnownError("too_long", lengths)
            return text

        return core_schema.json_or_python_schema(
            json_schema={**handler(source), "max_length": LONGEST},
            python_schema=core_schema.no_info_after_validator_function(short, core_schema.is_instance_schema(str)),
        )


@dataclass(frozen=True)
class Tagged:
    """One of several dataclasses, which differ in the value of one field."""

    by: str

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        """Take the dataclass that the field names."""
        from pydantic_core import core_schema  # noqa: PLC0415 (see the module)

        choices = {getattr(each, self.by): handler.generate_schema(each) for each in get_args(source)}
        return core_schema.tagged_union_schema(choices, self.by)


class ByValue:
    """A member of an enumeration, written as its value; where members are listed, one of them."""

    def __init__(self, *members: Enum) -> None:
        self._members = members

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        """Take the values of the members."""
        from pydantic_core import core_schema  # noqa: PLC0415 (see the module)

        values = [member.value for member in self._members or source]
        return core_schema.no_info_after_validator_function(source, core_schema.literal_schema(values))


class OneOf:
    """One of some texts."""

    def __init__(self, *texts: str) -> None:
        self._texts = texts

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        """Take these texts."""
        from pydantic_core import core_schema  # noqa: PLC0415 (see the module)

        return core_schema.literal_schema([*self._texts])


class Unreadable(Enum):
    """Equal to no label, and in JSON it is null.

    Examples
    --------
    >>> UNREADABLE, UNREADABLE == "(unreadable)"
    ((unreadable), False)
    """

    UNREADABLE = None

    def __repr__(self) -> str:
        """Write it as people read it."""
        return "(unreadable)"

    __str__ = __repr__


UNREADABLE: Final = Unreadable.UNREADABLE
"""The last of the labels wherever invalid="wrong" was asked for."""


Text: TypeAlias = Annotated[str, AnyText()]
Flag: TypeAlias = Annotated[bool, Limited(strict=True)]
Label: TypeAlias = Text | Annotated[int, Limited(strict=True)] | Flag | Annotated[Unreadable, ByValue()]
Number: TypeAlias = Annotated[float, Limited(strict=True, ge=-LARGEST, le=LARGEST)]
Size: TypeAlias = Annotated[float, Limited(strict=True, ge=0, le=LARGEST)]
Factor: TypeAlias = Annotated[float, Limited(strict=True, ge=0, allow_inf_nan=False)]
Height: TypeAlias = Annotated[float, Limited(strict=True, ge=0, le=1e100)]
Probability: TypeAlias = Annotated[float, Limited(strict=True, ge=0, le=1)]
Count: TypeAlias = Annotated[int, Limited(strict=True, ge=0)]
Amount: TypeAlias = Count | Size
"""Of examples: a whole number, unless several runs share one."""
Positive: TypeAlias = Annotated[int, Limited(strict=True, ge=1)]
Counts: TypeAlias = tuple[Count, Count]
"""The baseline's and the candidate's."""
Errors: TypeAlias = tuple[Size | None, Size | None]
"""Monte Carlo standard errors of two bounds; None where one is unknown."""
Interval: TypeAlias = Annotated[
    tuple[Number, Number], Check(lambda ends: ends[0] <= ends[1], "[low, high] with low <= high")
]
RopeBounds: TypeAlias = Annotated[
    tuple[Number, Number], Check(lambda ends: ends[0] <= 0 <= ends[1] > ends[0], "[low, high] with 0 between them")
]
Texts: TypeAlias = Annotated[tuple[Text, ...], Limited(max_length=LONGEST)]


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


def figures_of(value: Any, declared: type[Any], others: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """Return the fields that ``declared`` has, by name, of a value or of others; None for numbers that are none."""
    names = [field.name for field in fields(declared)]
    return {name: others[name] if name in others else known(getattr(value, name)) for name in names}
