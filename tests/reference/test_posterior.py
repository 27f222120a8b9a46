import re
from dataclasses import replace

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
from scipy import stats
from scipy.special import gammaln, logsumexp

from benchmarks.studies.limits import LOOKS, REPETITIONS, STUDIES, table
from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, NutsEngine, PairedCounts, Prior, compare
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.design import design_comparison, design_estimate
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.engines.hyperparameters import shared_mass
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.priors import PRIORS, NestedGroups, SharedGroups
from pytest_bayesf1.stats.posterior import hdi
from tests.reference import naive, quadrature
from tests.reference.prior_cases import CASES

# The fast sampler against dense draws of the same generative models.
N_DRAWS = 20_000
MEASURES = ("accuracy", "jaccard_micro", "f1_macro", "matthews_corrcoef", "f1[0]")


def error_rate(p):
    return 1 - np.trace(p, axis1=-2, axis2=-1) * p[..., 0, :].sum(axis=-1)


@pytest.fixture(scope="module")
def example():
    """Forty examples of three classes, one class rare, with cells that never occur."""
    rng = np.random.default_rng(11)
    true = rng.choice(3, p=[0.6, 0.3, 0.1], size=40)
    baseline = np.where(rng.random(40) < 0.7, true, rng.integers(0, 3, 40))
    candidate = np.where(rng.random(40) < 0.6, baseline, rng.integers(0, 3, 40))
    return true, baseline, candidate


def _naive_sides(example, model, case, rng, draw_proportions=naive.draw_proportions):
    true, baseline, candidate = example
    if model == "paired":
        counts = naive.dense_counts(3, true, baseline, candidate)
        mu = draw_proportions(counts, case.beta, N_DRAWS, rng)
        return naive.draw_joint(counts, 2, case.rows, N_DRAWS, rng, mu)
    tables = [naive.dense_counts(3, true, side) for side in (baseline, candidate)]
    mus = [draw_proportions(table, case.beta, N_DRAWS, rng) for table in tables]
    if model == "same-set":
        mus[1] = mus[0]
    return [naive.draw_joint(table, 1, case.rows, N_DRAWS, rng, mu)[0] for table, mu in zip(tables, mus, strict=True)]


def _tables(example, model):
    table = OutcomeTable.tally(3, *example)
    return (table,) if model == "paired" else (table.side(0), table.side(1))


def as_joint(p):
    return Joint(p.sum(axis=2), np.diagonal(p, axis1=1, axis2=2), p.sum(axis=1), p)


def assert_same_distributions(sides, experiment, prior, measured, seed):
    measure = parse_measure(measured, (0, 1, 2))
    expected = [measure(as_joint(p)) for p in sides]
    drawn = ExactEngine().sampler(experiment, prior, measure, seed).draw(N_DRAWS)
    assert stats.ks_2samp(drawn[0], expected[0]).pvalue > 1e-6
    assert stats.ks_2samp(drawn[1], expected[1]).pvalue > 1e-6
    assert stats.ks_2samp(drawn[1] - drawn[0], expected[1] - expected[0]).pvalue > 1e-6


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
@pytest.mark.one_of_many
def test_same_distribution_of_every_score_and_difference(example, model, name):
    case = CASES[name]
    sides = _naive_sides(example, model, case, np.random.default_rng(5))
    experiment = Experiment(model, _tables(example, model))
    for measured in (*MEASURES, error_rate):
        # 432 Kolmogorov-Smirnov tests: at 1e-6 each, one false alarm in 2,300 seeds
        assert_same_distributions(sides, experiment, case.prior, measured, 3)


def _of_classes_that_occur(counts, beta, n, rng):
    """Proportions of the classes that have examples; none of the others."""
    occurs = counts.sum(axis=1) > 0
    mu = np.zeros((n, len(counts)))
    mu[:, occurs] = naive.draw_proportions(counts[occurs], beta, n, rng)
    return mu


