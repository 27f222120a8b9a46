"""Notes on a result: how many, and of which of the two sides."""

import re
from dataclasses import replace

import pytest

from pytest_bayesf1.comparison.suspicions import Suspicions
from pytest_bayesf1.errors import FewClustersWarning
from pytest_bayesf1.results.comparison import ClassShares, ClusterFigures, Doubt, UnsupportedClass
from pytest_bayesf1.results.policy import Decision
from pytest_bayesf1.results.schema import UNREADABLE
from pytest_bayesf1.words.amounts import doubt
from pytest_bayesf1.words.notes import caveats, data_warnings, notes, notes_on, notes_on_shared, sides_of, warnings_of
from tests.unit.made_up import comparison, estimate, judged, shared

WORSE, MUCH_WORSE, BETTER, OPEN = Decision.WORSE, Decision.MUCH_WORSE, Decision.BETTER, Decision.UNDECIDED

CORRECTED = {"n_corrected": 20, "p_favoured": 0.001}
WHOLE = {"decision_on_whole": MUCH_WORSE, "whole_scores": (0.9, 0.6)}
HELPED = {**CORRECTED, "favoured": (2, 14), "decision_on_old_truth": WORSE}


class TestSharedExamples:
    @pytest.mark.parametrize(
        ("sizes", "told"),
        [
            ((400, 380, 370), ["370 of 410", "30 only in the baseline", "10 only in the candidate"]),
            ((400, 370, 370), ["370 of 400", "30 only in the baseline"]),
            ((370, 380, 370), ["370 of 380", "10 only in the candidate"]),
            ((370, 370, 370), []),
        ],
    )
    def test_how_many_each_side_alone_has(self, sizes, told):
        said = " ".join(notes_on_shared(shared(*sizes)))
        assert re.findall(r"\d+ of \d+|\d+ only in the \w+", said) == told

    @pytest.mark.parametrize(("n", "told"), [(1, "1 label corrected"), (4, "4 labels corrected")])
    @pytest.mark.parametrize(("model", "used"), [("paired", "both scores"), ("independent", "each score")])
    def test_whose_truth_is_used(self, n, told, model, used):
        (said,) = notes_on_shared(shared(370, 370, 370, n_corrected=n), of_two_samples=model == "independent")
        assert told in said
        assert used in said
        found = comparison(model=model, shared_examples=shared(370, 370, 370, n_corrected=n), class_shares=None)
        assert said in caveats(found)

    @pytest.mark.parametrize(
        ("decision", "figures", "told"),
        [
            (OPEN, {"decision_if_wrong": MUCH_WORSE}, ["30 examples", "≪", "undecided until"]),
            (OPEN, {"decision_if_wrong": WORSE}, ["30 examples", "< (leaning worse)"]),
            (WORSE, {"decision_if_wrong": WORSE}, None),
            (OPEN, WHOLE, ["380 examples the candidate scores 0.600", "the baseline 0.900 on its 400", "the 370"]),
            (MUCH_WORSE, WHOLE, None),
            (OPEN, {**WHOLE, "decision_on_whole": WORSE}, None),
            (OPEN, {**CORRECTED, "favoured": (2, 14)}, ["20 of 370", "(5.4%)", "14 of the 16", "help the candidate"]),
            (OPEN, {**CORRECTED, "favoured": (14, 2)}, ["14 of the 16", "help the baseline"]),
            (OPEN, {**CORRECTED, "favoured": (2, 14), "decision_on_old_truth": WORSE}, ["old labels", "<"]),
            (OPEN, {**CORRECTED, "favoured": (2, 14), "p_favoured": 0.01}, None),
        ],
    )
    def test_who_is_warned_of_what(self, decision, figures, told):
        found = comparison(decision=decision, shared_examples=shared(**figures))
        said = [*map(str, data_warnings(found))]
        assert len(said) == (told is not None)
        assert all(each in said[0] for each in told or ())
        if told and "undecided until" not in told:
            assert "undecided until" not in said[0]
        same = comparison(decision=WORSE, shared_examples=shared(**{**figures, "decision_on_old_truth": WORSE}))
        assert not any("old labels" in str(each) for each in data_warnings(same))

    @pytest.mark.parametrize(
        ("figures", "expected", "told"),
        [
            ({**WHOLE, **HELPED, "decision_if_wrong": MUCH_WORSE}, Doubt.LACKING, "lacks 30 examples"),
            ({"decision_if_wrong": WORSE}, None, ""),
            ({**WHOLE, **HELPED}, Doubt.OLD_LABELS, "baseline's labels the candidate is leaning worse"),
            ({**HELPED, "decision_on_old_truth": MUCH_WORSE}, Doubt.OLD_LABELS, "significantly worse"),
            ({**HELPED, "decision_on_old_truth": OPEN}, None, ""),
            ({**HELPED, "favoured": (14, 2)}, None, ""),
            ({**HELPED, "p_favoured": 0.02}, None, ""),
            (WHOLE, Doubt.WHOLE, "whole test set the candidate is significantly worse"),
            ({**WHOLE, "decision_on_whole": WORSE}, None, ""),
        ],
    )
    def test_what_may_hide_a_loss(self, figures, expected, told):
        found = shared(**figures)
        assert found.doubt is expected
        said = doubt(found)
        assert (told in said, bool(said)) == (True, bool(told))


