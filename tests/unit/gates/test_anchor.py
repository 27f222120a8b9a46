import re
from math import inf

import pytest

from pytest_bayesf1 import BaselineError, ConfusionMatrix, InputError, LeaningWorseWarning
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.gates.anchor import PART, SinceAnchor, budget_of
from pytest_bayesf1.gates.demand import Demand
from pytest_bayesf1.gates.evaluate import enforce, evaluate, judge
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.gates.manifest import row_of
from pytest_bayesf1.gates.source import Pair
from pytest_bayesf1.results.policy import NOT_WORSE
from pytest_bayesf1.session import Session, active
from tests.functional.gates import write_counts
from tests.unit.gates.written_gates import gate_file, one_gate
from tests.unit.made_up import listed

N = 10_000


def cells(n_right):
    half = n_right // 2
    return [[half, N // 2 - half], [N // 2 - half, half]]


ANCHOR, BASELINE, CANDIDATE = cells(9_000), cells(8_800), cells(8_750)


def judged(candidate=CANDIDATE, budget=0.01, anchor=ANCHOR, **arguments):
    since = SinceAnchor(Sides.aligned(*map(ConfusionMatrix, (anchor, candidate))), "spam.anchor.json", "do this")
    source = Pair(BASELINE, candidate, anchor=lambda: since)
    asked = {"measure": "accuracy", "rope": 0.02, "n_draws": 2_000, **arguments}
    (found,) = judge(source, Demand(policy=NOT_WORSE, arguments=asked, budget=budget)).since_anchor
    return found


class TestSinceAnchor:
    def test_an_anchor_that_cannot_be_compared_says_what_to_do(self):
        with pytest.raises(
            BaselineError, match=r"anchor: Another test set than .* class 0 .*\. Count total .* on: do this"
        ):
            judged(anchor=[[5, 1], [1, 5]], on_new_test_set="error")

    @pytest.mark.parametrize(("allowed", "budget"), [(0.02, 0.04), (0, 0), (0.6, 0.6)])
    def test_the_budget_is_twice_what_a_step_may_lose(self, allowed, budget):
        assert budget_of(allowed) == budget

    def test_of_a_function_of_the_users_own_nobody_knows_how_far_scores_reach(self):
        assert (budget_of(5, bounded=False), budget_of(5, 7, bounded=False)) == (10, 7)

    def test_a_call_decides_before_the_project(self):
        with active(Session({"budget": 0.05})):
            assert (budget_of(0.02, 0.03), budget_of(0.02)) == (0.03, 0.05)

    @pytest.mark.parametrize(
        ("budget", "expected"),
        [(1, "a difference of scores"), *((each, "a loss above 0") for each in (0, -0.1, inf, "x"))],
    )
    def test_what_is_no_budget(self, budget, expected):
        with pytest.raises(InputError, match=f"^budget: expected {expected}"):
            budget_of(0.02, budget)

    def test_a_loss_in_steps_is_told_in_words(self):
        found = judged()
        assert (found.outcome, found.part, found.policy) == ("failed", PART, NOT_WORSE)
        assert re.search(r"accuracy has fallen by 2\.5 points \(95% likely 1\.\d+ to 3\.\d+\)", found.advice)
        assert "each step was within what you allow, but since the anchor (spam.anchor.json)" in found.advice
        assert "more than the 1 point that you allow in all" in found.advice

    @pytest.mark.parametrize(
        ("candidate", "said"),
        [
            (7_000, "Find what you lost on the way: since the anchor (spam.anchor.json) accuracy has fallen by 20.0"),
            (8_790, "Test on more examples: these cannot tell whether you lost more since the anchor"),
            (9_600, "The candidate is better than the anchor (spam.anchor.json)."),
        ],
    )
    def test_what_else_is_to_be_known(self, candidate, said):
        found = judged(cells(candidate), 0.02)
        assert found.advice.startswith(said)
        assert found.command == "do this" * (candidate == 9_600)

    def test_within_the_budget_there_is_nothing_to_say(self):
        assert judged(cells(8_990), budget=0.05).advice == ""

    @pytest.fixture
    def evaluated(self, tmp_path):
        """Evaluate a gate with an anchor."""

        def run(baseline=BASELINE, candidate=CANDIDATE, **settings):
            sides = {"v1.json": ANCHOR, "a.json": baseline, "b.json": candidate}
            for name, table in sides.items():
                write_counts(tmp_path / name, table)
            known = {"measure": "accuracy", "anchor": "v1.json", "budget": 0.01, **settings}
            text = one_gate(**{key: value for key, value in known.items() if value is not None})
            (gate,) = load_gates(gate_file(tmp_path, text), tmp_path)
            return evaluate(gate)

        return run

    def test_a_gate_fails_by_its_anchor_alone(self, evaluated, monkeypatch, tmp_path):
        monkeypatch.chdir(tmp_path)
        result = evaluated()
        assert (result.overall.outcome, result.outcome) == ("passed", "failed")
        assert [(record.part, record.gate, record.outcome) for record in listed(result)] == [
            ("", 'fail_on "<<"', "passed"), (PART, "anchor", "failed"),
        ]  # fmt: skip
        assert result.message.startswith("≪ since the anchor, accuracy −2.")
        assert "since the anchor (v1.json) accuracy" in " ".join(result.message.split())
        assert row_of(result)["budget"] == 0.01
        assert [each.partition(":")[0] for each in result.loss.failed] == [PART]
        assert result.notes() == ()

    def test_parts_are_counted_without_the_anchor(self, evaluated):
        result = evaluated(per_class=True)
        assert [record.part for record in listed(result)] == ["", PART, "class 0", "class 1"]
        assert result.notes()[0].startswith("0 of 2 classes and slices failed. ")

    def test_a_total_loss_that_nobody_can_tell_does_not_change_the_verdict(self, evaluated):
        result = evaluated(candidate=cells(8_765), budget=0.02)
        assert [record.outcome for record in listed(result)] == ["passed", "warned"]
        assert result.outcome == "passed"
        with pytest.warns(LeaningWorseWarning, match="^< since the anchor, "):
            enforce(result)

    def test_the_anchor_itself_as_baseline_is_compared_once(self, evaluated):
        result = evaluated(baseline=ANCHOR, candidate=cells(8_950), budget=0.05)
        assert (result.since_anchor, result.budget) == ((), 0.05)

    def test_a_budget_below_the_rope_counts_from_the_anchor_as_baseline_too(self, evaluated):
        result = evaluated(baseline=ANCHOR, candidate=cells(8_500), rope=[0.15, "wide"], budget=0.02)
        assert (result.overall.outcome, result.outcome) == ("passed", "failed")
        (since,) = result.since_anchor
        assert since.comparison.rope[0] == -0.02

    def test_without_an_anchor_there_is_no_budget(self, evaluated):
        result = evaluated(anchor=None)
        assert (result.since_anchor, result.budget, result.outcome) == ((), None, "passed")
        assert "budget" not in row_of(result)

    def test_a_missing_anchor_is_told_with_the_command_that_begins_one(self, evaluated, monkeypatch, tmp_path):
        monkeypatch.chdir(tmp_path)
        with pytest.raises(BaselineError) as caught:
            evaluated(anchor="v2.json")
        assert str(caught.value) == (
            "bayesf1.yaml:1: gates.spam.anchor (v2.json): file not found. To begin with the baseline as "
            "anchor, run: bayesf1 baseline update bayesf1.yaml --gate spam --new"
        )

    def test_an_anchor_that_cannot_be_read_is_no_fault_of_the_candidate(self, evaluated, tmp_path):
        (tmp_path / "v2.json").write_text("[[1, 2]]")
        with pytest.raises(BaselineError, match=r"^anchor \("):
            evaluated(anchor="v2.json")
