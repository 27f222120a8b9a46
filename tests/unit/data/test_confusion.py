import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, compare
from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.encoding import encode
from pytest_bayesf1.results.schema import UNREADABLE
from tests.unit.refused import assert_refused, case


class TestClassColumns:
    @pytest.mark.parametrize(
        ("y_pred", "run_ids", "message"),
        [
            ([[0, 1]], None, "y_pred: expected 2 rows of predictions, one per example of y_true, got 1"),
            ([[0, 1], []], None, "y_pred: 1 of 2 is no list of predictions"),
            (np.eye(2, dtype=int), [1, 2], "run_ids: The columns of y_pred, of shape "),
        ],
    )
    def test_rows_of_runs_that_do_not_fit(self, y_pred, run_ids, message):
        with pytest.raises(InputError, match=message):
            ConfusionMatrix.from_predictions([0, 1], y_pred, runs="samples", run_ids=run_ids)

    @pytest.mark.parametrize(
        "answers",
        [
            [["a", None], ["?", "b"], ["b"]],
            np.ma.array([["a", "a"], ["?", "b"], ["b", "b"]], mask=[[0, 1], [0, 0], [0, 0]]),
        ],
    )
    def test_some_runs_could_not_be_read(self, answers):
        matrix = ConfusionMatrix.from_predictions(["a", "b", "b"], answers, runs="samples", invalid="wrong")
        assert matrix.labels == ("a", "b", UNREADABLE)
        assert matrix.table.row_totals.tolist() == [1, 2, 0]
        assert matrix.table.times_predicted.tolist() == [0.5, 1.5, 1]


COUNTS = [[50, 2, 0], [5, 43, 1], [0, 0, 9]]
Y_TRUE = ["ham", "ham", "spam", "spam", "spam"]
Y_PRED = ["ham", "spam", "spam", "spam", "ham"]
HAM_SPAM = [[1, 1], [1, 2]]
LABEL_COUNTS = [[[2, 0], [2, 1]], [[3, 0], [0, 2]], [[3, 1], [0, 1]]]
LABELS = ("art", "law", "war")


class TestConfusion:
    @pytest.mark.parametrize("counts", [[[2**53 - 3, 1], [1, 1]], [[2**53, 0], [0, 0]]])
    def test_the_largest_counts_are_kept_exactly(self, counts):
        matrix = ConfusionMatrix(counts)
        assert (matrix.counts.tolist(), matrix.n_samples) == (counts, 2**53)

    @pytest.mark.parametrize(("make", "counts"), [(ConfusionMatrix, COUNTS), (MultilabelCounts, LABEL_COUNTS)])
    def test_later_changes_do_not_reach_the_counts(self, make, counts):
        given = np.array(counts)
        made = make(given)
        given[0] = 7
        made.counts[0] = 7
        assert made.counts.tolist() == counts

    def test_equal_sides_have_equal_counts_and_labels(self):
        named = ConfusionMatrix(HAM_SPAM, labels=["ham", "spam"])
        assert named == ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)
        assert named != ConfusionMatrix(HAM_SPAM)
        assert named != ConfusionMatrix([[1, 1], [2, 1]], labels=["ham", "spam"])
        assert named != HAM_SPAM

    @pytest.mark.parametrize(
        ("counts", "told"),
        [
            ([[80, 20], [31, 69]], ["row sums to about 100"]),
            ([[80, 31], [20, 69]], ["column sums to about 100"]),
            ([[80, 20], [20, 80]], ["row sums to about 100", "column sums to about 100"]),
            ([[700, 299, 0], [0, 0, 0], [2, 0, 999]], ["row sums to about 1000"]),
            ([[80, 19], [31, 70]], ["row sums to about 100"]),
            ([[80, 22], [31, 69]], []),
            ([[70, 30], [0, 0]], []),
        ],
        ids=["rows", "columns", "both", "per mille", "rounded", "other sums", "one class"],
    )
    def test_counts_that_may_be_shares_are_told(self, counts, told):
        assert [note.partition(",")[0] for note in ConfusionMatrix(counts).notes] == [f"Every {each}" for each in told]


