import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.metrics import f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts, compare
from pytest_bayesf1.data.encoding import as_numbers, encode, encode_labels, is_crosstab, read_crosstab, require_cells
from pytest_bayesf1.data.paired import align
from pytest_bayesf1.errors import UNREADABLE
from tests.unit.refused import assert_refused, case

TRUTH = ["a", "b", "b", "a", "b", "a"]
ANSWERS = ["a", None, "b", "b", "As a language model", "a"]
ANSWERED = [[2, 1, 0], [0, 1, 2], [0, 0, 0]]


def wrong(y_pred, y_true=TRUTH, **options):
    return ConfusionMatrix.from_predictions(y_true, y_pred, invalid="wrong", **options)


def refused(*columns, **options):
    with pytest.raises(InputError) as caught:
        wrong(*columns, **options)
    return caught.value


class TestAnswers:
    def test_they_are_predicted_as_one_class_that_is_never_true(self):
        matrix = wrong(ANSWERS)
        assert matrix.labels == ("a", "b", UNREADABLE)
        assert matrix.classes == ("a", "b")
        assert matrix.counts.tolist() == ANSWERED
        assert repr(UNREADABLE) == str(UNREADABLE) == "(unreadable)"

    @pytest.mark.parametrize(
        "answers",
        [
            pd.Series(ANSWERS),
            pd.Series(ANSWERS, dtype="string"),
            pl.Series(ANSWERS),
            np.array(ANSWERS, dtype=object),
            np.ma.array(["a", "b", "b", "b", "?", "a"], mask=[0, 1, 0, 0, 0, 0]),
            ["a", float("nan"), "b", "b", 7, "a"],
        ],
        ids=["pandas", "nullable", "polars", "objects", "masked", "of several kinds"],
    )
    def test_whatever_holds_them(self, answers):
        assert wrong(answers).counts.tolist() == ANSWERED

    @pytest.mark.parametrize(
        ("truth", "answers"),
        [
            ([0, 1, 1, 0, 1, 0], [0, None, 1, 1, 2, 0]),
            ([0, 1, 1, 0, 1, 0], np.array([0, np.nan, 1, 1, 2, 0])),
            ([0, 1, 1, 0, 1, 0], pd.Series([0, None, 1, 1, 2, 0], dtype="Int64")),
            ([0, 1, 1, 0, 1, 0], [0, "?", 1, 1, "one", 0]),
            ([False, True, True, False, True, False], [False, None, True, True, "yes", False]),
        ],
        ids=["integers", "floats", "nullable integers", "text among integers", "booleans"],
    )
    def test_labels_of_any_kind(self, truth, answers):
        matrix = wrong(answers, truth)
        assert matrix.counts.tolist() == ANSWERED
        assert matrix.labels == (min(truth), max(truth), UNREADABLE)

    def test_the_caller_s_labels_are_the_classes(self):
        matrix = wrong(ANSWERS, labels=["b", "c", "a"])
        assert matrix.labels == ("b", "c", "a", UNREADABLE)
        assert wrong(ANSWERS, labels=matrix.labels) == matrix
        assert refused(ANSWERS, labels=["b", "c"]).where == "y_true"

    def test_it_is_a_class_even_when_all_could_be_read(self):
        assert wrong(TRUTH).labels == ("a", "b", UNREADABLE)

    @pytest.mark.parametrize("answer", [None, "I am sorry, I cannot help with that."])
    def test_no_answer_at_all(self, answer):
        assert wrong([answer] * 6).counts.tolist() == [[0, 0, 3], [0, 0, 3], [0, 0, 0]]

    def test_a_candidate_without_an_answer_is_worse_and_a_baseline_no_baseline(self):
        silent, good = wrong(["What?"] * 6), wrong(TRUTH)
        assert compare(good, silent, rope=0.05).decision == "<<"
        with pytest.raises(InputError, match=r"baseline: expected predictions, .*, got none of 6 answers"):
            compare(silent, good, rope=0.05)

    @pytest.mark.parametrize(
        ("answers", "truth", "expected"),
        [
            (["0", "1", None, "?"], [0, 1, 1, 0], "integers, as in y_true"),
            ([0.3, 0.7, None, 0.5], [0, 1, 1, 0], "class labels"),
            (["1", *(f"0.{digits}" for digits in range(11, 30))], ["1", "0"] * 10, "class labels"),
            (["A", "b", None, "?"], ["a", "b", "b", "a"], "labels that are spelt as in y_true"),
            ([["a"], ["b"], [], []], ["a", "b", "b", "a"], "a 1-D sequence of class labels"),
            (["a", "b", None], ["a", "b", "b", "a"], "4 labels, as in y_true"),
            (["a", "b", None, "b"], ["a", "a", "a", "a"], "at least two classes"),
            (["a", "b", "b", "b"], ["a", "b", None, "b"], "a class label for every example"),
        ],
        ids=["kinds", "numbers", "scores", "spelling", "nested", "lengths", "one class", "truth"],
    )
    def test_what_looks_like_a_mistake_stays_one(self, answers, truth, expected):
        assert expected in refused(answers, truth).expected

    def test_with_listed_labels_too(self):
        assert (
            "labels that are spelt as in labels" in refused(["A", "b", None, "?", "a", "b"], labels=["a", "b"]).expected
        )

    @pytest.mark.parametrize(
        ("answers", "options"), [(ANSWERS, {}), (["a", "b", "?", "b", "b", "a"], {"labels": ["a", "b"]})]
    )
    def test_without_it_they_are_errors_that_name_it(self, answers, options):
        with pytest.raises(InputError) as caught:
            ConfusionMatrix.from_predictions(TRUTH, answers, **options)
        assert 'invalid="wrong"' in caught.value.advice
        with pytest.raises(InputError) as caught:
            ConfusionMatrix.from_predictions(answers, TRUTH, **options)
        assert "invalid" not in caught.value.advice

    def test_another_word_is_refused(self):
        with pytest.raises(InputError, match="invalid: expected one of error, wrong, got 'worng'"):
            ConfusionMatrix.from_predictions(TRUTH, ANSWERS, invalid="worng")

    def test_a_class_of_that_name_is_another(self):
        matrix = wrong(["(unreadable)", None], ["(unreadable)", "a"])
        assert matrix.labels == ("(unreadable)", "a", UNREADABLE)
        assert matrix.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]

    def test_it_survives_copies(self):
        copied = pickle.loads(pickle.dumps(UNREADABLE))  # noqa: S301 (written here)
        assert copied is copy.deepcopy(UNREADABLE) is UNREADABLE

    def test_pairs(self):
        pairs = PairedCounts.from_predictions(TRUTH, TRUTH, ANSWERS, invalid="wrong")
        assert pairs.candidate.counts.tolist() == ANSWERED
        cells = wrong(ANSWERS).cells()
        assert ConfusionMatrix.from_cells(**cells, labels=["a", "b"], invalid="wrong") == wrong(ANSWERS)
        both = PairedCounts.from_cells(["a", "b"], ["a", None], ["a", "b"], [3, 4], labels=["a", "b"], invalid="wrong")
        assert both.baseline.counts.tolist() == [[3, 0, 0], [0, 0, 4], [0, 0, 0]]

    @pytest.mark.parametrize("one", [TRUTH, [0, 1, 1, 0, 1, 0]], ids=["strings", "integers"])
    def test_a_side_without_it_gets_it_and_has_none(self, one):
        answers = ANSWERS if one is TRUTH else [0, None, 1, 1, 2, 0]
        plain, read = ConfusionMatrix.from_predictions(one, one), wrong(answers, one)
        for baseline, candidate in ((plain, read), (read, plain)):
            aligned = align(baseline, candidate)
            assert [side.labels for side in aligned] == [(*plain.labels, UNREADABLE)] * 2
            assert sorted(side.counts[:, 2].sum() for side in aligned) == [0, 2]

    def test_a_side_of_mere_counts_gets_it_too(self):
        aligned, _ = align(ConfusionMatrix([[3, 0], [1, 2]]), wrong(ANSWERS))
        assert aligned.labels == ("a", "b", UNREADABLE)
        assert aligned.counts.tolist() == [[3, 0, 0], [1, 2, 0], [0, 0, 0]]

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.LeakageWarning")
    def test_scores_are_those_of_a_class_that_is_in_no_average(self):
        """scikit-learn averages over the labels that it is given, and counts other predictions as wrong."""
        rng = np.random.default_rng(1)
        truth = rng.integers(3, size=600)
        answers = np.where(rng.random(600) < 0.7, truth, rng.integers(4, size=600))
        result = compare(
            wrong(answers, truth, labels=[0, 1, 2]), wrong(truth, truth, labels=[0, 1, 2]), rope=0.05, n_draws=1_000
        )
        assert result.baseline.observed == pytest.approx(f1_score(truth, answers, labels=[0, 1, 2], average="macro"))
        assert result.labels == (0, 1, 2)

    def test_labels_of_examples_have_no_such_thing(self):
        with pytest.raises(TypeError):
            MultilabelCounts.from_predictions([{"a"}], [{"a"}], invalid="wrong")


