import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, Decision, InputError, compare
from pytest_bayesf1.comparison.compare import run_comparison, run_estimate
from pytest_bayesf1.gates.acceptance import Acceptance
from pytest_bayesf1.gates.demand import Verdict
from pytest_bayesf1.reports.entry import Place, Report, Verdicts, by_gate, verdict_of
from pytest_bayesf1.reports.record import GateRecord, Records, entry_of, read_record, read_report
from pytest_bayesf1.results.comparison import GapEstimate, ScoreGap, UnsupportedClass
from pytest_bayesf1.results.policy import NOT_INFERIOR, NOT_WORSE, Outcome
from pytest_bayesf1.results.run import UNKNOWN_RUN, FileUse, Finding, FindingKind, Use
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.results.timeline import Trend
from tests.property.kinds import KINDS
from tests.unit.made_up import comparison, entry, error, estimate, falling, gated


class TestDocument:
    def test_each_entry_of_a_large_report_is_on_a_line(self):
        many = Report.of(entry(comparison(), "passed", test=f"test_{number}") for number in range(101))
        assert read_report(many.to_json()).to_json() == many.to_json()
        lines = many.to_json().splitlines()
        assert sum(line.startswith('  {"test":"test_') for line in lines) == 101
        assert len(lines) < 200

    @pytest.mark.parametrize("kind", KINDS)
    def test_what_each_kind_of_data_gives_comes_back_with_its_versions(self, kind):
        made, name = KINDS[kind].draw(np.random.default_rng(3)), "half \ud800 pair"
        sides, options = KINDS[kind].sides(made), {"measure": KINDS[kind].measures[-1], "n_draws": 1_000}
        results = run_comparison(*sides, rope=0.05, **options), run_estimate(sides[0], 0.5, **options)
        report = Report.of([entry(result, test=name, in_full=True) for result in results], [name], {name: "base"})
        report = replace(report, versions={"numpy": "1.0"})
        assert read_report(report.to_json()).to_json() == report.to_json()

    def test_printing_a_report_needs_no_models(self):
        code = "import sys, pytest_bayesf1.reports.terminal; print({'pydantic', 'numpy'} & set(sys.modules))"
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert result.stdout.strip() == "set()"


COMPARED = {"gate": "compare"}


WORSE = {"decision": Decision.MUCH_WORSE, "mean": -0.05, "hdi": (-0.07, -0.03)}


