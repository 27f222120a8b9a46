"""Goutte & Gaussier 2005: the published tables, and the closed forms against plain gamma draws and scipy."""

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

# Table 2: objects on which only the first, and only the second, system is right; P(first better) in per cent; its error
TABLE_2 = """
17 4 99.77 0.05   43 28 96.41 0.19   39 23 97.90 0.14   21 15 84.32 0.36   17 11 87.32 0.33   23 22 55.75 0.50
24 24 49.73 0.50  10 9 59.56 0.49    6 11 11.38 0.32    6 5 61.45 0.49     13 6 94.62 0.23    12 9 74.31 0.44
8 3 93.43 0.25    48 12 100.00 0.00  282 14 100.00 0.00 58 43 93.76 0.24   62 21 100.00 0.00  46 10 100.00 0.00
28 28 49.19 0.50  38 21 98.61 0.12   14 13 57.87 0.49   22 4 99.97 0.02    19 2 99.99 0.01    191 2 100.00 0.00
24 10 99.23 0.09  10 11 41.22 0.49   1 4 9.76 0.30      6 7 39.68 0.49     11 6 88.70 0.32    4 2 78.66 0.41
9 2 98.48 0.12    2 7 4.36 0.20      5 3 76.29 0.43     0 3 3.39 0.18      3 1 83.71 0.37     1 0 82.31 0.38
5 3 75.81 0.43    3 2 66.66 0.47     0 3 3.49 0.18
"""
ROWS = np.array(TABLE_2.split(), dtype=float).reshape(-1, 4)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]:.0f} to {row[1]:.0f}")
def test_table_2(row):
    first, second, percent, error = row
    ours = 100 * PairedOutcomes.prior().updated(first, second).p_first_better
    assert abs(ours - percent) < 0.005 + 4 * max(error, 0.01)


def test_table_2_has_all_its_rows():
    assert ROWS.shape == (39, 4)


def test_example_2_2():
    assert p_first_better(precision_posterior(3, 2), precision_posterior(10, 10)) == pytest.approx(0.65, abs=0.005)


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
