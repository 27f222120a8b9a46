"""The exact engine and NUTS sample the same posterior, for every model and prior."""

import re
from dataclasses import replace

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
from scipy import stats
from scipy.special import gammaln, logsumexp

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, Prior
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.design import design_comparison, design_estimate
from pytest_bayesf1.data.paired import PairedCounts
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.engines.nuts import NutsEngine
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.priors import PRIORS
from pytest_bayesf1.stats.posterior import hdi

N_DRAWS = 400_000  # of the exact engine, which cost next to nothing
FEW_CHAINS = NutsEngine(chains=2, draws=1_500, tune=500)
PRIORS_OF_THREE = {
    **PRIORS,
    "alpha and beta": Prior.named("hierarchical", alpha=(4, 2), beta=(2, 1, 3)),
    "pseudo-counts": Prior.from_counts([[3.0, 0.5, 0.2], [1, 2, 0.5], [0.5, 0.5, 4]]),
}


def pairs(n_classes, n=90):
    rng = np.random.default_rng(n_classes)
    true = rng.integers(0, n_classes, n)
    baseline = np.where(rng.random(n) < 0.8, true, rng.integers(0, n_classes, n))
    candidate = np.where(rng.random(n) < 0.8, baseline, rng.integers(0, n_classes, n))
    return PairedCounts.from_predictions(true, baseline, candidate, labels=range(n_classes))


