"""Yang & Liu 1999, section 4: every test against scipy's; their Table 3 is in examples/papers."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.stats.frequentist import (
    macro_rank_test,
    macro_sign_test,
    macro_t_test,
    micro_sign_test,
    proportion_test,
)


@pytest.mark.parametrize(("wins", "losses"), [(0, 1), (5, 5), (3, 9), (12, 0), (6, 6), (7, 5)])
def test_small_sign_tests_are_exact(wins, losses):
    side = "greater" if wins >= losses else "less"
    expected = stats.binomtest(wins, wins + losses, alternative=side).pvalue
    assert micro_sign_test(wins, losses).p_value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("wins", "losses"), [(7, 6), (30, 10), (10, 30), (400, 420)])
def test_large_sign_tests_are_normal(wins, losses):
    n = wins + losses
    z = (wins - n / 2) / (np.sqrt(n) / 2)
    result = micro_sign_test(wins, losses)
    assert result.statistic == pytest.approx(z)
    assert result.p_value == pytest.approx(stats.norm.sf(abs(z)))
    assert abs(result.p_value - stats.binomtest(min(wins, losses), n, alternative="less").pvalue) < 0.12


@pytest.fixture(params=[10, 41, 90])
def class_scores(request):
    rng = np.random.default_rng(request.param)
    a = rng.uniform(0.3, 0.9, request.param)
    return a, a - rng.normal(0.02, 0.05, request.param)


def test_macro_sign_test_counts_the_classes(class_scores):
    a, b = class_scores
    assert macro_sign_test(a, b).p_value == micro_sign_test(int((a > b).sum()), int((a < b).sum())).p_value


def test_macro_t_test_is_the_paired_t_test(class_scores):
    a, b = class_scores
    expected = stats.ttest_rel(a, b)
    result = macro_t_test(a, b)
    assert result.statistic == pytest.approx(expected.statistic)
    tail = stats.t(a.size - 1).sf if a.size <= 40 else stats.norm.sf
    assert result.p_value == pytest.approx(tail(abs(expected.statistic)))


def test_macro_rank_test_is_the_paired_t_test_on_ranks(class_scores):
    a, b = class_scores
    ranks = stats.rankdata(np.r_[a, b])
    expected = stats.ttest_rel(ranks[: a.size], ranks[a.size :])
    assert macro_rank_test(a, b).statistic == pytest.approx(expected.statistic)


def test_classes_that_do_not_differ_do_not_count():
    a, b = np.array([0.5, 0.6, 0.7, 0.8]), np.array([0.5, 0.5, 0.65, 0.7])
    assert macro_t_test(a, b).n == 3
    assert macro_t_test(a, b).statistic == pytest.approx(stats.ttest_1samp([0.1, 0.05, 0.1], 0).statistic)


def test_proportions_are_compared_by_the_pooled_z_test():
    z = (0.75 - 0.6) / np.sqrt(0.65 * 0.35 * (1 / 100 + 1 / 200))
    result = proportion_test(0.75, 100, 0.6, 200)
    assert result.statistic == pytest.approx(z)
    assert result.p_value == pytest.approx(stats.norm.sf(z))
    small = proportion_test(0.75, 20, 0.6, 20)
    assert small.p_value == pytest.approx(stats.t(39).sf(small.statistic))


@pytest.mark.parametrize("test", [macro_sign_test, macro_t_test, macro_rank_test])
def test_equal_systems_show_nothing(test):
    scores = np.array([0.5, 0.6, 0.7])
    assert test(scores, scores).symbol == "~"
    assert micro_sign_test(0, 0).symbol == "~"
    assert proportion_test(1.0, 50, 1.0, 50).symbol == "~"


@pytest.mark.parametrize("size", [1, 2, 7, 12])
@pytest.mark.parametrize("test", [macro_t_test, macro_rank_test])
def test_differences_that_are_all_the_same_are_counted_by_their_sign(test, size):
    scores = np.linspace(0.3, 0.4, size)
    better, worse = test(scores + 0.2, scores), test(scores, scores + 0.2)
    assert better.p_value == worse.p_value == pytest.approx(stats.binomtest(size, size, alternative="greater").pvalue)
    assert better.statistic == -worse.statistic > 0


def test_symbols_follow_the_papers_bounds():
    assert micro_sign_test(8, 0).symbol == ">>"
    assert micro_sign_test(0, 8).symbol == "<<"
    assert micro_sign_test(5, 0).symbol == ">"
    assert micro_sign_test(1, 8).symbol == "<"
    assert micro_sign_test(4, 0).symbol == "~"
