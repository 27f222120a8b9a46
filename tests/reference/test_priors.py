import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import ConfusionMatrix, PairedCounts, assert_at_least, compare
from pytest_bayesf1.comparison import subject
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import CellDraws, ExactEngine, GroupDraws
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.priors import prior_by_name
from pytest_bayesf1.stats.posterior import hdi
from tests.reference.prior_cases import CASES


@pytest.mark.parametrize(("measure", "published"), [("f1_micro", 20), ("f1_macro", 29)])
@pytest.mark.one_of_many
def test_the_uniform_prior_s_density_at_0_is_that_of_table_iv(newsgroups, measure, published, monkeypatch):
    """The independent model of 20 classes; each side's draws are dense, one Dirichlet a row."""
    monkeypatch.setattr(subject, "_WORK", 16 * subject._WORK)  # kept by seed: by this one only here
    rng, n, n_classes = np.random.default_rng(2), 40_000, 20
    theta = rng.standard_exponential((n, n_classes, n_classes))
    p = theta / theta.sum(axis=2, keepdims=True) * rng.dirichlet(np.ones(n_classes), size=n)[:, :, None]
    right = np.diagonal(p, axis1=1, axis2=2)
    scores = right.sum(axis=1) if measure == "f1_micro" else (2 * right / (p.sum(axis=1) + p.sum(axis=2))).mean(axis=1)
    delta = scores[: n // 2] - scores[n // 2 :]
    kernel = stats.norm.pdf(delta, scale=0.1 * delta.std())
    error = kernel.std() / np.sqrt(delta.size)

    asked = {"measure": measure, "model": "independent", "prior": "hierarchical", "rope": 0.005}
    comparison = compare(newsgroups["svm_l2"], newsgroups["svm_l1"], n_draws=20_000, seed=1_000, **asked)
    factor = comparison.savage_dickey("uniform")
    at_zero = stats.gaussian_kde(comparison.delta, "silverman")(0)[0] / factor.value
    assert at_zero == pytest.approx(kernel.mean(), abs=4 * np.hypot(error, at_zero * factor.mcse / factor.value))
    assert at_zero == pytest.approx(published, rel=0.06)


# The default prior: no cliff between tables that differ by one example, no verdict against the observed sign.
ROPE = 0.01


def random_pairs(rng, fewest, most_classes=30):
    """Draw a test set: its size, its classes' frequencies, how good both sides are and how much they agree."""
    n_classes = int(np.exp(rng.uniform(np.log(2), np.log(most_classes + 1))))
    n = int(np.exp(rng.uniform(np.log(max(fewest, 2 * n_classes)), np.log(5_000))))
    frequencies = np.geomspace(rng.choice([1, 5, 50]), 1, n_classes)
    drawn = rng.choice(n_classes, n - n_classes, p=frequencies / frequencies.sum())
    true = np.append(drawn, np.arange(n_classes))  # every class occurs
    confused = np.minimum(rng.geometric(rng.uniform(0.1, 0.9), n), n_classes - 1)
    recall = rng.beta(8, 2, n_classes)[true]
    baseline = np.where(rng.random(n) < recall, true, (true + confused) % n_classes)
    right = rng.random(n) < np.clip(recall + rng.normal(0, 0.05), 0, 1)
    candidate = np.where(right, true, rng.integers(0, n_classes, n))
    candidate = np.where(rng.random(n) < rng.uniform(0.3, 0.98), baseline, candidate)
    return OutcomeTable.tally(n_classes, true, baseline, candidate)


def with_one_more_hit(table, label):
    hit = np.array([label])
    return table.plus(OutcomeTable.tally(table.n_classes, hit, hit, hit))


def draws_of_delta(table, n):
    """Under the default prior; n up to a block."""
    experiment = Experiment("paired", (table,))
    measure = parse_measure("f1_macro", range(table.n_classes))
    prior = prior_by_name("auto", experiment)
    baseline, candidate = ExactEngine().sampler(experiment, prior, measure, 0).draw(n)
    return candidate - baseline


def weighted_quantiles(values, weights, probabilities):
    order = np.argsort(values)
    rising = np.cumsum(weights[order])
    return np.interp(probabilities, (rising - weights[order] / 2) / rising[-1], values[order])


@pytest.mark.parametrize("n_tables", [15, pytest.param(1_000, marks=pytest.mark.long)])
def test_one_more_hit_of_both_sides_moves_no_bound_by_a_tenth_of_a_standard_deviation(monkeypatch, n_tables):
    """The same draws serve for both tables: under one prior, the hit weighs each by the probability that it has there.

    So the difference of the bounds has a Monte Carlo error that is small beside it. What one more example of a class of
    n tells is of the order of 1 / n, also of a bound that is far from 0: where n is small, that may be more.
    """
    n_draws, seen, rng = 4_000, [], np.random.default_rng(14)
    monkeypatch.setattr("pytest_bayesf1.engines.protocol._NUMBERS_PER_BLOCK", 1 << 40)
    for draws in (CellDraws, GroupDraws):
        method = draws._parts
        monkeypatch.setattr(draws, "_parts", lambda *given, method=method: seen.append(method(*given)) or seen[-1])
    for _ in range(n_tables):
        table = random_pairs(rng, fewest=100, most_classes=55)
        delta = draws_of_delta(table, n_draws)
        label = int(rng.integers(table.n_classes))
        hit = Experiment("paired", (with_one_more_hit(table, label),))
        assert prior_by_name("auto", hit) is prior_by_name("auto", Experiment("paired", (table,)))
        mass = np.concatenate(seen, axis=1)
        seen.clear()
        chance = mass[0, :, label] / mass.sum(axis=(0, 2))
        before, after = (
            weighted_quantiles(delta, weight, [0.025, 0.975]) for weight in (np.ones(n_draws), chance / chance.mean())
        )
        told = (3 * delta.std() + abs(before).max()) / table.row_totals[label]
        assert abs(after - before).max() < max(0.1 * delta.std(), told)


@pytest.mark.parametrize("n_sets", [50, pytest.param(10_000, marks=pytest.mark.long)])
def test_no_set_is_much_worse_or_better_against_the_sign_of_the_observed_difference(n_sets):
    rng, n_decided = np.random.default_rng(15), 0
    for _ in range(n_sets):
        table = random_pairs(rng, fewest=20)
        low, high = hdi(draws_of_delta(table, 1_000), 0.95)
        measure = parse_measure("f1_macro", range(table.n_classes))
        baseline, candidate = (measure(Joint.observed(table.side(side), measure.detail)) for side in range(2))
        assert not (high < -ROPE and candidate > baseline)
        assert not (low > ROPE and candidate < baseline)
        n_decided += high < -ROPE or low > ROPE
    assert n_decided > n_sets / 20


LABELS = ("a", "b", "c")
EVIDENCE_ADDS_UP_N_DRAWS = 2_000


def predictions(n, seed):
    rng = np.random.default_rng(seed)
    true = np.append(np.arange(3), rng.choice(3, size=n - 3, p=[0.6, 0.3, 0.1]))
    baseline = np.where(rng.random(n) < 0.7, true, rng.integers(0, 3, n))
    candidate = np.where(rng.random(n) < 0.7, baseline, rng.integers(0, 3, n))
    return [np.array(LABELS)[codes] for codes in (true, baseline, candidate)]


FIRST, SECOND = predictions(60, 1), predictions(40, 2)


def union(*sets):
    return [np.concatenate(columns) for columns in zip(*sets, strict=True)]


def run(model, columns, prior, labels=LABELS):
    if model == "single":
        cm = ConfusionMatrix.from_predictions(columns[0], columns[2], labels=labels)
        return assert_at_least(cm, 0.1, prior=prior, n_draws=EVIDENCE_ADDS_UP_N_DRAWS)
    pairs = PairedCounts.from_predictions(*columns, labels=labels)
    return compare(pairs, model=model, prior=prior, rope=0.05, n_draws=EVIDENCE_ADDS_UP_N_DRAWS)


def draws(result):
    return result.score.draws if hasattr(result, "score") else result.delta


MODELS = ["single", "paired", "same-set", "independent"]


class TestEvidenceAddsUp:
    """A posterior as the prior of the next test set: two sets in sequence tell what their union tells (2005,
    section 3).
    """

    @pytest.mark.parametrize("name", CASES)
    @pytest.mark.parametrize("model", MODELS)
    @pytest.mark.one_of_many
    def test_two_sets_in_sequence_are_their_union(self, model, name):
        prior = CASES[name].prior
        earlier = run(model, FIRST, prior).as_prior()
        together = run(model, union(FIRST, SECOND), prior)
        np.testing.assert_array_equal(draws(run(model, SECOND, earlier)), draws(together))

    @pytest.mark.parametrize("model", MODELS)
    @pytest.mark.one_of_many
    def test_the_classes_keep_the_order_of_the_first_set(self, model):
        earlier = run(model, FIRST, "hierarchical").as_prior()
        one, other = (run(model, SECOND, earlier, labels) for labels in (LABELS, ("c", "a", "b")))
        assert one.provenance.labels == other.provenance.labels == LABELS
        np.testing.assert_array_equal(draws(one), draws(other))

    @pytest.mark.parametrize("model", MODELS)
    @pytest.mark.one_of_many
    def test_a_class_may_be_missing_from_the_second_set(self, model):
        two = [column[(np.stack(SECOND) != "c").all(axis=0)] for column in SECOND]
        earlier = run(model, FIRST, "nested").as_prior()
        result = run(model, two, earlier, labels=LABELS[:2])
        assert result.provenance.labels == LABELS
        np.testing.assert_array_equal(draws(result), draws(run(model, union(FIRST, two), "nested")))

    @pytest.mark.parametrize("model", MODELS[1:])
    @pytest.mark.one_of_many
    def test_bayes_factors_multiply(self, model):
        """The posterior odds of the first set are the prior odds of the second."""

        def factor(columns, prior):
            pairs = PairedCounts.from_predictions(*columns, labels=LABELS)
            return compare(pairs, model=model, prior=prior, rope=(0.2, "wide"), n_draws=40_000)

        first, together = factor(FIRST, "hierarchical"), factor(union(FIRST, SECOND), "hierarchical")
        second = factor(SECOND, first.as_prior())
        error = np.sqrt(sum((each.bayes_factor_mcse / each.bayes_factor) ** 2 for each in (first, second, together)))
        product = first.bayes_factor * second.bayes_factor
        assert np.log(product / together.bayes_factor) == pytest.approx(0, abs=4 * error)
