"""People's grades beside a judge's: what fits, what does not, and what a result says of both."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import Scores, assert_at_least, compare, estimate
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.human import FEWEST, HumanGrades, judged_as
from pytest_bayesf1.engines.corrected import CorrectedSampler, Grades
from pytest_bayesf1.errors import ChosenAnswersWarning, InputError, UnevenJudgeWarning

N, N_HUMAN = 300, 80
IDS = [f"q{number}" for number in range(N)]
KNOWN = {"rope": 0.05, "measure": "mean"}


def made(seed=1, lenient=0.8, rates=(0.7, 0.6)):
    """Return both sides' grades by people and by a judge that passes most of what the candidate fails."""
    rng = np.random.default_rng(seed)
    human = (rng.random((2, N)) < np.reshape(rates, (2, 1))).astype(float)
    judge = human.copy()
    judge[1, (human[1] == 0) & (rng.random(N) < lenient)] = 1
    return human, judge


HUMAN, JUDGE = made()
GRADED = np.random.default_rng(2).permutation(N)[:N_HUMAN]


def table(at=GRADED, human=HUMAN, **columns):
    found = {"id": [IDS[place] for place in at], "baseline": human[0, at], "candidate": human[1, at]}
    return {**found, **columns}


def sides(judge=JUDGE, ids=IDS, **known):
    return tuple(Scores.from_values(side, ids=ids, **known) for side in judge)


def compared(human, judge=JUDGE, **known):
    return run_comparison(*sides(judge), human=human, **{**KNOWN, **known})


@pytest.fixture(scope="module")
def result():
    with pytest.warns(UnevenJudgeWarning, match="candidate"):
        return compare(*sides(), human=table(), **KNOWN)


