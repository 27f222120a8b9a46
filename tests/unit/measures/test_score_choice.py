import numpy as np
import pytest

from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.names import OF_MANY_CLASSES, OF_PROBABILITIES, OF_TWO_CLASSES
from pytest_bayesf1.measures.ranking import parse_score_measure

TWO = Scores.from_predictions([0, 1, 1], [0.2, 0.7, 0.4])
THREE = Scores.from_predictions([0, 1, 2], np.eye(3))
VALUES = Scores.from_values([3, 4])


def parsed(name, scores):
    return parse_score_measure(name, scores.labels, ((scores.table, 0),))


@pytest.mark.parametrize(
    ("scores", "names"),
    [(TWO, (*OF_TWO_CLASSES, *OF_PROBABILITIES)), (THREE, (*OF_MANY_CLASSES, *OF_PROBABILITIES)), (VALUES, ("mean",))],
)
def test_measures_of_each_kind_of_scores(scores, names):
    for name in names:
        assert parsed(name, scores).name == name


@pytest.mark.parametrize(
    ("name", "scores", "expected"),
    [
        ("roc_auc_ovr", TWO, "a measure of scores of 2 classes: roc_auc, .* got 'roc_auc_ovr'"),
        ("f1", TWO, r"Predicted classes take a threshold, as in 'f1@0.5'"),
        ("roc_auc", THREE, "scores of 3 classes: roc_auc_ovr"),
        ("f1_macro", THREE, "scores of 3 classes"),
        ("roc_auc", VALUES, "a number per example: mean"),
        (np.mean, VALUES, "a number per example: mean"),
        ("rocauc", TWO, "Did you mean 'roc_auc'"),
        ("roc_auc", Scores.from_predictions([1, 1], [0.1, 0.2], labels=[0, 1]), "none of class 0 in the test set of"),
        ("neg_log_loss", Scores.from_predictions([0, 1], [0.1, 3]), "from 0 to 1, got 3 by the classifier"),
        ("neg_brier_score", Scores.from_predictions([0, 1, 2], np.ones((3, 3))), "sum to 1, got 3 in all"),
    ],
)
def test_what_is_no_measure_of_these_scores(name, scores, expected):
    with pytest.raises(InputError, match=expected):
        parsed(name, scores)


def test_the_side_that_lacks_something_is_named():
    bad = Scores.from_predictions([0, 1, 1], [0.2, 7, 0.4])
    with pytest.raises(InputError, match="by the candidate"):
        parse_score_measure("neg_log_loss", TWO.labels, ((TWO.table, 0), (bad.table, 0)))


def test_observed_scores():
    assert parsed("roc_auc", TWO).observed(TWO.table, 0) == 1
    assert parsed("mean", VALUES).observed(VALUES.table, 0) == 3.5
