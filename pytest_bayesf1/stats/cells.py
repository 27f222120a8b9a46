"""Arrays of counts as callers hand them in: made of numbers, or refused with the cell that is wrong."""

from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.errors import InputError


def number_array(values: npt.ArrayLike, where: str, expected: str) -> npt.NDArray[Any]:
    """Make an array of numbers, never out of text; ``expected`` goes into the `InputError` for anything else."""
    if np.ma.is_masked(values):
        raise InputError(where, expected, "masked values")
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(where, expected, "rows of different lengths") from None
    if array.dtype.kind == "O" and all(isinstance(value, Real | None) for value in array.ravel()):
        array = array.astype(float)
    if array.dtype.kind not in "iuf":
        found = {"U": "text", "S": "text", "b": "booleans", "O": f"{type(values).__name__}"}
        raise InputError(where, expected, found.get(array.dtype.kind, str(array.dtype)))
    return array


def require_cells(array: npt.NDArray[Any], where: str, rules: Iterable[tuple[npt.NDArray[np.bool_], str, str]]) -> None:
    """Raise `InputError` for the first cell that breaks a rule: where it is broken, what was expected, advice."""
    for broken, expected, advice in rules:
        if broken.any():
            cell = tuple(np.argwhere(broken)[0].tolist())
            raise InputError(f"{where}[{', '.join(map(str, cell))}]", expected, str(array[cell]), advice)
