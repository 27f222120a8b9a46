"""`bayesf1 init`: a gate file proposed from what a folder holds."""

import json
from pathlib import Path
from shutil import copy
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

from pytest_bayesf1 import InputError, Scores
from pytest_bayesf1.cli import init
from pytest_bayesf1.cli.init import _pairs, _pool, _Predictions, _recognised
from pytest_bayesf1.data.columns import AS_IT_IS
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.labelling import Labelling
from tests.unit.cli.folders import empty_folder, predicted, put
from tests.unit.files.logged import FOLDER
from tests.unit.files.written import write_csv

TRUTH = ["ham", "spam"] * 200


folder = pytest.fixture(autouse=True)(empty_folder)


@pytest.fixture
def proposed(run, folder):
    """Return the gates that are proposed for the folder."""

    def propose():
        run("init", code=0)
        return yaml.safe_load((folder / "bayesf1.yaml").read_text("utf-8"))["gates"]

    return propose


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        (["new.csv", "old.csv"], ["old.csv new.csv"]),
        (["a_candidate.csv", "a_baseline.csv"], ["a_baseline.csv a_candidate.csv"]),
        (["build/a.csv", "models/a.csv"], ["models/a.csv build/a.csv"]),
        (["Build/a.csv", "baselines/a.csv", "baselines/b.csv"], ["baselines/a.csv Build/a.csv"]),
        (["v2/a.csv", "v1/a.csv"], ["v1/a.csv v2/a.csv"]),
        (["en/old.csv", "en/new.csv", "de/old.csv", "de/new.csv"], ["en/old.csv en/new.csv", "de/old.csv de/new.csv"]),
        (["v1/a.csv", "v2/a.csv", "v3/a.csv"], []),
        (["old.csv", "baseline.csv", "new.csv"], []),
        (["v9.csv", "v10.csv"], []),
        (["renewed.csv", "folded.csv"], []),
        (["a/x.csv", "b/x.json"], []),
    ],
)
def test_two_files_are_a_pair_by_a_word_for_the_side_or_by_one_name(names, pairs):
    found, alone = _pairs([_Predictions(Path(name), name, "", AS_IT_IS) for name in names])
    assert [f"{old.name} {new.name}" for old, new in found] == pairs
    assert len(alone) == len(names) - 2 * len(pairs)


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["Pred", "uid", "goldLabel"], {"id": "uid", "y_pred": "Pred", "y_true": "goldLabel"}),
        (["pred", "prediction", "label"], {"y_true": "label"}),
        (["y_pred", "prediction", "y_true", "label"], {"y_pred": "y_pred", "y_true": "y_true"}),
        (["label", "pred", "score"], {"y_pred": "pred", "y_true": "label"}),
        (["pred", "score"], {"value": "score"}),
        (["label", "error_rate"], {"value": "error_rate"}),
    ],
)
def test_of_columns_that_may_have_a_role_one_alone_is_taken(names, found):
    assert dict(init._columns(dict.fromkeys(names))) == found


@pytest.mark.parametrize(
    ("value", "kind"), [(["a"], "labels"), ([1], "labels"), ([], "labels"), ([[0, 3, "a"]], "spans")]
)
def test_the_kind_of_lists(folder, value, kind):
    put("a.json", {"id": [1], "label": [value], "pred": [value]})
    assert init._guessed(Path("a.json")).kind == kind


@pytest.mark.parametrize(("said", "n_classes", "n_listed"), [("z", 30, 30), ("z", 31, 0), ("", 30, 0), ("c0", 29, 0)])
def test_classes_are_listed_where_predictions_have_some_that_the_truth_lacks(folder, said, n_classes, n_listed):
    true = [f"c{number}" for number in range(n_classes - 1)]
    put("a.csv", {"id": range(len(true)), "y_true": true, "y_pred": [said, *true[1:]]})
    labels = init._with_classes(read_side(Path("a.csv"), "file")).schema.labels
    assert len(labels or ()) == n_listed


def test_the_file_that_lacks_least_is_the_nearest(folder):
    put("a.csv", {"x": [1], "y": [2]})
    put("b.csv", {"id": [1], "pred": [2]})
    assert [text.partition(":")[0] for text in _recognised(sorted(folder.iterdir()), folder)[1]] == ["b.csv", "a.csv"]


