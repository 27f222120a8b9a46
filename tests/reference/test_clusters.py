import numpy as np
import pytest
from scipy import stats
from scipy.stats import ks_2samp

from pytest_bayesf1 import (
    ConfusionMatrix,
    MultilabelCounts,
    Prior,
    SpanCounts,
    compare,
    f1_posterior,
    fbeta_draws,
    precision_posterior,
    recall_posterior,
)
from pytest_bayesf1.comparison.compare import run_estimate
from pytest_bayesf1.data.outcomes import ClusterContents
from pytest_bayesf1.errors import FewClustersWarning

TP, FP, FN = 43, 7, 12
SPANS_DRAWS, N_DOCUMENTS = 20_000, 231
TYPES = ["LOC", "ORG", "PER"]


def in_single_decisions():
    """A document per span: true ones that are found or missed, and invented ones."""
    gold = [[(0, 1, "PER")]] * (TP + FN) + [[]] * FP
    return SpanCounts.from_spans(gold, [[(0, 1, "PER")]] * TP + [[]] * FN + [[(0, 1, "PER")]] * FP)


SINGLE = {"counts": SpanCounts.from_counts([TP], [FP], [FN]), "documents of one span": in_single_decisions()}


def posterior(counts, measure, **options):
    return run_estimate(counts, 0.5, measure=measure, n_draws=SPANS_DRAWS, **options).score.draws


def documents(n=N_DOCUMENTS, seed=3):
    """Make up documents whose spans are easy or hard to find together; by either of two systems."""
    rng = np.random.default_rng(seed)
    gold, sides = [], ([], [])
    for ease in rng.beta(4, 1, n):
        size = 1 + rng.geometric(0.05)
        every = [(int(start), int(start) + 1, TYPES[kind]) for start, kind in enumerate(rng.integers(3, size=2 * size))]
        gold.append(set(every[:size]))
        shared = rng.random(2 * size)
        for side in sides:
            luck = np.where(rng.random(2 * size) < 0.7, shared, rng.random(2 * size))
            found = np.concatenate([luck[:size] < ease, luck[size:] > 0.5 + ease / 2])
            side.append({span for span, is_found in zip(every, found, strict=True) if is_found})
    return gold, *sides


def bootstrapped(gold, sides, average, n_draws=4_000):
    """Resample whole documents, and score anew as seqeval would."""
    weights = np.random.default_rng(5).multinomial(len(gold), np.full(len(gold), 1 / len(gold)), size=n_draws)
    baseline, candidate = (resampled(weights, gold, side, average) for side in sides)
    return candidate - baseline


def resampled(weights, gold, side, average):
    """Score a side with documents counted as often as they were drawn."""
    pairs = list(zip(gold, side, strict=True))
    outcomes = [[true & said for true, said in pairs], [true ^ said for true, said in pairs]]
    right, wrong = (
        weights @ [[sum(kind == each for *_, kind in spans) for each in TYPES] for spans in documents_of]
        for documents_of in outcomes
    )
    if average == "micro":
        right, wrong = (each.sum(axis=1, keepdims=True) for each in (right, wrong))
    return (2 * right / (2 * right + wrong)).mean(axis=1)


