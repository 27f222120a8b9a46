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
from pytest_bayesf1.data.confusion import encode_labels
from pytest_bayesf1.data.labels import encode
from pytest_bayesf1.data.paired import align
from pytest_bayesf1.results.schema import UNREADABLE
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
        sides = (wrong(said, truth, labels=[0, 1, 2]) for said in (answers, truth))
        result = compare(*sides, rope=0.05, n_draws=1_000)
        assert result.baseline.observed == pytest.approx(f1_score(truth, answers, labels=[0, 1, 2], average="macro"))
        assert result.labels == (0, 1, 2)


SAID_TRUE, PREDICTED = pd.Series(["ham", "ham", "spam", "eggs"]), pd.Series(["ham", "spam", "spam", "ham"])


def table(index, columns, cells=((1, 9), (4, 2))):
    return pd.DataFrame(cells, index=index, columns=columns)


class TestCrosstab:
    @pytest.mark.parametrize(
        ("crosstab", "labels", "counts"),
        [
            (pd.crosstab(SAID_TRUE, PREDICTED), ("eggs", "ham", "spam"), [[0, 1, 0], [0, 1, 1], [0, 0, 1]]),
            (pd.crosstab(PREDICTED, SAID_TRUE), ("eggs", "ham", "spam"), [[0, 0, 0], [1, 1, 0], [0, 1, 1]]),
            (table(["b", "a"], ["a", "b"]), ("b", "a"), [[9, 1], [2, 4]]),
            (table([1, 0], [0, 1]), (1, 0), [[9, 1], [2, 4]]),
        ],
        ids=["a class is never predicted", "a class is never true", "columns in another order", "integers are labels"],
    )
    def test_a_table_that_names_its_classes_keeps_them(self, crosstab, labels, counts):
        matrix = ConfusionMatrix(crosstab)
        assert (matrix.labels, matrix.counts.tolist(), matrix.labels_from) == (labels, counts, "caller")

    @pytest.mark.parametrize("wrap", [list, np.array, pd.DataFrame], ids=["lists", "array", "data frame"])
    def test_counts_without_names_have_positions_for_labels(self, wrap):
        matrix = ConfusionMatrix(wrap([[3, 1], [2, 4]]))
        assert (matrix.labels, matrix.counts.tolist(), matrix.labels_from) == ((0, 1), [[3, 1], [2, 4]], "position")

    @pytest.mark.parametrize(
        ("crosstab", "where", "found"),
        [
            (pd.crosstab(SAID_TRUE, PREDICTED, margins=True), "last row and column", "the totals of the others"),
            (table(["a", "a"], ["a", "b"]), "index", "'a' 2 times"),
            (table(["a", "b"], ["b", "b"]), "columns", "'b' 2 times"),
            (table(["0", "1"], [0, 1]), "columns", "integers"),
            (table(["a", "b"], ["a", "b"], [[1.5, 2], [3, 4]]), "counts[0, 0]", "1.5"),
            (pd.DataFrame(), "counts", "empty"),
        ],
        ids=["totals", "index twice", "columns twice", "other labels", "fraction", "empty frame"],
    )
    def test_what_is_no_table_of_classes_is_refused(self, crosstab, where, found):
        advice = "Use margins=False" if "totals" in found else ""
        assert_refused(lambda: compare(crosstab, crosstab, rope=0.1), f"baseline: {where}", found=found, advice=advice)


class TestEncoding:
    def test_classes_found_in_the_data_are_sorted(self):
        codes, names = encode({"y_true": ["x", "z"], "y_pred": ["y", "x"]}, None)
        assert names == ("x", "y", "z")
        assert codes["y_true"].tolist() == [0, 2]
        assert codes["y_pred"].tolist() == [1, 0]

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
        assert_refused(lambda: ConfusionMatrix.from_cells(y_true, y_pred, count, labels=["a", "b"]), where)

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
        columns = counts.predictions.columns(counts.labels)
        assert (columns["id"], columns["y_true"]) == (["a", "b"], [[], ["war", "art"]])
        assert columns["y_pred"] == [["war", "law", "art"], ["law"]]

    def test_names_are_plain_values(self):
        matrix = ConfusionMatrix.from_predictions([True, False], [True, True], ids=[2, 1])
        columns = matrix.predictions.columns(matrix.labels)
        assert [list(map(type, column)) for column in columns.values()] == [[int] * 2, [bool] * 2, [bool] * 2]


