"""Columns, wherever they are from: what is declared of them, and what they count as."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, Scores
from pytest_bayesf1.choices import Better, Kind, Runs
from pytest_bayesf1.data.columns import Columns, Schema, answer_columns, kind_of_columns, require_known, value_text

SAID_OF_GOLD = Schema(
    columns=(("id", "key"), ("y_true", "label"), ("gold", "spans"), ("y_pred", "said"), ("value", "score")),
    rows=(("split", "dev"),),
    kind=Kind.LABELS,
    gold_columns=(("id", "doc"),),
    gold_rows=(("split", "test"),),
    clusters="user",
)


class TestSchema:
    def test_the_truth_is_read_as_said_of_it_before_what_is_said_of_all_files(self):
        assert SAID_OF_GOLD.of_gold == Schema(
            columns=(("id", "doc"), ("y_true", "label"), ("gold", "spans")), rows=(("split", "test"),), kind=Kind.LABELS
        )

    def test_what_is_said_of_one_side_comes_before_what_is_said_of_both(self):
        said = Schema(columns=(("y_true", "gold"), ("y_pred", "said")), rows=(("split", "dev"), ("run", "1")))
        own = said.of_side({"y_pred": "new", "id": "key"}, {"run": "2"})
        assert own.columns == (("y_true", "gold"), ("y_pred", "new"), ("id", "key"))
        assert own.rows == (("split", "dev"), ("run", "2"))

    def test_what_is_declared_here_comes_before_what_is_declared_there(self):
        here, there = Schema(clusters="user", runs=Runs.SEEDS), Schema(clusters="page", show=("text",))
        assert here.over(there) == Schema(clusters="user", runs=Runs.SEEDS, show=("text",))
        assert there.over(here) == Schema(clusters="page", runs=Runs.SEEDS, show=("text",))

    def test_names_by_which_columns_are_known(self):
        assert require_known("y_score_ham") == "y_score_ham"
        with pytest.raises(InputError, match=r"got 'y_tru'\. Did you mean 'y_true'"):
            require_known("y_tru")

    @pytest.mark.parametrize(
        ("names", "kind"),
        [
            ("y_true y_pred y_score value gold predicted", Kind.CLASSES),
            ("y_true y_score value", Kind.SCORES),
            ("y_true y_score_a value", Kind.SCORES),
            ("value gold predicted", Kind.VALUES),
            ("gold predicted", Kind.SPANS),
            ("y_true gold", None),
            ("id predicted", None),
        ],
    )
    def test_the_names_of_answers_tell_the_kind(self, names, kind):
        assert kind_of_columns(names.split()) is kind

    def test_answers_are_what_was_predicted_or_how_well(self):
        names = "id y_true y_pred gold predicted y_score y_score_ham value run"
        assert answer_columns(names.split()) == ("y_pred", "predicted", "y_score", "y_score_ham", "value")


TRUE, SAID = list("abbc"), list("abca")


def columns(kind=Kind.CLASSES, values=None, schema=Schema(), **others):  # noqa: B008 (it is frozen)
    found = {"y_true": TRUE, "y_pred": SAID} if values is None else values
    return Columns(found, kind=kind, schema=schema, **others)


class TestCounts:
    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            (columns(labels=list("cbad")), ConfusionMatrix.from_predictions(TRUE, SAID, labels=list("cbad"))),
            (columns(Kind.VALUES, {"value": [3, 1]}, better=Better.LOWER), Scores.from_values([3, 1], better="lower")),
            (
                columns(Kind.COUNTS, {"y_true": list("aab"), "y_pred": list("abc"), "n": [5, "2", 3.0]}),
                ConfusionMatrix([[5, 2, 0], [0, 0, 3], [0, 0, 0]], labels=list("abc")),
            ),
            (
                columns(Kind.COUNTS, {"n": [5, 2, 0, 3]}, labels=list("xy")),
                ConfusionMatrix([[5, 2], [0, 3]], ["x", "y"]),
            ),
        ],
        ids=lambda value: value.kind.value if isinstance(value, Columns) else "",
    )
    def test_as_labels_and_what_is_better_are_known(self, given, expected):
        assert given.counts() == expected
        assert given.counts().classes == expected.classes

    @pytest.mark.parametrize("n", [True, -1, 2.5, "1e3", None, "007"])
    def test_a_number_of_examples_is_whole(self, n):
        with pytest.raises(InputError, match=r"n: 1 of 4 is no whole number of examples .*first at row 2"):
            columns(Kind.COUNTS, {"n": [5, n, 0, 3]}).counts()

    def test_notes_on_reading_come_before_those_on_counting(self):
        found = columns(Kind.VALUES, {"value": [3, None]}, Schema(invalid="wrong"), notes=("from a log",)).counts()
        assert found.notes == ("from a log", "1 value of 2 missing: counted as wrong, as 0.")

    RUNS = {"id": [7, 7, 5, 5], "run": [2, 1, 1, 2], "y_true": list("aabb"), "y_pred": list("bacb")}  # noqa: RUF012

    @pytest.mark.parametrize(("runs", "n_runs"), [(Runs.SAMPLES, 2), (None, 1)])
    def test_runs_are_told_apart_only_where_that_is_declared(self, runs, n_runs):
        values = self.RUNS if runs else self.RUNS | {"id": [1, 2, 3, 4]}
        asked = columns(values=values, schema=Schema(runs=runs)).counts().questions
        assert (asked.runs, asked.n_runs) == (runs, n_runs)
        if runs:
            assert asked.columns(tuple("abc")) == {
                "id": [5, 7],
                "y_true": ["b", "a"],
                "y_pred": [["c", "b"], ["a", "b"]],
            }

    def test_beside_trainings_columns_without_a_run_are_of_one_classifier(self):
        values = {"id": [4, 3, 2, 1], "y_true": TRUE, "y_pred": SAID}
        assert columns(values=values, schema=Schema(runs=Runs.SEEDS)).counts().questions.runs is None
        with pytest.raises(InputError, match="runs: expected at least 3 trainings"):
            columns(values=values | {"run": [1] * 4}, schema=Schema(runs=Runs.SEEDS)).counts()

    def test_clusters_are_told_apart_by_their_text_and_all_that_is_to_be_shown_is_kept(self):
        values = {"y_true": TRUE, "y_pred": SAID, "of": [1.0, 1, "2", "1"], "t": list("wxyz"), "u": list("stuv")}
        asked = columns(values=values, schema=Schema(clusters="of", show=("t", "none", "u"))).counts().questions
        assert asked.clusters.tolist() == ["1", "1", "2", "1"]
        assert [(name, column.tolist()) for name, column in asked.shown] == [("t", list("wxyz")), ("u", list("stuv"))]


class TestRows:
    def test_some_rows_keep_their_lines_whatever_holds_them(self):
        given = columns(values={"x": np.array([1, 2, 3]), "y": ["a", "b", "c"]}, lines=[2, 5, 6]).take([2, 0])
        assert {name: [*values] for name, values in given.values.items()} == {"x": [3, 1], "y": ["c", "a"]}
        assert [given.place(row) for row in (0, 1)] == ["line 6", "line 2"]
        assert [columns().take([2, 0]).place(row) for row in (0, 1)] == ["row 1", "row 2"]

    @pytest.mark.parametrize(
        ("kind", "advice"), [(None, "Declare: kind, or write classes as text."), (Kind.CLASSES, "")]
    )
    def test_lists_are_no_classes_and_a_kind_is_asked_for_unless_it_is_declared(self, kind, advice):
        given = columns(values={"y_true": TRUE, "y_pred": ["a", ["b"], "b", "c"]}, schema=Schema(kind=kind))
        found = "1 of 4 is no class label (['b']; class labels are text, whole numbers or booleans; first at row 2)"
        with pytest.raises(InputError) as caught:
            given.counts()
        assert (caught.value.found, caught.value.advice) == (found, advice)

    @pytest.mark.parametrize(
        ("other", "same"),
        [
            ({"id": ["1", "2"], "x": ["a", "b"]}, True),
            ({"id": [1, 2], "x": ["a", "c"]}, False),
            ({"id": [1, 2], "x": ["a", "b"], "more": [1, 2]}, False),
            ({"id": [1, 2]}, False),
        ],
    )
    def test_rows_are_the_same_as_text(self, other, same):
        assert columns(values={"id": [1, 2], "x": ["a", "b"]}).is_same(columns(values=other)) is same

    def test_each_run_has_columns_of_its_own(self):
        runs = columns(values={"run": ["b", 1.0, "b", "1"], "x": list("wxyz")}, notes=("of all",)).runs()
        assert {name: run.column("x") for name, run in runs.items()} == {"1": ["x", "z"], "b": ["w", "y"]}
        assert [*runs] == ["1", "b"]
        assert runs["b"].notes == ()
        assert columns().runs()[""].column("y_pred") == SAID
        with pytest.raises(InputError, match=r"run: 1 of 2 is no value"):
            columns(values={"run": ["b", None]}).runs()

    @pytest.mark.parametrize(
        ("ids", "runs", "n"), [([1, "1", 1.0, 2, 3, 3], Runs.SAMPLES, 3), ([1, 2, 2], None, 0), (None, Runs.SAMPLES, 0)]
    )
    def test_runs_that_are_missing_are_those_that_other_examples_have_more(self, ids, runs, n):
        assert columns(values={} if ids is None else {"id": ids}, schema=Schema(runs=runs)).n_missing_runs == n

    def test_only_a_single_score_is_about_the_last_of_the_truth_s_own_classes(self):
        scored = columns(values={"y_true": ["10", "9", "10"], "y_score": [1, 0, 1]}, labels=["10", "9"])
        listed = Schema(labels=("10", "9"))
        assert scored.with_own_classes().labels == ["9", "10"]
        assert columns(schema=listed, labels=["c"]).with_own_classes().labels is None
        assert columns(schema=listed).with_own_classes().schema.labels is None

    @pytest.mark.parametrize(
        ("value", "text"),
        [(2.0, "2"), (2, "2"), (2.5, "2.5"), (None, ""), (" ", ""), (float("nan"), ""), ("2.0", "2.0"), (True, "True")],
    )
    def test_whole_numbers_have_one_text(self, value, text):
        assert value_text(value) == text


class TestSlices:
    def test_each_example_has_the_value_of_its_rows_in_the_order_of_the_examples(self):
        values = {
            "id": [9, 10, 9, "10", 8],
            "y_true": list("ababb"),
            "y_pred": list("abbbb"),
            "of": [1, 2.0, 1.0, "2", 3],
        }
        given = columns(values=values, schema=Schema(runs=Runs.SAMPLES))
        side = given.counts()
        assert side.questions.ids.tolist() == [8, 9, 10]
        assert given.slice_values("of", side) == ["3", "1", "2"]
        with pytest.raises(InputError, match="of: 1 of 5 is unlike an earlier row of the id"):
            given.with_values(of=[1, 2, 3, 2, 3]).slice_values("of", side)

    @pytest.mark.parametrize(
        ("values", "told"),
        [
            ({}, "No column 'of' to slice by: found columns 'y_true', 'y_pred'. Declare: columns."),
            (
                {"of": ["a", ["b"], "c", None]},
                "of: 2 of 4 are no value to slice by (['b'], a missing value; first at row 2)",
            ),
            ({"of": np.eye(4)}, "of: 4 of 4 are no value to slice by ([1. 0. 0. 0.]"),
        ],
        ids=["no such column", "nested", "matrix"],
    )
    def test_what_cannot_be_sliced(self, values, told):
        given = columns(values={"y_true": TRUE, "y_pred": SAID} | values, where="here")
        with pytest.raises(InputError) as caught:
            given.slice_values("of", columns().counts())
        assert str(caught.value).startswith(f"here{', ' if told.startswith('of') else ': '}{told}")

    def test_counts_have_none(self):
        given = columns(Kind.COUNTS, {"n": [5, 2, 0, 3], "of": list("wxyz")})
        with pytest.raises(InputError, match="Counts have no slices: only predictions have"):
            given.slice_values("of", given.counts())
