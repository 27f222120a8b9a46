"""What commands answer in every format and with which exit codes, whole: all of it reviewed."""

import json
from pathlib import Path

import pytest

from pytest_bayesf1.errors import EngineError, RenderError
from pytest_bayesf1.gates import evaluate
from tests.unit.cli.folders import empty_folder, predicted, put
from tests.unit.committed import Committed

folder = pytest.fixture(autouse=True)(empty_folder)


@pytest.fixture(autouse=True)
def _files(folder, monkeypatch):
    """Four systems: the old one, and of three others one hardly differs, one is worse and one better."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    for name, every, first in (("old", 11, 0), ("like old", 11, 9), ("worse", 4, 0), ("better", 40, 0), ("open", 9, 0)):
        columns = predicted(330, every, first)
        more = {"lang": [("de", "en", "fi|sv")[k % 7 % 3] for k in range(330)], "text": [f"<{k}>" for k in range(330)]}
        put(f"{name}.csv", columns | more)
    put("fewer.json", {name: each[40:300] for name, each in predicted(330, 10).items()})
    for name, cells in (("counts", [[87, 20], [5, 91]]), ("more counts", [[79, 28], [8, 88]])):
        Path(f"{name}.json").write_text(json.dumps({"counts": cells, "labels": ["ham", "spam"]}))


def test_two_files_are_compared(transcript):
    for options in (
        "'like old.csv' --rope 0.04",
        "worse.csv --rope 0.02",
        "open.csv --rope 0.03 --fail-on unproven --per-class --slice lang",
        "worse.csv --rope 0.1 --measure 'f1[spam]' --verbose --show text",
        "fewer.json --rope 0.02 --measure accuracy",
        "none.csv --rope 0.1",
        "counts.json --rope 0.1",
        "old.csv",
        "old.csv --rope 0.1 --measure f2",
    ):
        transcript.bayesf1(f"compare old.csv {options}")
    transcript.bayesf1("compare none.csv old.csv --rope 0.1")
    transcript.bayesf1("compare counts.json 'more counts.json' --rope 0.02 --measure accuracy --report out")
    transcript.bayesf1("compare old.csv worse.csv --rope 0.02 --report old.csv/out")


def test_a_score_is_checked(transcript):
    for options in (
        "old.csv --floor 0.8",
        "worse.csv --floor 0.95",
        "open.csv --floor 0.9 --fail-on unproven --per-class",
        "old.csv open.csv worse.csv --floor 0.85 --measure accuracy -v",
        "none.csv --floor 0.9",
        "old.csv",
        "old.csv --floor 0.95 --run-sd 0.01 --slice lang",
    ):
        transcript.bayesf1(f"check {options}")


def test_gates_end_with_the_gravest_code(transcript, monkeypatch):
    """First what could not be computed, then what cannot be used, then a missing baseline, then the answers."""
    errors = {"engine": EngineError("posterior", "draws", "nan"), "render": RenderError("no room")}

    usual = evaluate.evaluate

    def evaluated(gate, commit):
        if gate.name in errors:
            raise errors[gate.name]
        return usual(gate, commit)

    monkeypatch.setattr(evaluate, "evaluate", evaluated)
    gates = {
        "passes": "candidate: like old.csv, rope: 0.04",
        "warns": "candidate: worse.csv, rope: [0.12, wide]",
        "could not tell": "candidate: open.csv",
        "unproven": "candidate: open.csv, fail_on: unproven",
        "undecided": "candidate: open.csv, fail_on: unproven",
        "fails": "candidate: worse.csv",
        "no baseline": "candidate: open.csv, baseline: none.csv",
        "no candidate": "candidate: none.csv",
        "engine": "candidate: better.csv",
        "render": "candidate: fewer.json",
    }
    lines = [
        f"  {name}: {{{'' if 'baseline' in gate else 'baseline: old.csv, '}{gate}}}\n" for name, gate in gates.items()
    ]
    transcript.write("bayesf1.yaml", "".join(["defaults: {rope: 0.02}\n", "gates:\n", *lines]))
    for names in (["passes", "undecided", "unproven"], ["render"]):
        transcript.bayesf1(f"gate {' '.join(f'--gate {name!r}' for name in names)}")
    transcript.bayesf1("gate")


def test_systems_are_ranked(transcript):
    files = "old.csv worse.csv 'like old.csv' better.csv"
    for options in (
        f"{files} --rope 0.02",
        f"{files} --rope 0.05 --measure 'recall[Größe]'",
        "counts.json 'more counts.json' --rope 0.05",
        "old.csv --rope 0.02",
        "old.csv fewer.json --rope 0.02",
        "old.csv none.csv --rope 0.02",
        "old.csv old.csv",
    ):
        transcript.bayesf1(f"rank {options}")


def test_test_sets_are_planned(transcript):
    assumed = "--shares ham=0.7,spam=0.3"
    for options in (
        "'more counts.json' --agreement 0.9 --rope 0.05",
        "old.csv --rope 0.02",
        f"{assumed} --accuracy ham=0.9,spam=0.8 --agreement 0.9 --rope 0.02",
        "--rope 0.02",
        "--shares ham=0.7,spam=x --rope 0.02",
        "--shares ham=0.7,ham=0.3 --rope 0.02",
        "--accuracy x --rope 0.02",
        "old.csv open.csv --rope 0.02 --loss 0.01",
        f"{assumed} --rope 0.02",
    ):
        transcript.bayesf1(f"plan {options}")


def test_changes_between_two_files(transcript):
    for options in (
        "worse.csv",
        "open.csv --measure 'f1[spam]' --show text --show lang",
        "old.csv",
        "none.csv",
        "counts.json",
        "'like old.csv' --format csv",
    ):
        transcript.bayesf1(f"changes old.csv {options}")
    transcript.bayesf1("changes counts.json 'more counts.json'")
    transcript.bayesf1("changes counts.json 'more counts.json' --format json")


def test_what_failed_can_be_accepted_until_it_passes(transcript, folder, monkeypatch):
    monkeypatch.setenv("BAYESF1_CACHE", str(folder / "cache"))
    gate = "{baseline: old.csv, candidate: worse.csv}"
    Path("bayesf1.yaml").write_text(f"defaults: {{rope: 0.02}}\ngates:\n  a: {gate}\n  b: {gate}\n", "utf-8")
    transcript.bayesf1('accept a --reason "half the size"')
    assert "2 of 2 gates failed" in transcript.run("gate --update-manifest").output
    transcript.bayesf1("accept bayesf1.yaml::a --reason 'half the | size'")
    assert "1 of 2 gates failed · blocks merge · 1 with an accepted loss" in transcript.run("gate").output
    Path("worse.csv").write_bytes(Path("better.csv").read_bytes())
    assert transcript.run("gate --gate b").exit_code == 0
    transcript.bayesf1('accept bayesf1.yaml::b --reason "half the size"')
    transcript.cat("__bayesf1__/gates.json")


def test_baselines_of_gate_files_have_a_history(transcript, folder, monkeypatch):
    monkeypatch.delenv("GIT_CEILING_DIRECTORIES")
    transcript.bayesf1("history")
    repository = Committed.new(folder)
    transcript.bayesf1("history")
    transcript.write(
        "bayesf1.yaml",
        "defaults: {rope: 0.02}\ngates:\n"
        "  macro: {baseline: kept/a.csv, candidate: open.csv}\n"
        '  "spam|": {baseline: kept/b.csv, candidate: better.csv, measure: "f1[spam]", budget: 0.1}\n'
        "  spam too: {baseline: kept/b.csv, candidate: better.csv, measure: accuracy}\n",
    )
    transcript.bayesf1("baseline update")
    repository.commit("Keep a | <b>")
    for name, candidate in (("old", "open"), ("better", "open"), ("worse", "open"), ("like old", "like old")):
        Path("open.csv").write_bytes(Path(f"{name}.csv").read_bytes())
        transcript.bayesf1(f"baseline update --gate macro{' --force' * (name == 'worse')}")
        repository.commit(f"Train {name} for {candidate}")
    transcript.bayesf1("baseline update --gate 'spam|'")
    transcript.bayesf1("baseline update --gate none")
    for options in (
        "",
        "kept/a.csv --budget 0.01",
        "kept/b.csv --rope 0.02 --format json",
        "kept/none.csv",
        "kept --anchor old.csv",
        "better.csv --rope 0.02",
    ):
        transcript.bayesf1(f"history {options}".rstrip())
    Path("open.csv").write_bytes(Path("worse.csv").read_bytes())
    transcript.bayesf1("baseline update --gate macro --new")
    monkeypatch.setenv("CI", "true")
    transcript.bayesf1("baseline update --gate macro")


def test_floors_are_proposed(transcript):
    for number, every in enumerate((9, 11, 13, 10, 12)):
        put(f"runs/{number}.csv", predicted(120, every, number))
    files = " ".join(sorted(map(str, Path("runs").glob("*.csv"))))
    for options in (
        files,
        "--scores 0.91,0.9,0.905,0.93,0.915",
        "--scores 0.91,0.9,0.905,0.93 --format json",
        "--scores 0.91",
        "--scores 0.91,x",
        "--scores none.csv",
        "--scores 0.91,0.9,0.905 --measure accuracy",
        "--scores 0.91,0.9,0.905 --column value=score",
        "runs",
        "",
        "runs/0.csv",
        "runs/0.csv runs/0.csv runs/2.csv",
    ):
        of_runs = " --measure accuracy" * ("--scores" not in options)
        transcript.bayesf1(f"floor {options}{of_runs} --new-runs 2")


def test_a_report_is_written_in_other_formats(transcript):
    Path("bayesf1.yaml").write_text(
        "defaults: {rope: 0.02}\ngates:\n"
        "  a: {baseline: old.csv, candidate: worse.csv}\n"
        '  "b|<i>": {baseline: old.csv, candidate: better.csv}\n'
    )
    printed = transcript.run("gate --report out").output
    table = transcript.run("report out/report.json").output.splitlines(keepends=True)[:4]
    assert "".join(table) in printed
    for options in (
        "out/report.json --format md -o comment.md",
        "out/report.json --format md -o bayesf1.yaml/comment.md",
        "out/report.md",
        "out",
        "none.json",
        "old.csv",
    ):
        transcript.bayesf1(f"report {options}")
    comment = Path("comment.md").read_text("utf-8")
    assert transcript.run("report out/report.json --format md").output == comment
    assert comment.count("b\\|&lt;i&gt;") == 1
    text = Path("out/report.json").read_text("utf-8")
    Path("newer.json").write_text(text.replace('"version": ', '"version": 9'))
    Path("cut.json").write_text(text[:900])
    for name in ("newer", "cut"):
        transcript.bayesf1(f"report {name}.json")
