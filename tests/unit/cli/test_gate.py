import json

import pytest

from pytest_bayesf1.cli import answers
from pytest_bayesf1.errors import EngineError


def codes(run, *arguments):
    return run("gate", *arguments).exit_code


def test_gates_of_the_folder_are_evaluated(run, gates):
    gates("same", "better")
    shown = run("gate")
    assert shown.exit_code == 0
    same, same_row, better, better_row, *_, tally = shown.stdout.splitlines()
    assert (better, same) == ("bayesf1.yaml::better", "bayesf1.yaml::same")
    assert better_row.startswith("  passed  >  ")
    assert same_row.startswith("  passed  ≈  ")
    assert tally == "0 failed, 0 warned, 2 passed"
    assert shown.stderr == ""


def test_only_what_did_not_pass_is_told_in_full(run, gates):
    gates("same", "worse", "much_worse")
    shown = run("gate")
    assert shown.exit_code == 1
    told, _, _ = shown.stdout.partition("bayesf1.yaml::much_worse\n  failed")
    titles = [line for line in told.splitlines() if line.startswith("bayesf1.yaml")]
    assert titles == ["bayesf1.yaml::worse", "bayesf1.yaml::much_worse"]
    assert shown.stdout.splitlines()[-1] == "1 failed, 1 warned, 1 passed"


def test_what_the_data_cannot_tell_is_told_and_counted_and_passes(run, gates):
    gates("same", "undecided")
    shown = run("gate")
    assert shown.exit_code == 0
    title, headline, *_ = shown.stdout.splitlines()
    assert title == "bayesf1.yaml::undecided"
    assert headline.startswith("? macro-F1 −")
    assert "  undecided  ?  " in shown.stdout
    assert shown.stdout.splitlines()[-1] == "0 failed, 0 warned, 1 passed, 1 could not tell"


@pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")
def test_a_wide_rope_is_told_on_standard_error_with_its_place(run, gates):
    gates(same="rope: [0.5, wide]", better="rope: 0.5")
    shown = run("gate")
    (line,) = shown.stderr.splitlines()
    assert line.startswith("bayesf1.yaml:4: WideRopeWarning: The rope 0.5 means that you tolerate 50 points")
    shown = run("compare", "old.csv", "same.csv", "--rope", "0.5")
    assert shown.stderr.startswith("WideRopeWarning: The rope 0.5 means that")
    assert run("compare", "old.csv", "same.csv", "--rope", "0.5,wide").stderr == ""
    assert "WideRopeWarning: The rope 0.5" in run("baseline", "update", "--gate", "better").stderr


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"undecided": 'fail_on: "?"'}, 3),
        ({"undecided": 'fail_on: "?"', "much_worse": ""}, 1),
        ({"x": "baseline: no.csv", "much_worse": ""}, 4),
        ({"x": "baseline: no.csv", "y": 'measure: "f1[9]"', "much_worse": ""}, 2),
    ],
)
def test_the_most_severe_code_counts(run, gates, settings, code):
    gates("same", **settings)
    assert codes(run) == code


def test_what_could_not_be_computed_comes_first(run, gates, monkeypatch):
    evaluate = vars(answers)["evaluate"]

    def fail(gate):
        if gate.name == "better":
            raise EngineError("posterior", "finite draws", "nan")
        return evaluate(gate)

    monkeypatch.setattr(answers, "evaluate", fail)
    gates("much_worse", "better", x="baseline: no.csv", y='measure: "f1[9]"')
    shown = run("gate")
    assert shown.exit_code == 5
    assert "bayesf1.yaml::better\nposterior: expected finite draws, got nan\n" in shown.stdout
    assert shown.stdout.splitlines()[-1] == "1 failed, 3 without an answer, 0 warned, 0 passed"


def test_a_missing_baseline_says_which_command_makes_it(run, gates):
    gates(x="baseline: no.csv")
    shown = run("gate")
    assert shown.exit_code == 4
    told = "bayesf1.yaml:3: gates.x.baseline: expected a file, got none at no.csv. To make the candidate the baseline"
    command = "baseline update bayesf1.yaml --gate x --new"
    assert f"bayesf1.yaml::x\n{told}, run: bayesf1 {command}\n" in shown.stdout
    assert run(*command.split()).stdout == "created   x: no.csv\n"
    assert codes(run) == 0


def test_one_gate_can_be_chosen(run, gates):
    path = gates("same", "much_worse")
    assert codes(run, "--gate", "same") == 0
    assert codes(run, path, "--gate", "same", "--gate", "much_worse") == 1


def test_a_file_that_is_named_twice_counts_once(run, gates):
    path = gates("same")
    assert run("gate", path, path).stdout.count("  passed  ") == 1


def test_a_root_that_does_not_exist(run):
    shown = run("gate", "--root", "no")
    assert shown.exit_code == 2
    assert "Invalid value for '--root': Directory 'no' does not exist." in shown.stderr


