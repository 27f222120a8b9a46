import re
import warnings
from contextlib import suppress
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from pytest_bayesf1 import BayesF1Warning, Decision, UndecidedWarning, UnderpoweredGateWarning, compare
from pytest_bayesf1.gates import assertions
from pytest_bayesf1.gates.demand import FAILS_ON, Verdict
from pytest_bayesf1.gates.evaluate import enforce, warn_if_underpowered
from pytest_bayesf1.results.comparison import DetectableLosses
from pytest_bayesf1.results.policy import (
    AT_LEAST,
    BETTER,
    EQUIVALENT,
    NOT_INFERIOR,
    NOT_WORSE,
    POLICIES,
    PROVEN_AT_LEAST,
    Outcome,
    Policy,
)
from pytest_bayesf1.session import Session, active
from pytest_bayesf1.stats.decision import Gap, Gaps
from pytest_bayesf1.text import WIDTH
from pytest_bayesf1.words.results import advice
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, estimate, falling, gated, recording, score

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
OF_COMPARISONS = [policy for policy in POLICIES.values() if not policy.is_floor]
each_policy = pytest.mark.parametrize("policy", OF_COMPARISONS, ids=lambda policy: policy.key)


def result(decision, **changes):
    return comparison(**{"decision": decision, "hdi": HDI[decision], "rope": ROPE, **changes})


def advised(policy, decision, **changes):
    found = result(decision, **changes)
    return advice(policy, found, policy.judge(found))


def decided(hdi, median, rope):
    """Return what an HDI and a median say with this ROPE."""
    gaps = (rope[0] - hdi[1], rope[1] - hdi[1], hdi[0] - rope[0], hdi[0] - rope[1], rope[0] - median, median - rope[1])
    return Gaps(tuple(Gap(distance, 0.0) for distance in gaps)).position.decision


ADVICE = {  # of ≪, <, ≈, >, ≫ and ?
    NOT_WORSE: ("Find what changed", "fell by more than the 1 point", "", "", "", "cannot tell whether you lose more"),
    NOT_INFERIOR: ("Find what changed", "suggest that the score fell", "", "not rule out", "", "not rule out"),
    BETTER: ("clearly worse", "Improve the", "Keep the baseline", "the 2 points you demand", "", "the score rose"),
    EQUIVALENT: ("Find what changed", "below −1,", "", "and above +2, ", "the candidate is better", "and above +2, "),
}
TOO_MANY = {
    28_000_000: "It would take about 28,000 times as many examples to settle it",
    None: "No number of examples is likely to settle it",
}


class TestAdvice:
    """Whoever passes plainly needs no advice, and nobody is told to widen the ROPE."""

    @pytest.mark.parametrize("policy", ADVICE, ids=lambda policy: policy.key)
    def test_the_advice_on_every_decision(self, policy):
        for decision, expected in zip("≪<≈>≫?", ADVICE[policy], strict=True):
            found = advised(policy, Decision(decision))
            assert expected in found
            assert bool(found) is bool(expected)

    @each_policy
    def test_nobody_is_told_to_collect_what_nobody_has(self, policy):
        for decision, (needed, said) in product(Decision, TOO_MANY.items()):
            advice = advised(policy, decision, examples_needed=340)
            assert advised(policy, decision, examples_needed=needed) == advice.replace("Test on more examples", said)

    @each_policy
    @pytest.mark.parametrize("shift", [0.0, 0.0125], ids=["as it is", "a bit better"])
    def test_a_narrower_rope_is_advised_only_where_it_lets_the_gate_pass(self, policy, shift):
        narrow = (-1e-9, 1e-9)
        for decision, (low, high) in HDI.items():
            hdi = low + shift, high + shift
            median = MEDIAN.get(decision, (low + high) / 2) + shift
            if "narrower rope" in advised(policy, decided(hdi, median, ROPE), hdi=hdi):
                assert policy.judge(result(decided(hdi, median, narrow), hdi=hdi, rope=narrow)) is Outcome.PASSED

    def test_a_narrower_rope_is_advised_where_it_would_do(self):
        assert "narrower rope" in advised(BETTER, Decision.BETTER, hdi=(0.001, 0.05))
        assert "narrower rope" in advised(BETTER, Decision.EQUIVALENT, hdi=(0.001, 0.015))

    @pytest.mark.parametrize(
        ("policy", "changes", "said"),
        [
            (NOT_INFERIOR, {"custom_measure": True, "rope": (-20, 20), "hdi": (-25.0, 30.0)}, "than the 20 you allow"),
            (NOT_INFERIOR, {"rope": (-0.0, 0.01)}, "not rule out that the score fell, and you allow no loss."),
            (BETTER, {"rope": (-0.01, 0.0)}, "These data do not show that the score rose."),
        ],
        ids=["a measure of the user's own", "no loss", "any gain"],
    )
    def test_advice_names_what_is_allowed_or_demanded(self, policy, changes, said):
        assert said in advised(policy, Decision.UNDECIDED, **changes)

    def test_advice_about_a_floor(self):
        assert advice(AT_LEAST, estimate(), Outcome.PASSED) == ""
        assert "lower the floor" in advice(AT_LEAST, estimate(below_floor=True), Outcome.FAILED)
        assert "Test on more examples" in advice(PROVEN_AT_LEAST, estimate(above_floor=False), Outcome.FAILED)


