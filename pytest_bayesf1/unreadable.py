"""The class of all answers that could not be read: predicted at most, never true."""

from enum import Enum
from typing import Final


class Unreadable(Enum):
    """No label of anybody's: it equals none, and in JSON it is null.

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
