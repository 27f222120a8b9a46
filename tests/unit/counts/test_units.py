from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1.data.outcomes import ClusterContents, OutcomeTable

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=30)


def contents(table):
    """Return what every cluster holds, as one sorted list of {(true, predicted): examples}."""
    cells = list(zip(table.true.tolist(), *table.predicted.tolist(), strict=True))
    dense = table.clusters.cells.toarray()
    held = [
        tuple((cell, n) for cell, n in zip(cells, dense[:, column], strict=True) if n) for column in range(len(dense.T))
    ]
    return sorted((cluster, times) for cluster, times in zip(held, table.clusters.n_clusters.tolist(), strict=True))


def naive(rows):
    clusters = {}
    for true, predicted, cluster in rows:
        held = clusters.setdefault(cluster, {})
        held[true, predicted] = held.get((true, predicted), 0) + 1
    found = [tuple(sorted(held.items())) for held in clusters.values()]
    return sorted((each, found.count(each)) for each in set(found))


def tallied(rows):
    true, predicted, cluster = np.array(rows).T
    return OutcomeTable.tally(3, true, predicted, clusters=ClusterContents.of_rows(cluster))


@given(ROWS)
def test_units_of_equal_content_are_pooled(rows):
    table = tallied(rows)
    assert contents(table) == naive(rows)
    assert table.clusters.n == len({cluster for _, _, cluster in rows})
    assert table.n_samples == len(rows)
    np.testing.assert_array_equal(table.clusters.counts, table.count)


@given(ROWS, st.randoms(use_true_random=False))
def test_neither_the_order_of_examples_nor_the_names_of_units_matter(rows, random):
    renamed = [(true, predicted, 7 - cluster) for true, predicted, cluster in rows]
    random.shuffle(renamed)
    one, other = tallied(rows), tallied(renamed)
    np.testing.assert_array_equal(one.clusters.cells.toarray(), other.clusters.cells.toarray())
    np.testing.assert_array_equal(one.clusters.n_clusters, other.clusters.n_clusters)


@given(ROWS)
def test_other_codes_move_what_units_hold(rows):
    moved = tallied(rows).relabelled([2, 0, 3], 4)
    codes = {0: 2, 1: 0, 2: 3}
    assert contents(moved) == naive([(codes[true], codes[predicted], cluster) for true, predicted, cluster in rows])


def test_examples_without_units_count_as_units_of_one_beside_those_with():
    with_units = tallied([(0, 0, 0), (0, 1, 0)])
    without = OutcomeTable.tally(3, np.array([0, 0, 0]), np.array([0, 0, 1]))
    both = with_units.plus(without)
    assert both.clusters.n == 4
    assert contents(both) == [((((0, 0), 1.0),), 2.0), ((((0, 0), 1.0), ((0, 1), 1.0)), 1.0), ((((0, 1), 1.0),), 1.0)]


def test_a_side_keeps_its_units():
    pairs = OutcomeTable.tally(
        2, np.array([0, 0]), np.array([0, 0]), np.array([0, 1]), clusters=ClusterContents.of_rows(np.array([0, 1]))
    )
    assert contents(pairs.side(0)) == [((((0, 0), 1.0),), 2.0)]


def test_counts_as_of_units_are_those_of_one_example_per_unit():
    table = tallied([(0, 0, cluster) for cluster in (0, 0, 1, 1)])
    assert table.effective_counts.tolist() == [2.0]
    assert replace(table, clusters=None).effective_counts.tolist() == [4]


def test_the_design_effect_of_copies_is_their_number():
    assert tallied([(0, 0, 0), (0, 1, 1), (1, 1, 2)]).design_effect == 1
    copies = [(true, true // 2, cluster) for cluster, true in enumerate([0, 0, 1, 2, 2, 2]) for _ in range(4)]
    assert tallied(copies).design_effect == pytest.approx(4)
    unequal = [
        (true, 0, cluster) for cluster, (true, size) in enumerate([(0, 3), (1, 3), (0, 1), (1, 1)]) for _ in range(size)
    ]
    assert tallied(unequal).design_effect == pytest.approx((9 + 9 + 1 + 1) / 8)


@given(ROWS)
def test_the_design_effect_is_what_units_scatter_over_what_examples_would(rows):
    true, predicted, cluster = np.array(rows).T
    each = np.eye(9)[3 * true + predicted]
    away = each - each.mean(axis=0)
    by_unit = np.array([away[cluster == number].sum(axis=0) for number in np.unique(cluster)])
    if (away**2).sum() > 0:
        assert tallied(rows).design_effect == pytest.approx(max(1, (by_unit**2).sum() / (away**2).sum()))


def test_labels_are_problems_of_their_own():
    clusters = ClusterContents.of_rows(np.repeat([0, 0, 1, 1], 2))
    absent_or_present = np.tile([0, 2], 4), np.array([0, 3, 0, 3, 1, 2, 1, 2])
    table = OutcomeTable.tally(4, *absent_or_present, multilabel=True, clusters=clusters)
    assert (table.cells_per_example, table.design_effect) == (2, 2)


def test_units_of_unequal_size_tell_as_much_as_fewer_of_one_size():
    assert tallied([(0, 0, cluster) for cluster in (0, 0, 1, 1)]).clusters.n_equal == 2
    assert tallied([(0, 0, cluster) for cluster in (0, 0, 0, 1)]).clusters.n_equal == 16 / 10