def judged(policy=NOT_WORSE, **told):
    return Verdict.of(comparison(**{"detectable_losses": DetectableLosses(0.07, 0.06, 0.08), **told}), policy)


def warned(*verdicts):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for verdict in verdicts:
            warn_if_underpowered(verdict)
    return [str(each.message) for each in caught]


class TestUnderpoweredGates:
    @pytest.fixture(autouse=True)
    def run(self):
        with active(Session()):
            yield

    def test_it_says_what_the_gate_finds(self):
        (message,) = warned(judged(), judged())  # once a run
        assert message.startswith(
            "With 1,000 and 1,200 examples this gate catches losses of 7 points in 80% of cases if spread evenly, 8 if "
            "the rarest class alone loses"
        )

    @pytest.mark.parametrize(
        "verdict",
        [
            judged(detectable_losses=DetectableLosses(0.04, 0.03, 0.08)),
            judged(decision=Decision.MUCH_WORSE, hdi=(-0.09, -0.05)),
            judged(decision=Decision.MUCH_BETTER, hdi=(0.05, 0.09)),
            judged(BETTER),
        ],
        ids=["sees enough", "found a loss", "found a gain", "failed"],
    )
    def test_a_gate_that_sees_or_fails_does_not_warn(self, verdict):
        assert warned(verdict) == []

    @pytest.mark.filterwarnings("error::pytest_bayesf1.UnderpoweredGateWarning")
    def test_as_an_error_it_stops_every_such_gate(self):
        for _ in range(2):
            with pytest.raises(UnderpoweredGateWarning):
                warn_if_underpowered(judged())


FAILURE_WORSE = {
    "decision": Decision.MUCH_WORSE,
    "mean": -0.07,
    "hdi": (-0.085, -0.055),
    "p_worse": 1.0,
    "baseline": score(0.982),
    "candidate": score(0.912),
}
DROPS = falling("spam", "ham", "news")


def failed(result, advice="this.", **changes):
    """Return one that failed, but for the changes."""
    said = {"policy": NOT_WORSE, "gate": "gate", "outcome": Outcome.FAILED, **changes}
    return Verdict(result, advice=advice, **said)


def failure(result, advice="this.", *, in_full=False, **changes):
    """Return what is said of it."""
    return failed(result, advice, **changes).text(in_full=in_full)


class TestFailure:
    def test_first_what_happened_then_what_to_do_then_why(self):
        found = comparison(**FAILURE_WORSE, p_below_rope=0.9999, classes=DROPS)
        lines = failure(found).splitlines()
        assert lines == [
            "≪ macro-F1 −7.0 points (you allow 1): 0.982 → 0.912",
            "  Do: this.",
            "  95% likely  −8.5 to −5.5, significantly worse",
            "  F1 falls in spam: 0.900 → 0.800, ham: 0.900 → 0.800",
        ]

    def test_what_is_demanded_and_what_would_settle_it_come_before_where_it_is(self):
        text = failure(comparison(examples_needed=340, classes=DROPS), "", policy=BETTER)
        places = [text.index(f"\n  {name}  ") for name in ("demanded", "95% likely", "chance", "to settle")]
        assert sorted(places) == places
        assert places[-1] < text.index("F1 falls in")

    def test_a_floor(self):
        found = estimate(floor=0.85, below_floor=True, above_floor=False, p_below_floor=0.999_95)
        assert failure(found).splitlines() == [
            "macro-F1 0.800 is below the floor of 0.85",
            "  Do: this.",
            "  95% likely  0.780 to 0.820, P(below the floor) >99%",
            "  tested on   1,000 examples",
        ]

    def test_a_measure_of_the_users_own_has_no_points(self):
        def profit(p):
            return 100 * np.trace(p, axis1=-2, axis2=-1)

        text = failure(compare([[48, 2], [3, 47]], [[40, 10], [10, 40]], measure=profit, rope=5, n_draws=2_000), "")
        assert re.match(r"≪ profit −15\.00 \(you allow 5\): 95\.00 → 80\.00\n", text)
        assert "point" not in text

    @pytest.mark.parametrize("name", HOSTILE)
    def test_lines_fit_whatever_the_names(self, name):
        drops = falling(name, name, name)
        result = comparison(**FAILURE_WORSE, measure=f"f1[{name}]", classes=drops)
        text = failure(result, part=f"class {name}")
        first, *others = text.splitlines()
        assert len(first) < 120
        assert max(map(len, others)) <= WIDTH

    def test_the_session_knows_where_the_rest_is(self):
        verdict = failed(comparison(**FAILURE_WORSE))
        message = verdict.message
        with active(Session(more="out/report.html")):
            assert verdict.message == f"{message}\n  more        out/report.html"
            assert "more  " not in replace(verdict, outcome=Outcome.UNDECIDED).message


