from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts, Scores
from pytest_bayesf1.data.predictions import NO_RUN, ClassPredictions, Examples, LabelPredictions, combined, moved


class TestExamples:
    def test_rows_are_examples_where_nothing_is_said_of_runs(self):
        examples = Examples.read(3, ["a", "b", "c"], [1, 1, 2])
        assert (examples.n, examples.runs) == (3, None)
        assert examples.in_runs(np.array([5, 6, 7])).tolist() == [5, 6, 7]

    def test_a_long_table_and_a_wide_one_say_the_same(self):
        long = Examples.read(4, ["b", "a", "b", "a"], [2, 1, 2, 1], "samples")
        wide = Examples.read(2, ["a", "b"], [1, 2], "samples", per_row=[2, 2])
        np.testing.assert_array_equal(long.in_runs(np.array([3, 1, 4, 2])), wide.in_runs(np.array([1, 2, 3, 4])))
        assert long.clusters.tolist() == wide.clusters.tolist() == [1, 2]

    def test_run_ids_tell_the_columns(self):
        examples = Examples.read(6, [1, 2] * 3, None, "seeds", ["z", "z", "x", "x", "y", "y"])
        assert examples.in_runs(np.arange(6)).tolist() == [[2, 4, 0], [3, 5, 1]]

    def test_an_example_may_have_fewer_samples_than_others(self):
        assert Examples.read(3, [1, 2, 1], None, "samples").in_runs(np.array([7, 8, 9])).tolist() == [[7, 9], [8, -1]]

    @pytest.mark.parametrize(
        ("clusters", "noun"),
        [(None, "examples"), ([1, 1], "clusters"), (pd.Series([1, 1], name="doc"), "clusters of doc")],
    )
    def test_units_are_called_by_the_name_of_their_column(self, clusters, noun):
        assert Examples.read(2, None, clusters).cluster_noun == noun

    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            ({"ids": [1, 2]}, "ids: expected 3 ids, one per example, got 2"),
            ({"ids": [1, 2, 1]}, r"1 duplicate id: 1\. .*runs: samples.*runs: seeds"),
            ({"clusters": [1]}, "clusters: expected 3 clusters, one per example, got 1"),
            ({"runs": "often"}, "runs: expected one of samples, seeds, got 'often'"),
            ({"run_ids": [1, 2, 3]}, "runs: run_ids tell runs apart"),
            ({"runs": "samples"}, r"ids: Nothing says which predictions are of the same example"),
            ({"runs": "seeds", "ids": [1, 1, 1]}, "run_ids: Nothing says which training each prediction is of"),
            ({"runs": "seeds", "ids": [1, 1, 1], "run_ids": [1, 2, 2]}, "The id 1 has two predictions of the same run"),
            (
                {"runs": "samples", "ids": [1, 1, 2], "clusters": [1, 2, 2]},
                "clusters: expected the same value in every",
            ),
        ],
    )
    def test_columns_that_do_not_serve(self, columns, message):
        given = {"ids": None, "clusters": None} | columns
        with pytest.raises(InputError, match=message):
            Examples.read(3, **given)

    @pytest.mark.parametrize(
        ("predicted", "message"),
        [
            ([[1, 2], [1, 2]], "expected at least 3 trainings, to estimate how much they vary, got 2"),
            ([[1, 2, 0], [1, 2, -1]], "Training 3 has no prediction of 1 example"),
        ],
    )
    def test_trainings_have_to_be_whole_and_three(self, predicted, message):
        examples = Examples.read(2, None, None, "seeds", per_row=[3, 3])
        with pytest.raises(InputError, match=message):
            examples.require_whole_runs(np.array(predicted))


CLASSES = ClassPredictions(np.array([0, 1, 1, 2]), np.array([0, 1, 0, 2]), np.array(["d", "b", "c", "a"]))
LABELS = LabelPredictions(csr_array([[1, 0], [1, 1], [0, 0]]), csr_array([[1, 0], [0, 1], [0, 1]]), None)
NAMES = ("ham", "spam", "eggs")


