from itertools import product
from math import inf

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from pytest_bayesf1.data.outcomes import ScoreTable
from pytest_bayesf1.stats.clusters import SizeTilt, SmallSample, influence_on_mean, placements

RNG = np.random.default_rng(4)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_their_mean_over_a_class_is_its_area_under_the_curve(n_classes):
    true = np.arange(90) % n_classes
    scores = RNG.random((2, 90, 1 if n_classes == 2 else n_classes)).round(1)
    table = ScoreTable.tally(n_classes, true, *scores)
    for side, code in product(range(2), range(n_classes)):
        own = scores[side, :, 0] * (2 * code - 1) if n_classes == 2 else scores[side, :, code]
        of_class = table.true == code
        found = np.average(placements(table, side)[of_class], weights=table.count[of_class])
        assert found == pytest.approx(roc_auc_score(true == code, own))


def test_values_stand_for_themselves():
    table = ScoreTable.tally(1, np.zeros(2, dtype=int), np.array([[3.0], [1.0]]))
    assert placements(table, 0).tolist() == [1, 3]


def test_of_a_class_alone_nothing_is_ranked():
    assert placements(ScoreTable.tally(2, np.ones(2, dtype=int), np.array([[3.0], [1.0]])), 0).tolist() == [0, 0]


def of_sums(added, sizes, n_clusters=None):
    given = np.array(added, dtype=float), np.array(sizes, dtype=float), np.ones(len(added))
    added, sizes, ones = given
    n_clusters = ones if n_clusters is None else np.array(n_clusters)
    return SmallSample.of_influence(influence_on_mean(added, sizes, n_clusters), sizes, n_clusters)


class TestSmallSampleDegreesOfFreedom:
    def test_units_of_one_example_are_examples(self):
        assert of_sums([1, 0, 0, -1], [1, 1, 1, 1]) == SmallSample(1.0, inf)
        assert SmallSample().is_plain

    def test_equal_sizes_have_a_closed_form(self):
        # half of the clusters add one, half take one away: every square is alike
        found = of_sums([1, -1] * 10, [4] * 20)
        assert found.variance == pytest.approx(1 + 3 / 4 * ((20 / 19) ** 2 - 1))
        assert found.dof == pytest.approx(19 / (3 / 4))
        nearly = of_sums([1, -1] * 9 + [1.01, -1.01], [4] * 20)  # of nearly equal squares there are no more
        assert nearly.dof == found.dof

    def test_leaving_out_a_unit_at_a_time_is_the_definition(self):
        rng = np.random.default_rng(1)
        sizes = rng.integers(1, 9, size=15).astype(float)
        added = rng.normal(size=15) ** 3 * sizes
        mean = added.sum() / sizes.sum()
        left_out = np.array([np.delete(added, g).sum() / np.delete(sizes, g).sum() for g in range(15)])
        moves = (left_out - mean) ** 2
        plain = (((added - mean * sizes) / sizes.sum()) ** 2).sum()
        together = 1 - 15 / sizes.sum()
        found = of_sums(added, sizes)
        assert found.variance == pytest.approx(1 + together * (moves.sum() / plain - 1))
        assert found.dof == pytest.approx(2 * moves.sum() ** 2 / ((moves - moves.mean()) ** 2).sum() / together)

    def test_units_of_equal_content_count_as_often_as_they_are(self):
        assert of_sums([2, 0, 1], [5, 5, 2], [3, 1, 2]).variance == pytest.approx(
            of_sums([2, 2, 2, 0, 1, 1], [5, 5, 5, 5, 2, 2]).variance
        )
        assert of_sums([2, 0, 1], [5, 5, 2], [3, 1, 2]).dof == pytest.approx(
            of_sums([2, 2, 2, 0, 1, 1], [5] * 4 + [2] * 2).dof
        )

    def test_where_nothing_differs_the_sizes_tell(self):
        equal = of_sums([0] * 10, [3] * 10)
        assert (equal.variance, equal.dof) == pytest.approx((1 + 2 / 3 * ((10 / 9) ** 2 - 1), 9 * 3 / 2))
        assert of_sums([0] * 10, [3] * 9 + [30]).dof < equal.dof

    def test_many_units_are_plain(self):
        assert not of_sums([1, -1] * 20, [4] * 40).is_plain
        assert of_sums([1, -1] * 500, [4] * 1_000).is_plain

    def test_several_sides_share_the_median(self):
        rng = np.random.default_rng(2)
        sizes, n_clusters = rng.integers(2, 6, size=30).astype(float), np.ones(30)
        influences = np.stack(
            [influence_on_mean(rng.normal(size=30) ** power, sizes, n_clusters) for power in (1, 3, 5)]
        )
        each = [SmallSample.of_influence(influence, sizes, n_clusters) for influence in influences]
        together = SmallSample.of_sides(influences, sizes, n_clusters)
        assert together.dof == sorted(one.dof for one in each)[1]
        assert together.variance == sorted(one.variance for one in each)[1]
        assert SmallSample.of_sides(influences[[0, 0]], sizes, n_clusters) == each[0]


class TestSizeTilt:
    def test_clusters_of_one_size_have_none(self):
        assert SizeTilt.of(np.full(8, 3.0), np.ones(8)).exponent == 0
        thirds = np.array([sum([1 / 3] * 3), 1.0, 2 / 3 + 1 / 3])
        assert SizeTilt.of(2 * thirds, np.ones(3)).exponent == 0

    def test_clusters_of_one_example_have_hardly_any(self):
        sizes = np.array([1.0, 2.0, 9.0])
        assert SizeTilt.of(sizes[:1], np.ones(1)).exponent == 0
        few, many = (SizeTilt.of(sizes, np.array([alone, 5.0, 1.0])).exponent for alone in (5, 5_000))
        assert 0 < many < 0.01 * few

    def test_it_favours_the_kind_of_size_that_is_rare(self):
        usual, rare = np.array([20.0, 2.0])
        sizes = np.array([4.0, 40.0])
        assert SizeTilt.of(sizes, np.array([usual, rare])).exponent > 0
        assert SizeTilt.of(sizes, np.array([rare, usual])).exponent < 0

    def test_empty_clusters_count_for_nothing_but_their_number(self):
        sizes, n_clusters = np.array([0.0, 2.0, 3.0, 9.0]), np.array([1.0, 6.0, 4.0, 1.0])
        found, without = SizeTilt.of(sizes, n_clusters), SizeTilt.of(sizes[1:], n_clusters[1:])
        n_examples = n_clusters @ sizes
        assert found.exponent / without.exponent == pytest.approx((1 - 12 / n_examples) / (1 - 11 / n_examples))
        assert np.isfinite(found.factors(5, RNG)).all()

    def test_factors_are_powers_of_the_size(self):
        sizes = np.array([2.0, 8.0, 2.0, 4.0])
        factors = SizeTilt.of(sizes, np.array([10.0, 1.0, 5.0, 3.0])).factors(6, RNG)
        np.testing.assert_array_equal(factors[0], factors[2])
        np.testing.assert_allclose(factors[1] / factors[0], (factors[3] / factors[0]) ** 2)
        assert (factors[1] > factors[0]).all()
