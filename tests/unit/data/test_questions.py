from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1 import InputError, Scores
from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.encoding import encode
from pytest_bayesf1.data.labels import Rows
from pytest_bayesf1.data.questions import moved, pair

NAMES = ("eggs", "ham", "spam")


def of_classes(true, said, **known):
    (found,) = encode(Kind.CLASSES, {"y_true": true, "y_pred": said}, **known).sides
    return found


def of_labels(true, said, **known):
    (found,) = encode(Kind.LABELS, {"y_true": true, "y_pred": said}, NAMES, **known).sides
    return found


def of_spans(true, said, **known):
    (found,) = encode(Kind.SPANS, {"gold": true, "predicted": said}, NAMES, **known).sides
    return found


class TestRows:
    def test_a_long_table_and_a_wide_one_say_the_same(self):
        ids, clusters = ["b", "a", "b", "a"], [2, 1, 2, 1]
        long = of_classes([1, 0, 1, 0], [0, 1, 1, 0], ids=ids, clusters=clusters, runs="samples")
        wide = of_classes([0, 1], [[1, 0], [0, 1]], ids=["a", "b"], clusters=[1, 2], runs="samples")
        assert long.said.tolist() == wide.said.tolist() == [[1, 0, 0, 1]]
        assert long.clusters.tolist() == wide.clusters.tolist() == [1, 2]
        assert long.columns((0, 1)) == wide.columns((0, 1))

    def test_an_example_of_several_rows_is_where_its_first_is(self):
        rows = Rows(unit="line", numbers=[2, 3, 4, 5])
        found = of_classes(
            [1, 0, 1, 0], [0, 1, 1, 0], ids=["b", "a", "b", "a"], runs="samples", rows=rows, show=[*"wxyz"]
        )
        assert [found.rows.place(position) for position in (0, 1)] == ["line 3", "line 2"]
        assert found.shown[0][1].tolist() == ["x", "w"]

    def test_run_ids_tell_the_columns(self):
        said = [0, 1, 2, 3, 4, 5]
        found = of_classes([0, 1] * 3, said, ids=[1, 2] * 3, runs="seeds", run_ids=list("zzxxyy"), labels=range(6))
        assert found.said.tolist() == [[2, 4, 0, 3, 5, 1]]
        assert [table.predicted.tolist() for table in found.trainings(6)] == [[[2, 3]], [[4, 5]], [[0, 1]]]

    def test_an_example_may_have_fewer_samples_than_others(self):
        found = of_classes([0, 1, 0], [1, 0, 0], ids=[1, 2, 1], runs="samples", show=["x", "y", "x"])
        assert found.columns((0, 1))["y_pred"] == [[1, 0], [0]]
        assert (found.n_runs, found.shown[0][1].tolist()) == (2, ["x", "y"])

    @pytest.mark.parametrize(("clusters", "noun"), [(None, "examples"), ([1, 1], "clusters")])
    def test_units_are_called_by_the_name_of_their_column(self, clusters, noun):
        assert of_classes([0, 1], [0, 1], clusters=clusters).cluster_noun == noun

    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            ({"ids": [1, 2]}, "ids: expected 3 ids, one per example, got 2"),
            ({"ids": [1, 2, 1]}, r"1 of 3 is duplicate .*runs .samples or seeds"),
            ({"clusters": [1]}, "clusters: expected 3 clusters, one per example, got 1"),
            ({"runs": "often"}, "runs: expected one of samples, seeds, got 'often'"),
            ({"run_ids": [1, 2, 3]}, "runs: run_ids tell runs apart"),
            ({"runs": "samples"}, r"ids: Nothing says which predictions are of the same example"),
            ({"runs": "seeds", "ids": [1, 1, 1]}, "run_ids: Nothing says which training each prediction is of"),
            ({"runs": "seeds", "ids": [1, 1, 1], "run_ids": [1, 2, 2]}, "run_ids: 1 of 3 is repeated within an id"),
            ({"runs": "samples", "ids": [1, 1, 2], "clusters": [1, 2, 2]}, "clusters: 1 of 3 is unlike an earlier row"),
            ({"runs": "samples", "ids": [1, 2, 1]}, "y_true: 1 of 3 is unlike an earlier row"),
            ({"runs": "samples", "ids": [1, 1, 2], "run_ids": [7, 8, 7]}, "Run 2 has no prediction of 1 example"),
        ],
    )
    def test_columns_that_do_not_serve(self, columns, message):
        with pytest.raises(InputError, match=message):
            of_classes([0, 0, 1], [0, 1, 1], **columns)

    @pytest.mark.parametrize(
        ("said", "message"),
        [
            ([[1, 0], [1, 0]], "expected at least 3 trainings, to estimate how much they vary, got 2"),
            ([[1, 0, 0], [1, 0]], "Training 3 has no prediction of 1 example"),
        ],
    )
    def test_trainings_have_to_be_whole_and_three(self, said, message):
        with pytest.raises(InputError, match=message):
            of_classes([0, 1], said, runs="seeds")


