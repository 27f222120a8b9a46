import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, Prior
from pytest_bayesf1.data.outcomes import OutcomeTable

SHAPES = "pseudo-counts of shape (M, M), or (M, M, M) for pairs"
ONE_OR_TWO = "one array, or one (M, M) array per side"
ONES = np.ones((2, 2))
TWO_CLASSES = OutcomeTable.empty(2, n_sides=1)


def test_the_cells_that_are_not_zero_are_kept():
    (table,) = Prior.from_counts([[0.5, 0], [2, 1]]).counts.tables
    assert (table.true.tolist(), table.predicted.tolist(), table.count.tolist()) == (
        [0, 1, 1],
        [[0, 0, 1]],
        [0.5, 2, 1],
    )


def test_three_dimensions_are_pairs():
    cells = np.zeros((2, 2, 2))
    cells[0, 1, 0], cells[1, 1, 1] = 3, 0.25
    (table,) = Prior.from_counts(cells).counts.tables
    assert (table.true.tolist(), table.predicted.tolist(), table.count.tolist()) == (
        [0, 1],
        [[1, 1], [0, 1]],
        [3, 0.25],
    )


def test_the_rows_are_the_class_s_own_unless_beta_says_otherwise():
    rows = [[1, 2], [3, 4]]
    assert Prior.from_counts(rows).class_weights(TWO_CLASSES).tolist() == [0, 0]
    assert Prior.from_counts(rows, beta=5).class_weights(TWO_CLASSES).tolist() == [2, -2]
    assert Prior.from_counts(rows, beta=(1, 2)).class_weights(TWO_CLASSES).tolist() == [-2, -5]
    assert Prior.from_counts(rows, [[2, 1], [7, 0]], beta=5).class_weights(TWO_CLASSES).tolist() == [2, -2]


def test_a_side_each():
    counts = Prior.from_counts(ONES, [[1, 2], [3, 4]]).counts
    assert [table.count.tolist() for table in counts.tables] == [[1, 1, 1, 1], [1, 2, 3, 4]]
    assert not counts.sides_share_totals
    assert Prior.from_counts(ONES, [[0.1, 1.9], [2, 0]]).counts.sides_share_totals


@pytest.mark.parametrize(
    ("cells", "options", "where", "expected", "found"),
    [
        ([], {}, "cells", ONE_OR_TWO, "none"),
        ([ONES] * 3, {}, "cells", ONE_OR_TWO, "(2, 2) and (2, 2) and (2, 2)"),
        ([ONES, np.ones((3, 3))], {}, "cells", ONE_OR_TWO, "(2, 2) and (3, 3)"),
        ([np.ones((2, 2, 2))] * 2, {}, "cells", ONE_OR_TWO, "(2, 2, 2) and (2, 2, 2)"),
        ([[[1, 2], [3]]], {}, "cells[0]", SHAPES, "rows of different lengths"),
        ([ONES, [["1", "2"], ["3", "4"]]], {}, "cells[1]", SHAPES, "text"),
        ([[1, 2]], {}, "cells[0]", SHAPES, "shape (2,)"),
        ([3], {}, "cells[0]", SHAPES, "shape ()"),
        ([np.ones((2, 3))], {}, "cells[0]", SHAPES, "shape (2, 3)"),
        ([np.ones((1, 1))], {}, "cells[0]", SHAPES, "shape (1, 1)"),
        ([np.ones((2, 2, 2, 2))], {}, "cells[0]", SHAPES, "shape (2, 2, 2, 2)"),
        ([[[1, 2], [3, -4]]], {}, "cells[0][1, 1]", "a pseudo-count from 0 to 1e+09", "-4"),
        ([[[1, np.nan], [3, 4]]], {}, "cells[0][0, 1]", "a pseudo-count from 0 to 1e+09", "nan"),
        ([[[1, np.inf], [3, 4]]], {}, "cells[0][0, 1]", "a pseudo-count from 0 to 1e+09", "inf"),
        ([[[1, 2], [0, 0]]], {}, "cells[0][1]", "at least 0.05 in all for every true class", "0"),
        ([ONES], {"beta": 0}, "beta", "a number from 0.05", "0"),
        ([ONES], {"beta": (1, 2, 3)}, "beta", "2 numbers, one per class", "3"),
        ([ONES, 2 * ONES], {"beta": 1}, "beta", "cells whose row totals agree", "[2.0, 2.0] and [4.0, 4.0]"),
        ([ONES], {"labels": ["a", "b", "c"]}, "labels", "2 labels, one per row", "3"),
        ([ONES], {"labels": ["a", "a"]}, "labels", "each label once", "'a' 2 times"),
    ],
)
def test_cells_that_do_not_serve(cells, options, where, expected, found):
    with pytest.raises(InputError) as caught:
        Prior.from_counts(*cells, **options)
    assert (caught.value.where, caught.value.found) == (where, found)
    assert expected in caught.value.expected


@pytest.mark.parametrize(
    "table",
    [ConfusionMatrix([[1, 2], [3, 4]], ["b", "a"]), pd.DataFrame([[1, 2], [3, 4]], ["b", "a"], ["b", "a"])],
    ids=type,
)
def test_a_table_with_names_of_its_own_is_refused(table):
    with pytest.raises(InputError, match=r"cells\[0\]: .* labels=\[...\] beside them"):
        Prior.from_counts(table)