SAID_TRUE = ["ham", "ham", "spam", "spam", "eggs"]
PREDICTED = ["ham", "spam", "spam", "spam", "ham"]


class TestCrosstab:
    def test_a_table_with_names_of_its_own_is_one(self):
        assert is_crosstab(pd.crosstab(SAID_TRUE, PREDICTED))
        assert is_crosstab(pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"]))
        assert not is_crosstab(pd.DataFrame([[1, 2], [3, 4]]))
        assert not is_crosstab(np.eye(2))

    @pytest.mark.parametrize(
        ("table", "message"),
        [
            (
                pd.crosstab(SAID_TRUE, PREDICTED, margins=True),
                "last row and column: .* got the totals of the others. Use margins=False",
            ),
            (pd.DataFrame([[1, 2], [3, 4]], index=["a", "a"], columns=["a", "b"]), "index: expected each class once"),
            (pd.DataFrame([[1, 2], [3, 4]], index=["0", "1"], columns=[0, 1]), "columns: expected strings"),
        ],
        ids=["totals", "twice", "kinds"],
    )
    def test_what_is_no_table_of_classes_is_refused(self, table, message):
        with pytest.raises(InputError, match=message):
            read_crosstab(table)


class TestEncoding:
    def test_classes_found_in_the_data_are_sorted(self):
        codes, names = encode({"y_true": ["x", "z"], "y_pred": ["y", "x"]}, None)
        assert names == ("x", "y", "z")
        assert codes["y_true"].tolist() == [0, 2]
        assert codes["y_pred"].tolist() == [1, 0]

    def test_integers_are_sorted_by_value_not_by_spelling(self):
        assert encode({"y": [10, 9, 2]}, None)[1] == (2, 9, 10)

    def test_a_caller_s_order_is_kept(self):
        codes, names = encode({"y_true": ["x", "z"], "y_pred": ["y", "x"]}, ["z", "x", "y"])
        assert names == ("z", "x", "y")
        assert codes["y_true"].tolist() == [1, 0]
        assert codes["y_pred"].tolist() == [2, 1]

    def test_a_caller_may_name_classes_that_do_not_occur(self):
        codes, names = encode({"y": [1, 3, 1]}, [3, 2, 1])
        assert names == (3, 2, 1)
        assert codes["y"].tolist() == [2, 0, 2]

    @pytest.mark.parametrize(("column", "kind"), [(["a", "b"], str), (np.array([1, 2]), int), ([True, False], bool)])
    def test_names_are_plain_python_objects(self, column, kind):
        assert {type(name) for name in encode({"y": column}, None)[1]} == {kind}

    def test_one_class_is_enough_when_the_caller_names_the_others(self):
        codes, _ = encode({"y": ["b", "b"]}, ["a", "b"])
        assert codes["y"].tolist() == [1, 1]

    @pytest.mark.parametrize(("labels", "where"), [(None, "y_true and y_pred"), (["a"], "labels")])
    def test_one_class_alone_is_an_error(self, labels, where):
        with pytest.raises(InputError) as caught:
            encode({"y_true": ["a", "a"], "y_pred": ["a", "a"]}, labels)
        assert caught.value.where == where
        assert caught.value.found == "one class only ('a')"

    def test_errors_name_the_column_that_is_wrong(self):
        with pytest.raises(InputError) as caught:
            encode({"y_true": ["a", "b"], "y_pred": ["a", None]}, None)
        assert caught.value.where == "y_pred"
        assert "position 1" in caught.value.found

    def test_only_a_few_unknown_labels_are_listed(self):
        with pytest.raises(InputError) as caught:
            encode({"y": list(range(20))}, [0, 1])
        assert caught.value.found == "2, 3, 4, 5, 6 and 13 more"


Y_TRUE, Y_PRED = ["ham", "ham", "spam"], ["spam", "ham", "spam"]


class TestFromCells:
    def test_the_cells_that_are_not_0(self):
        matrix = ConfusionMatrix([[50, 0, 2], [5, 43, 0], [0, 0, 9]], labels=["b", "a", "c"])
        cells = {"y_true": ["b", "b", "a", "a", "c"], "y_pred": ["b", "c", "b", "a", "c"], "count": [50, 2, 5, 43, 9]}
        assert matrix.cells() == cells
        assert ConfusionMatrix.from_cells(**cells, labels=matrix.labels) == matrix

    def test_cells_may_come_in_any_order_and_in_parts(self):
        matrix = ConfusionMatrix.from_cells(["b", "a", "b"], ["a", "a", "a"], [1, 0, 2], labels=["a", "b"])
        assert matrix.counts.tolist() == [[0, 0], [3, 0]]
        assert matrix.labels_from == "caller"

    @pytest.mark.parametrize(
        ("y_true", "y_pred", "count", "where"),
        [
            (["a", "b"], ["a", "c"], [1, 2], "y_pred"),
            (["a", "b"], ["a"], [1, 2], "y_pred"),
            (["a", "b"], ["a", "b"], [1, -2], "counts[1]"),
            (["a", "b"], ["a", "b"], [1, 0.5], "counts[1]"),
            (["a", "b"], ["a", "b"], [1, 2, 3], "counts"),
            (["a", "b"], ["a", "b"], [1], "counts"),
            (["a", "b"], ["a", "b"], 7, "counts"),
            (["a", "b"], ["a", "b"], ["1", "2"], "counts"),
        ],
    )
    def test_cells_that_do_not_serve(self, y_true, y_pred, count, where):
        with pytest.raises(InputError) as caught:
            ConfusionMatrix.from_cells(y_true, y_pred, count, labels=["a", "b"])
        assert caught.value.where == where

    def test_joint_outcomes_of_two_classifiers(self):
        pairs = PairedCounts.from_cells(
            ["b", "a", "b", "b"], ["a", "a", "b", "a"], ["b", "a", "a", "b"], [2, 5, 0, 1], labels=["a", "b"]
        )
        assert (pairs.labels, pairs.n_samples) == (("a", "b"), 8)
        assert pairs.baseline.counts.tolist() == [[5, 0], [3, 0]]
        assert pairs.candidate.counts.tolist() == [[5, 0], [0, 3]]
        with pytest.raises(InputError, match="candidate_pred: expected 2 labels, as in y_true"):
            PairedCounts.from_cells(["a", "b"], ["a", "b"], ["a"], [1, 2], labels=["a", "b"])

    def test_every_labels_cells(self):
        counts = MultilabelCounts([[[2, 0], [2, 1]], [[3, 0], [1, 1]]], labels=["war", "art"])
        assert counts.cells() == {"label": ["war", "art"], "tn": [2, 3], "fp": [0, 0], "fn": [2, 1], "tp": [1, 1]}

    def test_examples_without_ids_are_written_in_their_order(self):
        matrix = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)
        assert matrix.predictions.columns(matrix.labels) == {"y_true": Y_TRUE, "y_pred": Y_PRED}

    @pytest.mark.parametrize(("ids", "ordered"), [(["c", "a", "b"], ["a", "b", "c"]), ([10, -3, 9], [-3, 9, 10])])
    def test_examples_with_ids_are_written_in_the_order_of_these(self, ids, ordered):
        matrix = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=ids)
        columns = matrix.predictions.columns(matrix.labels)
        assert columns == {"id": ordered, "y_true": ["ham", "spam", "ham"], "y_pred": ["ham", "spam", "spam"]}
        assert list(columns) == ["id", "y_true", "y_pred"]

    def test_an_examples_labels_are_written_in_the_order_of_the_labels(self):
        counts = MultilabelCounts.from_predictions(
            [{"art", "war"}, set()], [{"law"}, {"art", "law", "war"}], labels=["war", "law", "art"], ids=["b", "a"]
        )
        assert counts.predictions.columns(counts.labels) == {
            "id": ["a", "b"],
            "y_true": [[], ["war", "art"]],
            "y_pred": [["war", "law", "art"], ["law"]],
        }

    def test_names_are_plain_values(self):
        matrix = ConfusionMatrix.from_predictions([True, False], [True, True], ids=[2, 1])
        columns = matrix.predictions.columns(matrix.labels)
        assert [list(map(type, column)) for column in columns.values()] == [[int] * 2, [bool] * 2, [bool] * 2]


