"""Names for the arrays that pass between modules."""

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
