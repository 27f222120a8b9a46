"""Plans against the gate itself: on simulated test sets, and on one that is drawn class by class."""

import numpy as np
import pytest

from pytest_bayesf1 import PairedCounts, Prior, compare, plan
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.planning.pilot import assumed_pilot, optimal_shares, relative_variance
from pytest_bayesf1.results.comparison import Decision

TEST_SETS = 40


def classes(n_classes):
    shares = np.geomspace(3, 1, n_classes)
    return dict(enumerate(shares / shares.sum()))


@pytest.mark.one_of_many
@pytest.mark.parametrize(("n_classes", "n"), [(2, 800), (2, 4_000), (5, 1_500), (20, 3_000)])
def test_the_approximation_is_what_the_gate_does(n_classes, n):
    """By both models and at each true difference, every decision."""
    found = plan(
        shares=classes(n_classes),
        accuracy=0.85,
        agreement=0.93,
        measure="f1" if n_classes == 2 else "f1_macro",
        rope=0.02,
        loss=0.06,
        n_examples=n,
        repetitions=TEST_SETS,
    )
    assert len(found.simulated) == 2 * 4
    for each in found.simulated:
        for decision in Decision:
            rate, expected = each.rates.of(decision), each.approximation.of(decision)
            error = np.sqrt(max(expected * (1 - expected), 1 / TEST_SETS) / TEST_SETS)
            assert rate == pytest.approx(expected, abs=0.03 + 4 * error), (each.model, each.scenario, decision)


@pytest.mark.parametrize("measure", ["f1_macro", "balanced_accuracy"])
def test_a_test_set_drawn_class_by_class_tells_as_much_as_was_planned(measure):
    """Its counts are those to be expected; the gate knows production's shares by the prior's beta."""
    n, shares = 20_000, {"ham": 0.8, "spam": 0.17, "eggs": 0.03}
    accuracy = {"ham": 0.95, "spam": 0.8, "eggs": 0.7}
    population = assumed_pilot(shares, accuracy, 0.93, measure).population.with_delta(-0.02)
    best = optimal_shares(population)
    table = population.table
    counts = np.round(n * best[table.true] * table.count / table.row_totals[table.true]).astype(np.int64)
    drawn = OutcomeTable.tally(3, table.true, *table.predicted, weight=counts)
    prior = Prior.named("uniform", beta=tuple(1e8 * share for share in shares.values()))
    result = compare(PairedCounts(drawn, tuple(shares)), measure=measure, rope=0.01, prior=prior, n_draws=20_000)
    expected = np.sqrt(population.alternative.variance * relative_variance(population, best) / n)
    assert result.std == pytest.approx(expected, rel=0.04)
    as_they_come = compare(
        PairedCounts(population.sample(n, np.random.default_rng(0)), tuple(shares)),
        measure=measure,
        rope=0.01,
        prior="uniform",
        n_draws=20_000,
    )
    assert result.std < as_they_come.std