def test_logs_are_a_pair_by_their_task():
    logs = [("b.eval", "t"), ("a.eval", "t"), ("c/old.eval", "u"), ("c/new.eval", "v"), ("d/old.eval", "u")]
    found, alone = _pairs([_Predictions(Path(name), name, task, AS_IT_IS) for name, task in logs])
    assert [(old.name, new.name) for old, new in found] == [("a.eval", "b.eval"), ("c/old.eval", "d/old.eval")]
    assert [each.name for each in alone] == ["c/new.eval"]


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


@pytest.mark.parametrize("rope", [(-0.02, 0.05), (-0.3, 0.3, "wide")])
def test_the_measure_of_a_pool_is_quoted_and_its_loss_the_one_that_is_allowed(monkeypatch, rope):
    started = SimpleNamespace(measure="f1[a: #b]", rope=rope)
    pool = SimpleNamespace(n_labelled=5)
    monkeypatch.setattr(Labelling, "read", lambda _: SimpleNamespace(started=started, pool=pool))
    lines = _pool(Path("data/spam.json"), Path())
    assert yaml.safe_load("\n".join(lines)) == {"pool": "data/spam.json", "measure": "f1[a: #b]", "rope": [*rope]}


def test_no_more_files_are_read_than_a_folder_may_hold(folder, monkeypatch):
    read = []

    def refuse(path):
        read.append(path)
        raise InputError.plain("", "No predictions")

    monkeypatch.setattr(init, "proposed", refuse)
    paths = [folder / f"{number}.csv" for number in range(205)]
    assert _recognised([folder / "a.png", *paths], folder)[1] == [f"{n}.csv: No predictions" for n in range(200)]
    assert read == paths[:200]


def test_large_files_and_those_elsewhere_are_passed_by(folder):
    for size in (50_000_000, 50_000_001):
        with (folder / f"{size}.csv").open("wb") as file:
            file.truncate(size)  # takes no room
    put(folder.parent / "outside" / "other.csv", {"id": [1]})
    (folder / "linked.csv").symlink_to(folder.parent / "outside" / "other.csv")
    (folder / "broken.csv").symlink_to(folder / "nowhere.csv")
    for name in ("node_modules", ".hidden", "venv", "kept"):
        put(f"{name}/a.csv", {"id": [1]})
    (folder / "venv" / "pyvenv.cfg").touch()
    found = [path.relative_to(folder).as_posix() for path in init._files_below(folder)]
    assert found == ["50000000.csv", "kept/a.csv"]


