"""A judge's grades corrected by people's: closed forms, other libraries, and judges of several kinds."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from benchmarks.studies.judges import POPULATIONS, interval
from pytest_bayesf1.engines.corrected import CorrectedSampler, Grades, best_weight

JUDGES = {
    "good": ((0.93, 0.08), (0.93, 0.08)),
    "lenient": ((0.98, 0.5), (0.98, 0.5)),
    "biased": ((0.85, 0.15), (0.98, 0.6)),
    "noise": ((0.5, 0.5), (0.5, 0.5)),
}
"""How often each side's answers pass: where people pass them, where they fail them."""


def answers(rng, n, kind):
    """Grade n answers of each side, of which a candidate's is as good as the baseline's in three of four cases."""
    quality = rng.beta(3, 1, n)
    before = rng.random(n) < quality
    after = np.where(rng.random(n) < 0.75, before, rng.random(n) < np.clip(quality - 0.1, 0, 1))
    human = np.stack([before, after])
    judge = np.stack([rng.random(n) < np.where(side, *odds) for side, odds in zip(human, JUDGES[kind], strict=True)])
    return human.astype(float), judge.astype(float)


def graded(rng, kind, n, n_human):
    human, judge = answers(rng, n, kind)
    at = rng.choice(n, n_human, replace=False)
    return Grades(judge, human[:, at], at, np.arange(n))


def estimate(grades):
    """Return the estimate of the change and its standard error, as Angelopoulos, Duchi and Zrnic (2023) write them."""
    judge, human = grades.judge[1] - grades.judge[0], grades.human[1] - grades.human[0]
    n, rest = human.size, np.delete(judge, grades.graded)
    covariance = np.cov(human, judge[grades.graded])
    factor = covariance[0, 1] / covariance[1, 1] * rest.size / (n + rest.size)
    residual = human - factor * judge[grades.graded]
    return factor * rest.mean() + residual.mean(), np.sqrt(residual.var() / n + factor**2 * rest.var() / rest.size)


@pytest.mark.parametrize("kind", JUDGES)
def test_draws_are_about_the_estimate_and_vary_as_it_does(kind):
    grades = graded(np.random.default_rng(3), kind, 4_000, 800)
    mean, error = estimate(grades)
    baseline, candidate = CorrectedSampler(grades, (1,)).draw(20_000)
    change = candidate - baseline
    assert change.mean() == pytest.approx(mean, abs=5 * error / np.sqrt(20_000))
    assert change.std() == pytest.approx(error, rel=0.03)


def test_the_weight_of_the_judge_makes_the_variance_least():
    rng = np.random.default_rng(4)
    judge = rng.random(300)
    human, rest = judge + rng.normal(0, 0.3, 300), rng.random(900)
    weights = np.linspace(0, 1, 401)
    variances = [(human - each * judge).var() / 300 + each**2 * judge.var() / rest.size for each in weights]
    assert best_weight(judge, human, rest.size) == pytest.approx(weights[np.argmin(variances)], abs=0.003)


@pytest.mark.parametrize("kind", JUDGES)
def test_more_grades_tell_as_much_as_the_estimate_gains_by_them(kind):
    rng = np.random.default_rng(7)
    whole = graded(rng, kind, 60_000, 60_000)
    few, many = (replace(whole, human=whole.human[:, :n], graded=whole.graded[:n]) for n in (15_000, 30_000))
    more, told = few.more()
    gained = (estimate(few)[1] / estimate(many)[1]) ** 2 - 1
    assert np.interp(15_000, more, told) == pytest.approx(gained, rel=0.1)


def test_a_judge_without_a_difference_adds_nothing():
    human = np.stack([np.zeros(100), np.repeat([0.0, 1.0], 50)])
    grades = [Grades(np.full((2, n), 0.5), human, np.arange(100), np.arange(n)) for n in (100, 5_000)]
    changes = [np.subtract(*CorrectedSampler(each, (1,)).draw(20_000)[::-1]) for each in grades]
    for change in changes:
        assert change.mean() == pytest.approx(0.5, abs=0.002)
        assert change.std() == pytest.approx(0.05, rel=0.03)


def test_examples_of_a_cluster_that_are_alike_count_as_one():
    grades = graded(np.random.default_rng(5), "biased", 400, 100)
    at = (3 * grades.graded[:, None] + np.arange(3)).ravel()
    thrice = Grades(grades.judge.repeat(3, 1), grades.human.repeat(3, 1), at, np.arange(400).repeat(3))
    once, clustered = (np.diff(CorrectedSampler(each, (1,)).draw(20_000), axis=0) for each in (grades, thrice))
    alone = np.diff(
        CorrectedSampler(Grades(thrice.judge, thrice.human, at, np.arange(1_200)), (1,)).draw(20_000), axis=0
    )
    assert clustered.std() == pytest.approx(once.std(), rel=0.05)
    assert alone.std() < 0.65 * once.std()
    assert thrice.favour() == pytest.approx(grades.favour())


