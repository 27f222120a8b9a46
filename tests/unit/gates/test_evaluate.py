import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_bayesf1 import BaselineError, Decision, InputError, assert_at_least, compare
from pytest_bayesf1.comparison import compare as drawing
from pytest_bayesf1.comparison.sampling import draw_delta
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.gates.acceptance import Terms
from pytest_bayesf1.gates.anchor import PART
from pytest_bayesf1.gates.demand import Demand, Family, Verdict
from pytest_bayesf1.gates.evaluate import GateRun, evaluate, judged_gap
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.gates.source import Declared, Pair, RunFiles
from pytest_bayesf1.results.comparison import GapEstimate, ScoreGap
from pytest_bayesf1.results.policy import NOT_WORSE, Outcome
from pytest_bayesf1.session import Session, active
from pytest_bayesf1.stats.looks import hdi_prob_at_look
from pytest_bayesf1.words.results import format_gap
from tests.unit.files.written import write_csv
from tests.unit.gates.written_gates import (
    BASELINE,
    CANDIDATE,
    N,
    counts,
    figures,
    gate_file,
    one_gate,
    parts,
    result_of,
    side,
)
from tests.unit.made_up import comparison, listed, recording


class TestEvaluate:
    def test_scores_have_no_classes_to_judge(self, tmp_path):
        ranked = {"y_true": [0, 1] * 75, "y_score": [0.2, 0.7, 0.3, 0.6, 0.8, 0.9] * 25}
        result = result_of(tmp_path, ranked, {**ranked}, measure="roc_auc", per_class=True)
        assert len(result.judged) == 1
        assert result.left_out[0].startswith("class 0 could not be compared: measure: expected plain 'roc_auc'")

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")
    def test_slices_are_compared_on_what_both_have_however_few(self, tmp_path):
        def side(positions):
            return {
                "id": [f"e{i}" for i in positions],
                "y_true": ["ab"[i % 2] for i in positions],
                "y_pred": ["ab"[i % 2] if i % 5 else "b" for i in positions],
                "part": ["small" if i < 20 else "large" for i in positions],
            }

        result = result_of(tmp_path, side(range(200)), side(range(3, 210)), slices=["part"])
        compared = {each.part: each.comparison.n_samples for each in result.judged}
        assert compared == {"": (197, 197), "part=large": (180, 180), "part=small": (17, 17)}
        told = [(each.part, each.by, each.value) for each in listed(result)]
        assert told == [("", "", ""), ("part=large", "part", "large"), ("part=small", "part", "small")]
        assert result.left_out == ()
        asked = {"slices": ["part"], "on_new_test_set": "independent"}
        apart = result_of(tmp_path, side(range(200)), side(range(3, 210)), **asked)
        assert [each.comparison.n_samples for each in apart.judged] == [(200, 207), (180, 190), (20, 17)]

    def test_what_stands_in_the_file_decides(self, tmp_path):
        settings = {"rope": 0.5, "measure": "accuracy", "hdi_prob": 0.6, "prior": "uniform", "n_draws": 1_000}
        with recording(settings=settings) as recorded:
            found = result_of(tmp_path, BASELINE, CANDIDATE, per_class=True).overall.comparison
        assert figures(found) == figures(compare(counts(BASELINE), counts(CANDIDATE), rope=0.02))
        assert recorded == []

    def test_a_missing_baseline_names_the_command_that_makes_it(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "b.json").touch()
        (gate,) = load_gates(gate_file(tmp_path, one_gate("the gate's"), "bayesf1 it.yaml"), tmp_path)
        with pytest.raises(BaselineError) as caught:
            evaluate(gate)
        assert str(caught.value) == (
            "bayesf1 it.yaml:1: gates.the gate's.baseline (a.json): file not found. To make the candidate the "
            "baseline, run: bayesf1 baseline update 'bayesf1 it.yaml' --gate 'the gate'\"'\"'s' --new"
        )


