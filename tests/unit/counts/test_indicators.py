import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.preprocessing import MultiLabelBinarizer

from pytest_bayesf1.data.encoding import encode_labels
from tests.unit.refused import assert_refused, case

TABLE = [[1, 0, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1]]
SETS = [{"art", "war"}, set(), {"law"}, {"art", "law", "war"}]
LABELS = ("art", "law", "war")


def encode(y_true, y_pred=None, labels=None):
    return encode_labels({"y_true": y_true, "y_pred": y_true if y_pred is None else y_pred}, labels)


def dense(encoded, name="y_true"):
    return encoded[0][name].toarray().tolist()


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
def test_any_table_of_zeros_and_ones_serves(table):
    encoded = encode(table)
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
def test_any_collections_of_labels_serve(sets):
    encoded = encode(sets, SETS)
    assert dense(encoded) == TABLE
    assert encoded[1:] == (LABELS, "data")


def test_labels_that_are_numbers_come_in_sets():
    encoded = encode([{3, 20}, set(), {100}])
    assert dense(encoded) == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert encoded[1] == (3, 20, 100)


def test_scikit_learn_binarizes_alike():
    binarizer = MultiLabelBinarizer()
    table = binarizer.fit_transform(SETS)
    encoded = encode(table, labels=binarizer.classes_)
    assert dense(encoded) == dense(encode(SETS))
    assert encoded[1] == LABELS
    assert dense(encode(binarizer.inverse_transform(table))) == TABLE


def test_nobody_may_have_a_label_on_one_side():
    encoded = encode(SETS, [[], [], [], []])
    assert dense(encoded, "y_pred") == np.zeros((4, 3)).tolist()


