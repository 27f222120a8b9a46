"""Sparse matrices that add rows up."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

Positions: TypeAlias = npt.NDArray[np.int64]


def selector(target: Positions, source: Positions, n_targets: int, n_sources: int) -> csr_array:
    """Return the (n_targets, n_sources) matrix that adds each source to its target.

    Parameters
    ----------
    target, source
        Pairs of positions.
    n_targets, n_sources
        How many there are of either.
    """
    return csr_array((np.ones(target.size, np.float32), (target, source)), shape=(n_targets, n_sources))
