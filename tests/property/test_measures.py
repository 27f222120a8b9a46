import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.measures.names import MEASURE_NAMES
from tests.property.strategies import confusion_matrices, permutations_of

CORRECTED_FOR_CHANCE = ("matthews_corrcoef", "cohen_kappa")
AVERAGES = ("_macro", "_micro", "_weighted")
SYMMETRIC = [
    f"{name}(2)" if name.startswith("fbeta") else name
    for name in MEASURE_NAMES
    if name.endswith(AVERAGES) or name in (*CORRECTED_FOR_CHANCE, "accuracy", "balanced_accuracy", "g_mean")
]


def score(name, counts):
    measure = parse_measure(name, tuple(range(len(counts))))
    return float(measure(Joint.observed(ConfusionMatrix(counts).table, measure.detail)))


@pytest.mark.slow
@pytest.mark.parametrize("name", SYMMETRIC)
@given(counts=confusion_matrices())
def test_scores_have_their_range(name, counts):
    lowest = -1 if name in CORRECTED_FOR_CHANCE else 0
    assert lowest - 1e-12 <= score(name, counts) <= 1 + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("name", SYMMETRIC)
@given(counts=confusion_matrices(), data=st.data())
def test_the_order_of_the_classes_does_not_matter(name, counts, data):
    order = data.draw(permutations_of(len(counts)))
    assert score(name, counts[np.ix_(order, order)]) == pytest.approx(score(name, counts), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", SYMMETRIC)
@given(totals=st.lists(st.integers(1, 50), min_size=2, max_size=5))
def test_a_perfect_classifier_scores_1(name, totals):
    assert score(name, np.diag(totals)) == pytest.approx(1)


@given(confusion_matrices(), st.data())
def test_precision_is_the_recall_of_truth_and_prediction_exchanged(counts, data):
    label = data.draw(st.integers(0, len(counts) - 1))
    assert score(f"precision[{label}]", counts) == pytest.approx(score(f"recall[{label}]", counts.T))
    assert score(f"f1[{label}]", counts) == pytest.approx(score(f"f1[{label}]", counts.T))


@given(confusion_matrices(), st.data())
def test_f1_lies_between_precision_and_recall_and_above_jaccard(counts, data):
    label = data.draw(st.integers(0, len(counts) - 1))
    f1, precision, recall, jaccard = (
        score(f"{name}[{label}]", counts) for name in ("f1", "precision", "recall", "jaccard")
    )
    assert min(precision, recall) - 1e-12 <= f1 <= max(precision, recall) + 1e-12
    assert jaccard == pytest.approx(f1 / (2 - f1))


@given(confusion_matrices())
def test_micro_averages_of_one_label_an_example_are_accuracy(counts):
    accuracy = np.trace(counts) / counts.sum()
    for name in ("accuracy", "f1_micro", "precision_micro", "recall_micro", "fbeta_micro(3)"):
        assert score(name, counts) == pytest.approx(accuracy)


@given(confusion_matrices(), st.integers(2, 9))
def test_scores_are_about_proportions(counts, times):
    for name in ("f1_macro", "matthews_corrcoef", "g_mean"):
        assert score(name, counts * times) == pytest.approx(score(name, counts), abs=1e-9)
