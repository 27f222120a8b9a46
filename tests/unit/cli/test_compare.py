import json

import pytest

from pytest_bayesf1 import ConfusionMatrix, compare
from pytest_bayesf1.cli import answers
from pytest_bayesf1.errors import ConvergenceError
from tests.functional.classifiers import BASELINE, BETTER, MUCH_WORSE, UNDECIDED


def test_it_says_what_compare_says(run):
    shown = run("compare", "old.csv", "better.csv", "--rope", "0.02")
    title, *lines = shown.stdout.splitlines()
    assert title == "old.csv → better.csv"
    assert lines[0] == "> macro-F1 +2.4 points (you tolerate 2): 0.900 → 0.924"
    assert lines[1:-4] == figures(BASELINE, BETTER).splitlines()
    assert lines[-3] == title
    assert lines[-2].startswith("  passed  >  +")
    assert shown.stderr == ""


def figures(baseline, candidate):
    """Return all that a comparison says but for its first line."""
    return str(compare(baseline, candidate, rope=0.02)).partition("\n")[2]


def test_options_are_arguments_of_compare(run):
    options = ["--rope", "-0.01,0.02", "--hdi-prob", "0.9", "--measure", "accuracy", "--prior", "uniform"]
    shown = run("compare", "old.csv", "better.csv", *options, "--seed", "7", "--model", "independent", "--json")
    (entry,) = json.loads(shown.stdout)["entries"]
    expected = compare(
        BASELINE,
        BETTER,
        rope=(-0.01, 0.02),
        hdi_prob=0.9,
        measure="accuracy",
        prior="uniform",
        seed=7,
        model="independent",
    ).to_dict()
    assert {name: entry[name] for name in expected} == json.loads(json.dumps(expected))
    assert entry["test"] == "old.csv → better.csv"
    assert entry["gate"] == 'fail_on "<<"'


def test_the_agreement_of_bare_counts(run):
    shown = run("compare", "old.csv", "better.csv", "--rope", "0.02", "--agreement", "0.9,0.95", "--json")
    (entry,) = json.loads(shown.stdout)["entries"]
    assert entry["hdi"] == list(compare(BASELINE, BETTER, rope=0.02, agreement=(0.9, 0.95)).hdi)
    assert entry["stated_agreement"] == [0.9, 0.95]


def test_json_for_machines_is_all_that_is_written(run, folder):
    shown = run("compare", "old.csv", "much_worse.csv", "--rope", "0.02", "--json", "--report", "out")
    assert shown.exit_code == 1
    assert shown.stdout_bytes == (folder / "out" / "report.json").read_bytes()
    assert shown.stderr == ""


@pytest.mark.parametrize(
    ("candidate", "fail_on", "code"),
    [
        ("same", "<<", 0),
        ("undecided", "<<", 0),
        ("worse", "<<", 0),
        ("much_worse", "<<", 1),
        ("worse", "<", 1),
        ("worse", "?", 1),
        ("much_worse", "?", 1),
        ("undecided", "?", 3),
        ("better", "?", 0),
    ],
)
def test_the_exit_code_is_the_answer(run, candidate, fail_on, code):
    shown = run("compare", "old.csv", f"{candidate}.csv", "--rope", "0.02", "--fail-on", fail_on)
    assert shown.exit_code == code


def test_a_failure_says_what_to_do(run):
    shown = run("compare", "old.csv", "much_worse.csv", "--rope", "0.02")
    assert figures(BASELINE, MUCH_WORSE) in shown.stdout
    assert "\n  Do: Find what changed (data, features, labels) before merging: " in shown.stdout
    assert shown.stdout.splitlines()[-2].startswith("  failed  ≪  −1")


def test_lines_of_figures_fit_into_80_columns(run):
    shown = run("compare", "old.csv", "undecided.csv", "--rope", "0.02")
    figures = [
        line for line in shown.stdout.splitlines() if line.startswith(("  change", "  ROPE", "  base", "  undecided"))
    ]
    assert len(figures) == 4
    assert max(map(len, figures)) <= 80
    assert "\x1b" not in shown.stdout


def test_classes_are_told_one_by_one(run):
    shown = run("compare", "old.csv", "much_worse.csv", "--rope", "0.02", "--per-class")
    assert "\n    ≪ class 1, F1 of 1 −10" in shown.stdout
    assert shown.stdout.splitlines()[-1] == "3 failed, 0 warned, 0 passed"


def test_slices_are_told_one_by_one(run, folder):
    for name, wrong in (("a", 10), ("b", 12)):
        rows = [f"{n % 2},{n % 2 ^ (n < wrong)},{'de' if n % 3 else 'en'}" for n in range(200)]
        (folder / f"{name}.csv").write_text("\n".join(["y_true,y_pred,lang", *rows]) + "\n")
    shown = run("compare", "a.csv", "b.csv", "--rope", "0.1", "--slice", "lang", "--json")
    assert [entry["part"] for entry in json.loads(shown.stdout)["entries"]] == ["", "lang=de", "lang=en"]


