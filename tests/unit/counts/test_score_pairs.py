import numpy as np
import pytest

from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.data.paired import align_scores
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.errors import InputError

BASELINE = Scores.from_predictions([0, 1, 1], [0.1, 0.8, 0.4], ids=["a", "b", "c"], clusters=[1, 1, 2])


def test_examples_meet_by_their_ids():
    candidate = Scores.from_predictions([1, 0, 1], [0.5, 0.2, 0.9], ids=["c", "a", "b"], clusters=[2, 1, 1])
    table = Sides(BASELINE, candidate).joint
    assert table.true.tolist() == [0, 1, 1]
    assert table.scores[:, :, 0].tolist() == [[0.1, 0.4, 0.8], [0.2, 0.5, 0.9]]


@pytest.mark.parametrize(
    ("truth", "arguments", "expected"),
    [
        ([0, 1, 0], {"ids": ["a", "b", "c"], "clusters": [1, 1, 2]}, "candidate.y_true"),
        ([0, 1, 1], {"ids": ["a", "b", "c"], "clusters": [1, 2, 2]}, "candidate.clusters"),
        ([0, 1, 1], {"ids": ["a", "b", "c"]}, "candidate.clusters: expected the cluster of every example"),
        ([0, 1, 1], {"ids": ["a", "b", "d"], "clusters": [1, 1, 2]}, "candidate.ids"),
        ([0, 1, 1], {"clusters": [1, 1, 2]}, "candidate.ids"),
    ],
)
def test_both_sides_agree_on_every_example(truth, arguments, expected):
    with pytest.raises(InputError, match=expected):
        Sides(BASELINE, Scores.from_predictions(truth, [0.1, 0.2, 0.3], **arguments)).joint  # noqa: B018


def test_classes_may_come_in_any_order():
    first = Scores.from_predictions(["a", "b", "c"], np.eye(3))
    second = Scores.from_predictions(["a", "b", "c"], np.eye(3)[:, [2, 0, 1]], labels=["c", "a", "b"])
    _, aligned = align_scores(first, second)
    np.testing.assert_array_equal(aligned.scores, first.scores)
    assert aligned.predictions.y_true.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        (Scores.from_predictions([0, 1, 1], [0.1, 0.8, 0.4], positive=0), "candidate: expected scores of 1, .* got 0"),
        (Scores.from_predictions([0, 1, 2], np.eye(3)), "candidate.labels: expected scores of classes 0, 1"),
        (Scores.from_values([0, 1, 2]), "got values without classes"),
    ],
)
def test_both_sides_score_the_same_classes(candidate, expected):
    with pytest.raises(InputError, match=expected):
        align_scores(BASELINE, candidate)