def test_labels_that_one_side_alone_has_are_labels_of_both():
    encoded = encode([{"b"}, {"b"}], [{"c"}, {"a"}])
    assert encoded[1] == ("a", "b", "c")
    assert dense(encoded, "y_pred") == [[0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize("form", [SETS, pd.DataFrame(TABLE, columns=LABELS)], ids=["sets", "frame"])
def test_a_caller_s_order_is_kept(form):
    encoded = encode(form, labels=["war", "art", "law"])
    assert dense(encoded) == [[row[2], row[0], row[1]] for row in TABLE]
    assert encoded[1:] == (("war", "art", "law"), "caller")


def test_a_caller_names_the_columns_of_an_array():
    encoded = encode(TABLE, labels=["x", "y", "z"])
    assert dense(encoded) == TABLE
    assert encoded[1:] == (("x", "y", "z"), "caller")


def test_a_caller_may_name_labels_that_no_set_has():
    assert dense(encode([{"a"}, {"b"}], labels=["b", "c", "a"])) == [[0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize("frame_first", [True, False])
def test_the_columns_of_one_frame_name_those_of_an_array_beside_it(frame_first):
    sides = [pd.DataFrame(TABLE, columns=LABELS), np.array(TABLE)]
    encoded = encode(*(sides if frame_first else reversed(sides)))
    assert dense(encoded, "y_true") == dense(encoded, "y_pred") == TABLE
    assert encoded[1:] == (LABELS, "caller")


def test_frames_with_columns_in_different_orders_agree():
    frame = pd.DataFrame(TABLE, columns=LABELS)
    encoded = encode(frame, frame[["war", "art", "law"]])
    assert dense(encoded, "y_pred") == TABLE
    assert encoded[1] == LABELS


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.coo_array])
def test_a_sparse_table_is_left_as_it_was(kind):
    table = kind((np.array([1, 0, 1]), (np.array([0, 1, 1]), np.array([1, 0, 2]))), shape=(2, 3))
    assert dense(encode(table)) == [[0, 1, 0], [0, 0, 1]]
    assert table.nnz == 3


FORMS = "indicators of shape (N, L), or N sets"


@pytest.mark.parametrize(
    ("call", "where", "expected", "found", "advice"),
    [
        case("scores", lambda: encode([[0.2, 1], [0, 0.7]]), "y_true[0, 0]", "0 or 1", "0.2", "not scores"),
        case("sparse scores", lambda: encode(sparse.csr_array([[0, 1], [0, 0.7]])), "y_true[1, 1]", "0 or 1", "0.7"),
        case("codes", lambda: encode(TABLE, [[1, 0, 3]] * 4), "y_pred[0, 2]", "0 or 1", "3", "in sets"),
        case("nan", lambda: encode([[1, np.nan], [0, 1]]), "y_true[0, 1]", "0 or 1", "nan"),
        case("none", lambda: encode([[1, 0], [None, 1]]), "y_true[1, 0]", "0 or 1", "nan"),
        case("missing", lambda: encode(pd.DataFrame([[1, None]], dtype="Int64")), "y_true", FORMS, "DataFrame"),
        case("ragged numbers", lambda: encode([[0, 1], [1]]), "y_true", FORMS, "rows of different lengths"),
        case("text", lambda: encode(np.array([["a", "b"]])), "y_true", FORMS, "text"),
        case("3-D", lambda: encode(np.zeros((2, 2, 2))), "y_true", FORMS, "shape (2, 2, 2)"),
        case("0-D", lambda: encode(np.array(1)), "y_true", FORMS, "shape ()"),
        case("no column", lambda: encode(np.zeros((3, 0))), "y_true", FORMS, "shape (3, 0)"),
        case("no row", lambda: encode(np.zeros((0, 3))), "y_true", FORMS, "shape (0, 3)"),
        case("no example", lambda: encode([]), "y_true", "at least one example", "an empty sequence"),
        case("classes", lambda: encode(["a", "b"]), "y_true", FORMS, "str for an example", "ConfusionMatrix"),
        case("numbers", lambda: encode([0, 1, 1]), "y_true", FORMS, "int for an example", "ConfusionMatrix"),
        case("numpy's numbers", lambda: encode(np.array([0, 1])), "y_true", FORMS, "int64 for an example"),
        case("a string", lambda: encode("art"), "y_true", FORMS, "str for an example"),
        case("a set", lambda: encode({"art", "war"}), "y_true", FORMS, "set for an example"),
        case("a number", lambda: encode(3), "y_true", FORMS, "int for an example"),
        case("nothing", lambda: encode(None, SETS), "y_true", FORMS, "NoneType for an example"),
        case("a mapping", lambda: encode([{"art": 1}, {"war": 1}]), "y_true", FORMS, "dict for an example"),
        case("no label at all", lambda: encode([set(), set()]), "y_true and y_pred", "at least one label", "none"),
        case("mixed labels", lambda: encode([{"a"}, {1}]), "y_true", "labels of one type", "int, str"),
        case("other labels", lambda: encode([{"1"}], [{1}]), "y_pred", "strings, as in y_true", "integers", "convert"),
        case("a missing label", lambda: encode([{"a", None}, {"b"}]), "y_true", "a label for every", "missing value"),
        case("two forms", lambda: encode(SETS, TABLE), "y_pred", "sets of labels, as in y_true", "indicators"),
        case("two forms turned", lambda: encode(TABLE, SETS), "y_pred", "indicators, as in y_true", "sets of labels"),
        case("fewer rows", lambda: encode(TABLE, TABLE[:3]), "y_pred", "4 examples, as in y_true", "3"),
        case("fewer sets", lambda: encode(SETS, SETS[:3]), "y_pred", "4 examples, as in y_true", "3"),
        case("fewer columns", lambda: encode(TABLE, np.zeros((4, 2))), "y_pred", "3 columns, one per label", "2"),
        case("fewer labels", lambda: encode(TABLE, labels=["a", "b"]), "y_true", "2 columns, one per label", "3"),
        case("unknown labels", lambda: encode(SETS, labels=["art", "law"]), "y_true", "listed in labels", "'war'"),
        case(
            "a label twice", lambda: encode(TABLE, labels=["a", "b", "a"]), "labels", "each label once", "'a' 2 times"
        ),
        case(
            "a column twice",
            lambda: encode(pd.DataFrame(TABLE, columns=["a", "b", "a"])),
            "y_true.columns",
            "each label once",
            "'a' 2 times",
        ),
        case(
            "other columns",
            lambda: encode(pd.DataFrame(TABLE, columns=LABELS), pd.DataFrame(TABLE, columns=("art", "law", "tax"))),
            "y_pred.columns",
            "the same labels everywhere",
            "'tax', 'war' not everywhere",
        ),
        case(
            "another index",
            lambda: encode(pd.DataFrame(TABLE), pd.DataFrame(TABLE, index=[3, 2, 1, 0])),
            "y_pred",
            "the index of y_true",
            "another index",
            "Align them",
        ),
    ],
)
def test_what_does_not_serve_is_an_error_that_helps(call, where, expected, found, advice):
    assert_refused(call, where, expected, found, advice)
