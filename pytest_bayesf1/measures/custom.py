"""Functions that users hand in as measures: their signature tells those that cannot be one."""

from collections.abc import Callable
from functools import partial
from inspect import Parameter, signature
from typing import Any

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.names import MEASURE_NAMES, OVERALL, PER_CLASS

_VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def require_of_joint_probabilities(function: Callable[..., Any]) -> None:
    """Refuse a function that cannot be called with one argument, such as those of scikit-learn.

    Parameters
    ----------
    function
        What a user handed in as a measure.

    Raises
    ------
    InputError
        With the name that the measure has here as advice, where there is one.
    """
    try:
        parameters = signature(function)
    except (TypeError, ValueError):  # nobody knows it of some functions that are written in C
        return
    try:
        parameters.bind(None)
    except TypeError:
        required = [
            each.name
            for each in parameters.parameters.values()
            if each.default is Parameter.empty and each.kind not in _VARIADIC
        ]
        raise InputError(
            "measure",
            "the name of a measure, or a function of one argument, the joint probabilities p",
            f"{_name(function)}, which takes {', '.join(required) or 'no argument'}",
            _advice(_name(function).removesuffix("_score")),
        ) from None


def _name(function: Callable[..., Any]) -> str:
    if isinstance(function, partial):
        return _name(function.func)
    return str(getattr(function, "__name__", type(function).__name__))


def _advice(base: str) -> str:
    if base in OVERALL:
        return f'Pass measure="{base}".'
    if base in PER_CLASS:
        beta = "(2)" if base == "fbeta" else ""
        return f'Pass measure="{base}_macro{beta}", or "{base}{beta}[label]" for one class.'
    return f"There are: {', '.join(MEASURE_NAMES)}."