def test_answers_that_could_not_be_read(run, folder):
    for name, unreadable in (("a", 2), ("b", 4)):
        rows = [f"{n % 2},{n % 2 if n >= unreadable else ''}" for n in range(200)]
        (folder / f"{name}.csv").write_text("\n".join(["y_true,y_pred", *rows]) + "\n")
    shown = run("compare", "a.csv", "b.csv", "--rope", "0.1", "--invalid", "wrong")
    assert "1% of the baseline's answers and 2% of the candidate's answers could not be read" in " ".join(
        shown.stdout.split()
    )
    assert run("compare", "a.csv", "b.csv", "--rope", "0.1").exit_code == 4
    diff = run("baseline", "diff", "a.csv", "b.csv", "--invalid", "wrong")
    assert "0 taken for (unreadable): 1 → 2" in diff.stdout


def test_units_and_runs(run, folder):
    for name, wrong in (("a", 10), ("b", 14)):
        rows = [f"{n},{n // 4},{r},{n % 2},{n % 2 ^ (n < wrong * r)}" for n in range(200) for r in (1, 2)]
        (folder / f"{name}.csv").write_text("\n".join(["id,doc,run,y_true,y_pred", *rows]) + "\n")
    asked = ("a.csv", "b.csv", "--clusters", "doc", "--runs", "samples")
    shown = run("compare", *asked, "--rope", "0.1")
    assert "50 clusters of doc, 200 examples, 2 predictions of each example" in " ".join(shown.stdout.split())
    diff = run("baseline", "diff", *asked)
    assert "right before, wrong now 8" in " ".join(diff.stdout.split())


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            ["--rope", "x"],
            "'--rope': expected differences that do not matter: a half-width such as 0.01, or both ends; ",
        ),
        (
            ["--rope", "2,1"],
            "'--rope': expected [low, high] with low < high, got [2, 1]. A half-width must be positive.",
        ),
        (["--rope", "1", "--hdi-prob", "0.05"], "'--hdi-prob': expected the probability inside the interval"),
        (["--rope", "1", "--measure", "f2"], "'--measure': expected "),
        (["--rope", "1", "--prior", "jeffrey"], "got 'jeffrey'. Did you mean 'jeffreys'?"),
        (["--rope", "1", "--engine", "nuts"], "'--engine': expected one of exact, pymc, got 'nuts'"),
        (["--rope", "1", "--seed", "-1"], "'--seed': expected a whole number that is not negative, got -1"),
        (["--rope", "1", "--model", "x"], "'--model': expected one of auto, paired, same-set, independent, got 'x'"),
        (["--rope", "1", "--fail-on", ">"], "'--fail-on': '>' is not one of '<<', '<', '?'."),
        (["--rope", "1", "--agreement", "93"], "'--agreement': expected a share from 0 to 1 such as 0.93"),
        ([], "Missing option '--rope'"),
    ],
)
def test_an_option_that_cannot_be_used(run, options, problem):
    shown = run("compare", "old.csv", "better.csv", *options)
    assert shown.exit_code == 2
    assert problem in shown.stderr
    assert shown.stdout == ""


def test_a_missing_baseline_is_told_apart(run):
    shown = run("compare", "new.csv", "better.csv", "--rope", "0.02")
    assert shown.exit_code == 4
    assert shown.stderr == "Error: new.csv: expected a baseline, got no such file\n"


def test_a_missing_candidate(run):
    shown = run("compare", "old.csv", "new.csv", "--rope", "0.02")
    assert shown.exit_code == 2
    assert "candidate (new.csv): expected a file, got no such file" in shown.stdout
    assert shown.stdout.splitlines()[-2:] == ["old.csv → new.csv", "  error  no answer"]


def test_a_candidate_with_other_classes(run, folder):
    (folder / "three.csv").write_text("1,0,0\n0,1,0\n0,0,1\n")
    shown = run("compare", "old.csv", "three.csv", "--rope", "0.02")
    assert shown.exit_code == 2
    assert "candidate: expected 2 classes, as in baseline, got 3" in shown.stdout


def test_draws_that_cannot_be_trusted(run, monkeypatch):
    def fail(_):
        raise ConvergenceError("chains", "R-hat below 1.01", "1.5")

    monkeypatch.setattr(answers, "evaluate", fail)
    shown = run("compare", "old.csv", "better.csv", "--rope", "0.02")
    assert shown.exit_code == 5
    assert "chains: expected R-hat below 1.01, got 1.5" in shown.stdout


@pytest.mark.slow
@pytest.mark.parametrize("output", [[], ["--json"]], ids=["text", "json"])
def test_a_report_that_cannot_be_written_leaves_the_answer(run, folder, output):
    (folder / "out" / "report.md").mkdir(parents=True)
    shown = run("compare", "old.csv", "better.csv", "--rope", "0.02", "--report", "out", *output)
    assert shown.exit_code == 5
    assert shown.stderr == "Error: out/report.md: a directory is in the way\n"
    assert "passed" in shown.stdout
    assert [path.name for path in (folder / "out").iterdir()] == ["report.md"]


