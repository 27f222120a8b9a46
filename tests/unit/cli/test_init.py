"""`bayesf1 init`: a gate file proposed from what a folder holds."""

import json
import re
from math import floor
from pathlib import Path
from shutil import copy
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

from pytest_bayesf1 import ConfusionMatrix, Scores
from pytest_bayesf1.cli import init
from pytest_bayesf1.cli.init import _compared, _comparison, _Found, _in_comment, _key, _of_one_model, _of_pool, _ordered
from pytest_bayesf1.files.tables import Reading
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.labelling import Labelling
from tests.unit.files.logged import FOLDER
from tests.unit.files.written import write_csv

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


@pytest.mark.parametrize(
    "old", ["old", "base", "prod", "champion", "current", "before", "main", "Reference", "release"]
)
def test_words_of_a_baseline(old):
    assert _ordered([Path("a.csv"), Path(f"b-{old}/m.csv"), Path(f"c-{old}.csv")])[0] == Path(f"c-{old}.csv")


def test_what_all_folders_share_says_nothing():
    paths = [Path(f"release/{name}/m.csv") for name in ("a", "b-base")]
    assert _ordered(paths) == paths[::-1]


@pytest.mark.parametrize("new", ["new", "cand", "challenger", "after", "next", "latest", "Head", "build", "output"])
def test_words_of_a_candidate(new):
    assert _ordered([Path(f"a-{new}.csv"), Path("b.csv"), Path("c.csv")])[-1] == Path(f"a-{new}.csv")


def test_logs_are_compared_by_one_task_and_grade():
    side = ConfusionMatrix.from_predictions(TRUTH, TRUTH)
    a, b, c, d = paths = [Path(name) for name in "abcd"]
    columns = ("value", "acc"), ("value", "acc"), ("value", "f1"), ("value", "acc")
    readings = {path: Reading(columns=(column,)) for path, column in zip(paths, columns, strict=True)}
    found = _Found(readings=readings, tasks={a: "t", b: "t", c: "t", d: "u"})
    assert [found.compares({a: side}, path, side) for path in (b, c, d)] == [True, False, False]
    assert _Found(readings=readings, tasks=dict.fromkeys(paths, "")).compares({a: side}, c, side)


@pytest.mark.parametrize(
    ("n", "usual"), [(2, 0.1), (5, 0.05), (12, 0.03), (40, 0.02), (120, 0.01), (400, 0.005), (2_000, 0.002)]
)
def test_the_rope_is_the_smallest_that_can_tell_something(n, usual):
    counts = ConfusionMatrix([[9 * n, n], [n, 9 * n]])
    found = _compared(counts, counts, "f1_macro")
    assert found is not None
    assert found[0] == found[1].rope[1] == usual


def test_files_of_one_name_in_several_folders_are_compared_with_each_other():
    x, y, other = (dict.fromkeys(map(Path, names)) for names in (["a/x", "b/x"], ["a/y", "c/y"], ["a/z"]))
    assert _of_one_model(x | y) == [x, y]
    assert _of_one_model(x | y | other) == [x | y | other]


def test_what_yaml_and_a_reader_take_otherwise_is_quoted():
    assert [_key(name) for name in ("spam-2", "No", "true", "2a", "ä", 'a"\n', "a\\b")] == [
        *("spam-2", '"No"', '"true"', '"2a"', '"ä"', '"a\\U00000022\\U0000000a"', '"a\\U0000005cb"')
    ]
    assert _in_comment("a\nb\x1b") == "#   a b\\x1b"


def test_two_test_sets_are_no_pairs():
    sides = [ConfusionMatrix([[90, 10], [n, 90]]) for n in (10, 20)]
    lines = dict(_comparison(*sides, ["old.csv", "b.csv", "c.csv", "new.csv"], "f1_macro"))
    assert lines["    candidate: new.csv"].endswith("on its own examples; also of these examples: b.csv, c.csv")