class TestMultilabel:
    def test_bare_counts_have_positions_for_labels_unless_named(self):
        assert MultilabelCounts(LABEL_COUNTS).labels == (0, 1, 2)
        assert ConfusionMatrix(HAM_SPAM).labels == (0, 1)

    def test_a_wide_table_is_never_made_dense(self):
        n_samples, n_labels = 10_000, 300_000  # 3 GB
        sets = [{number, n_labels - 1} for number in range(n_samples)]
        counts = MultilabelCounts.from_predictions(sets, sets, labels=range(n_labels)).counts
        assert counts[0].tolist() == [[n_samples - 1, 0], [0, 1]]
        assert counts[n_samples].tolist() == [[n_samples, 0], [0, 0]]
        assert counts[-1].tolist() == [[0, 0], [0, n_samples]]

    @pytest.mark.parametrize(
        ("call", "where", "expected", "found"),
        [
            (lambda: MultilabelCounts([[1, 2], [3, 4]]), "counts", "for every label, (L, 2, 2)", "shape (2, 2)"),
            (lambda: MultilabelCounts([[[1, -2], [3, 4]]]), "counts", "1 of 4 is negative", "cell [0 0 1]"),
            (lambda: MultilabelCounts([[[1, 2], [3, 0.5]]]), "counts", "no whole number", "0.5"),
            (lambda: MultilabelCounts([*LABEL_COUNTS, [[1, 1], [1, 1]]]), "counts[3]", "5 examples", "4"),
            (lambda: MultilabelCounts(LABEL_COUNTS, labels=["a", "b"]), "labels", "3 labels", "2"),
        ],
    )
    def test_what_does_not_serve_is_an_error(self, call, where, expected, found):
        assert_refused(call, where, expected, found)


SAID_TRUE, PREDICTED = pd.Series(["ham", "ham", "spam", "eggs"]), pd.Series(["ham", "spam", "spam", "ham"])


def table(index, columns, cells=((1, 9), (4, 2))):
    return pd.DataFrame(cells, index=index, columns=columns)


class TestCrosstab:
    @pytest.mark.parametrize(
        ("crosstab", "labels", "counts", "never_true"),
        [
            (pd.crosstab(SAID_TRUE, PREDICTED), ("eggs", "ham", "spam"), [[0, 1, 0], [0, 1, 1], [0, 0, 1]], ()),
            (pd.crosstab(PREDICTED, SAID_TRUE), ("eggs", "ham", "spam"), [[0, 0, 0], [1, 1, 0], [0, 1, 1]], ("eggs",)),
            (table([1, 0], [0, 1]), (1, 0), [[9, 1], [2, 4]], ()),
            (table([1, 0], ["0", "1"]), (1, 0), [[9, 1], [2, 4]], ()),
            (table([1, 0], ["0", "2"]), (0, 1, "2"), [[4, 0, 2], [1, 0, 9], [0, 0, 0]], ("2",)),
        ],
        ids=[
            "a class is never predicted",
            "a class is never true",
            "integers in another order",
            "text",
            "some are text",
        ],
    )
    def test_a_table_that_names_its_classes_keeps_them(self, crosstab, labels, counts, never_true):
        matrix = ConfusionMatrix(crosstab)
        assert (matrix.labels, matrix.counts.tolist(), matrix.labels_from) == (labels, counts, "caller")
        assert [type(label) for label in matrix.labels] == [type(label) for label in labels]
        assert matrix.classes == tuple(label for label in labels if label not in never_true)

    @pytest.mark.parametrize(
        ("crosstab", "where", "found"),
        [
            (table(["a", "a"], ["a", "b"]), "index", "'a' 2 times"),
            (table(["a", "b"], ["b", "b"]), "columns", "'b' 2 times"),
            (table(["a", "b"], ["a", "b"], [[1.5, 2], [3, 4]]), "counts", "1.5"),
            (pd.DataFrame(), "counts", "empty"),
        ],
        ids=["index twice", "columns twice", "fraction", "empty frame"],
    )
    def test_what_is_no_table_of_classes_is_refused(self, crosstab, where, found):
        assert_refused(lambda: compare(crosstab, crosstab, rope=0.1), f"baseline, {where}", found=found)

    TRUTH = pd.Series(list("aabbcabcab") * 6)
    SAID = pd.Series(list("abbbcaccaa") * 6)
    PLAIN = ConfusionMatrix(pd.crosstab(TRUTH, SAID))

    def crosstab(self, rows, columns, **options):
        return pd.crosstab(self.TRUTH.rename(rows), self.SAID.rename(columns), **options)

    @pytest.mark.parametrize(("rows", "columns"), [("y_true", "y_pred"), ("true", "pred"), ("row_0", "y_pred")])
    def test_rows_are_the_truth_and_names_that_say_otherwise_are_refused(self, rows, columns):
        found = ConfusionMatrix(self.crosstab(rows, columns))
        assert (found, found.notes) == (self.PLAIN, ())
        turned = self.crosstab(columns, rows)
        assert_refused(lambda: ConfusionMatrix(turned), "axes", found="The rows are", advice="transpose the table")

    def test_sums_of_few_examples_or_cells_are_a_class(self):
        frame = pd.DataFrame([[1, 2, 3], [4, 22, 26], [5, 24, 29]], list("abc"), list("abc"))
        assert ConfusionMatrix(frame).labels == ("a", "b", "c")
        many = [[2, 2, 4], [4, 22, 26], [6, 24, 30]]
        assert_refused(lambda: ConfusionMatrix(many), "counts", found="2 looks like totals")
        assert ConfusionMatrix([[40, 0, 40], [0, 60, 60], [40, 60, 100]]).n_samples == 400
        assert_refused(lambda: ConfusionMatrix(np.zeros((3, 3), int)), "counts", found="All counts are 0")

    @pytest.mark.parametrize("name", ["All", "xyz", "Summe", "d"])
    @pytest.mark.parametrize("place", ["last", "first", "one column", "one row"])
    @pytest.mark.parametrize("classes", ["abc", "ab"])
    def test_totals_are_refused(self, name, place, classes):
        true, said = (column.where(column.isin([*classes]), "b") for column in (self.TRUTH, self.SAID))
        frame = pd.crosstab(true, said, margins=True, margins_name=name)
        if place == "first":
            frame = frame.loc[[name, *classes], [name, *classes]]
        frame = frame.drop(index=name) if place == "one column" else frame
        frame = frame.drop(columns=name) if place == "one row" else frame
        with pytest.raises(InputError, match=r"looks like totals, .* Leave out totals\."):
            ConfusionMatrix(frame)
        square = frame.reindex(index=[*frame.index], columns=[*frame.index], fill_value=0)
        assert ConfusionMatrix(square.to_numpy(), labels=[*square.index]).n_samples >= 60

    @pytest.mark.parametrize("classes", [["general", "sport"], ["count", "n"], ["row", "all"]])
    def test_classes_that_are_called_as_totals(self, classes):
        frame = pd.DataFrame([[50, 3, 4], [2, 40, 1], [1, 2, 60]], ["x", *classes], ["x", *classes])
        assert ConfusionMatrix(frame).labels == ("x", *classes)


