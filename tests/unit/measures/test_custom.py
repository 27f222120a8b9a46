"""Functions that cannot be measures, for they take labels or nothing at all."""

from functools import partial

import numpy as np
import pytest
import sklearn.metrics

from pytest_bayesf1 import InputError, compare
from pytest_bayesf1.measures.classification import require_of_joint_probabilities

COUNTS = [[8, 2], [1, 9]]


def share_right(y_true, y_pred):
    return np.mean(y_true == y_pred)


@pytest.mark.parametrize(
    ("function", "told", "advice"),
    [
        (sklearn.metrics.f1_score, "f1_score, which takes y_true, y_pred", '"f1_macro", or "f1[label]"'),
        (sklearn.metrics.fbeta_score, "fbeta_score, which takes y_true, y_pred, beta", '"fbeta_macro(2)"'),
        (sklearn.metrics.accuracy_score, "accuracy_score, which takes y_true, y_pred", 'measure="accuracy"'),
        (sklearn.metrics.matthews_corrcoef, "matthews_corrcoef, which takes", 'measure="matthews_corrcoef"'),
        (sklearn.metrics.cohen_kappa_score, "cohen_kappa_score, which takes y1, y2", 'measure="cohen_kappa"'),
        (partial(sklearn.metrics.recall_score, average="macro"), "recall_score, which takes", '"recall_macro"'),
        (sklearn.metrics.make_scorer(share_right), "_Scorer, which takes estimator, X, y_true", "There are: accuracy,"),
        (share_right, "share_right, which takes y_true, y_pred", "There are: accuracy,"),
        (lambda: 1.0, "<lambda>, which takes no argument", "There are: accuracy,"),
    ],
)
def test_what_takes_something_else_is_told_what_to_pass(function, told, advice):
    with pytest.raises(InputError, match=r"^measure: expected the name of a measure, or a function of one") as caught:
        compare(COUNTS, COUNTS, measure=function, rope=0.05)
    assert caught.value.found.startswith(told)
    assert advice in caught.value.advice


@pytest.mark.parametrize(
    "function",
    [lambda p: p, lambda p, beta=1: p, lambda *all_of_them: 1, np.linalg.det, np.add.reduce, max, partial(max, 1)],
)
def test_what_can_be_called_with_probabilities_alone_is_let_through(function):
    require_of_joint_probabilities(function)