class TestPredictions:
    def test_another_order_and_other_codes(self):
        reordered = CLASSES.in_order(np.array([3, 0])).relabelled(np.array([2, 1, 0]), 3)
        assert (reordered.y_true.tolist(), reordered.y_pred.tolist()) == ([0, 2], [0, 2])
        assert reordered.ids is not None
        assert reordered.ids.tolist() == ["a", "d"]
        moved = LABELS.relabelled(np.array([2, 0]), 3)
        np.testing.assert_array_equal(moved.y_true.toarray(), [[0, 0, 1], [1, 0, 1], [0, 0, 0]])

    def test_labels_are_tallied_as_problems_of_two_classes(self):
        table = LABELS.tally(2, LABELS)
        assert table.n_samples == 3
        both_say = table.label_counts
        assert both_say.shape == (2, 2, 2, 2)  # label, truth, first, second
        assert both_say[:, 0, 0, 0].tolist() == [1, 1]
        assert both_say[:, 1, 1, 1].tolist() == [1, 1]
        assert both_say[0, 1, 0, 0] == both_say[1, 0, 1, 1] == 1

    @pytest.mark.parametrize(
        ("predictions", "position", "text"),
        [
            (CLASSES, 3, "'eggs' and 'spam'"),
            (LABELS, 1, "{'ham', 'spam'} and {'ham'}"),
            (LABELS, 2, "{} and {'ham', 'spam'}"),
        ],
    )
    def test_the_truths_in_a_message(self, predictions, position, text):
        other = predictions.in_order(np.roll(np.arange(predictions.n_samples), 1))
        assert predictions.difference(other, position, NAMES) == text

    def test_another_truth_is_seen(self):
        assert CLASSES.differs(CLASSES.in_order(np.array([0, 1, 3, 2]))).tolist() == [False, False, True, True]
        assert LABELS.differs(LABELS.in_order(np.array([0, 2, 1]))).tolist() == [False, True, True]


TRUTH = [0, 1, 1, 0, 2, 1, 0, 0, 2, 1, 1, 2, 2, 0, 1, 0, 0, 2, 1, 2, 1, 1, 0, 2, 0, 2, 2, 1, 0, 1]
TWICE = TRUTH * 2
IDS = list(range(60))


def counted(truth, **known):
    return ConfusionMatrix.from_predictions(truth, truth[::-1], **known)


class TestRepetition:
    @pytest.mark.parametrize("times", [2, 5])
    def test_they_are_refused(self, times):
        with pytest.raises(InputError) as caught:
            counted(TRUTH * times)
        assert caught.value.where == "y_true"
        assert caught.value.found == f"The same 30 examples come {times} times, as it seems"
        for answer in ("runs: samples", "runs: seeds", "shape (N, R)", "ids"):
            assert answer in caught.value.advice

    def test_in_pairs_too(self):
        with pytest.raises(InputError, match="The same 30 examples come 2 times"):
            PairedCounts.from_predictions(TWICE, TWICE, TWICE[::-1])

    def test_ids_tell_examples_apart_and_runs_tell_them_together(self):
        assert counted(TWICE, ids=IDS).n_samples == 60
        assert counted(TWICE, ids=IDS[:30] * 2, runs="samples").n_samples == 30
        assert ConfusionMatrix.from_predictions(TRUTH, np.stack([TRUTH, TRUTH], 1), runs="samples").n_samples == 30

    def test_users_who_were_asked_the_same(self):
        assert counted(TWICE, clusters=["x"] * 30 + ["y"] * 30).n_samples == 60
        with pytest.raises(InputError, match="The same 30 examples come 2 times"):
            counted(TWICE, clusters=list("abcdefghij" * 6))

    @pytest.mark.parametrize(
        "truth",
        [[*TWICE, 0], [0, 1] * 50, list(range(30)) * 5, TRUTH[:29] * 4, [*TRUTH, *TRUTH[:29], 0]],
        ids=["one more", "a pattern", "each class in turn", "too short", "the last differs"],
    )
    def test_what_is_no_test_set_that_repeats(self, truth):
        assert counted(truth).n_samples == len(truth)


