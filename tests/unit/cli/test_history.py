"""``bayesf1 history``, in real repositories."""

import csv
import json
from io import StringIO

import pytest

from tests.unit.baselines.test_history import csv as predictions
from tests.unit.baselines.versioned import FILE, manifest, predicted, store
from tests.unit.committed import Committed

GATE = {"policy": "not_worse", "measure": "accuracy", "rope": [-0.01, 0.01], "budget": 0.02, "prior": "auto"}


@pytest.fixture
def repository(folder):
    for file in folder.iterdir():
        file.unlink()
    repository = Committed.new(folder)
    for n_wrong in (100, 150):
        store(repository, predicted(n_wrong))
    return repository


def test_all_stored_baselines_by_what_their_gates_demand(run, repository):
    manifest(repository, **{"tests/test_spam.py__test_f1": [GATE]})
    shown = run("history")
    assert shown.exit_code == 0
    name, settings, head, first, second, *_ = shown.stdout.splitlines()
    assert name == FILE
    assert settings.startswith("2 versions by accuracy, 95% HDI; tolerated: ±1 point")
    assert head.split()[:3] == ["date", "commit", "score"]
    assert first.split()[-4:] == ["the", "anchor", "version", "0"]
    assert "≪ −5.0" in second
    assert second.endswith("failed   version 1")


def test_gates_above_the_repository_are_not_asked(run, repository):
    repository.commit("a file", **{"spam.csv": predictions(100)})
    outside = repository.path.parent / "bayesf1.yaml"
    outside.write_text("gates: {")
    try:
        assert run("history", "spam.csv", "--rope", "0.01").exit_code == 0
    finally:
        outside.unlink()


def test_json(run, repository):
    (history,) = json.loads(run("history", FILE, "--rope", "0.01", "--budget", "0.1", "--format", "json").stdout)
    assert (history["measure"], history["rope"], history["budget"]) == ("f1_macro", [-0.01, 0.01], 0.1)
    assert [version["verdict"] for version in history["versions"]] == ["", "failed"]
    assert history["versions"][1]["total"]["decision"] == "≈"
    assert history["versions"][0]["score"]["observed"] == pytest.approx(0.9, abs=1e-4)


def test_other_formats(run, repository):
    asked = ("history", "--rope", "0.01", "--measure", "accuracy", "--hdi-prob", "0.9")
    assert len(list(csv.DictReader(StringIO(run(*asked, "--format", "csv").stdout)))) == 2
    assert run(*asked, "--format", "md").stdout.startswith("## tests/")
    page = run(*asked, "--format", "html").stdout
    assert page.startswith("<!doctype html>")
    assert "90% HDI" in page


def test_a_figure(run, repository, folder):
    for name in ("a.svg", "a.png"):
        assert run("history", "--rope", "0.01", "--figure", name).exit_code == 0
    assert (folder / "a.svg").read_text().startswith("<svg")
    assert (folder / "a.png").read_bytes().startswith(b"\x89PNG")
    for arguments in (["--figure", "a.pdf"], ["--figure", "a.svg", FILE, FILE]):
        shown = run("history", "--rope", "0.01", *arguments)
        assert shown.exit_code == 2
        assert "Error: --figure: expected" in shown.stderr
    (folder / "b.svg").mkdir()
    shown = run("history", "--rope", "0.01", "--figure", "b.svg")
    assert shown.exit_code == 5
    assert "a directory is in the way" in shown.stderr


def test_a_file_and_its_anchor(run, repository):
    repository.write("v1.csv", predictions(100))
    for n_wrong in (100, 150):
        repository.commit(f"{n_wrong} wrong", **{"spam.csv": predictions(n_wrong)})
    shown = run("history", "spam.csv", "--rope", "0.01", "--anchor", "v1.csv")
    assert [line.split()[-1] for line in shown.stdout.splitlines()[3:5]] == ["wrong", "wrong"]
    assert "the anchor" in shown.stdout.splitlines()[3]


def test_one_without_an_answer_hides_no_other(run, repository):
    shown = run("history", "no.csv", FILE, "--rope", "0.01")
    assert shown.exit_code == 4
    assert "Error: no.csv: expected a file that git has versions of" in shown.stderr
    assert "version 1" in shown.stdout
    shown = run("history", FILE)
    assert shown.exit_code == 2
    assert "expected a ROPE, from --rope or from a gate that names the baseline" in shown.stderr
    assert run("history", FILE, "--rope", "-1").exit_code == 2


def test_a_shallow_clone(run, repository, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(repository.shallow_clone(tmp_path_factory.mktemp("clone") / "clone"))
    shown = run("history", "--rope", "0.01")
    assert shown.exit_code == 0
    assert "This clone is shallow, so older versions may be missing. git fetch --unshallow" in shown.stdout


def test_no_baseline(run, folder):
    shown = run("history")
    assert shown.exit_code == 0
    assert "No stored baseline here." in shown.stderr


def test_results_are_kept_unless_nobody_wants_that(run, repository, tmp_path_factory, monkeypatch):
    kept = tmp_path_factory.mktemp("kept")
    monkeypatch.setenv("BAYESF1_CACHE", str(kept))
    first = run("history", "--rope", "0.01", "--no-cache").stdout
    assert list(kept.iterdir()) == []
    assert run("history", "--rope", "0.01").stdout == first
    assert [path.name for path in kept.iterdir()] == ["history"]
    assert run("history", "--rope", "0.01").stdout == first
    assert repository.git("status", "--porcelain") == ""
