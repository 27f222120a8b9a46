"""Where a falling function is 0."""

from collections.abc import Callable
from math import copysign

MOST = 32.0
"""How far from 0 is looked: of log odds far enough, for all is wrong by then, or all is right."""
CLOSE = 1e-7
"""How far from 0 its value may be, unless more is allowed."""


def zero(function: Callable[[float], float], at_0: float, guess: float, close: float = CLOSE) -> float | None:
    """Find where a falling function is 0, within `MOST` of 0; None where it is nowhere.

    By the method of Anderson and Bjorck: regula falsi, where the end that stays is taken for closer to 0 than it is.

    Parameters
    ----------
    function
        What is to be 0.
    at_0
        Its value there.
    guess
        About where it may be 0.
    close
        How far from 0 its value may be.
    """
    at, value, step = 0.0, at_0, min(max(abs(guess), CLOSE), MOST)
    beyond = copysign(step, value)
    value_beyond = function(beyond)
    while value * value_beyond > 0 and abs(value_beyond) > close:
        if abs(beyond) >= MOST:
            return None
        at, value, beyond = beyond, value_beyond, copysign(min(2 * abs(beyond), MOST), beyond)
        value_beyond = function(beyond)
    while abs(value_beyond) > close and at != beyond:
        tried = beyond - value_beyond * (beyond - at) / (value_beyond - value)
        found = function(tried)
        if found * value_beyond <= 0:
            at, value = beyond, value_beyond
        else:
            value *= max(1 - found / value_beyond, 0.0) or 0.5
        beyond, value_beyond = tried, found
    return beyond
