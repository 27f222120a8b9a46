from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, PairedCounts
from pytest_bayesf1.data.sides import Sides, align
from tests.property.strategies import confusion_matrices, examples


def cells(table):
    columns = zip(table.true.tolist(), *table.predicted.tolist(), strict=True)
    return dict(zip(columns, table.count.tolist(), strict=True))


def named_cells(table, labels):
    return {tuple(labels[code] for code in codes): count for codes, count in cells(table).items()}


def predicted(made, side, **options):
    return ConfusionMatrix.from_predictions(made.y_true, side, **options)


class TestCounts:
    @given(examples())
    def test_predictions_are_counted_one_by_one(self, made):
        matrix = predicted(made, made.baseline_pred)
        assert named_cells(matrix.table, matrix.labels) == Counter(zip(made.y_true, made.baseline_pred, strict=True))

    @given(examples())
    def test_joint_outcomes_are_counted_one_by_one(self, made):
        pairs = PairedCounts.from_predictions(*made.columns)
        assert named_cells(pairs.table, pairs.labels) == Counter(zip(*made.columns, strict=True))

    @given(examples())
    def test_the_margins_of_paired_counts_are_the_two_confusion_matrices(self, made):
        pairs = PairedCounts.from_predictions(*made.columns, labels=made.labels)
        assert pairs.baseline == predicted(made, made.baseline_pred, labels=made.labels)
        assert pairs.candidate == predicted(made, made.candidate_pred, labels=made.labels)

    @given(confusion_matrices(), st.data())
    def test_relabelling_there_and_back_changes_nothing(self, counts, data):
        labels = tuple(range(len(counts)))
        matrix = ConfusionMatrix(counts, labels=labels)
        order = tuple(data.draw(st.permutations(labels)))
        moved = matrix.relabelled(order)
        np.testing.assert_array_equal(moved.counts, counts[np.ix_(order, order)])
        assert moved.relabelled(labels) == matrix

    @given(examples())
    def test_every_example_falls_into_one_group_of_outcomes(self, made):
        table = PairedCounts.from_predictions(*made.columns).table
        np.testing.assert_array_equal(table.group_counts.sum(axis=1), table.row_totals)
        both_right = sum(true == one == other for true, one, other in zip(*made.columns, strict=True))
        only_baseline = sum(true == one != other for true, one, other in zip(*made.columns, strict=True))
        assert table.group_counts[:, 0].sum() == both_right
        assert table.group_counts[:, 1].sum() == only_baseline


# Any indicators, however they are handed in, are counted as one would by hand.
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