CLASSES = of_classes(["eggs", "ham", "ham", "spam"], ["eggs", "ham", "eggs", "spam"], ids=["d", "b", "c", "a"])
LABELS = of_labels([{"eggs"}, {"eggs", "ham"}, set()], [{"eggs"}, {"ham"}, {"ham"}])
SPANS = of_spans([[(0, 2, "ham")], [], [(3, 5, "spam"), (0, 1, "ham")]], [[(0, 2, "ham")], [(4, 4, "ham")], []])
RUNS_OF_ONE = of_classes(["ham", "eggs", "spam"], [["ham"], ["eggs", "ham"], ["eggs", "spam"]], runs="samples")
CLUSTERED = of_labels([{"eggs"}, {"eggs", "ham"}, set()], [{"eggs"}, {"ham"}, {"ham"}], clusters=[1, 2, 1])
KINDS = {"classes": CLASSES, "labels": LABELS, "clustered": CLUSTERED, "spans": SPANS, "runs": RUNS_OF_ONE}


@pytest.mark.parametrize("questions", KINDS.values(), ids=KINDS)
class TestEveryKind:
    def test_parts_follow_one_another(self, questions):
        parts = [questions.take([at]) for at in range(questions.n_samples)]
        whole = parts[0]
        for part in parts[1:]:
            whole = whole.followed_by(part)
        assert whole.columns(NAMES) == questions.columns(NAMES)
        assert whole.outcomes(3).is_equal(questions.outcomes(3))

    def test_other_labels_say_the_same(self, questions):
        names = ("spam", "new", "eggs", "ham")
        other = questions.relabelled(np.array([2, 3, 0]), 4)
        rows = zip(other.named_truths(names), questions.named_truths(NAMES), strict=True)
        assert all(one == two or sorted(one) == sorted(two) for one, two in rows)
        assert other.errors().tolist() == questions.errors().tolist()
        assert questions.outcomes(3).relabelled([2, 3, 0], 4).is_equal(other.outcomes(4))

    def test_another_truth_is_seen_and_can_be_taken(self, questions):
        order = [1, 0, *range(2, questions.n_samples)]
        other = questions.take(order)
        differs, share = questions.differs(other)
        assert differs.tolist() == [True, True, *[False] * (questions.n_samples - 2)]
        assert 0 < share <= 1
        corrected = questions.with_truth(other)
        assert not corrected.differs(other)[0].any()
        assert corrected.columns(NAMES)["y_pred"] == questions.columns(NAMES)["y_pred"]

    def test_all_may_be_wrong(self, questions):
        wrong = questions.wrong_about(questions, 3)
        assert not wrong.differs(questions)[0].any()
        per_example = [len(each) if questions.is_sparse else 1 for each in questions.named_truths(NAMES)]
        assert wrong.errors().tolist() == per_example


