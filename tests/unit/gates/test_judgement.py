from contextlib import suppress

import pytest

from pytest_bayesf1 import BayesF1Warning, Decision, SlightlyWorseWarning, UndecidedWarning
from pytest_bayesf1.gates.policy import Judgement, Policy, advice, enforce
from pytest_bayesf1.settings import Session, active
from tests.unit.made_up import comparison

WORSE = comparison(decision=Decision.MUCH_WORSE, hdi=(-0.07, -0.03))
SLIGHTLY = comparison(decision=Decision.WORSE, hdi=(-0.04, 0.0))
OPEN = comparison()
FINE = comparison(decision=Decision.EQUIVALENT, hdi=(-0.004, 0.006))


@pytest.fixture
def heard():
    records = []
    with active(Session(listener=records.append)):
        yield records


@pytest.mark.parametrize("policy", Policy, ids=lambda policy: policy.name)
def test_a_comparison_is_judged_by_the_policy(policy):
    judgement = Judgement.of(WORSE, policy)
    assert judgement.verdict == policy.judge(WORSE)
    assert judgement.advice == advice(policy, WORSE, judgement.verdict)


def test_the_gate_is_the_policys_assertion_unless_named():
    assert Judgement.of(FINE, Policy.BETTER).gate == "assert_better"
    assert Judgement.of(FINE, Policy.BETTER, gate="bayes_regression").gate == "bayes_regression"


@pytest.mark.parametrize("part", ["", "class 'spam'"])
def test_the_session_is_told_whatever_follows(heard, part):
    told = ((FINE, "passed"), (OPEN, "undecided"), (SLIGHTLY, "warned"), (WORSE, "failed"))
    for result, verdict in told:
        judgement = Judgement.of(result, Policy.NOT_WORSE, "a gate", part)
        with suppress(AssertionError, BayesF1Warning):  # the suite makes errors of warnings
            enforce(judgement)
        record = heard.pop()
        assert (record.result, record.gate, record.verdict) == (result, "a gate", verdict)
        assert (record.advice, record.part) == (judgement.advice, part)


def test_a_comparison_that_passes_raises_and_warns_nothing():
    enforce(Judgement.of(FINE, Policy.NOT_WORSE))


@pytest.mark.parametrize("policy", [Policy.NOT_WORSE, Policy.NOT_EVEN_SLIGHTLY_WORSE])
def test_what_the_data_cannot_tell_warns_only_where_the_project_asks_for_it(policy):
    judgement = Judgement.of(OPEN, policy)
    with active(Session()):
        enforce(judgement)  # the suite makes errors of warnings
    with active(Session(warn_undecided=True)), pytest.warns(UndecidedWarning) as caught:
        enforce(judgement)
    assert str(caught[0].message) == judgement.message
    assert caught[0].filename == __file__


def test_a_project_that_asks_for_it_is_not_warned_of_what_passed():
    with active(Session(warn_undecided=True)):
        enforce(Judgement.of(FINE, Policy.NOT_WORSE))
        enforce(Judgement.of(comparison(hdi=(-0.009, 0.03)), Policy.NOT_INFERIOR))


def test_the_failure_says_what_was_demanded_and_what_to_do():
    with pytest.raises(AssertionError) as caught:
        enforce(Judgement.of(WORSE, Policy.NOT_WORSE, gate="bayes_regression"))
    text = str(caught.value)
    assert text.startswith("≪ macro-F1 +0.2 points (you tolerate 1): 0.800 → 0.802\n  Do: Find what changed")
    with pytest.raises(AssertionError) as caught:
        enforce(Judgement.of(WORSE, Policy.BETTER))
    assert "  demanded    the candidate must be significantly better (assert_better)\n" in str(caught.value)


def test_the_warning_says_what_to_do_and_points_at_the_users_call():
    def test_of_the_user():
        enforce(Judgement.of(SLIGHTLY, Policy.NOT_WORSE))

    with pytest.warns(SlightlyWorseWarning) as caught:
        test_of_the_user()
    told = " ".join(str(caught[0].message).split())
    assert told.startswith("< macro-F1 +0.2 points")
    assert f" Do: {advice(Policy.NOT_WORSE, SLIGHTLY, 'warned')} " in told
    assert "slightly worse" in told
    assert len(str(caught[0].message).splitlines()) < 6
    assert (caught[0].filename, caught[0].lineno) == (__file__, test_of_the_user.__code__.co_firstlineno + 1)


@pytest.mark.parametrize("result", [WORSE, SLIGHTLY], ids=["failed", "warned"])
def test_a_message_begins_with_the_part_it_is_about(result):
    told = Judgement.of(result, Policy.NOT_WORSE, part="class 'spam'").message
    assert told.startswith(f"{result.decision} class 'spam', macro-F1 ")
