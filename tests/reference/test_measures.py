import numpy as np
import pytest
from scipy.stats import rankdata
from sklearn import metrics

from pytest_bayesf1 import Scores, compare
from pytest_bayesf1.data.outcomes import ScoreExperiment, ScoreTable
from pytest_bayesf1.engines.bootstrap import ScoreSampler
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.measures.ranking import ScoreMeasure
from pytest_bayesf1.stats.posterior import hdi


def delong(true, *sides):
    """Return areas under ROC curves and their covariances, pair by pair (DeLong et al. 1988)."""
    of_positives, of_negatives, areas = [], [], []
    for scores in sides:
        positive, negative = scores[true == 1][:, None], scores[true == 0]
        right = (positive > negative) + 0.5 * (positive == negative)
        of_positives.append(right.mean(axis=1))
        of_negatives.append(right.mean(axis=0))
        areas.append(right.mean())
    within = [np.cov(each) / len(each[0]) for each in (of_positives, of_negatives)]
    return np.array(areas), sum(within)


def two_systems(seed, n, share, gap, alike):
    """Make up scores of two systems that err alike."""
    rng = np.random.default_rng(seed)
    true = (rng.random(n) < share).astype(int)
    shared = np.sqrt(alike) * rng.normal(size=n)
    return true, [true * gap + shared + np.sqrt(1 - alike) * rng.normal(size=n) for _ in range(2)]


def _area(true, scores):
    """Return the area under the ROC curve by Mann and Whitney's sum of ranks, faster than by scikit-learn."""
    n_positive = true.sum()
    ranks = rankdata(scores)[true == 1].sum()
    return (ranks - n_positive * (n_positive + 1) / 2) / (n_positive * (true.size - n_positive))


def cluster_bootstrap(true, given, cluster, measure, n_draws):
    """Draw whole clusters with replacement, and score both sides on the same ones."""
    rng = np.random.default_rng(11)
    members = [np.flatnonzero(cluster == each) for each in np.unique(cluster)]
    deltas = []
    for _ in range(n_draws):
        drawn = np.concatenate([members[each] for each in rng.integers(len(members), size=len(members))])
        baseline, candidate = (measure(true[drawn], each[drawn]) for each in given)
        deltas.append(candidate - baseline)
    return np.array(deltas)


def deltas(cluster, true, given):
    """Draw the difference of two areas."""
    sides = [Scores.from_predictions(true, each, clusters=cluster) for each in given]
    return compare(*sides, measure="roc_auc", rope=0.01, n_draws=20_000).delta


class TestScores:
    """The posterior of scores against DeLong's variance and a bootstrap by numpy alone."""

    @pytest.mark.one_of_many
    @pytest.mark.parametrize(
        ("n", "share", "gap", "alike"),
        [(600, 0.4, 1.5, 0.8), (500, 0.5, 1, 0.9), (2_000, 0.3, 1.5, 0.8), (2_000, 0.1, 1, 0.5), (800, 0.5, 0.3, 0.2)],
    )
    def test_auc_scatters_as_delong_found(self, n, share, gap, alike):
        true, given = two_systems(1, n, share, gap, alike)
        sides = [Scores.from_predictions(true, each) for each in given]
        areas, covariance = delong(true, *given)
        found = compare(*sides, measure="roc_auc", rope=0.01, n_draws=10_000)
        for side, area, variance in zip((found.baseline, found.candidate), areas, np.diag(covariance), strict=True):
            assert side.observed == pytest.approx(area, abs=1e-12)
            assert side.std == pytest.approx(np.sqrt(variance), rel=0.03)
            assert abs(side.mean - area) < 0.2 * np.sqrt(variance)
        spread = np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
        assert found.std == pytest.approx(spread, rel=0.04)
        assert abs(found.mean - (areas[1] - areas[0])) < 0.04 * spread

    @pytest.mark.one_of_many
    @pytest.mark.parametrize(
        ("name", "measure"),
        [
            ("roc_auc", _area),
            ("average_precision", metrics.average_precision_score),
            ("neg_log_loss", lambda true, scores: -metrics.log_loss(true, scores)),
        ],
    )
    def test_units_scatter_as_a_bootstrap_of_units_does(self, name, measure):
        rng = np.random.default_rng(3)
        cluster = np.arange(1_200) // 8
        of_unit = [rng.normal(size=150)[cluster] for _ in range(3)]
        true = (rng.random(1_200) < 1 / (1 + np.exp(-of_unit[0]))).astype(int)
        logits = [1.5 * (2 * true - 1) + rng.normal(size=1_200) + 0.8 * each for each in of_unit[1:]]
        given = [1 / (1 + np.exp(-each)) for each in logits]
        sides = [Scores.from_predictions(true, each, clusters=cluster) for each in given]
        found = compare(*sides, measure=name, rope=0.01, n_draws=20_000)
        low, high = hdi(cluster_bootstrap(true, given, cluster, measure, 1_500), 0.95)
        assert np.abs(np.subtract(found.hdi, (low, high))).max() < 0.1 * (high - low)
        assert found.clusters.design_effect > 1.2

    def test_a_unit_whose_examples_stand_there_twice_tells_no_more(self):
        true, given = two_systems(5, 500, 0.4, 1.5, 0.7)
        cluster = np.arange(500) // 2
        twice = [np.repeat(each, 2) for each in (cluster, true, *given)]
        once, doubled = deltas(cluster, true, given), deltas(twice[0], twice[1], twice[2:])
        assert doubled.std() == pytest.approx(once.std(), rel=0.04)

    def test_few_positives_that_are_ranked_well_leave_a_range_not_much_wider_than_delongs(self):
        found = []
        for seed in range(12):
            true, given = two_systems(seed, 1_000, 0.03, 3.3, 0.6)
            _, covariance = delong(true, *given)
            spread = np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
            low, high = compare(
                *(Scores.from_predictions(true, each) for each in given), measure="roc_auc", rope=0.01
            ).hdi
            found.append((high - low) / (2 * 1.96 * spread))
        assert 0.9 < np.median(found) < 1.3

    def test_a_perfect_ranking_is_drawn_to_chance_by_half_an_example_of_each_class(self):
        n = 20
        true, scores = np.arange(2 * n) % 2, np.where(np.arange(2 * n) % 2 == 1, 1.0, 0.0)
        table = ScoreTable.tally(2, true, scores[:, None])
        sampler = ScoreSampler(ScoreExperiment("single", (table,)), [ScoreMeasure("roc_auc", parse_name("roc_auc"))], 0)
        (auc,) = sampler.draw(40_000)[:, :, 0]
        # of a class's two imagined examples, of half an example each, the worse is tied with the other class, and wrong
        # beside the worse of that; each is half of 1 in n + 1
        expected = 1 - 1 / 2 / (n + 1)
        assert auc.mean() == pytest.approx(expected, abs=4 * auc.std() / np.sqrt(auc.size))
