import numpy as np
import pytest

from pytest_bayesf1.data.outcomes import ClusterContents, OutcomeTable


def codes(*values):
    return np.array(values, dtype=np.int64)


@pytest.fixture
def pairs():
    """Six examples of three classes under two classifiers."""
    true = codes(0, 0, 0, 0, 1, 2)
    baseline = codes(0, 0, 0, 1, 2, 2)
    candidate = codes(0, 0, 1, 0, 0, 2)
    return OutcomeTable.tally(3, true, baseline, candidate)


def cells(table):
    """Each non-zero cell, (true, predictions...), with its count."""
    columns = zip(table.true.tolist(), *table.predicted.tolist(), strict=True)
    return dict(zip(columns, table.count.tolist(), strict=True))


def test_equal_outcomes_are_counted_together(pairs):
    assert cells(pairs) == {(0, 0, 0): 2, (0, 0, 1): 1, (0, 1, 0): 1, (1, 2, 0): 1, (2, 2, 2): 1}


def test_the_order_of_the_examples_leaves_no_trace(pairs):
    backwards = OutcomeTable.tally(3, codes(2, 1, 0, 0, 0, 0), codes(2, 2, 1, 0, 0, 0), codes(2, 0, 0, 1, 0, 0))
    assert list(cells(backwards).items()) == list(cells(pairs).items())


def test_weights_count_and_cells_of_weight_zero_go():
    table = OutcomeTable.tally(2, codes(0, 0, 1, 1), codes(0, 0, 1, 0), weight=codes(3, 4, 5, 0))
    assert cells(table) == {(0, 0): 7, (1, 1): 5}


def test_sizes(pairs):
    assert pairs.n_sides == 2
    assert pairs.n_samples == 6
    assert pairs.row_totals.tolist() == [4, 1, 1]


def test_row_totals_include_classes_that_are_never_true():
    assert OutcomeTable.tally(4, codes(1), codes(3)).row_totals.tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize(
    ("baseline", "candidate", "group"),
    [(0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 1, 3), (1, 2, 3)],
    ids=["both right", "only the baseline right", "only the candidate right", "both wrong alike", "both wrong"],
)
def test_groups_of_two_sides(baseline, candidate, group):
    assert OutcomeTable.tally(3, codes(0), codes(baseline), codes(candidate)).group.tolist() == [group]


def test_groups_of_one_side():
    table = OutcomeTable.tally(3, codes(0, 0, 0), codes(0, 1, 2))
    assert table.group.tolist() == [0, 1, 1]


@pytest.mark.parametrize(("side", "right_in"), [(0, {0, 1}), (1, {0, 2})])
def test_which_side_is_right_in_which_group(pairs, side, right_in):
    assert {group for group in range(4) if pairs.is_right(side, group)} == right_in


@pytest.mark.parametrize(("n_sides", "sizes"), [(1, [1, 3]), (2, [1, 3, 3, 9])])
def test_group_sizes_cover_every_outcome_of_a_row(n_sides, sizes):
    table = OutcomeTable.empty(4, n_sides)
    assert table.group_sizes.tolist() == sizes
    assert sum(sizes) == 4**n_sides


def test_group_counts_by_true_class(pairs):
    assert pairs.group_counts.tolist() == [[2, 1, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]]


def test_each_side_alone_is_a_confusion_matrix(pairs):
    assert cells(pairs.side(0)) == {(0, 0): 3, (0, 1): 1, (1, 2): 1, (2, 2): 1}
    assert cells(pairs.side(1)) == {(0, 0): 3, (0, 1): 1, (1, 0): 1, (2, 2): 1}


def test_relabelling_moves_truth_and_predictions_together(pairs):
    moved = pairs.relabelled([2, 0, 3], 4)
    assert moved.n_classes == 4
    assert cells(moved) == {(2, 2, 2): 2, (2, 2, 0): 1, (2, 0, 2): 1, (0, 3, 2): 1, (3, 3, 3): 1}


@pytest.fixture
def labels():
    """Ten examples with two labels, absent or present in the truth, then under two classifiers."""
    return OutcomeTable.of_labels(
        np.array([[[[4, 1], [0, 1]], [[1, 0], [0, 3]]], [[[9, 0], [0, 0]], [[0, 0], [1, 0]]]])
    )


