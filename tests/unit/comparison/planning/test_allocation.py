"""How test sets are shared among classes, against scipy's optimiser and simulated test sets."""

import numpy as np
import pytest
from scipy.optimize import minimize

from pytest_bayesf1.measures.classification import Joint
from pytest_bayesf1.planning.pilot import LEAST, optimal_shares, relative_variance
from tests.unit.comparison.planning.populations import assumed, population

UNEQUAL = assumed("balanced_accuracy", accuracy={"ham": 0.97, "spam": 0.8, "eggs": 0.7}).population.with_delta(-0.03)


def test_no_other_allocation_is_better():
    mu, spread = UNEQUAL.table.row_totals, UNEQUAL.spread_within_classes()
    best = minimize(
        lambda shares: (mu**2 * spread**2 / shares).sum(),
        mu,
        bounds=[(LEAST * each, 1) for each in mu],
        constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1},
        options={"ftol": 1e-14},
    )
    np.testing.assert_allclose(optimal_shares(UNEQUAL), best.x, atol=2e-4)


def test_the_variance_is_that_of_test_sets_drawn_class_by_class():
    """600 observed differences of balanced accuracy, which the classes' shares do not touch."""
    rng, n, shares = np.random.default_rng(0), 2_000, optimal_shares(UNEQUAL)
    table, deltas = UNEQUAL.table, []
    sizes = np.round(n * shares).astype(int)
    for _ in range(600):
        counts = np.zeros(table.count.size)
        for label, size in enumerate(sizes):
            rows = table.true == label
            counts[rows] = rng.multinomial(size, table.count[rows] / table.count[rows].sum())
        drawn = type(UNEQUAL)(type(table)(table.n_classes, table.true, table.predicted, counts / n), UNEQUAL.measure)
        baseline, candidate = (
            UNEQUAL.measure(Joint.observed(side, 1)) for side in (drawn.table.side(0), drawn.table.side(1))
        )
        deltas.append(candidate - baseline)
    expected = UNEQUAL.alternative.variance * relative_variance(UNEQUAL, shares) / n
    assert np.var(deltas) == pytest.approx(expected, rel=4 * np.sqrt(2 / 600))


def test_it_never_needs_more():
    for measure in ("f1_macro", "accuracy", "recall_macro"):
        found = assumed(measure).population
        assert (
            relative_variance(found, optimal_shares(found))
            <= relative_variance(found, found.table.row_totals)
            <= 1 + 1e-9
        )


def test_a_class_in_which_nothing_changed_keeps_half():
    found = population([[[0.7, 0.05], [0.02, 0.03]], [[0.0, 0.0], [0.0, 0.2]]])
    shares = optimal_shares(found)
    assert shares.tolist() == pytest.approx([1 - LEAST * 0.2, LEAST * 0.2])


def test_where_nothing_varies_all_stays_as_it_comes():
    found = population([[[0.7, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.3]]])
    assert optimal_shares(found).tolist() == pytest.approx([0.7, 0.3])
