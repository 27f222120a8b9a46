import csv
import json
import re
import shlex
from io import StringIO
from pathlib import Path

import pytest

from pytest_bayesf1 import ConfusionMatrix, ConvergenceError, compare
from pytest_bayesf1.cli import answers
from pytest_bayesf1.errors import EngineError
from pytest_bayesf1.gates import demand, evaluate
from pytest_bayesf1.gates.gate_file import gate_file_schema
from pytest_bayesf1.reports import record as record_module
from pytest_bayesf1.reports.entry import Report, report_schema
from pytest_bayesf1.reports.terminal import report_lines
from pytest_bayesf1.reports.writing import write_report
from pytest_bayesf1.writing import json_text
from tests.functional.classifiers import BASELINE, BETTER, MUCH_WORSE, UNDECIDED
from tests.unit.files.logged import FIVE_TASKS, FOLDER, LM_EVAL_RUNS, edited, with_twice_the_samples
from tests.unit.files.written import write_csv
from tests.unit.made_up import comparison, entry, estimate
from tests.unit.ranked import predictions

TRUTH = ["gold"] * 20 + ["silver"] * 20
PREDICTED = {"before": TRUTH, "after": ["gold"] * 20 + ["silver"] * 14 + ["gold"] * 6}


class TestChanges:
    @pytest.fixture(autouse=True)
    def files(self, folder):
        known = {"id": [f"=e{n}" for n in range(40)], "y_true": TRUTH, "text": [f"@text {n}" for n in range(40)]}
        for name, predicted in PREDICTED.items():
            write_csv(folder / f"{name}.csv", {**known, "y_pred": predicted})

    def test_what_explains_most_is_shown(self, run):
        shown = run("changes", "before.csv", "after.csv", "--measure", "accuracy").stdout.splitlines()
        assert shown[0] == "The observed accuracy fell 15.00 points, all of it by silver taken for gold (0 → 6)."
        assert re.split(" {2,}", shown[2])[:3] == ["silver taken for gold", "0 → 6", "\N{MINUS SIGN}15.00"]
        assert shown[2].endswith("=e34, =e35, =e36, =e37, =e38")

    def test_every_example_as_csv_that_no_spreadsheet_runs(self, run):
        rows = list(csv.DictReader(StringIO(run("changes", "before.csv", "after.csv", "--format", "csv").stdout)))
        assert [row["id"] for row in rows] == [f"'=e{number}" for number in range(34, 40)]
        assert {(row["baseline"], row["candidate"], row["change"]) for row in rows} == {
            ("silver", "gold", "right to wrong")
        }

    def test_every_example_as_json(self, run):
        found = json.loads(run("changes", "before.csv", "after.csv", "--format", "json").stdout)
        assert [each["id"] for each in found["examples"]] == [f"=e{number}" for number in range(34, 40)]
        assert sum(each["contribution"] for each in found["errors"]) == pytest.approx(found["change"])

    def test_counts_show_errors_alone(self, run):
        assert run("changes", "old.csv", "better.csv").stdout.startswith("The observed macro-F1 rose")

    def test_nothing_changed(self, run):
        assert run("changes", "before.csv", "before.csv").stdout == "The observed macro-F1 is the same on both sides.\n"

    def test_excerpts_where_they_are_asked_for(self, run):
        shown = run("changes", "before.csv", "after.csv", "--show", "text").stdout
        assert "=e34: @text 34, =e35: @text 35" in shown
        written = run("changes", "before.csv", "after.csv", "--show", "text", "--format", "csv").stdout
        assert [row["text"] for row in csv.DictReader(StringIO(written))] == [f"'@text {n}" for n in range(34, 40)]
        refused = run("changes", "before.csv", "after.csv", "--show", "url", code=2)
        assert "Neither file has a column 'url' to show" in refused.stderr


def figures(baseline, candidate):
    """Return all that a comparison says but for its first line."""
    return str(compare(baseline, candidate, rope=0.02)).partition("\n")[2]


