import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.gates.policy import Policy, Verdict, demand, judge_floor
from tests.unit.made_up import comparison, estimate

HDI = {
    Decision.MUCH_WORSE: (-0.07, -0.03),
    Decision.WORSE: (-0.04, 0.00),
    Decision.EQUIVALENT: (-0.004, 0.006),
    Decision.BETTER: (0.001, 0.04),
    Decision.MUCH_BETTER: (0.03, 0.07),
    Decision.UNDECIDED: (-0.03, 0.03),
}


def result(decision, hdi=None):
    return comparison(decision=decision, hdi=hdi or HDI[decision])


VERDICTS: dict[Policy, dict[Decision, str]] = {
    Policy.NOT_WORSE: {Decision.MUCH_WORSE: "failed", Decision.WORSE: "warned", Decision.UNDECIDED: "undecided"},
    Policy.NOT_EVEN_SLIGHTLY_WORSE: {
        Decision.MUCH_WORSE: "failed",
        Decision.WORSE: "failed",
        Decision.UNDECIDED: "undecided",
    },
    Policy.NOT_INFERIOR: {Decision.MUCH_WORSE: "failed", Decision.WORSE: "failed", Decision.UNDECIDED: "failed"},
    Policy.BETTER: {decision: "failed" for decision in Decision if decision is not Decision.MUCH_BETTER},
    Policy.EQUIVALENT: {decision: "failed" for decision in Decision if decision is not Decision.EQUIVALENT},
}


@pytest.mark.parametrize("decision", Decision, ids=lambda decision: decision.name)
@pytest.mark.parametrize("policy", Policy, ids=lambda policy: policy.name)
def test_what_follows_from_a_decision(policy, decision):
    assert policy.judge(result(decision)) == VERDICTS[policy].get(decision, "passed")


@pytest.mark.parametrize(
    ("low", "verdict"), [(-0.009, Verdict.PASSED), (-0.01, Verdict.FAILED), (-0.011, Verdict.FAILED)]
)
@pytest.mark.parametrize("decision", [Decision.UNDECIDED, Decision.BETTER])
def test_not_inferior_looks_at_the_lower_bound_alone(decision, low, verdict):
    assert Policy.NOT_INFERIOR.judge(result(decision, (low, 0.04))) is verdict


@pytest.mark.parametrize("policy", Policy, ids=lambda policy: policy.name)
def test_a_policy_is_named_after_its_assertion_or_the_words_of_a_gate_file_and_says_what_it_demands(policy):
    in_files_only = {Policy.NOT_EVEN_SLIGHTLY_WORSE: 'fail_on "<"'}
    assert policy.value == in_files_only.get(policy, f"assert_{policy.name.lower()}")
    assert "must" in demand(policy)


def test_every_policy_demands_something_else():
    assert len({demand(policy) for policy in Policy}) == len(Policy)


@pytest.mark.parametrize(
    ("below", "above", "verdict"),
    [(True, False, Verdict.FAILED), (False, False, Verdict.PASSED), (False, True, Verdict.PASSED)],
)
def test_a_floor_fails_only_what_lies_wholly_below_it(below, above, verdict):
    assert judge_floor(estimate(below_floor=below, above_floor=above)) is verdict
