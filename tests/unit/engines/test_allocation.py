"""Which examples of a pool are labelled next."""

import numpy as np
import pytest

from pytest_bayesf1 import LabelledPool, compare
from pytest_bayesf1.engines import stratified
from pytest_bayesf1.engines.stratified import Allocation, PoolPosterior
from pytest_bayesf1.labelling import next_examples
from pytest_bayesf1.measures.classification import parse_measure

N = 4_000


def pool(labels=None, seed=0, n=N):
    """Make a pool of three classes, of which two are rarer, whose sides differ in a tenth of the examples."""
    rng = np.random.default_rng(seed)
    baseline = rng.choice(3, n, p=[0.7, 0.2, 0.1])
    candidate = np.where(rng.random(n) < 0.15, rng.choice(3, n), baseline)
    return LabelledPool.from_predictions(baseline, candidate, labels or {})


def allocation(made, measure="accuracy"):
    return Allocation.of(PoolPosterior(made.strata), parse_measure(measure, made.labels))


def test_agreements_need_few_labels():
    made = pool()
    more = allocation(made).more(300)
    assert more.sum() == 300
    assert (more <= made.strata.sizes).all()
    assert more[made.strata.agree].sum() < 0.15 * 300
    assert more.min() >= 2


def test_large_strata_get_more_than_small_ones():
    made = pool()
    more, apart = allocation(made).more(200), ~made.strata.agree
    expected = made.strata.sizes[apart] / made.strata.sizes[apart].sum()  # before the data all are as uncertain
    assert more[apart] / more[apart].sum() == pytest.approx(expected, abs=0.01)


def with_labels_alike(made, n):
    """Return the largest stratum of disagreements, and the pool with n labels of it that are all the candidate's."""
    stratum = int(np.flatnonzero(~made.strata.agree)[made.strata.sizes[~made.strata.agree].argmax()])
    at = np.flatnonzero(made.stratum == stratum)[:n]
    return stratum, made.with_labels({int(i): int(made.candidate[i]) for i in at})


def test_a_stratum_that_is_known_gets_no_more():
    made = pool()
    stratum, known = with_labels_alike(made, 60)
    assert allocation(known).sigma[stratum] < 0.4 * allocation(made).sigma[stratum]


def test_few_labels_that_are_alike_do_not_keep_a_stratum_from_more():
    """A first few labels that are alike by chance would never be corrected."""
    made = pool()
    stratum, alike = with_labels_alike(made, 8)
    assert allocation(alike).more(300)[stratum] + 8 > 0.9 * allocation(made).more(308)[stratum]


def test_a_plan_counts_no_labels_that_strata_do_not_have():
    """With fewer labels than strata the variance is that of all of them as one."""
    found = allocation(pool(n=100_000))
    n = 4
    worth = found.strata.sizes / found.strata.sizes.sum() * found.sigma
    assert found.variance(n) >= 0.5 * worth.sum() ** 2 / n


def with_300_labels(made, label):
    chosen = next_examples(made, allocation(made).more(300), seed=0)
    return made.with_labels({int(i): int(label(i)) for i in chosen})


def test_variance_is_what_the_posterior_has():
    made = pool()
    true = np.where(np.random.default_rng(1).random(N) < 0.7, made.baseline, made.candidate)
    labelled = with_300_labels(made, true.__getitem__)
    expected = allocation(labelled).variance(300) ** 0.5
    assert compare(labelled, measure="accuracy", rope=0.01).std == pytest.approx(expected, rel=0.03)


def test_variance_is_that_of_every_stratum_and_of_the_pool():
    """As the formula of the module says, with the labels that there are."""
    rng = np.random.default_rng(1)
    found = allocation(with_300_labels(pool(), lambda _: rng.choice(3)))
    strata = found.strata
    weights = np.square(strata.sizes / N * found.sigma)
    expected = weights @ (1 / strata.labelled - 1 / strata.sizes) + found.variance_of_pool
    assert found.variance(300) == pytest.approx(expected)
    assert found.variance(N) == pytest.approx(found.variance_of_pool)
    assert (found.cautious > found.sigma).all()


