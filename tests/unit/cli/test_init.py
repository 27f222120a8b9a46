"""`bayesf1 init`: a gate file proposed from what a folder holds."""

import json
from pathlib import Path
from shutil import copy

import pytest
import yaml

from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates
from tests.unit.files.logged import FOLDER

TRUTH = ["ham", "spam"] * 200


def write_predictions(path, n_wrong, n=400):
    rows = [f"{number},{true},{TRUTH[number + (number < n_wrong)]}" for number, true in enumerate(TRUTH[:n])]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(["id,y_true,y_pred", *rows]) + "\n")


@pytest.fixture
def proposed(run, folder):
    """Return what is proposed for the folder, read, and its text."""

    def propose():
        shown = run("init")
        assert shown.exit_code == 0, shown.output
        text = (folder / "bayesf1.yaml").read_text("utf-8")
        return yaml.safe_load(text)["gates"], text

    for path in folder.iterdir():
        path.unlink()
    return propose


class TestInit:
    def test_two_files_about_the_same_examples_are_compared(self, proposed, folder):
        write_predictions(folder / "runs" / "model_v10.csv", 30)
        write_predictions(folder / "runs" / "model_v9.csv", 20)
        gates, text = proposed()
        assert gates == {
            "model_v10": {
                "baseline": "runs/model_v9.csv",
                "candidate": "runs/model_v10.csv",
                "measure": "f1_macro",
                "rope": 0.01,
                "fail_on": "<<",
            }
        }
        assert all("  # " in line for line in text.splitlines()[3:])
        assert "what is compared with: 0.950 on 400 examples" in text
        assert "first guess" in text
        (gate,) = load_gates(folder / "bayesf1.yaml", folder)
        assert evaluate(gate).verdict in ("undecided", "warned", "failed")

    def test_names_say_which_is_the_baseline(self, proposed, folder):
        for name, n_wrong in (("a_candidate", 20), ("b_middle", 20), ("c_baseline", 20)):
            write_predictions(folder / f"{name}.csv", n_wrong)
        gates, text = proposed()
        (gate,) = gates.values()
        assert (gate["baseline"], gate["candidate"]) == ("c_baseline.csv", "a_candidate.csv")
        assert 'also of these examples: "b_middle.csv"' in text

    def test_one_file_must_reach_a_floor(self, proposed, folder):
        write_predictions(folder / "only.csv", 20)
        gates, _ = proposed()
        assert gates["only"].keys() == {"candidate", "measure", "floor"}
        assert 0.90 <= gates["only"]["floor"] < 0.95

    def test_logs_of_several_runs(self, proposed, folder):
        for name in ("first", "second"):
            log, grades = json.loads((FOLDER / f"inspect-{name}.json").read_text("utf-8")), {}
            for sample in log["samples"]:  # else their means are no longer 0 or 1, of which six are too few
                sample["scores"] = grades.setdefault(sample["id"], sample["scores"])
            (folder / f"inspect-{name}.json").write_text(json.dumps(log), "utf-8")
        gates, _ = proposed()
        (gate,) = gates.values()
        assert (gate["measure"], gate["runs"]) == ("mean", "samples")
        (loaded,) = load_gates(folder / "bayesf1.yaml", folder)
        assert evaluate(loaded).overall.comparison.n_samples == (6, 6)

    def test_what_else_there_is_stands_in_comments(self, proposed, folder):
        write_predictions(folder / "only.csv", 20)
        copy(FOLDER / "lm-eval-teams.jsonl", folder)
        (folder / "test_model.py").write_text("def test_f1():\n    assert f1_score(a, b) >= 0.9\n")
        (folder / "settings.json").write_text('{"name": "value"}')
        _, text = proposed()
        assert "#   test_model.py:2\n" in text
        assert "#   lm-eval-teams.jsonl: Choose one, such as columns: {value: acc}.\n" in text
        assert "settings" not in text

    def test_a_file_is_never_overwritten(self, run, folder):
        (folder / "bayesf1.yaml").write_text("mine")
        shown = run("init")
        assert (shown.exit_code, (folder / "bayesf1.yaml").read_text()) == (2, "mine")
        assert "This file exists already" in shown.stderr
        write_predictions(folder / "only.csv", 20)
        assert run("init", "--output", "other.yaml").stdout.endswith("\nbayesf1 gate other.yaml\n")
        assert Path("other.yaml").exists()

    def test_nothing_to_make_a_gate_of(self, run, folder):
        for path in folder.iterdir():
            path.unlink()
        shown = run("init")
        assert shown.exit_code == 2
        assert "Write what a classifier predicts to files with the columns id, y_true and y_pred." in shown.stderr
        assert not (folder / "bayesf1.yaml").exists()

    def test_names_that_look_like_the_end_of_advice_are_chosen(self, proposed, folder):
        """The error names rows: {model: "a}. b"}, which only its fields say unmistakably."""
        rows = [f"{at},{true},{true},{model}" for model in ("a}. b", "c}. d") for at, true in enumerate(TRUTH[:60])]
        for name in ("old.csv", "new.csv"):
            (folder / name).write_text("\n".join(["id,y_true,y_pred,model", *rows]) + "\n")
        gates, _ = proposed()
        assert gates["new"]["candidate"] == {"file": "new.csv", "rows": {"model": "a}. b"}}

    def test_columns_and_rows_are_proposed(self, proposed, folder):
        rows = [f"{model},{number},{TRUTH[number]},{TRUTH[number]}" for number in range(40) for model in ("m1", "m2")]
        (folder / "two.csv").write_text("\n".join(["model,id,gold_label,pred_label", *rows]))
        for name in ("a", "b"):
            lines = [f"{number},{true},{TRUTH[number + (number < 5)]}" for number, true in enumerate(TRUTH[:100])]
            (folder / name).mkdir()
            (folder / name / "2025.CSV").write_text("\n".join(["id,label,prediction", *lines]))
        gates, _ = proposed()
        columns = {"y_true": "label", "y_pred": "prediction"}
        assert gates["2025"]["baseline"] == {"file": "a/2025.CSV", "columns": columns}
        assert gates["2025"]["candidate"] == {"file": "b/2025.CSV", "columns": columns}

    def test_gates_of_logs_are_named_after_tasks(self, proposed, folder):
        for name in ("promptfoo-both.jsonl", "lm-eval-teams.jsonl", "inspect-choice.eval", "promptfoo-first.json"):
            copy(FOLDER / name, folder)
        gates, _ = proposed()
        assert len(gates) >= 3
        for gate in load_gates(folder / "bayesf1.yaml", folder):
            evaluate(gate)
