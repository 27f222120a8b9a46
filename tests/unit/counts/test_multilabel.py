import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import multilabel_confusion_matrix

from pytest_bayesf1 import InputError, MultilabelCounts

Y_TRUE = [{"art", "war"}, {"art"}, set(), {"law"}, {"law", "art"}]
Y_PRED = [{"war"}, {"art"}, {"war"}, {"law"}, {"law"}]
COUNTS = [[[2, 0], [2, 1]], [[3, 0], [0, 2]], [[3, 1], [0, 1]]]
LABELS = ("art", "law", "war")


def indicators(sets):
    return np.array([[label in each for label in LABELS] for each in sets])


def predicted(**options):
    return MultilabelCounts.from_predictions(Y_TRUE, Y_PRED, **options)


def test_decisions_are_counted_label_by_label():
    counts = predicted()
    assert counts.labels == LABELS
    assert counts.n_samples == 5
    assert counts.counts.tolist() == COUNTS


@pytest.mark.parametrize(
    "read",
    [np.asarray, np.ndarray.tolist, lambda table: pd.DataFrame(table, columns=LABELS)],
    ids=["array", "lists", "frame"],
)
def test_indicators_are_counted_alike(read):
    tables = [read(indicators(sets)) for sets in (Y_TRUE, Y_PRED)]
    assert MultilabelCounts.from_predictions(*tables, labels=LABELS) == predicted()


def test_scikit_learn_counts_alike():
    rng = np.random.default_rng(2)
    y_true, y_pred = rng.random((2, 50, 6)) < 0.3
    counts = MultilabelCounts.from_predictions(y_true, y_pred)
    expected = multilabel_confusion_matrix(y_true, y_pred)
    np.testing.assert_array_equal(counts.counts, expected)
    assert counts == MultilabelCounts(expected)


def test_bare_counts_have_positions_for_labels_unless_named():
    assert MultilabelCounts(COUNTS).labels == (0, 1, 2)
    assert MultilabelCounts(COUNTS).labels_from == "position"
    named = MultilabelCounts(COUNTS, labels=LABELS)
    assert named.labels_from == "caller"
    assert named == predicted()


def test_one_label_alone_will_do():
    counts = MultilabelCounts([[[5, 1], [2, 7]]])
    assert counts.n_samples == 15
    assert counts.counts.tolist() == [[[5, 1], [2, 7]]]


def test_predictions_are_kept_for_pairing():
    kept = predicted(ids=[5, 4, 3, 2, 1]).predictions
    assert kept.y_true.toarray().tolist() == indicators(Y_TRUE).astype(int).tolist()
    assert kept.y_pred.toarray().tolist() == indicators(Y_PRED).astype(int).tolist()
    assert kept.ids.tolist() == [5, 4, 3, 2, 1]
    assert MultilabelCounts(COUNTS).predictions is None


def test_relabelling_reorders_and_adds_labels_that_no_example_has():
    counts = predicted().relabelled(("war", "tax", "law", "art"))
    assert counts.counts.tolist() == [COUNTS[2], [[5, 0], [0, 0]], COUNTS[1], COUNTS[0]]
    assert counts.n_samples == 5
    assert counts.predictions.y_true.toarray()[0].tolist() == [1, 0, 0, 1]
    assert counts.predictions.tally(4).label_counts.tolist() == counts.counts.tolist()


def test_counts_are_handed_out_as_copies():
    counts = predicted()
    counts.counts[0] = 7
    assert counts.counts.tolist() == COUNTS


def test_equal_counts_have_equal_cells_and_labels():
    assert predicted() != MultilabelCounts(COUNTS)
    assert predicted() != MultilabelCounts(COUNTS[::-1], labels=LABELS)


def test_repr_tells_sizes_not_cells():
    assert repr(MultilabelCounts(COUNTS)) == "<MultilabelCounts 3 labels, 5 examples>"
    assert repr(predicted()).endswith("5 examples, predictions kept>")


def test_a_wide_table_is_never_made_dense():
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
        (lambda: MultilabelCounts([COUNTS[0], [[9, 9], [9, 9]]]), "counts[1]", "5 examples", "36"),
        (lambda: MultilabelCounts(COUNTS, labels=["a", "b"]), "labels", "3 labels", "2"),
        (lambda: MultilabelCounts(COUNTS, labels=["a", "b", "a"]), "labels", "each label once", "'a' 2 times"),
        (lambda: predicted(ids=[1, 2, 3]), "ids", "5 ids", "3"),
        (lambda: predicted(ids=[1, 2, 3, 3, 4]), "ids", "each id once", "(3)"),
    ],
)
def test_what_does_not_serve_is_an_error(call, where, expected, found):
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.where == where
    assert expected in caught.value.expected
    assert found in caught.value.found
