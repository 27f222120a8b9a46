import numpy as np

from pytest_bayesf1.data.outcomes import ClusterContents, ScoreTable

RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 2, 60)
SIDES = [RNG.integers(0, 4, (60, 1)) / 4.0 for _ in range(2)]
CLUSTER = RNG.integers(0, 12, 60)


def table(order=slice(None), cluster=None):
    clusters = None if cluster is None else ClusterContents.of_rows(cluster)
    return ScoreTable.tally(2, TRUE[order], *(side[order] for side in SIDES), clusters=clusters)


def outcomes(found):
    return list(zip(found.true.tolist(), *(side[:, 0].tolist() for side in found.scores), strict=True))


def test_equal_outcomes_are_counted_once():
    examples = list(zip(TRUE.tolist(), *(side[:, 0].tolist() for side in SIDES), strict=True))
    assert dict(zip(outcomes(table()), table().count.tolist(), strict=True)) == {
        outcome: examples.count(outcome) for outcome in examples
    }
    assert (table().n_sides, table().n_samples) == (2, 60)
    assert table().class_totals.tolist() == [int((TRUE == 0).sum()), int((TRUE == 1).sum())]


def test_the_order_of_the_examples_and_the_names_of_the_units_make_no_difference():
    order, renamed = RNG.permutation(60), RNG.permutation(12)
    first, second = table(cluster=CLUSTER), table(order, renamed[CLUSTER[order]])
    assert outcomes(first) == outcomes(second)
    np.testing.assert_array_equal(first.clusters.cells.toarray(), second.clusters.cells.toarray())
    np.testing.assert_array_equal(first.clusters.n_clusters, second.clusters.n_clusters)


def test_units_hold_their_examples():
    found = table(cluster=CLUSTER)
    np.testing.assert_array_equal(found.clusters.counts, found.count)
    assert found.clusters.n == 12