TRUE_OF_THREE, SAID_OF_THREE = ["ham", "ham", "spam"], ["spam", "ham", "spam"]


class TestFromCells:
    def test_the_cells_that_are_not_0(self):
        matrix = ConfusionMatrix([[50, 0, 2], [5, 43, 0], [0, 0, 9]], labels=["b", "a", "c"])
        cells = {"y_true": ["b", "b", "a", "a", "c"], "y_pred": ["b", "c", "b", "a", "c"], "count": [50, 2, 5, 43, 9]}
        assert matrix.cells() == cells
        assert ConfusionMatrix.from_cells(**cells, labels=matrix.labels) == matrix

    @pytest.mark.parametrize(
        ("y_true", "y_pred", "count", "where"),
        [
            (["a", "c"], ["a", "b"], [1, 2], "y_true"),
            (["a", "b"], ["a", "b"], [1, 2, 3], "counts"),
            (["a", "b"], ["a", "b"], 7, "counts"),
        ],
    )
    def test_cells_that_do_not_serve(self, y_true, y_pred, count, where):
        assert_refused(lambda: ConfusionMatrix.from_cells(y_true, y_pred, count, labels=["a", "b"]), where)

    def test_an_examples_labels_are_written_in_the_order_of_the_labels(self):
        counts = MultilabelCounts.from_predictions(
            [{"art", "war"}, set()], [{"law"}, {"art", "law", "war"}], labels=["war", "law", "art"], ids=["b", "a"]
        )
        columns = counts.questions.columns(counts.labels)
        assert (columns["id"], columns["y_true"]) == (["a", "b"], [[], ["war", "art"]])
        assert columns["y_pred"] == [["war", "law", "art"], ["law"]]


TABLE = [[1, 0, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1]]
SETS = [{"art", "war"}, set(), {"law"}, {"art", "law", "war"}]


def read(y_true, y_pred=None, labels=None):
    return encode(Kind.LABELS, {"y_true": y_true, "y_pred": y_true if y_pred is None else y_pred}, labels)


def frame(columns=LABELS):
    return pd.DataFrame(TABLE, columns=columns)


