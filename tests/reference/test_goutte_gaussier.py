"""Goutte & Gaussier 2005: the closed forms against plain gamma draws and scipy; its Table 2 is in examples/papers."""

import numpy as np
import pytest
from scipy import integrate, stats

from pytest_bayesf1 import InputError
from pytest_bayesf1.stats.fscore import (
    PairedOutcomes,
    f1_posterior,
    fbeta_draws,
    p_first_better,
    precision_posterior,
    recall_posterior,
)


def test_p_first_better_is_the_double_integral():
    first, second = precision_posterior(3, 2), recall_posterior(10, 4)
    expected, _ = integrate.quad(lambda x: stats.beta(3.5, 2.5).pdf(x) * stats.beta(10.5, 4.5).cdf(x), 0, 1)
    assert p_first_better(first, second) == pytest.approx(expected, abs=1e-6)
    assert p_first_better(second, first) == pytest.approx(1 - expected, abs=1e-6)


@pytest.mark.parametrize("weight", [0.5, 1.0])
def test_precision_and_recall_are_beta(weight):
    precision, recall = precision_posterior(7, 3, weight), recall_posterior(7, 12, weight)
    x = np.linspace(0.01, 0.99, 50)
    assert precision.cdf(x) == pytest.approx(stats.beta(7 + weight, 3 + weight).cdf(x))
    assert recall.quantile(x) == pytest.approx(stats.beta(7 + weight, 12 + weight).ppf(x))
    assert precision.mean == pytest.approx((7 + weight) / (10 + 2 * weight))


@pytest.mark.parametrize(("tp", "fp", "fn"), [(7, 3, 12), (0, 2, 5), (40, 0, 0), (0, 0, 0)])
def test_f1_in_closed_form_is_the_papers_gamma_ratio(tp, fp, fn):
    rng = np.random.default_rng(0)
    u, v = rng.gamma(tp + 0.5, 2, 50_000), rng.gamma(fp + fn + 1, 1, 50_000)
    posterior = f1_posterior(tp, fp, fn)
    assert stats.kstest(u / (u + v), posterior.cdf).pvalue > 1e-4
    assert posterior.mean == pytest.approx(np.mean(u / (u + v)), abs=4 * np.std(u / (u + v)) / np.sqrt(50_000))


def test_f1_draws_follow_the_closed_form():
    draws = fbeta_draws(7, 3, 12, n_draws=50_000, rng=np.random.default_rng(1))
    assert stats.kstest(draws, f1_posterior(7, 3, 12).cdf).pvalue > 1e-4


def test_fbeta_goes_from_precision_to_recall():
    rng = np.random.default_rng(2)
    precision = fbeta_draws(7, 3, 12, beta=0, n_draws=20_000, rng=rng)
    recall = fbeta_draws(7, 3, 12, beta=1e6, n_draws=20_000, rng=rng)
    assert stats.kstest(precision, precision_posterior(7, 3).cdf).pvalue > 1e-4
    assert stats.kstest(recall, recall_posterior(7, 12).cdf).pvalue > 1e-4


def test_paired_outcomes_against_dirichlet_draws():
    posterior = PairedOutcomes.prior((0.5, 0.5, 2.0)).updated(9, 4, 30)
    pi = np.random.default_rng(3).dirichlet([9.5, 4.5, 32.0], size=200_000)
    delta, log_odds = pi[:, 0] - pi[:, 1], np.log(pi[:, 0] / pi[:, 1])
    assert posterior.mean_difference == pytest.approx(delta.mean(), abs=4 * delta.std() / np.sqrt(200_000))
    assert posterior.mean_log_odds == pytest.approx(log_odds.mean(), abs=4 * log_odds.std() / np.sqrt(200_000))
    assert posterior.p_first_better == pytest.approx((delta > 0).mean(), abs=4 * 0.5 / np.sqrt(200_000))


def test_two_test_sets_add_up():
    in_sequence = PairedOutcomes.prior().updated(9, 4, 30).updated(2, 3, 5)
    assert in_sequence == PairedOutcomes.prior().updated(11, 7, 35)


@pytest.mark.parametrize("count", [-1, np.nan, np.inf])
def test_counts_that_are_none(count):
    with pytest.raises(InputError, match="fp: expected a finite number that is not negative"):
        precision_posterior(3, count)
    with pytest.raises(InputError, match="only_second"):
        PairedOutcomes.prior().updated(1, count)