class TestRecords:
    def test_each_comes_back_from_another_process(self, tmp_path):
        class OwnError(InputError):
            """Of no public name."""

        records = Records(tmp_path, in_full=False, is_compared=False)
        use = FileUse(Use.REPLACED, str(tmp_path / "a" / "b.json"), "base", "by 3 examples")
        made = [
            records.of_gate(gated(comparison(**WORSE))),
            records.of_comparison(comparison()),
            records.of_error(OwnError("rope", "a number", "none")),
            records.of_death(ValueError("no")),
            records.of_file(use),
        ]
        assert [plain(read_record(plain(each))) for each in made] == [plain(each) for each in made]
        gate, compared, error, death, file = made
        assert file.files == (replace(use, path=str(Path("a/b.json"))),)
        assert [each.error for each in made] == ["", "", "InputError", "ValueError", ""]
        assert [(each.gate, each.verdict) for each in compared.entries] == [("compare", "")]
        assert [each.headline for each in death.entries] == ["its test failed before the gate"]
        assert [each.verdict for each in (*gate.entries, *error.entries)] == ["failed", "error"]

    def test_of_the_first_candidate_only_what_is_demanded_is_recorded(self):
        run = gated(comparison())
        first = replace(run, source=replace(run.source, is_first=True))
        record, listed = (Records(Path(), in_full=False, is_compared=True).of_gate(each) for each in (first, run))
        assert record == GateRecord(row=record.row)
        assert listed.row is not None
        assert record.row == {name: each for name, each in listed.row.items() if name != "test_set"} != listed.row
        unlisted, written = (
            Records(Path(), in_full=False, is_compared=each).of_gate(run).row for each in (None, False)
        )
        assert (unlisted, "test_set" in written) == (None, False)

    def test_all_the_data_come_first_with_what_is_about_them(self, tmp_path):
        run = gated(comparison(classes=falling("ham", "spam")))
        source = replace(run.source, baseline_file=tmp_path / "a" / "b.json")
        part = Verdict.of(comparison(**WORSE, classes=falling("ham", "spam")), NOT_WORSE, "", "class x")
        gap = ScoreGap("lang", "de", "fi", *[GapEstimate(0.02, (0.0, 0.1))] * 2)
        verdicts = (*run.verdicts, part, replace(run.verdicts[0], result=gap))
        run = replace(run, source=source, budget=0.03, verdicts=verdicts, left_out=("class y: too few",))
        whole, other = Records(tmp_path, in_full=True).of_gate(run).entries
        assert (whole.trend, other.trend) == (Trend("a/b.json", 0.03), None)
        assert (whole.gaps, other.gaps) == ((gap,), ())
        assert (whole.part, whole.verdict, other.part, other.verdict) == ("", "undecided", "class x", "failed")
        assert any("class y: too few" in each for each in whole.notes)
        assert not any("class y" in each for each in other.notes)
        assert other.detectable_losses is not None

    @pytest.mark.parametrize(
        ("texts", "lost", "is_shown"),
        [("", True, False), ("brief", True, True), ("brief", False, False), ("full", False, True)],
    )
    def test_a_gate_is_put_in_words_as_much_as_is_asked_for(self, texts, lost, is_shown):
        passed = comparison(decision=Decision.EQUIVALENT, hdi=(-0.004, 0.006))
        run = gated(comparison(**WORSE) if lost else passed)
        record = Records(Path(), in_full=False, texts=texts).of_gate(run)
        assert record.text == (run.text(in_full=texts == "full") if is_shown else "")
        assert record.only_undecided is False
        assert (record.entries[0].detectable_losses is None) is not lost
        (undecided,) = Records(Path(), in_full=False).of_gate(gated(comparison())).entries
        assert undecided.detectable_losses is not None
        unproven = gated(comparison(), NOT_INFERIOR)
        assert Records(Path(), in_full=False).of_gate(unproven).only_undecided is True

    @pytest.mark.parametrize(
        ("verdict", "is_lifted"), [("failed", True), ("error", True), ("accepted", False), ("passed", False)]
    )
    def test_a_failure_that_is_expected_needs_nothing_to_be_done(self, verdict, is_lifted):
        before = replace(made(verdict), advice="Look.", way_out="Or", command="accept")
        after = before.of_expected_failure()
        assert (after.verdict, after.way_out, after.command) == (
            ("expected", "", "") if is_lifted else (verdict, "Or", "accept")
        )
        assert ("xfail" in after.advice) is is_lifted


