"""The check of each argument's value, wherever it comes from; see `Argument.check`."""

from math import isfinite
from numbers import Integral
from typing import Any

from pytest_bayesf1._util import as_float, as_floats, require_choice, shown
from pytest_bayesf1.comparison.arguments.argument import Argument
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.settings import AUTO, AnyModel, Model
from pytest_bayesf1.stats.decision import CONFIRMED, Rope

FEWEST_DRAWS = 1_000


def measure(value: Any, _argument: Argument) -> Any:
    """Check a measure's name but for its label, which only the data know.

    Parameters
    ----------
    value
        A name; or a function, which is checked by what it returns.
    _argument
        Not asked: names have messages of their own.

    Returns
    -------
    str or Callable
        The name as it is written in reports, or the function.

    Raises
    ------
    InputError
        When no measure has this name.
    """
    return parse_name(value).text if isinstance(value, str) else value


def rope(value: Any, argument: Argument) -> Rope:
    """Make a ROPE of what stands for one.

    Parameters
    ----------
    value
        A half-width or both ends; see `Rope.of`.
    argument
        Its name is in the message.

    Raises
    ------
    InputError
        When it is no interval that holds 0.
    """
    return Rope.of(value, argument.name)


def read_bounds(text: str) -> Any:
    """Split a text that is a number, or several and perhaps a word behind them, into its parts.

    Parameters
    ----------
    text
        Such as ``0.01``, ``-0.01,0.02`` or ``0.3,wide``.

    Returns
    -------
    float or list
        What `rope` and `agreement` take.

    Raises
    ------
    ValueError
        When a part is no number.

    Examples
    --------
    >>> read_bounds("-0.01, 0.02")
    [-0.01, 0.02]
    """
    parts = [part.strip() for part in text.strip("[]() ").split(",")]
    values = [part if part == CONFIRMED else float(part) for part in parts]
    return values[0] if len(values) == 1 else values


def budget(value: Any, argument: Argument) -> float | None:
    """Check a total loss.

    Parameters
    ----------
    value
        Above 0; None leaves it to the ROPE.
    argument
        Its name is in the message.

    Raises
    ------
    InputError
        For every other value.
    """
    if value is None:
        return None
    loss = as_float(value)
    if loss is None or not (isfinite(loss) and loss > 0):
        raise InputError(argument.name, "a loss above 0, such as 0.02", shown(value))
    return loss


def inner_probability(value: Any, argument: Argument) -> float:
    """Check the probability that an interval holds.

    Parameters
    ----------
    value
        From 1/2 up to 1; below lies the error that some would give in its place.
    argument
        Its name and its default are in the message.

    Raises
    ------
    InputError
        For every other value.
    """
    probability = as_float(value)
    if probability is None or not 0 < probability < 1:
        usual = f"The usual value is {argument.default}."
        raise InputError(argument.name, "a probability between 0 and 1", shown(value), usual)
    if probability < 0.5:
        advice = f"Did you mean {1 - probability:g}?"
        raise InputError(argument.name, "the probability inside the interval, at least 0.5", shown(value), advice)
    return probability


def model(value: Any, argument: Argument) -> AnyModel:
    """Make a `Model` of its name.

    Parameters
    ----------
    value
        A name; ``auto`` stays as it is.
    argument
        Its choices are the names.

    Raises
    ------
    InputError
        For every other value.
    """
    require_choice(argument.name, value, argument.choices)
    return AUTO if value == AUTO else Model(value)


def agreement(value: Any, argument: Argument) -> tuple[float, float] | None:
    """Check the share of the examples on which both sides predict the same.

    Parameters
    ----------
    value
        A share, or the least and the greatest; None where nobody knows.
    argument
        Its name is in the message.

    Returns
    -------
    (float, float) or None
        The least and the greatest, equal where one share is given.

    Raises
    ------
    InputError
        For every other value.
    """
    if value is None:
        return None
    share = as_float(value)
    bounds = as_floats(value) if share is None else (share, share)
    if bounds is None or len(bounds) != 2 or not 0 <= bounds[0] <= bounds[1] <= 1:
        raise InputError(argument.name, "a share from 0 to 1 such as 0.93, or the least and the greatest", shown(value))
    return bounds[0], bounds[1]


def prior(value: Any, argument: Argument) -> Any:
    """Check that a prior is one, or has the name of one.

    Parameters
    ----------
    value
        A name, or a `Prior`.
    argument
        Its choices are the names.

    Returns
    -------
    str or Prior
        The value.

    Raises
    ------
    InputError
        For every other value.
    """
    if not isinstance(value, str):
        from pytest_bayesf1.priors import Prior  # noqa: PLC0415 (it loads numpy, and names need none)

        if isinstance(value, Prior):
            return value
    require_choice(argument.name, value, argument.choices)
    return value


def engine(value: Any, argument: Argument) -> Any:
    """Check that an engine is one, or has the name of one.

    Parameters
    ----------
    value
        A name, or an `Engine`, told by its method ``sampler``.
    argument
        Its choices are the names.

    Returns
    -------
    str or Engine
        The value.

    Raises
    ------
    InputError
        For every other value.
    """
    if not hasattr(value, "sampler"):
        require_choice(argument.name, value, argument.choices)
    return value


def not_negative(value: Any, argument: Argument) -> int:
    """Check a whole number from 0 up.

    Parameters
    ----------
    value
        Of any type of whole numbers but bool.
    argument
        Its name is in the message.

    Raises
    ------
    InputError
        For every other value.
    """
    if not (_is_whole(value) and value >= 0):
        raise InputError(argument.name, "a whole number that is not negative", shown(value))
    return int(value)


def number_of_draws(value: Any, argument: Argument) -> int | None:
    """Check that draws are enough for a Monte Carlo error.

    Parameters
    ----------
    value
        A whole number from `FEWEST_DRAWS` up; None leaves it open.
    argument
        Its name is in the message.

    Raises
    ------
    InputError
        For every other value.
    """
    if value is None:
        return None
    if not (_is_whole(value) and value >= FEWEST_DRAWS):
        advice = "Leave it out to draw until the decision is settled."
        raise InputError(argument.name, f"a whole number of at least {FEWEST_DRAWS:,}", shown(value), advice)
    return int(value)


def checked_floor(value: Any) -> float:
    """Return a floor as a number.

    Parameters
    ----------
    value
        What a call gives.

    Raises
    ------
    InputError
        When it is no number, or not finite.
    """
    floor = as_float(value)
    if floor is None or not isfinite(floor):
        raise InputError("floor", "a finite number", shown(value))
    return floor


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
