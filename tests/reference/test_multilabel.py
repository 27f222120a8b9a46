import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import MultilabelCounts, Prior, compare
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.data.questions import pair
from pytest_bayesf1.data.sides import questions_of
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.priors import PRIORS, UNIFORM
from pytest_bayesf1.stats.posterior import hdi
from tests.reference import naive_labels

# What the multi-label model leaves out: errors that come together in an example, as the statistics tell.
N_EXAMPLES, N_LABELS, ERROR, RUNS, DEPENDENT_LABELS_N_DRAWS = 500, 10, 0.1, 300, 1_000
ACCURACY = parse_measure("accuracy", range(N_LABELS), multilabel=True)


def errors(correlation, rng):
    """Draw which decisions are wrong, (N, L); those of one example correlate."""
    chance = np.full((N_EXAMPLES, 1), ERROR)
    if correlation:
        spread = 1 / correlation - 1
        chance = rng.beta(ERROR * spread, (1 - ERROR) * spread, size=(N_EXAMPLES, 1))
    return rng.random((N_EXAMPLES, N_LABELS)) < chance


def covers(correlation, rng):
    """Whether the interval holds the true difference, which is none."""
    y_true = rng.random((N_EXAMPLES, N_LABELS)) < 0.3
    sides = [MultilabelCounts.from_predictions(y_true, y_true ^ errors(correlation, rng)) for _ in range(2)]
    baseline, candidate = (questions_of(side, "") for side in sides)
    experiment = Experiment("paired", (pair(baseline, [baseline, candidate]).outcomes(N_LABELS),))
    baseline, candidate = ExactEngine().sampler(experiment, UNIFORM, ACCURACY, 0).draw(DEPENDENT_LABELS_N_DRAWS)
    low, high = hdi(candidate - baseline, 0.95)
    return low < 0 < high


@pytest.mark.parametrize(("correlation", "expected"), [(0.0, 0.95), (0.1, 0.845)])
@pytest.mark.one_of_many
def test_coverage(correlation, expected):
    inflation = 1 + (N_LABELS - 1) * correlation  # of the variance of an example's summed differences
    assert expected == pytest.approx(2 * stats.norm.cdf(1.96 / np.sqrt(inflation)) - 1, abs=0.001)
    rng = np.random.default_rng(8)
    covered = sum(covers(correlation, rng) for _ in range(RUNS))
    assert abs(covered - RUNS * expected) < 4 * np.sqrt(RUNS * expected * (1 - expected))


def test_examples_as_units_know_how_their_labels_vary_together():
    rng = np.random.default_rng(2)
    n, n_labels = 500, 10
    truth = rng.random((n, n_labels)) < 0.3
    # a quarter of the examples is hard, for all their labels
    sides = [truth ^ ((rng.random((n, 1)) < 0.25) & (rng.random((n, n_labels)) < 0.4)) for _ in range(2)]
    built = [MultilabelCounts.from_predictions(truth, side, clusters=np.arange(n)) for side in sides]
    found = compare(*built, measure="accuracy", rope=0.01)
    gained = ((sides[1] == truth).mean(axis=1) - (sides[0] == truth).mean(axis=1)).std() / np.sqrt(n)
    # the prior is worth an example or two of 500, and 20,000 draws know a standard deviation to 0.5%
    assert found.std == pytest.approx(gained, rel=0.03)
    assert found.clusters is not None
    assert found.clusters.design_effect > 1.5


N_DRAWS = 20_000


@pytest.fixture(scope="module")
def example():
    """Forty examples with three labels, one rare, with cells that never occur."""
    rng = np.random.default_rng(11)
    y_true = rng.random((40, 3)) < [0.6, 0.3, 0.08]
    baseline = np.where(rng.random((40, 3)) < 0.15, ~y_true, y_true)
    candidate = np.where(rng.random((40, 3)) < 0.2, ~y_true, baseline)
    return [each.astype(int) for each in (y_true, baseline, candidate)]


def dense_counts(y_true, *predicted):
    counts = np.zeros((y_true.shape[1], 2, 2 ** len(predicted)), dtype=int)
    for index, truth in np.ndenumerate(y_true):
        outcome = int("".join(str(side[index]) for side in predicted), base=2)
        counts[index[1], truth, outcome] += 1
    return counts


