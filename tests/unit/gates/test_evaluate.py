import json
import re
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pytest_bayesf1 import (
    BaselineError,
    ConfusionMatrix,
    Decision,
    GateFileError,
    InputError,
    MultilabelCounts,
    PairedCounts,
    Scores,
    WideRopeWarning,
    assert_at_least,
    compare,
)
from pytest_bayesf1.choices import Runs
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.gates.acceptance import Terms
from pytest_bayesf1.gates.demand import FAILS_ON, PART, Demand, Family, Verdict
from pytest_bayesf1.gates.evaluate import GateRun, evaluate, format_gap, judged_gap
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.gates.manifest import row_of
from pytest_bayesf1.gates.source import Declared, Pair, RunFiles
from pytest_bayesf1.results.comparison import GapEstimate, ScoreGap
from pytest_bayesf1.results.policy import AT_LEAST, NOT_WORSE, Outcome
from pytest_bayesf1.session import Session, active
from pytest_bayesf1.stats.looks import hdi_prob_at_look
from pytest_bayesf1.text import one_line
from pytest_bayesf1.words.results import facts
from tests.functional import classifiers
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
    verdicts,
)
from tests.unit.made_up import comparison, estimate, listed, recording

CANDIDATES = {
    "<<": classifiers.MUCH_WORSE,
    "<": classifiers.WORSE,
    "?": classifiers.UNDECIDED,
    "~": classifiers.EQUIVALENT,
    ">": classifiers.BETTER,
    ">>": classifiers.MUCH_BETTER,
}
VERDICTS = {
    "<<": {"<<": "failed", "<": "warned", "?": "undecided"},
    "<": {"<<": "failed", "<": "failed", "?": "undecided"},
    "unproven": {"<<": "failed", "<": "failed", "?": "failed"},
}


def unreadable(columns, n, answer=None):
    return {**columns, "y_pred": [answer] * n + columns["y_pred"][n:]}


DOCS = [f"d{row // 8}" for row in range(N)]