def clusters(n=(500, 400), n_equal=(500, 400), runs=(1, 1), trainings=(0, 0), noun="documents", holding="spans"):
    return ClusterFigures(noun, holding, n, n_equal, runs, trainings, 1.5, (-0.01, 0.02))


class TestClusters:
    @pytest.mark.parametrize("turn", [1, -1])
    @pytest.mark.parametrize(
        ("known", "told"),
        [
            ({"n_equal": (400, 40)}, []),
            ({"n_equal": (400, 39)}, ["400 documents are few (they tell as much as 39 of one size)"]),
            ({"n": (500, 39), "n_equal": (500, 39)}, ["39 documents are few: ", "spans of a cluster"]),
            ({"n": (20, 500), "n_equal": (20, 15), "noun": "runs", "holding": "runs"}, ["500 runs", "as much as 15"]),
            ({"trainings": (0, 4)}, ["4 trainings"]),
            ({"trainings": (5, 0)}, []),
        ],
    )
    def test_the_side_that_has_too_few_is_named(self, known, told, turn):
        turned = {name: value if isinstance(value, str) else value[::turn] for name, value in known.items()}
        said = [*warnings_of((), clusters(**{"n": (500, 400)[::turn], **turned}), ())]
        assert len(said) == bool(told)
        assert all(isinstance(each, FewClustersWarning) for each in said)
        assert all(each in str(said[0]) for each in told)

    @pytest.mark.parametrize(
        ("known", "told"),
        [
            ({}, "500 and 400 documents, 1,000 and 1,200 spans, design effect 1.5: with every span"),
            ({"n": (500, 500)}, "500 documents, 1,000 and"),
            ({"noun": "examples", "holding": "examples"}, "500 and 400 examples, design effect"),
            ({"runs": (1, 3)}, "1,200 spans, 1 and 3 predictions of each example, design"),
            ({"trainings": (0, 7)}, "1,200 spans, of trainings of a recipe, design"),
        ],
    )
    def test_both_sides_are_counted(self, known, told):
        (said,) = (each for each in notes(comparison(clusters=clusters(**known))) if "design effect" in each)
        assert told in said
        assert said.endswith("the HDI would be −1.0 to +2.0.")
        of_one = replace(clusters(**known), independent_hdi=(0.71, 0.82))
        (said,) = (each for each in notes(estimate(clusters=of_one)) if "design effect" in each)
        assert said.endswith("the HDI would be 0.710 to 0.820.")


def test_runs_of_the_same_examples_are_counted_by_how_sure_their_mean_is():
    (said,) = (each for each in notes(estimate(run_sd=0.03)) if "about these" in each)
    assert "about these 1,000 examples, not" in said
    assert "in 9 runs, each with a standard deviation of 0.03" in said


def unsupported(label, *predicted, listed=False):
    return UnsupportedClass(label, predicted, listed=listed)