class TestFigures:
    def test_the_change_and_its_range_are_the_corrected_ones(self, result):
        grades = Grades(JUDGE, HUMAN[:, GRADED], GRADED, np.arange(N))
        assert result.change == grades.corrected().mean
        for place, side in enumerate((result.baseline, result.candidate)):
            assert side.observed == grades.corrected(place).mean
        drawn = np.diff(CorrectedSampler(grades, (3,)).draw(20_000), axis=0)
        assert result.mean == pytest.approx(drawn.mean(), abs=0.003)
        assert result.std == pytest.approx(drawn.std(), rel=0.05)
        assert result.hdi[0] < (HUMAN[1] - HUMAN[0]).mean() < result.hdi[1]

    def test_the_judge_alone_is_kept_beside_it(self, result):
        alone = compare(*sides(), **KNOWN)
        judge = result.judge
        assert judge.change == pytest.approx(alone.change)
        assert judge.hdi == pytest.approx(alone.hdi, abs=0.01)
        assert judge.n_human == N_HUMAN
        assert judge.hdi[0] > (HUMAN[1] - HUMAN[0]).mean()

    def test_how_it_errs_is_counted_on_each_side(self, result):
        failed = HUMAN[:, GRADED] == 0
        assert result.judge.failed == tuple(failed.sum(axis=1))
        assert result.judge.passed == tuple((failed & (JUDGE[:, GRADED] == 1)).sum(axis=1))
        assert result.judge.errors == pytest.approx((JUDGE - HUMAN)[:, GRADED].mean(axis=1))
        assert result.judge.p_even < 0.001

    def test_grades_of_answers_that_were_chosen_warn_at_both_doors(self):
        at = np.flatnonzero(JUDGE[1] == 0)[:40]
        with pytest.warns(ChosenAnswersWarning, match=r"p=0\.001") as caught:
            compare(*sides(), human=table(at), **KNOWN)
        with pytest.warns(ChosenAnswersWarning):
            estimate(sides()[1], human={"id": table(at)["id"], "value": HUMAN[1, at]}, measure="mean")
        assert len([each for each in caught if each.category is ChosenAnswersWarning]) == 1

    def test_grades_on_a_longer_scale_have_a_mean_error(self):
        human, judge = 1 + 2 * HUMAN, np.clip(2 + 2 * HUMAN, 1, 5)
        result = compared(table(human=human), judge, rope=0.2)
        assert (result.judge.failed, result.judge.errors) == (None, pytest.approx((1, 1)))
        assert result.change == pytest.approx(np.diff(human.mean(axis=1)).item(), abs=0.01)

    def test_clusters_and_repeated_answers_count(self):
        clusters = np.arange(N) // 5
        at = np.flatnonzero(clusters < 30)
        alone = run_comparison(*sides(), human=table(at), **KNOWN)
        clustered = run_comparison(*sides(clusters=clusters), human=table(at), **KNOWN)
        assert clustered.clusters.n == (60, 60)
        assert clustered.change == alone.change
        by_cluster = np.subtract(*JUDGE[::-1]).reshape(60, 5).mean(axis=1)
        assert np.ptp(clustered.judge.hdi) == pytest.approx(2 * 1.96 * by_cluster.std() / np.sqrt(60), rel=0.1)
        twice = [Scores.from_values(np.r_[side, side], ids=[*IDS, *IDS], runs="samples") for side in JUDGE]
        assert run_comparison(*twice, human=table(at), **KNOWN).hdi == alone.hdi

    def test_a_cluster_of_equal_answers_tells_as_much_as_one_of_them(self):
        human, judge = (np.repeat(each[:, ::5], 5, axis=1) for each in (HUMAN, JUDGE))
        at, first = np.arange(30 * 5), np.arange(30) * 5
        clustered = run_comparison(*sides(judge, clusters=np.arange(N) // 5), human=table(at, human), **KNOWN)
        alone = run_comparison(*sides(judge[:, ::5], ids=IDS[::5]), human=table(first, human), **KNOWN)
        assert clustered.change == pytest.approx(alone.change)
        assert np.ptp(clustered.hdi) == pytest.approx(np.ptp(alone.hdi), rel=0.15)
        assert clustered.judge.p_even == pytest.approx(alone.judge.p_even)


class TestForms:
    def test_files_a_frame_and_words_say_the_same(self, tmp_path):
        words = {0: "fail", 1: "Pass"}
        given = table(baseline=[words[each] for each in HUMAN[0, GRADED]])
        pd.DataFrame(given).to_csv(tmp_path / "human.csv", index=False)
        (tmp_path / "human.json").write_text(json.dumps(pd.DataFrame(given).to_dict("list")))
        expected = compared(table()).hdi
        for human in (given, pd.DataFrame(given), tmp_path / "human.json", str(tmp_path / "human.csv")):
            assert compared(human).hdi == expected

    def test_of_grades_of_which_lower_is_better_both_are_turned(self):
        lower = {"measure": "mean", "rope": 0.2, "n_draws": 4_000}
        judge = [Scores.from_values(4 - 3 * side, ids=IDS, better="lower") for side in JUDGE]
        found = run_comparison(*judge, human=table(human=4 - 3 * HUMAN), **lower)
        assert found.change == pytest.approx(3 * compared(table()).change)

    def test_of_a_part_of_the_answers_those_grades_count_that_are_about_it(self):
        part = np.arange(0, N, 2)
        in_part = np.isin(GRADED, part)
        (questions,) = (each.questions for each in sides(JUDGE[:1, part], ids=[IDS[place] for place in part]))
        given = {"id": table()["id"], "value": HUMAN[0, GRADED]}
        found = replace(HumanGrades.of(given), of_all=False).beside(questions, 1)
        np.testing.assert_array_equal(found.human, HUMAN[:1, GRADED[in_part]])
        np.testing.assert_array_equal(part[found.graded], GRADED[in_part])
        np.testing.assert_array_equal(found.judge, JUDGE[:1, part])
        with pytest.raises(InputError, match=f"{(~in_part).sum()} of {N_HUMAN} are no id"):
            HumanGrades.of(given).beside(questions, 1)

    def test_the_checksum_is_that_of_all_grades_of_the_same_answers_in_any_order(self):
        order = np.random.default_rng(3).permutation(GRADED)
        as_text = table(order, baseline=[f"{each:.0f}" for each in HUMAN[0, order]])
        elsewhere, *here = JUDGE.copy(), JUDGE.copy(), JUDGE.copy()
        elsewhere[1, np.setdiff1d(np.arange(N), GRADED)[0]] = 0.5
        here[0][0, GRADED[0]] = here[1][1, GRADED[0]] = 0.5
        one, *same = (compared(*each).judge.checksum for each in ((table(),), (as_text,), (table(), elsewhere)))
        assert {*same} == {one}
        milder = np.maximum(HUMAN, np.arange(N) == GRADED[HUMAN[0, GRADED].argmin()])
        given = (table(human=milder),), *((table(), judge) for judge in here)
        assert one not in {compared(*each).judge.checksum for each in given}


class TestRefusals:
    @pytest.mark.parametrize(
        ("human", "said"),
        [
            (table(GRADED[: FEWEST - 1]), f"at least {FEWEST} examples, got {FEWEST - 1}"),
            ({"id": table()["id"], "candidate": HUMAN[1, GRADED]}, "columns id, baseline, candidate"),
            ({"baseline": [1], "candidate": [0]}, "a column id"),
            (table(id=["x1", "x2", *table()["id"][2:]]), f"2 of {N_HUMAN} are no id .*'x1', 'x2'; first at row 1"),
            (table(id=["q0"] * N_HUMAN), "'q0' is there twice, row 1 and row 2"),
            (table(candidate=[None, *HUMAN[1, GRADED][1:]]), "candidate: 1 of 80 is no value .* first at row 1"),
            (table(candidate=[2, *HUMAN[1, GRADED][1:]]), "candidate: 1 of 80 is on another scale .*0 to 1"),
            (table(baseline=["good", *HUMAN[0, GRADED][1:]]), "baseline: 1 of 80 is on another scale"),
            (table(baseline=[1, 0]), "columns of one length"),
            ([1, 2], "a file or a table"),
        ],
    )
    def test_grades_that_do_not_fit_are_refused_in_a_line(self, human, said):
        with pytest.raises(InputError, match=said) as caught:
            compared(human)
        assert str(caught.value).startswith("human")
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(
        ("judge", "human"),
        [(1 + 4 * JUDGE, HUMAN), (1 + 4 * JUDGE, 10 * HUMAN), (JUDGE / 2, 1 + 4 * HUMAN), (-JUDGE, HUMAN)],
        ids=["0 and 1 beside 1 to 5", "0 to 10 beside 1 to 5", "1 to 5 beside shares", "losses beside gains"],
    )
    def test_another_unit_is_refused(self, judge, human):
        with pytest.raises(InputError, match="on another scale"):
            compared(table(human=human), judge, rope=0.2)

    def test_people_may_be_harder_than_any_grade_of_the_judge(self):
        for sign in (1, -1):
            compared(table(human=sign * (1 + 4 * HUMAN)), sign * (4 + JUDGE), rope=0.2)

    @pytest.mark.parametrize(
        ("both", "asked", "said"),
        [
            (sides(clusters=np.arange(N) // 20), {}, f"at least {FEWEST} clusters, got 15"),
            (sides(ids=None), {}, "no ids"),
            ([[[9, 1], [1, 9]]] * 2, {"measure": "accuracy"}, "grades of a judge"),
            (sides(), {"model": "independent"}, "two samples"),
        ],
    )
    def test_sides_that_people_cannot_correct_are_refused(self, both, asked, said):
        with pytest.raises(InputError, match=said):
            compare(*both, human=table(), **KNOWN | asked)

    def test_other_grades_by_the_judge_than_people_saw_are_refused_on_either_side(self):
        seen = [judged_as(IDS[place], JUDGE[:, place]) for place in GRADED]
        compared(table(judged=seen))
        for side in (0, 1):
            other = JUDGE.copy()
            other[side, GRADED[1]] = 1 - other[side, GRADED[1]]
            with pytest.raises(InputError, match=rf"judged: 1 of {N_HUMAN} .*'{IDS[GRADED[1]]}'; first at row 2"):
                compared(table(judged=seen), other)

    @pytest.mark.parametrize("turned", [(0,), (1,), (0, 1)])
    def test_grades_that_go_against_the_judge_s_are_refused_on_either_side(self, turned):
        human = HUMAN.copy()
        human[[*turned]] = 1 - human[[*turned]]
        with pytest.raises(InputError, match="human: People's grades fall where the judge's rise"):
            compared(table(human=human))

    def test_answers_that_the_candidate_lacks_are_refused(self):
        baseline, candidate = sides()
        fewer = Scores.from_values(JUDGE[1][:-3], ids=IDS[:-3])
        with pytest.raises(InputError, match="lacks 3 examples"):
            run_comparison(baseline, fewer, human=table(GRADED[GRADED < N - 3]), **KNOWN)
        more = Scores.from_values(JUDGE[0][:-3], ids=IDS[:-3])
        found = run_comparison(more, candidate, human=table(GRADED[GRADED < N - 3]), **KNOWN)
        assert found.shared_examples.decision_on_whole is None

    def test_a_floor_of_the_same_examples_every_time_is_refused(self):
        human = {"id": table()["id"], "value": HUMAN[1, GRADED]}
        with pytest.raises(InputError, match="run_sd"):
            assert_at_least(sides()[1], 0.5, measure="mean", human=human, run_sd=0.1)