class TestEvaluate:
    @pytest.mark.parametrize("decision", CANDIDATES)
    @pytest.mark.parametrize("fail_on", FAILS_ON)
    def test_what_fails_on_what(self, tmp_path, fail_on, decision):
        result = result_of(tmp_path, classifiers.BASELINE, CANDIDATES[decision], rope=classifiers.ROPE, fail_on=fail_on)
        assert result.overall.comparison.decision == decision
        assert result.outcome == VERDICTS[fail_on].get(decision, "passed")
        assert result.overall.gate == f'fail_on "{fail_on}"'

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("measure", "of_one_class"),
        [
            ("f1_macro", "f1"),
            ("f1[b]", "f1"),
            ("fbeta_macro(2)", "fbeta(2)"),
            ("fbeta_macro(0.1234567)", "fbeta(0.1234567)"),
            ("precision_weighted", "precision"),
            ("jaccard_micro", "jaccard"),
            ("specificity_macro", "specificity"),
            ("recall_macro", "recall"),
            ("accuracy", "f1"),
            ("balanced_accuracy", "recall"),
            ("g_mean", "recall"),
            ("matthews_corrcoef", "f1"),
            ("cohen_kappa", "f1"),
        ],
    )
    @pytest.mark.one_of_many
    def test_every_class_is_compared_by_what_corresponds_to_the_measure(self, tmp_path, measure, of_one_class):
        result = result_of(tmp_path, BASELINE, CANDIDATE, measure=measure, prior="jeffreys", per_class=True)
        found = parts(result)
        assert list(found) == ["", "class a", "class b", "class c"]
        assert [each.measure for each in found.values()] == [measure, *(f"{of_one_class}[{label}]" for label in "abc")]
        assert [each.gate for each in result.judged] == ['fail_on "<<"', *["per_class"] * 3]
        for each in found.values():
            direct = compare(counts(BASELINE), counts(CANDIDATE), measure=each.measure, prior="jeffreys", rope=0.02)
            assert figures(each) == figures(direct)

    def test_the_measure_of_two_names_needs_one_of_them(self, tmp_path):
        sides = side(0.9, 1, ("hateful", "non-hateful")), side(0.9, 2, ("hateful", "non-hateful"))
        with pytest.raises(InputError, match=r"Use 'f1\[hateful\]' or 'f1\[non-hateful\]'"):
            result_of(tmp_path, *sides, measure="f1")

    @pytest.mark.slow
    def test_labels_of_multi_label_data_are_compared_one_by_one(self, tmp_path):
        def tagged(seed):
            drawn = np.random.default_rng(seed)
            truth = [[tag for tag in "xyz" if (number + ord(tag)) % 3 == 0] for number in range(N)]
            guess = [[tag for tag in "xyz" if (tag in tags) != (drawn.random() < 0.1)] for tags in truth]
            return {"id": list(range(N)), "y_true": truth, "y_pred": guess}

        sides = tagged(1), tagged(2)
        found = parts(result_of(tmp_path, *sides, per_class=True, kind="labels"))
        assert list(found) == ["", "class x", "class y", "class z"]
        for each in found.values():
            direct = compare(*(counts(columns, MultilabelCounts) for columns in sides), measure=each.measure, rope=0.02)
            assert figures(each) == figures(direct)

    def test_a_class_that_falls_makes_the_gate_fail_though_all_the_data_do_not(self, tmp_path):
        before = [[9000, 10, 0], [10, 9000, 0], [0, 5, 195]]
        after = [[9005, 5, 0], [5, 9005, 0], [0, 80, 120]]
        result = result_of(tmp_path, before, after, measure="accuracy", per_class=True)
        assert verdicts(result) == {"": "passed", "class 0": "passed", "class 1": "passed", "class 2": "failed"}
        assert result.outcome == "failed"
        assert result.message.startswith("≪ class 2, F1 of 2 −")

    def test_two_test_sets_must_be_declared(self, tmp_path):
        other = {**CANDIDATE, "id": [number + N for number in range(N)]}
        with pytest.raises(InputError, match=r"^candidate \(.*\), id: .* pass on_new_test_set: independent\.$"):
            result_of(tmp_path, BASELINE, other)
        declared = result_of(tmp_path, BASELINE, other, on_new_test_set="independent")
        assert declared.overall.comparison.model == "independent"

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
        apart = result_of(
            tmp_path, side(range(200)), side(range(3, 210)), slices=["part"], on_new_test_set="independent"
        )
        assert [each.comparison.n_samples for each in apart.judged] == [(200, 207), (180, 190), (20, 17)]

    def test_what_stands_in_the_file_decides(self, tmp_path):
        settings = {
            "rope": 0.5,
            "measure": "accuracy",
            "hdi_prob": 0.6,
            "prior": "uniform",
            "seed": 9,
            "n_draws": 1_000,
        }
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

    @pytest.mark.slow
    def test_a_wide_rope_warns_once_at_the_line_of_its_gate(self, tmp_path):
        sides = [{**each, "half": ["a", "b"] * 200} for each in (BASELINE, CANDIDATE)]
        with pytest.warns(WideRopeWarning) as caught:
            result_of(tmp_path, *sides, rope=0.3, per_class=True, slices=["half"])
        (warning,) = caught
        assert (warning.filename, warning.lineno) == (str(tmp_path / "bayesf1.yaml"), 1)
        assert str(warning.message).startswith("The rope 0.3 means that you allow 30 points")

    def test_answers_that_could_not_be_read(self, tmp_path):
        """They count as wrong in every part, and in no average, whichever side has them."""
        part = ["x", "y"] * (N // 2)
        sides = [unreadable({**side(0.9, seed), "part": part}, n) for seed, n in ((1, 0), (2, 40))]
        result = result_of(tmp_path, *sides, invalid="wrong", per_class=True, slices=["part"])
        known = result.overall.comparison
        predicted = [unreadable(each, n, "?")["y_pred"] for each, n in zip(sides, (0, 40), strict=True)]
        unexpected = PairedCounts.from_predictions(sides[0]["y_true"], *predicted, labels=["a", "b", "c", "?"])
        assert known.hdi == run_comparison(unexpected, rope=0.02).hdi
        assert known.notes()[0] == "40 of 400 answers of the candidate are no class; counted as wrong."
        assert list(parts(result)) == ["", "class a", "class b", "class c", "part=x", "part=y"]
        assert [(each.by, each.value) for each in result.parts][:2] == [("class", "a"), ("class", "b")]
        assert result.left_out == ()

    def test_a_gate_names_its_units(self, tmp_path):
        sides = [{**each, "doc": DOCS, "part": ["x", "y"] * (N // 2)} for each in (BASELINE, CANDIDATE)]
        result = result_of(tmp_path, *sides, clusters="doc", measure="accuracy", per_class=True, slices=["part"])
        both = (counts(each, clusters=DOCS) for each in sides)
        direct = run_comparison(*both, measure="accuracy", rope=0.02)
        assert result.overall.comparison.hdi == direct.hdi
        assert {each.clusters.n for each in parts(result).values()} == {(50, 50)}
        assert "50 clusters, 400 examples, design effect" in " ".join(result.overall.comparison.notes())

    def test_defaults_may_name_units_and_runs_for_all_gates(self, tmp_path):
        text = """
defaults: {rope: 0.01, clusters: doc, runs: samples, invalid: wrong}
gates:
  one: {baseline: a.csv, candidate: b.csv}
  other: {baseline: a.csv, candidate: b.csv, clusters: user, runs: seeds, invalid: error}
  none: {baseline: a.csv, candidate: b.csv, clusters: null, runs: null}
"""
        readings = [gate.source.reading("candidate") for gate in load_gates(gate_file(tmp_path, text), tmp_path)]
        assert readings == [
            Schema("wrong", "doc", Runs.SAMPLES),
            Schema("error", "user", Runs.SEEDS),
            Schema("wrong", "", None),
        ]


EVALUATE_FAMILIES_LANGUAGES = ["de", "en", "fr", "fi"] * (N // 4)
EVALUATE_FAMILIES_BASELINE = side(0.9, 1, language=EVALUATE_FAMILIES_LANGUAGES)
UNFAIR = side(0.86, 2, language=EVALUATE_FAMILIES_LANGUAGES)
UNFAIR["y_pred"] = [
    "a" if language == "fi" and number % 3 else guess
    for number, (guess, language) in enumerate(zip(UNFAIR["y_pred"], EVALUATE_FAMILIES_LANGUAGES, strict=True))
]
PARTS = {"slices": ["language"], "per_class": True, "measure": "accuracy"}


def in_family(folder, n_gates, candidate=UNFAIR, **settings):
    """Evaluate one gate of a family of so many."""
    gate = {"baseline": "a.json", "candidate": "b.json", "rope": 0.02, "measure": "accuracy", **settings}
    content = {"gates": {f"g{n}": gate for n in range(n_gates)}, "families": {"all": {"gates": ["g*"]}}}
    for name, data in (("a", EVALUATE_FAMILIES_BASELINE), ("b", candidate)):
        (folder / f"{name}.json").write_text(json.dumps(data))
    first, *_ = load_gates(gate_file(folder, json.dumps(content)), folder)
    return evaluate(first)


class TestEvaluateFamilies:
    @pytest.mark.parametrize(("n_gates", "verdict"), [(1, "failed"), (20, "warned")])
    def test_the_same_loss_fails_alone_and_warns_in_a_family(self, tmp_path, n_gates, verdict):
        result = in_family(tmp_path, n_gates, side(0.81, 2))
        assert result.overall.comparison.decision == "<<"
        assert 0.05 / 20 < 1 - result.overall.comparison.p_below_rope < 0.025
        assert (result.outcome, result.overall.lifted) == (verdict, verdict == "warned")
        assert row_of(result)["family_level"] == 0.05 / n_gates

    @pytest.mark.slow
    def test_all_that_can_fail_a_gate_shares_what_it_has_of_the_level(self, tmp_path):
        result = in_family(tmp_path, 2, slices=["language", "y_true"], per_class=True, max_gap=0.05, anchor="a.json")
        assert result.demand.family.n_comparisons == 1 + 1 + 3 + (4 + 3) + 2
        assert result.demand.tail == pytest.approx(0.05 / 28)
        assert [each.outcome for each in result.judged if each.lifted] == [
            "warned"
            for each in result.judged
            if each.comparison.decision == "<<" and 1 - each.comparison.p_below_rope >= result.demand.tail
        ]

    @pytest.mark.slow
    def test_slices_have_a_gap(self, tmp_path):
        result = result_of(tmp_path, EVALUATE_FAMILIES_BASELINE, UNFAIR, **PARTS)
        (found,) = result.gaps
        assert (found.gap.by, found.gap.worst) == ("language", "language=fi")
        assert (found.gap.limit, found.outcome) == (None, "passed")
        assert sum("apart (95% likely" in note for note in result.notes()) == 1

    @pytest.mark.slow
    def test_a_gap_can_fail_a_gate_of_which_no_part_is_significantly_worse(self, tmp_path):
        result = result_of(tmp_path, UNFAIR, UNFAIR, slices=["language"], measure="accuracy", max_gap=0.1)
        assert "failed" not in [each.outcome for each in result.judged]
        assert result.outcome == "failed"
        (gap,) = (each.gap for each in result.gaps)
        low, high = gap.candidate.interval
        rights = np.array(UNFAIR["y_true"]) == np.array(UNFAIR["y_pred"])
        languages = np.array(EVALUATE_FAMILIES_LANGUAGES)
        observed = [rights[languages == language].mean() for language in ("de", "en", "fr", "fi")]
        assert low < np.ptp(observed) < high
        assert gap.baseline.interval == pytest.approx(gap.candidate.interval, abs=0.01)
        assert result.whole.advice.startswith("The gap by language is wider than the 10 points of max_gap: ")

    @pytest.mark.slow
    @pytest.mark.parametrize(("n_gates", "verdict"), [(1, "failed"), (20, "warned")])
    def test_a_gap_has_its_part_of_the_level_of_a_family(self, tmp_path, n_gates, verdict):
        result = in_family(tmp_path, n_gates, slices=["language"], max_gap=0.21)
        (found,) = result.gaps
        assert 0.05 / 20 / 6 < found.gap.p_value < 0.05 / 6
        assert found.outcome == verdict

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
            result_of(tmp_path, EVALUATE_FAMILIES_BASELINE, candidate, slices=["language"], measure="accuracy")
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
        assert "language=junk1 could not be compared: baseline: no example of this slice" in found.left_out

    def test_one_slice_alone_has_no_gap(self, tmp_path):
        one = [{**each, "language": ["de"] * N} for each in (EVALUATE_FAMILIES_BASELINE, UNFAIR)]
        result = result_of(tmp_path, *one, slices=["language"], measure="accuracy", max_gap=0.05)
        assert result.gaps == ()

    def test_a_limit_in_per_cent_is_no_difference_of_scores(self, tmp_path):
        with pytest.raises(InputError, match="max_gap: expected a difference of scores"):
            result_of(tmp_path, EVALUATE_FAMILIES_BASELINE, UNFAIR, slices=["language"], max_gap=5)


class TestLooks:
    """A test set that still grows: N of the planned examples are there."""

    LOST = side(0.81, 2, language=EVALUATE_FAMILIES_LANGUAGES)

    def test_an_early_look_fails_only_what_is_far_worse(self, tmp_path):
        alone, early = (
            result_of(tmp_path, EVALUATE_FAMILIES_BASELINE, self.LOST, measure="accuracy", **looks)
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
        result = result_of(tmp_path, EVALUATE_FAMILIES_BASELINE, self.LOST, **asked)
        assert len(result.judged) == 1 + 3 + 4 + 1
        (level,) = {each.comparison.hdi_prob for each in result.judged}
        assert level == pytest.approx(hdi_prob_at_look(2, 0.5), abs=1e-5)

    def test_the_manifest_lists_what_was_planned_and_not_the_level_of_today(self, tmp_path):
        result = result_of(tmp_path, side(0.9, 1), side(0.9, 2), looks=2, planned_examples=2 * N)
        listed = row_of(result)
        assert (listed["looks"], listed["planned_examples"], listed["hdi_prob"]) == (2, 2 * N, 0.95)

    @pytest.mark.parametrize("turned", [False, True])
    def test_the_smaller_of_two_test_sets_counts(self, tmp_path, turned):
        half = {name: values[: N // 2] for name, values in side(0.9, 2).items()}
        sides = [side(0.9, 1), half][:: -1 if turned else 1]
        result = result_of(tmp_path, *sides, on_new_test_set="independent", looks=2, planned_examples=N)
        assert result.overall.comparison.hdi_prob == pytest.approx(hdi_prob_at_look(2, 0.5), abs=1e-5)

    def test_more_examples_than_planned_are_said(self, tmp_path):
        result = result_of(tmp_path, side(0.9, 1), side(0.9, 2), looks=3, planned_examples=N - 1)
        assert result.overall.comparison.hdi_prob == pytest.approx(hdi_prob_at_look(3, 1), abs=1e-4)
        assert any("raise planned_examples" in note for note in result.notes())


LANGUAGES = ["de", "en", "fr"] * (N // 3) + ["de"] * (N % 3)


def examples(truth, predictions, **columns):
    return {"id": list(range(len(truth))), "y_true": truth, "y_pred": predictions, **columns}


def only(columns, value, of="language"):
    """Return the examples that have this value."""
    kept = [row for row, found in enumerate(columns[of]) if found == value]
    return {name: [values[row] for row in kept] for name, values in columns.items()}


class TestEvaluateSlices:
    @pytest.mark.slow
    @pytest.mark.parametrize("model", ["auto", "paired", "same-set", "independent"])
    @pytest.mark.one_of_many
    def test_every_value_of_a_column_is_compared_by_the_measure_of_the_gate(self, tmp_path, model):
        sides = [{**each, "language": LANGUAGES} for each in (BASELINE, CANDIDATE)]
        result = result_of(tmp_path, *sides, slices=["language"], measure="accuracy", model=model)
        found = parts(result)
        assert list(found) == ["", "language=de", "language=en", "language=fr"]
        assert [each.gate for each in result.judged] == ['fail_on "<<"', *["slices"] * 3]
        for value in ("de", "en", "fr"):
            direct = compare(*(counts(only(each, value)) for each in sides), measure="accuracy", rope=0.02, model=model)
            assert figures(found[f"language={value}"]) == figures(direct)

    @pytest.mark.slow
    def test_several_columns_beside_the_classes(self, tmp_path):
        columns = {"language": LANGUAGES, "long": [number % 2 == 0 for number in range(N)]}
        sides = [{**each, **columns} for each in (BASELINE, CANDIDATE)]
        result = result_of(tmp_path, *sides, slices=["long", "language"], per_class=True, measure="accuracy")
        assert list(parts(result)) == [
            "",
            *("class a", "class b", "class c"),
            *("long=False", "long=True"),
            *("language=de", "language=en", "language=fr"),
        ]
        assert " of 8 classes and slices failed. " in result.notes()[0]
        assert "expect up to 0.2 to fail by chance." in result.notes()[0]

    def test_a_slice_that_falls_makes_the_gate_fail_though_all_the_data_do_not(self, tmp_path):
        truth = ["ham", "spam"] * 2_000
        where = ["en"] * 3_800 + ["xx"] * 200
        wrong = [{"ham": "spam", "spam": "ham"}[label] for label in truth]
        result = result_of(
            tmp_path,
            examples(truth, truth, language=where),
            examples(truth, truth[:3_900] + wrong[3_900:], language=where),
            slices=["language"],
            rope=0.1,
        )
        assert verdicts(result) == {"": "passed", "language=en": "passed", "language=xx": "failed"}
        assert result.message.startswith("≪ language=xx, macro-F1 −")

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.LeakageWarning")
    def test_a_slice_has_the_classes_that_either_side_has_in_it(self, tmp_path):
        truth = ["ham", "spam"] * 500 + ["ham"] * 200
        where = ["en"] * 1_000 + ["xx"] * 200
        missed = [*truth[:1_000], *["spam"] * 150, *["ham"] * 50]
        sides = examples(truth, truth, language=where), examples(truth, missed, language=where)
        for baseline, candidate, verdict in ((*sides, "failed"), (*reversed(sides), "passed")):
            result = result_of(
                tmp_path, baseline, candidate, slices=["language"], measure="accuracy", rope=[0.2, "wide"]
            )
            assert result.left_out == ()
            assert verdicts(result)["language=xx"] == verdict

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
        assert list(parts(result)) == ["", "language=de", "language=fr"]
        assert result.left_out == (
            "language=EN could not be compared: baseline: no example of this slice",
            "language=en could not be compared: candidate: no example of this slice",
        )

    @pytest.mark.slow
    def test_two_test_sets_are_sliced_each_by_its_own_column(self, tmp_path):
        other = {**side(0.8, 3), "id": [number + N for number in range(N)], "language": LANGUAGES[::-1]}
        sides = {**BASELINE, "language": LANGUAGES}, other
        found = parts(result_of(tmp_path, *sides, slices=["language"], measure="accuracy", model="independent"))
        direct = compare(
            *(counts(only(each, "en")) for each in sides), measure="accuracy", rope=0.02, model="independent"
        )
        assert figures(found["language=en"]) == figures(direct)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("sides", "lacking"),
        [
            (({**BASELINE, "language": LANGUAGES}, CANDIDATE), "candidate"),
            ((BASELINE, {**CANDIDATE, "language": LANGUAGES}), "baseline"),
        ],
    )
    def test_a_column_that_is_not_there(self, tmp_path, sides, lacking):
        told = f"{lacking}.*: No column 'language' to slice by: found columns 'id', 'y_true', 'y_pred'"
        with pytest.raises(InputError, match=told):
            result_of(tmp_path, *sides, slices=["language"])

    def test_matrices_have_no_slices(self, tmp_path):
        matrix = [[50, 3], [4, 60]]
        told = r"^baseline \(.*\): Counts have no slices: only predictions have$"
        with pytest.raises(InputError, match=told):
            result_of(tmp_path, matrix, matrix, slices=["language"])

    @pytest.mark.slow
    @pytest.mark.parametrize("value", ["two\nlines", "", "a=b", "[x]", "a|b", "\u202e", 1.5, True, None])
    @pytest.mark.one_of_many
    def test_hostile_values(self, tmp_path, value):
        columns = [value if number % 2 else "plain" for number in range(N)]
        sides = {**BASELINE, "language": columns}, {**CANDIDATE, "language": columns}
        found = parts(result_of(tmp_path, *sides, slices=["language"], measure="accuracy"))
        text = "" if value is None else one_line(value)
        assert set(found) == {"", "language=plain", f"language={text}"}

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
LEANING_WORSE = {"decision": Decision.WORSE, "mean": -0.02, "hdi": (-0.04, 0.0)}
MATRIX = [[50, 2], [3, 45]]
EQUIVALENT = {"decision": Decision.EQUIVALENT, "mean": 0.001, "hdi": (-0.004, 0.006)}
FAR_WORSE = {**WORSE_BY_FAR, "p_below_rope": 1.0}
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
BETTER = {"decision": Decision.BETTER, "mean": 0.02, "hdi": (-0.02, 0.04)}


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
        ("fail_on", "overall", "parts", "verdict"),
        [
            ("<<", EQUIVALENT, [{}], "passed"),
            ("<<", {}, [EQUIVALENT], "undecided"),
            ("<<", WORSE_BY_FAR, [], "failed"),
            ("<<", LEANING_WORSE, [{}], "warned"),
            ("<<", EQUIVALENT, [LEANING_WORSE, LEANING_WORSE], "passed"),
            ("<<", {}, [{}, WORSE_BY_FAR], "failed"),
            ("<<", LEANING_WORSE, [WORSE_BY_FAR], "failed"),
            ("unproven", {}, [], "failed"),
            ("unproven", EQUIVALENT, [LEANING_WORSE], "passed"),
            ("unproven", {"hdi": (-0.005, 0.02)}, [{}], "passed"),
        ],
    )
    def test_a_class_can_make_a_gate_fail_but_neither_warn_nor_undecided(self, fail_on, overall, parts, verdict):
        assert result(fail_on=fail_on, overall=overall, parts=parts).outcome is Outcome(verdict)

    @pytest.mark.parametrize(("fail_on", "verdict"), [("<<", "undecided"), ("unproven", "failed")])
    def test_a_part_that_could_not_be_judged_leaves_the_question_open(self, fail_on, verdict):
        assert result(fail_on=fail_on, overall=EQUIVALENT, left_out=["a slice"]).outcome is Outcome(verdict)

    @pytest.mark.parametrize(
        ("overall", "parts", "expected"),
        [
            ({}, [], True),
            (BETTER, [], True),
            (LEANING_WORSE, [], False),
            (WORSE_BY_FAR, [], False),
            ({}, [WORSE_BY_FAR], False),
            ({"hdi": (-0.005, 0.02)}, [], False),
        ],
        ids=["undecided", "better", "worse", "much worse", "a class", "passed"],
    )
    def test_whether_it_failed_only_for_want_of_data(self, overall, parts, expected):
        assert result(fail_on="unproven", overall=overall, parts=parts).only_undecided is expected

    @pytest.mark.parametrize(
        ("n_parts", "hdi_prob", "expected"), [(1, 0.95, 0.025), (40, 0.95, 1.0), (20, 0.9, 1.0), (3, 0.5, 0.75)]
    )
    @pytest.mark.parametrize("fail_on", ["<<", "unproven"])
    def test_false_alarms_are_expected_among_the_classes_whatever_all_the_data_must_show(
        self, n_parts, hdi_prob, expected, fail_on
    ):
        found = result(fail_on=fail_on, parts=[{}] * n_parts, hdi_prob=hdi_prob)
        assert found.false_alarms == pytest.approx(expected)

    def test_notes_say_how_many_comparisons_were_made_and_how_many_false_alarms_to_expect(self):
        found = result(overall=WORSE_BY_FAR, parts=[{}, WORSE_BY_FAR, {}], left_out=["class 9 could not be compared"])
        chance, left_out = found.notes()
        assert chance == (
            "1 of 3 classes and slices failed. If none truly lost more than you allow, expect up to 0.075 to fail by "
            "chance."
        )
        assert left_out == "class 9 could not be compared"
        assert result(parts=[{}]).notes()[0].startswith("0 of 1 classes and slices failed. ")

    def test_one_comparison_needs_no_note(self):
        assert result().notes() == ()
        assert result(left_out=["language=xx could not be compared"]).notes() == ("language=xx could not be compared",)

    def test_every_comparison_has_a_verdict_and_all_have_notes(self):
        found = result(parts=[{}, WORSE_BY_FAR], left_out=["x"])
        assert [(each.part, each.gate, each.outcome) for each in listed(found)] == [
            ("", 'fail_on "<<"', "undecided"),
            ("class 0", "per_class", "undecided"),
            ("class 1", "per_class", "failed"),
        ]
        assert len(found.notes()) == 2

    def test_the_message_shows_the_first_that_failed_and_names_the_others(self):
        found = result(parts=[{}, WORSE_BY_FAR, WORSE_BY_FAR])
        first, do, *_, also = found.message.splitlines()
        assert first == "≪ class 1, F1 of 1 −5.0 points (you allow 1): 0.800 → 0.750"
        assert do.startswith("  Do: Find what changed (data, features, labels) before merging. ")
        assert also == "  also failed class 2"
        assert "class 0" not in found.message
        assert "    ≪ class 2, F1 of 2 −5.0 points (you allow 1): 0.800 → 0.750" in found.text(in_full=True)

    def test_the_worst_of_many_comes_first_and_few_are_listed(self):
        parts = [{**WORSE_BY_FAR, "mean": -place / 100, "hdi": (-0.2, -place / 100)} for place in range(2, 11)]
        found = result(parts=parts)
        assert found.message.startswith("≪ class 8, ")
        assert found.message.splitlines()[-1] == "  also failed class 7, class 6, class 5 and 5 more parts"
        listed = [line.split(",")[0] for line in found.text(in_full=True).splitlines() if line.startswith("    ≪")]
        assert listed == [f"    ≪ class {number}" for number in (7, 6, 5, 4, 3, 2, 1, 0)]
        assert "\n  Also failed, the worst first:\n    ≪ class 7," in found.text(in_full=True)

    def test_parts_are_judged_by_the_policy_for_parts_unless_there_is_a_floor(self):
        leaning = comparison(**LEANING_WORSE)
        demand = Demand.unless("unproven", {})
        assert demand.judged(leaning).outcome is Outcome.FAILED
        judged = demand.judged(leaning, "class 1", "per_class")
        assert (judged.outcome, judged.policy) == ("warned", NOT_WORSE)
        assert (judged.gate, judged.part) == ("per_class", "class 1")
        below = estimate(below_floor=True, above_floor=False)
        assert Demand.at_least(0.75, None, "<<", {}).judged(below, "class 1", "per_class").outcome == "failed"

    def test_whatever_failed_is_accepted_with_the_reason(self):
        found = result(overall=WORSE_BY_FAR, parts=[EQUIVALENT, WORSE_BY_FAR], gaps=[LIFTED, TOO_WIDE])
        anchor = Verdict.of(comparison(**WORSE_BY_FAR), NOT_WORSE, "", PART)
        terms = Terms("t.py::t", Path(), Path(), "pytest", [replace(found.loss, reason="half the size")])
        with active(Session(terms=lambda: terms)):
            accepted = replace(found, verdicts=(*found.judged, anchor, *found.gaps)).under_terms().verdicts
        assert [(each.outcome, each.advice) for each in accepted if each.outcome is Outcome.ACCEPTED] == [
            ("accepted", "Accepted: half the size")
        ] * 4
        outcomes = ["accepted", "passed", "accepted", "accepted", "warned", "accepted"]
        assert [each.outcome for each in accepted] == outcomes

    def test_the_loss_to_accept_is_that_of_the_part_that_lost_most(self):
        parts = [{**WORSE_BY_FAR, "mean": mean, "hdi": (mean - 0.01, mean + 0.01)} for mean in (-0.06, -0.2, -0.1)]
        loss = result(overall=WORSE_BY_FAR, parts=parts).loss
        assert loss.loss == pytest.approx(0.2)
        assert len(loss.failed) == 4

    def test_everything_is_told_where_the_session_asks_for_it(self):
        found = result(overall=WORSE_BY_FAR, parts=[WORSE_BY_FAR])
        with active(Session(in_full=True, more="elsewhere")):
            told = found.message
        assert told.startswith(found.text(in_full=True)[:500])
        assert "  Yang & Liu " in told
        assert "elsewhere" not in told
        for line in (*found.overall.comparison.notes(), "  computed    uniform prior"):
            assert line in told
        assert "1 of 1 classes and slices failed" in told

    def test_the_message_of_all_the_data_comes_first(self):
        found = result(overall=WORSE_BY_FAR, parts=[WORSE_BY_FAR])
        assert found.message.startswith("≪ macro-F1 −5.0 points")
        assert found.message.endswith("\n  also failed class 0")

    def test_the_message_of_a_warning_is_about_all_the_data(self):
        found = result(overall=LEANING_WORSE, parts=[LEANING_WORSE])
        assert found.message.startswith(found.overall.message)
        assert "class 0" not in found.message

    @pytest.mark.parametrize(
        ("overall", "parts", "gaps", "verdict"),
        [
            (EQUIVALENT, [FAR_WORSE], [], "failed"),
            (EQUIVALENT, [WORSE_BY_FAR], [], "warned"),
            (WORSE_BY_FAR, [], [], "warned"),
            ({}, [WORSE_BY_FAR, LEANING_WORSE], [], "warned"),
            (EQUIVALENT, [LEANING_WORSE], [], "passed"),
            ({}, [WORSE_BY_FAR, FAR_WORSE], [], "failed"),
            ({}, [], [LIFTED], "warned"),
            (EQUIVALENT, [], [LIFTED, TOO_WIDE], "failed"),
        ],
    )
    def test_what_a_family_lifts_is_a_warning_of_the_whole_gate(self, overall, parts, gaps, verdict):
        assert result(overall=overall, parts=parts, family=FAMILY, gaps=gaps).outcome is Outcome(verdict)

    def test_the_message_of_a_lifted_failure_shows_it_in_full(self):
        found = result(overall=EQUIVALENT, parts=[{}, WORSE_BY_FAR], family=FAMILY)
        assert found.message.startswith("≪ class 1, F1 of 1 −5.0 points")
        assert "Worse on its own, but within the chance of the 10 gates of the family all" in " ".join(
            found.message.split()
        )
        (note,) = found.notes()
        chance = "he chance of any false failure in the 10 gates of the family all stays below 5%."
        assert note == f"0 of 2 classes and slices failed; t{chance}"
        assert result(family=FAMILY).notes() == (f"T{chance}",)

    def test_a_gap_that_is_too_wide_fails_all_the_data_and_says_what_to_do(self):
        found = result(overall=EQUIVALENT, gaps=[TOO_WIDE])
        assert (found.whole.outcome, found.whole.advice) == ("failed", "Too wide.")
        assert found.notes() == (format_gap(GAP, comparison()),)
        assert "\n  Too wide.\n  The candidate's best and worst slices" in found.message
        assert not found.only_undecided
        assert not result(gaps=[TOO_WIDE], fail_on="unproven").only_undecided


def limited(limit, p_value):
    return replace(GAP, limit=limit, p_value=p_value)


class TestGap:
    def test_a_gap_in_words(self):
        assert format_gap(GAP, comparison()) == (
            "The candidate's best and worst slices by language, language=de and language=fi, are 8.1 points of "
            "macro-F1 apart (95% likely 6.0 to 10.2); the baseline's, 2.0 points (0.1 to 4.0)."
        )

    @pytest.mark.parametrize(
        ("gap", "family", "verdict"),
        [
            (GAP, None, "passed"),
            (limited(0.07, 0.1), None, "passed"),
            (limited(0.05, 0.001), None, "failed"),
            (limited(0.05, 0.001), Family("all", 0.05, 100), "warned"),
            (limited(0.05, 0.001), Family("all", 0.05, 10), "failed"),
        ],
        ids=["no limit", "not clearly", "clearly", "in a large family", "in a small one"],
    )
    def test_a_gap_is_judged_by_its_interval_and_by_the_family(self, gap, family, verdict):
        found = judged_gap(gap, comparison(), family)
        assert found.outcome == verdict
        assert bool(found.advice) is (verdict != "passed")
        if verdict == "warned":
            assert "one as wide has a probability of 0.1%, not below 0.05%, this comparison's share" in found.advice
        if verdict == "failed":
            assert found.advice == (
                "The gap by language is wider than the 5 points of max_gap: find what language=fi lacks, or allow more "
                "in a commit that says why."
            )


RNG = np.random.default_rng(2)
TRUTH = np.arange(150) % 2
GIVEN = {name: (TRUTH + noise * RNG.normal(size=150)).round(3) for name, noise in (("old", 0.5), ("new", 1.5))}


class TestScoreGates:
    @pytest.fixture
    def gate(self, tmp_path):
        for name, given in GIVEN.items():
            rows = zip(range(150), np.arange(150) // 3, np.arange(150) // 50, TRUTH, given, strict=True)
            lines = [",".join(map(str, row)) for row in rows]
            (tmp_path / f"{name}.csv").write_text("\n".join(["id,user,lang,y_true,y_score", *lines]) + "\n")

        def make(**settings):
            written = "".join(f", {name}: {value}" for name, value in settings.items())
            path = tmp_path / "bayesf1.yaml"
            path.write_text(f"gates:\n  ranking: {{baseline: old.csv, candidate: new.csv, rope: 0.05{written}}}\n")
            (found,) = load_gates(path, tmp_path)
            return evaluate(found)

        return make

    @pytest.mark.slow
    def test_a_gate_compares_scores(self, gate):
        result = gate(measure="roc_auc", slices="[lang]")
        sides = [Scores.from_predictions(TRUTH, given) for given in GIVEN.values()]
        np.testing.assert_equal(result.overall.comparison.hdi, compare(*sides, measure="roc_auc", rope=0.05).hdi)
        assert result.outcome == "failed"
        assert [each.part for each in result.judged] == ["", "lang=0", "lang=1", "lang=2"]

    def test_scores_have_no_classes_to_judge(self, gate):
        result = gate(measure="roc_auc", per_class="true")
        assert len(result.judged) == 1
        told = "class 0 could not be compared: measure: expected plain 'roc_auc', which is about scores"
        assert told in result.left_out[0]


def with_runs(gate, *files):
    return replace(gate, source=replace(gate.source, runs=files))


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

    @pytest.mark.parametrize(("floor", "verdict"), [(0.8, "passed"), (0.92, "passed"), (0.97, "failed")])
    def test_it_says_what_assert_at_least_says(self, floor_gate, floor, verdict):
        result = evaluate(floor_gate(f"floor: {floor}, measure: accuracy"))
        assert (result.outcome, result.overall.policy) == (verdict, AT_LEAST)
        counts = ConfusionMatrix([[90, 10], [10, 90]], labels=["ham", "spam"])
        if verdict == "failed":
            with pytest.raises(AssertionError) as error:
                assert_at_least(counts, floor, measure="accuracy")
            assert result.text(in_full=False) == str(error.value)
        else:
            estimate = assert_at_least(counts, floor, measure="accuracy")
            assert result.overall.result.score.hdi == pytest.approx(estimate.score.hdi)

    def test_classes_and_slices_must_reach_it_too(self, floor_gate):
        result = evaluate(floor_gate("floor: 0.93, measure: accuracy, per_class: true, slices: [lang]"))
        parts = verdicts(result)
        assert list(parts) == ["", "class ham", "class spam", "lang=en", "lang=fi"]
        assert (parts["lang=en"], parts["lang=fi"]) == ("passed", "failed")
        assert "If all truly reach the floor" in " ".join(result.notes())
        truth, said = ["ham", "spam"] * 100, ["ham", "spam"] * 90 + ["spam", "ham"] * 10
        asked = {"measure": "accuracy", "per_class": True, "slices": {"lang": ["en"] * 100 + ["fi"] * 100}}
        with pytest.raises(AssertionError) as error:
            assert_at_least(truth, said, 0.93, **asked)
        assert str(error.value) == result.text(in_full=False).replace('"lang"', "lang")
        with pytest.raises(InputError, match=r"prior: It has counts of whole test sets"):
            assert_at_least(truth, said, 0.93, **asked, prior=assert_at_least(truth, said, 0.5).as_prior())
        with pytest.raises(InputError, match="lang: expected 200 values, one per example, got 1"):
            assert_at_least(truth, said, 0.93, slices={"lang": ["en"]})
        with pytest.raises(InputError, match=r"run_sd: It is about all the data. Leave per_class and slices out."):
            assert_at_least(truth, said, 0.93, **asked, run_sd=0.01)

    def test_scores_can_be_cut_too(self):
        truth, column = [0, 1] * 100, ["en"] * 100 + ["fi"] * 100
        side = Scores.from_predictions(truth, np.linspace(0, 1, 200))
        with pytest.raises(AssertionError, match="lang=en"):
            assert_at_least(side, 0.1, measure="neg_brier_score", slices={"lang": column})

    def test_classes_and_slices_are_estimated_as_all_the_data_are(self, floor_gate):
        asked = "measure: recall_macro, hdi_prob: 0.8, prior: uniform, seed: 3"
        result = evaluate(floor_gate(f"floor: 0.93, {asked}, per_class: true, slices: [lang]"))
        settings = [(each.result.hdi_prob, each.result.prior, each.result.seed) for each in result.judged]
        assert settings == [(0.8, "uniform", 3)] * 5
        assert [each.result.measure for each in result.judged] == [
            "recall_macro", "recall[ham]", "recall[spam]", "recall_macro", "recall_macro",
        ]  # fmt: skip

    def test_runs_alone_are_chance_where_the_examples_are_always_the_same(self, floor_gate):
        of_examples, of_runs = (
            evaluate(floor_gate(f"floor: 0.92, measure: accuracy{more}")) for more in ("", ", run_sd: 0.005")
        )
        assert (of_examples.outcome, of_runs.outcome) == ("passed", "failed")
        low, high = of_runs.overall.result.score.hdi
        assert (low, high) == pytest.approx((0.9 - 1.96 * 0.005, 0.9 + 1.96 * 0.005), abs=1e-5)
        assert "not about others like them" in " ".join(of_runs.overall.result.notes())

    def test_several_files_are_runs(self, floor_gate, tmp_path):
        gate = floor_gate("floor: 0.92, measure: accuracy, run_sd: 0.01")
        for run, n_wrong in enumerate((10, 20, 30, 40)):
            rows = {"id": range(200), "y_true": ["ham", "spam"] * 100}
            predicted = [*rows["y_true"][n_wrong:], *["spam", "ham"] * (n_wrong // 2)]
            write_csv(tmp_path / f"run{run}.csv", rows | {"y_pred": predicted})
        found = evaluate(with_runs(gate, tmp_path / "run*.csv")).overall.result
        assert found.score.observed == pytest.approx(1 - 25 / 200)
        assert found.score.std == pytest.approx(0.01 / 2, rel=1e-3)
        listed = with_runs(gate, *sorted(tmp_path.glob("run?.csv")))
        assert evaluate(listed).overall.result.score.hdi == found.score.hdi

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("floor: 0.9, rope: 0.01", "gates.spam.rope: rope does not go with floor. Leave rope out."),
            ("floor: 0.9, baseline: old.csv", "gates.spam.baseline: baseline does not go with floor"),
            (
                "run_sd: 0.01, rope: 0.01, baseline: old.csv",
                "gates.spam.run_sd: run_sd does not go with two files. Leave run_sd out.",
            ),
            (
                "floor: 0.9, run_sd: 0.01, per_class: true",
                "gates.spam: run_sd is about all the data. Leave per_class and slices out.",
            ),
            ("rope: 0.01", "gates.spam.baseline: There is no baseline. Name one; or set floor"),
        ],
    )
    def test_what_a_floor_may_not_be_beside(self, floor_gate, text, expected):
        with pytest.raises(GateFileError, match=re.escape(expected)):
            floor_gate(text)

    @pytest.mark.parametrize(("fail_on", "verdict"), [("<<", "passed"), ("unproven", "failed")])
    def test_of_defaults_only_proof_matters(self, floor_gate, tmp_path, fail_on, verdict):
        floor_gate("floor: 0.9")
        text = f"defaults: {{rope: 0.01, fail_on: {fail_on}}}\ngates: {{spam: {{candidate: new.csv, floor: 0.9}}}}"
        (tmp_path / "bayesf1.yaml").write_text(text)
        (gate,) = load_gates(tmp_path / "bayesf1.yaml", tmp_path)
        assert evaluate(gate).outcome == verdict

    @pytest.mark.parametrize(("floor", "verdict"), [(0.8, "passed"), (0.87, "failed"), (0.97, "failed")])
    def test_proof_fails_what_is_not_wholly_above(self, floor_gate, floor, verdict):
        asked = f"floor: {floor}, measure: accuracy"
        result = evaluate(floor_gate(f"{asked}, fail_on: unproven"))
        assert (result.outcome, result.demand.words) == (verdict, f"floor {floor:g}, proven")
        counts = ConfusionMatrix([[90, 10], [10, 90]], labels=["ham", "spam"])
        with pytest.raises(AssertionError) if verdict == "failed" else nullcontext():
            assert_at_least(counts, floor, measure="accuracy", proven=True)

    @pytest.mark.parametrize("more", ["", ", run_sd: 0.01", ", fail_on: unproven"])
    def test_a_floor_that_no_range_reaches_is_refused(self, floor_gate, more):
        """Of 300 right out of 300 it said '1.000 is clearly below the floor of 1'."""
        with pytest.raises(InputError, match=r"floor: No likely range .* To allow no error, write: assert list"):
            evaluate(floor_gate(f"floor: 1{more}", y_pred=["ham", "spam"] * 100))

    def test_a_measure_of_one_class_counts_its_examples(self, floor_gate):
        result = evaluate(floor_gate("floor: 0.9, measure: 'recall[spam]'", y_true=["ham"] * 197 + ["spam"] * 3))
        assert "on 3 of 200 examples" in dict(facts(result.overall.result))["score"]
        assert "tested on   3 of 200 examples" in result.text(in_full=False)