TABLE = [[1, 0, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1]]
SETS = [{"art", "war"}, set(), {"law"}, {"art", "law", "war"}]
LABELS = ("art", "law", "war")


def indicators(y_true, y_pred=None, labels=None):
    return encode_labels({"y_true": y_true, "y_pred": y_true if y_pred is None else y_pred}, labels)


def dense(encoded, name="y_true"):
    return encoded[0][name].toarray().tolist()


FORMS = "indicators of shape (N, L), or N sets"


class TestIndicators:
    @pytest.mark.parametrize(
        "table",
        [
            TABLE,
            tuple(map(tuple, TABLE)),
            [np.array(row) for row in TABLE],
            np.array(TABLE),
            np.array(TABLE, dtype=bool),
            np.array(TABLE, dtype=np.uint8),
            np.array(TABLE, dtype=float),
            np.array(TABLE, dtype=object),
            pd.DataFrame(TABLE),
            pd.DataFrame(TABLE, dtype="boolean"),
            sparse.csr_array(TABLE),
            sparse.csc_matrix(TABLE),
            sparse.coo_array(np.array(TABLE, dtype=bool)),
            sparse.csr_matrix(np.array(TABLE, dtype=float)),
        ],
        ids=lambda table: type(table).__name__,
    )
    def test_any_table_of_zeros_and_ones_serves(self, table):
        encoded = indicators(table)
        assert dense(encoded) == TABLE
        assert encoded[1:] == ((0, 1, 2), "position")

    @pytest.mark.parametrize(
        "sets",
        [
            SETS,
            [frozenset(each) for each in SETS],
            [sorted(each) for each in SETS],
            [tuple(each) for each in SETS],
            [np.array(sorted(each), dtype=str) for each in SETS],
            [[*each, *each] for each in SETS],
            pd.Series(SETS),
            np.array([sorted(each) for each in SETS], dtype=object),
            (each for each in SETS),
        ],
        ids=["sets", "frozen", "lists", "tuples", "arrays", "twice", "series", "objects", "generator"],
    )
    def test_any_collections_of_labels_serve(self, sets):
        encoded = indicators(sets, SETS)
        assert dense(encoded) == TABLE
        assert encoded[1:] == (LABELS, "data")

    def test_labels_that_are_numbers_come_in_sets(self):
        encoded = indicators([{3, 20}, set(), {100}])
        assert dense(encoded) == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
        assert encoded[1] == (3, 20, 100)

    def test_scikit_learn_binarizes_alike(self):
        binarizer = MultiLabelBinarizer()
        table = binarizer.fit_transform(SETS)
        encoded = indicators(table, labels=binarizer.classes_)
        assert dense(encoded) == dense(indicators(SETS))
        assert encoded[1] == LABELS
        assert dense(indicators(binarizer.inverse_transform(table))) == TABLE

    def test_nobody_may_have_a_label_on_one_side(self):
        encoded = indicators(SETS, [[], [], [], []])
        assert dense(encoded, "y_pred") == np.zeros((4, 3)).tolist()

    def test_labels_that_one_side_alone_has_are_labels_of_both(self):
        encoded = indicators([{"b"}, {"b"}], [{"c"}, {"a"}])
        assert encoded[1] == ("a", "b", "c")
        assert dense(encoded, "y_pred") == [[0, 0, 1], [1, 0, 0]]

    @pytest.mark.parametrize("form", [SETS, pd.DataFrame(TABLE, columns=LABELS)], ids=["sets", "frame"])
    def test_a_caller_s_order_is_kept(self, form):
        encoded = indicators(form, labels=["war", "art", "law"])
        assert dense(encoded) == [[row[2], row[0], row[1]] for row in TABLE]
        assert encoded[1:] == (("war", "art", "law"), "caller")

    def test_a_caller_names_the_columns_of_an_array(self):
        encoded = indicators(TABLE, labels=["x", "y", "z"])
        assert dense(encoded) == TABLE
        assert encoded[1:] == (("x", "y", "z"), "caller")

    def test_a_caller_may_name_labels_that_no_set_has(self):
        assert dense(indicators([{"a"}, {"b"}], labels=["b", "c", "a"])) == [[0, 0, 1], [1, 0, 0]]

    @pytest.mark.parametrize("frame_first", [True, False])
    def test_the_columns_of_one_frame_name_those_of_an_array_beside_it(self, frame_first):
        sides = [pd.DataFrame(TABLE, columns=LABELS), np.array(TABLE)]
        encoded = indicators(*(sides if frame_first else reversed(sides)))
        assert dense(encoded, "y_true") == dense(encoded, "y_pred") == TABLE
        assert encoded[1:] == (LABELS, "caller")

    def test_frames_with_columns_in_different_orders_agree(self):
        frame = pd.DataFrame(TABLE, columns=LABELS)
        encoded = indicators(frame, frame[["war", "art", "law"]])
        assert dense(encoded, "y_pred") == TABLE
        assert encoded[1] == LABELS

    @pytest.mark.parametrize("kind", [sparse.csr_array, sparse.coo_array])
    def test_a_sparse_table_is_left_as_it_was(self, kind):
        table = kind((np.array([1, 0, 1]), (np.array([0, 1, 1]), np.array([1, 0, 2]))), shape=(2, 3))
        assert dense(indicators(table)) == [[0, 1, 0], [0, 0, 1]]
        assert table.nnz == 3

    @pytest.mark.parametrize(
        ("call", "where", "expected", "found", "advice"),
        [
            case("scores", lambda: indicators([[0.2, 1], [0, 0.7]]), "y_true[0, 0]", "0 or 1", "0.2", "not scores"),
            case(
                "sparse scores",
                lambda: indicators(sparse.csr_array([[0, 1], [0, 0.7]])),
                "y_true[1, 1]",
                "0 or 1",
                "0.7",
            ),
            case("codes", lambda: indicators(TABLE, [[1, 0, 3]] * 4), "y_pred[0, 2]", "0 or 1", "3", "in sets"),
            case("nan", lambda: indicators([[1, np.nan], [0, 1]]), "y_true[0, 1]", "0 or 1", "nan"),
            case("none", lambda: indicators([[1, 0], [None, 1]]), "y_true[1, 0]", "0 or 1", "nan"),
            case("missing", lambda: indicators(pd.DataFrame([[1, None]], dtype="Int64")), "y_true", FORMS, "DataFrame"),
            case("ragged numbers", lambda: indicators([[0, 1], [1]]), "y_true", FORMS, "rows of different lengths"),
            case("text", lambda: indicators(np.array([["a", "b"]])), "y_true", FORMS, "text"),
            case("3-D", lambda: indicators(np.zeros((2, 2, 2))), "y_true", FORMS, "shape (2, 2, 2)"),
            case("0-D", lambda: indicators(np.array(1)), "y_true", FORMS, "shape ()"),
            case("no column", lambda: indicators(np.zeros((3, 0))), "y_true", FORMS, "shape (3, 0)"),
            case("no row", lambda: indicators(np.zeros((0, 3))), "y_true", FORMS, "shape (0, 3)"),
            case("no example", lambda: indicators([]), "y_true", "at least one example", "an empty sequence"),
            case("classes", lambda: indicators(["a", "b"]), "y_true", FORMS, "str for an example", "ConfusionMatrix"),
            case("numbers", lambda: indicators([0, 1, 1]), "y_true", FORMS, "int for an example", "ConfusionMatrix"),
            case("numpy's numbers", lambda: indicators(np.array([0, 1])), "y_true", FORMS, "int64 for an example"),
            case("a string", lambda: indicators("art"), "y_true", FORMS, "str for an example"),
            case("a set", lambda: indicators({"art", "war"}), "y_true", FORMS, "set for an example"),
            case("a number", lambda: indicators(3), "y_true", FORMS, "int for an example"),
            case("nothing", lambda: indicators(None, SETS), "y_true", FORMS, "NoneType for an example"),
            case("a mapping", lambda: indicators([{"art": 1}, {"war": 1}]), "y_true", FORMS, "dict for an example"),
            case(
                "no label at all", lambda: indicators([set(), set()]), "y_true and y_pred", "at least one label", "none"
            ),
            case("mixed labels", lambda: indicators([{"a"}, {1}]), "y_true", "labels of one type", "int, str"),
            case(
                "other labels",
                lambda: indicators([{"1"}], [{1}]),
                "y_pred",
                "strings, as in y_true",
                "integers",
                "convert",
            ),
            case(
                "a missing label",
                lambda: indicators([{"a", None}, {"b"}]),
                "y_true",
                "a label for every",
                "missing value",
            ),
            case("two forms", lambda: indicators(SETS, TABLE), "y_pred", "sets of labels, as in y_true", "indicators"),
            case(
                "two forms turned",
                lambda: indicators(TABLE, SETS),
                "y_pred",
                "indicators, as in y_true",
                "sets of labels",
            ),
            case("fewer rows", lambda: indicators(TABLE, TABLE[:3]), "y_pred", "4 examples, as in y_true", "3"),
            case("fewer sets", lambda: indicators(SETS, SETS[:3]), "y_pred", "4 examples, as in y_true", "3"),
            case(
                "fewer columns", lambda: indicators(TABLE, np.zeros((4, 2))), "y_pred", "3 columns, one per label", "2"
            ),
            case(
                "fewer labels", lambda: indicators(TABLE, labels=["a", "b"]), "y_true", "2 columns, one per label", "3"
            ),
            case(
                "unknown labels", lambda: indicators(SETS, labels=["art", "law"]), "y_true", "listed in labels", "'war'"
            ),
            case(
                "a label twice",
                lambda: indicators(TABLE, labels=["a", "b", "a"]),
                "labels",
                "each label once",
                "'a' 2 times",
            ),
            case(
                "a column twice",
                lambda: indicators(pd.DataFrame(TABLE, columns=["a", "b", "a"])),
                "y_true.columns",
                "each label once",
                "'a' 2 times",
            ),
            case(
                "other columns",
                lambda: indicators(
                    pd.DataFrame(TABLE, columns=LABELS), pd.DataFrame(TABLE, columns=("art", "law", "tax"))
                ),
                "y_pred.columns",
                "the same labels everywhere",
                "'tax', 'war' not everywhere",
            ),
            case(
                "another index",
                lambda: indicators(pd.DataFrame(TABLE), pd.DataFrame(TABLE, index=[3, 2, 1, 0])),
                "y_pred",
                "the index of y_true",
                "another index",
                "Align them",
            ),
        ],
    )
    def test_what_does_not_serve_is_an_error_that_helps(self, call, where, expected, found, advice):
        assert_refused(call, where, expected, found, advice)


