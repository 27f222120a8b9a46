import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import multilabel_confusion_matrix

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts
from pytest_bayesf1.results.schema import UNREADABLE
from tests.unit.refused import assert_refused


class TestClassColumns:
    def test_runs_in_rows_of_any_length(self):
        found = ConfusionMatrix.from_predictions(["a", "b"], [["a", "b"], ["b"]], runs="samples")
        assert found.labels == ("a", "b")
        assert found.predictions.y_pred.tolist() == [[0, 1], [1, -1]]

    @pytest.mark.parametrize(
        ("y_true", "y_pred", "ids", "message"),
        [
            ([0, 1], [[0, 1]], None, "y_pred: expected 2 rows of predictions, one per example of y_true, got 1"),
            ([0, 1], [[0, 1], []], None, "y_pred: expected a prediction of every example, got none at position 1"),
            (
                [0, 1],
                [0, 1],
                [5, 5],
                "y_true: expected the same value in every row of an example, got several for id 5",
            ),
        ],
    )
    def test_rows_that_contradict_one_another(self, y_true, y_pred, ids, message):
        with pytest.raises(InputError, match=message):
            ConfusionMatrix.from_predictions(y_true, y_pred, ids=ids, runs="samples")

    def test_run_ids_are_for_long_tables(self):
        with pytest.raises(InputError, match="run_ids: expected none with predictions of shape"):
            ConfusionMatrix.from_predictions([0, 1], np.eye(2, dtype=int), runs="samples", run_ids=[1, 2])

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


class TestConfusion:
    @pytest.mark.parametrize(
        "counts",
        [
            COUNTS,
            tuple(map(tuple, COUNTS)),
            np.array(COUNTS, dtype=np.uint8),
            np.array(COUNTS, dtype=float),
            np.array(COUNTS, dtype=object),
            pd.DataFrame(COUNTS, dtype="Int64"),
            ConfusionMatrix(COUNTS),
        ],
        ids=["lists", "tuples", "unsigned", "whole floats", "objects", "nullable", "another matrix"],
    )
    def test_anything_with_whole_numbers_serves(self, counts):
        assert ConfusionMatrix(counts).counts.tolist() == COUNTS

    def test_the_largest_count_is_kept_exactly(self):
        largest = 2**53 - 3
        assert ConfusionMatrix([[largest, 1], [1, 1]]).counts.tolist() == [[largest, 1], [1, 1]]

    def test_one_cell_may_hold_all_there_can_be(self):
        assert ConfusionMatrix([[2**53, 0], [0, 0]]).n_samples == 2**53

    def test_counts_are_handed_out_as_copies(self):
        matrix = ConfusionMatrix(COUNTS)
        matrix.counts[0, 0] = 7
        assert matrix.counts[0, 0] == 50

    def test_later_changes_to_the_input_do_not_reach_the_matrix(self):
        counts = np.array(COUNTS)
        matrix = ConfusionMatrix(counts)
        counts[0, 0] = 7
        assert matrix.counts[0, 0] == 50

    def test_predictions_are_counted_in_the_caller_s_order(self):
        matrix = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, labels=["spam", "eggs", "ham"])
        assert matrix.labels == ("spam", "eggs", "ham")
        assert matrix.counts.tolist() == [[2, 0, 1], [0, 0, 0], [1, 0, 1]]

    def test_predictions_are_kept_for_pairing(self):
        matrix = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=[5, 4, 3, 2, 1])
        assert matrix.predictions.y_true.tolist() == [0, 0, 1, 1, 1]
        assert matrix.predictions.y_pred.tolist() == [0, 1, 1, 1, 0]
        assert matrix.predictions.ids.tolist() == [5, 4, 3, 2, 1]
        assert ConfusionMatrix(COUNTS).predictions is None

    @pytest.mark.parametrize(
        ("matrix", "origin"),
        [
            (ConfusionMatrix(HAM_SPAM), "position"),
            (ConfusionMatrix(HAM_SPAM, labels=["ham", "spam"]), "caller"),
            (ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED), "data"),
            (ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, labels=["ham", "spam"]), "caller"),
        ],
        ids=["bare", "named", "predictions", "predictions and labels"],
    )
    def test_a_matrix_knows_where_its_labels_come_from(self, matrix, origin):
        assert matrix.labels_from == origin

    def test_relabelling_reorders_and_adds_empty_classes(self):
        matrix = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED).relabelled(("spam", "eggs", "ham"))
        assert matrix.labels == ("spam", "eggs", "ham")
        assert matrix.counts.tolist() == [[2, 0, 1], [0, 0, 0], [1, 0, 1]]
        assert matrix.predictions.y_true.tolist() == [2, 2, 0, 0, 0]

    def test_numpy_takes_a_matrix_for_an_array(self):
        matrix = ConfusionMatrix(COUNTS)
        assert np.asarray(matrix).tolist() == COUNTS
        assert np.asarray(matrix).dtype == np.int64
        assert np.asarray(matrix, dtype=float).dtype == float
        assert np.trace(matrix) == 102

    def test_equal_matrices_have_equal_counts_and_labels(self):
        named = ConfusionMatrix(HAM_SPAM, labels=["ham", "spam"])
        assert named == ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)
        assert named != ConfusionMatrix(HAM_SPAM)
        assert named != ConfusionMatrix([[1, 1], [2, 1]], labels=["ham", "spam"])
        assert named != HAM_SPAM

    def test_a_matrix_is_not_hashable(self):
        with pytest.raises(TypeError, match="unhashable"):
            hash(ConfusionMatrix(COUNTS))

    def test_repr_tells_sizes_not_cells(self):
        assert repr(ConfusionMatrix(COUNTS)) == "<ConfusionMatrix 3 classes, 110 examples>"
        assert repr(ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)).endswith("5 examples, predictions kept>")

    def test_paired_counts_know_a_class_that_one_side_alone_predicts(self):
        pairs = PairedCounts.from_predictions(["a", "b"], ["a", "b"], ["a", "c"])
        assert pairs.labels == ("a", "b", "c")
        assert pairs.baseline.counts.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
        assert pairs.candidate.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]

    def test_paired_counts_keep_the_caller_s_order(self):
        pairs = PairedCounts.from_predictions([0, 1], [0, 1], [1, 1], labels=[1, 0])
        assert pairs.labels == (1, 0)
        assert pairs.candidate.counts.tolist() == [[1, 0], [1, 0]]


