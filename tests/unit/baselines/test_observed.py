import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from pytest_bayesf1 import ConfusionMatrix, Scores
from pytest_bayesf1.baselines.store import observed_scores
from pytest_bayesf1.baselines.store import test_set_columns as columns_of_the_test_set

RNG = np.random.default_rng(0)
TWO, THREE = np.arange(60) % 2, np.arange(60) % 3
OF_TWO, OF_THREE = RNG.random(60), RNG.dirichlet([1, 1, 1], 60)


def test_scores_that_help_a_reviewer():
    assert observed_scores(ConfusionMatrix([[8, 2], [0, 10]])) == {
        "accuracy": 0.9,
        "f1_macro": pytest.approx((16 / 18 + 20 / 22) / 2),
    }
    assert observed_scores(Scores.from_predictions(TWO, OF_TWO)) == {
        "roc_auc": pytest.approx(roc_auc_score(TWO, OF_TWO)),
        "average_precision": pytest.approx(average_precision_score(TWO, OF_TWO)),
    }
    assert observed_scores(Scores.from_predictions(THREE, OF_THREE)) == {
        "roc_auc_ovr": pytest.approx(roc_auc_score(THREE, OF_THREE, multi_class="ovr")),
        "average_precision_macro": pytest.approx(average_precision_score(THREE, OF_THREE)),
    }
    assert observed_scores(Scores.from_values([1, 2, 6])) == {"mean": 3}


def test_what_the_data_leave_undefined_is_left_out():
    assert observed_scores(Scores.from_predictions([1, 1], [0.5, 0.6], labels=[0, 1])) == {}


def test_a_test_set_is_known_without_what_was_said_of_it():
    columns = {
        "id": [1],
        "cluster": [2],
        "y_true": [0],
        "y_score": [0.5],
        "y_score_a": [0.1],
        "value": [1],
        "y_pred": [1],
    }
    assert list(columns_of_the_test_set(columns)) == ["id", "cluster", "y_true"]