def test_pictures_and_a_damaged_pool_are_passed_by(proposed, folder):
    for number in range(250):  # more files than are read
        (folder / f"a{number}.png").touch()
    (folder / "pool.labelling.json").write_text("{")
    for name, n_wrong in (("old", 20), ("new", 30)):
        write_predictions(folder / f"{name}.csv", n_wrong)
    assert [*proposed()[0]] == ["new"]


def test_pools_of_one_name_have_gates_of_two(monkeypatch, folder):
    monkeypatch.setattr(init, "_is_accepted", lambda *_: True)
    monkeypatch.setattr(init, "_of_pool", lambda *_: [])
    pools = [folder / place / "spam.labelling.json" for place in ("a", "b")]
    heads = [gate[0][0] for _, gate in init._gates(_Found(pools=pools), folder, folder / "bayesf1.yaml", folder)]
    assert heads == ["  spam:", "  b-spam:"]


@pytest.mark.parametrize(
    ("side", "measure"),
    [
        (Scores.from_predictions([True, False], [0.9, 0.2]), "roc_auc"),
        (Scores.from_predictions([*"abc"], np.full((3, 3), 1 / 3), labels=[*"abc"]), "roc_auc_ovr"),
        (Scores.from_values([0.5, 1.0]), "mean"),
    ],
)
def test_the_measure_of_scores(side, measure):
    assert init._measure(side) == measure


def test_no_gate_is_proposed_that_cannot_be_judged(proposed, folder):
    write_predictions(folder / "some.csv", 20)
    write_predictions(folder.parent / "outside" / "other.csv", 20, 100)
    (folder / "linked.csv").symlink_to(folder.parent / "outside" / "other.csv")  # gates read no other folder
    (folder / "broken.csv").symlink_to(folder / "nowhere.csv")
    assert [*proposed()[0]] == ["some"]


@pytest.mark.parametrize(
    ("rope", "written"), [((-0.02, 0.02), 0.02), ((-0.02, 0.05), [-0.02, 0.05]), ((-0.3, 0.3, "wide"), [0.3, "wide"])]
)
def test_the_measure_of_a_pool_is_quoted_and_its_loss_the_one_that_is_allowed(monkeypatch, rope, written):
    started = SimpleNamespace(measure="f1[a: #b]", rope=rope)
    monkeypatch.setattr(Labelling, "read", lambda _: SimpleNamespace(started=started))
    lines = _of_pool(Path("data/spam.json"), Path("bayesf1.yaml"))
    read = yaml.safe_load("\n".join(line for line, _ in lines))
    assert read == {"pool": "data/spam.json", "measure": "f1[a: #b]", "rope": written}


def test_no_more_files_are_read_than_a_folder_may_hold(folder, monkeypatch):
    read = []
    monkeypatch.setattr(_Found, "_read", lambda _, path, name: read.append((path, name)))
    names = [f"b/{number}.csv" for number in range(205)]
    (folder / "a" / "b").mkdir(parents=True)
    for name in names:
        (folder / "a" / name).touch()
    _Found.below(folder / "a")
    assert read == [(folder / "a" / name, name) for name in sorted(names)[:200]]


