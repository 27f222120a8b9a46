import numpy as np
from scipy.stats import kstest, norm, t

from pytest_bayesf1.engines.data_draws import ClusterWeights
from pytest_bayesf1.stats.clusters import SmallSample

DRAWS = 20_000


def test_many_units_that_count_for_few_make_a_students_distribution():
    n_clusters, effects = np.full(400, 5.0), np.random.default_rng(0).normal(size=400)
    weights = ClusterWeights(n_clusters, SmallSample(variance=1.5, dof=4.0)).draw(DRAWS, np.random.default_rng(1))
    sums = effects @ (weights - n_clusters[:, None])
    scale = np.sqrt(1.5 * (n_clusters @ effects**2))
    assert kstest(sums / scale, t(4).cdf).statistic < 0.02
    assert kstest(sums / scale, norm.cdf).statistic > 0.03


def test_plain_weights_are_gamma_variables():
    n_clusters = np.array([3.0, 1.0, 2.0])
    weights = ClusterWeights(n_clusters, SmallSample())
    assert n_clusters[weights.order].tolist() == [1, 2, 3]
    drawn = weights.draw(DRAWS, np.random.default_rng(1))
    np.testing.assert_allclose(drawn.mean(axis=1), [1, 2, 3], rtol=0.05)
    np.testing.assert_allclose(drawn.var(axis=1), [1, 2, 3], rtol=0.1)
