"""Posteriors that are known exactly: Beta and Dirichlet distributions, and moments by quadrature over eta."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import PairedCounts, compare
from pytest_bayesf1.data.confusion import ConfusionMatrix
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.hyperparameters import shared_mass
from pytest_bayesf1.priors import SharedGroups

from . import quadrature

N_DRAWS = 200_000


def assert_moments(draws, mean, variance, kurtosis=3.0):
    """Mean and variance within 4 Monte Carlo standard errors; the kurtosis gives the error of the variance."""
    n = draws.size
    assert abs(draws.mean() - mean) < 4 * np.sqrt(variance / n)
    assert abs(draws.var() - variance) < 4 * variance * np.sqrt((kurtosis - 1) / n)


@pytest.mark.parametrize(
    ("candidate", "baseline", "mean", "std"),
    [("nb_mult", "svm_l2", 0.028510, 0.007631), ("nb_bern", "nb_mult", -0.107541, 0.007793)],
)
def test_micro_f1_of_the_2015_model(newsgroups, candidate, baseline, mean, std):
    (mean_a, var_a), (mean_b, var_b) = (quadrature.accuracy_moments(newsgroups[name]) for name in (candidate, baseline))
    assert mean_a - mean_b == pytest.approx(mean, abs=1e-6)
    assert np.sqrt(var_a + var_b) == pytest.approx(std, abs=1e-6)
    comparison = compare(
        newsgroups[baseline],
        newsgroups[candidate],
        measure="f1_micro",
        rope=0.005,
        model="independent",
        prior="hierarchical",
        n_draws=N_DRAWS,
    )
    assert_moments(comparison.delta, mean_a - mean_b, var_a + var_b)


def _eta(table, seed):
    return shared_mass(table, SharedGroups()).draw(N_DRAWS, np.random.default_rng(seed)).groups[:, 0]


def test_eta_of_one_classifier(newsgroups):
    counts = newsgroups["svm_l1"]
    eta, weight = quadrature.eta_nodes(*quadrature.cells_by_group(counts))
    mean = weight @ eta[:, 0]
    draws = _eta(ConfusionMatrix(counts).table, 0)
    assert_moments(draws[:, 0], mean, weight @ (eta[:, 0] - mean) ** 2, kurtosis=4)
    assert draws.sum(axis=1) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("accuracy", "agreement", "n"),
    [(0.7, 0.5, 60), (0.95, 0.9, 60), (1.0, 1.0, 12), (0.0, 0.0, 40), (0.5, 1.0, 5)],
    ids=["ordinary", "good", "both perfect", "both always wrong", "five examples, one classifier"],
)
def test_eta_of_pairs(accuracy, agreement, n):
    rng = np.random.default_rng(1)
    true = rng.integers(0, 4, n)
    wrong = (true + rng.integers(1, 4, n)) % 4
    baseline = np.where(rng.random(n) < accuracy, true, wrong)
    other = np.where(rng.random(n) < accuracy, true, (true + rng.integers(1, 4, n)) % 4)
    table = OutcomeTable.tally(4, true, baseline, np.where(rng.random(n) < agreement, baseline, other))
    cells = [table.count[table.group == group] for group in range(4)]
    eta, weight = quadrature.eta_nodes(cells, [1, 3, 3, 9])
    draws = _eta(table, 2)
    for group in range(4):
        mean = weight @ eta[:, group]
        variance = weight @ (eta[:, group] - mean) ** 2
        kurtosis = weight @ (eta[:, group] - mean) ** 4 / variance**2
        assert_moments(draws[:, group], mean, variance, kurtosis)


@pytest.mark.parametrize(("prior", "weight"), [("uniform", 1.0), ("jeffreys", 0.5)])
def test_binary_recall_is_beta(prior, weight):
    baseline, candidate = [[90, 10], [7, 33]], [[80, 20], [3, 37]]
    comparison = compare(baseline, candidate, measure="recall", rope=0.05, prior=prior, n_draws=20_000)
    assert stats.kstest(comparison.baseline.draws, stats.beta(33 + weight, 7 + weight).cdf).pvalue > 1e-4
    assert stats.kstest(comparison.candidate.draws, stats.beta(37 + weight, 3 + weight).cdf).pvalue > 1e-4


def test_precision_needs_the_class_proportions():
    """Precision mixes the rows by mu: checked against plain draws of the 2016 model for one classifier."""
    rng = np.random.default_rng(3)
    mu = rng.beta(40 + 1, 100 + 1, N_DRAWS)
    tp, fp = mu * rng.beta(33 + 1, 7 + 1, N_DRAWS), (1 - mu) * rng.beta(10 + 1, 90 + 1, N_DRAWS)
    same = [[90, 10], [7, 33]]
    comparison = compare(same, same, measure="precision", prior="uniform", rope=0.05, n_draws=20_000)
    assert stats.ks_2samp(comparison.baseline.draws, tp / (tp + fp)).pvalue > 1e-4


def test_paired_binary_accuracy_of_the_2016_model():
    """Given mu, delta is a mixture of two Dirichlet differences, whose moments are rational in the counts."""
    counts = {
        1: np.array([30, 9, 4, 7]),
        0: np.array([25, 12, 5, 8]),
    }  # both right, only baseline, only candidate, both wrong
    true, baseline, candidate = [], [], []
    for label, cells in counts.items():
        for (base_right, cand_right), times in zip([(1, 1), (1, 0), (0, 1), (0, 0)], cells, strict=True):
            true += [label] * times
            baseline += [label if base_right else 1 - label] * times
            candidate += [label if cand_right else 1 - label] * times
    pairs = PairedCounts.from_predictions(true, baseline, candidate)
    comparison = compare(pairs, measure="accuracy", prior="uniform", rope=0.05, n_draws=N_DRAWS)
    assert comparison.model == "paired"

    first, second = [], []
    for label in (1, 0):
        a = counts[label] + 1.0
        total = a.sum()
        difference = np.array([0, -1, 1, 0])
        first.append(difference @ a / total)
        second.append((difference**2 @ a + (difference @ a) ** 2) / (total * (total + 1)))
    n1, n0 = counts[1].sum() + 1.0, counts[0].sum() + 1.0
    total = n1 + n0
    mean = (n1 * first[0] + n0 * first[1]) / total
    mixed = n1 * (n1 + 1) * second[0] + n0 * (n0 + 1) * second[1] + 2 * n1 * n0 * first[0] * first[1]
    variance = mixed / (total * (total + 1)) - mean**2
    assert_moments(comparison.delta, mean, variance)


def test_paired_hierarchical_accuracy():
    """Given eta the joint p is one Dirichlet, so delta = only-candidate - only-baseline has rational moments."""
    rng = np.random.default_rng(4)
    true = rng.integers(0, 4, 80)
    baseline = np.where(rng.random(80) < 0.8, true, rng.integers(0, 4, 80))
    candidate = np.where(rng.random(80) < 0.7, baseline, rng.integers(0, 4, 80))
    table = OutcomeTable.tally(4, true, baseline, candidate)
    eta, weight = quadrature.eta_nodes([table.count[table.group == group] for group in range(4)], [1, 3, 3, 9])
    a = table.group_counts.sum(axis=0) + 4 * eta
    total = 84.0
    mean = (a[:, 2] - a[:, 1]) / total
    second = (a[:, 1] + a[:, 2] + (a[:, 2] - a[:, 1]) ** 2) / (total * (total + 1))
    pairs = PairedCounts.from_predictions(true, baseline, candidate)
    comparison = compare(pairs, measure="accuracy", prior="hierarchical", rope=0.05, n_draws=N_DRAWS)
    assert (comparison.model, comparison.prior) == ("paired", "hierarchical")
    assert_moments(comparison.delta, weight @ mean, weight @ second - (weight @ mean) ** 2)


def test_same_set_accuracy_shares_the_class_proportions(newsgroups):
    """delta = sum_j mu_j (theta_jj - theta'_jj) with one mu; its moments follow from those of mu and of each side."""
    baseline, candidate = newsgroups["svm_l2"], newsgroups["nb_mult"]
    n = baseline.sum(axis=1)
    a = n + 1.0
    mu, total = a / a.sum(), a.sum()
    mu_products = (np.outer(a, a) + np.diag(a)) / (total * (total + 1))
    (mean_b, second_b), (mean_c, second_c) = (_recall_moments(counts) for counts in (baseline, candidate))
    second = second_b + second_c - np.outer(mean_b, mean_c) - np.outer(mean_c, mean_b)
    mean = mu @ (mean_c - mean_b)
    comparison = compare(baseline, candidate, measure="accuracy", rope=0.005, model="same-set", n_draws=N_DRAWS)
    assert_moments(comparison.delta, mean, (mu_products * second).sum() - mean**2)


def _recall_moments(counts):
    """Mean vector and matrix of second moments of the recalls theta_jj under the 2015 model."""
    eta, weight = quadrature.eta_nodes(*quadrature.cells_by_group(counts))
    total = counts.sum(axis=1) + 1.0
    a = np.diag(counts) + eta[:, :1]
    mean = a / total
    second = np.einsum("q,qj,qk->jk", weight, mean, mean)
    np.fill_diagonal(second, weight @ (a * (a + 1) / (total * (total + 1))))
    return weight @ mean, second