RUNS = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=4), min_size=1, max_size=6)


def padded(runs):
    width = max(map(len, runs))
    return np.array([row + [NO_RUN] * (width - len(row)) for row in runs])


class TestRuns:
    @given(RUNS, RUNS)
    def test_the_runs_of_two_sides_meet_in_every_combination(self, first, second):
        n = min(len(first), len(second))
        example, predicted, weight = combined([padded(first[:n]), padded(second[:n])])
        pairs = zip(example.tolist(), *(each.tolist() for each in predicted), strict=True)
        found = dict(zip(pairs, weight, strict=True))
        expected = {}
        for position in range(n):
            for pair in product(first[position], second[position]):
                key = (position, *pair)
                expected[key] = expected.get(key, 0) + 1 / len(first[position]) / len(second[position])
        assert found.keys() == expected.keys()
        for key, share in expected.items():
            np.testing.assert_allclose(found[key], share)

    @given(st.tuples(*[RUNS] * 4))
    def test_of_more_sides_each_keeps_its_own_shares(self, sides):
        n = min(map(len, sides))
        example, predicted, weight = combined([padded(runs[:n]) for runs in sides])
        assert example.size <= sum(len(row) for runs in sides for row in runs[:n])
        for runs, codes in zip(sides, predicted, strict=True):
            found = np.zeros((n, 3))
            np.add.at(found, (example, codes), weight)
            expected = [[row.count(code) / len(row) for code in range(3)] for row in runs[:n]]
            np.testing.assert_allclose(found, expected, atol=2e-6)
            np.testing.assert_allclose(found.sum(axis=1), 1)

    def test_one_side_alone_has_a_vote_per_example(self):
        example, (predicted,), weight = combined([np.array([[0, 0, 1], [2, NO_RUN, NO_RUN]])])
        assert (example.tolist(), predicted.tolist()) == ([0, 0, 1], [0, 1, 2])
        np.testing.assert_allclose(weight, [2 / 3, 1 / 3, 1])

    @given(RUNS, RUNS)
    def test_the_runs_of_two_sides_agree_as_far_as_they_can(self, first, second):
        n = min(len(first), len(second))
        example, before, after, share = moved(padded(first[:n]), padded(second[:n]))
        for position in range(n):
            here = example == position
            assert not (before[here] == after[here]).any()
            for code in range(3):
                leaves, comes = (share[here & (side == code)].sum() for side in (before, after))
                had, has = (runs[position].count(code) / len(runs[position]) for runs in (first, second))
                np.testing.assert_allclose([leaves, comes], [max(had - has, 0), max(has - had, 0)], atol=1e-9)


class TestScoredExamples:
    def test_columns_are_written_in_the_order_of_the_ids(self):
        scores = Scores.from_predictions([0, 1], [0.25, 0.5], ids=["b", "a"], clusters=["x", "y"])
        known = {"id": ["a", "b"], "cluster": ["y", "x"], "y_true": [1, 0]}
        assert scores.predictions.columns(scores.labels) == {**known, "y_score": [0.5, 0.25]}

    def test_every_class_has_a_column(self):
        scores = Scores.from_predictions(["b", "a", "c"], np.eye(3))
        assert list(scores.predictions.columns(scores.labels)) == ["y_true", "y_score_a", "y_score_b", "y_score_c"]

    def test_values_have_no_truth(self):
        scores = Scores.from_values([2.5, 1.0])
        assert scores.predictions.columns(scores.labels) == {"value": [2.5, 1.0]}

    def test_relabelling_moves_classes_and_columns(self):
        scores = Scores.from_predictions(["a", "b", "c"], np.diag([1.0, 2.0, 3.0]))
        moved = scores.relabelled(("c", "a", "b"))
        assert moved.predictions.y_true.tolist() == [1, 2, 0]
        np.testing.assert_array_equal(moved.scores, [[0, 1, 0], [0, 0, 2], [3, 0, 0]])
