"""Against the definitions, on a table of three classes of which one is never true."""

import numpy as np
import pytest

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import Joint, Rates, f1_by_class, ratio, score, scores_by_class
from pytest_bayesf1.measures.names import Detail, parse_name

TABLE = OutcomeTable.tally(3, np.array([0, 0, 0, 1, 1, 1, 1]), np.array([0, 0, 2, 1, 1, 0, 1]))
RATES = Rates.of_classes(Joint.observed(TABLE, Detail.MARGINS))


def test_shares_of_the_examples():
    np.testing.assert_allclose(7 * RATES.tp, [2, 3, 0])
    np.testing.assert_allclose(7 * RATES.fp, [1, 0, 1])
    np.testing.assert_allclose(7 * RATES.fn, [1, 1, 0], atol=1e-12)
    np.testing.assert_allclose(7 * RATES.tn, [3, 3, 0], atol=1e-12)  # nothing is rightly not of a class that is none


def test_nothing_of_nothing_is_0():
    np.testing.assert_array_equal(ratio(np.array([0.0, 1.0]), np.array([0.0, 2.0])), [0.0, 0.5])


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("precision", [2 / 3, 1, 0]),
        ("recall", [2 / 3, 3 / 4, 0]),
        ("f1", [2 / 3, 6 / 7, 0]),
        ("jaccard", [1 / 2, 3 / 4, 0]),
        ("specificity", [3 / 4, 1, 0]),
    ],
)
def test_scores_by_class(base, expected):
    np.testing.assert_allclose(scores_by_class(base, 1.0, RATES), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("recall_macro", (2 / 3 + 3 / 4) / 2),  # of the classes that are ever true
        ("recall_weighted", 5 / 7),
        ("precision_micro", 5 / 7),
        ("f1_macro", (2 / 3 + 6 / 7) / 2),
    ],
)
def test_averages(name, expected):
    assert score(parse_name(name), None, RATES) == pytest.approx(expected)


def test_beta_weighs_recall():
    precision, recall, beta = 2 / 3, 3 / 4, 2.0
    rates = Rates(*(np.array([each]) for each in (6.0, 3.0, 2.0, 9.0)))
    expected = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    assert scores_by_class("fbeta", beta, rates) == pytest.approx(expected)


def test_observed_f1_of_equal_counts_is_equal():
    np.testing.assert_array_equal(f1_by_class(TABLE), [2 / 3, 6 / 7, 0])


def test_false_alarms_without_column_sums_add_up():
    rates = Rates.of_classes(Joint.observed(TABLE, Detail.CORRECT))
    totals = Rates.of_classes(Joint(rates.positives, rates.tp)).pooled()
    np.testing.assert_allclose([totals.fp, totals.fn], 2 / 7)


def test_matrices_are_those_of_scikit_learn():
    assert RATES.matrices.shape == (3, 2, 2)
    np.testing.assert_allclose(7 * RATES.matrices[0], [[3, 1], [1, 2]])