def test_a_report_is_written(run, folder):
    shown = run("compare", "old.csv", "better.csv", "--rope", "0.02", "--report", "out")
    assert shown.stdout.splitlines()[-1] == "report: out/report.html"
    written = ["card.png", "card.svg", "report.html", "report.json", "report.md"]
    assert sorted(path.name for path in (folder / "out").iterdir()) == written


def test_settings_of_the_project_change_nothing(run, folder):
    before = run("compare", "old.csv", "undecided.csv", "--rope", "0.02").stdout
    (folder / "pytest.ini").write_text("[pytest]\nbayesf1_seed = 3\nbayesf1_measure = accuracy\n")
    assert run("compare", "old.csv", "undecided.csv", "--rope", "0.02").stdout == before
    assert figures(BASELINE, UNDECIDED) in before


def test_probabilities_are_refused_with_the_code_of_data_that_cannot_be_used(run, folder):
    for name, shift in (("a", 0.0), ("b", 0.1)):
        rows = [f"{number % 2},{(0.372 * number + shift) % 1:.3f}" for number in range(627)]
        (folder / f"{name}.csv").write_text("\n".join(["y_true,y_pred", *rows]))
    shown = run("compare", "a.csv", "b.csv", "--rope", "0.02", "--fail-on", "?")
    assert shown.exit_code == 4
    told = " ".join(shown.output.split())
    assert "y_pred: expected class labels" in told
    assert "Pass labels, not probabilities." in told


@pytest.mark.parametrize("written", ["{}.0", " {}", "{}e0"])
def test_another_spelling_of_numbers_is_no_other_class(run, folder, written):
    labels = [(number % 2, (number + (number % 10 == 0)) % 2) for number in range(500)]
    for name, form in (("a", "{}"), ("b", written)):
        rows = [",".join(map(form.format, row)) for row in labels]
        (folder / f"{name}.csv").write_text("\n".join(["y_true,y_pred", *rows]))
    shown = run("compare", "a.csv", "b.csv", "--rope", "0.02", "--measure", "f1", "--fail-on", "?")
    assert shown.exit_code == 0
    assert "≈ F1 of 1 +0.0 points" in shown.stdout


SIDES = ("--baseline-column", "y_pred=old", "--candidate-column", "y_pred=new")


def test_one_file_holds_both_sides(run, folder):
    (folder / "both.csv").write_text("id,gold,old,new\n1,a,a,a\n2,b,b,a\n3,a,a,a\n4,b,b,b\n")
    shown = run("compare", "both.csv", "both.csv", "--rope", "0.1", "--column", "y_true=gold", *SIDES, "--json")
    (entry,) = json.loads(shown.stdout)["entries"]
    truth = ["a", "b", "a", "b"]
    sides = [ConfusionMatrix.from_predictions(truth, said, ids=[1, 2, 3, 4]) for said in (truth, ["a", "a", "a", "b"])]
    assert (entry["mean"], entry["model"]) == (compare(*sides, rope=0.1).mean, "paired")


def test_one_file_holds_the_rows_of_both_sides(run, folder):
    rows = "".join(f"{system},{n},a,{said}\n" for system, said in (("v1", "a"), ("v2", "b")) for n in range(4))
    (folder / "both.csv").write_text(f"system,id,y_true,y_pred\n{rows}v1,9,b,b\nv2,9,b,b\n")
    sides = ("--baseline-rows", "system=v1", "--candidate-rows", "system=v2")
    shown = run("changes", "both.csv", "both.csv", "--measure", "accuracy", *sides)
    assert "falls by 80.00 points" in shown.stdout


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (("--column", "gold"), "expected NAME=VALUE, got 'gold'"),
        (
            ("--baseline-column", "y_tru=gold"),
            "expected one of y_true, y_pred, id, run, y_score, value, gold, predicted",
        ),
        (("--candidate-rows", "=x"), "expected NAME=VALUE, got '=x'"),
    ],
)
def test_columns_and_rows_that_are_none(run, option, told):
    shown = run("compare", "old.csv", "better.csv", "--rope", "0.02", *option)
    assert shown.exit_code == 2
    assert told in " ".join(shown.stderr.replace("│", "").split())


def test_reports_tell_what_was_noted(run, folder, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    shown = run("compare", "old.csv", "better.csv", "--rope", "0.02", "--note", "model=v3", "--json")
    told = {"commit": "", "branch": "", "date": "1970-01-02", "notes": {"model": "v3"}}
    assert json.loads(shown.stdout)["run"] == told
    shown = run("compare", "old.csv", "better.csv", "--rope", "0.02", "--note", "model=v3")
    assert shown.stdout.splitlines()[-1] == "model=v3"
    assert run("compare", "old.csv", "better.csv", "--rope", "0.02", "--note", "v3").exit_code == 2