OPEN = comparison()


class TestVerdict:
    def test_what_the_data_cannot_tell_warns_only_where_the_project_asks_for_it(self):
        with active(Session()):
            enforce(gated(OPEN))  # the suite makes errors of warnings
        with active(Session(warn_undecided=True)):
            enforce(gated(result(Decision.EQUIVALENT)))
        with active(Session(warn_undecided=True)), pytest.warns(UndecidedWarning) as caught:
            enforce(gated(OPEN))
        assert str(caught[0].message) == Verdict.of(OPEN, NOT_WORSE).message
        assert caught[0].filename == __file__


VERDICTS: dict[Policy, dict[Decision, str]] = {
    NOT_WORSE: {Decision.MUCH_WORSE: "failed", Decision.WORSE: "warned", Decision.UNDECIDED: "undecided"},
    NOT_INFERIOR: {Decision.MUCH_WORSE: "failed", Decision.WORSE: "failed", Decision.UNDECIDED: "failed"},
    BETTER: {decision: "failed" for decision in Decision if decision is not Decision.MUCH_BETTER},
    EQUIVALENT: {decision: "failed" for decision in Decision if decision is not Decision.EQUIVALENT},
}


class TestPolicy:
    @pytest.mark.parametrize("decision", Decision, ids=lambda decision: decision.name)
    @pytest.mark.parametrize("policy", VERDICTS, ids=lambda policy: policy.key)
    def test_what_follows_from_a_decision(self, policy, decision):
        hdi = (HDI | {Decision.BETTER: (0.001, 0.04)})[decision]
        assert policy.judge(comparison(decision=decision, hdi=hdi)) == VERDICTS[policy].get(decision, "passed")

    @pytest.mark.parametrize(("low", "is_open"), [(-0.009, False), (-0.01, True), (-0.011, True)])
    def test_an_open_question_about_a_gain_alone_fails_no_gate_against_losses(self, low, is_open):
        undecided, better = (
            comparison(decision=each, hdi=(low, 0.04)) for each in (Decision.UNDECIDED, Decision.BETTER)
        )
        assert NOT_WORSE.judge(undecided) == ("undecided" if is_open else "passed")
        assert NOT_INFERIOR.judge(undecided) == NOT_INFERIOR.judge(better) == ("failed" if is_open else "passed")

    @pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
    def test_a_policy_is_asked_for_by_an_assertion_or_in_a_gate_file(self, policy):
        name, *flags = policy.assertion.split(", ")
        if not hasattr(assertions, name):
            assert any(policy in policies for policies in FAILS_ON.values())
            return
        side = [[480, 20], [30, 470]]
        data = (side, 0.5) if policy.is_floor else (side, side)
        rope = {} if policy.is_floor else {"rope": 0.01}
        with recording() as found, suppress(AssertionError, BayesF1Warning):
            getattr(assertions, name)(*data, **rope, **dict.fromkeys(flags, True))
        assert found[0].demand.policy is policy

    @pytest.mark.parametrize(
        ("below", "above", "verdict", "proven"),
        [
            (True, False, Outcome.FAILED, Outcome.FAILED),
            (False, False, Outcome.PASSED, Outcome.FAILED),
            (False, True, Outcome.PASSED, Outcome.PASSED),
        ],
    )
    def test_a_floor_fails_what_lies_wholly_below_it_and_proven_what_lies_partly(self, below, above, verdict, proven):
        found = estimate(below_floor=below, above_floor=above)
        assert (AT_LEAST.judge(found), PROVEN_AT_LEAST.judge(found)) == (verdict, proven)