class TestEntry:
    def test_notes_and_warnings_of_the_gate_follow_those_of_the_result(self):
        stray = comparison(settled=False, unsupported=(UnsupportedClass("spam", (1, 9), listed=True),))
        made = entry_of(stray, COMPARED, notes=("One of 3 failed.",), caveats=("Not judged: x.",))
        assert made.notes == (*stray.notes(), "One of 3 failed.")
        assert made.caveats == (*stray.notes()[:1], "Not judged: x.")

    @pytest.mark.parametrize(
        ("outcome", "candidate", "becomes_baseline", "is_next"),
        [
            ("accepted", "new", True, True),
            ("failed", "new", True, False),
            ("accepted", "old", True, False),
            ("accepted", "new", False, False),
        ],
    )
    def test_a_loss_is_that_of_the_next_baseline_where_its_candidate_becomes_one(
        self, outcome, candidate, becomes_baseline, is_next
    ):
        run = gated(comparison())
        lost = Acceptance(measure="accuracy", baseline="old", candidate=candidate, loss=0.1, reason="", failed=())
        verdicts = (replace(run.overall, outcome=Outcome(outcome)),)
        run = replace(run, verdicts=verdicts, lost=lost, becomes_baseline=becomes_baseline)
        assert Records(Path(), in_full=False).of_gate(run).is_next is is_next

    def test_the_entries_of_a_large_run_share_the_room_for_examples(self):
        true, before = ["ham", "spam"] * 100, ["ham", "ham", "ham", "spam"] * 50
        result = run_comparison(
            *(ConfusionMatrix.from_predictions(true, side) for side in (before, true)), rope=0.05, n_draws=1_000
        )
        kept = [entry_of(result, COMPARED, in_full=True, n_entries=n).changes.examples for n in (1, 1_000, 10_000)]
        assert [len(examples) for examples in kept] == [50, 20, 2]
        assert kept[0][:20] == kept[1]

    def test_those_of_another_process_share_it_too(self):
        result = compare([0, 1] * 50, [0, 1] * 50, [0] * 100, rope=0.01, n_draws=1_000)
        entries = [entry_of(result, COMPARED, in_full=True).at(Place(test=f"t{n}", file="", line=0)) for n in range(2)]
        assert [len(each.changes.examples) for each in Report.of(entries).entries] == [50, 50]
        assert all(len(each.changes.examples) == 2 for each in Report.of(entries * 5_000).entries[:3])

    def test_what_loosens_comes_first(self):
        new = Finding("a", FindingKind.OUTDATED, "", "gates.json does not list it")
        looser = Finding("b", FindingKind.LOOSENED, "rope", "you allowed 1 point, this run 5")
        assert Report.of([], findings=[new, looser]).findings == (looser, new)

    def test_slices_that_lost_have_a_few_examples_whether_or_not_that_is_accepted(self):
        true = ["ham", "spam"] * 50
        sides = (ConfusionMatrix.from_predictions(true, side) for side in (true, ["ham"] * 100))
        result = run_comparison(*sides, rope=0.05, n_draws=1_000)

        def n_examples(gate, verdict):
            made = entry_of(result, {"gate": gate, "verdict": verdict, "part": "a=b"}, in_full=True)
            return len(made.changes.examples) if made.changes else 0

        assert [n_examples("slices", verdict) for verdict in ("failed", "warned", "accepted")] == [10, 10, 10]
        assert n_examples("slices", "passed") == n_examples("per_class", "failed") == 0

    def test_values_that_fell_are_those_of_all_the_data(self):
        sides = KINDS["values"].sides(KINDS["values"].draw(np.random.default_rng(3)))
        result = run_comparison(*sides, measure="mean", rope=0.05, n_draws=1_000)
        whole, part = (entry_of(result, {"gate": "slices", "part": each}).changes for each in ("", "a=b"))
        assert (len(whole.examples) > 9, part) == (True, None)

    @pytest.mark.parametrize(("verdict", "is_quiet"), [("failed", False), ("warned", False), ("passed", True)])
    def test_entries_of_a_large_run_are_brief_and_quiet_ones_most(self, verdict, is_quiet):
        sides = (ConfusionMatrix.from_predictions(["a", "b"] * 9, side) for side in (["a"] * 18, ["a", "b"] * 9))
        result = run_comparison(*sides, rope=0.05, n_draws=1_000)
        made = entry_of(result, {**COMPARED, "verdict": verdict}, in_full=True)
        (alone,), (brief, *_) = (Report.of([made] * n).entries for n in (1, 1_001))
        assert alone == made
        assert brief.density == made.density
        assert (brief.classical_tests, brief.hdi, brief.bayes_factor) == ((), made.hdi, made.bayes_factor)
        lacks = brief.changes is None, brief.breakdown is None, brief.paired_outcomes is None
        assert lacks == (is_quiet,) * 3

    def test_in_full_an_entry_knows_where_its_baseline_is(self):
        trend = Trend("a/b.json", 0.03)
        result = compare([[9, 1], [2, 8]], [[8, 2], [1, 9]], rope=0.1, n_draws=1_000)
        found = [entry_of(result, COMPARED, trend=trend, in_full=in_full).trend for in_full in (False, True)]
        assert found == [None, trend]

    def test_not_at_length_an_entry_lacks_what_takes_longest_to_compute(self):
        result = comparison(classes=falling("spam"))
        short, long = (entry_of(result, COMPARED, at_length=at_length) for at_length in (False, True))
        assert long.detectable_losses is not None
        assert short.detectable_losses is short.bayes_factor is short.bayes_factor_sd_mcse is None
        assert (short.hdi, short.headline, short.baseline) == (long.hdi, long.headline, long.baseline)
        assert entry_of(result, COMPARED, in_full=True, at_length=False).detectable_losses == long.detectable_losses