class TestSpans:
    """The posterior of spans: Goutte & Gaussier's where documents hold one decision, a bootstrap of documents else."""

    @pytest.mark.parametrize("counts", SINGLE.values(), ids=SINGLE)
    def test_single_decisions_have_the_posterior_of_goutte_and_gaussier(self, counts):
        for measure in ("f1", "f1_micro", "f1_macro"):
            assert stats.kstest(posterior(counts, measure), f1_posterior(TP, FP, FN).cdf).pvalue > 1e-4
        assert stats.kstest(posterior(counts, "precision"), precision_posterior(TP, FP).cdf).pvalue > 1e-4
        assert stats.kstest(posterior(counts, "recall_micro"), recall_posterior(TP, FN).cdf).pvalue > 1e-4
        expected = fbeta_draws(TP, FP, FN, beta=2, n_draws=SPANS_DRAWS, rng=np.random.default_rng(1))
        assert stats.ks_2samp(posterior(counts, "fbeta(2)"), expected).pvalue > 1e-4
        uniform = f1_posterior(TP, FP, FN, weight=1)
        assert stats.kstest(posterior(counts, "f1", prior="uniform"), uniform.cdf).pvalue > 1e-4

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.LeakageWarning")
    @pytest.mark.parametrize("counts", SINGLE.values(), ids=SINGLE)
    def test_so_has_either_side_of_a_comparison(self, counts):
        other = SpanCounts.from_spans(*[[[(0, 1, "PER")]] * (TP + FN) + [[]] * FP] * 2)
        paired = counts.questions is not None
        found = compare(counts, other if paired else counts, measure="f1", rope=0.01, n_draws=SPANS_DRAWS)
        assert found.model == ("paired" if paired else "independent")
        assert stats.kstest(found.score_draws[0], f1_posterior(TP, FP, FN).cdf).pvalue > 1e-4
        if paired:
            assert stats.kstest(found.score_draws[1], f1_posterior(TP + FN, 0, 0).cdf).pvalue > 1e-4

    def test_types_are_pooled_before_the_prior_is_added(self):
        n = TP + FP + FN
        counts = [1] * TP + [0] * (FP + FN), [0] * TP + [1] * FP + [0] * FN, [0] * (TP + FP) + [1] * FN
        many = SpanCounts.from_counts(*counts, labels=range(n))
        assert stats.kstest(posterior(many, "f1_micro"), f1_posterior(TP, FP, FN).cdf).pvalue > 1e-4

    def test_evidence_adds_up(self):
        first = SpanCounts.from_counts([20, 5], [3, 1], [4, 2], labels=["A", "B"])
        second = SpanCounts.from_counts([23, 7], [4, 2], [8, 1], labels=["A", "B"])
        prior = compare(first, first, rope=0.01, measure="f1[A]").as_prior()
        assert isinstance(prior, Prior)
        found = compare(second, second, rope=0.01, measure="f1[A]", prior=prior, n_draws=SPANS_DRAWS)
        assert stats.kstest(found.score_draws[0], f1_posterior(43, 7, 12).cdf).pvalue > 1e-4

    @pytest.mark.parametrize("average", ["micro", "macro"])
    def test_a_bootstrap_of_documents_agrees(self, average):
        gold, *sides = documents()
        found = compare(*(SpanCounts.from_spans(gold, side) for side in sides), measure=f"f1_{average}", rope=0.01)
        delta = bootstrapped(gold, sides, average)
        width = found.hdi[1] - found.hdi[0]
        np.testing.assert_allclose(found.hdi, np.quantile(delta, [0.025, 0.975]), rtol=0, atol=0.1 * width)
        kept = (SpanCounts.from_spans(gold, side) for side in sides)
        apart = [SpanCounts.from_counts(*side.counts.T, labels=side.labels) for side in kept]
        assert found.baseline.std > 1.2 * compare(*apart, measure=f"f1_{average}", rope=0.01).baseline.std


N, DRAWS = 300, 20_000


def sides(n_classes, make=ConfusionMatrix.from_predictions, **given):
    rng = np.random.default_rng(7)
    y_true = rng.integers(n_classes, size=N)
    baseline = np.where(rng.random(N) < 0.8, y_true, rng.integers(n_classes, size=N))
    candidate = np.where(rng.random(N) < 0.85, baseline, rng.integers(n_classes, size=N))
    return [make(y_true, y_pred, **given) for y_pred in (baseline, candidate)]


