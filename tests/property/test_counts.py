from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1 import ConfusionMatrix, PairedCounts
from pytest_bayesf1.comparison.design import design_comparison
from tests.property.strategies import NAMES, confusion_matrices, examples, permutations_of


def cells(table):
    columns = zip(table.true.tolist(), *table.predicted.tolist(), strict=True)
    return dict(zip(columns, table.count.tolist(), strict=True))


def named_cells(table, labels):
    return {tuple(labels[code] for code in codes): count for codes, count in cells(table).items()}


def predicted(made, side, **options):
    return ConfusionMatrix.from_predictions(made.y_true, side, **options)


@given(examples())
def test_predictions_are_counted_one_by_one(made):
    matrix = predicted(made, made.baseline_pred)
    assert named_cells(matrix.table, matrix.labels) == Counter(zip(made.y_true, made.baseline_pred, strict=True))


@given(examples())
def test_joint_outcomes_are_counted_one_by_one(made):
    pairs = PairedCounts.from_predictions(*made.columns)
    assert named_cells(pairs.table, pairs.labels) == Counter(zip(*made.columns, strict=True))


@given(examples())
def test_the_margins_of_paired_counts_are_the_two_confusion_matrices(made):
    pairs = PairedCounts.from_predictions(*made.columns, labels=made.labels)
    assert pairs.baseline == predicted(made, made.baseline_pred, labels=made.labels)
    assert pairs.candidate == predicted(made, made.candidate_pred, labels=made.labels)


@given(examples(), st.data())
def test_the_order_of_the_examples_does_not_matter(made, data):
    shuffled = made.reordered(data.draw(permutations_of(len(made))))
    one, other = (PairedCounts.from_predictions(*each.columns, labels=made.labels) for each in (made, shuffled))
    assert list(cells(one.table).items()) == list(cells(other.table).items())


@given(examples(), st.data())
def test_ids_pair_the_examples_whatever_their_order(made, data):
    kinds = [st.integers(-(10**12), 10**12), NAMES]
    ids = data.draw(st.one_of(*(st.lists(kind, min_size=len(made), max_size=len(made), unique=True) for kind in kinds)))
    order = data.draw(permutations_of(len(made)))
    shuffled = made.reordered(order)
    baseline = predicted(made, made.baseline_pred, ids=ids)
    candidate = predicted(shuffled, shuffled.candidate_pred, ids=[ids[i] for i in order])
    (table,) = design_comparison(baseline, candidate, "paired").experiment.tables
    expected = PairedCounts.from_predictions(*made.columns)
    assert cells(table) == cells(expected.table)


@given(examples(), st.data())
def test_either_side_may_name_the_labels_in_an_order_of_its_own(made, data):
    order = data.draw(st.permutations(made.labels))
    baseline = predicted(made, made.baseline_pred, labels=made.labels)
    candidate = predicted(made, made.candidate_pred, labels=order)
    design = design_comparison(baseline, candidate, "auto")
    assert design.labels == tuple(made.labels)
    assert cells(design.experiment.tables[0]) == cells(
        PairedCounts.from_predictions(*made.columns, labels=made.labels).table
    )


@given(confusion_matrices(), st.data())
def test_relabelling_there_and_back_changes_nothing(counts, data):
    labels = tuple(range(len(counts)))
    matrix = ConfusionMatrix(counts, labels=labels)
    order = tuple(data.draw(st.permutations(labels)))
    moved = matrix.relabelled(order)
    np.testing.assert_array_equal(moved.counts, counts[np.ix_(order, order)])
    assert moved.relabelled(labels) == matrix


@given(confusion_matrices())
def test_a_matrix_holds_the_counts_it_was_given(counts):
    matrix = ConfusionMatrix(counts)
    np.testing.assert_array_equal(matrix.counts, counts)
    assert matrix.n_samples == counts.sum()
    np.testing.assert_array_equal(matrix.table.row_totals, counts.sum(axis=1))


@given(examples())
def test_every_example_falls_into_one_group_of_outcomes(made):
    table = PairedCounts.from_predictions(*made.columns).table
    np.testing.assert_array_equal(table.group_counts.sum(axis=1), table.row_totals)
    both_right = sum(true == one == other for true, one, other in zip(*made.columns, strict=True))
    only_baseline = sum(true == one != other for true, one, other in zip(*made.columns, strict=True))
    assert table.group_counts[:, 0].sum() == both_right
    assert table.group_counts[:, 1].sum() == only_baseline
