"""Errors that say which side and which file they are about."""

from types import TracebackType

from pytest_bayesf1.errors import InputError


class within:  # noqa: N801 (it reads as a preposition)
    """Put ``place`` before the place of every `InputError`; one without a place is about all that is there.

    A class of its own, for a generator would leave the standard library's frames in the traceback.
    """

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Raise the error anew, with its place."""
        if isinstance(error, InputError):
            where = f"{self._place}: {error.where}" if error.where else self._place
            raise InputError(where, error.expected, error.found, error.advice) from None