def differences_by_size(cluster, outcome):
    """Draw differences of accuracies with weights whose shape and power of the size are computed from examples."""
    rng, sizes = np.random.default_rng(3), np.bincount(cluster)
    true, *predicted = outcome
    right = [true == each for each in predicted]
    gained = right[1].astype(float) - right[0]
    # the mean logarithm of the size, its standard error and its skewness
    logs, together = np.log(sizes[cluster]), 1 - sizes.size / cluster.size
    by_cluster = np.bincount(cluster, logs - logs.mean())
    error = np.sqrt((by_cluster**2).sum()) / cluster.size
    pull = 2.5 * together * error * stats.skew(by_cluster) / np.sqrt(sizes.size)
    powers = rng.exponential(pull / logs.var(), DRAWS)
    # leaving out a cluster at a time, examples weighing what they do at the median power
    weight = np.exp(np.log(2) * pull / logs.var() * (logs - logs.mean()))
    mean = np.average(gained, weights=weight)
    kept = [cluster != number for number in range(sizes.size)]
    moves = np.array([np.average(gained[at], weights=weight[at]) - mean for at in kept]) ** 2
    plain = (np.bincount(cluster, weight * (gained - mean)) / weight.sum()) ** 2
    tilted = 1 - sizes.size / weight.sum()
    variance = 1 + tilted * (moves.sum() / plain.sum() - 1)
    dof = min(2 * moves.sum() ** 2 / ((moves - moves.mean()) ** 2).sum(), sizes.size - 1) / tilted
    shape = rng.chisquare(dof, DRAWS) / dof / variance
    weights = rng.standard_gamma(shape[:, None], (DRAWS, sizes.size)) / shape[:, None]
    weights *= np.exp(powers[:, None] * (np.log(sizes) - logs.mean()))
    each = np.eye(8)[4 * true + 2 * right[0] + right[1]]
    held = np.array([each[cluster == number].sum(axis=0) for number in range(sizes.size)])
    scatter = ((held - sizes[:, None] * each.mean(axis=0)) ** 2).sum() / cluster.size
    weights /= max(1, scatter / (1 - (each.mean(axis=0) ** 2).sum()))
    both, baseline, candidate, neither = rng.standard_gamma(2, (4, DRAWS))
    total = weights @ sizes + both + baseline + candidate + neither
    return (weights @ np.bincount(cluster, gained) + candidate - baseline) / total


