"""What each argument must be, whether it comes from a call, the command line or the ini file."""

from math import isfinite
from numbers import Integral
from typing import Any

from pytest_bayesf1.checks import PRIOR_NAMES, as_float, require_choice
from pytest_bayesf1.engines import ENGINES
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.text import shown

FEWEST_DRAWS = 1_000


def hdi_probability(where: str, value: Any) -> float:
    """Return a probability from 1/2 up to 1; below lies the error that some would give in its place."""
    probability = as_float(value)
    if probability is None or not 0 < probability < 1:
        raise InputError(where, "a probability between 0 and 1", shown(value), "The usual value is 0.95.")
    if probability < 0.5:
        raise InputError(
            where,
            "the probability inside the interval, at least 0.5",
            shown(value),
            f"Did you mean {1 - probability:g}?",
        )
    return probability


def seed(where: str, value: Any) -> int:
    """Return a whole number that is not negative."""
    if not (_is_whole(value) and value >= 0):
        raise InputError(where, "a whole number that is not negative", shown(value))
    return int(value)


def n_draws(where: str, value: Any) -> int | None:
    """Return a number of draws, enough for a Monte Carlo error; None leaves it open."""
    if value is None:
        return None
    if not (_is_whole(value) and value >= FEWEST_DRAWS):
        raise InputError(
            where,
            f"a whole number of at least {FEWEST_DRAWS:,}",
            shown(value),
            "Leave it out to draw until the decision is settled.",
        )
    return int(value)


def prior(where: str, value: Any) -> str:
    """Return the name of a prior."""
    require_choice(where, value, ("auto", *PRIOR_NAMES))
    return str(value)


def engine(where: str, value: Any) -> str:
    """Return the name of an engine."""
    require_choice(where, value, ENGINES)
    return str(value)


def finite(where: str, value: Any) -> float:
    """Return a finite number."""
    number = as_float(value)
    if number is None or not isfinite(number):
        raise InputError(where, "a finite number", shown(value))
    return number


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