@pytest.mark.parametrize("name", ["hierarchical", "uniform", pytest.param("nested", marks=pytest.mark.long)])
@pytest.mark.parametrize("model", ["paired", "same-set"])
def test_a_class_that_is_never_true_has_no_share_of_the_examples(example, model, name):
    true, baseline, candidate = example
    with_stray = np.where(true == 2, 1, true), baseline, candidate
    case = CASES[name]
    sides = _naive_sides(with_stray, model, case, np.random.default_rng(6), _of_classes_that_occur)
    experiment = Experiment(model, _tables(with_stray, model)).without_unsupported_classes()
    assert experiment.unsupported == (2,)
    for measured in ("accuracy", "f1_macro", "recall_macro", "g_mean", "cohen_kappa", "f1[0]", error_rate):
        # 126 Kolmogorov-Smirnov tests, at 1e-6 each
        assert_same_distributions(sides, experiment, case.prior, measured, 4)


CLOSED_FORMS_N_DRAWS = 200_000


def assert_moments(draws, mean, variance, kurtosis=3.0):
    """Mean and variance within 4 Monte Carlo standard errors; the kurtosis gives the error of the variance."""
    n = draws.size
    assert abs(draws.mean() - mean) < 4 * np.sqrt(variance / n)
    assert abs(draws.var() - variance) < 4 * variance * np.sqrt((kurtosis - 1) / n)


def _eta(table, seed):
    return shared_mass(table, SharedGroups()).draw(CLOSED_FORMS_N_DRAWS, np.random.default_rng(seed))[:, 0]


def _recall_moments(counts):
    """Mean vector and matrix of second moments of the recalls theta_jj under the 2015 model."""
    eta, weight = quadrature.eta_nodes(*quadrature.cells_by_group(counts))
    total = counts.sum(axis=1) + 1.0
    a = np.diag(counts) + eta[:, :1]
    mean = a / total
    second = np.einsum("q,qj,qk->jk", weight, mean, mean)
    np.fill_diagonal(second, weight @ (a * (a + 1) / (total * (total + 1))))
    return weight @ mean, second


class TestClosedForms:
    """Posteriors that are known exactly: Beta and Dirichlet distributions, and moments by quadrature over eta."""

    @pytest.mark.parametrize(
        ("candidate", "baseline", "mean", "std"),
        [("nb_mult", "svm_l2", 0.028510, 0.007631), ("nb_bern", "nb_mult", -0.107541, 0.007793)],
    )
    def test_micro_f1_of_the_2015_model(self, newsgroups, candidate, baseline, mean, std):
        (mean_a, var_a), (mean_b, var_b) = (
            quadrature.accuracy_moments(newsgroups[name]) for name in (candidate, baseline)
        )
        assert mean_a - mean_b == pytest.approx(mean, abs=1e-6)
        assert np.sqrt(var_a + var_b) == pytest.approx(std, abs=1e-6)
        comparison = compare(
            newsgroups[baseline],
            newsgroups[candidate],
            measure="f1_micro",
            rope=0.005,
            model="independent",
            prior="hierarchical",
            n_draws=CLOSED_FORMS_N_DRAWS,
        )
        assert_moments(comparison.delta, mean_a - mean_b, var_a + var_b)

    def test_eta_of_one_classifier(self, newsgroups):
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
    def test_eta_of_pairs(self, accuracy, agreement, n):
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
    def test_binary_recall_is_beta(self, prior, weight):
        baseline, candidate = [[90, 10], [7, 33]], [[80, 20], [3, 37]]
        comparison = compare(baseline, candidate, measure="recall", rope=0.05, prior=prior, n_draws=20_000)
        assert stats.kstest(comparison.score_draws[0], stats.beta(33 + weight, 7 + weight).cdf).pvalue > 1e-4
        assert stats.kstest(comparison.score_draws[1], stats.beta(37 + weight, 3 + weight).cdf).pvalue > 1e-4

    def test_paired_hierarchical_accuracy(self):
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
        comparison = compare(pairs, measure="accuracy", prior="hierarchical", rope=0.05, n_draws=CLOSED_FORMS_N_DRAWS)
        assert (comparison.model, comparison.prior) == ("paired", "hierarchical")
        assert_moments(comparison.delta, weight @ mean, weight @ second - (weight @ mean) ** 2)

    def test_same_set_accuracy_shares_the_class_proportions(self, newsgroups):
        """delta = sum_j mu_j (theta_jj - theta'_jj) with one mu; its moments follow from those of mu and of
        each side.
        """
        baseline, candidate = newsgroups["svm_l2"], newsgroups["nb_mult"]
        n = baseline.sum(axis=1)
        a = n + 1.0
        mu, total = a / a.sum(), a.sum()
        mu_products = (np.outer(a, a) + np.diag(a)) / (total * (total + 1))
        (mean_b, second_b), (mean_c, second_c) = (_recall_moments(counts) for counts in (baseline, candidate))
        second = second_b + second_c - np.outer(mean_b, mean_c) - np.outer(mean_c, mean_b)
        mean = mu @ (mean_c - mean_b)
        comparison = compare(
            baseline, candidate, measure="accuracy", rope=0.005, model="same-set", n_draws=CLOSED_FORMS_N_DRAWS
        )
        assert_moments(comparison.delta, mean, (mu_products * second).sum() - mean**2)


