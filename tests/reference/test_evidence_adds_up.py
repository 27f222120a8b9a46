"""A posterior as the prior of the next test set: two sets in sequence tell what their union tells (2005, section 3)."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import ConfusionMatrix, PairedCounts, Prior, assert_at_least, compare

from .prior_cases import CASES

LABELS = ("a", "b", "c")
N_DRAWS = 2_000


def predictions(n, seed):
    rng = np.random.default_rng(seed)
    true = np.append(np.arange(3), rng.choice(3, size=n - 3, p=[0.6, 0.3, 0.1]))
    baseline = np.where(rng.random(n) < 0.7, true, rng.integers(0, 3, n))
    candidate = np.where(rng.random(n) < 0.7, baseline, rng.integers(0, 3, n))
    return [np.array(LABELS)[codes] for codes in (true, baseline, candidate)]


FIRST, SECOND, THIRD = predictions(60, 1), predictions(40, 2), predictions(25, 3)


def union(*sets):
    return [np.concatenate(columns) for columns in zip(*sets, strict=True)]


def run(model, columns, prior, labels=LABELS):
    if model == "single":
        cm = ConfusionMatrix.from_predictions(columns[0], columns[2], labels=labels)
        return assert_at_least(cm, 0.1, prior=prior, n_draws=N_DRAWS)
    pairs = PairedCounts.from_predictions(*columns, labels=labels)
    return compare(pairs, model=model, prior=prior, rope=0.05, n_draws=N_DRAWS)


def draws(result):
    return result.score.draws if hasattr(result, "score") else result.delta


MODELS = ["single", "paired", "same-set", "independent"]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.one_of_many
def test_two_sets_in_sequence_are_their_union(model, name):
    prior = CASES[name](2 if model == "paired" else 1).prior
    earlier = run(model, FIRST, prior).as_prior()
    together = run(model, union(FIRST, SECOND), prior)
    np.testing.assert_array_equal(draws(run(model, SECOND, earlier)), draws(together))


@pytest.mark.parametrize("model", [*MODELS[:2], *(pytest.param(model, marks=pytest.mark.long) for model in MODELS[2:])])
@pytest.mark.one_of_many
def test_the_order_of_three_sets_does_not_matter(model):
    results = [
        run(model, last, run(model, middle, run(model, first, "nested").as_prior()).as_prior())
        for first, middle, last in [(FIRST, SECOND, THIRD), (THIRD, FIRST, SECOND)]
    ]
    for result in results:
        np.testing.assert_array_equal(draws(result), draws(run(model, union(FIRST, SECOND, THIRD), "nested")))
        assert result.prior.startswith("nested after ")
    assert results[0].as_prior().n_examples == results[1].as_prior().n_examples == 125


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.one_of_many
def test_the_classes_keep_the_order_of_the_first_set(model):
    earlier = run(model, FIRST, "hierarchical").as_prior()
    one, other = (run(model, SECOND, earlier, labels) for labels in (LABELS, ("c", "a", "b")))
    assert one.provenance.labels == other.provenance.labels == LABELS
    np.testing.assert_array_equal(draws(one), draws(other))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.one_of_many
def test_a_class_may_be_missing_from_the_second_set(model):
    two = [column[(np.stack(SECOND) != "c").all(axis=0)] for column in SECOND]
    earlier = run(model, FIRST, "nested").as_prior()
    result = run(model, two, earlier, labels=LABELS[:2])
    assert result.provenance.labels == LABELS
    np.testing.assert_array_equal(draws(result), draws(run(model, union(FIRST, two), "nested")))


def test_fractions_that_round_when_they_add_up_leave_the_distribution_alone():
    prior = Prior.from_counts(np.full((3, 3), 0.1))
    sequence = run("independent", SECOND, run("independent", FIRST, prior).as_prior())
    together = run("independent", union(FIRST, SECOND), prior)
    assert stats.ks_2samp(sequence.delta, together.delta).pvalue > 1e-4


@pytest.mark.parametrize("model", MODELS[1:])
@pytest.mark.one_of_many
def test_bayes_factors_multiply(model):
    """The posterior odds of the first set are the prior odds of the second."""

    def factor(columns, prior):
        pairs = PairedCounts.from_predictions(*columns, labels=LABELS)
        return compare(pairs, model=model, prior=prior, rope=0.05, n_draws=40_000)

    first, together = factor(FIRST, "hierarchical"), factor(union(FIRST, SECOND), "hierarchical")
    second = factor(SECOND, first.as_prior())
    error = np.sqrt(sum((each.bayes_factor_mcse / each.bayes_factor) ** 2 for each in (first, second, together)))
    product = first.bayes_factor * second.bayes_factor
    assert np.log(product / together.bayes_factor) == pytest.approx(0, abs=4 * error)
