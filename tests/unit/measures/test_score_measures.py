"""Pseudo-observations count as real ones do; scikit-learn's figures are compared in tests/reference/test_scores.py."""

import numpy as np
import pytest

from pytest_bayesf1.data.outcomes import ScoreTable
from pytest_bayesf1.measures.ranking import Weighting, scorer

RNG = np.random.default_rng(3)
TRUE = np.repeat([0, 1, 2], 10)
MANY = RNG.dirichlet([1.0, 1.0, 1.0], 30).round(1)
KINDS = {
    "roc_auc": (TRUE.clip(max=1), MANY[:, :1]),
    "average_precision": (TRUE.clip(max=1), MANY[:, :1]),
    "roc_auc_ovr": (TRUE, MANY),
    "average_precision_macro": (TRUE, MANY),
}


@pytest.mark.parametrize("name", KINDS)
def test_an_imagined_example_ranks_where_the_real_one_does_whose_scores_it_has(name):
    true, scores = KINDS[name]
    table = ScoreTable.tally(true.max() + 1, true, scores)
    weights, weight = RNG.random((2, table.count.size)), RNG.random((2, 2))
    alike, of_class = np.array([[0, 7], [3, 3]]), np.array([1, 0])
    found = scorer(name, table, 0)(Weighting(weights, alike, of_class, weight))
    for draw in range(2):
        real = ScoreTable(
            table.n_classes,
            np.append(table.true, of_class),
            np.concatenate([table.scores, table.scores[:, alike[draw]]], axis=1),
            np.append(table.count, [1, 1]),
        )
        all_weights = np.append(weights[draw], weight[draw])[None]
        np.testing.assert_allclose(found[draw], scorer(name, real, 0)(Weighting.of_outcomes(all_weights))[0])


def test_an_imagined_example_has_the_number_of_the_real_one():
    table = ScoreTable.tally(1, np.zeros(3, dtype=int), np.array([[1.0], [2.0], [4.0]]))
    weighting = Weighting(np.array([[1.0, 1.0, 2.0]]), np.array([[2]]), np.array([0]), np.array([[3.0]]))
    assert scorer("mean", table, 0)(weighting).tolist() == [(1 + 2 + 2 * 4 + 3 * 4) / 7]