class TestInit:
    def test_names_that_are_taken_are_numbered(self, proposed, folder):
        for place in ("de", "en", "fi"):
            for side in ("old", "new"):
                put(f"{place}/{side}.csv", predicted(60, 7))
        gates = proposed()
        assert [(name, gate["candidate"]) for name, gate in gates.items()] == [
            *(("new", "de/new.csv"), ("new-2", "en/new.csv"), ("new-3", "fi/new.csv"))
        ]

    def test_columns_kinds_and_classes_are_guessed_for_a_person_to_read(self, proposed, folder):
        for name, n_wrong, other in (("old", 20, "eggs"), ("new", 30, "tofu")):
            rows = [
                {"doc_id": n, "gold_label": true, "pred": TRUTH[n + (n < n_wrong)] if n else other}
                for n, true in enumerate(TRUTH[:200])
            ]
            rows.append({"doc_id": 200, "gold_label": "rare", "pred": "ham"})
            (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
            graded = [{"id": n, "toxicity": 0.25 * (n % 3), "text": "x"} for n in range(60)]
            (folder / f"{name}_tox.jsonl").write_text("\n".join(map(json.dumps, graded)))
        gates = proposed()
        assert gates["new"]["columns"] == {"id": "doc_id", "y_true": "gold_label", "y_pred": "pred"}
        assert gates["new"]["labels"] == ["eggs", "ham", "rare", "spam", "tofu"]
        assert (gates["new_tox"]["columns"], gates["new_tox"]["better"]) == ({"value": "toxicity"}, "lower")
        for gate in load_gates(folder / "bayesf1.yaml", folder):
            assert evaluate(gate).outcome in ("undecided", "warned", "failed", "passed")

    def test_a_file_is_never_overwritten(self, run, folder):
        (folder / "bayesf1.yaml").write_text("mine")
        shown = run("init")
        assert (shown.exit_code, (folder / "bayesf1.yaml").read_text()) == (2, "mine")
        assert "This file exists already" in shown.stderr

    def test_where_there_is_nothing_to_propose_each_file_says_what_it_lacks(self, run, folder):
        put("only.csv", predicted(60, 7))
        (folder / "counts.json").write_text('{"counts": [[9, 1], [2, 8]]}')
        (folder / "named.csv").write_text("id,said\n1,b\n2,b\n")
        (folder / "pool.labelling.json").write_text("{")
        for name in ("lm-eval-teams.jsonl", "inspect-first.json"):
            copy(FOLDER / name, folder)
        shown = run("init", "-o", "ci/gates/bayesf1.yaml", code=2)
        told = dict(line.split(": ", 1) for line in shown.stdout.splitlines())
        assert told["only.csv"] == "it takes two files of one name, or two logs of one task, not 1 of 'only.csv'"
        assert "found columns 'id', 'said'" in told["named.csv"]
        assert "Nearest came only.csv" in shown.stderr
        assert told["counts.json"] == "There are counts, not predictions of examples"
        assert "several grades for an answer" in told["lm-eval-teams.jsonl"]
        assert "6 of 12 are duplicate" in told["inspect-first.json"]
        assert "pool.labelling.json" in told
        assert "neither two files of predictions or logs to compare, nor a pool with labels" in shown.stderr
        assert not (folder / "ci").exists()

    def test_a_pool_with_labels_becomes_a_gate(self, proposed, run, folder):
        write_csv(folder / "pool.csv", {"id": range(40), "old": ["a", "b"] * 20, "new": ["a", "b", "a", "a"] * 10})
        start = "--baseline", "old", "--candidate", "new", "--rope", "0.02", "--measure", "accuracy"
        run("label", "start", "pool.csv", *start, code=0)
        assert "pool.labelling.json: The pool has no label yet\n" in run("init", code=2).stdout
        run("label", "next", "--count", "12", "-o", "batch.csv", code=0)
        header, *rows = (folder / "batch.csv").read_text().splitlines()
        labelled = [f"{row}{'abaaabab'[int(row.removesuffix(',')) % 8]}" for row in rows]
        (folder / "batch.csv").write_text("\n".join([header, *labelled]) + "\n")
        run("label", "add", "batch.csv", code=0)
        assert proposed() == {"pool": {"pool": "pool.labelling.json", "measure": "accuracy", "rope": [-0.02, 0.02]}}
        told = " ".join(run("gate").stdout.split())
        assert "this pool is too small to prove it; a real difference may show sooner" in told

    @pytest.mark.parametrize(
        ("output", "old", "command"),
        [
            ("", "old.csv", "bayesf1 gate --root sub"),
            ("bayesf1.yaml", "sub/old.csv", "bayesf1 gate"),
            ("gates/spam.yaml", "../sub/old.csv", "bayesf1 gate gates/spam.yaml"),
            ("sub/deep/bayesf1.yaml", "../old.csv", "bayesf1 gate sub/deep/bayesf1.yaml --root sub"),
        ],
    )
    def test_the_printed_command_judges_another_folder(self, run, folder, output, old, command):
        for name in ("old", "new"):
            put(f"sub/{name}.csv", predicted(60, 7))
        shown = run("init", "sub", *([f"--output={output}"] if output else [])).stdout.splitlines()
        assert shown[-1] == command
        assert "1 gate. Read it, then run:" in shown[0]
        text = (folder / (output or "sub/bayesf1.yaml")).read_text()
        assert yaml.safe_load(text)["gates"]["new"]["baseline"] == old
        entries = json.loads(run(*command.split()[1:], "--json").stdout)["entries"]
        assert [entry["kind"] for entry in entries] == ["comparison"]


def test_an_old_and_a_new_file_of_each_model(transcript):
    for kind, n, every in ("spam", 240, 12), ("topics of mail", 310, 15), ("Größe", 90, 20):
        put(f"runs/new/{kind}.csv", predicted(n, every - 7))
        put(f"runs/old/{kind}.csv", {name: each[::-1] for name, each in predicted(n, every).items()})
    transcript.bayesf1("init")
    transcript.cat("bayesf1.yaml")
    assert "2 of 3 gates failed" in transcript.run("gate").output