def lost(points, verdict="failed", *, test="a", part=""):
    """Return an entry whose HDI ends so many points below the ROPE of ±1."""
    high = -0.01 - points / 100
    result = comparison(decision=Decision.MUCH_WORSE, mean=high - 0.01, hdi=(high - 0.02, high))
    return replace(entry(result, verdict, test=test, part=part), policy="not_worse")


def names(entries):
    return [[each.name for each in gate.entries] for gate in by_gate(entries)]


class TestOrder:
    def test_the_worst_gate_comes_first_by_the_part_that_decided(self):
        found = [lost(2, test="a"), lost(0, "passed", test="b"), lost(5, test="b", part="class x"), lost(3, test="c")]
        assert names(found) == [["b", "b class x"], ["c"], ["a"]]
        assert Report.of(found).gates[0].worst == found[2]

    def test_a_part_does_not_lead_where_all_the_data_failed_too(self):
        found = [lost(2, test="a"), lost(0.1, test="b"), lost(5, test="b", part="class x")]
        assert names(found) == [["a"], ["b", "b class x"]]
        assert Report.of(found).gates[1].worst == found[1]

    @pytest.mark.parametrize(("decision", "leads"), [(Decision.UNDECIDED, 1), (Decision.MUCH_WORSE, 0)])
    def test_a_part_that_failed_clearly_leads_where_all_the_data_did_not(self, decision, leads):
        found = [replace(lost(9), decision=decision), lost(0.1, part="class x"), lost(8, "passed", part="class y")]
        assert Report.of(found).gates[0].worst == found[leads]

    @pytest.mark.parametrize(("whole", "listed"), [("failed", ["passed"]), ("passed", ["passed", "failed", "warned"])])
    def test_parts_are_listed_beside_what_else_was_compared_where_one_of_them_decided(self, whole, listed):
        parts = [lost(0, each, part=each) for each in ("passed", "failed", "warned")]
        leaning = replace(parts[2], decision=Decision.WORSE)
        (gate,) = by_gate([lost(1, whole), lost(-2, "passed"), parts[0], parts[1], leaning])
        assert [each.verdict for each in gate.shown_parts] == listed
        assert gate.needs_attention
        assert by_gate([lost(0, "passed"), leaning])[0].needs_attention
        assert not by_gate([lost(0, "passed"), parts[0]])[0].needs_attention
        better = comparison(decision=Decision.MUCH_BETTER)
        assert [by_gate([entry(each)])[0].is_better for each in (better, estimate(), comparison())] == [
            True,
            False,
            False,
        ]

    def test_of_what_a_test_compares_the_clearest_failure_decides(self):
        far, clear = replace(lost(9), decision=Decision.WORSE), lost(1)
        (gate,) = by_gate([far, clear])
        assert (gate.whole, gate.worst) == (far, clear)

    def test_parts_stand_below_their_gate_the_worst_first(self):
        found = [lost(0, "passed"), lost(-3, "passed", part="x"), lost(1, part="y"), lost(4, part="z")]
        assert names(found) == [["a", "a z", "a y", "a x"]]
        assert by_gate(found)[0].worst == found[3]

    def test_what_a_test_compares_is_one_gate_as_pytest_counts_it(self):
        (gate,) = by_gate([lost(0, "passed"), lost(1, part="x"), lost(2), lost(0, "passed", part="x")])
        assert [each.verdict for each in gate.entries] == ["failed", "passed", "failed", "passed"]
        assert gate.worst is gate.whole

    @pytest.mark.parametrize(
        ("whole", "part", "verdict"),
        [
            ("passed", "failed", "failed"),
            ("undecided", "accepted", "accepted"),
            ("passed", "undecided", "passed"),
            ("passed", "expected", "expected"),
            ("", "failed", "failed"),
            ("", "passed", "passed"),
        ],
    )
    def test_the_verdict_of_a_gate_is_the_gravest_that_its_parts_decide(self, whole, part, verdict):
        (gate,) = by_gate([lost(0, whole), lost(1, part, part="x")])
        assert gate.verdict == verdict

    def test_a_part_that_leans_worse_decides_nothing_but_one_whose_failure_was_lifted_does(self):
        lifted = lost(1, "warned", part="x")
        leaning = replace(lifted, decision=Decision.WORSE)
        assert [by_gate([lost(0, "passed"), part])[0].verdict for part in (leaning, lifted)] == ["passed", "warned"]

    @pytest.mark.parametrize(
        ("policy", "points"), [("not_worse", -2), ("not_inferior", 2), ("better", 4), ("equivalent", 2)]
    )
    def test_a_policy_says_what_lies_beyond(self, policy, points):
        result = comparison(mean=-0.01, hdi=(-0.03, 0.01), rope=(-0.01, 0.01))
        assert replace(entry(result), policy=policy).beyond_allowed == pytest.approx(points)


