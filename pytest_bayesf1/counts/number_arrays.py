"""Arrays of numbers that callers hand in: taken as they are, or refused with the cell that is wrong."""

from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Counts
from pytest_bayesf1.errors import InputError

_MAX_COUNT = 2**53  # beyond it a float no longer holds every whole number


def as_numbers(values: Any, where: str, expected: str, *, or_booleans: bool = False) -> npt.NDArray[Any]:
    """Make an array of numbers of what a caller handed in, never out of text.

    Parameters
    ----------
    values
        The numbers.
    where, expected
        What error messages call them, and what they say should be there.
    or_booleans
        Whether booleans count as numbers.

    Raises
    ------
    InputError
        For text, booleans unless allowed, masked values, rows of different lengths.
    """
    if np.ma.is_masked(values):
        raise InputError(where, expected, "masked values")
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(where, expected, "rows of different lengths") from None
    if array.dtype.kind == "O" and all(isinstance(value, Real | None) for value in array.ravel()):
        try:
            array = array.astype(float)
        except OverflowError:
            raise InputError(where, expected, "a number beyond 10^308") from None
    if array.dtype.kind not in ("biuf" if or_booleans else "iuf"):
        found = {"U": "text", "S": "text", "b": "booleans", "O": f"{type(values).__name__}"}
        raise InputError(where, expected, found.get(array.dtype.kind, str(array.dtype)))
    return array


def require_cells(array: npt.NDArray[Any], where: str, rules: Iterable[tuple[npt.NDArray[np.bool_], str, str]]) -> None:
    """Require that no cell of an array breaks a rule.

    Parameters
    ----------
    array, where
        The array, and what error messages call it.
    rules
        Of each rule, where it is broken (an array of the same shape), what was expected, and advice.

    Raises
    ------
    InputError
        For the first cell that breaks a rule, with its position.
    """
    for broken, expected, advice in rules:
        if broken.any():
            cell = tuple(np.argwhere(broken)[0].tolist())
            raise InputError(f"{where}[{', '.join(map(str, cell))}]", expected, str(array[cell]), advice)


def whole_counts(array: npt.NDArray[Any]) -> Counts:
    """Return numbers of examples as 64-bit integers.

    Parameters
    ----------
    array
        Numbers of any type and shape.

    Raises
    ------
    InputError
        When a cell is negative, no whole number or too large, or all are 0.
    """
    require_cells(
        array,
        "counts",
        (
            (~np.isfinite(array), "finite counts", ""),
            (array < 0, "no negative count", ""),
            (array != np.floor(array), "whole numbers", "Pass counts, not normalised rates."),
            (array > _MAX_COUNT, "counts up to 2^53", ""),
        ),
    )
    if array.sum(dtype=float) > _MAX_COUNT:
        raise InputError("counts", "at most 2^53 examples in all", f"{array.sum(dtype=float):.3g}")
    if not array.any():
        raise InputError("counts", "at least one example", "zeros only")
    return array.astype(np.int64)