class TestCompare:
    def test_six_lines_say_what_matters(self, run):
        shown = run("compare", "old.csv", "undecided.csv", "--rope", "0.02")
        verdict, observed, likely, do, more = shown.stdout.splitlines()
        assert verdict == "Could not tell: too few examples to tell whether the candidate is worse than you allow."
        assert re.fullmatch(r"  observed    macro-F1 0.900 → 0.\d{3}, −\d.\d points \(you allow 2\)", observed)
        assert likely.startswith("  95% likely  −")
        assert do == "  do          Test on more examples."
        assert more == "  more        -v for every figure; --report DIR for a page"

    @pytest.mark.parametrize(
        ("candidate", "options", "code", "verdict"),
        [
            ("same", [], 0, "Passed: the candidate is practically equivalent."),
            ("undecided", [], 0, "Could not tell: too few examples to tell"),
            ("worse", [], 0, "Warned: "),
            ("much_worse", [], 1, "Failed: the candidate is significantly worse."),
            ("much_worse", ["--per-class"], 1, "Failed: the candidate is significantly worse."),
            ("worse", ["--fail-on", "<"], 1, "Failed: "),
            ("worse", ["--fail-on", "?"], 1, "Failed: "),
            ("much_worse", ["--fail-on", "?"], 1, "Failed: "),
            ("undecided", ["--fail-on", "unproven"], 3, "Failed: too few examples to tell whether the candidate is"),
            ("better", ["--fail-on", "?"], 0, "Passed: the candidate is leaning better."),
        ],
    )
    def test_the_verdict_comes_first_and_is_the_exit_code(self, run, candidate, options, code, verdict):
        shown = run("compare", "old.csv", f"{candidate}.csv", "--rope", "0.02", *options, code=code)
        lines = shown.stdout.splitlines()
        assert lines[0].startswith(verdict)
        assert len(lines) <= (6 if options != ["--per-class"] else 9)

    def test_in_full_it_says_what_compare_says(self, run):
        shown = run("compare", "old.csv", "better.csv", "--rope", "0.02", "-v")
        title, *lines = shown.stdout.splitlines()
        assert title == "old.csv → better.csv"
        assert lines[0] == "> macro-F1 +2.4 points (you allow 2): 0.900 → 0.924"
        told = figures(BASELINE, BETTER).splitlines()
        assert [line for line in lines if line in told] == told
        assert lines[-3] == "The gate passed"
        assert lines[-1].startswith("passed    old.csv → better.csv  ")
        assert "  Yang & Liu  " in shown.stdout
        assert shown.stderr == ""

    @pytest.mark.parametrize(
        ("options", "arguments"),
        [
            ("--rope -0.01,0.02 --hdi-prob 0.9 --measure accuracy --prior uniform --seed 7 --model independent",
             {"rope": (-0.01, 0.02), "hdi_prob": 0.9, "measure": "accuracy", "prior": "uniform", "seed": 7,
              "model": "independent"}),
            ("--rope 0.02 --model independent --prevalence 1=0.05",
             {"rope": 0.02, "model": "independent", "prevalence": {1: 0.05}}),
        ],
        ids=["plain", "prevalence"],
    )  # fmt: skip
    def test_options_are_arguments_of_compare(self, run, options, arguments):
        shown = run("compare", "old.csv", "better.csv", *options.split(), "--json")
        (entry,) = json.loads(shown.stdout)["entries"]
        expected = compare(BASELINE, BETTER, **arguments).to_dict()
        assert {name: entry[name] for name in expected} == json.loads(json_text(expected))
        assert (entry["test"], entry["gate"], entry["file"]) == ("old.csv → better.csv", 'fail_on "<<"', "")

    def test_json_for_machines_is_all_that_is_written(self, run, folder):
        shown = run("compare", "old.csv", "much_worse.csv", "--rope", "0.02", "--json", "--report", "out", code=1)
        assert shown.stdout_bytes == (folder / "out" / "report.json").read_bytes()
        assert shown.stderr == ""

    def test_a_failure_says_what_to_do_in_80_columns(self, run):
        shown = run("compare", "old.csv", "much_worse.csv", "--rope", "0.02", "-v").stdout
        assert figures(BASELINE, MUCH_WORSE).splitlines()[0] in shown
        assert "\n  Do: Find what changed (data, features, labels) before merging. The\n" in shown
        assert any(line.startswith("FAILED    old.csv → much_worse.csv  ") for line in shown.splitlines())
        lines = [line for line in shown.splitlines() if line.startswith(("  change", "  ROPE", "  base"))]
        assert len(lines) == 3
        assert max(map(len, lines)) <= 80
        assert "\x1b" not in shown

    def test_classes_are_told_one_by_one(self, run):
        shown = run("compare", "old.csv", "much_worse.csv", "--rope", "0.02", "--per-class", "-v")
        assert "\n    ≪ class 1, F1 of 1 −10" in shown.stdout
        assert "The gate failed (2 of 2 classes) · blocks merge\n" in shown.stdout

    def test_slices_are_told_one_by_one(self, run, folder):
        known = {"y_true": [0, 1] * 100, "lang": ["de" if n % 3 else "en" for n in range(200)]}
        for name, wrong in (("a", 10), ("b", 12)):
            write_csv(folder / f"{name}.csv", {**known, "y_pred": [n % 2 ^ (n < wrong) for n in range(200)]})
        shown = run("compare", "a.csv", "b.csv", "--rope", "0.1", "--slice", "lang", "--json")
        assert [entry["part"] for entry in json.loads(shown.stdout)["entries"]] == ["", "lang=de", "lang=en"]

    def test_answers_that_could_not_be_read_are_noted_in_one_of_six_lines(self, run, folder):
        for name, unreadable in (("a", 2), ("b", 4)):
            predicted = ["" if n < unreadable else n % 2 for n in range(200)]
            write_csv(folder / f"{name}.csv", {"y_true": [0, 1] * 100, "y_pred": predicted})
        lines = run("compare", "a.csv", "b.csv", "--rope", "0.1", "--invalid", "wrong").stdout.splitlines()
        assert len(lines) == 6
        assert lines[4].startswith("  note        1% of the baseline's answers and 2% of the candidate's answers are")
        run("compare", "a.csv", "b.csv", "--rope", "0.1", code=4)

    def test_units_and_runs(self, run, folder):
        for name, wrong in (("a", 10), ("b", 14)):
            rows = [f"{n},{n // 4},{r},{n % 2},{n % 2 ^ (n < wrong * r)}" for n in range(200) for r in (1, 2)]
            (folder / f"{name}.csv").write_text("\n".join(["id,doc,run,y_true,y_pred", *rows]) + "\n")
        asked = ("a.csv", "b.csv", "--clusters", "doc", "--runs", "samples")
        shown = run("compare", *asked, "--rope", "0.1", "-v")
        assert "50 clusters of doc, 200 examples, 2 predictions of each example" in " ".join(shown.stdout.split())

    @pytest.mark.parametrize(
        ("name", "told"), [("new", "candidate (new.csv): file not found."), ("three", "expected 2 classes")]
    )
    def test_a_missing_candidate_or_one_with_other_classes(self, run, folder, name, told):
        (folder / "three.csv").write_text("1,0,0\n0,1,0\n0,0,1\n")
        shown = run("compare", "old.csv", f"{name}.csv", "--rope", "0.02", code=2)
        assert told in shown.stdout
        assert len(shown.stdout.splitlines()) == 1

    def test_draws_that_cannot_be_trusted(self, run, monkeypatch):
        def fail(_):
            raise ConvergenceError("chains", "R-hat below 1.01", "1.5")

        monkeypatch.setattr(answers, "evaluate", fail)
        shown = run("compare", "old.csv", "better.csv", "--rope", "0.02", code=5)
        assert "chains: expected R-hat below 1.01, got 1.5" in shown.stdout

    @pytest.mark.slow
    @pytest.mark.parametrize("output", [[], ["--json"]], ids=["text", "json"])
    def test_a_report_that_cannot_be_written_leaves_the_answer(self, run, folder, output):
        (folder / "out" / "report.md").mkdir(parents=True)
        shown = run("compare", "old.csv", "better.csv", "--rope", "0.02", "--report", "out", *output, code=5)
        assert shown.stderr == "Error: out/report.md: a directory is in the way\n"
        assert "passed" in shown.stdout.lower()
        assert [path.name for path in (folder / "out").iterdir()] == ["report.md"]

    def test_a_report_is_written(self, run, folder):
        shown = run("compare", "old.csv", "better.csv", "--rope", "0.02", "--report", folder / "out")
        assert shown.stdout.splitlines()[-1] == "report: out/report.html"
        written = ["report.html", "report.json", "report.md"]
        assert sorted(path.name for path in (folder / "out").iterdir()) == written

    def test_settings_of_the_project_change_nothing(self, run, folder):
        before = run("compare", "old.csv", "undecided.csv", "--rope", "0.02", "-v").stdout
        (folder / "pytest.ini").write_text("[pytest]\nbayesf1_seed = 3\nbayesf1_measure = accuracy\n")
        assert run("compare", "old.csv", "undecided.csv", "--rope", "0.02", "-v").stdout == before
        told = figures(BASELINE, UNDECIDED).splitlines()
        assert [line for line in before.splitlines() if line in told] == told

    def test_probabilities_are_refused_with_the_code_of_data_that_cannot_be_used(self, run, folder):
        shares = [f"{0.372 * number % 1:.3f}" for number in range(600)]
        write_csv(folder / "a.csv", {"y_true": [0, 1] * 300, "y_pred": shares})
        shown = run("compare", "a.csv", "a.csv", "--rope", "0.02", "--fail-on", "?", code=4)
        assert "Pass labels, not probabilities." in " ".join(shown.output.split())

    @pytest.mark.parametrize("written", ["{}.0", " {}", "{}e+00"])
    def test_another_spelling_of_numbers_is_no_other_class(self, run, folder, written):
        labels = [(number % 2, (number + (number % 10 == 0)) % 2) for number in range(500)]
        for name, form in (("a", "{}"), ("b", written)):
            rows = [",".join(map(form.format, row)) for row in labels]
            (folder / f"{name}.csv").write_text("\n".join(["y_true,y_pred", *rows]))
        shown = run("compare", "a.csv", "b.csv", "--rope", "0.02", "--measure", "f1", "--fail-on", "?", code=0)
        assert "F1 of 1 0.909 → 0.909, +0.0 points" in shown.stdout

    def test_one_file_holds_both_sides(self, run, folder):
        (folder / "both.csv").write_text("id,gold,old,new\n1,a,a,a\n2,b,b,a\n3,a,a,a\n4,b,b,b\n")
        columns = "--column y_true=gold --baseline-column y_pred=old --candidate-column y_pred=new"
        shown = run("compare", "both.csv", "both.csv", "--rope", "0.1", *columns.split(), "--json")
        (entry,) = json.loads(shown.stdout)["entries"]
        truth = ["a", "b", "a", "b"]
        sides = [
            ConfusionMatrix.from_predictions(truth, said, ids=[1, 2, 3, 4]) for said in (truth, ["a", "a", "a", "b"])
        ]
        assert (entry["mean"], entry["model"]) == (pytest.approx(compare(*sides, rope=0.1).mean), "paired")

    def test_one_file_holds_the_rows_of_both_sides(self, run, folder):
        rows = "".join(f"{system},{n},a,{said}\n" for system, said in (("v1", "a"), ("v2", "b")) for n in range(4))
        (folder / "both.csv").write_text(f"system,id,y_true,y_pred\n{rows}v1,9,b,b\nv2,9,b,b\n")
        sides = ("--baseline-rows", "system=v1", "--candidate-rows", "system=v2")
        shown = run("changes", "both.csv", "both.csv", "--measure", "accuracy", *sides)
        assert "fell 80.00 points" in shown.stdout

    def test_reports_tell_what_was_noted(self, run, folder, monkeypatch):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
        monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
        shown = run("compare", "old.csv", "better.csv", "--rope", "0.02", "--note", "model=v3", "--json")
        assert json.loads(shown.stdout)["run"] == NOTED
        shown = run("compare", "old.csv", "better.csv", "--rope", "0.02", "--note", "model=v3", "-v")
        assert shown.stdout.splitlines()[-1] == "model=v3"


class TestCheck:
    @pytest.mark.parametrize(
        ("floor", "verdict", "code"), [("0.95", "Failed: the score is below the floor.", 1), ("0.5", "Passed: ", 0)]
    )
    def test_a_score_must_reach_the_floor(self, run, floor, verdict, code):
        shown = run("check", "old.csv", "--floor", floor, code=code)
        assert shown.stdout.startswith(verdict)
        assert len(shown.stdout.splitlines()) <= 6

    def test_reports_show_it_like_any_gate(self, run, folder):
        shown = run("check", "old.csv", "--floor", "0.95", "--json", "--report", "out")
        (entry,) = json.loads(shown.stdout)["entries"]
        assert (entry["kind"], entry["policy"], entry["gate"]) == ("estimate", "at_least", "floor 0.95")
        assert (entry["verdict"], entry["floor"], entry["run_sd"]) == ("failed", 0.95, None)
        assert "Below the floor of 0.95" in (folder / "out" / "report.md").read_text("utf-8")

    def test_every_class_is_judged_too(self, run):
        shown = run("check", "old.csv", "--floor", "0.8", "--per-class", "--json")
        assert sorted(entry["part"] for entry in json.loads(shown.stdout)["entries"]) == ["", "class 0", "class 1"]

    @pytest.mark.parametrize(
        ("asked", "told"),
        [
            ("old.csv --floor 92", "floor: expected a score below 1, such as 0.9 for 90%, got 92"),
            ("old.csv --floor 1", "No likely range of a score reaches 1"),
            ("old.csv --floor 0.9 --run-sd 0", "run_sd: expected a standard deviation above 0"),
            ("old.csv better.csv --floor 0.9", "and this one has no column 'id'"),
        ],
    )
    def test_what_cannot_be_checked(self, run, asked, told):
        shown = run("check", *asked.split(), code=2)
        assert told in shown.stdout

    @pytest.mark.parametrize(
        ("asked", "told"),
        [
            ("--fail-on <", "Error: fail_on: A score does not lean to"),
            ("--run-sd 0.1 --per-class", "Error: run_sd: It is about all the data. Leave per_class"),
        ],
    )
    def test_what_does_not_go_with_a_floor(self, run, asked, told):
        refused = run("check", "old.csv", "--floor", "0.9", *asked.split())
        assert (refused.exit_code, refused.stderr.startswith(told)) == (2, True), refused.stderr


