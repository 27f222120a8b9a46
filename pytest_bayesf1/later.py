"""Fields of a dataclass that are computed when they are first read."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

T = TypeVar("T")


class _Later:
    def __init__(self, find: Callable[[], Any]) -> None:
        self.find = find


def later(find: Callable[[], T]) -> T:
    """Give a field its value when it is first read, and never compute what nobody reads.

    Parameters
    ----------
    find
        Computes the value, once.

    Returns
    -------
    T
        What stands for the value, in the constructor of a dataclass whose field is a `late_field`.
    """
    return cast(T, _Later(find))


class _LateField:
    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    def __set__(self, instance: object, value: Any) -> None:
        vars(instance)[self._name] = value

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        if instance is None:
            return self  # as functions do, for those who look at the class
        value = vars(instance)[self._name]
        if isinstance(value, _Later):
            value = vars(instance)[self._name] = value.find()
        return value


def late_field() -> Any:
    """Let a field that a base class declares take values of `later` too.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Answer:
    ...     value: int
    >>> class LateAnswer(Answer):
    ...     value = late_field()
    >>> LateAnswer(later(lambda: 42)).value, LateAnswer(42).value
    (42, 42)
    """
    return _LateField()


def late_fields(declared: type[Any]) -> list[str]:
    """Name the fields that take values of `later`.

    Parameters
    ----------
    declared
        The class in whose body each is a `late_field`.
    """
    return [name for name, each in vars(declared).items() if isinstance(each, _LateField)]
