"""Matrices of counts in files, and crosstabs."""

import re
from typing import Any

import numpy as np

from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.columns import COUNT, PREDICTED, TRUE, Columns, as_written, columns_found, is_whole, value_text
from pytest_bayesf1.data.counts import require_axes
from pytest_bayesf1.data.encoding import as_numbers
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.values import require_once

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


def of_crosstab(table: Columns) -> Columns:
    """Write a table with the true classes in its first column, the predicted ones in its header, as its cells.

    The corner may name both axes.
    """
    corner, *predicted = table.values
    true = [value_text(label) for label in table.column(corner)]
    if set(true).isdisjoint(predicted):
        problem = f"No columns {TRUE} and {PREDICTED}, nor y_score or value: found {columns_found(table.values)}"
        raise InputError.plain("", problem, "Declare: columns.")
    require_once(true, "first column", "class")
    rows, *columns = re.split(r"[\\/|]", corner, maxsplit=1)
    require_axes(rows, *columns or [""])
    labels = true if {*true} == {*predicted} else [*map(str, np.unique(as_written([*true, *predicted])[0]))]
    for name in predicted:
        table.require(name, "no whole number of examples", is_whole)
    numbers = np.array([[*map(float, table.values[name])] for name in predicted]).T
    square = np.zeros((len(labels), len(labels)))
    place = {label: position for position, label in enumerate(labels)}
    square[np.ix_([place[each] for each in true], [place[each] for each in predicted])] = numbers
    return of_matrix(square, as_written(labels)[0])
