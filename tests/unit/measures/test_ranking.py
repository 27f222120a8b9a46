import numpy as np
import pytest

from pytest_bayesf1.measures.ranking import average_precision, roc_auc

MASSES = np.array([[[1.0, 0.0, 2.0], [0.5, 0.5, 0.0]], [[1.0, 3.0, 2.5], [1.0, 0.5, 2.0]]])  # positive, total


def pairs(positive, negative):
    """Count pairs one by one: of each positive with each negative, by the place of their score."""
    right = sum(p * n * ((i < j) + 0.5 * (i == j)) for i, p in enumerate(positive) for j, n in enumerate(negative))
    return right / (sum(positive) * sum(negative))


def test_auc_is_the_share_of_pairs_that_are_ranked_rightly():
    positive, total = MASSES
    expected = [pairs(p, t - p) for p, t in zip(positive, total, strict=True)]
    np.testing.assert_allclose(roc_auc(positive, total), expected, rtol=1e-14)


@pytest.mark.parametrize(("positive", "auc"), [([1.0, 1.0, 0.0, 0.0], 1), ([0.0, 0.0, 1.0, 1.0], 0), ([0.5] * 4, 0.5)])
def test_auc_of_a_perfect_an_inverted_and_no_ranking(positive, auc):
    assert roc_auc(np.array([positive]), np.ones((1, 4))).tolist() == [auc]


def test_average_precision_adds_precision_by_recall():
    positive, total = MASSES
    expected = [
        sum(p[k] / p.sum() * p[: k + 1].sum() / t[: k + 1].sum() for k in range(3))
        for p, t in zip(positive, total, strict=True)
    ]
    np.testing.assert_allclose(average_precision(positive, total), expected, rtol=1e-14)
