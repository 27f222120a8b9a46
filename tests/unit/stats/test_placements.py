import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from pytest_bayesf1.data.outcomes import ScoreTable
from pytest_bayesf1.stats.clusters import placements

RNG = np.random.default_rng(4)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_their_mean_over_a_class_is_its_area_under_the_curve(n_classes):
    true = np.arange(90) % n_classes
    scores = RNG.random((90, 1 if n_classes == 2 else n_classes)).round(1)
    table = ScoreTable.tally(n_classes, true, scores)
    for code in range(n_classes):
        own = scores[:, 0] * (2 * code - 1) if n_classes == 2 else scores[:, code]
        of_class = table.true == code
        found = np.average(placements(table, 0)[of_class], weights=table.count[of_class])
        assert found == pytest.approx(roc_auc_score(true == code, own))


def test_values_stand_for_themselves():
    table = ScoreTable.tally(1, np.zeros(2, dtype=int), np.array([[3.0], [1.0]]))
    assert placements(table, 0).tolist() == [1, 3]


def test_of_a_class_alone_nothing_is_ranked():
    assert placements(ScoreTable.tally(2, np.ones(2, dtype=int), np.array([[3.0], [1.0]])), 0).tolist() == [0, 0]
