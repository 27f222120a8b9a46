"""The default prior: no cliff between tables that differ by one example, no verdict against the observed sign."""

import numpy as np
import pytest

from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import CellDraws, ExactEngine, GroupDraws
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.priors import prior_by_name
from pytest_bayesf1.stats.posterior import hdi

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
    monkeypatch.setattr("pytest_bayesf1.engines.protocol._MOST_THREADS", 1)
    monkeypatch.setattr("pytest_bayesf1.engines.protocol._NUMBERS_PER_BLOCK", 1 << 40)
    for draws, method in ((CellDraws, CellDraws._groups), (GroupDraws, GroupDraws._parts)):
        monkeypatch.setattr(
            draws, method.__name__, lambda *given, method=method: seen.append(method(*given)) or seen[-1]
        )
    for _ in range(n_tables):
        table = random_pairs(rng, fewest=100, most_classes=55)
        delta = draws_of_delta(table, n_draws)
        label = int(rng.integers(table.n_classes))
        hit = Experiment("paired", (with_one_more_hit(table, label),))
        assert prior_by_name("auto", hit) is prior_by_name("auto", Experiment("paired", (table,)))
        mass = seen.pop()
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
