from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1.data.outcomes import ClusterContents, CommonShares, Experiment, OutcomeTable, ScoreTable
from tests.property.test_data import cells_of, contents

EXPERIMENT_TRUE = np.array([0, 0, 1, 1, 1])
PAIRED = OutcomeTable.tally(3, EXPERIMENT_TRUE, np.array([0, 1, 1, 1, 2]), np.array([0, 0, 1, 2, 2]))
ONE = OutcomeTable.tally(3, EXPERIMENT_TRUE, np.array([0, 1, 1, 1, 2]))


class TestExperiment:
    def test_evidence_adds_up(self):
        assert Experiment("paired", (PAIRED,)).known == (PAIRED,)
        (both,) = Experiment("paired", (PAIRED,), (PAIRED,)).known
        assert both.n_samples == 10
        np.testing.assert_array_equal(both.row_totals, 2 * PAIRED.row_totals)
        labels = OutcomeTable.of_labels(np.arange(8).reshape(1, 2, 2, 2))
        assert labels.plus(labels).label_counts.tolist() == (2 * labels.label_counts).tolist()

    def test_without_clusters_each_example_is_drawn_on_its_own_and_by_one_classifier(self):
        grouped = replace(PAIRED, clusters=ClusterContents.of_one_example(PAIRED.count))
        alone = Experiment("paired", (grouped,), (grouped,), trainings=((ONE,), (ONE,))).without_clusters()
        assert [table.clusters for table in (*alone.tables, *alone.earlier)] == [None, None]
        assert alone.trainings == ()

    def test_a_class_without_examples_is_set_apart(self):
        experiment = Experiment("paired", (PAIRED,), trainings=((ONE,), ())).without_unsupported_classes()
        assert experiment.unsupported == experiment.trainings[0][0].unsupported == (2,)
        assert experiment.unsupported_predicted() == {2: (1, 2)}

    def test_unless_earlier_examples_have_it(self):
        third = OutcomeTable.tally(3, np.array([2]), np.array([2]), np.array([0]))
        assert Experiment("paired", (PAIRED,), (third,)).without_unsupported_classes().unsupported == ()

    @pytest.mark.parametrize(("model", "n_tables"), [("paired", 1), ("same-set", 2), ("independent", 2)])
    def test_before_any_data(self, model, n_tables):
        experiment = Experiment.before_data(model, 4, unsupported=(3,))
        assert len(experiment.tables) == n_tables
        assert [side.n_samples for side in experiment.sides] == [0, 0]
        assert (experiment.n_classes, experiment.unsupported) == (4, (3,))


@pytest.mark.parametrize("side", [0, 1])
def test_common_shares_may_be_those_of_either_side(side):
    masses = [np.array([[0.7, 0.3]]), np.array([[0.2, 0.8]])]
    common = CommonShares(side)
    assert common.given(masses).tolist() == masses[side].tolist()
    assert common.point([10 * each[0] for each in masses]) == pytest.approx(masses[side][0])


def codes(*values):
    return np.array(values, dtype=np.int64)