def one_run(n_right):
    return {"id": range(200), "y_true": ["a"] * 200, "y_pred": ["a"] * n_right + ["b"] * (200 - n_right)}


class TestFloor:
    @pytest.fixture
    def runs(self, folder):
        for number, n_right in enumerate((180, 176, 182, 179, 184)):
            write_csv(folder / f"run{number}.csv", one_run(n_right))
        return [f"run{number}.csv" for number in range(5)]

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnexpectedPredictionsWarning")
    def test_the_gate_that_is_proposed_judges_as_it_says(self, run, folder, runs):
        asked = ["floor", *runs, "--measure", "accuracy", "--new-runs", "2"]
        found = json.loads(run(*asked, "--format", "json").stdout)
        assert found["scores"] == [0.9, 0.88, 0.91, 0.895, 0.92]
        text = run(*asked).stdout
        assert text.startswith("5 runs on the same 200 examples: accuracy is 0.901 on average")
        (folder / "new").mkdir()
        for number in range(2):
            write_csv(folder / "new" / f"{number}.csv", one_run(int(200 * found["fails_below"])))
        (folder / "bayesf1.yaml").write_text(text[text.index("gates:") :])
        run("gate", code=1)

    def test_bare_scores_of_a_spreadsheet(self, run, folder):
        text = "score\r\n0.84\r\n0.86\r\n0.85\r\n"
        (folder / "scores.csv").write_bytes(text.encode())
        assert "3 runs: the score is 0.850" in run("floor", "--scores", "scores.csv").output
        (folder / "scores.csv").write_bytes(text.encode("utf-16"))
        shown = run("floor", "--scores", "scores.csv", code=2)
        assert "scores: Not UTF-8, but UTF-16. Save the file as UTF-8." in shown.output
        assert "the path of a file of such numbers" in run("floor", "--scores", "none.csv").output

    def test_a_file_may_hold_several_runs(self, run, folder, runs):
        rows = [
            f"{number},{line}" for number, name in enumerate(runs) for line in Path(name).read_text().splitlines()[1:]
        ]
        (folder / "all.csv").write_text("\n".join(["run,id,y_true,y_pred", *rows]) + "\n")
        apart, together = (
            json.loads(run("floor", *files, "--measure", "accuracy", "--format", "json").stdout)
            for files in (runs, ["all.csv"])
        )
        assert apart == together

    def test_as_many_runs_as_find_a_loss(self, run, runs):
        shown = run("floor", *runs, "--measure", "accuracy", "--loss", "0.05", "--format", "json")
        found = json.loads(shown.stdout)
        assert found["detectable_loss"] <= 0.05
        assert found["n_runs"] > 1
        refused = run("floor", *runs, "--measure", "accuracy", "--loss", "0.001")
        assert (refused.exit_code, refused.stderr[:15]) == (2, "Error: loss: 5 ")

    def test_runs_of_other_examples(self, run, folder, runs):
        (folder / "other.csv").write_text("id,y_true,y_pred\n" + "".join(f"{n},a,{'ab'[n > 99]}\n" for n in range(150)))
        shown = run("floor", *runs, "other.csv", "--measure", "accuracy", code=2)
        assert "other: Not about the examples of run0, as every run is" in shown.stderr


NOTED = {
    "commit": "",
    "branch": "",
    "date": "1970-01-02",
    "attempt": 1,
    "base_commit": "",
    "base_branch": "",
    "notes": {"model": "v3"},
}


def codes(run, *arguments):
    return run("gate", *arguments).exit_code


def listed(folder):
    return json.loads((folder / "__bayesf1__" / "gates.json").read_text())["gates"]


