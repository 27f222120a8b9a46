import csv
import json
import re
import shlex
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
import yaml

from pytest_bayesf1.cli import answers, commands, options
from pytest_bayesf1.cli.console import Exit
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.gates import demand, evaluate
from pytest_bayesf1.gates.gate_file import gate_file_schema
from pytest_bayesf1.plugin import command
from pytest_bayesf1.reports.entry import Report, report_schema
from pytest_bayesf1.reports.output import write_report
from tests.unit.files.logged import FIVE_TASKS, FOLDER, LM_EVAL_RUNS, edited, with_twice_the_samples
from tests.unit.files.written import write_csv, write_json
from tests.unit.made_up import comparison, entry, estimate

TRUTH = ["gold"] * 1_000 + ["silver"] * 1_100
PREDICTED = {"before": TRUTH, "after": ["gold"] * 1_000 + ["silver"] * 80 + ["gold"] * 1_020}


class TestChanges:
    @pytest.fixture(autouse=True)
    def files(self, folder):
        known = {"id": [f"=e{n}" for n in range(2_100)], "y_true": TRUTH, "text": [f"@text {n}" for n in range(2_100)]}
        for name, predicted in PREDICTED.items():
            write_csv(folder / f"{name}.csv", {**known, "y_pred": predicted})

    def test_every_example_for_machines_and_as_csv_that_no_spreadsheet_runs(self, run):
        as_json, as_csv = (
            run("changes", "before.csv", "after.csv", "--format", form).stdout for form in ("json", "csv")
        )
        assert [each["id"] for each in json.loads(as_json)["examples"]] == [
            f"=e{number}" for number in range(1_080, 2_100)
        ]
        rows = list(csv.DictReader(StringIO(as_csv)))
        assert [row["id"] for row in rows] == [f"'=e{number}" for number in range(1_080, 2_100)]
        assert {(row["baseline"], row["candidate"]) for row in rows} == {("silver", "gold")}


class TestCompare:
    def test_json_for_machines_is_all_that_is_written(self, run, folder):
        shown = run("compare", "old.json", "much_worse.json", "--rope", "0.02", "--json", "--report", "out", code=1)
        assert shown.stdout_bytes == (folder / "out" / "report.json").read_bytes()
        assert shown.stderr == ""
        run("compare", "old.json", "much_worse.json", "--rope", "0.02", "--report", "for people", code=1)
        assert shown.stdout_bytes == (folder / "for people" / "report.json").read_bytes()

    def test_one_file_holds_the_rows_of_both_sides(self, run, folder):
        rows = "".join(f"{system},{n},a,{said}\n" for system, said in (("v1", "a"), ("v2", "b")) for n in range(4))
        (folder / "both.csv").write_text(f"system,id,y_true,y_pred\n{rows}v1,9,b,b\nv2,9,b,b\n")
        sides = ("--baseline-rows", "system=v1", "--candidate-rows", "system=v2")
        shown = run("changes", "both.csv", "both.csv", "--measure", "accuracy", *sides)
        assert "fell 80.00 points" in shown.stdout


def one_run(n_right, said="y_pred"):
    return {"id": [*range(200)], "y_true": ["a"] * 200, said: ["a"] * n_right + ["b"] * (200 - n_right)}