TRUE_SETS = [{"art", "war"}, {"art"}, set(), {"law"}, {"law", "art"}]
SAID_SETS = [{"war"}, {"art"}, {"war"}, {"law"}, {"law"}]
LABEL_COUNTS = [[[2, 0], [2, 1]], [[3, 0], [0, 2]], [[3, 1], [0, 1]]]
LABELS = ("art", "law", "war")


def indicators(sets):
    return np.array([[label in each for label in LABELS] for each in sets])


def predicted(**options):
    return MultilabelCounts.from_predictions(TRUE_SETS, SAID_SETS, **options)


class TestMultilabel:
    def test_decisions_are_counted_label_by_label(self):
        counts = predicted()
        assert counts.labels == LABELS
        assert counts.n_samples == 5
        assert counts.counts.tolist() == LABEL_COUNTS

    @pytest.mark.parametrize(
        "read",
        [np.asarray, np.ndarray.tolist, lambda table: pd.DataFrame(table, columns=LABELS)],
        ids=["array", "lists", "frame"],
    )
    def test_indicators_are_counted_alike(self, read):
        tables = [read(indicators(sets)) for sets in (TRUE_SETS, SAID_SETS)]
        assert MultilabelCounts.from_predictions(*tables, labels=LABELS) == predicted()

    def test_scikit_learn_counts_alike(self):
        rng = np.random.default_rng(2)
        y_true, y_pred = rng.random((2, 50, 6)) < 0.3
        counts = MultilabelCounts.from_predictions(y_true, y_pred)
        expected = multilabel_confusion_matrix(y_true, y_pred)
        np.testing.assert_array_equal(counts.counts, expected)
        assert counts == MultilabelCounts(expected)

    def test_bare_counts_have_positions_for_labels_unless_named(self):
        assert MultilabelCounts(LABEL_COUNTS).labels == (0, 1, 2)
        assert MultilabelCounts(LABEL_COUNTS).labels_from == "position"
        named = MultilabelCounts(LABEL_COUNTS, labels=LABELS)
        assert named.labels_from == "caller"
        assert named == predicted()

    def test_one_label_alone_will_do(self):
        counts = MultilabelCounts([[[5, 1], [2, 7]]])
        assert counts.n_samples == 15
        assert counts.counts.tolist() == [[[5, 1], [2, 7]]]

    def test_predictions_are_kept_for_pairing(self):
        kept = predicted(ids=[5, 4, 3, 2, 1]).predictions
        assert kept.y_true.toarray().tolist() == indicators(TRUE_SETS).astype(int).tolist()
        assert kept.y_pred.toarray().tolist() == indicators(SAID_SETS).astype(int).tolist()
        assert kept.ids.tolist() == [5, 4, 3, 2, 1]
        assert MultilabelCounts(LABEL_COUNTS).predictions is None

    def test_relabelling_reorders_and_adds_labels_that_no_example_has(self):
        counts = predicted().relabelled(("war", "tax", "law", "art"))
        assert counts.counts.tolist() == [LABEL_COUNTS[2], [[5, 0], [0, 0]], LABEL_COUNTS[1], LABEL_COUNTS[0]]
        assert counts.n_samples == 5
        assert counts.predictions.y_true.toarray()[0].tolist() == [1, 0, 0, 1]
        assert counts.predictions.tally(4).label_counts.tolist() == counts.counts.tolist()

    def test_counts_are_handed_out_as_copies(self):
        counts = predicted()
        counts.counts[0] = 7
        assert counts.counts.tolist() == LABEL_COUNTS

    def test_equal_counts_have_equal_cells_and_labels(self):
        assert predicted() != MultilabelCounts(LABEL_COUNTS)
        assert predicted() != MultilabelCounts(LABEL_COUNTS[::-1], labels=LABELS)

    def test_repr_tells_sizes_not_cells(self):
        assert repr(MultilabelCounts(LABEL_COUNTS)) == "<MultilabelCounts 3 labels, 5 examples>"
        assert repr(predicted()).endswith("5 examples, predictions kept>")

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
            (lambda: MultilabelCounts(np.zeros((0, 2, 2))), "counts", "(L, 2, 2)", "shape (0, 2, 2)"),
            (lambda: MultilabelCounts([[[1, 2], [3]]]), "counts", "(L, 2, 2)", "rows of different lengths"),
            (lambda: MultilabelCounts([[[1, -2], [3, 4]]]), "counts[0, 0, 1]", "no negative count", "-2"),
            (lambda: MultilabelCounts([[[1, 2], [3, 0.5]]]), "counts[0, 1, 1]", "whole numbers", "0.5"),
            (lambda: MultilabelCounts([[[0, 0], [0, 0]]]), "counts", "at least one example", "zeros only"),
            (lambda: MultilabelCounts([[["a", "b"]] * 2]), "counts", "whole numbers", "text"),
            (lambda: MultilabelCounts([LABEL_COUNTS[0], [[9, 9], [9, 9]]]), "counts[1]", "5 examples", "36"),
            (lambda: MultilabelCounts(LABEL_COUNTS, labels=["a", "b"]), "labels", "3 labels", "2"),
            (
                lambda: MultilabelCounts(LABEL_COUNTS, labels=["a", "b", "a"]),
                "labels",
                "each label once",
                "'a' 2 times",
            ),
            (lambda: predicted(ids=[1, 2, 3]), "ids", "5 ids", "3"),
            (lambda: predicted(ids=[1, 2, 3, 3, 4]), "ids", "each id once", "(3)"),
        ],
    )
    def test_what_does_not_serve_is_an_error(self, call, where, expected, found):
        assert_refused(call, where, expected, found)
