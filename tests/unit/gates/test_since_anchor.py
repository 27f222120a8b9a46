"""The budget of a total loss, and a gate file's second comparison."""

import json
import re

import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.data.confusion import ConfusionMatrix
from pytest_bayesf1.errors import BaselineError, GateFileError
from pytest_bayesf1.gates.evaluate import PART, budget_of, evaluate, judge_since_anchor
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.gates.manifest import GateSettings
from pytest_bayesf1.gates.policy import Judgement, Policy
from pytest_bayesf1.settings import Session, active
from tests.unit.gates.written_gates import gate_file, one_gate

N = 10_000


def cells(n_right):
    half = n_right // 2
    return [[half, N // 2 - half], [N // 2 - half, half]]


ANCHOR, BASELINE, CANDIDATE = cells(9_000), cells(8_800), cells(8_750)


def compared(candidate=CANDIDATE, baseline=BASELINE, **arguments):
    return run_comparison(baseline, candidate, **{"measure": "accuracy", "rope": 0.02, "n_draws": 2_000, **arguments})


@pytest.mark.parametrize(
    ("rope", "budget"),
    [(0.02, 0.04), ((-0.01, 0.03), 0.02), ((0, 0.02), 0), ((-0.02, 0), 0.04), ((0.6, "wide"), 0.6)],
)
def test_the_budget_is_twice_the_lower_half_of_the_rope(rope, budget):
    assert budget_of(compared(rope=rope)) == budget


def test_of_a_function_of_the_users_own_nobody_knows_how_far_scores_reach():
    assert budget_of(compared(measure=lambda joint: joint[..., 0, 0] * 100, rope=5)) == 10


def test_a_call_decides_before_the_project():
    with active(Session({"budget": 0.05})):
        assert (budget_of(compared(), 0.03), budget_of(compared())) == (0.03, 0.05)


@pytest.mark.parametrize(
    ("budget", "expected"),
    [(1, "a difference of scores"), (0, "a loss above 0"), (-0.1, "a loss above 0"), (float("inf"), "a loss above 0"),
     ("much", "a loss above 0")],
)  # fmt: skip
def test_what_is_no_budget(budget, expected):
    with pytest.raises(InputError, match=f"^budget: expected {expected}"):
        budget_of(compared(), budget)


def judged(candidate=CANDIDATE, budget=0.01, origin="2 May 2026, 1a2b3c4, 6 baselines ago", baseline=BASELINE):
    first = Judgement.of(compared(candidate, baseline), Policy.NOT_WORSE)
    sides = Sides.aligned(ConfusionMatrix(ANCHOR), ConfusionMatrix(candidate))
    arguments = {"measure": "accuracy", "rope": 0.02, "n_draws": 2_000}
    return judge_since_anchor(sides, arguments, first, budget, origin=origin, count_anew="do this")


def test_a_loss_in_steps_is_told_in_words():
    judgement = judged()
    assert (judgement.verdict, judgement.part, judgement.policy) == ("failed", PART, Policy.NOT_WORSE)
    assert re.fullmatch(
        r"Find what was lost on the way: each step was within what you tolerate, but since the anchor \(2 May 2026, "
        r"1a2b3c4, 6 baselines ago\) accuracy has fallen by 2\.[45]\d? points \(1\.\d+ to 3\.\d+\), more than the "
        r"budget of 1 point\. If the loss is wanted, count from this candidate on, in a change that says so:"
        r"\n    do this",
        judgement.advice,
    )


@pytest.mark.parametrize(
    ("candidate", "budget", "origin", "begin"),
    [
        (cells(7_000), 0.01, "", "Find what was lost on the way: since the anchor accuracy has fallen by 20.0 points"),
        (cells(8_790), 0.02, "", "Test on more examples: these cannot tell whether more is lost since the anchor than"),
        (cells(9_600), 0.02, "v1.csv", "The candidate is better than the anchor (v1.csv). To count total loss"),
    ],
)  # fmt: skip
def test_what_else_is_to_be_known(candidate, budget, origin, begin):
    assert judged(candidate, budget, origin).advice.startswith(begin)


def test_within_the_budget_there_is_nothing_to_say():
    assert judged(cells(8_990), budget=0.05).advice == ""


@pytest.fixture
def evaluated(tmp_path):
    """Evaluate a gate with an anchor."""

    def run(baseline=BASELINE, candidate=CANDIDATE, **settings):
        sides = {"v1.json": ANCHOR, "a.json": baseline, "b.json": candidate}
        for name, counts in sides.items():
            (tmp_path / name).write_text(json.dumps(counts))
        known = {"measure": "accuracy", "anchor": "v1.json", "budget": 0.01, **settings}
        text = one_gate(**{key: value for key, value in known.items() if value is not None})
        (gate,) = load_gates(gate_file(tmp_path, text), tmp_path)
        return evaluate(gate)

    return run


def test_a_gate_fails_by_its_anchor_alone(evaluated, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    result = evaluated()
    assert (result.overall.verdict, result.verdict) == ("passed", "failed")
    assert [(record.part, record.verdict) for record in result.records()] == [("", "passed"), (PART, "failed")]
    message = " ".join(result.message.split())
    assert message.startswith("≪ since the anchor, accuracy −2.")
    assert "since the anchor (v1.json) accuracy has fallen" in message
    assert " bayesf1 baseline update bayesf1.yaml --gate spam --anchor decision " in message
    assert GateSettings.of_gate(result).budget == 0.01


def test_an_agreement_is_about_the_baseline(evaluated):
    result = evaluated(agreement=0.93)
    assert result.overall.comparison.stated_agreement == (0.93, 0.93)
    (since,) = result.since_anchor
    assert (since.comparison.stated_agreement, since.comparison.model) == (None, "same-set")
    assert GateSettings.of_gate(result).agreement == "93%"


def test_parts_are_counted_without_the_anchor(evaluated):
    result = evaluated(per_class=True)
    assert [record.part for record in result.records()] == ["", PART, "class 0", "class 1"]
    assert result.notes()[0].startswith("0 of 2 comparisons of single classes")


def test_a_total_loss_that_nobody_can_tell_does_not_change_the_verdict(evaluated):
    result = evaluated(candidate=cells(8_795), budget=0.02)
    assert [record.verdict for record in result.records()] == ["passed", "warned"]
    assert result.verdict == "passed"


def test_the_anchor_itself_as_baseline_is_compared_once(evaluated):
    result = evaluated(baseline=ANCHOR, candidate=cells(8_950))
    assert (result.since_anchor, result.budget) == ((), 0.01)


def test_without_an_anchor_there_is_no_budget(evaluated):
    result = evaluated(anchor=None)
    assert (result.since_anchor, result.budget, result.verdict) == ((), None, "passed")
    assert GateSettings.of_gate(result).budget is None


def test_the_budget_of_a_gate_is_by_default_that_of_its_rope(evaluated):
    result = evaluated(budget=None)
    assert (result.budget, result.verdict) == (0.04, "passed")


def test_a_missing_anchor_is_told_with_the_command_that_begins_one(evaluated, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BaselineError) as caught:
        evaluated(anchor="v2.json")
    assert str(caught.value) == (
        "bayesf1.yaml:1: gates.spam.anchor: expected a file, got none at v2.json. To begin with the baseline as "
        "anchor, run: bayesf1 baseline update bayesf1.yaml --gate spam --new"
    )


def test_an_anchor_that_cannot_be_read_is_no_fault_of_the_candidate(evaluated, tmp_path):
    (tmp_path / "v2.json").write_text("[[1, 2]]")
    with pytest.raises(BaselineError, match=r"^anchor \("):
        evaluated(anchor="v2.json")


def test_an_anchor_outside_of_the_project_is_refused(evaluated):
    with pytest.raises(GateFileError, match=r"gates\.spam\.anchor: expected a file inside"):
        evaluated(anchor="../v1.json")
