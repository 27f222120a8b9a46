import numpy as np
import pytest
from scipy import stats
from scipy.stats import kstest, norm, t

from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.engines.data_draws import ClusterWeights, ErrorSums, GammaRows, cluster_weights
from pytest_bayesf1.measures.formulas import Detail
from pytest_bayesf1.stats.clusters import SizeTilt, SmallSample

N_CLASSES = 4
MASS = np.array([[1.0, 2.0, 0.0, 3.0], [0.5, 0.5, 0.5, 0.5]])


@pytest.mark.parametrize("weights", [[1, 1, 1, 1], [5, 1, 2, 1]])
def test_a_mass_is_spread_over_wrong_predictions_by_their_weights(weights):
    spread = np.zeros((len(MASS), N_CLASSES, N_CLASSES))
    for draw, true, predicted in np.ndindex(spread.shape):
        if predicted != true:
            spread[draw, true, predicted] = MASS[draw, true] * weights[predicted] / (sum(weights) - weights[true])
    margins, matrix = (
        ErrorSums(N_CLASSES, 1, detail).spread(MASS, np.array(weights)) for detail in (Detail.MARGINS, Detail.MATRIX)
    )
    np.testing.assert_allclose(matrix.reshape(spread.shape), spread)
    np.testing.assert_allclose(margins, spread.sum(axis=1))


SHAPES = np.array([0.25, 1, 1, 2, 2.5, 3, 4, 5, 6, 40])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_row_is_of_its_shape(dtype):
    rows = GammaRows(SHAPES).draw(30_000, np.random.default_rng(0), dtype)
    assert (rows.dtype, rows.shape) == (dtype, (SHAPES.size, 30_000))
    for shape, row in zip(SHAPES, rows, strict=True):
        assert stats.kstest(row, stats.gamma(shape).cdf).pvalue > 1e-4  # 20 tests: one false alarm in 500 seeds


def test_rows_of_equal_shapes_are_independent():
    rows = GammaRows(np.repeat([1, 3], 60)).draw(4_000, np.random.default_rng(1))
    correlations = np.corrcoef(rows)[np.triu_indices(120, 1)]
    assert abs(correlations).max() < 5.2 / np.sqrt(4_000)  # of 7,140: one false alarm in 700 seeds


DRAWS = 20_000


def test_many_units_that_count_for_few_make_a_students_distribution():
    n_clusters, effects = np.full(400, 5.0), np.random.default_rng(0).normal(size=400)
    weights = ClusterWeights(
        n_clusters, SmallSample(variance=1.5, dof=4.0), SizeTilt.of(np.ones(400), n_clusters)
    ).draw(DRAWS, np.random.default_rng(1))
    sums = effects @ (weights - n_clusters[:, None])
    scale = np.sqrt(1.5 * (n_clusters @ effects**2))
    assert kstest(sums / scale, t(4).cdf).statistic < 0.016  # but for one seed in 10,000
    assert kstest(sums / scale, norm.cdf).statistic > 0.03


def test_weights_go_with_the_size_of_their_own_clusters():
    n_clusters, rng = np.array([3.0, 1.0, 2.0]), np.random.default_rng(1)
    tilt = SizeTilt.of(np.array([4.0, 1.0, 30.0]), n_clusters)
    weights = ClusterWeights(n_clusters, SmallSample(), tilt)
    expected = n_clusters * tilt.factors(DRAWS, rng).mean(axis=1)
    np.testing.assert_allclose(weights.draw(DRAWS, rng).mean(axis=1), expected[weights.order], rtol=0.05)


def test_errors_that_both_sides_make_do_not_tell_how_much_clusters_vary():
    rng = np.random.default_rng(3)
    cluster = np.repeat(np.arange(9), np.arange(3, 12))
    y_true = rng.integers(0, 2, cluster.size)
    wrong = rng.random((2, cluster.size)) < [[0.2], [0.35]]
    hard = np.isin(cluster, [1, 6, 8]) & ~wrong.any(axis=0)

    def chance(wrong):
        counts = PairedCounts.from_predictions(y_true, *np.where(wrong, 1 - y_true, y_true), clusters=cluster)
        return cluster_weights(counts.table)._chance

    with_errors = chance(wrong | hard)
    assert (with_errors.variance, with_errors.dof) == pytest.approx((chance(wrong).variance, chance(wrong).dof))
    assert with_errors.variance > 1.01
