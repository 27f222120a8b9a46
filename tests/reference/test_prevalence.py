"""Scores at other class shares, against independent computations."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit
from sklearn import metrics

from pytest_bayesf1 import ConfusionMatrix, NutsEngine, PairedCounts, Scores
from pytest_bayesf1.comparison.compare import run_comparison, run_estimate
from pytest_bayesf1.comparison.design import design_comparison
from pytest_bayesf1.data.outcomes import CommonShares, Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.priors import PRIORS
from pytest_bayesf1.stats.power import Alternative
from tests.reference import naive
from tests.reference.prior_cases import CASES
from tests.reference.test_posterior import as_joint, assert_moments, assert_same, assert_same_distributions, error_rate

N_DRAWS = 20_000
POPULATIONS = {
    "one stated": CommonShares(shares=((2, 0.3),)),
    "two stated": CommonShares(shares=((0, 0.1), (2, 0.3))),
    "baseline": CommonShares(side=0),
    "candidate": CommonShares(side=1),
}


@pytest.fixture(scope="module")
def two_test_sets():
    """Sixty examples of three classes, and 45 others among which other classes are rare."""
    rng = np.random.default_rng(11)

    def drawn(n, shares):
        true = rng.choice(3, p=shares, size=n)
        baseline = np.where(rng.random(n) < 0.7, true, rng.integers(0, 3, n))
        return true, baseline, np.where(rng.random(n) < 0.6, baseline, rng.integers(0, 3, n))

    return drawn(60, [0.6, 0.3, 0.1]), drawn(45, [0.2, 0.3, 0.5])


def _mu(population, totals, rng):
    """Draw the proportions by the words of the documentation."""
    if population.side is not None:
        return rng.dirichlet(totals[population.side], N_DRAWS)
    rest = rng.dirichlet(np.sum(totals, axis=0), N_DRAWS)
    shares = dict(population.shares)
    others = [code for code in range(rest.shape[1]) if code not in shares]
    left = 1 - sum(shares.values())
    rest[:, others] *= (left / rest[:, others].sum(axis=1))[:, None]
    for code, share in shares.items():
        rest[:, code] = share
    return rest


@pytest.mark.parametrize("name", ["hierarchical", "nested", "uniform", "jeffreys, beta"])
@pytest.mark.parametrize(
    ("model", "shares"),
    [
        *product(["paired", "same-set", "independent"], ["one stated", "two stated"]),
        *product(["independent"], ["baseline", "candidate"]),
    ],
)
@pytest.mark.one_of_many
def test_the_posterior_is_that_of_dense_draws(two_test_sets, shares, model, name):
    (true, *sides), (other_true, _, other_candidate) = two_test_sets
    case, population = CASES[name], POPULATIONS[shares]
    rng = np.random.default_rng(5)
    if model == "paired":
        tables: tuple[OutcomeTable, ...] = (OutcomeTable.tally(3, true, *sides),)
        dense = [naive.dense_counts(3, true, *sides)]
    else:
        candidate = (other_true, other_candidate) if model == "independent" else (true, sides[1])
        tables = tuple(OutcomeTable.tally(3, *each) for each in ((true, sides[0]), candidate))
        dense = [naive.dense_counts(3, *each) for each in ((true, sides[0]), candidate)]
    of_test_sets = dense[:1] if model == "same-set" else dense
    mu = _mu(population, [counts.sum(axis=1) + naive.class_mass(counts, case.beta) for counts in of_test_sets], rng)
    drawn = [
        naive.draw_joint(counts, len(table.predicted), case.rows, N_DRAWS, rng, mu)
        for counts, table in zip(dense, tables, strict=True)
    ]
    expected_sides = [side for each in drawn for side in each]
    experiment = Experiment(model, tables, population=population)
    for measured in ("accuracy", "f1_macro", "matthews_corrcoef", "f1[0]", "balanced_accuracy", error_rate):
        # 576 Kolmogorov-Smirnov tests, at 1e-6 each
        assert_same_distributions(expected_sides, experiment, case.prior, measured, 3)


def test_accuracy_of_two_classes_has_the_moments_of_two_beta_variables():
    """With fixed shares accuracy is mu_0 theta_00 + mu_1 theta_11, and theta_jj a beta variable of each row."""
    matrix, share = np.array([[470, 30], [10, 40]]), 0.01
    found = run_estimate(
        matrix, 0.5, measure="accuracy", prior="uniform", prevalence={"1": share}, n_draws=200_000
    ).score.draws
    rows = [stats.beta(right + 1, total - right + 1) for right, total in ((470, 500), (40, 50))]
    mu = (1 - share, share)
    mean = sum(m * row.mean() for m, row in zip(mu, rows, strict=True))
    assert_moments(found, mean, sum(m**2 * row.var() for m, row in zip(mu, rows, strict=True)))


SCORES = {
    "accuracy": metrics.accuracy_score,
    "f1_macro": lambda *args, **kwargs: metrics.f1_score(*args, average="macro", **kwargs),
    "f1_weighted": lambda *args, **kwargs: metrics.f1_score(*args, average="weighted", **kwargs),
    "precision[2]": lambda *args, **kwargs: metrics.precision_score(*args, average=None, **kwargs)[2],
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
    "cohen_kappa": metrics.cohen_kappa_score,
}


def _weights(true, shares):
    return np.array(shares)[true] / np.bincount(true)[true]


@pytest.mark.parametrize("measure", SCORES)
def test_observed_scores_are_those_of_scikit_learn_with_sample_weights(two_test_sets, measure):
    (true, baseline, candidate), other = two_test_sets
    others = np.bincount(true)[:2]
    shares = [*(0.7 * others / others.sum()), 0.3]
    paired = PairedCounts.from_predictions(true, baseline, candidate)
    found = run_comparison(paired, measure=measure, rope=0.1, prevalence={2: 0.3}, n_draws=1_000)
    weights = _weights(true, shares)
    assert found.baseline.observed == pytest.approx(SCORES[measure](true, baseline, sample_weight=weights))
    assert found.candidate.observed == pytest.approx(SCORES[measure](true, candidate, sample_weight=weights))

    sides = ConfusionMatrix.from_predictions(true, baseline), ConfusionMatrix.from_predictions(other[0], other[2])
    found = run_comparison(*sides, measure=measure, rope=0.1, prevalence="baseline", model="independent", n_draws=1_000)
    weights = _weights(other[0], np.bincount(true) / true.size)
    assert found.baseline.observed == pytest.approx(SCORES[measure](true, baseline))
    assert found.candidate.observed == pytest.approx(SCORES[measure](other[0], other[2], sample_weight=weights))


def _clustered(rng, n_clusters):
    """Clusters of three examples of different classes, of which some have most of their examples wrong."""
    cluster = np.repeat(np.arange(n_clusters), 3)
    true = rng.choice(3, p=[0.6, 0.3, 0.1], size=cluster.size)
    hard = rng.random(n_clusters)[cluster]
    sides = [np.where(rng.random(true.size) > hard * p, true, rng.integers(0, 3, true.size)) for p in (0.5, 0.7)]
    return cluster, true, *sides


@pytest.mark.parametrize("measure", ["accuracy", "f1_macro", "matthews_corrcoef"])
@pytest.mark.one_of_many
def test_of_clusters_it_is_a_bootstrap_of_them_with_weights_of_classes(measure):
    cluster, true, *sides = _clustered(np.random.default_rng(2), 3_000)
    paired = PairedCounts.from_predictions(true, *sides, clusters=cluster)
    found = run_comparison(paired, measure=measure, rope=0.1, prevalence={2: 0.4}, n_draws=20_000)
    rng, scorer, shares = np.random.default_rng(3), parse_measure(measure, (0, 1, 2)), np.array([0.4, 0.2, 0.4])
    rest = np.bincount(true)[:2]
    shares[:2] = 0.6 * rest / rest.sum()
    deltas = []
    for _ in range(3_000):
        weight = rng.standard_exponential(3_000)[cluster]
        weight *= (shares / np.bincount(true, weight))[true]
        joints = []
        for side in sides:
            p = np.zeros((1, 3, 3))
            np.add.at(p[0], (true, side), weight)
            joints.append(as_joint(p))
        deltas.append(scorer(joints[1])[0] - scorer(joints[0])[0])
    # 9,000 examples leave the prior, one in 9,000, little to say
    assert found.mean == pytest.approx(np.mean(deltas), abs=0.15 * found.std)
    assert found.std == pytest.approx(np.std(deltas), rel=0.06)


@pytest.mark.parametrize("measure", ["neg_log_loss", "average_precision"])
@pytest.mark.one_of_many
def test_of_scores_it_is_a_bootstrap_with_weights_of_classes(measure):
    rng, share = np.random.default_rng(4), 0.02
    true = (rng.random(2_000) < 0.3).astype(int)
    sides = [expit(rng.normal(apart * (2 * true - 1), 1.2)) for apart in (0.8, 1.0)]
    built = [Scores.from_predictions(true, side) for side in sides]
    found = run_comparison(*built, measure=measure, rope=0.1, prevalence={1: share}, n_draws=20_000)
    score = {
        "average_precision": metrics.average_precision_score,
        "neg_log_loss": lambda *args, **kwargs: -metrics.log_loss(*args, **kwargs),
    }[measure]
    weights = _weights(true, [1 - share, share])
    assert found.baseline.observed == pytest.approx(score(true, sides[0], sample_weight=weights))
    assert found.candidate.observed == pytest.approx(score(true, sides[1], sample_weight=weights))
    deltas = []
    for _ in range(1_500):
        weight = rng.standard_exponential(true.size)
        weight *= (np.array([1 - share, share]) / np.bincount(true, weight))[true]
        before, after = (score(true, side, sample_weight=weight) for side in sides)
        deltas.append(after - before)
    assert found.mean == pytest.approx(np.mean(deltas), abs=0.2 * found.std)
    assert found.std == pytest.approx(np.std(deltas), rel=0.08)


@pytest.mark.parametrize(
    ("prior", "shares"), [("hierarchical", "two stated"), *(("uniform", each) for each in POPULATIONS)]
)
@pytest.mark.long
def test_chains_agree(two_test_sets, prior, shares):
    matrices = [ConfusionMatrix.from_predictions(true, side) for true, side, _ in two_test_sets]
    design = design_comparison(*matrices, "independent")
    experiment = replace(design.experiment, population=POPULATIONS[shares])
    measure, engine = parse_measure("f1_macro", design.labels), NutsEngine(chains=2, draws=1_500, tune=500)
    exact = ExactEngine().sampler(experiment, PRIORS[prior], measure, 0).draw(200_000)
    sampler = engine.sampler(experiment, PRIORS[prior], measure, 0)
    chains = sampler.draw(engine.first_draws)
    delta = chains[1] - chains[0]
    assert_same(exact[1] - exact[0], delta, sampler.convergence(delta).ess)
    assert_same(exact[0], chains[0], sampler.convergence(chains[0]).ess)


@pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
@pytest.mark.parametrize("measure", ["f1_macro", "matthews_corrcoef"])
def test_power_knows_how_much_delta_varies_at_the_shares(model, measure):
    rng = np.random.default_rng(7)

    def drawn(shares, n):
        true = rng.choice(3, p=shares, size=n)
        return true, np.where(rng.random(n) < 0.8, true, rng.integers(0, 3, n))

    true, baseline = drawn([0.6, 0.3, 0.1], 20_000)
    candidate = np.where(rng.random(true.size) < 0.9, baseline, rng.integers(0, 3, true.size))
    sides = [ConfusionMatrix.from_predictions(true, side) for side in (baseline, candidate)]
    if model == "independent":
        sides[1] = ConfusionMatrix.from_predictions(*drawn([0.3, 0.3, 0.4], 15_000))
    for prevalence in ({2: 0.5}, {2: 0.02}):
        found = run_comparison(*sides, measure=measure, rope=0.01, model=model, prevalence=prevalence)
        seen = Alternative.seen(found.provenance.subject.experiment, found.provenance.measure)
        assert seen.delta == pytest.approx(found.mean, abs=0.1 * found.std)
        assert np.sqrt(seen.variance) == pytest.approx(found.std, rel=0.04)
        assert found.detectable_losses.power_80 > found.detectable_losses.power_50 > 0.01
        assert found.classical_tests == ()
