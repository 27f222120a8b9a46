from dataclasses import replace

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.results.comparison import ClassShares, Convergence, GapEstimate, PoolFigures, ScoreGap
from pytest_bayesf1.results.policy import BETTER, EQUIVALENT, NOT_INFERIOR, NOT_WORSE, PROVEN_AT_LEAST, Outcome
from pytest_bayesf1.words.amounts import format_class_shares, more_needed
from pytest_bayesf1.words.evidence import judge_errors
from pytest_bayesf1.words.notes import caveats
from pytest_bayesf1.words.results import (
    advice,
    brief_facts,
    computed,
    entry_facts,
    facts,
    fitting,
    format_gap,
    headline,
    statistics,
    verdict_line,
)
from tests.unit.made_up import comparison, estimate, falling, judged, score, shared

AROUND_0, BELOW, ABOVE, INSIDE = (-0.018, 0.022), (-0.071, -0.033), (0.033, 0.071), (-0.004, 0.006)
ALONE = "the chance that it {} is {}% by this test set alone"
JUDGE, LACKING = judged((0.1, 2, 9), (-0.2, 3, 8)), shared(400, 320, 320, decision_if_wrong=Decision.MUCH_WORSE)


def shares(decision, at_baseline, at_candidate, *, decides=True):
    return ClassShares("spam", 0.1, 0.3, at_baseline, at_candidate, decision, decides)


def pool(n_labelled=300):
    counts = {"n_pool": 20_000, "n_labelled": n_labelled, "n_differ": 1_900, "n_labelled_differ": 240}
    return PoolFigures(**counts, n_strata=14, n_unlabelled_strata=1, unlabelled_share=0.002)


def test_the_line_above_a_failure():
    worse = comparison(decision=Decision.MUCH_WORSE, mean=-0.07, hdi=(-0.081, -0.055), measure="f1[spam]")
    assert verdict_line(worse) == "≪ F1 of spam −7.0 points (you allow 1): 0.800 → 0.730"
    assert verdict_line(worse, "language=de").startswith("≪ language=de, F1 of spam −7.0 points ")
    assert len(verdict_line(worse, 1_000 * "long")) < 100


NOT_CLEAR = {"below_floor": False, "above_floor": False}


@pytest.mark.parametrize(
    ("changes", "told", "advised"),
    [
        ({}, "Above the floor of 0.75: macro-F1 is 0.800 (95% likely 0.780 to 0.820)", ""),
        ({**NOT_CLEAR, "p_below_floor": 0.12}, "Not clearly below the floor of 0.75: ", "may lie below it"),
        ({"below_floor": True, "above_floor": False}, "Below the floor of 0.75: ", "clearly below it"),
        ({"floor": None, "p_below_floor": None}, "Macro-F1 is 0.800 (95% likely 0.780 to 0.820)", ""),
    ],
)
def test_a_score_beside_its_floor_or_alone(changes, told, advised):
    found = estimate(**changes)
    assert headline(found).startswith(told)
    assert headline(found).endswith("P(below) 12%") is (changes.get("p_below_floor") == 0.12)
    if found.floor is not None:
        said = advice(PROVEN_AT_LEAST, found, PROVEN_AT_LEAST.judge(found))
        assert (advised in said, bool(said)) == (True, bool(advised))
        where = told.partition(":")[0]
        assert verdict_line(found) == f"macro-F1 0.800 is {where[0].lower()}{where[1:]}"
        assert ("not clearly above" in verdict_line(found, policy=PROVEN_AT_LEAST)) is ("p_below_floor" in changes)


def test_how_a_judge_errs_on_each_side():
    first = "2 of 9 answers of {} that people fail"
    both = comparison(judge=judged((0.1, 2, 9), (-0.2, 3, 8)))
    second = "3 of 8 answers of the candidate that people fail"
    assert judge_errors(both) == f"passes {first.format('the baseline')} and {second}"
    assert judge_errors(estimate(judge=judged((0.1, 2, 9)))) == f"passes {first.format('the candidate')}"
    told = "grades the baseline 0.100 higher and the candidate 0.200 lower than people"
    assert judge_errors(comparison(judge=judged((0.1, 0, 0), (-0.2, 0, 0)))) == told


