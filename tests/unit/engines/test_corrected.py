"""Means of a judge's grades that people's correct, of few answers: by formulas, and by looking at every sample."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.engines.corrected import CorrectedSampler, Grades

N, N_HUMAN, DRAWS = 120, 30, 20_000


def made(seed=1, step=2.0):
    """A judge that errs more on the candidate; grades in steps."""
    rng = np.random.default_rng(seed)
    human = step * rng.integers(0, 3, (2, N))
    judge = np.where(rng.random((2, N)) < [[0.1], [0.4]], human + step, human)
    at = rng.permutation(N)[:N_HUMAN]
    return Grades(judge, human[:, at], at, np.arange(N))


def by_hand(judge, human, graded, cluster, step, seen, rng):
    """Draw a mean example by example; a cluster's have one weight."""
    rest = np.setdiff1d(np.arange(judge.size), graded)
    about = judge[graded] - judge[graded].mean()
    factor = np.clip(about @ human / (about @ about) * rest.size / judge.size, 0, 1)
    errors = human - factor * judge[graded]
    weight = rng.standard_exponential((DRAWS, cluster.max() + 1))[:, cluster]
    up, down = rng.standard_gamma(0.5, (2, DRAWS))
    moved = weight[:, graded] @ (errors - errors.mean()) + (up - down) * step * (1 - seen * factor)
    n = np.unique(cluster[graded]).size
    spread = np.sqrt(n / rng.chisquare(n - 1, DRAWS))
    own = errors.mean() + spread * moved / (weight[:, graded].sum(axis=1) + up + down)
    return own + factor * np.average(np.broadcast_to(judge[rest], (DRAWS, rest.size)), axis=1, weights=weight[:, rest])


@pytest.mark.parametrize("in_cluster", [1, 12])
def test_the_baseline_and_the_change_are_drawn_as_by_hand(in_cluster):
    grades, rng = made(), np.random.default_rng(2)
    if in_cluster > 1:
        grades = replace(grades, cluster=np.arange(N) // in_cluster)
    baseline, candidate = CorrectedSampler(grades, (1,)).draw(DRAWS)[:, :, 0]
    known = grades.graded, grades.cluster, grades.step
    one = by_hand(grades.judge[0], grades.human[0], *known, 0, rng)
    change = by_hand(np.diff(grades.judge, axis=0)[0], np.diff(grades.human, axis=0)[0], *known, 1, rng)
    for found, expected in ((baseline, one), (candidate - baseline, change)):
        assert found.mean() == pytest.approx(expected.mean(), abs=5 * expected.std() / np.sqrt(DRAWS / 2))
        assert found.std() == pytest.approx(expected.std(), rel=0.025)
    alone = CorrectedSampler(grades.of_side(1), (1,)).draw(DRAWS)
    assert alone.mean() == pytest.approx(grades.scores()[1], abs=0.02)


def test_scores_and_the_change_are_each_corrected_by_their_own_grades():
    grades = made()
    rest = np.setdiff1d(np.arange(N), grades.graded)
    for side, found in ((0, grades.corrected(0)), (1, grades.corrected(1)), (None, grades.corrected())):
        judge, human = (
            np.diff(each, axis=0)[0] if side is None else each[side] for each in (grades.judge, grades.human)
        )
        slope = stats.linregress(judge[grades.graded], human).slope * rest.size / N
        assert found.factor == pytest.approx(min(slope, 1))
        expected = (human - found.factor * judge[grades.graded]).mean() + found.factor * judge[rest].mean()
        assert found.mean == pytest.approx(expected)
    assert grades.scores() == (grades.corrected(0).mean, grades.corrected(1).mean)


def test_more_grades_tell_what_they_leave_less_variance():
    grades = made()
    more, told = grades.more()
    r = np.corrcoef(np.diff(grades.judge, axis=0)[0, grades.graded], np.diff(grades.human, axis=0)[0])[0, 1]
    left = [1 / n - r**2 * (1 / n - 1 / N) for n in (N_HUMAN, *(N_HUMAN + more))]
    assert (more[0], more[-1]) == (1, N - N_HUMAN)
    assert told == pytest.approx(left[0] / np.array(left[1:]) - 1)
    assert grades.step == 2


def test_it_favours_a_side_by_how_much_higher_it_grades_what_people_grade_alike():
    human = np.array([[0.0, 0, 1, 1, 0, 1], [0, 1, 1, 0, 0, 1]])
    judge = np.array([[0.0, 1, 1, 1, 0, 1], [1, 1, 1, 1, 0, 1]])
    found = Grades(judge, human, np.arange(6), np.arange(6))
    errors, side = judge - human, np.array([[0.0], [1]]) + np.zeros((2, 6))
    for values in (errors, side):
        for grade in (0, 1):
            values[human == grade] -= values[human == grade].mean()
    parts = (errors * side).sum(axis=0)
    favour, p_even = found.favour()
    assert favour == pytest.approx(parts.sum() / (side**2).sum())
    assert p_even == pytest.approx(stats.ttest_1samp(parts, 0).pvalue)
    assert replace(found, judge=human).favour() == (0.0, 1.0)
    turned = replace(found, judge=judge[::-1], human=human[::-1]).favour()
    assert turned == pytest.approx((-favour, p_even))
    assert (found.failed().tolist(), found.passed_but_failed().tolist()) == ([3, 3], [1, 2])


def test_a_sample_is_as_unlikely_as_samples_that_are_as_far_from_all():
    """Of all samples of as many clusters: the mean of either side, or of how far they are apart."""
    rng = np.random.default_rng(5)
    sizes = np.array([1, 2, 1, 3, 2, 1, 2, 1])
    cluster = np.repeat(np.arange(8), sizes)
    judge = rng.integers(0, 2, (2, cluster.size)).astype(float)
    told = np.stack([*judge, np.abs(judge[1] - judge[0])])

    def of_samples(chosen):
        return np.array([told[:, np.isin(cluster, each)].mean(axis=1) for each in chosen])

    every = list(combinations(range(8), 3))
    spread = np.sqrt(((of_samples(every) - told.mean(axis=1)) ** 2).mean(axis=0))
    away = (np.abs(of_samples(every) - told.mean(axis=1)) / spread).max(axis=1)
    for chosen in (0, 30, 55):
        at = np.flatnonzero(np.isin(cluster, every[chosen]))
        grades = Grades(judge, judge[:, at], at, cluster)
        assert grades.p_random((1,)) == pytest.approx((away >= away[chosen] - 1e-9).mean(), abs=0.08)
    at = np.flatnonzero(np.isin(cluster, [0, 2, 3]))
    assert Grades(judge, judge[:, at[:-1]], at[:-1], cluster).p_random((1,)) is None
    assert Grades(judge, judge, np.arange(cluster.size), cluster).p_random((1,)) is None
    apart = Grades(judge, judge[:, at[:-1]], at[:-1], cluster).without_clusters()
    assert apart.p_random((1,)) is not None
