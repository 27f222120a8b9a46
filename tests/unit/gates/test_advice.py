"""Advice: of every policy and decision its own, and never what would not help."""

from itertools import product

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.gates.policy import Policy, Verdict, advice, floor_advice
from pytest_bayesf1.stats.decision import Gap, Gaps
from tests.unit.made_up import comparison

ROPE = (-0.01, 0.02)
HDI = {
    Decision.MUCH_WORSE: (-0.07, -0.03),
    Decision.WORSE: (-0.04, 0.00),
    Decision.EQUIVALENT: (-0.004, 0.006),
    Decision.BETTER: (-0.012, 0.05),
    Decision.MUCH_BETTER: (0.03, 0.07),
    Decision.UNDECIDED: (-0.03, 0.03),
}
MEDIAN = {Decision.WORSE: -0.025, Decision.BETTER: 0.03}
PAIRS = list(product(Policy, Decision))
each_pair = pytest.mark.parametrize(("policy", "decision"), PAIRS, ids=[f"{p.name}-{d.name}" for p, d in PAIRS])


def result(decision, **changes):
    return comparison(**{"decision": decision, "hdi": HDI[decision], "rope": ROPE, **changes})


def advised(policy, decision, **changes):
    found = result(decision, **changes)
    return advice(policy, found, policy.judge(found))


def decided(hdi, median, rope):
    """Return what an HDI and a median say with this ROPE."""
    gaps = (
        rope[0] - hdi[1],
        rope[1] - hdi[1],
        hdi[0] - rope[0],
        hdi[0] - rope[1],
        rope[0] - median,
        median - rope[1],
    )
    return Gaps(tuple(Gap(distance, 0.0) for distance in gaps)).position.decision


@each_pair
def test_whoever_passes_plainly_needs_no_advice_and_all_others_get_some(policy, decision):
    verdict = policy.judge(result(decision))
    assert bool(advised(policy, decision)) is (verdict is not Verdict.PASSED)


@each_pair
def test_no_figure_is_left_out(policy, decision):
    assert not set("{}") & set(advised(policy, decision))


@each_pair
@pytest.mark.parametrize(
    ("words", "rope"),
    [(("widen rope", "wider rope", "tolerate more"), (-0.2, 0.2)), (("narrower rope",), (-1e-9, 1e-9))],
    ids=["wider", "narrower"],
)
@pytest.mark.parametrize("shift", [0.0, 0.0125], ids=["as it is", "a bit better"])
def test_another_rope_is_advised_only_where_it_lets_the_gate_pass(policy, decision, words, rope, shift):
    low, high = HDI[decision]
    hdi = low + shift, high + shift
    median = MEDIAN.get(decision, (low + high) / 2) + shift
    found = result(decided(hdi, median, ROPE), hdi=hdi)
    told = advice(policy, found, policy.judge(found))
    if any(word in told for word in words):
        assert policy.judge(result(decided(hdi, median, rope), hdi=hdi, rope=rope)) is Verdict.PASSED


def test_a_narrower_rope_is_advised_where_it_would_do():
    assert "narrower rope" in advised(Policy.BETTER, Decision.BETTER, hdi=(0.001, 0.05))
    assert "narrower rope" in advised(Policy.BETTER, Decision.EQUIVALENT, hdi=(0.001, 0.015))
    assert "narrower rope" not in advised(Policy.BETTER, Decision.EQUIVALENT)


@pytest.mark.parametrize("decision", Decision, ids=lambda decision: decision.name)
def test_nobody_is_told_to_widen_the_rope_to_show_that_a_candidate_is_better(decision):
    told = advised(Policy.BETTER, decision)
    assert not any(word in told for word in ("widen", "wider", "tolerate more"))


@pytest.mark.parametrize("policy", Policy, ids=lambda policy: policy.name)
def test_more_examples_are_no_advice_about_what_is_settled(policy):
    for decision in (Decision.MUCH_WORSE, Decision.EQUIVALENT, Decision.MUCH_BETTER):
        assert "Test on more" not in advised(policy, decision)


@pytest.mark.parametrize(
    ("policy", "decision", "part"),
    [
        (Policy.NOT_WORSE, Decision.MUCH_WORSE, "widen rope or make the candidate the new baseline"),
        (Policy.NOT_WORSE, Decision.WORSE, "Test on more examples, or decide that a wider rope is tolerable. "),
        (Policy.NOT_WORSE, Decision.UNDECIDED, "demand proof with assert_not_inferior"),
        (Policy.NOT_EVEN_SLIGHTLY_WORSE, Decision.WORSE, "Test on more examples"),
        (Policy.NOT_EVEN_SLIGHTLY_WORSE, Decision.UNDECIDED, 'fail_on "?"'),
        (Policy.NOT_INFERIOR, Decision.WORSE, "Most of the probability lies below −1, the lower end"),
        (Policy.NOT_INFERIOR, Decision.UNDECIDED, "It reaches below −1, the lower end of what you tolerate"),
        (Policy.NOT_INFERIOR, Decision.BETTER, "a rope of which the lower end lies below −1.2"),
        (Policy.BETTER, Decision.MUCH_WORSE, "no rope and no number of examples"),
        (Policy.BETTER, Decision.WORSE, "no rope makes it better"),
        (Policy.BETTER, Decision.UNDECIDED, "does not lie wholly above +2, which an improvement must exceed"),
        (Policy.BETTER, Decision.EQUIVALENT, "more examples will not change that"),
        (Policy.EQUIVALENT, Decision.WORSE, "The HDI reaches below −1, beyond"),
        (Policy.EQUIVALENT, Decision.UNDECIDED, "The HDI reaches below −1 and above +2, beyond what you call"),
        (Policy.EQUIVALENT, Decision.BETTER, "assert_not_worse if an improvement is welcome"),
        (Policy.EQUIVALENT, Decision.MUCH_BETTER, "assert_not_worse"),
    ],
)
def test_advice_fits_what_happened(policy, decision, part):
    assert part in advised(policy, decision)


def test_figures_of_a_measure_of_the_users_own_are_told_as_they_are():
    told = advised(Policy.NOT_INFERIOR, Decision.UNDECIDED, custom_measure=True, rope=(-20, 20), hdi=(-25.0, 30.0))
    assert "below −20, the lower end" in told
    assert "lies below −25.0" in told


def test_an_end_at_0_has_no_minus_sign():
    assert "below +0, the lower end" in advised(Policy.NOT_INFERIOR, Decision.BETTER, rope=(-0.0, 0.01))


def test_advice_about_a_floor():
    assert floor_advice(Verdict.PASSED) == ""
    assert "lower the floor" in floor_advice(Verdict.FAILED)


@each_pair
@pytest.mark.parametrize(
    ("needed", "said"),
    [(28_000_000, "It would take about 28,000 times as many examples"), (None, "No number of examples is likely to")],
)
def test_nobody_is_told_to_collect_what_nobody_has(policy, decision, needed, said):
    some, too_many = (advised(policy, decision, examples_needed=number) for number in (340, needed))
    assert "Test on more examples" not in too_many
    assert (said in too_many) is ("Test on more examples" in some)