def test_how_draws_were_made():
    chains = comparison(convergence=Convergence(1_800.0, n_chains=4, r_hat=1.002))
    assert "draws (4 chains, R-hat 1.002, ESS 1,800), " in computed(chains)
    assert "draws, " in computed(comparison())


class TestWording:
    @pytest.mark.parametrize(
        ("decision", "mean", "hdi", "likely", "verdict"),
        [
            (Decision.MUCH_WORSE, -0.052, BELOW, "3.3 to 7.1", ". You allow 1"),
            (Decision.WORSE, -0.015, AROUND_0, "−1.8 to +2.2", f". You allow 1; {ALONE.format('lost more', 12)}"),
            (Decision.EQUIVALENT, 0.001, INSIDE, "−0.4 to +0.6", ". You allow 1: the two are practically equivalent"),
            (Decision.BETTER, 0.015, ABOVE, "3.3 to 7.1", f"; {ALONE.format('gained more than 2 points', 21)}"),
            (Decision.MUCH_BETTER, 0.052, ABOVE, "3.3 to 7.1", ": significantly better"),
            (Decision.UNDECIDED, 0.002, AROUND_0, "−1.8 to +2.2", ". You allow 1: too few examples to tell"),
            (
                Decision.UNDECIDED,
                0.02,
                (-0.009, 0.047),
                "−0.9 to +4.7",
                ". You allow 1: no worse than that; whether it is better is open",
            ),
        ],
        ids=lambda value: value.name if isinstance(value, Decision) else "",
    )
    def test_a_comparison_in_one_sentence(self, decision, mean, hdi, likely, verdict):
        change = f"{'rose' if mean > 0 else 'fell'} {100 * abs(mean):.1f} points, from 0.800 to {0.8 + mean:.3f}"
        found = comparison(decision=decision, mean=mean, hdi=hdi, rope=(-0.01, 0.02))
        assert found.headline == f"macro-F1 {change} (95% likely {likely}){verdict}"

    @pytest.mark.parametrize(
        ("figures", "told"),
        [
            ({"class_shares": shares(Decision.BETTER, 0.02, -0.03)}, "fell 3.0 points where both sides have the cand"),
            ({"class_shares": shares(Decision.BETTER, -0.03, 0.02)}, "fell 3.0 points where both sides have the base"),
            ({"class_shares": shares(Decision.WORSE, 0.04, -0.02)}, "rose 4.0 points where both sides have the base"),
            ({"class_shares": shares(Decision.WORSE, -0.04, 0.02)}, "rose 2.0 points where both sides have the cand"),
            ({"class_shares": shares(Decision.BETTER, 0.02, -0.03, decides=False)}, "too few examples to tell"),
            ({"shared_examples": LACKING}, "as tested, but the candidate lacks 80 examples of the baseline: undecided"),
            ({"doubted_class": "spam"}, "too few examples of spam to tell"),
            ({"doubted_class": "spam", "hdi": (-0.009, 0.047)}, "too few examples of spam to tell"),
            ({"decision": Decision.BETTER, "rope": (-0.01, 0.0)}, "is better is 21%"),
            ({"decision": Decision.WORSE, "rope": (-0.0, 0.01)}, "allow no loss; the chance that it lost more is 12%"),
            ({"mean": 0.0}, "macro-F1 stayed at 0.800 (95% likely"),
            ({"pool": pool()}, "macro-F1 rose 0.2 points (95% likely"),
            ({"judge": JUDGE}, "macro-F1 rose 0.2 points (95% likely"),
        ],
    )
    def test_what_is_open_and_why(self, figures, told):
        assert told in comparison(**figures).headline

    def test_an_interval_has_signs_beside_a_score_that_moved_the_other_way(self):
        turned = comparison(mean=-0.02, hdi=(-0.04, -0.001), candidate=score(0.81))
        assert turned.headline.startswith("macro-F1 rose 1.0 points, from 0.800 to 0.810 (95% likely −4.0 to −0.1)")
        (caveat,) = caveats(turned)
        assert "+1.0 points, lies outside its likely range" in caveat
        inside = comparison(mean=-0.02, hdi=(-0.06, 0.02), candidate=score(0.81))
        (caveat,) = caveats(inside)
        assert "+1.0 points, has another sign than the estimate, −2.0 points" in caveat

    def test_a_notebook_shows_the_same_with_labels_as_text(self):
        drops = falling("<script>alert(1)</script>")
        html = comparison(measure="f1[<b>]", classes=drops, settled=False)._repr_html_()
        assert html.startswith("<p><strong>? F1 of &lt;b&gt; rose 0.2 points")
        assert ">±1 point</td>" in html
        assert "On the edge: " in html
        assert "<script>" not in html
        assert "&lt;script&gt;alert(1)&lt;/script&gt;: 0.900" in html


