"""Names for the arrays that pass between modules, and arrays of what callers pass."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Bools: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float64]
LabelArray: TypeAlias = npt.NDArray[Any]
"""Strings, integers or booleans."""
Counts: TypeAlias = npt.NDArray[np.int64]
Weights: TypeAlias = npt.NDArray[Any]
"""Counts, or real numbers where pseudo-counts are among them."""
Codes: TypeAlias = npt.NDArray[np.int64]
"""Classes as positions 0..M-1 among the labels."""


def as_array(values: Any) -> npt.NDArray[Any]:
    """Make an array of numpy's of any library's; tensors of bfloat16, or with a gradient, become floats."""
    try:
        array = np.asarray(values)
    except (TypeError, RuntimeError):
        return np.array(values.tolist())
    is_foreign = array.dtype.kind == "V" and array.dtype.names is None
    return array.astype(np.float64) if is_foreign else array
