"""Arguments that are one of a few names; light, for the plugin checks its options with it."""

from collections.abc import Iterable
from difflib import get_close_matches

from pytest_bayesf1.errors import InputError

PRIOR_NAMES = ("hierarchical", "nested", "uniform", "jeffreys")


def require_choice(where: str, value: object, choices: Iterable[str]) -> None:
    """Raise `InputError` when ``value`` is none of the choices, with the nearest one as advice."""
    choices = tuple(choices)
    if value in choices:
        return
    near = get_close_matches(str(value), choices, n=1)
    raise InputError(where, f"one of {', '.join(choices)}", repr(value), f"Did you mean {near[0]!r}?" if near else "")