class TestClusterWeights:
    """The identities that weights on clusters have to keep."""

    @pytest.mark.one_of_many
    @pytest.mark.parametrize("measure", ["f1_macro", "accuracy", "recall_macro", "cohen_kappa"])
    @pytest.mark.parametrize("model", ["paired", "independent"])
    def test_units_of_one_example_have_the_posterior_of_counts(self, measure, model, monkeypatch):
        monkeypatch.setattr(ClusterContents, "hold_one_example", False)  # else their weights are not even drawn
        asked = {"rope": 0.01, "measure": measure, "model": model, "n_draws": DRAWS}
        plain = compare(*sides(4), prior="nested", seed=1, **asked)
        clusters = compare(*sides(4, clusters=np.arange(N)), seed=2, **asked)
        assert clusters.prior == "nested"
        assert ks_2samp(plain.delta, clusters.delta).pvalue > 1e-4

    def test_their_draws_are_those_of_counts(self):
        asked = {"rope": 0.01, "n_draws": DRAWS}
        plain, clusters = (compare(*sides(4), **asked), compare(*sides(4, clusters=np.arange(N)), **asked))
        np.testing.assert_array_equal(plain.delta, clusters.delta)
        assert clusters.clusters.design_effect == 1

    @pytest.mark.one_of_many
    @pytest.mark.parametrize("measure", ["f1_macro", "f1_micro"])
    def test_so_have_labels(self, measure):
        rng = np.random.default_rng(5)
        y_true = rng.random((N, 3)) < 0.4
        flips = [rng.random((N, 3)) < share for share in (0.1, 0.15)]
        asked = {"rope": 0.01, "measure": measure, "n_draws": DRAWS}

        def built(**given):
            return [MultilabelCounts.from_predictions(y_true, y_true ^ flip, **given) for flip in flips]

        plain, clusters = compare(*built(), seed=1, **asked), compare(*built(clusters=np.arange(N)), seed=2, **asked)
        # labels of one example share its weight, which changes how they go together but no label's own posterior
        assert abs(plain.mean - clusters.mean) < 5 * np.hypot(plain.mcse, clusters.mcse)
        each = [
            compare(*built(**given), **(asked | {"measure": "f1[1]"})) for given in ({}, {"clusters": np.arange(N)})
        ]
        assert ks_2samp(each[0].delta, each[1].delta).pvalue > 1e-4

    def test_a_naive_sampler_agrees_where_the_difference_goes_with_the_size(self):
        sizes = np.rint(np.random.default_rng(6).lognormal(1.8, 1, 40)).clip(1)
        cluster = np.repeat(np.arange(40), sizes.astype(int))
        place = np.arange(cluster.size) % 7
        gained, lost = (place == 0) & (sizes[cluster] > 9), (place == 1) & (sizes[cluster] < 9)
        true = np.arange(cluster.size) % 2
        sides = [ConfusionMatrix.from_predictions(true, true ^ wrong, clusters=cluster) for wrong in (gained, lost)]
        with pytest.warns(FewClustersWarning):
            found = compare(*sides, measure="accuracy", rope=0.01, prior="uniform", n_draws=DRAWS)
        delta = differences_by_size(cluster, np.stack([true, *(true ^ wrong for wrong in (gained, lost))]))
        assert ks_2samp(found.delta, delta).pvalue > 1e-4
        assert found.mean > (sum(gained) - sum(lost)) / cluster.size + 10 * found.mcse

    def test_examples_that_are_copied_within_their_unit_tell_nothing_new(self):
        given, copies = [side.questions for side in sides(4)], np.repeat(np.arange(N), 4)
        copied = [
            ConfusionMatrix.from_predictions(side.truth[copies], side.said[0][copies], clusters=copies)
            for side in given
        ]
        once, four_times = compare(*sides(4, clusters=np.arange(N)), rope=0.01), compare(*copied, rope=0.01)
        assert abs(once.mean - four_times.mean) < 5 * np.hypot(once.mcse, four_times.mcse)
        # at 300 clusters the correction for few of them is about 2% of the width
        assert once.std < four_times.std < 1.05 * once.std

    def test_intervals_are_close_to_those_of_a_bootstrap_of_units(self):
        rng = np.random.default_rng(11)
        n, size = 400, 6
        cluster = np.repeat(np.arange(n), size)
        true = rng.integers(3, size=cluster.size)
        hard, better = rng.random(n)[cluster] ** 2, rng.normal(0, 0.5, n)[cluster]
        predicted = [
            np.where(rng.random(cluster.size) < 0.6 * hard, rng.integers(3, size=cluster.size), true),
            np.where(rng.random(cluster.size) < 0.6 * hard + better, rng.integers(3, size=cluster.size), true),
        ]
        found = compare(*(ConfusionMatrix.from_predictions(true, y, clusters=cluster) for y in predicted), rope=0.01)
        assert found.clusters.design_effect > 1.3
        # confusion matrices of every cluster, added up by how often it is drawn
        held = np.zeros((2, n, 9))
        for side, y in enumerate(predicted):
            np.add.at(held[side], (cluster, 3 * true + y), 1)
        times = rng.multinomial(n, np.full(n, 1 / n), 10_000)
        matrices = (times @ held).reshape(2, -1, 3, 3)
        hits = np.einsum("sbii->sbi", matrices)
        f1 = (2 * hits / (matrices.sum(axis=2) + matrices.sum(axis=3))).mean(axis=2)
        low, high = np.quantile(f1[1] - f1[0], [0.025, 0.975])
        np.testing.assert_allclose(found.hdi, [low, high], atol=0.1 * (high - low))