class TestAnswers:
    @pytest.mark.parametrize(
        ("found", "told"),
        [
            ([("n/a", 40, 0), ("-", 2, 4)], ["42 of 2,000 baseline 'n/a', '-'", "4 of 500 candidate '-'"]),
            ([("?", 0, 3), ("-", 0, 4)], ["7 of 500 candidate '-', '?'"]),
            ([(UNREADABLE, 0, 9), ("?", 0, 3)], ["12 of 500 candidate '?'"]),
            ([(UNREADABLE, 0.2, 0)], ["1 of 2,000 baseline"]),
            ([(f"x{n}", 0, 9 - n) for n in range(7)], ["42 of 500 candidate 'x0', 'x1', 'x2', 'x3', 'x4' and 2 more"]),
        ],
    )
    def test_of_each_side_its_own_that_are_no_class(self, found, told):
        both = [unsupported(*each) for each in found]
        said = [*map(str, warnings_of(both, None, sides_of((2_000, 500))))]
        assert said == list(notes_on(both, sides_of((2_000, 500))))
        short = [re.sub(r" answers of the| (are|is) no class:?|; counted as wrong\.", "", each) for each in said]
        assert short == told

    @pytest.mark.parametrize(
        ("predicted", "told"),
        [
            ((0, 0), "never predicted"),
            ((3,), "3 times"),
            ((2, 2), "2 times by either side"),
            ((2, 2, 2), "2 times by each"),
            ((0, 1), "1 time by c"),
            ((0.2, 3), "1 time by b and 3 times by c"),
            ((1, 0, 2), "1 time by b and 2 times by d"),
        ],
    )
    def test_how_often_each_side_says_what_is_never_true(self, predicted, told):
        sides = [(name, 100) for name in "bcd"[: len(predicted)]]
        listed = unsupported("eggs", *predicted, listed=True)
        (said,) = notes_on([listed], sides)
        assert told in said
        assert ("counted as wrong" in said) is any(predicted)
        assert not [*warnings_of([listed], None, sides)]
        *named, rest = notes_on([unsupported(str(n), n, 1, listed=True) for n in range(9)], sides_of((100, 100)))
        assert len(named) == 5
        assert "4 more" in rest
        assert "26 times by the baseline and 4 times by the candidate" in rest


class TestSuspicions:
    SHARES = ClassShares("spam", 0.1, 0.3, 0.02, -0.01, BETTER, decides=False)

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({"all_right": (120, "spans")}, ["all 120 spans"]),
            ({"weakness": "It knows nothing"}, ["It knows nothing"]),
            ({"gaps": ("It lacks a", "It lacks b")}, ["It lacks a", "It lacks b"]),
            ({"are_identical": True}, []),
        ],
    )
    def test_each_is_told_once(self, given, told):
        nothing = {"weakness": "", "gaps": (), "are_identical": False, "all_right": None}
        found = comparison(class_shares=self.SHARES)
        vars(found)["suspicions"] = Suspicions(**{**nothing, **given})
        shares, *others = map(str, data_warnings(found))
        assert "spam rose from 10% to 30%" in shares
        assert [each in said for each, said in zip(told, others, strict=True)] == [True] * len(told)
        assert [shares, *others] == caveats(found)[: 1 + len(told)]
        assert any("Identical" in each for each in caveats(found)) is ("are_identical" in given)

    @pytest.mark.parametrize(
        ("figures", "told"),
        [
            ({"p_even": 0.04, "favour": 0.2}, ["favours the candidate", "0.200 higher", "p=0.04"]),
            ({"p_even": 0.04, "favour": -0.2}, ["favours the baseline", "0.200 higher"]),
            ({"p_even": 0.06, "favour": 0.2, "p_random": 0.02}, []),
            ({"p_even": 0.5, "favour": 0.2, "p_random": 0.01}, ["no random sample", "p=0.01"]),
        ],
    )
    def test_a_judge_that_favours_a_side_and_grades_that_were_chosen(self, figures, told):
        judge = replace(judged((0.1, 2, 9), (-0.2, 3, 8)), **figures)
        said = [str(each) for each in data_warnings(comparison(judge=judge))]
        assert [all(each in text for each in told) for text in said] == [True] * bool(told)
        of_one = data_warnings(estimate(judge=replace(judge, errors=(0.1,))))
        assert [*map(str, of_one)] == said == caveats(estimate(judge=replace(judge, errors=(0.1,))))
