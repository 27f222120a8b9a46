"""Two sides in the rows of one table, put together and taken apart."""

import pytest

from pytest_bayesf1.baselines.store import fit_together, parted, rows_of_both

PREDICTED = {"id": ["a", "b", "c"], "y_true": [0, 1, 1], "y_pred": [0, 1, 0]}
SCORED = {"id": [1, 2], "cluster": [7, 7], "y_true": ["x", "y"], "y_score_x": [0.5, 0.25], "y_score_y": [0.5, 0.75]}
CELLS = {"y_true": [0, 0, 1], "y_pred": [0, 1, 1], "count": [5, 1, 4]}
LABELS = {"label": ["x", "y"], "tn": [4, 5], "fp": [1, 0], "fn": [1, 1], "tp": [4, 4]}


@pytest.mark.parametrize(
    ("table", "anchor", "rows"),
    [
        (PREDICTED, PREDICTED | {"y_pred": [0, 0, 0]}, [("a", 0, 0), ("b", 1, 1, 0), ("c", 1, 0)]),
        (SCORED, SCORED | {"y_score_x": [0.5, 0.2]}, [(1, 7, "x", 0.5, 0.5), (2, 7, "y", 0.25, 0.75, 0.2, 0.75)]),
        (CELLS, {"y_true": [0, 1, 1], "y_pred": [0, 0, 1], "count": [6, 1, 3]},
         [(0, 0, 5, 6), (0, 1, 1, 0), (1, 1, 4, 3), (1, 0, 0, 1)]),
        (LABELS, LABELS | {"tp": [4, 3]}, [("x", 4, 1, 1, 4), ("y", 5, 0, 1, 4, 5, 0, 1, 3)]),
    ],
    ids=["predictions", "scores", "cells", "labels"],
)  # fmt: skip
def test_what_the_anchor_says_stands_where_it_differs(table, anchor, rows):
    assert fit_together(table, anchor)
    assert list(rows_of_both(table, anchor)) == rows
    again = parted(list(table), rows)
    assert [_rows(each) for each in again] == [_rows(each) for each in (table, anchor)]


def test_where_nothing_differs_there_is_one_side():
    rows = list(rows_of_both(PREDICTED, PREDICTED))
    assert rows == list(zip(*PREDICTED.values(), strict=True))
    assert parted(list(PREDICTED), rows)[1] is None


@pytest.mark.parametrize(
    "other",
    [
        PREDICTED | {"id": ["a", "b", "d"]},
        PREDICTED | {"y_true": [0, 1, 0]},
        {"y_true": [0, 1, 1], "y_pred": [0, 1, 0]},
        CELLS,
    ],
    ids=["ids", "truth", "no ids", "counts"],
)
def test_other_examples_have_other_rows(other):
    assert not fit_together(PREDICTED, other)


@pytest.mark.parametrize("row", [("a", 0), ("a", 0, 0, 1, 1)])
def test_a_row_has_one_side_or_two(row):
    with pytest.raises(ValueError, match="zip"):
        parted(list(PREDICTED), [row, ("b", 0, 1, 0)])


def _rows(table):
    return set(zip(*table.values(), strict=True))