def assert_same(exact, chains, ess):
    """Mean, standard deviation and HDI agree within 4 combined Monte Carlo standard errors.

    How much each varies among as many independent draws as the chains are worth shows in pieces of the exact draws.
    """
    ess = min(ess, chains.size)  # chains that swing to and fro know the mean better, not how much the draws vary
    pieces = np.split(exact[: exact.size - exact.size % int(ess)], exact.size // int(ess))
    for statistic in (np.mean, np.std, lambda draws: hdi(draws, 0.95)):
        error = np.std([statistic(piece) for piece in pieces], axis=0, ddof=1) * np.sqrt(1 + ess / exact.size)
        assert (np.abs(statistic(chains) - statistic(exact)) < 4 * error).all()


def both(experiment, prior, measure):
    exact = ExactEngine().sampler(experiment, prior, measure, 0).draw(N_DRAWS)
    sampler = FEW_CHAINS.sampler(experiment, prior, measure, 0)
    return exact, sampler.draw(FEW_CHAINS.first_draws), sampler


# every model and every prior (uniform: in the tests below), and each way in which they meet in the code
@pytest.mark.parametrize(
    ("model", "prior"),
    [
        ("paired", "hierarchical"),
        pytest.param("paired", "nested", marks=pytest.mark.long),
        pytest.param("paired", "pseudo-counts", marks=pytest.mark.long),
        pytest.param("same-set", "hierarchical", marks=pytest.mark.long),
        pytest.param("same-set", "jeffreys", marks=pytest.mark.long),
        pytest.param("independent", "alpha and beta", marks=pytest.mark.long),
        pytest.param("independent", "nested", marks=pytest.mark.long),
    ],
)
def test_of_delta(model, prior):
    if model == "paired" and prior == "pseudo-counts":
        chosen = Prior.from_counts(np.random.default_rng(1).gamma(1.0, size=(3, 3, 3)) + 0.2)
    else:
        chosen = PRIORS_OF_THREE[prior]
    design = design_comparison(pairs(3), None, model, chosen.counts)
    exact, chains, sampler = both(design.experiment, chosen, parse_measure("f1_macro", design.labels))
    delta = chains[1] - chains[0]
    assert_same(exact[1] - exact[0], delta, sampler.convergence(delta).ess)


@pytest.mark.long
@pytest.mark.parametrize("prior", ["hierarchical", "nested", "uniform"])
def test_of_one_classifier(prior):
    design = design_estimate(pairs(3).baseline)
    exact, chains, sampler = both(design.experiment, PRIORS[prior], parse_measure("f1_macro", design.labels))
    assert_same(exact[0], chains[0], sampler.convergence(chains[0]).ess)


@pytest.mark.long
def test_of_the_paired_binary_model_of_2016():
    design = design_comparison(pairs(2), None, "paired")
    exact, chains, sampler = both(design.experiment, PRIORS["uniform"], parse_measure("f1", design.labels))
    delta = chains[1] - chains[0]
    assert_same(exact[1] - exact[0], delta, sampler.convergence(delta).ess)


@pytest.mark.long
def test_of_an_informative_prior_that_both_know():
    def known_proportions(name, weights):
        return pm.Dirichlet(name, 10 * weights)

    matrices = pairs(3).baseline.counts, pairs(3).candidate.counts
    arguments = {"measure": "f1_weighted", "rope": (0.9, "wide"), "model": "same-set"}
    exact = run_comparison(*matrices, prior=Prior.named("hierarchical", beta=10), n_draws=N_DRAWS, **arguments)
    chains = run_comparison(
        *matrices, prior="hierarchical", engine=replace(FEW_CHAINS, mu=known_proportions), **arguments
    )
    assert chains.engine == "pymc"
    assert_same(exact.delta, chains.delta, chains.convergence.ess)
    assert_same(exact.baseline.draws, chains.baseline.draws, chains.convergence.ess)


@pytest.mark.long
def test_a_prior_that_only_chains_know():
    """Against quadrature over eta: given eta, the posterior mean of accuracy has a closed form."""

    def probably_right(name, weights):
        right = pm.Deterministic("right", pm.math.invlogit(pm.Normal("logit", 1.5, 0.4)))
        return pm.Deterministic(name, pt.stack([right, 1 - right]))

    counts = pairs(3).baseline.counts
    design = design_estimate(ConfusionMatrix(counts))
    measure = parse_measure("accuracy", design.labels)
    engine = replace(FEW_CHAINS, eta=probably_right)
    sampler = engine.sampler(design.experiment, PRIORS["hierarchical"], measure, 0)
    accuracy = sampler.draw(engine.first_draws)[0]

    logit = np.linspace(-2, 5, 4_001)
    eta = 1 / (1 + np.exp(-logit))
    right, wrong = np.diag(counts), counts[~np.eye(3, dtype=bool)]
    log_weight = stats.norm.logpdf(logit, 1.5, 0.4)
    log_weight += (gammaln(right + eta[:, None]) - gammaln(eta[:, None])).sum(axis=1)
    each = (1 - eta[:, None]) / 2
    log_weight += (gammaln(wrong + each) - gammaln(each)).sum(axis=1)
    weight = np.exp(log_weight - logsumexp(log_weight))
    # the whole joint probability is Dirichlet(c + omega), so accuracy given eta is a beta variable
    a, n = right.sum() + 3 * eta, counts.sum() + 3
    mean = weight @ (a / n)
    variance = weight @ (a * (n - a) / n**2 / (n + 1) + (a / n) ** 2) - mean**2
    ess = sampler.convergence(accuracy).ess
    assert abs(accuracy.mean() - mean) < 4 * np.sqrt(variance / ess)
    assert abs(accuracy.std() / np.sqrt(variance) - 1) < 4 * np.sqrt(0.5 / ess)


@pytest.mark.long
def test_the_same_seed_gives_the_same_draws():
    design = design_comparison(pairs(2), None, "paired")
    measure = parse_measure("f1", design.labels)
    engine = NutsEngine(draws=100, tune=200, chains=2)
    first, second, other = (
        engine.sampler(design.experiment, PRIORS["hierarchical"], measure, seed).draw(200) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, second)
    assert (first != other).any()


@pytest.mark.long
def test_the_priors_of_the_documentation_work(pytestconfig):
    text = (pytestconfig.rootpath / "docs" / "explanation" / "sampling.md").read_text(encoding="utf-8")
    code = next(block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "NutsEngine" in block)
    names = {}
    exec(compile(code, "docs/explanation/sampling.md", "exec"), names)  # noqa: S102 (our own text)
    assert names["result"].convergence.n_chains == 4
    assert names["data"]["posterior"]["delta"].shape == (4, 1_000)


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "prior"), [("paired", "hierarchical"), ("same-set", "nested"), ("independent", "uniform")]
)
def test_of_labels(model, prior):
    rng = np.random.default_rng(2)
    y_true = rng.random((60, 3)) < [0.6, 0.4, 0.1]
    sides = [
        MultilabelCounts.from_predictions(y_true, np.where(rng.random((60, 3)) < 0.15, ~y_true, y_true))
        for _ in range(2)
    ]
    experiment = design_comparison(*sides, model).experiment
    exact, chains, sampler = both(experiment, PRIORS[prior], parse_measure("f1_macro", range(3), multilabel=True))
    delta = chains[1] - chains[0]
    assert_same(exact[1] - exact[0], delta, sampler.convergence(delta).ess)