def test_spans_are_called_by_where_they_are():
    named = of_spans([[(3, 5, "ham")], []], [[], [(0, 2, "spam")]], ids=["d1", "d2"])
    assert named.question_ids == ["d1:3-5", "d2:0-2"]
    assert SPANS.question_ids == ["0:0-2", "1:4-4", "2:0-1", "2:3-5"]
    assert CLASSES.question_ids == ["d", "b", "c", "a"]


RUNS = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=4), min_size=1, max_size=6)


def sampled(*sides):
    """Ask about as many examples as all sides have."""
    n = min(map(len, sides))
    return [of_classes([0] * n, runs[:n], runs="samples", labels=range(3)) for runs in sides]


class TestRuns:
    @given(RUNS, RUNS)
    def test_the_runs_of_two_sides_meet_in_every_combination(self, first, second):
        n = min(len(first), len(second))
        both = pair(sampled(first, second)[0], sampled(first, second))
        pairs = zip(both.example.tolist(), *both.said.tolist(), strict=True)
        found = dict(zip(pairs, both.share, strict=True))
        expected = {}
        for position in range(n):
            for said in product(first[position], second[position]):
                key = (position, *said)
                expected[key] = expected.get(key, 0) + 1 / len(first[position]) / len(second[position])
        assert found.keys() == expected.keys()
        for key, share in expected.items():
            np.testing.assert_allclose(found[key], share)

    @given(st.tuples(*[RUNS] * 4))
    def test_of_more_sides_each_keeps_its_own_shares(self, sides):
        n = min(map(len, sides))
        together = pair(sampled(*sides)[0], sampled(*sides))
        assert together.example.size <= sum(len(row) for runs in sides for row in runs[:n])
        for runs, codes in zip(sides, together.said, strict=True):
            found = np.zeros((n, 3))
            np.add.at(found, (together.example, codes), together.share)
            expected = [[row.count(code) / len(row) for code in range(3)] for row in runs[:n]]
            np.testing.assert_allclose(found, expected, atol=2e-6)
            np.testing.assert_allclose(found.sum(axis=1), 1)

    @given(RUNS, RUNS)
    def test_the_runs_of_two_sides_agree_as_far_as_they_can(self, first, second):
        n = min(len(first), len(second))
        example, before, after, share = moved(*sampled(first, second))
        for position in range(n):
            here = example == position
            assert not (before[here] == after[here]).any()
            for code in range(3):
                leaves, comes = (share[here & (side == code)].sum() for side in (before, after))
                had, has = (runs[position].count(code) / len(runs[position]) for runs in (first, second))
                np.testing.assert_allclose([leaves, comes], [max(had - has, 0), max(has - had, 0)], atol=1e-9)


class TestScores:
    def test_the_less_the_true_class_has_the_more_is_lost(self):
        assert Scores.from_predictions([0, 1], [0.25, 0.5]).questions.errors().tolist() == [0.25, -0.5]
        of_three = Scores.from_predictions([0, 1, 2], [[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.2, 0.1, 0.7]])
        assert of_three.questions.errors().tolist() == [-0.5, -0.6, -0.7]

    def test_columns_are_written_in_the_order_of_the_ids(self):
        scores = Scores.from_predictions([0, 1], [0.25, 0.5], ids=["b", "a"], clusters=["x", "y"])
        known = {"id": ["a", "b"], "cluster": ["y", "x"], "y_true": [1, 0]}
        assert scores.questions.columns(scores.labels) == {**known, "y_score": [0.5, 0.25]}
        assert Scores.from_values([2.5, 1.0]).columns() == {"value": [2.5, 1.0]}
        of_three = Scores.from_predictions(["b", "a", "c"], np.eye(3)).columns()
        assert list(of_three) == ["y_true", "y_score_a", "y_score_b", "y_score_c"]


def test_labels_that_nobody_gives_have_no_questions():
    (none,) = encode(Kind.LABELS, {"y_true": [[0, 0], [0, 0]], "y_pred": [[0, 0], [0, 0]]}).sides
    assert none.example.size == 0
    assert pair(none, [none, none]).outcomes(2).label_counts[:, 0, 0, 0].tolist() == [2, 2]