LANGUAGES = ["de", "en", "fr", "fi"] * (N // 4)
FAIR = side(0.9, 1, language=LANGUAGES)
UNFAIR = side(0.86, 2, language=LANGUAGES)
UNFAIR["y_pred"] = [
    "a" if language == "fi" and number % 3 else guess
    for number, (guess, language) in enumerate(zip(UNFAIR["y_pred"], LANGUAGES, strict=True))
]


def in_family(folder, n_gates, candidate=UNFAIR, **settings):
    """Evaluate one gate of a family of so many."""
    gate = {"baseline": "a.json", "candidate": "b.json", "rope": 0.02, "measure": "accuracy", **settings}
    content = {"gates": {f"g{n}": gate for n in range(n_gates)}, "families": {"all": {"gates": ["g*"]}}}
    for name, data in (("a", FAIR), ("b", candidate)):
        (folder / f"{name}.json").write_text(json.dumps(data))
    first, *_ = load_gates(gate_file(folder, json.dumps(content)), folder)
    return evaluate(first)


class TestEvaluateFamilies:
    @pytest.mark.slow
    def test_all_that_can_fail_a_gate_shares_what_it_has_of_the_level(self, tmp_path, monkeypatch):
        tails = []
        monkeypatch.setattr(drawing, "draw_delta", lambda *given: tails.append(given[-1]) or draw_delta(*given))
        (tmp_path / "c.json").write_text(json.dumps(side(0.88, 3)))
        result = in_family(tmp_path, 2, slices=["language", "y_true"], per_class=True, max_gap=0.05, anchor="c.json")
        assert len(result.since_anchor) == 1
        assert result.demand.family.n_comparisons == 1 + 1 + 3 + (4 + 3) + 2
        assert result.demand.tail == pytest.approx(0.05 / 28)
        assert {*tails} == {result.demand.tail}
        surely = [each for each in result.judged if 1 - each.comparison.p_below_rope < result.demand.tail]
        assert all(each.lifted for each in result.judged if each.comparison.decision == "<<" and each not in surely)
        assert [each.outcome for each in surely] == ["failed"] * len(surely)

    @pytest.mark.slow
    def test_a_gap_can_fail_a_gate_of_which_no_part_is_significantly_worse(self, tmp_path):
        result = result_of(tmp_path, UNFAIR, UNFAIR, slices=["language"], measure="accuracy", max_gap=0.1)
        assert "failed" not in [each.outcome for each in result.judged]
        assert result.outcome == "failed"
        unfair = UNFAIR | {"half": ["x", "y"] * (N // 2)}
        both = result_of(tmp_path, unfair, unfair, slices=["language", "half"], measure="accuracy", max_gap=0.1)
        assert [(each.by, each.gap.best[:4], each.gap.worst[:4]) for each in both.gaps] == [
            ("language", "lang", "lang"),
            ("half", "half", "half"),
        ]

    @pytest.mark.slow
    def test_a_gap_has_its_part_of_the_level_of_a_family(self, tmp_path):
        (found,) = in_family(tmp_path, 20, slices=["language"], max_gap=0.21).gaps
        assert 0.05 / 20 / 6 < found.gap.p_value < 0.05 / 6
        assert found.outcome == "warned"

    def test_how_files_are_read_is_listed(self, tmp_path):
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / "gold.conll").write_text("word O")
        gold, pattern = str(tmp_path / "data" / "gold.conll"), "a|b"
        readings = {
            "baseline": Schema(columns=(("id", "doc"),), rows=(("final", "True"),), gold=gold, show=("text",)),
            "anchor": Schema(clusters="doc"),
            "candidate": Schema(invalid="wrong", answer=pattern),
        }
        declared = Declared(name="a", file=tmp_path / "bayesf1.yaml", line=1)
        found = RunFiles(declared=declared, readings=readings, runs=()).fingerprint()["reading"]
        assert re.sub(r"\b\w{12}\b", "12345", found) == (
            'baseline columns: {"id": "doc"}, rows: {"final": "True"}, gold: "data/gold.conll of checksum 12345"; '
            'anchor clusters: "doc"; candidate invalid: "wrong", answer: "a|b"'
        )

    @pytest.mark.slow
    def test_an_example_is_in_the_slice_that_the_baseline_s_file_says(self, tmp_path):
        moved = {**UNFAIR, "language": ["xx" if each == "fi" else each for each in UNFAIR["language"]]}
        found = [
            result_of(tmp_path, FAIR, candidate, slices=["language"], measure="accuracy")
            for candidate in (UNFAIR, moved)
        ]
        said = [[(each.part, each.outcome, figures(each.comparison)) for each in result.judged] for result in found]
        assert said[0] == said[1]
        assert [each.part for each in found[1].judged][-1] == "language=fr"

    @pytest.mark.slow
    def test_a_slice_that_nothing_is_compared_in_has_no_part_of_the_level(self, tmp_path):
        junk = {name: [*values, *values[:50]] for name, values in UNFAIR.items()}
        junk["language"][N:], junk["id"][N:] = [f"junk{n}" for n in range(50)], range(N, N + 50)
        found = in_family(tmp_path, 2, junk, slices=["language"])
        assert found.demand.family.n_comparisons == 1 + 4

    def test_one_slice_alone_has_no_gap_and_a_limit_in_per_cent_is_none(self, tmp_path):
        one = [{**each, "language": ["de"] * N} for each in (FAIR, UNFAIR)]
        assert result_of(tmp_path, *one, slices=["language"], measure="accuracy", max_gap=0.05).gaps == ()
        with pytest.raises(InputError, match="max_gap: expected a difference of scores"):
            result_of(tmp_path, FAIR, UNFAIR, slices=["language"], max_gap=5)


class TestLooks:
    """A test set that still grows: N of the planned examples are there."""

    LOST = side(0.81, 2, language=LANGUAGES)

    def test_an_early_look_fails_only_what_is_far_worse(self, tmp_path):
        alone, early = (
            result_of(tmp_path, FAIR, self.LOST, measure="accuracy", **looks)
            for looks in ({}, {"looks": 4, "planned_examples": 3 * N})
        )
        assert (alone.outcome, early.outcome) == ("failed", "warned")
        assert alone.overall.comparison.hdi_prob == 0.95
        assert early.overall.comparison.hdi_prob == pytest.approx(hdi_prob_at_look(4, 1 / 3), abs=1e-6)
        (note,) = (each for each in early.notes() if "look" in each)
        assert note.startswith("This is a look at 400 of 1,200 planned examples. The gate uses a 99.9")
        far_worse = result_of(tmp_path, side(0.9, 1), side(0.5, 2), measure="accuracy", looks=4, planned_examples=3 * N)
        assert far_worse.outcome == "failed"

    def test_parts_and_the_anchor_are_judged_by_the_level_of_the_whole(self, tmp_path):
        looks = {"looks": 2, "planned_examples": 2 * N}
        (tmp_path / "c.json").write_text(json.dumps(side(0.88, 3)))
        asked = {"slices": ["language"], "anchor": "c.json", "per_class": True, "measure": "accuracy", **looks}
        result = result_of(tmp_path, FAIR, self.LOST, **asked)
        assert len(result.judged) == 1 + 3 + 4 + 1
        (level,) = {each.comparison.hdi_prob for each in result.judged}
        assert level == pytest.approx(hdi_prob_at_look(2, 0.5), abs=1e-5)

    @pytest.mark.parametrize("turned", [False, True])
    def test_the_smaller_of_two_test_sets_counts(self, tmp_path, turned):
        half = {name: values[: N // 2] for name, values in side(0.9, 2).items()}
        sides = [side(0.9, 1), half][:: -1 if turned else 1]
        result = result_of(tmp_path, *sides, on_new_test_set="independent", looks=2, planned_examples=N)
        assert result.overall.comparison.hdi_prob == pytest.approx(hdi_prob_at_look(2, 0.5), abs=1e-5)


def examples(truth, predictions, **columns):
    return {"id": list(range(len(truth))), "y_true": truth, "y_pred": predictions, **columns}


class TestEvaluateSlices:
    def test_every_class_is_compared_by_the_measure_of_the_gate(self, tmp_path):
        asked = {"measure": "precision_weighted", "model": "same-set", "prior": "jeffreys"}
        result = result_of(tmp_path, BASELINE, CANDIDATE, per_class=True, **asked)
        found = parts(result)
        assert [*found] == ["", "class a", "class b", "class c"]
        assert [each.gate for each in result.judged] == ['fail_on "<<"', *["per_class"] * 3]
        for label in "abc":
            direct = compare(
                counts(BASELINE), counts(CANDIDATE), rope=0.02, **asked | {"measure": f"precision[{label}]"}
            )
            assert figures(found[f"class {label}"]) == figures(direct)

    def test_a_slice_of_one_class_is_judged_by_the_classes_of_the_whole(self, tmp_path):
        truth = ["ham", "spam"] * 100
        columns = examples(truth, truth, language=["en"] * 198 + ["x", "y"])
        result = result_of(tmp_path, columns, columns, slices=["language"])
        assert list(parts(result)) == ["", "language=en", "language=x", "language=y"]
        assert Counter(str(each.outcome) for each in result.verdicts) == {"passed": 3, "undecided": 2}

    def test_a_value_on_one_side_only_is_left_out_and_told(self, tmp_path):
        renamed = [{"en": "EN"}.get(value, value) for value in LANGUAGES]
        sides = {**BASELINE, "language": LANGUAGES}, {**CANDIDATE, "language": renamed}
        unnamed = [{name: values for name, values in each.items() if name != "id"} for each in sides]
        result = result_of(tmp_path, *unnamed, slices=["language"], measure="accuracy")
        assert list(parts(result)) == ["", "language=de", "language=fi", "language=fr"]
        assert result.left_out == (
            "language=EN could not be compared: baseline: no example of this slice",
            "language=en could not be compared: candidate: no example of this slice",
        )

    def test_slices_of_which_none_can_be_compared_are_an_error(self, tmp_path):
        sides = [{**each, "region": [region] * N} for each, region in ((BASELINE, "eu"), (CANDIDATE, "EU"))]
        for each in sides:
            del each["id"]  # by which the baseline's file would say in which region an example is
        with pytest.raises(InputError, match="slices: region: The two sides have no value in common"):
            result_of(tmp_path, *sides, slices=["region"])

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.LeakageWarning")
    def test_a_slice_without_examples_of_the_class_asked_for_is_listed_with_the_reason(self, tmp_path):
        truth = ["hateful", "fine"] * 200 + ["fine"] * 50
        baseline = ["hateful", "fine"] * 200 + ["hateful"] * 3 + ["fine"] * 47
        where = ["chat"] * 400 + ["mail"] * 50
        candidate = ["hateful", "fine"] * 200 + ["fine"] * 50
        sides = [examples(truth, each, place=where) for each in (baseline, candidate)]
        result = result_of(tmp_path, *sides, slices=["place"], measure="f1[hateful]", rope=0.05)
        assert list(parts(result)) == ["", "place=chat"]
        (told,) = result.left_out
        assert told.startswith("place=mail could not be compared: measure f1[hateful]: expected an example of the")
        assert "none of class 'hateful' in the test set of the baseline" in told


WORSE_BY_FAR = {"decision": Decision.MUCH_WORSE, "mean": -0.05, "hdi": (-0.07, -0.03)}
MATRIX = [[50, 2], [3, 45]]
BETTER = {"decision": Decision.BETTER, "mean": 0.02, "hdi": (-0.02, 0.04)}
LEANING_WORSE = {"decision": Decision.WORSE, "mean": -0.02, "hdi": (-0.04, 0.0)}
EQUIVALENT = {"decision": Decision.EQUIVALENT, "mean": 0.001, "hdi": (-0.004, 0.006)}
FAMILY = Family("all", 0.05, 10)
GAP = ScoreGap(
    by="language",
    best="language=de",
    worst="language=fi",
    baseline=GapEstimate(0.02, (0.001, 0.04)),
    candidate=GapEstimate(0.081, (0.06, 0.102)),
)
TOO_WIDE = Verdict(GAP, NOT_WORSE, "max_gap", Outcome.FAILED, "Too wide.", by="language")
LIFTED = replace(TOO_WIDE, outcome=Outcome.WARNED, advice="Perhaps too wide.")


def result(*, fail_on="<<", overall=None, parts=(), left_out=(), hdi_prob=0.95, family=None, gaps=()):
    """Return what a gate says of all the data, and of parts: each the changes to an undecided comparison."""
    demand = Demand.unless(fail_on, {"measure": "f1_macro", "rope": 0.01}, per_class=True, family=family)
    judged = [demand.judged(comparison(hdi_prob=hdi_prob, **(overall or {})))]
    judged += [
        demand.judged(comparison(measure=f"f1[{number}]", **changes), f"class {number}", "per_class")
        for number, changes in enumerate(parts)
    ]
    return GateRun(Pair(MATRIX, MATRIX), demand, (*judged, *gaps), tuple(left_out))


class TestGateRun:
    @pytest.mark.parametrize(
        ("said", "verdict"),
        [
            ({"parts": [EQUIVALENT]}, "undecided"),
            ({"overall": LEANING_WORSE, "parts": [{}]}, "warned"),
            ({"overall": EQUIVALENT, "parts": [{}, LEANING_WORSE]}, "passed"),
            ({"overall": LEANING_WORSE, "parts": [{}, WORSE_BY_FAR]}, "failed"),
            ({"overall": EQUIVALENT, "left_out": ["a slice"]}, "undecided"),
            ({"overall": EQUIVALENT, "left_out": ["a slice"], "fail_on": "unproven"}, "failed"),
            ({"overall": EQUIVALENT, "parts": [LEANING_WORSE], "fail_on": "unproven"}, "passed"),
            ({"overall": WORSE_BY_FAR, "family": FAMILY}, "warned"),
            ({"parts": [WORSE_BY_FAR, {**WORSE_BY_FAR, "p_below_rope": 1.0}], "family": FAMILY}, "failed"),
            ({"gaps": [LIFTED]}, "warned"),
            ({"overall": EQUIVALENT, "gaps": [LIFTED, TOO_WIDE]}, "failed"),
        ],
    )
    def test_what_all_verdicts_together_come_to(self, said, verdict):
        assert result(**said).outcome is Outcome(verdict)

    @pytest.mark.parametrize(
        ("overall", "parts", "expected"),
        [({}, [], True), (BETTER, [], True), (LEANING_WORSE, [], False), ({}, [WORSE_BY_FAR], False)],
        ids=["undecided", "better", "worse", "a class"],
    )
    def test_whether_it_failed_only_for_want_of_data(self, overall, parts, expected):
        assert result(fail_on="unproven", overall=overall, parts=parts).only_undecided is expected

    def test_notes_say_how_many_comparisons_were_made_and_how_many_false_alarms_to_expect(self):
        said = {"parts": [{}, WORSE_BY_FAR, {}], "left_out": ["class 9 could not be compared"]}
        chance, left_out = result(**said, hdi_prob=0.9).notes()
        assert chance.startswith("1 of 3 classes and slices failed. If none truly lost more than you allow, ")
        assert "expect up to 0.15 " in chance
        assert left_out == "class 9 could not be compared"
        kept = "he chance of any false failure in the 10 gates of the family all stays below 5%."
        assert result(**said, family=FAMILY).notes()[0] == f"0 of 3 classes and slices failed; t{kept}"
        assert result(family=FAMILY).notes() == (f"T{kept}",)
        assert result().notes() == ()

    def test_the_worst_of_many_comes_first_and_few_are_listed(self):
        parts = [{**WORSE_BY_FAR, "mean": -place / 100, "hdi": (-0.2, -place / 100)} for place in range(2, 11)]
        found = result(parts=parts)
        assert found.message.startswith("≪ class 8, ")
        assert found.message.splitlines()[-1] == "  also failed class 7, class 6, class 5 and 5 more parts"
        listed = [line.split(",")[0] for line in found.text(in_full=True).splitlines() if line.startswith("    ≪")]
        assert listed == [f"    ≪ class {number}" for number in (7, 6, 5, 4, 3, 2, 1, 0)]
        assert "\n  Also failed, the worst first:\n    ≪ class 7," in found.text(in_full=True)
        lifted = result(overall=EQUIVALENT, parts=[{}, WORSE_BY_FAR], family=FAMILY)
        assert lifted.message.startswith("≪ class 1, ")
        whole = result(overall=WORSE_BY_FAR, parts=parts[-1:])
        assert whole.message.startswith("≪ macro-F1 −5.0 points")
        assert whole.message.endswith("\n  also failed class 0")

    def test_the_session_may_ask_for_everything(self):
        found = result(overall=WORSE_BY_FAR, parts=[WORSE_BY_FAR])
        with active(Session(in_full=True, more="elsewhere")):
            told = found.message
        assert "elsewhere" not in told
        assert "1 of 1 classes and slices failed" in told
        for line in (*found.overall.comparison.notes(), "  computed    uniform prior"):
            assert line in told

    def test_whatever_failed_is_accepted_with_the_reason(self):
        found = result(overall=WORSE_BY_FAR, parts=[EQUIVALENT, WORSE_BY_FAR], gaps=[LIFTED, TOO_WIDE])
        anchor = Verdict.of(comparison(**WORSE_BY_FAR), NOT_WORSE, "", PART)
        terms = Terms("t.py::t", Path(), Path(), "pytest", [replace(found.loss, reason="half the size")])
        with active(Session(terms=lambda: terms)):
            accepted = replace(found, verdicts=(*found.judged, anchor, *found.gaps)).under_terms().verdicts
        outcomes = ["accepted", "passed", "accepted", "accepted", "warned", "accepted"]
        assert [each.outcome for each in accepted] == outcomes
        assert {each.advice for each in accepted if each.outcome == "accepted"} == {"Accepted: half the size"}

    def test_the_loss_to_accept_is_that_of_the_part_that_lost_most(self):
        parts = [{**WORSE_BY_FAR, "mean": mean, "hdi": (mean - 0.01, mean + 0.01)} for mean in (-0.06, -0.2, -0.1)]
        loss = result(overall=WORSE_BY_FAR, parts=parts).loss
        assert loss.loss == pytest.approx(0.2)
        assert len(loss.failed) == 4

    def test_the_message_of_a_warning_is_about_all_the_data(self):
        found = result(overall=LEANING_WORSE, parts=[LEANING_WORSE])
        assert found.message.startswith(found.overall.message)
        assert "class 0" not in found.message

    def test_a_gap_that_is_too_wide_fails_all_the_data_and_says_what_to_do(self):
        found = result(overall=EQUIVALENT, gaps=[TOO_WIDE])
        assert (found.whole.outcome, found.whole.advice) == ("failed", "Too wide.")
        assert found.notes() == (format_gap(GAP, comparison()),)
        assert "\n  Too wide.\n  The candidate's best and worst slices" in found.message
        assert not found.only_undecided
        assert not result(gaps=[TOO_WIDE], fail_on="unproven").only_undecided


class TestGap:
    @pytest.mark.parametrize(
        ("limit", "p_value", "n_gates", "verdict", "said"),
        [
            (None, None, 0, "passed", ""),
            (0.07, 0.1, 0, "passed", ""),
            (0.05, 0.001, 0, "failed", "The gap by language is wider than the 5 points of max_gap: "),
            (0.05, 0.001, 100, "warned", "a probability of 0.1%, not below 0.05%, this comparison's share"),
            (0.05, 0.001, 10, "failed", "find what language=fi lacks"),
        ],
        ids=["no limit", "not clearly", "clearly", "in a large family", "in a small one"],
    )
    def test_a_gap_is_judged_by_its_interval_and_by_the_family(self, limit, p_value, n_gates, verdict, said):
        family = Family("all", 0.05, n_gates) if n_gates else None
        found = judged_gap(replace(GAP, limit=limit, p_value=p_value), comparison(), family)
        assert found.outcome == verdict
        assert said in found.advice
        assert bool(found.advice) is bool(said)


class TestFloor:
    """A gate of one file, whose score must reach a floor."""

    @pytest.fixture
    def floor_gate(self, tmp_path):
        def gate(text, **columns):
            rows = {"id": range(200), "y_true": ["ham", "spam"] * 100, "lang": ["en"] * 100 + ["fi"] * 100, **columns}
            wrong = {"y_pred": ["ham", "spam"] * 90 + ["spam", "ham"] * 10} | columns
            write_csv(tmp_path / "new.csv", rows | wrong)
            (tmp_path / "bayesf1.yaml").write_text(f"gates: {{spam: {{candidate: new.csv, {text}}}}}")
            (found,) = load_gates(tmp_path / "bayesf1.yaml", tmp_path)
            return found

        return gate

    def test_classes_and_slices_must_reach_it_too(self, floor_gate):
        asked = {"measure": "accuracy", "hdi_prob": 0.8, "prior": "uniform", "seed": 3}
        of_file = ", ".join(f"{name}: {value}" for name, value in asked.items())
        result = evaluate(floor_gate(f"floor: 0.93, {of_file}, per_class: true, slices: [lang]"))
        said = {each.part: each.outcome for each in result.judged}
        assert list(said) == ["", "class ham", "class spam", "lang=en", "lang=fi"]
        assert (said["lang=en"], said["lang=fi"]) == ("passed", "failed")
        estimates = [each.decided for each in result.judged]
        assert [(each.hdi_prob, each.prior, each.seed) for each in estimates] == [(0.8, "uniform", 3)] * 5
        assert "If all truly reach the floor" in " ".join(result.notes())
        truth, answers = ["ham", "spam"] * 100, ["ham", "spam"] * 90 + ["spam", "ham"] * 10
        asked |= {"per_class": True, "slices": {"lang": ["en"] * 100 + ["fi"] * 100}}
        with pytest.raises(AssertionError) as error:
            assert_at_least(truth, answers, 0.93, **asked)
        assert str(error.value) == result.text(in_full=False).replace('"lang"', "lang")
        with pytest.raises(InputError, match=r"run_sd: It is about all the data"):
            assert_at_least(truth, answers, 0.93, **asked, run_sd=0.01)

    @pytest.mark.parametrize("more", ["", ", run_sd: 0.01", ", fail_on: unproven"])
    def test_a_floor_that_no_range_reaches_is_refused(self, floor_gate, more):
        """Of 300 right out of 300 it said '1.000 is clearly below the floor of 1'."""
        with pytest.raises(InputError, match=r"floor: No likely range .* To allow no error, write: assert list"):
            evaluate(floor_gate(f"floor: 1{more}", y_pred=["ham", "spam"] * 100))