class TestGate:
    def test_gates_of_the_folder_are_evaluated(self, run, gates):
        gates("same", "better")
        shown = run("gate", code=0)
        assert shown.stdout.splitlines() == ["All 2 gates passed", "2 passed (-v lists them)"]
        listed = [line.split()[:2] for line in run("gate", "-v").stdout.splitlines() if line.startswith("passed")]
        assert listed == [["passed", "same"], ["passed", "better"]]
        assert shown.stderr == ""

    def test_only_what_did_not_pass_is_told_in_full(self, run, gates):
        gates("same", "worse", "much_worse")
        shown = run("gate", code=1)
        titles = [line for line in shown.stdout.splitlines() if line.startswith("bayesf1.yaml")]
        assert titles == ["bayesf1.yaml::much_worse", "bayesf1.yaml::worse"]  # the gravest first
        assert "1 of 3 gates failed · blocks merge · 1 warned, 1 passed\n" in shown.stdout

    def test_what_the_data_cannot_tell_is_told_and_counted_and_passes(self, run, gates):
        gates("same", "undecided")
        shown = run("gate", code=0)
        title, headline, *_ = shown.stdout.splitlines()
        assert title == "bayesf1.yaml::undecided"
        assert headline.startswith("? macro-F1 −")
        assert "1 of 2 gates could not tell · 1 passed\n" in shown.stdout

    @pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")
    def test_a_wide_rope_is_told_on_standard_error_with_its_place(self, run, gates):
        gates(same="rope: [0.5, wide]", better="rope: 0.4")
        shown = run("gate")
        (line,) = shown.stderr.splitlines()
        assert line.startswith("bayesf1.yaml:4: WideRopeWarning: The rope 0.4 means that you allow 40 points")
        shown = run("compare", "old.csv", "same.csv", "--rope", "0.4")
        assert shown.stderr.startswith("WideRopeWarning: The rope 0.4 means that")
        assert run("compare", "old.csv", "same.csv", "--rope", "0.5,wide").stderr == ""
        assert "WideRopeWarning: The rope 0.4" in run("baseline", "update", "--gate", "better").stderr

    @pytest.mark.parametrize(
        ("settings", "code"),
        [
            ({"worse": ""}, 0),
            ({"undecided": 'fail_on: "?"'}, 3),
            ({"undecided": 'fail_on: "?"', "much_worse": ""}, 1),
            ({"x": "baseline: no.csv", "much_worse": ""}, 4),
            ({"x": "baseline: no.csv", "y": 'measure: "f1[9]"', "much_worse": ""}, 2),
        ],
    )
    def test_the_most_severe_code_counts(self, run, gates, settings, code):
        gates("same", **settings)
        assert codes(run) == code

    def test_what_could_not_be_computed_comes_first(self, run, gates, monkeypatch):
        usual = evaluate.evaluate

        def fail(gate, commit):
            if gate.name == "better":
                raise EngineError("posterior", "finite draws", "nan")
            return usual(gate, commit)

        monkeypatch.setattr(evaluate, "evaluate", fail)
        gates("much_worse", "better", x="baseline: no.csv", y='measure: "f1[9]"')
        shown = run("gate", code=5)
        assert "ERROR     better      posterior: expected finite draws, got nan\n" in shown.stdout
        assert "1 of 4 gates failed · blocks merge · 3 errors\n" in shown.stdout

    def test_a_bug_of_one_gate_is_told_and_keeps_no_other_from_its_answer(self, run, gates, monkeypatch):
        usual = evaluate.evaluate

        def fail(gate, commit):
            return usual(gate, commit) if gate.name != "better" else 1 / 0

        monkeypatch.setattr(evaluate, "evaluate", fail)
        gates("much_worse", "better")
        shown = run("gate", code=5)
        assert "ZeroDivisionError: division by zero" in shown.stderr
        assert "1 of 2 gates failed · blocks merge · 1 error\n" in shown.stdout

    def test_a_missing_baseline_says_which_command_makes_it(self, run, gates):
        gates(x="baseline: no.csv")
        shown = run("gate", code=4)
        command = "baseline update bayesf1.yaml --gate x --new"
        assert f"To make the candidate the baseline, run: bayesf1 {command}\n" in shown.stdout
        assert run(*command.split()).stdout == "created   x: no.csv\n"
        assert codes(run) == 0

    def test_no_command_is_printed_that_would_fail(self, run, gates, folder):
        """As the file would have another format, or there is no candidate to write."""
        gates(x="baseline: no.json.gz")
        assert "file not found. To make it of the candidate, give it a name that ends with '.csv'" in run("gate").stdout
        gates(x="baseline: no.csv")
        (folder / "better.csv").unlink()
        shown = run("gate").stdout
        assert shown.count("file not found. Nor is the candidate there, better.csv: check both paths.") == 1

    def test_one_gate_can_be_chosen_and_a_file_that_is_named_twice_counts_once(self, run, gates):
        path = gates("same", "much_worse")
        assert codes(run, "--gate", "same") == 0
        lines = run("gate", "--gate", "much_worse", "--gate", "same", "-v").stdout.splitlines()
        assert [line for line in lines if line.startswith("bayesf1.yaml::")] == [
            "bayesf1.yaml::same",
            "bayesf1.yaml::much_worse",
        ]
        assert codes(run, path, "--gate", "same", "--gate", "much_worse") == 1
        assert len(json.loads(run("gate", path, path, "--json").stdout)["entries"]) == 2
        path.with_name("strict.yaml").write_text(path.read_text())
        assert '"strict.yaml::same"' in (only := run("gate", "strict.yaml", "--json").stdout)
        assert "bayesf1.yaml" not in only

    def test_no_gate_file(self, run, folder):
        shown = run("gate", code=2)
        assert f"Error: There is no gate file, bayesf1*.yaml, in {folder}" in " ".join(shown.stderr.split("\n"))

    def test_a_column_that_only_the_candidate_calls_otherwise(self, run, folder):
        for name, column in (("a.csv", "y_pred"), ("b.csv", "prediction")):
            write_csv(folder / name, {"id": range(40), "y_true": TRUTH, column: PREDICTED["after"]})
        (folder / "bayesf1.yaml").write_text("gates: {x: {baseline: a.csv, candidate: b.csv, rope: 0.1}}\n")
        assert "the prediction, pass columns: {y_pred: 'prediction'}." in run("gate").stdout
        (folder / "bayesf1.yaml").unlink()
        told = run("compare", "a.csv", "b.csv", "--rope", "0.1").output
        assert told.endswith("the prediction, pass columns: {y_pred: 'prediction'}.\n")
        run("compare", "a.csv", "b.csv", "--rope", "0.1", "--candidate-column", "y_pred=prediction", code=0)

    def test_a_gate_file_outside_of_the_root_folder_says_where_to_go(self, run, gates, folder, monkeypatch):
        path = gates("same", "better")
        (folder / "build").mkdir()
        (folder / "build" / "own.yaml").write_text(path.read_text())
        monkeypatch.chdir(folder / "build")
        told = run("gate", "../bayesf1.yaml", "own.yaml").stderr
        assert told.startswith(f"Error: ../bayesf1.yaml lies outside of the root folder, {folder / 'build'}. ")
        assert told.endswith("Run the command in the file's folder: cd ..\n")

    def test_a_gate_file_above_is_named(self, run, gates, folder, monkeypatch):
        path = gates("same")
        (folder / "build").mkdir()
        monkeypatch.chdir(folder / "build")
        assert f"There is one above: cd {folder}" in " ".join(run("gate").stderr.split("\n"))
        (folder / "build" / "below").mkdir()
        (folder / "build" / "bayesf1.yaml").write_text(path.read_text())
        monkeypatch.chdir(folder / "build" / "below")
        assert f"There is one above: cd {folder / 'build'}" in " ".join(run("gate").stderr.split("\n"))
        (folder / "build" / "below" / ".git").mkdir()
        assert "Propose one: bayesf1 init" in run("gate").stderr

    def test_all_problems_of_all_files_are_told_at_once(self, run, folder):
        (folder / "bayesf1.yaml").write_text("gates: {a: {}}\n")
        (folder / "bayesf1-2.yaml").write_text("gates: {b: {rope: 0}}\n")
        shown = run("gate", code=2)
        assert shown.stdout == ""
        assert "bayesf1.yaml:1: gates.a.baseline: There is no baseline" in shown.stderr
        assert "bayesf1-2.yaml:1: gates.b.rope: expected a half-width above 0" in shown.stderr

    def test_names_are_told_from_the_root(self, run, gates, folder, monkeypatch):
        path = gates("much_worse")
        path.write_text(path.read_text().replace("much_worse:", "much worse:"))
        (folder / "sub").mkdir()
        monkeypatch.chdir(folder / "sub")
        for cache, command in (
            ("", "pytest '../bayesf1.yaml::much worse' --bayesf1-accept \"...\""),
            ("cache", "bayesf1 accept 'bayesf1.yaml::much worse' --root .. --reason \"...\""),
        ):
            monkeypatch.setenv("BAYESF1_CACHE", cache and str(folder / cache))
            shown = run("gate", "--root", "..").stdout
            assert shown.startswith("bayesf1.yaml::much worse\n")
            assert f"\n{command}\n" in shown

    def test_each_outcome_has_its_colour(self, run, gates, monkeypatch):
        gates("undecided", "worse", "much_worse", "better")
        styles = []
        monkeypatch.setattr(answers, "say", lambda text, style="": styles.append((text[0], style)))
        run("gate", "-v")
        assert styles[1::3] == [("?", "cyan"), ("<", "yellow"), ("≪", "red"), (">", "")]

    def test_a_report_holds_fewer_figures_of_the_many_that_pass(self, run, gates, monkeypatch):
        gates("same", "better", "much_worse")
        monkeypatch.setattr(record_module, "MOST_IN_FULL", 1)
        found = {each["test"]: each for each in json.loads(run("gate", "--json").stdout)["entries"]}
        kept = [found[f"bayesf1.yaml::{name}"]["breakdown"] is not None for name in ("same", "better", "much_worse")]
        assert kept == [True, False, True]

    @pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")
    def test_every_warning_about_the_data_is_told(self, run, folder):
        for name, n, wrong in (("a", 200, "x"), ("b", 165, "never")):
            said = [["x", "y"][i % 2] if i > 9 else wrong for i in range(n)]
            truth = ["x" if i % 2 == 0 else "y" for i in range(n)]
            write_csv(folder / f"{name}.csv", {"id": range(n), "y_true": truth, "y_pred": said})
        (folder / "bayesf1.yaml").write_text("gates: {spam: {baseline: a.csv, candidate: b.csv, rope: 0.05}}\n")
        unexpected, lacking = run("gate").stderr.splitlines()
        assert unexpected.startswith(
            "bayesf1.yaml:1: UnexpectedPredictionsWarning: 6.1% of what the candidate predicts"
        )
        assert unexpected.endswith("count as wrong with invalid: wrong.")  # as a gate file writes it
        assert lacking.startswith(
            "bayesf1.yaml:1: ChangedTestSetWarning: The candidate has no prediction of 35 examples"
        )

    def test_the_three_gravest_are_told_at_length_and_of_others_what_to_do(self, run, gates):
        path = gates("worse")
        (line,) = [line for line in path.read_text().splitlines() if "worse:" in line]
        lines = [line.replace("worse:", f"worse{n}:") for n in range(3)]
        lines.append(line.replace("worse:", "last:").replace("worse.csv", "much_worse.csv"))
        for n_gates, gravest, advised in ((3, ["worse0", "worse1", "worse2"], 0), (4, ["last", "worse0", "worse1"], 1)):
            path.write_text("\n".join(["defaults: {rope: 0.02}", "gates:", *lines[:n_gates]]))
            in_order = ["worse0", "worse1", "worse2", "last"][:n_gates]
            for arguments, names, n_advised in (([], gravest, advised), (["-v"], in_order, 0)):
                shown = run("gate", *arguments).stdout.splitlines()
                told = [line for line in shown if line.startswith("bayesf1.yaml::")]
                assert told == [f"bayesf1.yaml::{name}" for name in names]
                assert sum(line.startswith("do: ") for line in shown) == n_advised

    @pytest.mark.parametrize("command", [["gate"], ["compare", "old.csv", "worse.csv", "--rope", "0.02"]])
    def test_reports_have_symbols_where_the_terminal_does(self, run, gates, command, monkeypatch):
        gates("worse", "undecided")
        for symbols in (True, False):
            monkeypatch.setattr(answers, "prints_unicode", lambda symbols=symbols: symbols)
            whole = run(*command).stdout
            report = whole[max(whole.find(" gates "), 0) :]  # what is said at length before it, the console rewrites
            assert report.isascii() is not symbols

    def test_a_gate_that_fails_is_listed_too(self, run, gates, folder):
        gates("same", "much_worse")
        assert codes(run, "--update-manifest") == 1
        assert [*listed(folder)] == ["bayesf1.yaml::much_worse", "bayesf1.yaml::same"]

    def test_json_holds_every_answer(self, run, gates):
        gates("same", "much_worse", x="baseline: no.csv")
        shown = run("gate", "--json")
        document = json.loads(shown.stdout)
        assert shown.exit_code == 4
        told = {"much_worse": ("failed", 4), "x": ("error", 5), "same": ("passed", 3)}
        assert [(entry["test"], entry["file"], entry["verdict"], entry["line"]) for entry in document["entries"]] == [
            (f"bayesf1.yaml::{name}", "bayesf1.yaml", *of_gate) for name, of_gate in told.items()
        ]
        assert document["complete"] is True

    def test_the_manifest_is_written_and_what_is_looser_is_told(self, run, gates, folder):
        gates("same", "better")
        assert "gates.json" not in run("gate").stdout
        assert codes(run, "--update-manifest") == 0
        assert list(listed(folder)) == ["bayesf1.yaml::better", "bayesf1.yaml::same"]
        assert "does not declare" not in run("gate").stdout
        gates(same="rope: 0.1")
        shown = run("gate", code=0)
        assert "  bayesf1.yaml::same: rope: was 2 points, is 10 points" in shown.stdout
        assert "  bayesf1.yaml::better: its file does not declare it any more" in shown.stdout
        document = json.loads(run("gate", "--json").stdout)
        assert document["verdict"] == "loosened"
        for each in document["findings"]:
            run("accept", each["gate"], "--loosened", each["change"], "--reason", "agreed", code=0)
        assert [each["accepted"] for each in json.loads(run("gate", "--json").stdout)["findings"]] == ["agreed"] * 2
        assert codes(run, "--update-manifest") == 0
        assert listed(folder)["bayesf1.yaml::same"][0]["rope"] == [-0.1, 0.1]
        assert list(listed(folder)) == ["bayesf1.yaml::same"]

    def test_a_chosen_gate_is_listed_alone_and_the_others_are_not_missed(self, run, gates, folder):
        gates("same", "better")
        run("gate", "--update-manifest")
        gates("same", better="rope: 0.1")
        assert codes(run, "--update-manifest", "--gate", "better") == 0
        assert {test: settings["rope"][1] for test, (settings,) in listed(folder).items()} == {
            "bayesf1.yaml::better": 0.1,
            "bayesf1.yaml::same": 0.02,
        }
        assert "gates.json" not in run("gate", "--gate", "same").stdout

    @pytest.mark.parametrize(("asked", "judged"), [("-x", ["much_worse"]), ("-k same", ["same"])])
    def test_what_was_left_out_is_not_missed_and_stays_listed(self, run, gates, folder, asked, judged):
        gates("much_worse", "same", "better")
        run("gate", "--update-manifest")
        found = json.loads(run("gate", *asked.split(), "--update-manifest", "--json").stdout)
        assert [each["test"] for each in found["entries"]] == [f"bayesf1.yaml::{name}" for name in judged]
        assert found["findings"] == []
        assert len(listed(folder)) == 3

    @pytest.mark.long
    def test_workers_change_nothing(self, run, gates):
        gates("same", "much_worse", x="baseline: no.csv")
        alone, shared = (run("gate", "--json", *workers, code=4).stdout for workers in ((), ("-n", "2")))
        assert alone == shared

    def test_no_gate_has_such_a_name(self, run, gates):
        gates("same")
        assert "No gate matches -k other" in run("gate", "-k", "other", code=2).stderr

    def test_only_what_a_whole_file_declares_no_more_is_dropped(self, run, gates, folder, monkeypatch):
        path = gates("same", "better")
        (folder / "bayesf1-2.yaml").write_text(path.read_text())
        assert codes(run, "--update-manifest") == 0
        (folder / "old.csv").unlink()
        gates("better")
        assert codes(run, path, "--update-manifest") == 4
        assert [*listed(folder)] == ["bayesf1-2.yaml::better", "bayesf1-2.yaml::same", "bayesf1.yaml::better"]
        gates("same")
        (folder / "sub").mkdir()
        monkeypatch.chdir(folder / "sub")
        assert codes(run, "--root", "..", "--update-manifest") == 4
        assert [*listed(folder)] == ["bayesf1-2.yaml::better", "bayesf1-2.yaml::same"]

    def test_what_is_accepted_is_that_of_the_root(self, run, gates, folder, monkeypatch):
        gates("much_worse")
        monkeypatch.setenv("BAYESF1_CACHE", str(folder / "cache"))
        (folder / "sub").mkdir()
        monkeypatch.chdir(folder / "sub")
        assert codes(run, "--root", "..") == 1
        known = ("bayesf1.yaml::much_worse", "--root", "..", "--reason", "it is smaller")
        assert run("accept", *known).exit_code == 0
        assert codes(run, "--root", "..") == 0
        manifest = folder / "__bayesf1__" / "gates.json"
        assert "it is smaller" in manifest.read_text()
        (folder / "old.csv").write_text((folder / "better.csv").read_text())
        shown = run("gate", "--root", "..")
        assert shown.exit_code == 1
        told = "gates.json accepts a loss of another candidate, or from another baseline (it is smaller)"
        assert f"bayesf1.yaml::much_worse: {told}" in shown.stdout
        run("gate", "--root", "..", "--update-manifest")
        assert "it is smaller" not in manifest.read_text()

    def test_the_manifest_is_not_written_in_ci(self, run, gates, folder, monkeypatch):
        monkeypatch.setenv("CI", "true")
        gates("same")
        shown = run("gate", "--update-manifest", code=2)
        assert shown.stderr.startswith(
            "Error: --update-manifest: No one reviews or commits what a run writes in CI (CI=true)"
        )
        assert shown.stderr.endswith("(CI=true). Run it on your own machine.\n")
        assert not (folder / "__bayesf1__").exists()

    def test_a_damaged_manifest_is_an_error(self, run, gates, folder):
        gates("same")
        (folder / "__bayesf1__").mkdir()
        for content in ("{", ""):
            (folder / "__bayesf1__" / "gates.json").write_text(content)
            shown = run("gate", code=4)
            assert "The manifest of gates is damaged" in shown.stderr

    def test_reports_of_gates_tell_what_was_noted(self, run, gates, folder, monkeypatch):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
        monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
        gates("better")
        run("gate", "--note", "model=v3", "--report", "out/report.json", code=0)
        assert json.loads((folder / "out" / "report.json").read_text("utf-8"))["run"] == NOTED


