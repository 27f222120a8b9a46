import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from pytest_bayesf1.data.paired import PairedCounts
from pytest_bayesf1.errors import InputError

RNG = np.random.default_rng(1)
TRUTH, OLD, NEW = RNG.integers(0, 3, (3, 60))
PAIRS = PairedCounts.from_predictions(TRUTH, OLD, NEW)


def test_each_side_has_its_own_matrix():
    np.testing.assert_array_equal(PAIRS.baseline.counts, confusion_matrix(TRUTH, OLD))
    np.testing.assert_array_equal(PAIRS.candidate.counts, confusion_matrix(TRUTH, NEW))
    assert PAIRS.n_samples == 60


def test_cells_make_the_same_counts():
    (true, old, new), n = np.unique(np.stack([TRUTH, OLD, NEW]), axis=1, return_counts=True)
    again = PairedCounts.from_cells(true, old, new, n, labels=range(3))
    np.testing.assert_array_equal(again.baseline.counts, PAIRS.baseline.counts)
    np.testing.assert_array_equal(again.candidate.counts, PAIRS.candidate.counts)


def test_a_class_that_one_side_alone_predicts_is_a_class_of_both():
    pairs = PairedCounts.from_predictions(["a", "b"], ["a", "b"], ["a", "c"])
    assert pairs.labels == pairs.baseline.labels == pairs.candidate.labels == ("a", "b", "c")


def test_as_many_predictions_as_examples():
    with pytest.raises(InputError, match="2"):
        PairedCounts.from_predictions([0, 1, 1], [0, 1, 1], [0, 1])