def naive_sides(example, model, prior, rng):
    y_true, *sides = example
    if model == "paired":
        return naive_labels.draw_joint(dense_counts(y_true, *sides), 2, prior, N_DRAWS, rng)
    tables = [dense_counts(y_true, side) for side in sides]
    mu = naive_labels.draw_proportions(tables[0], prior, N_DRAWS, rng) if model == "same-set" else None
    return [naive_labels.draw_joint(table, 1, prior, N_DRAWS, rng, mu)[0] for table in tables]


def experiment_of(example, model):
    counts = dense_counts(*example)
    table = OutcomeTable.of_labels(counts.reshape(-1, 2, 2, 2))
    return Experiment(model, (table,) if model == "paired" else (table.side(0), table.side(1)))


def jaccard_of_the_best(p):
    return (p[..., 1, 1] / (1 - p[..., 0, 0])).max(axis=-1)


class TestMultilabel:
    """Multi-label data: closed forms, and dense draws of the same models."""

    @pytest.mark.parametrize("prior", ["hierarchical", "nested", "uniform", "jeffreys"])
    @pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
    @pytest.mark.one_of_many
    def test_same_distribution_of_every_score_and_difference(self, example, model, prior):
        sides = naive_sides(example, model, prior, np.random.default_rng(5))
        for name in ("accuracy", "f1_macro", "f1_micro", "f1_weighted", "f1[2]", jaccard_of_the_best):
            measure = parse_measure(name, range(3), multilabel=True)
            expected = [measure(Joint(p.sum(axis=3), np.diagonal(p, axis1=2, axis2=3))) for p in sides]
            drawn = ExactEngine().sampler(experiment_of(example, model), PRIORS[prior], measure, 3).draw(N_DRAWS)
            # 216 Kolmogorov-Smirnov tests: at 1e-5 each, one false alarm in 460 seeds
            assert stats.ks_2samp(drawn[0], expected[0]).pvalue > 1e-5
            assert stats.ks_2samp(drawn[1], expected[1]).pvalue > 1e-5
            assert stats.ks_2samp(drawn[1] - drawn[0], expected[1] - expected[0]).pvalue > 1e-5

    @pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
    @pytest.mark.one_of_many
    def test_presences_do_not_share_eta_with_absences(self, model):
        """Absences are always right here and presences mostly wrong, on so few examples that the prior counts."""
        rng = np.random.default_rng(12)
        y_true = rng.integers(0, 2, (6, 5))
        found = [np.where(rng.random((6, 5)) < 0.2, y_true, 0) for _ in range(2)]
        measure = parse_measure("recall_macro", range(5), multilabel=True)
        sides = naive_sides((y_true, *found), model, "hierarchical", np.random.default_rng(7))
        expected = [measure(Joint(p.sum(axis=3), np.diagonal(p, axis1=2, axis2=3))) for p in sides]
        experiment = experiment_of((y_true, *found), model)
        drawn = ExactEngine().sampler(experiment, PRIORS["hierarchical"], measure, 5).draw(N_DRAWS)
        for found, wanted in zip(drawn, expected, strict=True):
            assert stats.ks_2samp(found, wanted).pvalue > 1e-5

    @pytest.mark.parametrize(("prior", "weight"), [("uniform", 1.0), ("jeffreys", 0.5)])
    def test_the_recall_of_a_label_is_beta(self, prior, weight):
        counts = MultilabelCounts([[[90, 10], [7, 33]], [[100, 20], [3, 17]]])
        comparison = compare(counts, counts, measure="recall[1]", rope=0.05, prior=prior, n_draws=N_DRAWS)
        assert stats.kstest(comparison.score_draws[0], stats.beta(17 + weight, 3 + weight).cdf).pvalue > 1e-4

    @pytest.mark.parametrize(("name", "weight"), [("jeffreys", 0.5), ("uniform", 1.0)])
    def test_the_f1_of_a_label_is_that_of_goutte_and_gaussier(self, name, weight):
        """With a pseudo-count w in all four cells F1 = U / (U + V), U ~ Gamma(tp + w, 2) and V ~ Gamma(fp + fn
        + 2 w).
        """
        counts = MultilabelCounts([[[90, 10], [7, 33]], [[100, 20], [3, 17]]])
        prior = Prior.named(name, beta=2 * weight)
        comparison = compare(counts, counts, measure="f1[0]", rope=0.05, prior=prior, n_draws=N_DRAWS)
        share = stats.beta(33 + weight, 17 + 2 * weight)  # U / 2 among U / 2 and V
        draws = comparison.score_draws[0]
        assert stats.kstest(draws / (2 - draws), share.cdf).pvalue > 1e-4