class TestFloor:
    READ = ("--measure", "accuracy", "--column", "y_pred=said")

    @pytest.fixture
    def runs(self, folder):
        for number, n_right in enumerate((180, 176, 182, 179, 184)):
            write_csv(folder / f"run{number}.csv", one_run(n_right, "said"))
        return [f"run{number}.csv" for number in range(5)]

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnexpectedPredictionsWarning")
    def test_the_gate_that_is_proposed_judges_as_it_says(self, run, folder, runs):
        asked = ["floor", *runs, *self.READ, "--new-runs", "2"]
        found = json.loads(run(*asked, "--format", "json").stdout)
        text = run(*asked).stdout
        (folder / "new").mkdir()
        for number in range(2):
            write_csv(folder / "new" / f"{number}.csv", one_run(int(200 * found["fails_below"]), "said"))
        (folder / "bayesf1.yaml").write_text(text[text.index("gates:") :])
        run("gate", code=1)

    def test_the_gate_reads_new_runs_of_the_same_format(self, run, folder):
        for number, n_right in enumerate((180, 176, 182)):
            write_json(folder / f"run{number}.json", one_run(n_right))
        assert 'candidate: "new.json"' in run("floor", *sorted(folder.glob("run*")), "--measure", "accuracy").stdout


@pytest.mark.parametrize(
    ("status", "is_interrupted", "code"), [(2, True, 5), (2, False, 2), (3, False, 5), (4, False, 2), (5, False, 2)]
)
def test_a_run_of_gates_that_ended_early_is_no_verdict(run, gates, monkeypatch, status, is_interrupted, code):
    path, asked = gates("same", "better"), []
    ledger = SimpleNamespace(records=[])
    ended = SimpleNamespace(problems=["a problem"], status=status, is_interrupted=is_interrupted, ledger=ledger)
    monkeypatch.setattr(command, "run_gate_files", lambda files, *_: asked.append([*files]) or ended)
    assert run("gate", code=code).stderr.startswith("a problem\n")
    assert asked == [[Path(path.name)]]


def test_tasks_that_could_not_be_compared_are_neither_worse_nor_undecided():
    told = commands._tasks_worse([Exit.PASSED, Exit.FAILED, Exit.UNDECIDED, Exit.UNDECIDED, Exit.BASELINE])
    assert told.startswith("1 of 5 tasks worse, 1 could not be compared; ")


def listed(folder):
    return json.loads((folder / "__bayesf1__" / "gates.json").read_text())["gates"]