TABLE = [[1, 0, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1]]
SETS = [{"art", "war"}, set(), {"law"}, {"art", "law", "war"}]
LABELS = ("art", "law", "war")


def read(y_true, y_pred=None, labels=None):
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
        encoded = read(table)
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
        encoded = read(sets, SETS)
        assert dense(encoded) == TABLE
        assert encoded[1:] == (LABELS, "data")

    def test_labels_that_are_numbers_come_in_sets(self):
        encoded = read([{3, 20}, set(), {100}])
        assert dense(encoded) == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
        assert encoded[1] == (3, 20, 100)

    def test_scikit_learn_binarizes_alike(self):
        binarizer = MultiLabelBinarizer()
        table = binarizer.fit_transform(SETS)
        encoded = read(table, labels=binarizer.classes_)
        assert dense(encoded) == dense(read(SETS))
        assert encoded[1] == LABELS
        assert dense(read(binarizer.inverse_transform(table))) == TABLE

    def test_nobody_may_have_a_label_on_one_side(self):
        encoded = read(SETS, [[], [], [], []])
        assert dense(encoded, "y_pred") == np.zeros((4, 3)).tolist()

    def test_labels_that_one_side_alone_has_are_labels_of_both(self):
        encoded = read([{"b"}, {"b"}], [{"c"}, {"a"}])
        assert encoded[1] == ("a", "b", "c")
        assert dense(encoded, "y_pred") == [[0, 0, 1], [1, 0, 0]]

    @pytest.mark.parametrize("form", [SETS, pd.DataFrame(TABLE, columns=LABELS)], ids=["sets", "frame"])
    def test_a_caller_s_order_is_kept(self, form):
        encoded = read(form, labels=["war", "art", "law"])
        assert dense(encoded) == [[row[2], row[0], row[1]] for row in TABLE]
        assert encoded[1:] == (("war", "art", "law"), "caller")

    def test_a_caller_names_the_columns_of_an_array(self):
        encoded = read(TABLE, labels=["x", "y", "z"])
        assert dense(encoded) == TABLE
        assert encoded[1:] == (("x", "y", "z"), "caller")

    def test_a_caller_may_name_labels_that_no_set_has(self):
        assert dense(read([{"a"}, {"b"}], labels=["b", "c", "a"])) == [[0, 0, 1], [1, 0, 0]]

    @pytest.mark.parametrize("frame_first", [True, False])
    def test_the_columns_of_one_frame_name_those_of_an_array_beside_it(self, frame_first):
        sides = [pd.DataFrame(TABLE, columns=LABELS), np.array(TABLE)]
        encoded = read(*(sides if frame_first else reversed(sides)))
        assert dense(encoded, "y_true") == dense(encoded, "y_pred") == TABLE
        assert encoded[1:] == (LABELS, "caller")

    def test_frames_with_columns_in_different_orders_agree(self):
        frame = pd.DataFrame(TABLE, columns=LABELS)
        encoded = read(frame, frame[["war", "art", "law"]])
        assert dense(encoded, "y_pred") == TABLE
        assert encoded[1] == LABELS

    @pytest.mark.parametrize("kind", [sparse.csr_array, sparse.coo_array])
    def test_a_sparse_table_is_left_as_it_was(self, kind):
        table = kind((np.array([1, 0, 1]), (np.array([0, 1, 1]), np.array([1, 0, 2]))), shape=(2, 3))
        assert dense(read(table)) == [[0, 1, 0], [0, 0, 1]]
        assert table.nnz == 3

    @pytest.mark.parametrize(
        ("call", "where", "expected", "found", "advice"),
        [
            case("scores", lambda: read([[0.2, 1], [0, 0.7]]), "y_true[0, 0]", "0 or 1", "0.2", "not scores"),
            case(
                "sparse scores", lambda: read(sparse.csr_array([[0, 1], [0, 0.7]])), *("y_true[1, 1]", "0 or 1", "0.7")
            ),
            case("codes", lambda: read(TABLE, [[1, 0, 3]] * 4), "y_pred[0, 2]", "0 or 1", "3", "in sets"),
            case("nan", lambda: read([[1, np.nan], [0, 1]]), "y_true[0, 1]", "0 or 1", "nan"),
            case("none", lambda: read([[1, 0], [None, 1]]), "y_true[1, 0]", "0 or 1", "nan"),
            case("missing", lambda: read(pd.DataFrame([[1, None]], dtype="Int64")), "y_true", FORMS, "DataFrame"),
            case("ragged numbers", lambda: read([[0, 1], [1]]), "y_true", FORMS, "rows of different lengths"),
            case("text", lambda: read(np.array([["a", "b"]])), "y_true", FORMS, "text"),
            case("3-D", lambda: read(np.zeros((2, 2, 2))), "y_true", FORMS, "shape (2, 2, 2)"),
            case("0-D", lambda: read(np.array(1)), "y_true", FORMS, "shape ()"),
            case("no column", lambda: read(np.zeros((3, 0))), "y_true", FORMS, "shape (3, 0)"),
            case("no row", lambda: read(np.zeros((0, 3))), "y_true", FORMS, "shape (0, 3)"),
            case("no example", lambda: read([]), "y_true", "at least one example", "an empty sequence"),
            case("classes", lambda: read(["a", "b"]), "y_true", FORMS, "str for an example", "ConfusionMatrix"),
            case("numbers", lambda: read([0, 1, 1]), "y_true", FORMS, "int for an example", "ConfusionMatrix"),
            case("numpy's numbers", lambda: read(np.array([0, 1])), "y_true", FORMS, "int64 for an example"),
            case("a string", lambda: read("art"), "y_true", FORMS, "str for an example"),
            case("a set", lambda: read({"art", "war"}), "y_true", FORMS, "set for an example"),
            case("a number", lambda: read(3), "y_true", FORMS, "int for an example"),
            case("nothing", lambda: read(None, SETS), "y_true", FORMS, "NoneType for an example"),
            case("a mapping", lambda: read([{"art": 1}, {"war": 1}]), "y_true", FORMS, "dict for an example"),
            case("no label", lambda: read([set(), set()]), "y_true and y_pred", "at least one label", "none"),
            case("mixed labels", lambda: read([{"a"}, {1}]), "y_true", "labels of one type", "int, str"),
            case(
                "other labels",
                lambda: read([{"1"}], [{1}]),
                *("y_pred", "strings, as in y_true", "integers", "convert"),
            ),
            case(
                "a missing label", lambda: read([{"a", None}, {"b"}]), *("y_true", "a label for every", "missing value")
            ),
            case("two forms", lambda: read(SETS, TABLE), "y_pred", "sets of labels, as in y_true", "indicators"),
            case(
                "two forms turned", lambda: read(TABLE, SETS), *("y_pred", "indicators, as in y_true", "sets of labels")
            ),
            case("fewer rows", lambda: read(TABLE, TABLE[:3]), "y_pred", "4 examples, as in y_true", "3"),
            case("fewer sets", lambda: read(SETS, SETS[:3]), "y_pred", "4 examples, as in y_true", "3"),
            case("fewer columns", lambda: read(TABLE, np.zeros((4, 2))), "y_pred", "3 columns, one per label", "2"),
            case("fewer labels", lambda: read(TABLE, labels=["a", "b"]), "y_true", "2 columns, one per label", "3"),
            case("unknown labels", lambda: read(SETS, labels=["art", "law"]), "y_true", "listed in labels", "'war'"),
            case(
                "a label twice",
                lambda: read(TABLE, labels=["a", "b", "a"]),
                *("labels", "each label once", "'a' 2 times"),
            ),
            case(
                "a column twice",
                lambda: read(pd.DataFrame(TABLE, columns=["a", "b", "a"])),
                *("y_true.columns", "each label once", "'a' 2 times"),
            ),
            case(
                "other columns",
                lambda: read(pd.DataFrame(TABLE, columns=LABELS), pd.DataFrame(TABLE, columns=("art", "law", "tax"))),
                *("y_pred.columns", "the same labels everywhere", "'tax', 'war' not everywhere"),
            ),
            case(
                "another index",
                lambda: read(pd.DataFrame(TABLE), pd.DataFrame(TABLE, index=[3, 2, 1, 0])),
                *("y_pred", "the index of y_true", "another index", "Align them"),
            ),
        ],
    )
    def test_what_does_not_serve_is_an_error_that_helps(self, call, where, expected, found, advice):
        assert_refused(call, where, expected, found, advice)