ASSUMED = ("--shares", "ham=0.7,spam=0.3", "--accuracy", "0.9", "--agreement", "0.95", "--measure", "f1[spam]")


class TestPlan:
    @pytest.fixture
    def planned(self, run):
        return lambda *more: run("plan", *ASSUMED, "--rope", "0.01", *more)

    @pytest.fixture(autouse=True)
    def pilots(self, folder):
        truth = ["ham"] * 70 + ["spam"] * 30
        for name, wrong in (("before", range(8)), ("after", range(4, 14))):
            predicted = ["spam" if number in wrong else true for number, true in enumerate(truth)]
            write_csv(folder / f"pilot_{name}.csv", {"y_true": truth, "y_pred": predicted})

    def test_the_answer_and_its_table(self, planned):
        shown = planned().stdout
        assert shown.startswith(
            "To catch a loss of 2 points of F1 of spam in 80% of test sets, where you allow 1 point"
        )
        assert "Examples needed to catch a loss of 2 points" in shown

    def test_class_shares_that_the_gate_scores_at(self, planned):
        shown = planned("--prevalence", "spam=0.05").stdout
        assert shown.startswith("To catch a loss of 2 points of F1 of spam at 5% spam in 80% of test sets")
        texts = (shown, planned().stdout)
        scored, plain = (int(text.split("you need ")[1].split()[0].replace(",", "")) for text in texts)
        assert scored > plain

    @pytest.mark.slow
    def test_a_pilot_of_two_files(self, run):
        found = run("plan", "pilot_before.csv", "pilot_after.csv", "--rope", "0.02", "--measure", "accuracy")
        assert "Planned from the predictions of both on 100 examples." in found.stdout

    @pytest.mark.slow
    def test_a_pilot_of_counts(self, run):
        found = run("plan", "old.csv", "--agreement", "0.95", "--rope", "0.02")
        assert "an assumed agreement of 95%" in found.stdout

    def test_accuracies_by_class_whose_labels_are_numbers(self, run):
        given = "--shares 0=0.7,1=0.3 --accuracy 0=0.99,1=0.8 --agreement 0.95 --measure f1 --rope 0.01"
        assert "F1 of 1" in run("plan", *given.split()).stdout

    def test_markdown_with_hostile_names(self, run):
        given = ("--shares", "|*x*|=0.7,spam=0.3", *ASSUMED[2:6], "--measure", "balanced_accuracy", "--rope", "0.01")
        shown = run("plan", *given, "--format", "md").stdout
        assert "| \\|\\*x\\*\\| |" in shown
        assert shown.startswith("**To catch a loss of 2 points of balanced accuracy")

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["power.svg", "power.png"])
    def test_a_figure(self, planned, folder, name):
        planned("--figure", name)
        assert (folder / name).stat().st_size > 1_000
        assert planned("--figure", f"old.csv/{name}").exit_code == 5