class TestGate:
    def test_a_bug_of_one_gate_is_told_and_keeps_no_other_from_its_answer(self, run, gates, monkeypatch):
        usual = evaluate.evaluate

        def fail(gate, commit):
            return usual(gate, commit) if gate.name != "better" else 1 / 0

        monkeypatch.setattr(evaluate, "evaluate", fail)
        gates("much_worse", "better")
        shown = run("gate", code=5)
        assert "ZeroDivisionError: division by zero" in shown.stderr
        assert "1 of 2 gates failed · blocks merge · 1 error\n" in shown.stdout

    def test_one_gate_can_be_chosen_and_a_file_that_is_named_twice_counts_once(self, run, gates):
        path = gates("same", "much_worse")
        run("gate", path, "--gate", "same", "--gate", "much_worse", code=1)
        assert len(json.loads(run("gate", path, path, "--json").stdout)["entries"]) == 2
        path.with_name("strict.yaml").write_text(path.read_text())
        assert '"strict.yaml::same"' in (only := run("gate", "strict.yaml", "--json").stdout)
        assert "bayesf1.yaml" not in only

    def test_without_a_gate_file_those_below_count(self, run, gates, folder):
        text = gates("same").read_text().replace("{baseline: old.json", "{baseline: ../old.json")
        text = text.replace("candidate: ", "candidate: ../")
        (folder / "bayesf1.yaml").unlink()
        for name in ("tickets", "spam"):
            (folder / name).mkdir()
            (folder / name / "bayesf1.yaml").write_text(text)
        assert [each["test"] for each in json.loads(run("gate", "--json").stdout)["entries"]] == [
            "spam/bayesf1.yaml::same",
            "tickets/bayesf1.yaml::same",
        ]

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

    def test_the_three_gravest_are_told_at_length_and_of_others_what_to_do(self, run, gates):
        path = gates("worse")
        (line,) = [line for line in path.read_text().splitlines() if "worse:" in line]
        lines = [line.replace("worse:", f"worse{n}:") for n in range(3)]
        lines.append(line.replace("worse:", "last:").replace("worse.json", "much_worse.json"))
        for n_gates, gravest, advised in ((3, ["worse0", "worse1", "worse2"], 0), (4, ["last", "worse0", "worse1"], 1)):
            path.write_text("\n".join(["defaults: {rope: 0.02}", "gates:", *lines[:n_gates]]))
            in_order = ["worse0", "worse1", "worse2", "last"][:n_gates]
            for arguments, names, n_advised in (([], gravest, advised), (["-v"], in_order, 0)):
                shown = run("gate", *arguments).stdout.splitlines()
                told = [line for line in shown if line.startswith("bayesf1.yaml::")]
                assert told == [f"bayesf1.yaml::{name}" for name in names]
                assert sum(line.startswith("do: ") for line in shown) == n_advised

    def test_the_manifest_is_written_and_what_is_looser_is_told(self, run, gates, folder):
        gates("same", "better")
        assert "gates.json" not in run("gate").stdout
        run("gate", "--update-manifest", code=0)
        assert list(listed(folder)) == ["bayesf1.yaml::better", "bayesf1.yaml::same"]
        assert "does not declare" not in run("gate").stdout
        gates(same="rope: 0.1")
        shown = run("gate", code=0)
        assert "  bayesf1.yaml::same: rope: was 2 points, is 10 points" in shown.stdout
        assert "  bayesf1.yaml::better: its file does not declare it any more" in shown.stdout
        run("gate", "--update-manifest", code=0)
        assert listed(folder)["bayesf1.yaml::same"][0]["rope"] == [-0.1, 0.1]
        assert list(listed(folder)) == ["bayesf1.yaml::same"]

    @pytest.mark.parametrize(("asked", "judged"), [("-x", ["much_worse"]), ("-k same", ["same"])])
    def test_what_was_left_out_is_not_missed_and_stays_listed(self, run, gates, folder, asked, judged):
        gates("much_worse", "same", "better")
        run("gate", "--update-manifest")
        found = json.loads(run("gate", *asked.split(), "--update-manifest", "--json").stdout)
        assert [each["test"] for each in found["entries"]] == [f"bayesf1.yaml::{name}" for name in judged]
        assert found["findings"] == []
        assert len(listed(folder)) == 3

    def test_workers_that_stop_after_a_failure_have_shown_it(self, run, gates):
        gates("much_worse")
        assert "The gate failed" in run("gate", "-n", "2", "-x", code=1).stdout

    def test_only_what_a_whole_file_declares_no_more_is_dropped(self, run, gates, folder, monkeypatch):
        path = gates("same", "better")
        (folder / "bayesf1-2.yaml").write_text(path.read_text())
        run("gate", "--update-manifest", code=0)
        (folder / "old.json").unlink()
        gates("better")
        run("gate", path, "--update-manifest", code=4)
        assert [*listed(folder)] == ["bayesf1-2.yaml::better", "bayesf1-2.yaml::same", "bayesf1.yaml::better"]
        gates("same")
        (folder / "sub").mkdir()
        monkeypatch.chdir(folder / "sub")
        run("gate", "--root", "..", "--update-manifest", code=4)
        assert [*listed(folder)] == ["bayesf1-2.yaml::better", "bayesf1-2.yaml::same"]

    def test_a_damaged_manifest_is_a_finding_and_stays_as_it_is(self, run, gates, folder):
        path = folder / "__bayesf1__" / "gates.json"
        path.parent.mkdir()
        gates("same")
        path.write_text("{")
        for more, code in ([], 0), (["--update-manifest"], 4):
            shown = run("gate", "--json", *more, code=code)
            document = json.loads(shown.stdout)
            assert (document["verdict"], [each["kind"] for each in document["findings"]]) == ("loosened", ["file"])
            assert ("NOT written" in shown.stderr) is bool(more)
        assert path.read_text() == "{"


