"""The posterior of spans: Goutte & Gaussier's where documents hold one decision, a bootstrap of documents else."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import Prior, SpanCounts, compare, f1_posterior, fbeta_draws, precision_posterior, recall_posterior
from pytest_bayesf1.comparison.result import run_estimate

TP, FP, FN = 43, 7, 12
DRAWS, N_DOCUMENTS = 20_000, 231
TYPES = ["LOC", "ORG", "PER"]


def in_single_decisions():
    """A document per span: true ones that are found or missed, and invented ones."""
    gold = [[(0, 1, "PER")]] * (TP + FN) + [[]] * FP
    return SpanCounts.from_spans(gold, [[(0, 1, "PER")]] * TP + [[]] * FN + [[(0, 1, "PER")]] * FP)


SINGLE = {
    "counts": SpanCounts.from_counts([TP], [FP], [FN]),
    "documents of one span": in_single_decisions(),
}


def posterior(counts, measure, **options):
    return run_estimate(counts, 0.5, measure=measure, n_draws=DRAWS, **options).score.draws


@pytest.mark.parametrize("counts", SINGLE.values(), ids=SINGLE)
def test_single_decisions_have_the_posterior_of_goutte_and_gaussier(counts):
    for measure in ("f1", "f1_micro", "f1_macro"):
        assert stats.kstest(posterior(counts, measure), f1_posterior(TP, FP, FN).cdf).pvalue > 1e-4
    assert stats.kstest(posterior(counts, "precision"), precision_posterior(TP, FP).cdf).pvalue > 1e-4
    assert stats.kstest(posterior(counts, "recall_micro"), recall_posterior(TP, FN).cdf).pvalue > 1e-4
    expected = fbeta_draws(TP, FP, FN, beta=2, n_draws=DRAWS, rng=np.random.default_rng(1))
    assert stats.ks_2samp(posterior(counts, "fbeta(2)"), expected).pvalue > 1e-4
    uniform = f1_posterior(TP, FP, FN, weight=1)
    assert stats.kstest(posterior(counts, "f1", prior="uniform"), uniform.cdf).pvalue > 1e-4


@pytest.mark.parametrize("counts", SINGLE.values(), ids=SINGLE)
def test_so_has_either_side_of_a_comparison(counts):
    other = SpanCounts.from_spans(*[[[(0, 1, "PER")]] * (TP + FN) + [[]] * FP] * 2)
    paired = counts.predictions is not None
    found = compare(counts, other if paired else counts, measure="f1", rope=0.01, n_draws=DRAWS)
    assert found.model == ("paired" if paired else "independent")
    assert stats.kstest(found.baseline.draws, f1_posterior(TP, FP, FN).cdf).pvalue > 1e-4
    if paired:
        assert stats.kstest(found.candidate.draws, f1_posterior(TP + FN, 0, 0).cdf).pvalue > 1e-4


def test_types_are_pooled_before_the_prior_is_added():
    many = SpanCounts.from_counts(
        [1] * TP + [0] * (FP + FN), [0] * TP + [1] * FP + [0] * FN, [0] * (TP + FP) + [1] * FN
    )
    assert stats.kstest(posterior(many, "f1_micro"), f1_posterior(TP, FP, FN).cdf).pvalue > 1e-4


def test_evidence_adds_up():
    first = SpanCounts.from_counts([20, 5], [3, 1], [4, 2], labels=["A", "B"])
    second = SpanCounts.from_counts([23, 7], [4, 2], [8, 1], labels=["A", "B"])
    prior = compare(first, first, rope=0.01, measure="f1[A]").as_prior()
    assert isinstance(prior, Prior)
    found = compare(second, second, rope=0.01, measure="f1[A]", prior=prior, n_draws=DRAWS)
    assert stats.kstest(found.baseline.draws, f1_posterior(43, 7, 12).cdf).pvalue > 1e-4


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


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_a_bootstrap_of_documents_agrees(average):
    gold, *sides = documents()
    found = compare(*(SpanCounts.from_spans(gold, side) for side in sides), measure=f"f1_{average}", rope=0.01)
    delta = bootstrapped(gold, sides, average)
    width = found.hdi[1] - found.hdi[0]
    np.testing.assert_allclose(found.hdi, np.quantile(delta, [0.025, 0.975]), rtol=0, atol=0.1 * width)
    apart = [SpanCounts.from_counts(*side.counts.T) for side in (SpanCounts.from_spans(gold, side) for side in sides)]
    assert found.baseline.std > 1.2 * compare(*apart, measure=f"f1_{average}", rope=0.01).baseline.std


def test_neither_the_order_of_documents_nor_their_names_matter():
    gold, *sides = documents()
    order = np.random.default_rng(2).permutation(N_DOCUMENTS)
    names = [f"document {n}" for n in range(N_DOCUMENTS)]
    plain = compare(*(SpanCounts.from_spans(gold, side) for side in sides), rope=0.01)
    named = compare(
        SpanCounts.from_spans(gold, sides[0], documents=names),
        SpanCounts.from_spans(
            *([each[n] for n in order] for each in (gold, sides[1])), documents=[names[n] for n in order]
        ),
        rope=0.01,
    )
    np.testing.assert_array_equal(plain.delta, named.delta)
