"""What the prior density of delta at 0 is, where it diverges, and which Bayes factor that leaves alone (section 5)."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import compare
from pytest_bayesf1.comparison import subject as prior_draws
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.priors import UNIFORM
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import Draws, interval_bayes_factor, savage_dickey

N = 1_000_000


@pytest.fixture(scope="module")
def before_data():
    """Delta of F1 under the paired uniform prior of two binary classifiers (2016)."""
    experiment = Experiment.before_data("paired", 2)
    baseline, candidate = ExactEngine().sampler(experiment, UNIFORM, parse_measure("f1", (0, 1)), 0).draw(N)
    return candidate - baseline


def kernel_density(delta, bandwidth):
    """Estimate at 0, and its standard error."""
    kernel = stats.norm.pdf(delta, scale=bandwidth)
    return kernel.mean(), kernel.std() / np.sqrt(delta.size)


def test_the_prior_density_at_0_diverges_like_a_logarithm(before_data):
    """As mu falls to 0, delta ~ mu X, and mu is uniform: near 0 the density is -f_X(0) log|delta| and a constant."""
    rng = np.random.default_rng(1)
    positive, negative = rng.dirichlet(np.ones(4), size=(2, N))  # both predict yes, only one side, only the other, none
    x = 2 * (positive[:, :2].sum(axis=1) / negative[:, :2].sum(axis=1))
    x -= 2 * (positive[:, [0, 2]].sum(axis=1) / negative[:, [0, 2]].sum(axis=1))
    slope, slope_error = kernel_density(x, 0.02)
    (wide, wide_error), (narrow, narrow_error) = (kernel_density(before_data, h) for h in (0.02, 0.002))
    error = np.sqrt(narrow_error**2 + wide_error**2 + (np.log(10) * slope_error) ** 2)
    assert narrow - wide == pytest.approx(np.log(10) * slope, abs=4 * error)
    assert narrow - wide > 10 * error


def test_more_draws_raise_the_estimate_of_the_prior_density_and_leave_the_prior_odds_alone(before_data):
    posterior = Draws(stats.norm.ppf((np.arange(20_000) + 0.5) / 20_000) / 50)
    rope = Rope(-0.01, 0.01)
    point, interval = [], []
    for size in (2_000, 20_000, 200_000):
        batches = [Draws(batch) for batch in np.split(before_data, N // size)]
        point.append([1 / savage_dickey(posterior, batch).value for batch in batches])
        interval.append([1 / interval_bayes_factor(posterior, batch, rope).value for batch in batches])
    for few, many in ((0, 1), (1, 2)):
        error = np.hypot(*(stats.sem(point[each]) for each in (few, many)))
        assert np.mean(point[many]) - np.mean(point[few]) > 4 * error
        # the odds of n draws are biased by 1/n, which is far below
        error = np.hypot(*(stats.sem(interval[each]) for each in (few, many)))
        assert np.mean(interval[many]) == pytest.approx(np.mean(interval[few]), abs=4 * error)


@pytest.mark.parametrize(("measure", "published"), [("f1_micro", 20), ("f1_macro", 29)])
@pytest.mark.one_of_many
def test_the_uniform_prior_s_density_at_0_is_that_of_table_iv(newsgroups, measure, published, monkeypatch):
    """The independent model of 20 classes; each side's draws are dense, one Dirichlet a row."""
    monkeypatch.setattr(prior_draws, "_WORK", 16 * prior_draws._WORK)  # kept by seed: by this one only here
    rng = np.random.default_rng(2)
    n, n_classes = 40_000, 20
    theta = rng.standard_exponential((n, n_classes, n_classes))
    p = theta / theta.sum(axis=2, keepdims=True) * rng.dirichlet(np.ones(n_classes), size=n)[:, :, None]
    right = np.diagonal(p, axis1=1, axis2=2)
    scores = right.sum(axis=1) if measure == "f1_micro" else (2 * right / (p.sum(axis=1) + p.sum(axis=2))).mean(axis=1)
    delta = scores[: n // 2] - scores[n // 2 :]

    comparison = compare(
        newsgroups["svm_l2"],
        newsgroups["svm_l1"],
        measure=measure,
        model="independent",
        prior="hierarchical",
        rope=0.005,
        n_draws=20_000,
        seed=1_000,
    )
    factor = comparison.savage_dickey("uniform")
    at_zero = stats.gaussian_kde(comparison.delta, "silverman")(0)[0] / factor.value
    bandwidth = 0.1 * delta.std()
    expected, error = kernel_density(delta, bandwidth)
    assert at_zero == pytest.approx(expected, abs=4 * np.hypot(error, at_zero * factor.mcse / factor.value))
    assert at_zero == pytest.approx(published, rel=0.06)
