"""Calls with arrays of labels where counts belong, which Python alone would answer with a bare TypeError."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar

from pytest_bayesf1.errors import InputError

P = ParamSpec("P")
T = TypeVar("T")

_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
TWO_SIDES = (
    "Of arrays of labels make PairedCounts.from_predictions(y_true, baseline_pred, candidate_pred), and pass it alone."
)
ONE_SIDE = "Of arrays of labels make ConfusionMatrix.from_predictions(y_true, y_pred)."


def positional(advice: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a function raise `InputError` when it is handed more by position than it has places.

    Parameters
    ----------
    advice
        What to pass instead, such as `TWO_SIDES`.

    Returns
    -------
    Callable
        A decorator; what it decorates looks as it is written.

    Raises
    ------
    InputError
        When what it decorates is called with too many.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        places = [each.name for each in signature(function).parameters.values() if each.kind in _POSITIONAL]
        names = [name for name in places if name != "self"]

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            if len(args) > len(places):
                raise InputError(
                    "arguments",
                    f"{' and '.join(names)} alone by position",
                    f"{len(args) - len(places) + len(names)} arguments",
                    f"{advice} All else goes by name, such as rope=0.01.",
                )
            return function(*args, **kwargs)

        return checked

    return decorate