REPORT = Report.of([entry(comparison(), "failed", test="test_späm", advice="Look."), entry(estimate())], ["test_b"])


class TestReport:
    @pytest.fixture(autouse=True)
    def _written(self, folder):
        write_report(REPORT, folder / "out")

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

    def test_as_text_a_file_has_what_is_printed(self, run):
        printed = run("report", "out/report.json", "-v", code=0).stdout
        run("report", "out/report.json", "-v", "-o", "a.txt", code=0)
        assert Path("a.txt").read_text("utf-8") == printed != run("report", "out/report.json").stdout


DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize(("what", "schema"), [("gates", gate_file_schema), ("report", report_schema)])
def test_the_published_schema_is_printed(run, what, schema, generated):
    text = run("schema", what).stdout
    assert json.loads(text) == schema()
    generated(DOCS / f"{what}.schema.json", text)
    assert run("schema").stdout == run("schema", "gates").stdout


V1, V2 = FIVE_TASKS / "v1", FIVE_TASKS / "v2"


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
        assert len(report["entries"]) == 5
        assert all(
            "in the 5 gates of the family tasks stays below 5%" in " ".join(entry["notes"])
            for entry in report["entries"]
        )
        assert report["run"]["about"] == verdict

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
        with_tasks(folder / "c", "spam", "refund", "team")
        shown = run("compare", "b", "c", "--rope", "0.05", "--json").stdout
        assert "in the 2 gates of the family tasks" in shown
        assert json.loads(shown)["run"]["about"].endswith(" In the candidate alone, and so not compared: team.")
        shown = run("compare", "b", "a", "--rope", "0.05", code=2)
        assert "candidate (a): There is no log of refund, which the baseline has. Run" in shown.stderr

    def test_what_was_left_out_or_chosen_is_said_of_either_run(self, run, folder):
        for name in ("a", "b"):
            with_tasks(folder / name, "spam")
        for place, damaged in (("a", b"["), ("b", b"{")):
            (folder / place / "again.eval").write_bytes((V1 / "spam.eval").read_bytes())
            (folder / place / "damaged.eval").write_bytes(damaged)
        shown = run("compare", "a", "b", "--rope", "0.05", "-v").stdout
        for place, side in (("a", "baseline"), ("b", "candidate")):
            assert f"{Path(place) / 'damaged.eval'} left out:" in shown
            assert f"{side}: newest of 2 logs of 'spam'" in " ".join(shown.split())

    def test_a_task_that_cannot_be_compared_hides_no_other(self, run):
        shown = run("compare", LM_EVAL_RUNS / "v1", LM_EVAL_RUNS / "v2", "--rope", "0.05", "--rows", "filter=flexible")
        assert shown.stdout.startswith("0 of 2 tasks worse, 1 could not be compared; ")
        assert "several grades for an answer: acc, acc_norm. Declare: columns" in shown.stdout

    def test_two_logs_need_neither_runs_nor_a_measure(self, run, folder):
        kept = [FOLDER / f"inspect-{system}.json" for system in ("first", "second")]
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
        assert "likely" in run("compare", *logs, "--rope", "0.02", "--other-ruler").stdout

    def test_examples_that_got_worse_are_named_with_their_grades_and_answers(self, run):
        logs = [each / "team.eval" for each in (V1, V2)]
        (entry,) = json.loads(run("compare", *logs, "--rope", "0.05", "--json").stdout)["entries"]
        first = entry["changes"]["examples"][0]
        assert (first["id"], first["candidate"]) == (2, "failed: **billing**")

    def test_a_log_reaches_a_floor_by_its_grades_or_its_classes(self, run):
        log = str(V1 / "spam.eval"), "--floor", "0.5"
        assert "mean 0.933" in run("check", *log).stdout
        assert "macro-F1 0.933" in run("check", *log, "--answer", "{classes}").stdout

    def test_a_stricter_gate_is_no_family(self, run, folder):
        one, two = with_tasks(folder / "a", "spam"), with_tasks(folder / "b", "spam", "refund")
        again = with_tasks(folder / "c", "spam")
        run("compare", one, again, "--rope", "0.05", "--fail-on", "unproven", code=0)
        shown = run("compare", two, two, "--rope", "0.05", "--fail-on", "unproven", code=2)
        assert 'fail_on: Several tasks need "<<", not "unproven"' in shown.stderr


