"""Any indicators, however they are handed in, are counted as one would by hand."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from pytest_bayesf1 import MultilabelCounts
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.data.paired import align


@st.composite
def three_tables(draw):
    """Truth and two sides' decisions, (3, N, L)."""
    shape = (3, draw(st.integers(1, 12)), draw(st.integers(1, 5)))
    cells = draw(st.lists(st.booleans(), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    return np.reshape(cells, shape)


def by_hand(tables):
    """Count every label's combinations of truth and decisions."""
    counts = np.zeros((tables.shape[2], *[2] * len(tables)), dtype=int)
    for label in range(tables.shape[2]):
        for cell, times in Counter(map(tuple, tables[:, :, label].T.astype(int).tolist())).items():
            counts[(label, *cell)] = times
    return counts


@given(three_tables())
def test_pairs_are_counted(tables):
    y_true, *predicted = tables
    sides = [MultilabelCounts.from_predictions(y_true, each) for each in predicted]
    table = Sides(*align(*sides)).joint
    np.testing.assert_array_equal(table.label_counts, by_hand(tables))
    assert table.n_samples == tables.shape[1]
    for index, side in enumerate(sides):
        np.testing.assert_array_equal(side.counts, table.side(index).label_counts)


@given(three_tables())
def test_sets_and_sparse_tables_are_the_same_indicators(tables):
    y_true, y_pred, _ = tables
    labels = range(y_true.shape[1])
    expected = MultilabelCounts.from_predictions(y_true, y_pred)
    forms = [sparse.csc_array(y_true), sparse.csr_matrix(y_pred)]
    assert MultilabelCounts.from_predictions(*forms) == expected
    if y_true.any() or y_pred.any():
        sets = [[set(np.flatnonzero(row).tolist()) for row in table] for table in (y_true, y_pred)]
        assert MultilabelCounts.from_predictions(*sets, labels=labels) == expected


@given(three_tables(), st.randoms(use_true_random=False))
def test_the_order_of_labels_is_only_an_order(tables, random):
    order = list(range(tables.shape[2]))
    random.shuffle(order)
    y_true, y_pred, _ = tables
    counts = MultilabelCounts.from_predictions(y_true, y_pred)
    moved = MultilabelCounts.from_predictions(y_true[:, order], y_pred[:, order], labels=order)
    assert moved.relabelled(counts.labels) == counts
    np.testing.assert_array_equal(moved.counts, counts.counts[order])
