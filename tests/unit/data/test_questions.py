from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1 import InputError, Scores
from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.encoding import encode
from pytest_bayesf1.data.labels import Rows
from pytest_bayesf1.data.questions import excerpts, moved, pair, read_shown
from pytest_bayesf1.measures.formulas import Data
from tests.property.kinds import KINDS

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


every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
of_a_truth = {name: kind for name, kind in KINDS.items() if name != "values"}
with_truth = pytest.mark.parametrize("kind", of_a_truth.values(), ids=of_a_truth)


def made_of(kind, n=60):
    """Draw fewer examples, in clusters of unequal sizes."""
    made = kind.draw(np.random.default_rng(5)).reordered(np.arange(n))
    return replace(made, clusters=np.sqrt(np.arange(n)).astype(int) % 5)


def side_of(kind, made, system=0, at=None):
    """Count examples, with an id and something to show of each: by its number in the whole."""
    at = np.arange(len(made.true)) if at is None else at
    known = {kind.ids: 997 * at % 1_000, "show": {"text": [f"t{each}" for each in at], "more": at.tolist()}}
    return kind.side(made, system, **known)


def held(questions):
    """Return all that questions know, but for what their rows are."""
    known = {
        each.name: getattr(questions, each.name) for each in fields(questions) if each.name not in ("rows", "shown")
    }
    shown = [(name, column.tolist()) for name, column in questions.shown]
    return {name: getattr(value, "tolist", lambda v=value: v)() for name, value in known.items()} | {"shown": shown}


class TestEveryKind:
    """What is done to questions is what they are asked about, had that been done to the columns."""

    @every_kind
    def test_some_examples_in_another_order(self, kind):
        made, at = made_of(kind), np.random.default_rng(1).permutation(60)[:35]
        taken = side_of(kind, made).questions.take(at)
        assert held(taken) == held(side_of(kind, made.reordered(at), at=at).questions)
        assert [taken.rows.place(row) for row in range(35)] == [f"position {each}" for each in at]
        again = taken.take([4, 2])
        assert [again.rows.place(row) for row in (0, 1)] == [f"position {at[4]}", f"position {at[2]}"]

    @every_kind
    def test_parts_that_follow_one_another(self, kind):
        made, at = made_of(kind), np.random.default_rng(1).permutation(60)
        first, second = (side_of(kind, made.reordered(part), at=part).questions for part in (at[:17], at[17:]))
        whole = held(side_of(kind, made.reordered(at), at=at).questions)
        assert held(first.followed_by(second)) == whole | {"shown": []}

    @pytest.mark.parametrize("name", [name for name in KINDS if name not in ("scores", "values")])
    def test_other_labels(self, name):
        kind, made = KINDS[name], made_of(KINDS[name])
        names = [*made.labels[1:], "new", made.labels[0]]
        if name == "scores of three":  # which have a column of each label
            names = [*made.labels[1:], made.labels[0]]
            scores = made.answers[0][:, [made.labels.index(each) for each in names]]
            other = side_of(kind, replace(made, labels=tuple(names), answers=(scores,)))
        else:
            other = side_of(kind, replace(made, labels=tuple(names)))
        side = side_of(kind, made)
        moved = side.questions.relabelled(np.array([names.index(each) for each in made.labels]), len(names))
        assert held(moved) == held(other.questions)
        counted = side.relabelled(tuple(names))
        assert (counted, counted.labels) == (other, tuple(names))

    @with_truth
    def test_another_truth(self, kind):
        made = made_of(kind)
        corrected = replace(made, true=np.concatenate([made.true[2:12], made.true[10:]]))
        side, other = side_of(kind, made).questions, side_of(kind, corrected, 1).questions
        expected = [one != another for one, another in zip(made.true, corrected.true, strict=True)]
        differs, share = side.differs(other)
        assert differs.tolist() == expected
        assert share == pytest.approx(np.mean(expected) if not side.is_sparse else share_by_hand(made, corrected))
        assert held(side.with_truth(other)) == held(side_of(kind, corrected).questions)

    @with_truth
    def test_all_may_be_wrong(self, kind):
        made = made_of(kind)
        side, other = side_of(kind, made).questions, side_of(kind, made, 1).questions
        wrong = side.wrong_about(other, len(made.labels))
        assert not wrong.differs(other)[0].any()
        if kind.data not in (Data.SCORES_OF_TWO, Data.SCORES_OF_MANY):
            assert wrong.errors().tolist() == [len(each) if side.is_sparse else 1 for each in made.true]

    @with_truth
    def test_how_wrong_a_side_is_about_each_example(self, kind):
        made = made_of(kind)
        if kind.data not in (Data.SCORES_OF_TWO, Data.SCORES_OF_MANY):
            pairs = zip(made.true, made.answers[2], strict=True)
            expected = [np.mean(np.ravel(said) != true) if np.ndim(true) == 0 else 0 for true, said in pairs]
            if side_of(kind, made).questions.is_sparse:
                expected = [len({*true} ^ {*said}) for true, said in zip(made.true, made.answers[2], strict=True)]
            assert side_of(kind, made, 2).questions.errors().tolist() == pytest.approx(expected)


def share_by_hand(made, other):
    """Count the labels or spans that one truth alone has, of those of both."""
    pairs = [({*one}, {*another}) for one, another in zip(made.true, other.true, strict=True)]
    return sum(len(one ^ another) for one, another in pairs) / sum(len(one) + len(another) for one, another in pairs)


def test_spans_are_called_by_where_they_are():
    named = of_spans([[(3, 5, "ham")], []], [[], [(0, 2, "spam")]], ids=["d1", "d2"])
    assert named.question_ids == ["d1:3-5", "d2:0-2"]
    unnamed = of_spans([[(0, 2, "ham")], [], [(3, 5, "spam"), (0, 1, "ham")]], [[(0, 2, "ham")], [(4, 4, "ham")], []])
    assert unnamed.question_ids == ["0:0-2", "1:4-4", "2:0-1", "2:3-5"]
    assert of_classes(["ham", "eggs"], ["ham", "ham"], ids=["d", "b"]).question_ids == ["d", "b"]


RUNS = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=4), min_size=1, max_size=6)


def sampled(*sides):
    """Ask about as many examples as all sides have."""
    n = min(map(len, sides))
    return [of_classes([0] * n, runs[:n], runs="samples", labels=range(3)) for runs in sides]


class TestRuns:
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


@pytest.mark.parametrize(
    ("show", "name"), [("a text", "shown"), (pd.Series(["a text"], name="body"), "body"), ({"of": ["a text"]}, "of")]
)
def test_what_is_to_be_shown_has_a_name(show, name):
    ((found, column),) = read_shown(show, 1)
    assert (found, column.tolist()) == (name, ["a text"])


@pytest.mark.parametrize(("length", "shown"), [(200, "x" * 200), (201, f"{'x' * 199}…")])
def test_an_excerpt_has_200_characters(length, shown):
    assert excerpts(read_shown({"a": [" ", "x" * length]}, 2), 1) == (shown,)


def test_labels_that_nobody_gives_have_no_questions():
    (none,) = encode(Kind.LABELS, {"y_true": [[0, 0], [0, 0]], "y_pred": [[0, 0], [0, 0]]}).sides
    assert none.example.size == 0
    assert pair(none, [none, none]).outcomes(2).label_counts[:, 0, 0, 0].tolist() == [2, 2]
