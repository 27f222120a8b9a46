"""Matrices of counts in files."""

from typing import Any

import numpy as np

from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.columns import COUNT, PREDICTED, TRUE, Columns
from pytest_bayesf1.data.encoding import as_numbers
from pytest_bayesf1.errors import InputError

_SQUARE = "a square matrix (M, M) of whole numbers"


def of_matrix(counts: Any, labels: Any = None) -> Columns:
    """Write a matrix as columns of its cells."""
    numbers = as_numbers(counts, "counts", _SQUARE)
    if not numbers.ndim:
        raise InputError("counts", "rows of counts", "a single number")
    names = [*range(len(numbers))] if labels is None else [*labels]
    if len(names) != len(numbers):
        raise InputError("labels", f"{len(numbers)} labels, one per row", str(len(names)))
    if numbers.ndim != 2 or numbers.shape[0] != numbers.shape[1] or numbers.size == 0:
        raise InputError("counts", _SQUARE, f"shape {numbers.shape}")
    true, predicted = (each.ravel().tolist() for each in np.indices(numbers.shape))
    cells = {TRUE: [names[row] for row in true], PREDICTED: [names[column] for column in predicted]}
    named = {} if labels is None else cells
    return Columns({**named, COUNT: numbers.ravel()}, labels=labels, kind=Kind.COUNTS)
