"""Against SciPy's tests; the published P-values are in tests/reference/test_yang_liu.py."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.stats.frequentist import (
    macro_rank_test,
    macro_sign_test,
    macro_t_test,
    micro_sign_test,
    proportion_test,
    significance,
)

A = np.array([0.9, 0.8, 0.75, 0.6, 0.95, 0.4, 0.7])
B = np.array([0.85, 0.82, 0.7, 0.5, 0.95, 0.3, 0.6])


@pytest.mark.parametrize(("wins", "losses"), [(10, 2), (2, 10), (6, 6), (1, 0)])
def test_few_differences_are_tested_exactly(wins, losses):
    expected = stats.binomtest(max(wins, losses), wins + losses, alternative="greater").pvalue
    assert micro_sign_test(wins, losses).p_value == pytest.approx(expected)


def test_many_differences_are_tested_by_the_normal_distribution():
    found = micro_sign_test(60, 40)
    assert found.statistic == pytest.approx(2)
    assert found.p_value == pytest.approx(stats.norm.sf(2))


def test_of_classes_those_that_differ_count():
    found = macro_sign_test(A, B)  # five for A, one for B, one equal
    assert (found.statistic, found.n) == (2, 6)
    assert found.p_value == pytest.approx(stats.binomtest(5, 6, alternative="greater").pvalue)


def test_the_t_test_is_that_of_the_differences():
    differing = (A - B)[A != B]
    expected = stats.ttest_1samp(differing, 0, alternative="greater")
    found = macro_t_test(A, B)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert macro_t_test(B, A).p_value == pytest.approx(found.p_value)  # in the direction of the data


def test_the_rank_test_is_the_t_test_of_ranks():
    ranks = stats.rankdata(np.concatenate([A, B]))
    differences = ranks[:7] - ranks[7:]
    expected = stats.ttest_1samp(differences[differences != 0], 0, alternative="greater")
    assert macro_rank_test(A, B).p_value == pytest.approx(expected.pvalue)


def test_equal_differences_have_no_standard_error():
    assert macro_t_test(A, A - 0.125) == significance("T-test", 3.5, 0.5**7, 7)
    assert macro_t_test(A, A) == significance("T-test", 0.0, 0.5, 0)


def test_two_proportions():
    found = proportion_test(0.8, 100, 0.7, 200, "recall")
    pooled = 220 / 300
    z = 0.1 / np.sqrt(pooled * (1 - pooled) * (1 / 100 + 1 / 200))
    assert (found.statistic, found.p_value, found.n, found.of) == (
        *(pytest.approx(each) for each in (z, stats.norm.sf(z))),
        300,
        "recall",
    )
    assert proportion_test(1.0, 10, 1.0, 20).p_value == 0.5


@pytest.mark.parametrize(
    ("statistic", "p_value", "symbol"),
    [(2, 0.01, ">>"), (2, 0.05, ">"), (-2, 0.001, "<<"), (-1, 0.02, "<"), (1, 0.06, "~")],
)
def test_symbols(statistic, p_value, symbol):
    assert significance("p-test", statistic, p_value, 9).symbol == symbol
