"""What is to be known of an argument, wherever it is given."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Flag, auto
from typing import Any, TypeAlias

from pytest_bayesf1.errors import InputError


class Offered(Flag):
    """Where an argument can be given, besides in a call that compares two sides."""

    FLOOR = auto()
    """In a call that sets one classifier against a floor."""
    PROJECT = auto()
    """As an option of pytest and as an ini key."""
    GATE = auto()
    """In a gate file, and as an option of ``bayesf1 compare``."""
    ANCHORED = auto()
    """Where there is an anchor: with a stored baseline, and in a gate file."""
    EVERYWHERE = FLOOR | PROJECT | GATE


@dataclass(frozen=True, kw_only=True)
class Argument:
    """An argument, wherever it is given.

    Attributes
    ----------
    name
        As in a call.
    meaning
        What it is, without the words of `choices`.
    metavar
        What stands for its value in a help text.
    default
        What is taken where nobody gives it; None where it then stays open, or is required.
    required
        What is expected of who has to give it; empty where it may be left out.
    choices
        The words that it may be; empty where it is no word, or one of too many to be listed.
    offered
        Where it can be given.
    validate
        The check that every value has to pass, the default and those of a call included.
    read
        Makes of a text what `check` takes; raises ValueError where that cannot be.
    """

    name: str
    meaning: str
    metavar: str
    validate: "Validator"
    default: Any = None
    required: str = ""
    choices: tuple[str, ...] = ()
    offered: Offered = Offered.EVERYWHERE
    read: Callable[[str], Any] = str

    @property
    def help(self) -> str:
        """What it is, and which words it may be."""
        if not self.choices:
            return self.meaning
        *others, last = self.choices
        return f"{self.meaning}: {', '.join(others)} or {last}"

    @property
    def sentence(self) -> str:
        """The meaning with a capital letter and a full stop."""
        return as_sentence(self.meaning)

    def check(self, value: Any) -> Any:
        """Check a value, wherever it comes from.

        Parameters
        ----------
        value
            From a call, a gate file or a text.

        Returns
        -------
        Any
            The value in the type that the statistics take.

        Raises
        ------
        InputError
            When it cannot be used.
        """
        return self.validate(value, self)

    def parse(self, text: str) -> Any:
        """Read the value off a text.

        Parameters
        ----------
        text
            From an option or an ini key.

        Returns
        -------
        Any
            What a call would be given.

        Raises
        ------
        InputError
            When the text is no such value.

        Examples
        --------
        >>> from pytest_bayesf1.comparison.arguments.table import ARGUMENTS
        >>> ARGUMENTS["hdi_prob"].parse("0.9")
        0.9
        """
        try:
            value = self.read(text)
        except ValueError:
            raise InputError(self.name, self.help, repr(text)) from None
        return self.check(value)


def as_sentence(text: str) -> str:
    """Write a help text as a sentence.

    Parameters
    ----------
    text
        Without its capital letter, and with or without its full stop.

    Examples
    --------
    >>> as_sentence("seed of the random numbers")
    'Seed of the random numbers.'
    """
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."


Validator: TypeAlias = Callable[[Any, Argument], Any]
"""Of a value and its argument: returns the value to go on with, or raises `InputError`."""