ENGINES_AGREE_N_DRAWS = 400_000  # of the exact engine, which cost next to nothing
FEW_CHAINS = NutsEngine(chains=2, draws=1_500, tune=500)
PRIORS_OF_THREE = {**PRIORS, "alpha and beta": Prior.named("hierarchical", alpha=(4, 2), beta=(2, 1, 3))}


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


def assert_engines_agree(experiment, prior, measure):
    exact = ExactEngine().sampler(experiment, prior, measure, 0).draw(ENGINES_AGREE_N_DRAWS)
    sampler = FEW_CHAINS.sampler(experiment, prior, measure, 0)
    chains = sampler.draw(FEW_CHAINS.first_draws)
    for one, other in [*zip(exact, chains, strict=True), (exact[-1] - exact[0], chains[-1] - chains[0])][-2:]:
        if one.any():  # one classifier has no difference
            assert_same(one, other, sampler.convergence(other).ess)


class TestEnginesAgree:
    """The exact engine and NUTS sample the same posterior, for every model and prior."""

    # every model and every prior, and each way in which they meet in the code
    @pytest.mark.parametrize(
        ("model", "prior"),
        [
            ("paired", "hierarchical"),
            pytest.param("paired", "nested", marks=pytest.mark.long),
            pytest.param("paired", "uniform", marks=pytest.mark.long),
            pytest.param("paired", "earlier examples", marks=pytest.mark.long),
            pytest.param("same-set", "hierarchical", marks=pytest.mark.long),
            pytest.param("same-set", "jeffreys", marks=pytest.mark.long),
            pytest.param("independent", "alpha and beta", marks=pytest.mark.long),
            pytest.param("independent", "nested", marks=pytest.mark.long),
        ],
    )
    def test_of_delta(self, model, prior):
        if prior == "earlier examples":
            seen = design_comparison(pairs(3, n=60), None, model)
            chosen = PRIORS["uniform"].after(seen.experiment, seen.labels)
        else:
            chosen = PRIORS_OF_THREE[prior]
        design = design_comparison(pairs(3), None, model, chosen.counts)
        assert_engines_agree(design.experiment, chosen, parse_measure("f1_macro", design.labels))

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("model", "prior"), [("paired", "hierarchical"), ("same-set", "nested"), ("independent", "uniform")]
    )
    def test_of_labels(self, model, prior):
        rng = np.random.default_rng(2)
        y_true = rng.random((60, 3)) < [0.6, 0.4, 0.1]
        flips = rng.random((2, 60, 3)) < 0.15
        sides = (MultilabelCounts.from_predictions(y_true, y_true ^ each) for each in flips)
        experiment = design_comparison(*sides, model).experiment
        assert_engines_agree(experiment, PRIORS[prior], parse_measure("f1_macro", range(3), multilabel=True))

    @pytest.mark.long
    @pytest.mark.parametrize(("n_classes", "prior"), [(2, "uniform"), (3, "hierarchical"), (3, "nested")])
    def test_of_one_classifier(self, n_classes, prior):
        design = design_estimate(pairs(n_classes).baseline)
        assert_engines_agree(design.experiment, PRIORS[prior], parse_measure("f1_macro", design.labels))

    @pytest.mark.long
    def test_of_an_informative_prior_that_both_know(self):
        def known_proportions(name, weights):
            return pm.Dirichlet(name, 10 * weights)

        matrices = pairs(3).baseline.counts, pairs(3).candidate.counts
        arguments = {"measure": "f1_weighted", "rope": (0.9, "wide"), "model": "same-set"}
        exact = run_comparison(
            *matrices, prior=Prior.named("hierarchical", beta=10), n_draws=ENGINES_AGREE_N_DRAWS, **arguments
        )
        chains = run_comparison(
            *matrices, prior="hierarchical", engine=replace(FEW_CHAINS, mu=known_proportions), **arguments
        )
        assert chains.engine == "pymc"
        assert_same(exact.delta, chains.delta, chains.convergence.ess)
        assert_same(exact.score_draws[0], chains.score_draws[0], chains.convergence.ess)

    @pytest.mark.long
    def test_a_prior_that_only_chains_know(self):
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
    def test_the_same_seed_gives_the_same_draws(self):
        design = design_comparison(pairs(2), None, "paired")
        measure = parse_measure("f1", design.labels)
        engine = NutsEngine(draws=100, tune=200, chains=2)
        first, second, other = (
            engine.sampler(design.experiment, PRIORS["hierarchical"], measure, seed).draw(200) for seed in (1, 1, 2)
        )
        np.testing.assert_array_equal(first, second)
        assert (first != other).any()

    @pytest.mark.long
    def test_more_draws_are_those_of_other_chains(self):
        design = design_comparison(pairs(2), None, "paired")
        engine = NutsEngine(draws=1_000, tune=500, chains=2)
        sampler = engine.sampler(design.experiment, PRIORS["hierarchical"], parse_measure("f1", design.labels), 1)
        scores = np.concatenate([sampler.draw(2_000), sampler.draw(2_000)], axis=1)
        found = sampler.convergence(scores[1] - scores[0])
        assert found.n_chains == 4
        assert found.ess > 1_000
        assert np.unique(scores[0]).size == 4_000

    @pytest.mark.long
    def test_the_priors_of_the_documentation_work(self, pytestconfig):
        text = (pytestconfig.rootpath / "docs" / "explanation" / "sampling.md").read_text(encoding="utf-8")
        code = next(block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "NutsEngine" in block)
        names = {}
        exec(compile(code, "docs/explanation/sampling.md", "exec"), names)  # noqa: S102 (our own text)
        assert names["result"].convergence.n_chains == 4
        assert names["data"]["posterior"]["delta"].shape == (4, 1_000)


