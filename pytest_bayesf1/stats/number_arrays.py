"""Arrays of numbers that callers hand in: taken as they are, or refused with the cell that is wrong."""

from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.arrays import Counts

_MAX_COUNT = 2**53  # beyond it a float no longer holds every whole number


def as_numbers(values: Any, where: str, expected: str, *, or_booleans: bool = False) -> npt.NDArray[Any]:
    """Make an array of numbers of it, never out of text; error messages say ``where`` and what was ``expected``."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(where, expected, "rows of different lengths") from None
    if array.dtype.kind == "O" and all(isinstance(value, Real | None) for value in array.ravel()):
        array = array.astype(float)
    if array.dtype.kind not in ("biuf" if or_booleans else "iuf"):
        found = {"U": "text", "S": "text", "b": "booleans", "O": f"{type(values).__name__}"}
        raise InputError(where, expected, found.get(array.dtype.kind, str(array.dtype)))
    return array


def whole_counts(array: npt.NDArray[Any]) -> Counts:
    """Return numbers of examples as integers, or say which cell is wrong."""
    for wrong, expected in (
        (~np.isfinite(array), "finite counts"),
        (array < 0, "no negative count"),
        (array != np.floor(array), "whole numbers"),
        (array > _MAX_COUNT, "counts up to 2^53"),
    ):
        if wrong.any():
            cell = tuple(np.argwhere(wrong)[0].tolist())
            advice = "Pass counts, not normalised rates." if expected == "whole numbers" else ""
            raise InputError(f"counts[{', '.join(map(str, cell))}]", expected, str(array[cell]), advice)
    if array.sum(dtype=float) > _MAX_COUNT:
        raise InputError("counts", "at most 2^53 examples in all", f"{array.sum(dtype=float):.3g}")
    if not array.any():
        raise InputError("counts", "at least one example", "zeros only")
    return array.astype(np.int64)