def test_a_gate_that_does_not_exist(run, gates):
    gates("same")
    shown = run("gate", "--gate", "sane")
    assert shown.exit_code == 2
    assert shown.stderr == "Error: --gate: expected one of same, got 'sane'. Did you mean 'same'?\n"


def test_no_gate_file(run, folder):
    shown = run("gate")
    assert shown.exit_code == 2
    assert f"Error: expected a gate file, found no bayesf1*.yaml in {folder}" in " ".join(shown.stderr.split("\n"))


def test_all_problems_of_all_files_are_told_at_once(run, folder):
    (folder / "bayesf1.yaml").write_text("gates: {a: {}}\n")
    (folder / "bayesf1-2.yaml").write_text("gates: {b: {rope: 0}}\n")
    shown = run("gate")
    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert "bayesf1.yaml:1: gates.a.baseline: expected a value, got nothing" in shown.stderr
    assert "bayesf1-2.yaml:1: gates.b.rope: expected [low, high] with low < high" in shown.stderr


def test_a_file_that_does_not_exist(run):
    shown = run("gate", "no.yaml")
    assert shown.exit_code == 2
    assert shown.stderr == "Error: no.yaml: No such file or directory\n"


def test_names_are_told_from_the_root(run, gates, folder):
    gates("same")
    (folder / "sub").mkdir()
    shown = run("gate", "--root", folder)
    assert shown.stdout.splitlines()[0] == "bayesf1.yaml::same"


def test_json_holds_every_answer(run, gates):
    gates("same", "much_worse", x="baseline: no.csv")
    shown = run("gate", "--json")
    document = json.loads(shown.stdout)
    assert shown.exit_code == 4
    assert [(entry["test"], entry["verdict"]) for entry in document["entries"]] == [
        ("bayesf1.yaml::much_worse", "failed"),
        ("bayesf1.yaml::x", "error"),
        ("bayesf1.yaml::same", "passed"),
    ]
    assert document["complete"] is True


def listed(folder):
    return json.loads((folder / "__bayesf1__" / "gates.json").read_text())["gates"]


def test_the_manifest_is_written_and_what_is_looser_is_told(run, gates, folder):
    gates("same", "better")
    assert "gates.json" not in run("gate").stdout
    assert codes(run, "--update-manifest") == 0
    assert list(listed(folder)) == ["bayesf1.yaml::better", "bayesf1.yaml::same"]
    gates(same="rope: 0.1")
    shown = run("gate")
    assert shown.exit_code == 0
    assert "  bayesf1.yaml::same: you tolerated 2 points, this run tolerates 10 points" in shown.stdout
    assert "  bayesf1.yaml::better: its file does not declare it any more" in shown.stdout
    assert json.loads(run("gate", "--json").stdout)["verdict"] == "loosened"
    assert codes(run, "--update-manifest") == 0
    assert listed(folder)["bayesf1.yaml::same"][0]["rope"] == [-0.1, 0.1]
    assert list(listed(folder)) == ["bayesf1.yaml::same"]


def test_a_chosen_gate_is_listed_alone_and_the_others_are_not_missed(run, gates, folder):
    gates("same", "better")
    run("gate", "--update-manifest")
    gates("same", better="rope: 0.1")
    assert codes(run, "--update-manifest", "--gate", "better") == 0
    assert {test: settings["rope"][1] for test, (settings,) in listed(folder).items()} == {
        "bayesf1.yaml::better": 0.1,
        "bayesf1.yaml::same": 0.02,
    }
    assert "gates.json" not in run("gate", "--gate", "same").stdout


def test_the_manifest_is_not_written_in_ci(run, gates, folder, monkeypatch):
    monkeypatch.setenv("CI", "true")
    gates("same")
    shown = run("gate", "--update-manifest")
    assert shown.exit_code == 2
    assert shown.stderr.startswith("Error: --update-manifest: expected a machine where baselines are reviewed")
    assert shown.stderr.endswith("got CI=true. Update on your own machine.\n")
    assert not (folder / "__bayesf1__").exists()


def test_a_damaged_manifest_is_an_error(run, gates, folder):
    gates("same")
    (folder / "__bayesf1__").mkdir()
    (folder / "__bayesf1__" / "gates.json").write_text("{")
    shown = run("gate")
    assert shown.exit_code == 4
    assert "expected a manifest of gates" in shown.stderr


def test_reports_of_gates_tell_what_was_noted(run, gates, folder, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    gates("better")
    assert run("gate", "--note", "model=v3", "--report", "out/report.json").exit_code == 0
    told = json.loads((folder / "out" / "report.json").read_text("utf-8"))["run"]
    assert told == {"commit": "", "branch": "", "date": "1970-01-02", "notes": {"model": "v3"}}