FEW = 30
MEANS = {"mean δ": 3.0, "mean δ of the best": 1.0}
"""Columns of sampled means, and a bound on the standard deviation of one of their terms, in points."""


def share(cell):
    return float(cell.removesuffix("%")) / 100


def sizes(found, expected):
    return (FEW, share(found)), (REPETITIONS, share(expected))


class TestLimits:
    """What a verdict does not cover: the study of limits against closed forms, random walks and a run of its own."""

    def test_looks_are_those_of_a_random_walk(self, documented):
        """The mean over a growing test set, in standard errors, is a scaled random walk: how often does it pass
        1.96?
        """
        steps = np.random.default_rng(0).normal(size=(200_000, LOOKS)).cumsum(axis=1) / np.sqrt(np.arange(1, LOOKS + 1))
        ever = np.maximum.accumulate(steps < stats.norm.ppf(0.025), axis=1).mean(axis=0)
        at_the_edge = [row for row in documented("limits.md", STUDIES["looks"][0]) if row[0] == "-1.0"]
        assert [row[1] for row in at_the_edge] == ["1", "2", "4", "8", "12"]
        for _, look, _, _, found in at_the_edge:
            expected = ever[int(look) - 1]
            error = np.sqrt(expected * (1 - expected) / REPETITIONS)
            assert share(found) == pytest.approx(expected, abs=4 * error + 0.0005)

    def test_the_best_of_many_is_covered_about_as_by_independent_intervals(self, documented):
        """Scores on one test set are positively correlated, so that the best is covered no more rarely than
        (Slepian).
        """
        for candidates, _, covered, *_ in documented("limits.md", STUDIES["best-of"][0]):
            least = 0.975 ** int(candidates) - 0.025
            error = np.sqrt(least * (1 - least) / REPETITIONS)
            assert share(covered) >= least - 4 * error

    def test_the_page_tells_figures_of_the_tables(self, documented, pytestconfig):
        text = (pytestconfig.rootpath / "docs" / "explanation" / "limits.md").read_text(encoding="utf-8")
        (section,) = re.findall(r"^## What a verdict does not cover$(.*?)^## ", text, flags=re.MULTILINE | re.DOTALL)
        told = set(re.findall(r"\d+\.\d%", section)) - {"2.5%", "0.2%"}  # these two are arithmetic
        assert len(told) > 10
        assert told <= {cell for name in STUDIES for row in documented("limits.md", STUDIES[name][0]) for cell in row}

    @pytest.mark.long
    @pytest.mark.parametrize("name", STUDIES)
    def test_the_documented_tables_come_out_again(self, documented, name):
        columns = STUDIES[name][0].split(" | ")
        again = [[cell.strip() for cell in line.strip("|").split("|")] for line in [*table(name, FEW)][2:]]
        written = documented("limits.md", STUDIES[name][0])
        for row, other in zip(again, written, strict=True):
            for column, found, expected in zip(columns, row, other, strict=True):
                if column in MEANS:
                    error = MEANS[column] * np.sqrt(1 / FEW + 1 / REPETITIONS)
                    assert float(found) == pytest.approx(float(expected), abs=4.5 * error)
                elif "." in found and found.endswith("%"):
                    counts = [[round(size * rate), size - round(size * rate)] for size, rate in sizes(found, expected)]
                    assert stats.fisher_exact(counts).pvalue > 1e-6, (column, found, expected)
                else:
                    assert found == expected