def made(verdict, test="tests/test_a.py::test_a", **more):
    if verdict == "error":
        return error("no answer", test)
    return replace(entry(comparison(), verdict, test=test), **more)


class TestReport:
    @pytest.mark.parametrize(
        ("verdict", "part", "needs"),
        [
            ("failed", "class ham", True),
            ("error", "", True),
            ("accepted", "class ham", True),
            ("warned", "class ham", True),
            ("undecided", "", True),
            ("undecided", "class ham", False),
            ("passed", "", False),
            ("cannot fail", "", True),
            ("cannot fail", "class ham", False),
            ("", "", False),
        ],
    )
    def test_of_what_the_data_cannot_tell_whole_gates_need_attention(self, verdict, part, needs):
        can_fail = verdict != "cannot fail"
        assert made(verdict if can_fail else "passed", part=part, can_fail=can_fail).needs_attention is needs

    def test_a_change_that_loosens_decides_until_it_is_accepted(self):
        looser = Finding("a", FindingKind.LOOSENED, "rope", "you allowed 1 point, this run 5")
        wanted = replace(looser, accepted="agreed")
        unlisted = Finding("b", FindingKind.OUTDATED, "", "gates.json does not list it")
        found = [Report.of([made("warned")], findings=[unlisted, each]).verdict for each in (looser, wanted, unlisted)]
        assert found == ["loosened", "accepted", "warned"]

    def test_what_is_missing_is_told_once_and_in_order(self):
        report = Report.of([], ["t", "a", "t"], {"b.csv": "new", "a.csv": "base"}, attempts={"b": 2, "a": 3})
        assert report.missing == ("a", "t")
        assert [*report.changed.items(), *report.attempts.items()] == [
            ("a.csv", "base"),
            ("b.csv", "new"),
            ("a", 3),
            ("b", 2),
        ]

    def test_advice_that_was_given_is_left_out_but_for_the_reason_of_an_accepted_loss(self):
        verdicts = {"a": "failed", "b": "failed", "c": "accepted"}
        entries = [entry(comparison(), each, test=test, advice=test) for test, each in verdicts.items()]
        looser = Finding("a", FindingKind.LOOSENED, "rope", "you allowed 1 point, this run 5")
        report = Report.of(entries, ["d"], {"a.csv": "base"}, [looser], replace(UNKNOWN_RUN, attempt=3), {"a": 2})
        found = report.without_advice_for("ac")
        assert [each.advice for each in found.entries] == ["", "b", "c"]
        assert replace(found, entries=report.entries) == report


GRAVEST_FIRST = ["failed", "error", "accepted", "warned", "undecided", "expected", "passed"]


def verdict(*verdicts, complete=True, loosened=False):
    """Return what a run with these entries comes to."""
    counts = {name: verdicts.count(name) for name in GRAVEST_FIRST}
    return verdict_of(Verdicts(total=len(verdicts), **counts), complete=complete, loosened=loosened)


class TestVerdict:
    @pytest.mark.parametrize(
        ("verdicts", "more", "expected"),
        [
            *((GRAVEST_FIRST[place:], {}, name) for place, name in enumerate(GRAVEST_FIRST)),
            ([], {}, "none"),
            ([""], {"loosened": True}, "none"),
            (["passed"], {"complete": False}, "error"),
            (["failed"], {"complete": False}, "failed"),
            (["warned"], {"loosened": True}, "loosened"),
            (["error"], {"loosened": True}, "error"),
        ],
    )
    def test_the_gravest_of_the_entries_decides_and_what_is_missing_or_loosened(self, verdicts, more, expected):
        assert verdict(*verdicts, **more) == expected