def test_every_label_is_a_pair_of_classes(labels):
    assert cells(labels) == {
        (0, 0, 0): 4,
        (0, 0, 1): 1,
        (0, 1, 1): 1,
        (1, 0, 0): 1,
        (1, 1, 1): 3,
        (2, 2, 2): 9,
        (3, 3, 2): 1,
    }
    assert labels.row_totals.tolist() == [6, 4, 9, 1]


def test_sizes_of_multi_label_data(labels):
    assert (labels.n_classes, labels.n_problems, labels.n_outcomes, labels.n_samples) == (4, 2, 2, 10)
    assert labels.class_shape == (2, 2)
    assert labels.row_totals[labels.named].tolist() == [4, 1]
    assert labels.row_kinds.tolist() == [0, 1, 0, 1]
    assert labels.group_sizes.tolist() == [1, 1, 1, 1]


def test_single_label_data_have_one_class_a_label(pairs):
    assert pairs.class_shape == (3,)
    assert pairs.row_totals[pairs.named].tolist() == [4, 1, 1]


def test_the_counts_of_labels_are_given_back(labels):
    assert cells(OutcomeTable.of_labels(labels.label_counts)) == cells(labels)
    assert labels.side(0).label_counts.tolist() == [[[5, 1], [1, 3]], [[9, 0], [0, 1]]]
    assert labels.side(1).label_counts.tolist() == [[[4, 2], [1, 3]], [[9, 0], [1, 0]]]
    assert labels.side(0).multilabel


def test_relabelling_moves_labels_and_adds_absent_ones(labels):
    moved = labels.relabelled([2, 0], 3)
    assert moved.label_counts[[2, 0]].tolist() == labels.label_counts.tolist()
    assert moved.label_counts[1].ravel().tolist() == [10] + [0] * 7
    assert moved.n_samples == 10


def test_adding_multi_label_tables_keeps_them_so(labels):
    assert labels.plus(labels).label_counts.tolist() == (2 * labels.label_counts).tolist()


def test_an_empty_table_has_no_examples():
    table = OutcomeTable.empty(3, 2)
    assert (table.n_samples, table.n_sides, table.n_classes) == (0, 2, 3)
    assert table.group_counts.tolist() == [[0] * 4] * 3


@pytest.fixture
def spans():
    """Two types of spans in two documents: found by both, by neither, invented by either; 4 times by the candidate."""
    true, baseline, candidate = codes(1, 1, 3, 2, 2), codes(1, 0, 3, 3, 2), codes(1, 0, 2, 2, 3)
    clusters = ClusterContents.of_rows(codes(0, 0, 1, 1, 1), weight=codes(1, 2, 1, 1, 4))
    return OutcomeTable.tally(4, true, baseline, candidate, multilabel=True, clusters=clusters, spans=True)


def test_a_side_of_spans_is_without_what_the_other_alone_invents(spans):
    assert spans.n_samples == 4
    assert cells(spans.side(0)) == {(1, 0): 2, (1, 1): 1, (2, 3): 1, (3, 3): 1}
    assert cells(spans.side(1)) == {(1, 0): 2, (1, 1): 1, (2, 3): 4, (3, 2): 1}
    assert spans.side(1).clusters.counts.tolist() == spans.side(1).count.tolist()
    assert sorted(spans.side(0).clusters.sizes.tolist()) == [2, 3]


def test_types_are_pooled(spans):
    assert cells(spans.pooled()) == {(0, 0, 1): 4, (0, 1, 0): 1, (1, 0, 0): 2, (1, 1, 0): 1, (1, 1, 1): 1}
    assert spans.pooled().clusters.counts.tolist() == spans.pooled().count.tolist()
    assert spans.pooled().n_samples == spans.n_samples


def test_outcomes_of_so_many_sides_that_one_number_cannot_hold_them():
    rng = np.random.default_rng(0)
    true, predicted = rng.integers(1_000, size=50), rng.integers(1_000, size=(12, 50))
    repeated = np.concatenate([true, true[:20]]), np.concatenate([predicted, predicted[:, :20]], axis=1)
    table = OutcomeTable.tally(1_000, repeated[0], *repeated[1])
    order = np.lexsort([*predicted[::-1], true])
    np.testing.assert_array_equal(table.true, true[order])
    np.testing.assert_array_equal(table.predicted, predicted[:, order])
    np.testing.assert_array_equal(table.count, 1 + (order < 20))
