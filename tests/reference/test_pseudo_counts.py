"""Explicit pseudo-counts: all ones or halves are the priors of those names, the rest follows in closed form."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import PairedCounts, Prior, assert_at_least, compare

N_DRAWS = 20_000
BASELINE, CANDIDATE = np.array([[90, 10], [7, 33]]), np.array([[80, 20], [3, 37]])


def predictions(n_classes, n):
    rng = np.random.default_rng(n_classes)
    true = np.append(np.arange(n_classes), rng.integers(0, n_classes, n - n_classes))
    baseline = np.where(rng.random(n) < 0.7, true, rng.integers(0, n_classes, n))
    return true, baseline, np.where(rng.random(n) < 0.7, baseline, rng.integers(0, n_classes, n))


def prevalence(p):
    return p[..., 1, :].sum(axis=-1)


def follows(draws, a, b):
    return stats.kstest(draws, stats.beta(a, b).cdf).pvalue > 1e-5


@pytest.mark.parametrize(("name", "weight"), [("uniform", 1.0), ("jeffreys", 0.5)])
@pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("measure", ["f1_macro", "accuracy"])
@pytest.mark.one_of_many
def test_even_pseudo_counts_are_the_prior_of_that_name(measure, n_classes, model, name, weight):
    pairs = PairedCounts.from_predictions(*predictions(n_classes, 50))
    cells = np.full((n_classes,) * (3 if model == "paired" else 2), weight)
    one, other = (
        compare(pairs, model=model, prior=prior, measure=measure, rope=0.05, n_draws=N_DRAWS)
        for prior in (name, Prior.from_counts(cells, beta=weight))
    )
    # 72 tests: at 1e-5 each, one false alarm in 1,400 seeds
    assert stats.ks_2samp(one.delta, other.delta).pvalue > 1e-5
    assert stats.ks_2samp(one.baseline.draws, other.baseline.draws).pvalue > 1e-5
    error = np.hypot(one.bayes_factor_mcse, other.bayes_factor_mcse)
    assert one.bayes_factor == pytest.approx(other.bayes_factor, abs=5 * error)


@pytest.mark.parametrize("model", ["same-set", "independent"])
def test_recall_is_beta(model):
    prior = Prior.from_counts([[2, 1], [0.5, 3]])
    result = compare(BASELINE, CANDIDATE, model=model, prior=prior, measure="recall", rope=0.05, n_draws=N_DRAWS)
    assert follows(result.baseline.draws, 33 + 3, 7 + 0.5)
    assert follows(result.candidate.draws, 37 + 3, 3 + 0.5)


def test_each_side_may_have_its_own():
    prior = Prior.from_counts([[2, 1], [0.5, 3]], [[1, 1], [9, 6]])
    result = compare(
        BASELINE, CANDIDATE, model="independent", prior=prior, measure="recall", rope=0.05, n_draws=N_DRAWS
    )
    assert follows(result.baseline.draws, 33 + 3, 7 + 0.5)
    assert follows(result.candidate.draws, 37 + 6, 3 + 9)


def test_the_rows_count_for_the_classes():
    prior = Prior.from_counts([[2, 1], [0.5, 3]])
    result = assert_at_least(BASELINE, 0.01, prior=prior, measure=prevalence, n_draws=N_DRAWS)
    assert follows(result.score.draws, 40 + 3.5, 100 + 3)


@pytest.mark.parametrize(("beta", "a", "b"), [(2, 2, 2), ((5, 0.5), 0.5, 5)], ids=str)
def test_unless_the_classes_have_pseudo_counts_of_their_own(beta, a, b):
    prior = Prior.from_counts([[2, 1], [0.5, 3]], beta=beta)
    result = assert_at_least(BASELINE, 0.01, prior=prior, measure=prevalence, n_draws=N_DRAWS)
    assert follows(result.score.draws, 40 + a, 100 + b)
    recall = assert_at_least(BASELINE, 0.01, prior=prior, measure="recall", n_draws=N_DRAWS)
    assert follows(recall.score.draws, 33 + 3, 7 + 0.5)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_pairs(n_classes):
    """Adding up a Dirichlet: a recall is the Beta of its own cells, and the moments of delta are rational."""
    cells = np.random.default_rng(0).integers(0, 8, (n_classes,) * 3) / 4 + np.eye(n_classes)[:, :, None]
    true, baseline, candidate = predictions(n_classes, 60)
    known = cells.copy()
    np.add.at(known, (true, baseline, candidate), 1)
    for label in range(n_classes):
        result = compare(
            PairedCounts.from_predictions(true, baseline, candidate),
            prior=Prior.from_counts(cells),
            measure=f"recall[{label}]",
            rope=0.05,
            n_draws=N_DRAWS,
        )
        row = known[label]
        assert follows(result.baseline.draws, row[label].sum(), row.sum() - row[label].sum())
        assert follows(result.candidate.draws, row[:, label].sum(), row.sum() - row[:, label].sum())
        only_baseline, only_candidate = (each.sum() - row[label, label] for each in (row[label], row[:, label]))
        a, total = np.array([only_baseline, only_candidate]), row.sum()
        mean = (a[1] - a[0]) / total
        second = (a.sum() + (a[1] - a[0]) ** 2) / (total * (total + 1))
        assert abs(result.delta.mean() - mean) < 4 * np.sqrt((second - mean**2) / N_DRAWS)
        # the error of a standard deviation, for a kurtosis of up to 5
        assert result.delta.std() == pytest.approx(np.sqrt(second - mean**2), rel=4 / np.sqrt(N_DRAWS))


def test_names_put_the_cells_in_their_place():
    """The cells name their classes, the data come in another order."""
    cells = [[9, 1], [2, 5]]
    true, baseline, candidate = (np.array(["spam", "ham"])[each] for each in predictions(2, 50))
    pairs = PairedCounts.from_predictions(true, baseline, candidate)
    assert pairs.labels == ("ham", "spam")
    named = Prior.from_counts(cells, labels=["spam", "ham"])
    turned = Prior.from_counts(np.array(cells)[::-1, ::-1])
    one, other = (
        compare(pairs, model="independent", prior=prior, measure="f1[ham]", rope=0.05, n_draws=N_DRAWS)
        for prior in (named, turned)
    )
    assert one.labels == ("spam", "ham")
    assert other.labels == ("ham", "spam")
    assert stats.ks_2samp(one.delta, other.delta).pvalue > 1e-5
    assert stats.ks_2samp(one.baseline.draws, other.baseline.draws).pvalue > 1e-5