class TestOutcomes:
    @pytest.fixture
    def pairs(self):
        """Six examples of three classes under two classifiers."""
        true = codes(0, 0, 0, 0, 1, 2)
        baseline = codes(0, 0, 0, 1, 2, 2)
        candidate = codes(0, 0, 1, 0, 0, 2)
        clusters = ClusterContents.of_rows(codes(0, 0, 1, 1, 2, 2))
        return OutcomeTable.tally(3, true, baseline, candidate, clusters=clusters)

    @pytest.mark.parametrize(
        ("baseline", "candidate", "group"),
        [(0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 1, 3), (1, 2, 3)],
        ids=["both right", "only the baseline right", "only the candidate right", "both wrong alike", "both wrong"],
    )
    def test_groups_of_two_sides(self, baseline, candidate, group):
        assert OutcomeTable.tally(3, codes(0), codes(baseline), codes(candidate)).group.tolist() == [group]

    def test_groups_of_one_side(self):
        table = OutcomeTable.tally(3, codes(0, 0, 0, 1), codes(0, 1, 2, 1), weight=codes(3, 4, 5, 0))
        assert table.group.tolist() == [0, 1, 1]
        assert table.group_counts.tolist() == [[3, 9], [0, 0], [0, 0]]

    @pytest.mark.parametrize(("side", "right_in"), [(0, {0, 1}), (1, {0, 2})])
    def test_which_side_is_right_in_which_group(self, pairs, side, right_in):
        assert {group for group in range(4) if pairs.is_right(side, group)} == right_in

    @pytest.mark.parametrize(("n_sides", "sizes"), [(1, [1, 3]), (2, [1, 3, 3, 9])])
    def test_group_sizes_cover_every_outcome_of_a_row(self, n_sides, sizes):
        table = OutcomeTable.empty(4, n_sides)
        assert table.group_sizes.tolist() == sizes
        assert sum(sizes) == 4**n_sides

    def test_relabelling_moves_truth_and_predictions_together(self, pairs):
        moved = pairs.relabelled([2, 0, 3], 4)
        assert moved.n_classes == 4
        assert cells_of(moved) == {(2, 2, 2): 2, (2, 2, 0): 1, (2, 0, 2): 1, (0, 3, 2): 1, (3, 3, 3): 1}
        held = [{((2, 2, 2), 2)}, {((2, 2, 0), 1), ((2, 0, 2), 1)}, {((0, 3, 2), 1), ((3, 3, 3), 1)}]
        assert contents(moved) == dict.fromkeys(map(frozenset, held), 1)

    @pytest.fixture
    def labels(self):
        """Ten examples with two labels, absent or present in the truth, then under two classifiers."""
        return OutcomeTable.of_labels(
            np.array([[[[4, 1], [0, 1]], [[1, 0], [0, 3]]], [[[9, 0], [0, 0]], [[0, 0], [1, 0]]]])
        )

    def test_every_label_is_a_pair_of_classes(self, labels):
        of_one = {(0, 0, 0): 4, (0, 0, 1): 1, (0, 1, 1): 1, (1, 0, 0): 1, (1, 1, 1): 3}
        assert cells_of(labels) == {**of_one, (2, 2, 2): 9, (3, 3, 2): 1}
        assert labels.row_totals.tolist() == [6, 4, 9, 1]

    def test_the_counts_of_labels_are_given_back(self, labels):
        assert cells_of(OutcomeTable.of_labels(labels.label_counts)) == cells_of(labels)
        assert labels.side(0).label_counts.tolist() == [[[5, 1], [1, 3]], [[9, 0], [0, 1]]]
        assert labels.side(1).label_counts.tolist() == [[[4, 2], [1, 3]], [[9, 0], [1, 0]]]
        assert labels.side(0).multilabel

    def test_relabelling_moves_labels_and_adds_absent_ones(self, labels):
        moved = labels.relabelled([2, 0], 3)
        assert moved.label_counts[[2, 0]].tolist() == labels.label_counts.tolist()
        assert moved.label_counts[1].ravel().tolist() == [10] + [0] * 7
        assert moved.n_samples == 10

    @pytest.fixture
    def spans(self):
        """Two types of spans in two documents: found by both, by neither, invented by either; 4 times by the
        candidate.
        """
        true, baseline, candidate = codes(1, 1, 3, 2, 2), codes(1, 0, 3, 3, 2), codes(1, 0, 2, 2, 3)
        clusters = ClusterContents.of_rows(codes(0, 0, 1, 1, 1), weight=codes(1, 2, 1, 1, 4))
        return OutcomeTable.tally(4, true, baseline, candidate, multilabel=True, clusters=clusters, spans=True)

    def test_types_are_pooled(self, spans):
        assert cells_of(spans.pooled()) == {(0, 0, 1): 4, (0, 1, 0): 1, (1, 0, 0): 2, (1, 1, 0): 1, (1, 1, 1): 1}
        assert spans.pooled().clusters.counts.tolist() == spans.pooled().count.tolist()
        assert spans.pooled().n_samples == spans.n_samples == 4

    def test_outcomes_of_so_many_sides_that_one_number_cannot_hold_them(self):
        rng = np.random.default_rng(0)
        true, predicted = rng.integers(1_000, size=50), rng.integers(1_000, size=(12, 50))
        repeated = np.concatenate([true, true[:20]]), np.concatenate([predicted, predicted[:, :20]], axis=1)
        table = OutcomeTable.tally(1_000, repeated[0], *repeated[1])
        order = np.lexsort([*predicted[::-1], true])
        np.testing.assert_array_equal(table.true, true[order])
        np.testing.assert_array_equal(table.predicted, predicted[:, order])
        np.testing.assert_array_equal(table.count, 1 + (order < 20))


RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 2, 60)
SIDES = [RNG.integers(0, 4, (60, 1)) / 4.0 for _ in range(2)]


def test_equal_outcomes_of_scores_are_counted_once():
    examples = list(zip(TRUE.tolist(), *(side[:, 0].tolist() for side in SIDES), strict=True))
    table = ScoreTable.tally(2, TRUE, *SIDES)
    outcomes = zip(table.true.tolist(), *(side[:, 0].tolist() for side in table.scores), strict=True)
    assert dict(zip(outcomes, table.count.tolist(), strict=True)) == {each: examples.count(each) for each in examples}
    assert (table.n_sides, table.n_samples) == (2, 60)
    assert table.row_totals.tolist() == np.bincount(TRUE).tolist()


def test_scores_at_other_shares_of_the_classes_are_as_many():
    table = ScoreTable.tally(2, codes(0, 0, 0, 1), np.array([[0.2], [0.2], [0.4], [0.9]]))
    assert table.at_shares(np.array([0.25, 0.75])).count.tolist() == pytest.approx([2 / 3, 1 / 3, 3])


ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=30)


def tallied(rows):
    true, predicted, cluster = np.array(rows).T
    return OutcomeTable.tally(3, true, predicted, clusters=ClusterContents.of_rows(cluster))


class TestClusters:
    def test_examples_without_units_count_as_units_of_one_beside_those_with(self):
        with_units = tallied([(0, 0, 0), (0, 1, 0)])
        without = OutcomeTable.tally(3, np.array([0, 0, 0]), np.array([0, 0, 1]))
        both = with_units.plus(without)
        assert both.clusters.n == 4
        right, wrong = ((0, 0), 1), ((0, 1), 1)
        assert contents(both) == {frozenset({right}): 2, frozenset({right, wrong}): 1, frozenset({wrong}): 1}

    def test_counts_as_of_units_are_those_of_one_example_per_unit(self):
        table = tallied([(0, 0, cluster) for cluster in (0, 0, 1, 1)])
        assert table.effective_counts.tolist() == [2.0]
        assert replace(table, clusters=None).effective_counts.tolist() == [4]
        assert tallied([*[(0, 0, 0)] * 4, *[(1, 1, 1)] * 4, (2, 2, 2)]).effective_counts.tolist()[2] == 1

    @given(ROWS)
    def test_the_design_effect_is_what_units_scatter_over_what_examples_would(self, rows):
        true, predicted, cluster = np.array(rows).T
        each = np.eye(9)[3 * true + predicted]
        away = each - each.mean(axis=0)
        by_unit = np.array([away[cluster == number].sum(axis=0) for number in np.unique(cluster)])
        if (away**2).sum() > 0:
            assert tallied(rows).design_effect == pytest.approx(max(1, (by_unit**2).sum() / (away**2).sum()))

    def test_labels_are_problems_of_their_own(self):
        clusters = ClusterContents.of_rows(np.repeat([0, 0, 1, 1], 2))
        absent_or_present = np.tile([0, 2], 4), np.array([0, 3, 0, 3, 1, 2, 1, 2])
        table = OutcomeTable.tally(4, *absent_or_present, multilabel=True, clusters=clusters)
        assert (table.cells_per_example, table.design_effect) == (2, 2)

    def test_units_of_unequal_size_tell_as_much_as_fewer_of_one_size(self):
        assert tallied([(0, 0, cluster) for cluster in (0, 0, 1, 1)]).clusters.n_equal == 2
        assert tallied([(0, 0, cluster) for cluster in (0, 0, 0, 1)]).clusters.n_equal == 16 / 10
