"""Goutte & Gaussier 2005: the closed forms against plain gamma draws and scipy; its Table 2 is in examples/papers."""

from dataclasses import asdict

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from pytest_bayesf1 import InputError
from pytest_bayesf1.stats.beta import (
    BetaPosterior,
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


@pytest.mark.parametrize(("n_1", "n_2"), [(9, 4), (0, 3), (12, 0), (0, 0), (40, 38)])
def test_paired_outcomes_in_closed_form(n_1, n_2):
    posterior = PairedOutcomes.prior().updated(n_1, n_2, 30)
    harmonic = sum(1 / (k + 0.5) for k in range(n_1)) - sum(1 / (k + 0.5) for k in range(n_2))
    assert posterior.mean_log_odds == pytest.approx(harmonic)
    assert posterior.mean_difference == pytest.approx((n_1 - n_2) / (n_1 + n_2 + 30 + 1.5))
    density = stats.beta(n_1 + 0.5, n_2 + 0.5).pdf
    expected, error = integrate.quad(
        lambda angle: density(np.sin(angle) ** 2) * np.sin(2 * angle), np.pi / 4, np.pi / 2
    )
    assert posterior.p_first_better == pytest.approx(expected, abs=4 * error + 1e-12)
    assert asdict(posterior.summary()) == {
        "p_first_better": posterior.p_first_better,
        "mean_difference": posterior.mean_difference,
        "mean_log_odds": posterior.mean_log_odds,
    }


POSTERIORS = {
    "precision": precision_posterior(3, 2),
    "recall": recall_posterior(7, 12, 1.0),
    "all right": precision_posterior(9, 0, 1.0),
    "none right": recall_posterior(0, 4, 1.0),
    "F1": f1_posterior(7, 3, 12),
    "F1 of many": f1_posterior(90_000, 4_000, 2_500),
    "F1 of few": f1_posterior(1, 2, 0),
    "F1 without hits, uniform": f1_posterior(0, 1, 3, 1.0),
    "F1 without data, uniform": f1_posterior(0, 0, 0, 1.0),
    "F1 without errors": f1_posterior(5, 0, 0),
    "F1, a = 1, b < 3": BetaPosterior(1.0, 1.4, of_f1=True),
}


def log_density(posterior, x):
    """Of the score, by a change of variables where it is F1 = 2 B / (1 + B)."""
    inner = stats.beta(posterior.a, posterior.b)
    if not posterior.of_f1:
        return inner.logpdf(x)
    return inner.logpdf(x / (2 - x)) + np.log(2) - 2 * np.log(2 - x)


@pytest.mark.parametrize("name", POSTERIORS)
def test_the_mode_is_where_the_density_is_highest(name):
    posterior = POSTERIORS[name]
    grid = np.linspace(0, 1, 100_001)
    near = grid[np.nanargmax(log_density(posterior, grid))]
    found = optimize.minimize_scalar(
        lambda x: -log_density(posterior, x),
        bounds=(max(near - 1e-5, 0), min(near + 1e-5, 1)),
        method="bounded",
        options={"xatol": 1e-12},
    )
    assert posterior.mode == pytest.approx(found.x, abs=1e-6)
    width = posterior.quantile(0.975) - posterior.quantile(0.025)
    assert log_density(posterior, posterior.mode) >= log_density(posterior, grid).max() - 1e-9 * width


@pytest.mark.parametrize("of_f1", [False, True])
def test_the_density_is_infinite_at_an_end_that_no_data_contradict(of_f1):
    assert BetaPosterior(0.5, 4.5, of_f1).mode == 0
    assert BetaPosterior(4.5, 0.5, of_f1).mode == 1
    assert np.isnan(BetaPosterior(0.5, 0.5, of_f1).mode)


def test_the_mode_under_a_uniform_prior_is_the_observed_score():
    """As section 2.1 of the paper says."""
    assert precision_posterior(30, 12, 1.0).mode == pytest.approx(30 / 42)
    assert recall_posterior(30, 5, 1.0).mode == pytest.approx(30 / 35)
    assert np.isnan(precision_posterior(0, 0, 1.0).mode)


def test_two_test_sets_add_up():
    in_sequence = PairedOutcomes.prior().updated(9, 4, 30).updated(2, 3, 5)
    assert in_sequence == PairedOutcomes.prior().updated(11, 7, 35)


@pytest.mark.parametrize("count", [-1, np.nan, np.inf])
def test_counts_that_are_none(count):
    with pytest.raises(InputError, match="fp: expected a finite number that is not negative"):
        precision_posterior(3, count)
    with pytest.raises(InputError, match="only_second"):
        PairedOutcomes.prior().updated(1, count)