ALPHAS = [(1, 1), (8, 2), (0.5, 3)]


def prior_draws(prior, n_sides, measure, n_classes, seed):
    experiment = Experiment("paired" if n_sides == 2 else "single", (OutcomeTable.empty(n_classes, n_sides),))
    parsed = parse_measure(measure, tuple(range(n_classes)))
    return ExactEngine().sampler(experiment, prior, parsed, seed).draw(N_DRAWS)


def assert_margins(prior, measure, n_classes):
    pair = prior_draws(prior, 2, measure, n_classes, seed=1)
    (alone,) = prior_draws(prior, 1, measure, n_classes, seed=2)
    for side in pair:
        # 72 tests in all: at 1e-5 each, one false alarm in 1,400 seeds; scores of almost 0 may lack the smallest atoms
        assert stats.ks_2samp(side.round(9), alone.round(9)).pvalue > 1e-5


class TestMargins:
    """Under the paired priors each side alone follows the prior for one classifier."""

    @pytest.mark.parametrize("alpha", ALPHAS, ids=str)
    @pytest.mark.parametrize("n_classes", [3, 6])
    @pytest.mark.parametrize("measure", ["accuracy", "f1_macro", "precision[0]", "cohen_kappa", "balanced_accuracy"])
    def test_margin_of_the_paired_hierarchical_prior(self, measure, n_classes, alpha):
        assert_margins(Prior.named("hierarchical", alpha=alpha), measure, n_classes)

    @pytest.mark.parametrize("alpha", ALPHAS, ids=str)
    @pytest.mark.parametrize("measure", ["accuracy", "recall[0]"])
    def test_margin_of_being_right_under_the_paired_nested_prior(self, measure, alpha):
        """How a side's errors are split is another matter: in pairs two groups hold them, each split on its own.

        A side alone has the kappa of pairs here: by itself it has a smaller one.
        """
        rows = NestedGroups(alpha, kappa=NestedGroups().kappa_of_pairs)
        assert_margins(Prior("nested", rows, beta=None), measure, 4)

    @pytest.mark.parametrize("name", ["hierarchical", "nested"])
    @pytest.mark.parametrize("alpha", ALPHAS, ids=str)
    def test_the_paired_prior_favours_neither_agreement_nor_disagreement(self, name, alpha):
        """Cov(eta_1 + eta_2, eta_1 + eta_3) is proportional to a_1 a_4 - a_2 a_3 = 0."""
        baseline, candidate = prior_draws(Prior.named(name, alpha=alpha), 2, "accuracy", 4, seed=3)
        moment = (baseline - baseline.mean()) * (candidate - candidate.mean())
        assert abs(moment.mean()) < 4 * moment.std() / np.sqrt(N_DRAWS)


def test_pairing_narrows_the_posterior_of_classifiers_that_agree():
    models = "paired", "same-set", "independent"
    paired, same_set, independent = (compare(pairs(5, 600), model=each, rope=0.1) for each in models)
    assert paired.std < 0.85 * same_set.std
    assert same_set.std < 1.02 * independent.std