def ranked(run, *options):
    return run("rank", "low.csv", "middle.csv", "high.csv", "--measure", "accuracy", "--rope", "0.02", *options)


class TestRank:
    @pytest.fixture(autouse=True)
    def files(self, folder):
        true, predicted = predictions(300, (0.6, 0.7, 0.8))
        for name, each in zip(("low", "middle", "high"), predicted, strict=True):
            write_csv(folder / f"{name}.csv", {"id": range(300), "y_true": true, "y_pred": each})

    def test_systems_are_called_what_their_files_are(self, run):
        result = ranked(run)
        assert result.exit_code == 0
        lines = result.stdout.splitlines()
        assert lines[0].startswith("high leads with accuracy 0.")
        assert [line.split()[0] for line in lines[2:5]] == ["high", "middle", "low"]

    def test_class_shares_that_all_are_scored_at(self, run):
        found = json.loads(ranked(run, "--format", "json", "--prevalence", "2=0.1").stdout)
        assert (found["prevalence"], found["measure_words"]) == ("2=0.1", "accuracy at 10% of class 2")
        assert "leads with accuracy at 10% of class 2 0." in found["headline"]

    def test_other_formats(self, run):
        rows = list(csv.DictReader(StringIO(ranked(run, "--format", "csv").stdout)))
        found = json.loads(ranked(run, "--format", "json").stdout)
        assert [row["system"] for row in rows] == ["high", "middle", "low"]
        assert rows[0]["may_be_best"] == str(found["systems"][0]["may_be_best"])
        assert "| high |" in ranked(run, "--format", "md").stdout

    @pytest.mark.parametrize(("name", "start"), [("ranking.svg", b"<svg"), ("ranking.png", b"\x89PNG")])
    def test_a_figure(self, run, folder, name, start):
        assert ranked(run, "--figure", name).exit_code == 0
        assert (folder / name).read_bytes().startswith(start)
        assert ranked(run, "--figure", f"low.csv/{name}").exit_code == 5


REPORT = Report.of([entry(comparison(), "failed", test="test_späm", advice="Look."), entry(estimate())], ["test_b"])


class TestReport:
    @pytest.fixture(autouse=True)
    def _written(self, folder):
        write_report(REPORT, folder / "out")

    def test_text_is_the_default(self, run):
        shown = run("report", "out/report.json", code=0)
        assert shown.stdout == "".join(f"{line}\n" for line, _ in report_lines(REPORT))
        assert "FAILED    test_späm " in shown.stdout
        assert run("report", "out/report.json", "--format", "text", "-o", "x.txt").stdout == ""
        assert Path("x.txt").read_text("utf-8") == shown.stdout

    @pytest.mark.slow
    @pytest.mark.parametrize("form", ["md", "html"])
    def test_other_formats_are_those_that_pytest_writes(self, run, form):
        def without_curves(page):  # report.json has fewer digits than their points
            return re.sub(rb' d="M[^"]*"', b"", page)

        expected = without_curves(Path(f"out/report.{form}").read_bytes())
        assert without_curves(run("report", "out/report.json", "--format", form).stdout_bytes) == expected
        shown = run("report", "out/report.json", "--format", form, "-o", f"new/a.{form}")
        assert (shown.exit_code, shown.stdout) == (0, "")
        assert without_curves(Path(f"new/a.{form}").read_bytes()) == expected

    def test_a_report_that_cannot_be_read(self, run):
        document = json.loads(REPORT.to_json())
        document["entries"][0]["p_worse"] = 2
        document["entries"][1]["score"]["hdi"] = [1, 0]
        Path("a.json").write_text(json.dumps(document))
        shown = run("report", "a.json", "--format", "html", "-o", "a.html", code=2)
        assert shown.stderr.splitlines() == [
            "Error: a.json: entries[0].p_worse: expected at most 1, got 2",
            "a.json: entries[1].score.hdi: expected [low, high] with low <= high, got [1, 0]",
        ]
        assert not Path("a.html").exists()

    def test_a_file_that_cannot_be_written(self, run):
        Path("x").write_text("")
        shown = run("report", "out/report.json", "--format", "md", "-o", "x/a.md", code=5)
        assert shown.stderr.startswith("Error: x")
        shown = run("report", "out/report.json", "-o", "out", code=5)
        assert shown.stderr == "Error: out: a directory is in the way\n"


DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize(("what", "schema"), [("gates", gate_file_schema), ("report", report_schema)])
def test_the_published_schema_is_printed(run, what, schema, generated):
    text = run("schema", what).stdout
    assert json.loads(text) == schema()
    generated(DOCS / f"{what}.schema.json", text)
    assert run("schema").stdout == run("schema", "gates").stdout


V1, V2 = FIVE_TASKS / "v1", FIVE_TASKS / "v2"
TASKS = shlex.join(map(str, (V1, V2)))


def with_tasks(folder, *tasks):
    """Make a folder of some of the logs."""
    folder.mkdir()
    for task in tasks:
        (folder / f"{task}.eval").write_bytes((V1 / f"{task}.eval").read_bytes())
    return folder