@pytest.mark.parametrize("measure", ["accuracy", "f1_macro", "f1[1]"])
def test_variance_of_a_pool_is_that_of_influences(measure):
    """With every example labelled, by what one more of each changes, by the formulas of the scores."""
    rng, n = np.random.default_rng(2), 600
    baseline = rng.choice(3, n, p=[0.6, 0.3, 0.1])
    candidate = np.where(rng.random(n) < 0.3, rng.choice(3, n), baseline)
    true = np.where(rng.random(n) < 0.75, candidate, np.where(rng.random(n) < 0.6, baseline, rng.choice(3, n)))
    made = LabelledPool.from_predictions(baseline, candidate, dict(enumerate(true.tolist())))

    def score(counts, said):
        matrix = np.zeros((3, 3))
        np.add.at(matrix, (cells[0], said), counts)
        f1 = 2 * matrix.diagonal() / (matrix.sum(axis=0) + matrix.sum(axis=1))
        return {"accuracy": matrix.trace() / counts.sum(), "f1_macro": f1.mean(), "f1[1]": f1[1]}[measure]

    def delta(counts):
        return score(counts, cells[2]) - score(counts, cells[1])

    cells, counts = np.unique(np.stack([true, baseline, candidate]), axis=1, return_counts=True)
    more = 1e-3 * np.eye(counts.size)
    influence = np.array([delta(counts + each) - delta(counts) for each in more]) * n / 1e-3
    variance = (counts @ influence**2 / n - (counts @ influence / n) ** 2) / n
    assert allocation(made, measure).variance_of_pool == pytest.approx(variance, rel=1e-3)


def test_few_labels_go_to_the_largest_strata_first():
    found = allocation(pool())
    sizes = found.strata.sizes
    assert found._least(30)[np.argsort(-sizes)].tolist() == [2] * 3 + [0] * (sizes.size - 3)  # a fifth of the labels
    more = found.more(300)
    assert more.min() >= 0.1 * 300 / sizes.size - 1  # every stratum has some part of what is its even share
    rest = found._wanted(300) % 1
    is_more = more > np.floor(found._wanted(300))
    assert rest[is_more].min() >= rest[~is_more].max()


def test_more_labels_tell_as_much_as_they_leave_less_variance(monkeypatch):
    """The posterior's variance with t times as much known is 1 / (1 + t) of today's."""
    found = allocation(with_300_labels(pool(), lambda _: 0))
    monkeypatch.setattr(stratified, "examples_needed", lambda *given: given[-2:])
    n_more, times = found.needed(None, None)
    assert (n_more[0], n_more[-1]) == (1, N - 300)
    left = [found.variance(300 + each) / found.variance(300) for each in n_more]
    assert 1 / (1 + times) == pytest.approx(left)
    assert np.diff(times).min() > -1e-9


def test_whole_pool_can_be_labelled_and_no_more():
    made = pool(n=300)
    assert allocation(made).more(10_000).tolist() == made.strata.sizes.tolist()
    everything = made.with_labels(dict.fromkeys(range(300), 0))
    assert allocation(everything).more(10).sum() == 0


def test_batches_extend_each_other():
    made = pool()
    more = allocation(made).more(100)
    first = next_examples(made, more, seed=5)
    assert next_examples(made, more, seed=5).tolist() == first.tolist()
    assert set(next_examples(made, more, seed=6)) != set(first)
    labelled = made.with_labels({int(i): 0 for i in first[::2]})
    rest = more - np.bincount(made.stratum[first[::2]], minlength=more.size)
    assert set(next_examples(labelled, rest, seed=5).tolist()) == set(first[1::2].tolist())
    assert {*first.tolist()} <= {*next_examples(made, 2 * more, seed=5).tolist()}