@pytest.mark.parametrize(("observed", "told"), [(0.8024, False), (0.8026, True), (0.78, True)])
def test_a_prior_that_moves_the_score_is_told(observed, told):
    notes = estimate(score=score(0.8, observed=observed, std=0.01)).to_dict()["notes"]
    assert any("hierarchical prior moves the posterior mean" in note for note in notes) is told
    of_values = estimate(score=score(0.8, observed=observed, std=0.01), n_classes=0).to_dict()["notes"]
    assert [each.replace("examples per class", "examples") for each in notes] == of_values


class TestFacts:
    def test_each_side_has_its_own(self):
        said = dict(entry_facts(comparison(judge=JUDGE), NOT_WORSE))
        assert said["judge alone"] == "−10.0 (+0.0 to +10.0); people's grades of 20 of 1,000 examples correct it"
        of_pool = dict(entry_facts(comparison(pool=pool()), NOT_WORSE))
        assert of_pool["candidate"] == "0.802 (95% likely 0.780 to 0.820) on 1,200 examples"

    def test_those_of_a_score(self):
        said = dict(entry_facts(estimate(judge=judged((0.1, 2, 9)), n_of_class=30), NOT_WORSE))
        assert said["score"] == "0.800 on 30 of 1,000 examples"
        assert said["judge alone"] == "0.500 (0.000 to 0.100); people's grades of 20 of 1,000 examples correct it"
        assert "20,000 draws" in computed(estimate())
        of_runs = estimate(run_sd=0.02)
        assert computed(of_runs) == "normal about the observed score, standard deviation 0.01"
        assert [*dict(statistics(of_runs))] == ["mean"]

    def test_the_classes_that_fall_most(self):
        classes = (
            *falling("a", candidate=0.88),
            *falling("b", "c", candidate=0.7),
            *falling("d", candidate=0.95),
            *falling("e", candidate=0.89),
            *falling("f", baseline=0.9002, candidate=0.9),
        )
        found = dict(facts(comparison(classes=classes)))["F1 falls in"]
        assert found == "b: 0.900 → 0.700   c: 0.900 → 0.700   a: 0.900 → 0.880"
        unseen = comparison(classes=falling("f", baseline=0.9002, candidate=0.9))
        assert "F1 falls in" not in dict(facts(unseen))

    @pytest.mark.parametrize(("room", "told"), [(1, "ab"), (5, "ab"), (6, "ab, cd"), (10, "ab, cd, ef")])
    def test_as_many_as_there_is_room_for(self, room, told):
        assert fitting(["ab", "cd", "ef"], room) == told

    @pytest.mark.parametrize(
        ("policy", "figures", "told"),
        [
            (NOT_WORSE, {}, {"chance", "to settle", "gate finds"}),
            (NOT_WORSE, {"examples_needed": 0}, {"chance", "gate finds"}),
            (NOT_WORSE, {"examples_needed": 9_000}, {"chance", "gate finds"}),  # ten times as many, as the advice says
            (NOT_WORSE, {"hdi": (-0.005, 0.022)}, {"chance", "gate finds"}),
            (BETTER, {"hdi": (-0.005, 0.022)}, {"chance", "to settle", "gate finds"}),
            (NOT_WORSE, {"decision": Decision.MUCH_WORSE}, {"to settle"}),
        ],
    )
    def test_what_a_failure_says_first(self, policy, figures, told):
        found = comparison(**{"examples_needed": 340, **figures})
        said = {*dict(brief_facts(found, policy, is_warning=False))}
        assert said & {"chance", "to settle", "gate finds"} == told
        warned = {*dict(brief_facts(found, policy, is_warning=True))}
        assert warned & {"chance", "to settle", "gate finds"} == told - {"gate finds"}