def dense(questions, codes, n_labels=3):
    found = np.zeros((questions.n_samples, n_labels), dtype=int)
    found[questions.example, codes // 2] = codes % 2
    return found.tolist()


def truths(encoded):
    return dense(encoded.sides[0], encoded.sides[0].true, len(encoded.labels))


def answers(encoded):
    return dense(encoded.sides[0], encoded.sides[0].said[0], len(encoded.labels))


FORMS = "indicators of shape (N, L), or N sets"


REFUSED = [
    case("scores", lambda: read([[0.2, 1], [0, 0.7]]), "y_true", "neither 0 nor 1 (0.2", "position 0"),
    case("sparse scores", lambda: read(sparse.csr_array([[0, 1], [0, 0.7]])), "y_true", "nor 1 (0.7", "position 1"),
    case("one twice", lambda: read(sparse.csr_array(([1, 1], [0, 0], [0, 2]))), "y_true", "neither 0 nor 1 (2", "0"),
    case("nan", lambda: read([[1, np.nan], [0, 1]]), "y_true", "neither 0 nor 1 (a missing value", "position 0"),
    case("missing", lambda: read(pd.DataFrame([[1, None]], dtype="Int64")), "y_true", FORMS, "DataFrame"),
    case("ragged numbers", lambda: read([[0, 1], [1]]), "y_true", FORMS, "rows of different lengths"),
    case("no column", lambda: read(np.zeros((3, 0))), "y_true", FORMS, "shape (3, 0)"),
    case("no example", lambda: read([]), "y_true", "at least one example", "an empty sequence"),
    case("numbers", lambda: read([0, 1, 1]), "y_true", "3 of 3 are no list of labels", "1, 0"),
    case("a set", lambda: read({"art", "war"}), "y_true", FORMS, "set"),
    case("a mapping", lambda: read([{"art": 1}, {"war": 1}]), "y_true", "2 of 2 are no list of labels", "art"),
    case("no label", lambda: read([set(), set()]), "y_true and y_pred", "No example has a label", ""),
    case("a missing label", lambda: read([{"a", None}, {"b"}]), "y_true", "1 of 3 is no label", "missing value"),
    case("two forms", lambda: read(SETS, TABLE), "y_pred", "sets of labels, as in y_true", "indicators"),
    case("fewer rows", lambda: read(TABLE, TABLE[:3]), "y_pred", "4 examples, as in y_true", "3"),
    case("fewer columns", lambda: read(TABLE, np.zeros((4, 2))), "y_pred", "3 columns, one per label", "2"),
    case("fewer labels", lambda: read(TABLE, labels=["a", "b"]), "y_true", "2 columns, one per label", "3"),
    case("unknown labels", lambda: read(SETS, labels=["art", "law"]), "y_true", "no label of labels", "'war'"),
    case("a label twice", lambda: read(TABLE, labels=["a", "b", "a"]), "labels", "each label once", "'a' 2 times"),
    case("a column twice", lambda: read(frame(["a", "b", "a"])), "y_true.columns", "each label once", "'a' 2 times"),
    case("other columns", lambda: read(frame(), frame(["art", "law", "tax"])), "y_pred.columns", "only one", "'tax'"),
    case("another index", lambda: read(frame(), frame().iloc[::-1]), "y_pred", "The index is not that of", "", "Align"),
]


class TestIndicators:
    @pytest.mark.parametrize(
        "table",
        [
            TABLE,
            [np.array(row) for row in TABLE],
            np.array(TABLE, dtype=bool),
            np.array(TABLE, dtype=object),
            pd.DataFrame(TABLE, dtype="boolean"),
            sparse.csc_matrix(TABLE),
            sparse.csr_array(([1, 1, 0, 1, 1, 1, 1], [2, 0, 1, 1, 0, 1, 2], [0, 2, 3, 4, 7])),
            sparse.coo_array(np.array(TABLE, dtype=bool)),
        ],
        ids=lambda table: type(table).__name__,
    )
    def test_any_table_of_zeros_and_ones_serves(self, table):
        encoded = read(table)
        assert truths(encoded) == TABLE
        assert encoded.labels == (0, 1, 2)

    @pytest.mark.parametrize(
        "sets",
        [
            SETS,
            [sorted(each) for each in SETS],
            [np.array(sorted(each), dtype=str) for each in SETS],
            pd.Series(SETS),
            np.array([sorted(each) for each in SETS], dtype=object),
            (each for each in SETS),
        ],
        ids=["sets", "lists", "arrays", "series", "objects", "generator"],
    )
    def test_any_collections_of_labels_serve(self, sets):
        encoded = read(sets, SETS)
        assert truths(encoded) == TABLE
        assert encoded[1:3] == (LABELS, "data")

    @pytest.mark.parametrize("form", [SETS, frame()], ids=["sets", "frame"])
    def test_a_caller_s_order_is_kept(self, form):
        encoded = read(form, labels=["war", "art", "law"])
        assert truths(encoded) == [[row[2], row[0], row[1]] for row in TABLE]
        assert encoded[1:3] == (("war", "art", "law"), "caller")

    @pytest.mark.parametrize("frame_first", [True, False])
    def test_the_columns_of_one_frame_name_those_of_an_array_beside_it(self, frame_first):
        sides = [frame(), np.array(TABLE)]
        encoded = read(*(sides if frame_first else reversed(sides)))
        assert truths(encoded) == answers(encoded) == TABLE
        assert encoded[1:3] == (LABELS, "caller")

    @pytest.mark.parametrize(("call", "where", "expected", "found", "advice"), REFUSED)
    def test_what_does_not_serve_is_an_error_that_helps(self, call, where, expected, found, advice):
        assert_refused(call, where, expected, found, advice)
