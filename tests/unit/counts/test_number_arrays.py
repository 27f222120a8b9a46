import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.data.encoding import as_numbers, require_cells


@pytest.mark.parametrize(
    "values",
    [[[1, 2], [3, 4]], np.array([[1.0, 2.0], [3.0, 4.0]]), pd.DataFrame([[1, 2], [3, 4]], dtype="Int64")],
    ids=["lists", "numpy", "pandas"],
)
def test_what_is_made_of_numbers(values):
    array = as_numbers(values, "counts", "numbers")
    assert array.dtype.kind in "iuf"
    assert array.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([["1", "2"], ["3", "4"]], "text"),
        ([[True, False], [False, True]], "booleans"),
        ([[1, "2"], [3, 4]], "text"),
        (np.array([[1, "2"]], dtype=object), "ndarray"),
        ([[1, 2], [3]], "rows of different lengths"),
        (np.ma.masked_array([[1, 2], [3, 4]], mask=[[0, 0], [0, 1]]), "masked values"),
        ([[1j, 2]], "complex128"),
    ],
)
def test_what_is_not(values, found):
    with pytest.raises(InputError) as caught:
        as_numbers(values, "counts", "numbers in a square")
    assert (caught.value.where, caught.value.expected, caught.value.found) == ("counts", "numbers in a square", found)


def test_the_first_cell_that_breaks_a_rule_is_named():
    array = np.array([[[1, 2], [3, -4]], [[-5, 6], [7, 8]]])
    with pytest.raises(InputError) as caught:
        require_cells(array, "cells", [(array > 9, "at most 9", ""), (array < 0, "no negative one", "Count again.")])
    error = caught.value
    assert (error.where, error.expected, error.found, error.advice) == (
        "cells[0, 1, 1]",
        "no negative one",
        "-4",
        "Count again.",
    )


def test_cells_that_keep_the_rules_pass():
    array = np.arange(4)
    assert require_cells(array, "cells", [(array > 9, "at most 9", "")]) is None
