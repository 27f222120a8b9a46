"""At the observed proportions every measure is scikit-learn's score of the same predictions."""

import numpy as np
import pytest
from sklearn import metrics

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.measures.names import MEASURE_NAMES, Detail


def _recalls(true, predicted):
    return metrics.recall_score(true, predicted, average=None, zero_division=0)


def _specificity(true, predicted, *, average, labels, **_):
    """Recall of the negatives, from scikit-learn's own one-versus-rest tables."""
    tables = metrics.multilabel_confusion_matrix(true, predicted, labels=labels)
    tn, fp = tables[:, 0, 0], tables[:, 0, 1]
    if average == "micro":
        return tn.sum() / (tn.sum() + fp.sum())
    support = np.array([np.mean(np.asarray(true) == label) for label in labels])
    return np.average(tn / (tn + fp), weights=support if average == "weighted" else None)


AVERAGED = {
    "f1": metrics.f1_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "jaccard": metrics.jaccard_score,
    "fbeta": lambda *args, **kwargs: metrics.fbeta_score(*args, beta=2, **kwargs),
    "specificity": _specificity,
}
OVERALL = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
    "cohen_kappa": metrics.cohen_kappa_score,
    "g_mean": lambda true, predicted: np.prod(_recalls(true, predicted)) ** (1 / len(np.unique(true))),
}


def score(name, true, predicted, n_classes, detail=Detail.MARGINS):
    measure = parse_measure(name, tuple(range(n_classes)))
    return float(measure(Joint.observed(OutcomeTable.tally(n_classes, true, predicted), detail)))


def random_predictions(seed, n_classes):
    rng = np.random.default_rng(seed)
    true = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, 60)])
    predicted = np.where(rng.random(true.size) < rng.uniform(0.1, 0.95), true, rng.integers(0, n_classes, true.size))
    return true, predicted


CASES = [(seed, n_classes) for seed in range(8) for n_classes in (2, 3, 7, 30)]


@pytest.mark.parametrize(("seed", "n_classes"), CASES)
@pytest.mark.parametrize("base", AVERAGED)
def test_averages(base, seed, n_classes):
    true, predicted = random_predictions(seed, n_classes)
    beta = "(2)" if base == "fbeta" else ""
    for average in ("macro", "micro", "weighted"):
        expected = AVERAGED[base](true, predicted, average=average, labels=range(n_classes), zero_division=0)
        assert score(f"{base}_{average}{beta}", true, predicted, n_classes) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("seed", "n_classes"), CASES)
@pytest.mark.parametrize("base", AVERAGED)
def test_one_class(base, seed, n_classes):
    true, predicted = random_predictions(seed, n_classes)
    beta = "(2)" if base == "fbeta" else ""
    label = n_classes - 1
    if base == "specificity":
        expected = metrics.recall_score(true != label, predicted != label)
    else:
        expected = AVERAGED[base](true, predicted, average=None, labels=[label], zero_division=0)[0]
    assert score(f"{base}{beta}[{label}]", true, predicted, n_classes) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("seed", "n_classes"), CASES)
@pytest.mark.parametrize("name", OVERALL)
def test_overall(name, seed, n_classes):
    true, predicted = random_predictions(seed, n_classes)
    assert score(name, true, predicted, n_classes) == pytest.approx(OVERALL[name](true, predicted), abs=1e-12)


@pytest.mark.parametrize("base", ["f1", "precision", "recall", "jaccard"])
def test_binary_positive_class_is_the_second(base):
    true, predicted = random_predictions(0, 2)
    assert score(base, true, predicted, 2) == pytest.approx(AVERAGED[base](true, predicted), abs=1e-12)


def test_every_named_measure_is_compared_here():
    named = {
        *OVERALL,
        *AVERAGED,
        *(f"{base}_{average}" for base in AVERAGED for average in ("macro", "micro", "weighted")),
    }
    assert set(MEASURE_NAMES) == named | {"answered"}  # which scikit-learn has not


@pytest.mark.parametrize("last", [0, 2], ids=["never predicted", "predicted"])
def test_a_class_that_is_never_true_is_left_out_as_by_labels(last):
    true, predicted = np.array([0, 0, 1, 1]), np.array([0, 0, 1, last])
    for base in ("f1", "precision", "recall", "jaccard"):
        expected = AVERAGED[base](true, predicted, average="macro", labels=[0, 1], zero_division=0)
        assert score(f"{base}_macro", true, predicted, 3) == pytest.approx(expected, abs=1e-12)
        assert score(f"{base}[2]", true, predicted, 3) == 0


def test_one_prediction_for_all_has_no_correlation():
    true, predicted = np.array([0, 1, 2, 1]), np.zeros(4, dtype=int)
    assert score("matthews_corrcoef", true, predicted, 3) == 0
    assert score("cohen_kappa", true, predicted, 3) == pytest.approx(0, abs=1e-12)