class TestRuns:
    def test_all_tasks_of_two_runs_are_one_report_with_one_verdict(self, run, folder):
        shown = run("compare", V1, V2, "--rope", "0.05", "--report", "out", code=1)
        verdict, *lines = shown.stdout.splitlines()
        assert verdict == "1 of 5 tasks worse; the chance of any false failure among them is below 5%."
        assert [line.split()[:2] for line in lines if line.startswith("FAILED")] == [["FAILED", "team"]]
        report = json.loads((folder / "out" / "report.json").read_text("utf-8"))
        assert sorted(entry["test"] for entry in report["entries"]) == ["language", "refund", "spam", "team", "urgency"]
        assert {entry["measure"] for entry in report["entries"]} == {"mean"}
        assert all(
            "in the 5 gates of the family tasks stays below 5%" in " ".join(entry["notes"])
            for entry in report["entries"]
        )
        assert report["run"]["notes"]["tasks"] == verdict

    def test_a_failure_within_the_chance_of_all_tasks_is_a_warning(self, run, monkeypatch):
        run("compare", V1 / "team.eval", V2 / "team.eval", "--rope", "0.05", code=1)
        monkeypatch.setattr(demand, "FAMILY_LEVEL", 1e-4)
        together = run("compare", V1, V2, "--rope", "0.05", code=0)
        assert together.stdout.startswith("0 of 5 tasks worse")
        assert "warned    team" in together.stdout

    def test_a_task_that_the_candidate_lacks_is_an_error_for_it_may_be_the_one_that_got_worse(self, run, folder):
        with_tasks(folder / "a", "spam")
        with_tasks(folder / "b", "spam", "refund")
        assert run("compare", "a", "b", "--rope", "0.05").stdout.splitlines()[:2] == [
            "0 of 1 task worse.",
            "In the candidate alone, and so not compared: refund.",
        ]
        shown = run("compare", "b", "a", "--rope", "0.05", code=2)
        assert "candidate (a): There is no log of refund, which the baseline has. Run" in shown.stderr

    def test_a_task_that_cannot_be_compared_hides_no_other(self, run):
        shown = run("compare", LM_EVAL_RUNS / "v1", LM_EVAL_RUNS / "v2", "--rope", "0.05", "--rows", "filter=flexible")
        assert shown.stdout.startswith("0 of 2 tasks worse, 1 could not be compared; ")
        assert "several grades for an answer: acc, acc_norm. Choose one, such as" in shown.stdout
        asked = ("--rows", "filter=flexible", "--column", "value=acc", "--json")
        shown = run("compare", LM_EVAL_RUNS / "v1", LM_EVAL_RUNS / "v2", "--rope", "0.05", *asked)
        sums, teams = sorted(json.loads(shown.stdout)["entries"], key=lambda entry: entry["test"])
        assert (sums["test"], teams["test"]) == ("made_up_sums", "made_up_teams")
        assert "in the 2 gates of the family tasks stays below 5%" in " ".join(sums["notes"])
        assert teams["baseline"]["observed"] == pytest.approx(1 / 6)  # as lm_eval prints it

    def test_logs_of_promptfoo(self, run, folder):
        for name, system in (("a", "first"), ("b", "second")):
            (folder / name).mkdir()
            (folder / name / "support.json").write_bytes((FOLDER / f"promptfoo-{system}.json").read_bytes())
        entry, *others = json.loads(run("compare", "a", "b", "--rope", "0.05", "--json").stdout)["entries"]
        assert (entry["test"], others) == ("support", [])
        assert (entry["baseline"]["observed"], entry["candidate"]["observed"]) == pytest.approx((5 / 6, 3 / 6))

    def test_two_logs_need_neither_runs_nor_a_measure(self, run, folder):
        kept = [FOLDER / f"inspect-{system}.json" for system in ("first", "second")]
        assert "values: 6 examples cannot tell how far" in run("compare", *kept, "--rope", "0.02").stdout
        logs = [edited(log, folder, with_twice_the_samples) for log in kept]
        shown = run("compare", *logs, "--rope", "0.02", "--json")
        asked = run("compare", *logs, "--rope", "0.02", "--runs", "samples", "--measure", "mean", "--json")
        (entry,), (expected,) = (json.loads(each.stdout)["entries"] for each in (shown, asked))
        assert entry["hdi"] == expected["hdi"]
        assert "baseline: the answers of 2 runs to a question share one vote." in entry["notes"]

    def test_logs_that_something_else_graded_need_an_option(self, run, folder):
        def regraded(log):
            with_twice_the_samples(log)
            log["results"]["scores"][0]["params"] = {"location": "any"}

        logs = (
            edited(FOLDER / "inspect-first.json", folder, with_twice_the_samples),
            edited(FOLDER / "inspect-second.json", folder, regraded),
        )
        assert "declare other_ruler: true" in run("compare", *logs, "--rope", "0.02").stdout
        assert "observed" in run("compare", *logs, "--rope", "0.02", "--other-ruler").stdout

    def test_the_same_problem_of_many_tasks_is_said_once(self, run, folder):
        shown = run("compare", V1, V2, "--rope", "0.05", "--measure", "f1_macro", "--report", "out")
        lines = [line for line in shown.stdout.splitlines() if line.startswith("ERROR")]
        assert len(lines) == 1
        assert lines[0].split("  ")[2].strip() == "language, refund, spam and 2 more gates"
        assert "answer: (?i){classes} reads the class off each answer." in lines[0]
        entries = json.loads((folder / "out" / "report.json").read_text("utf-8"))["entries"]
        assert [entry["verdict"] for entry in entries] == ["error"] * 5

    def test_the_same_problem_of_many_logs_is_said_once(self, run, folder):
        (folder / "a").mkdir()
        for number in range(12):
            (folder / "a" / f"{number:02}.eval").write_text("junk")
        shown = run("compare", "a", V2, "--rope", "0.05")
        assert shown.stderr.count("damaged") == 1
        assert ". So are a/01.eval, a/02.eval, a/03.eval and 8 more logs, for the same reason." in shown.stderr

    def test_examples_that_got_worse_are_named(self, run, folder):
        logs = [str(each / "team.eval") for each in (V1, V2)]
        shown = run("compare", *logs, "--rope", "0.05", "--report", "out")
        assert "  changed     18 examples got worse: 2, 5, 8 and 15 more; 3 examples got better\n" in shown.stdout
        (entry,) = json.loads((folder / "out" / "report.json").read_text("utf-8"))["entries"]
        changes = entry["changes"]
        assert (changes["n_examples"], len(changes["examples"])) == (21, 21)
        first = changes["examples"][0]
        assert [first[name] for name in ("id", "baseline", "candidate")] == [2, "1: **shipping**", "0: **billing**"]
        assert sum(each["contribution"] for each in changes["examples"]) == pytest.approx(changes["change"])
        page = (folder / "out" / "report.md").read_text("utf-8")
        assert "The observed mean fell 0.25. 18 examples got worse: 2, 5, 8 and 15 more; 3 examples got better." in page
        assert "| example | old answer | new answer |" in page

    @pytest.mark.filterwarnings("default::pytest_bayesf1.UnexpectedPredictionsWarning")
    def test_warnings_are_printed_below_the_result(self, run, folder):
        rows = "".join(
            f"{number},{'ab'[number % 2]},{'ab'[number % 2] if number % 5 else 'maybe'}\n" for number in range(60)
        )
        (folder / "answers.csv").write_text(f"id,y_true,y_pred\n{rows}")
        shown = run("check", "answers.csv", "--floor", "0.2", "--measure", "accuracy")
        assert shown.output.index("observed") < shown.output.index("UnexpectedPredictionsWarning: 20%")

    def test_the_classes_that_were_asked_for_follow_the_result(self, run):
        logs = [str(each / "team.eval") for each in (V1, V2)]
        shown = run("compare", *logs, "--rope", "0.05", "--answer", "{classes}", "--per-class").stdout.splitlines()
        assert [line.split()[1:4] for line in shown if "- class" in line] == [
            ["-", "class", name] for name in ("shipping", "billing", "returns")
        ]

    def test_f1_of_logs_by_a_pattern(self, run):
        logs = [str(each / "spam.eval") for each in (V1, V2)]
        by_name = ("--column", "y_true=target", "--column", "y_pred=scores.includes.answer")
        shown = run("compare", *logs, "--rope", "0.05", "--answer", "{classes}")
        assert "observed    macro-F1 0.933 → 0.950" in shown.stdout
        for others in (("--measure", "f1_macro"), by_name):
            again = run("compare", *logs, "--rope", "0.05", "--answer", r"\b(spam|ham)\b", *others)
            assert again.stdout == shown.stdout

    def test_a_measure_of_classes_leads_to_the_pattern(self, run):
        logs = [str(each / "spam.eval") for each in (V1, V2)]
        shown = run("compare", *logs, "--rope", "0.05", "--measure", "f1[spam]")
        (pattern,) = re.findall(r"In a file, answer: (.*) reads the class off each answer", shown.stdout)
        run("compare", *logs, "--rope", "0.05", "--measure", "f1[spam]", "--answer", pattern, code=0)

    def test_f1_of_all_tasks_of_two_runs(self, run):
        shown = run("compare", V1, V2, "--rope", "0.05", "--measure", "f1_macro", "--answer", "(?i){classes}")
        assert shown.stdout.startswith("1 of 5 tasks worse;")
        assert "macro-F1" in shown.stdout

    @pytest.mark.filterwarnings("default::pytest_bayesf1.ChangedTestSetWarning")
    def test_logs_of_two_tasks_are_hardly_meant(self, run):
        told = run("compare", V1 / "spam.eval", V2 / "team.eval", "--rope", "0.05").stderr
        assert told.startswith(
            "ChangedTestSetWarning: The logs are of two tasks, 'spam' and 'team': check that their samples"
        )
        assert not run("compare", V1 / "spam.eval", V2 / "spam.eval", "--rope", "0.05").stderr

    def test_a_run_that_is_not_there(self, run):
        assert run("compare", V1, "v3", "--rope", "0.05").stderr.startswith("Error: candidate (v3): file not found.")

    def test_no_mean_of_right_and_wrong_moves_by_1(self, run):
        told = run("compare", V1 / "spam.eval", V2 / "spam.eval", "--rope", "5").output
        assert "rope: expected a difference of scores, such as 0.01 for one point, got 5." in told

    def test_every_text_names_the_examples_whose_grades_changed(self, run):
        for verbose in ((), ("-v",)):
            told = run("compare", V1 / "spam.eval", V2 / "spam.eval", "--rope", "0.05", *verbose).stdout
            assert "3 examples got worse: 17, 39, 50; 4 examples got better" in " ".join(told.split())

    def test_grades_in_files_say_how_they_are_compared(self, run, folder):
        for name in ("a", "b"):
            write_csv(folder / f"{name}.csv", {"value": [1, 0, 1, 1] * 10})
        told = run("compare", "a.csv", "b.csv", "--rope", "0.05", code=2).stdout
        assert "Use the measure mean: of 1 for right and 0 for wrong it is the accuracy." in told
        run("compare", "a.csv", "b.csv", "--rope", "0.05", "--measure", "mean", code=0)

    def test_grades_have_no_errors_of_classes(self, run):
        told = run("changes", V1 / "spam.eval", V2 / "spam.eval").stderr
        assert "Grades have no classes. A comparison lists the examples whose grades changed." in told

    def test_other_commands_name_the_columns(self, run):
        log, answer = str(V1 / "spam.eval"), ("--answer", "{classes}")
        shown = run("changes", log, str(V2 / "spam.eval"), *answer, code=2)
        assert "in an evaluation log with columns: {y_true: 'target', y_pred: 'answer'}." in shown.stderr
        columns = ("--column", "y_true=target", "--column", "y_pred=answer")
        run("changes", log, str(V2 / "spam.eval"), *answer, *columns, code=0)

    def test_a_log_reaches_a_floor_by_its_grades_or_its_classes(self, run):
        log = str(V1 / "spam.eval"), "--floor", "0.5"
        assert "mean 0.933" in run("check", *log).stdout
        assert "macro-F1 0.933" in run("check", *log, "--answer", "{classes}").stdout
        assert "answer: (?i){classes}" in run("check", *log, "--measure", "f1_macro").stdout

    def test_a_pattern_that_finds_nothing_is_to_be_checked(self, run):
        told = run("compare", V1 / "spam.eval", V2 / "spam.eval", "--rope", "0.05", "--answer", "{class}").stdout
        assert told.startswith("Error: baseline")
        assert "Check answer: {classes} is any class of the truth, here 'ham', 'spam'." in told
        wrong = "--answer", "{class}", "--invalid", "wrong"
        told = run("compare", V1 / "spam.eval", V2 / "spam.eval", "--rope", "0.05", *wrong).stdout
        assert told.splitlines()[0].endswith("All of 60 answers are unreadable. Is this the right column?")

    def test_a_pattern_that_is_none_is_refused(self, run):
        shown = run("compare", V1, V2, "--rope", "0.05", "--answer", "(spam")
        assert (shown.exit_code, "'--answer': expected a regular expression" in shown.stderr) == (2, True)

    def test_a_stricter_gate_is_no_family(self, run, folder):
        one, two = with_tasks(folder / "a", "spam"), with_tasks(folder / "b", "spam", "refund")
        again = with_tasks(folder / "c", "spam")
        run("compare", one, again, "--rope", "0.05", "--fail-on", "<", code=0)
        shown = run("compare", two, two, "--rope", "0.05", "--fail-on", "<", code=2)
        assert 'fail_on: Several tasks need "<<", not "<"' in shown.stderr