COMPARED = "compare old.json better.json"


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        (f"{COMPARED} --rope 2,1", 2, "'--rope': expected the lower end before the upper one, got [2, 1]"),
        (f"{COMPARED} --rope 1 --fail-on >", 2, "'--fail-on': '>' is not one of '<<', "),
        (f"{COMPARED} --rope 1 --column gold", 2, "expected NAME=VALUE, got 'gold'"),
        (f"{COMPARED} --rope 1 --column gold=", 2, "expected NAME=VALUE, got 'gold='"),
        (f"{COMPARED} --rope 1 --column nothing=x", 2, "'nothing'"),
        (f"{COMPARED} --rope 1 --answer (", 2, "'--answer'"),
        ("gate --gate sane", 2, "Error: --gate: expected one of same, got 'sane'."),
        ("gate -k other", 2, "No gate matches -k other"),
        ("gate no.yaml", 2, "Error: no.yaml: file not found."),
        ("accept same --reason 'half the size' --loosened 0123456789abc", 2, "--loosened: expected the 12 digits"),
        ("accept a b --reason 'half the size' --loosened 0123456789ab", 2, "GATE: A change belongs to one gate"),
        ("accept same --reason 'half the size' --loosened 0123456789ab --up-to 0.1", 2, "--up-to: A change that"),
    ],
)  # fmt: skip
def test_what_is_refused(run, gates, folder, command, code, told):
    gates("same")
    shown = run(*shlex.split(command), code=code)
    assert told in " ".join(shown.stderr.replace("│", "").split())
    assert shown.stdout == ""


def test_labels_and_values_may_have_an_equals_sign():
    parameter = click.Option(["--shares"])
    assert commands._by_class(None, parameter, "a=b=0.7,c=0.3") == {"a=b": 0.7, "c": 0.3}
    assert options._pair("part=a=b") == ("part", "a=b")


def test_how_files_are_read_is_written_as_keys_of_a_gate():
    said: dict[str, Any] = {
        "columns": {"y_pred": "said"},
        "rows": {"part": "x"},
        "clusters": "user",
        "gold": "a.csv",
        "answer": "A: {}",
    }
    pairs = {name: tuple(said[name].items()) for name in ("columns", "rows")}
    keys = commands._as_keys(Schema(**{**said, **pairs}, invalid="wrong"))
    assert yaml.safe_load("\n".join(f"{name}: {text}" for name, text in keys.items())) == {**said, "invalid": "wrong"}
    assert commands._as_keys(Schema()) == {}


@pytest.mark.parametrize("asked", [{}, {"as_json": True}, {"report": Path("out")}])
def test_machines_and_pages_have_the_trends(monkeypatch, capsys, asked):
    with_trends = Report.of([], ["with trends"])
    monkeypatch.setattr(answers, "with_trends", lambda *given: with_trends)
    written = []
    monkeypatch.setattr(answers, "write_report", lambda *given: written.append(given) or Path("out/report.html"))
    output = options.Output(**{"verbose": False, "as_json": False, "report": None, **asked})
    answers.publish([], Report.of([], ["without"]), output, Path())
    shown = capsys.readouterr().out
    assert (shown == with_trends.to_json()) is ("as_json" in asked)
    assert written == [(with_trends, Path("out"))] * ("report" in asked)
    assert shown.endswith("\nreport: out/report.html\n") is ("report" in asked)