def test_large_files_are_passed_by(folder):
    for size in (50_000_000, 50_000_001):
        with (folder / f"{size}.csv").open("wb") as file:
            file.truncate(size)  # takes no room
    assert [path.name for path in init._files_below(folder) if path.name.startswith("50")] == ["50000000.csv"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("20240501_run", "run"),
        ("pred-20240501T101500 of mail", "pred-of-mail"),
        ("mail 2026-05-08T10-11-12+02-00", "mail"),
        ("mail_2026-05-08_10:11", "mail"),
        ("0a1b2c3d4e5f mail", "mail"),
        ("mail_0a1b2c3d4e5f", "mail"),
        ("mail0a1b2c3d4e5f", "mail0a1b2c3d4e5f"),
        ("0a1b2c3d4e5 mail", "0a1b2c3d4e5-mail"),
        ("v2.1 (mail)", "v2-1-mail"),
        ("2026-05-08 2026-05-09", "2026-05-08-2026-05-09"),
    ],
)
def test_stamps_are_no_names(text, word):
    assert init._word(text) == word


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
        assert "the old score: 0.950 on 400 examples" in text
        assert "first guess" in text
        (gate,) = load_gates(folder / "bayesf1.yaml", folder)
        assert evaluate(gate).verdict in ("undecided", "warned", "failed")

    def test_names_say_which_is_the_baseline(self, proposed, folder):
        for name, n_wrong in (("a_candidate", 30), ("b_middle", 20), ("c_baseline", 10)):
            write_predictions(folder / f"{name}.csv", n_wrong)
        gates, text = proposed()
        (gate,) = gates.values()
        assert (gate["baseline"], gate["candidate"]) == ("c_baseline.csv", "a_candidate.csv")
        assert 'also of these examples: "b_middle.csv"' in text
        assert "the new score: 0.925 on" in text

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
        (folder / "evals").mkdir()
        copy(FOLDER / "lm-eval-teams.jsonl", folder / "evals")
        (folder / "evals" / "test_model.py").write_bytes(
            b"# caf\xe9\ndef test_f1():\n    assert f1_score(a, b) >= 0.9\n"
        )
        (folder / "settings.json").write_text('{"name": "value"}')
        _, text = proposed()
        assert "#   evals/test_model.py:3\n" in text
        assert "#   evals/lm-eval-teams.jsonl: Choose one, such as columns: {value: acc}.\n" in text
        assert "settings" not in text

    def test_a_file_is_never_overwritten(self, run, folder):
        (folder / "bayesf1.yaml").write_text("mine")
        shown = run("init")
        assert (shown.exit_code, (folder / "bayesf1.yaml").read_text()) == (2, "mine")
        assert "This file exists already" in shown.stderr
        write_predictions(folder / "only.csv", 20)
        assert run("init", "--output", "other.yaml").stdout.endswith("\nbayesf1 gate other.yaml\n")
        written = Path("other.yaml").read_text()
        write_predictions(folder / "only.csv", 40)
        run("init", "--output", "other.yaml", code=2)
        assert Path("other.yaml").read_text() == written

    def test_nothing_to_make_a_gate_of(self, run, folder):
        for path in folder.iterdir():
            path.unlink()
        shown = run("init", code=2)
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
        assert {"teams-by-letter", "promptfoo-both", "promptfoo-first"} <= {*gates}
        for gate in load_gates(folder / "bayesf1.yaml", folder):
            evaluate(gate)

    def test_what_a_run_builds_is_the_candidate_of_the_baseline_of_its_name(self, proposed, folder):
        for name in ("build/spam", "baselines/toxic", "build/toxic", "baselines/spam"):
            write_predictions(folder / f"{name}.csv", 20 if name.endswith("spam") else 30)
        gates, _ = proposed()
        pairs = [(gate["baseline"], gate["candidate"]) for gate in gates.values()]
        assert pairs == [(f"baselines/{name}.csv", f"build/{name}.csv") for name in ("spam", "toxic")]

    def test_what_is_generated_installed_or_hidden_is_left_out(self, proposed, folder):
        for name in ("dist", "node_modules", "bayesf1-report", "__bayesf1__", ".hidden", "env", "data"):
            write_predictions(folder / name / f"{name.strip('.')}.csv", 20)
        (folder / "env" / "pyvenv.cfg").write_text("")
        gates, _ = proposed()
        assert [(gate["candidate"], "baseline" in gate) for gate in gates.values()] == [("data/data.csv", False)]

    def test_the_name_of_a_file_says_more_than_its_folder_and_numbers_count(self, proposed, folder):
        for name in ("a/run_2", "a/run_10_old", "b/run_9", "b/run_100"):
            write_predictions(folder / f"{name}.csv", 20)
        gates, text = proposed()
        (gate,) = gates.values()
        assert (gate["baseline"], gate["candidate"]) == ("a/run_10_old.csv", "b/run_100.csv")
        assert 'also of these examples: "a/run_2.csv", "b/run_9.csv"' in text

    def test_a_pool_with_labels_becomes_a_gate(self, proposed, run, folder):
        write_csv(folder / "pool.csv", {"id": range(40), "old": ["a", "b"] * 20, "new": ["a", "b", "a", "a"] * 10})
        start = "--baseline", "old", "--candidate", "new", "--rope", "0.02", "--measure", "accuracy"
        run("label", "start", "pool.csv", *start, code=0)
        run("init", code=2)  # it has no label yet
        run("label", "next", "--count", "12", "-o", "batch.csv", code=0)
        header, *rows = (folder / "batch.csv").read_text().splitlines()
        labelled = [f"{row}{'abaaabab'[int(row.removesuffix(',')) % 8]}" for row in rows]
        (folder / "batch.csv").write_text("\n".join([header, *labelled]) + "\n")
        run("label", "add", "batch.csv", code=0)
        assert proposed()[0] == {"pool": {"pool": "pool.labelling.json", "measure": "accuracy", "rope": 0.02}}
        told = " ".join(run("gate").stdout.split())
        assert "No number" not in told
        assert "this pool is too small to prove it; a real difference may show sooner" in told

    def test_every_key_is_explained_once(self, proposed, folder):
        for name, n_wrong in (("eggs", 20), ("ham", 20), ("spam", 30)):
            write_predictions(folder / "old" / f"{name}.csv", 20)
            write_predictions(folder / "new" / f"{name}.csv", n_wrong)
        gates, text = proposed()
        assert [*gates] == ["eggs", "ham", "spam"]
        explained = "any name", "the mean F1 of all classes", "the number is a first guess", "only a clearly larger"
        assert [text.count(each) for each in explained] == [1, 1, 1, 1]
        assert text.count("the old score") == text.count("the loss that you allow") == 3
        assert len(re.findall(r";$", text, re.MULTILINE)) == 1

    def test_no_folder_is_left_where_nothing_is_found(self, run, folder):
        for path in folder.iterdir():
            path.unlink()
        run("init", "-o", "ci/gates/bayesf1.yaml", code=2)
        assert [*folder.iterdir()] == []

    @pytest.mark.parametrize(
        ("old", "new"), [("old", "new"), ("models", "build"), ("prod", "candidate"), ("z", "output")]
    )
    def test_a_folder_says_which_side_a_file_is_of(self, proposed, folder, old, new):
        for name in (old, new):
            write_predictions(folder / name / "spam.csv", 20)
        gates, _ = proposed()
        (gate,) = gates.values()
        assert (gate["baseline"], gate["candidate"]) == (f"{old}/spam.csv", f"{new}/spam.csv")

    def test_scores_and_what_they_are_about_stand_with_their_side(self, proposed, folder):
        write_predictions(folder / "x_old.csv", 40)
        write_predictions(folder / "a_new.csv", 100)
        gates, text = proposed()
        (gate,) = gates.values()
        assert "the old score: 0.900 on 400 examples" in text
        assert "the new score: 0.750 on the same examples, pair by pair" in text
        assert f"the loss that you allow, {100 * gate['rope']:g} point" in text

    def test_a_larger_test_set_gets_a_smaller_rope(self, proposed, folder):
        ropes = []
        for n in (60, 400):
            for name in ("old", "new"):
                write_predictions(folder / f"{name}.csv", n // 20, n)
            gates, _ = proposed()
            ropes.append(gates["new"]["rope"])
            (folder / "bayesf1.yaml").unlink()
        assert ropes[1] < ropes[0]

    def test_a_floor_is_the_low_end_of_what_is_likely(self, proposed, folder):
        write_predictions(folder / "only.csv", 80)
        gates, text = proposed()
        low, high = map(float, re.search(r"likely (0\.\d+) to (0\.\d+)\.", text).groups())
        assert 0.74 < low < 0.80 < high < 0.86
        assert gates["only"]["floor"] == floor(100 * low) / 100
        assert "its score: 0.800 on 400 examples" in text

    def test_every_threshold_is_listed_with_its_line(self, proposed, folder):
        write_predictions(folder / "only.csv", 20)
        (folder / "model_test.py").write_text(
            "\n\ndef test_f1():\n\n    assert f1 > 0.9\n    x = 1\n    assert auc >= .8\n"
        )
        (folder / "model.py").write_text("assert f1 > 0.9\n")
        _, text = proposed()
        assert [line for line in text.splitlines() if "_test.py:" in line] == [
            "#   model_test.py:5",
            "#   model_test.py:7",
        ]
        assert "#   model.py" not in text

    def test_long_names_keep_their_end_and_no_stamps(self, proposed, folder):
        write_predictions(folder / f"{'a' * 80}_spam_2026-05-08T10-11-12.csv", 20)
        (name,) = proposed()[0]
        assert len(name) == 60
        assert name.endswith("a_spam")

    def test_names_that_no_folder_tells_apart_are_numbered(self, proposed, folder):
        for at, name in enumerate("abc"):
            write_predictions(folder / f"spam.{name}.csv", 20, 100 + 50 * at)
        gates, _ = proposed()
        assert {name: gate["candidate"] for name, gate in gates.items()} == {
            "spam": "spam.a.csv",
            "spam-2": "spam.b.csv",
            "spam-3": "spam.c.csv",
        }

    def test_several_answers_in_columns_of_other_names(self, proposed, folder):
        rows = [f"{at},{TRUTH[at]},{TRUTH[at + (at < 8 + run)]}" for at in range(60) for run in range(3)]
        (folder / "only.csv").write_text("\n".join(["id,label,prediction", *rows]))
        gates, _ = proposed()
        assert gates["only"]["runs"] == "samples"
        assert gates["only"]["candidate"]["columns"] == {"y_true": "label", "y_pred": "prediction"}

    def test_names_that_are_taken_are_numbered(self, proposed, folder):
        for name in ("2025-01-02", "2025-01-03", "2025-01-04"):
            write_predictions(folder / name / "spam.csv", 20, 100 + int(name[-1]) * 50)
        gates, _ = proposed()
        assert {name: gate["candidate"] for name, gate in gates.items()} == {
            "spam": "2025-01-02/spam.csv",
            "2025-01-03-spam": "2025-01-03/spam.csv",
            "2025-01-04-spam": "2025-01-04/spam.csv",
        }

    def test_thresholds_are_said_where_no_gate_can_be_made(self, run, folder):
        for path in folder.iterdir():
            path.unlink()
        (folder / "test_model.py").write_text("def test_f1():\n    assert f1 >= 0.9\n")
        assert "test_model.py:2: compares a score with a number" in run("init").output

    @pytest.mark.parametrize(
        ("output", "old", "command"),
        [
            ("", "old.csv", "bayesf1 gate --root sub"),
            ("bayesf1.yaml", "sub/old.csv", "bayesf1 gate"),
            ("gates/spam.yaml", "../sub/old.csv", "bayesf1 gate gates/spam.yaml"),
            ("sub/deep/bayesf1.yaml", "../old.csv", "bayesf1 gate sub/deep/bayesf1.yaml --root sub"),
        ],
    )
    def test_the_printed_command_judges_another_folder(self, proposed, run, folder, output, old, command):
        for name in ("old", "new"):
            write_predictions(folder / "sub" / f"{name}.csv", 20)
        copy(FOLDER / "promptfoo-both.jsonl", folder / "sub")
        shown = run("init", "sub", *([f"--output={output}"] if output else [])).stdout.splitlines()
        assert shown[-1] == command
        assert "2 gates, proposed from 3 files." in shown[0]
        text = (folder / (output or "sub/bayesf1.yaml")).read_text()
        assert yaml.safe_load(text)["gates"]["new"]["baseline"] == old
        assert "#   promptfoo-both.jsonl: Choose" in text
        entries = json.loads(run(*command.split()[1:], "--json").stdout)["entries"]
        assert [entry["kind"] for entry in entries] == ["comparison", "estimate"]

    def test_a_file_that_cannot_be_written_is_an_error(self, run, folder):
        write_predictions(folder / "only.csv", 20)
        (folder / "taken").write_text("")
        shown = run("init", "--output", "taken/bayesf1.yaml")
        assert (shown.exit_code, shown.stderr) == (5, "Error: taken: a file is in the way\n")