@pytest.fixture
def both(folder):
    """A file of two systems, with ids."""
    rows = [(number, system, "ab"[number % 2], "a") for system in ("v1", "v2") for number in range(4)]
    lines = ["id,model,y_true,y_pred", *(",".join(map(str, row)) for row in rows)]
    (folder / "both.csv").write_text("\n".join(lines))
    return "both.csv"


class TestOneFileOfBothSides:
    SIDES = "--baseline-rows model=v1 --candidate-rows model=v2"

    def test_the_error_says_how_to_choose(self, run, both):
        shown = run("compare", both, both, "--rope", "0.05", code=4)
        assert "rows of one 'model', got 'v1', 'v2'. Choose one, such as rows: {model: 'v1'}." in shown.stdout
        assert "If the file has both sides, choose for each." in shown.stdout
        run("compare", both, both, "--rope", "0.05", *self.SIDES.split(), code=0)

    def test_of_one_side(self, run, both):
        shown = run("check", both, "--floor", "0.1")
        assert "Choose one, such as rows: {model: 'v1'}." in shown.stdout

    def test_systems_under_any_name_are_not_taken_for_runs(self, run, both, folder):
        (folder / "c.csv").write_text((folder / both).read_text().replace("model", "variant"))
        shown = run("check", "c.csv", "--floor", "0.1")
        advice = (
            "rows: {variant: 'v1'}. If they are runs of one system, pass columns: {run: 'variant'} and runs: samples."
        )
        assert f"rows of one 'variant', got 'v1', 'v2'. Choose one, such as {advice}" in shown.stdout

    @pytest.mark.parametrize("rows", ["--rows model=v1", "--baseline-rows model=v1 --candidate-rows model=v1"])
    def test_rows_are_not_compared_with_themselves(self, run, both, rows):
        shown = run("compare", both, both, "--rope", "0.05", *rows.split(), code=2)
        assert "Both sides are the same predictions of one file. Name another file" in shown.stdout

    def test_two_columns_of_one_file_are_named_side_by_side(self, run, folder):
        (folder / "c.csv").write_text("gold,old,new\n" + "a,a,a\nb,b,a\n" * 4)
        shown = run("compare", "c.csv", "c.csv", "--rope", "0.05", "--column", "y_true=gold", "--column", "y_pred=old")
        assert "Name another file, or choose rows or columns of it for each side." in shown.stdout

    def test_a_gate_file_says_the_same(self, run, both, folder):
        gate = f"{{baseline: {both}, candidate: {{file: {both}, rows: {{model: v2}}}}, rope: 0.05}}"
        (folder / "bayesf1.yaml").write_text(f"gates: {{x: {gate}}}")
        assert "Choose one, such as rows: {model: 'v1'}." in run("gate").stdout


COMPARED = "compare old.csv better.csv"
PLANNED = " ".join(("plan", *ASSUMED))


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("changes none.csv old.csv", 4, "none.csv"),
        ("changes old.csv better.csv --format csv", 2, "Counts do not say which examples changed"),
        (COMPARED, 2, "Missing option '--rope'"),
        (f"{COMPARED} --rope x", 2, "'--rope': expected a half-width such as 0.01"),
        (f"{COMPARED} --rope 2,1", 2, "'--rope': expected the lower end before the upper one, got [2, 1]"),
        (f"{COMPARED} --rope 1 --hdi-prob 0.05", 2, "'--hdi-prob': expected the probability inside the interval"),
        (f"{COMPARED} --rope 1 --measure f2", 2, "'--measure': expected "),
        (f"{COMPARED} --rope 1 --prior jeffrey", 2, "got 'jeffrey'. Did you mean 'jeffreys'?"),
        (f"{COMPARED} --rope 1 --engine nuts", 2, "'--engine': expected one of exact, pymc, got 'nuts'"),
        (f"{COMPARED} --rope 1 --seed -1", 2, "'--seed': expected a whole number that is not negative, got -1"),
        (f"{COMPARED} --rope 1 --model x", 2, "'--model': expected one of auto, paired, same-set, independent"),
        (f"{COMPARED} --rope 1 --fail-on >", 2, "'--fail-on': '>' is not one of '<<', '<', 'unproven', '?'."),
        (f"{COMPARED} --rope 1 --column gold", 2, "expected NAME=VALUE, got 'gold'"),
        (f"{COMPARED} --rope 1 --column label=y_true", 2, "Write one of these first, then the file's own name."),
        (f"{COMPARED} --rope 1 --baseline-column y_tru=gold", 2, "expected one of y_true, y_pred, id, run, n, "),
        (f"{COMPARED} --rope 1 --candidate-rows =x", 2, "expected NAME=VALUE, got '=x'"),
        (f"{COMPARED} --rope 1 --note v3", 2, "v3"),
        ("compare new.csv better.csv --rope 1", 4, "Error: baseline (new.csv): file not found. Check the path"),
        (f"compare {TASKS} --rope 1 --fail-on <", 2, 'fail_on: Several tasks need "<<"'),
        ("check old.csv", 2, "Missing option '--floor'"),
        ("gate --root no", 2, "Invalid value for '--root': Directory 'no' does not exist."),
        ("gate --gate sane", 2, "Error: --gate: expected one of same, got 'sane'. Did you mean 'same'?"),
        ("gate no.yaml", 2, "Error: no.yaml: file not found. Check the path, or propose one: bayesf1 init"),
        (PLANNED, 2, "Missing option '--rope'"),
        ("plan --rope 0.01", 2, "baseline: There is neither a pilot nor shares"),
        ("plan --rope 0.01", 2, "such as shares: {ham: 0.8, spam: 0.2}, accuracy: 0.9, agreement: 0.93."),
        ("cmopare a.csv b.csv", 2, "Error: No such command 'cmopare'. Did you mean 'compare'?"),
        ("nothing", 2, "Error: No such command 'nothing'."),
        ("plan nothing.csv --rope 0.01", 2, "nothing.csv"),
        ("plan --shares a=0.5,a=0.5 --rope 0.01", 2, "expected each label once, got 'a' 2 times"),
        ("plan --shares ham=most --rope 0.01", 2, "expected LABEL=SHARE,..., got 'most'"),
        (f"{PLANNED} --rope 0.01 --figure a.pdf", 2, "--figure: expected a name that ends in .svg or"),
        ("rank old.csv better.csv --rope 0.02 --figure a.pdf", 2, "--figure: expected a name that ends in .svg or"),
        ("rank old.csv --rope 0.02", 2, "Error: "),
        ("rank old.csv old.csv --rope 0.02", 2, "Error: "),
        ("rank old.csv none.csv --rope 0.02", 2, "Error: "),
        ("report no.json", 2, "Error: no.json: file not found. Check the path"),
        ("report report.json --format pdf", 2, "'pdf' is not one of 'text', 'md', 'html'."),
        ("schema manifest", 2, "manifest"),
    ],
)  # fmt: skip
def test_what_is_refused(run, gates, folder, command, code, told):
    gates("same")
    (folder / "report.json").write_text(REPORT.to_json(), "utf-8")
    shown = run(*shlex.split(command), code=code)
    assert told in " ".join(shown.stderr.replace("│", "").split())
    assert shown.stdout == ""