def test_whether_it_treats_both_sides_alike_is_students_test_of_its_errors():
    for kind, is_even in (("biased", False), ("lenient", True)):
        grades = graded(np.random.default_rng(6), kind, 2_000, 300)
        judge, alike = grades.judge.copy(), np.zeros_like(grades.human)
        baseline, candidate = judge[:, grades.graded]
        favour, p_even = replace(grades, judge=judge, human=alike).favour()
        assert favour == pytest.approx((candidate - baseline).mean())
        assert p_even == pytest.approx(stats.ttest_1samp(candidate - baseline, 0).pvalue, rel=1e-9)
        assert (grades.favour()[1] > 0.05) is is_even


@pytest.mark.parametrize("step", [1, 4])
def test_a_judge_that_errs_alike_on_sides_of_unlike_quality_is_even_handed(step):
    n_sets, n, alarms = 300, 100, 0
    for number in range(n_sets):
        rng = np.random.default_rng([9, number])
        human = step * (rng.random((2, n)) < [[0.85], [0.5]])
        judge = np.where((human == 0) & (rng.random((2, n)) < 0.4), step, human)
        alarms += Grades(judge.astype(float), human.astype(float), np.arange(n), np.arange(n)).favour()[1] < 0.05
    assert alarms / n_sets < 0.09  # 5%, and three standard errors of 1.3%


@pytest.mark.parametrize("place", [0, 8], ids=["examples", "clusters"])
def test_random_answers_seem_chosen_as_often_as_it_says(place):
    population, n_sets = [each for each in POPULATIONS if "most" not in each.name][place], 200
    p = [population.sample(np.random.default_rng([8, number]), 300, 80).p_random((number,)) for number in range(n_sets)]
    assert stats.kstest(p, "uniform").statistic < 1.95 / np.sqrt(n_sets)


def test_chosen_answers_are_noticed():
    whole = POPULATIONS[0].draw(np.random.default_rng(3), 500)
    differ, fail = whole.judge[0] != whole.judge[1], whole.judge[1] == 0
    for chosen in (differ, fail, whole.judge[0] == 1):
        graded = np.flatnonzero(chosen)[:40]
        assert replace(whole, human=whole.human[:, graded], graded=graded).p_random((1,)) <= 0.01
    assert replace(whole, graded=np.arange(500)).p_random((1,)) is None
    part = replace(whole, cluster=np.arange(500) // 5, graded=np.arange(99), human=whole.human[:, :99])
    assert part.p_random((1,)) is None


def test_what_it_passes_although_people_fail_it_is_counted():
    judge, human = np.array([[1.0, 1, 0, 1], [0, 0, 0, 1]]), np.array([[0.0, 0, 1], [0, 1, 1]])
    found = Grades(judge, human, np.array([0, 1, 3]), np.arange(4))
    assert (found.failed().tolist(), found.passed_but_failed().tolist()) == ([2, 1], [2, 0])


HELD = [each for each in POPULATIONS if "most" not in each.name]


@pytest.mark.slow
@pytest.mark.parametrize("population", HELD, ids=lambda each: each.name)
def test_people_are_held_whatever_the_judge(population):
    n_sets, n, truth = 120, 400, population.truth()
    held, widths, by_judge = np.zeros(2), np.zeros((2, 2)), 0
    for number in range(n_sets):
        grades = population.sample(np.random.default_rng([21, number]), n, 100)
        blind = replace(grades, judge=np.zeros_like(grades.judge))
        for place, (side, true) in enumerate([(None, truth[1] - truth[0]), (1, truth[1])]):
            ranges = [interval(each, side, np.array([number])) for each in (grades, blind)]
            held[place] += ranges[0][0] <= true <= ranges[0][1]
            widths[place] += [np.ptp(each) for each in ranges]
        change = np.diff(grades.judge, axis=0)[0]
        by_judge += abs(change.mean() - truth[1] + truth[0]) <= 1.96 * change.std() / np.sqrt(n)
    assert (held / n_sets >= 0.89).all()  # 95%, less three standard errors of 2%
    assert (widths[:, 0] <= 1.05 * widths[:, 1]).all()
    if "biased" in population.name:
        assert by_judge / n_sets < 0.1