class TestAdvice:
    @pytest.mark.parametrize(
        ("figures", "told"),
        [
            ({"examples_needed": 8_990}, "Test on more examples."),
            ({"examples_needed": 9_000}, "about 10 times as many examples"),
            ({"examples_needed": 340, "pool": pool()}, "Label more examples."),
            ({"examples_needed": 340, "judge": JUDGE}, "Have people grade more answers."),
            ({"examples_needed": 340, "shared_examples": LACKING}, "because the candidate lacks 80 examples"),
            ({"judge": replace(JUDGE, n_human=1_000)}, "People graded every answer"),
            ({"judge": replace(JUDGE, n_human=1_200)}, "people's grades of these answers are unlikely"),
            ({"pool": pool(20_000)}, "Every example of the pool is labelled"),
            ({"pool": pool(), "decision": Decision.WORSE}, "No number of labels"),
            ({"pool": pool()}, "this pool is too small"),
            ({}, "No number of examples"),
            ({"doubted_class": "ham"}, "Test on more examples of ham"),
            ({"class_shares": shares(Decision.BETTER, 0.02, -0.03)}, "Say which class shares count"),
            ({"class_shares": shares(Decision.BETTER, 0.02, 0.02, decides=False)}, "No number of examples"),
        ],
    )
    def test_what_may_settle_it(self, figures, told):
        found = comparison(**{"examples_needed": None, **figures})
        said = advice(NOT_WORSE, found, Outcome.UNDECIDED)
        assert said.startswith(told) or f", {told}" in said or told in said.split(".")[0]
        assert ("spam rose from 10% to 30%" in said) is ("class_shares" in figures)
        assert advice(NOT_WORSE, found, Outcome.PASSED) == ""

    @pytest.mark.parametrize(
        ("policy", "hdi", "told"),
        [
            (EQUIVALENT, (-0.03, 0.05), "reaches below −1 and above +2, beyond"),
            (EQUIVALENT, (-0.01, 0.01), "reaches below −1, beyond"),
            (EQUIVALENT, (-0.005, 0.02), "reaches above +2, beyond"),
            (
                BETTER,
                (-0.005, 0.03),
                "Test on more examples. These data do not show that the score rose by more than the 2",
            ),
            (BETTER, (0.005, 0.03), "examples, or count smaller improvements too, by a narrower rope. These"),
            (NOT_INFERIOR, (-0.03, 0.03), "do not rule out that the score fell by more than the 1 point you allow"),
        ],
    )
    def test_what_is_not_shown_is_named_by_its_end_of_the_rope(self, policy, hdi, told):
        found = comparison(hdi=hdi, rope=(-0.01, 0.02), examples_needed=340)
        assert told in advice(policy, found, Outcome.FAILED)

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({}, ["macro-F1", "rose from 10% to 30%", "is +2.0 points at the baseline's and −3.0 points at the cand"]),
            ({"candidate": 0.05, "at_candidate": 0.02}, ["fell from 10% to 5%", "is +2.0 points, not +0.2 points"]),
        ],
    )
    def test_what_class_shares_do(self, given, told):
        found = comparison(class_shares=replace(shares(Decision.BETTER, 0.02, -0.03), **given))
        said = format_class_shares(found)
        assert all(each in said for each in [told[0].replace("macro", "Macro"), *told[1:]])

    @pytest.mark.parametrize(
        ("figures", "told"),
        [
            ({}, "340 more examples"),
            ({"pool": pool()}, "340 more labels"),
            ({"judge": JUDGE}, "340 more answers, graded"),
        ],
    )
    def test_how_many_more_of_what(self, figures, told):
        assert told in more_needed(comparison(examples_needed=340, **figures), NOT_WORSE)


def test_a_gap_in_words():
    sides = GapEstimate(0.02, (0.001, 0.04)), GapEstimate(0.081, (0.06, 0.102))
    gap = ScoreGap("language", "language=de", "language=fi", *sides)
    assert format_gap(gap, comparison()) == (
        "The candidate's best and worst slices by language, language=de and language=fi, are 8.1 points of "
        "macro-F1 apart (95% likely 6.0 to 10.2); the baseline's, 2.0 points (0.1 to 4.0)."
    )