class TestNumberArrays:
    @pytest.mark.parametrize(
        "values",
        [[[1, 2], [3, 4]], np.array([[1.0, 2.0], [3.0, 4.0]]), pd.DataFrame([[1, 2], [3, 4]], dtype="Int64")],
        ids=["lists", "numpy", "pandas"],
    )
    def test_what_is_made_of_numbers(self, values):
        array = as_numbers(values, "counts", "numbers")
        assert array.dtype.kind in "iuf"
        assert array.tolist() == [[1, 2], [3, 4]]

    @pytest.mark.parametrize(
        ("values", "found"),
        [
            ([["1", "2"], ["3", "4"]], "text"),
            ([[True, False], [False, True]], "booleans"),
            ([[1, "2"], [3, 4]], "text"),
            (np.array([[1, "2"]], dtype=object), "ndarray"),
            ([[1, 2], [3]], "rows of different lengths"),
            (np.ma.masked_array([[1, 2], [3, 4]], mask=[[0, 0], [0, 1]]), "masked values"),
            ([[1j, 2]], "complex128"),
        ],
    )
    def test_what_is_not(self, values, found):
        with pytest.raises(InputError) as caught:
            as_numbers(values, "counts", "numbers in a square")
        assert (caught.value.where, caught.value.expected, caught.value.found) == (
            "counts",
            "numbers in a square",
            found,
        )

    def test_the_first_cell_that_breaks_a_rule_is_named(self):
        array = np.array([[[1, 2], [3, -4]], [[-5, 6], [7, 8]]])
        with pytest.raises(InputError) as caught:
            require_cells(
                array, "cells", [(array > 9, "at most 9", ""), (array < 0, "no negative one", "Count again.")]
            )
        error = caught.value
        assert (error.where, error.expected, error.found, error.advice) == (
            "cells[0, 1, 1]",
            "no negative one",
            "-4",
            "Count again.",
        )

    def test_cells_that_keep_the_rules_pass(self):
        array = np.arange(4)
        assert require_cells(array, "cells", [(array > 9, "at most 9", "")]) is None
