import json
from pathlib import Path

import pytest

from pytest_bayesf1.gates import history as module
from pytest_bayesf1.gates.acceptance import Acceptance, keep_failures
from pytest_bayesf1.project import manifest_path
from tests.unit.baselines.versioned import FILE, manifest, predicted, store
from tests.unit.committed import Committed
from tests.unit.gates.test_history import csv as predictions


class TestUpdate:
    def test_a_significantly_worse_candidate_is_refused_unless_forced(self, run, gates):
        gates("much_worse")
        shown = run("baseline", "update", code=1)
        refused, why = shown.stdout.splitlines()
        assert refused == "refused   much_worse: old.json"
        assert why.endswith("To write it all the same, pass --force.")
        gates(much_worse="", better="baseline: same.json, anchor: old.json")
        assert run("baseline", "update", code=1).stdout.count("pass --anchor to restart the count") == 1
        gates("much_worse")
        Path("same.json").write_text(Path("old.json").read_text())
        assert Path("old.json").read_text() == Path("same.json").read_text()
        shown = run("baseline", "update", "--force", code=0)
        assert shown.stdout == "replaced  much_worse: old.json\n"
        assert Path("old.json").read_text() == Path("much_worse.json").read_text()

    def test_a_candidate_whose_loss_was_accepted_is_written(self, run, gates, folder, monkeypatch):
        monkeypatch.setenv("BAYESF1_CACHE", str(folder / "cache"))
        path = gates("much_worse")
        wide = "  wide: {baseline: old.json, candidate: much_worse.json, rope: [0.2, wide]}\n"
        path.write_text(path.read_text().replace("gates:\n", f"gates:\n{wide}"))
        run("gate", code=1)
        run("accept", "bayesf1.yaml::much_worse", "--reason", "half the size", code=0)
        assert run("baseline", "update", code=0).stdout == "replaced  wide, much_worse: old.json\n"

    @pytest.mark.parametrize(
        ("command", "asked"), [("baseline update", ["--new"]), ("accept", ["x", "--reason", "half the size"])]
    )
    def test_nothing_is_written_in_ci(self, run, gates, monkeypatch, command, asked):
        gates(x="baseline: x.json")
        monkeypatch.setenv("CI", "true")
        shown = run(*command.split(), *asked, code=2)
        problem = "No one reviews or commits what a run writes in CI (CI=true). Run it on your own machine"
        assert shown.stderr.startswith(f"Error: bayesf1 {command}: {problem}")
        assert not Path("x.json").exists()

    def test_an_error_in_one_gate_stops_no_other(self, run, gates):
        Path("damaged.json").write_text("[1,")
        gates(a="baseline: damaged.json", b="baseline: b.csv", x="baseline: x.json")
        shown = run("baseline", "update", code=2)
        lines = ["error     a: damaged.json", "error     b: b.csv", "created   x: x.json"]
        assert shown.stdout.splitlines() == lines
        assert shown.stderr.count("Error: ") == 2
        assert Path("damaged.json").read_text() == "[1,"


def test_all_losses_of_tests_are_accepted_unless_one_of_them_did_not_fail(run, folder, monkeypatch):
    monkeypatch.setenv("BAYESF1_CACHE", str(folder / "cache"))
    (folder / "t.py").touch()
    losses = [
        Acceptance(measure=measure, baseline="a", candidate="b", loss=0.1, reason="", failed=(measure,))
        for measure in ("accuracy", "f1[ham]")
    ]
    keep_failures(folder, ["t.py::t", "t.py::u"], {"t.py::t": losses, "t.py::u": losses[:1]})
    shown = run("accept", "t.py::t", "t.py::third", "--reason", "half the size", code=2)
    assert "These did: t.py::t" in shown.stderr
    assert not manifest_path(folder).exists()
    told = run("accept", "t.py::t", "t.py::u", "--reason", "half the size", "--up-to", "0.2", code=0).stdout
    assert "accepted: t.py::t: accuracy\naccepted: t.py::t: f1[ham]\naccepted: t.py::u: accuracy\n" in told
    kept = json.loads(manifest_path(folder).read_text())["exceptions"]
    assert [(each["measure"], each["up_to"]) for each in kept["t.py::t"]] == [("accuracy", 0.2), ("f1[ham]", 0.2)]
    assert [each["reason"] for each in kept["t.py::u"]] == ["half the size"]


GATE = {"policy": "not_worse", "measure": "accuracy", "rope": [-0.01, 0.01], "budget": 0.02, "prior": "auto"}


class TestHistory:
    @pytest.fixture
    def repository(self, folder):
        for file in folder.iterdir():
            file.unlink()
        repository = Committed.new(folder)
        for n_wrong in (100, 150):
            store(repository, predicted(n_wrong))
        return repository

    def test_all_stored_baselines_by_what_their_gates_demand(self, run, repository):
        manifest(repository, **{"tests/test_spam.py__test_f1": [GATE]})
        shown = run("history", code=0)
        name, settings, course, head, first, second, *_ = shown.stdout.splitlines()
        assert name == FILE
        assert settings.startswith("2 versions by accuracy; ranges are 95% likely; allowed: ±1 point")
        assert course.startswith("Since the first version: 0.")
        assert head.split()[:3] == ["version", "score", "(likely)"]
        assert "version 0" in first
        assert "≪ −5.0" in second
        assert "version 1" in second

    def test_gates_above_the_repository_are_not_asked(self, run, repository):
        repository.commit("a file", **{"spam.csv": predictions(100)})
        outside = repository.path.parent / "bayesf1.yaml"
        outside.write_text("gates: {")
        try:
            run("history", "spam.csv", "--rope", "0.01", code=0)
        finally:
            outside.unlink()

    def test_one_without_an_answer_hides_no_other(self, run, repository):
        shown = run("history", "no.csv", FILE, "--rope", "0.01", code=4)
        assert "Error: no.csv: git has no version of it" in shown.stderr
        assert "version 1" in shown.stdout
        shown = run("history", FILE, code=2)
        assert "No gate gives a ROPE for this baseline. Pass one, such as rope: 0.01." in shown.stderr
        run("history", FILE, "--rope", "-1", code=2)

    def test_what_cannot_be_computed_of_one_hides_no_other(self, run, repository, monkeypatch):
        repository.write("anchor.csv", "no predictions")
        repository.commit("files", **{name: predictions(100) for name in ("a.csv", "b.csv")})
        shown = run("history", "a.csv", "--rope", "0.01", "--anchor", "anchor.csv", code=5)
        assert "anchor.csv" in shown.stderr
        real = module.history_of
        monkeypatch.setattr(module, "history_of", lambda path, *rest: (path.stem == "b" and real(path, *rest)) or 1 / 0)
        shown = run("history", "a.csv", "b.csv", "--rope", "0.01", code=5)
        assert "Error: division by zero (ZeroDivisionError)" in shown.stderr
        assert shown.stdout.startswith("b.csv")

    @pytest.fixture
    def files(self, folder):
        """Commit two versions of a file that a gate names, whose columns have names of their own."""
        for file in folder.iterdir():
            file.unlink()
        repository = Committed.new(folder)
        for n_wrong in (100, 150):
            content = predictions(n_wrong).replace("id,y_true,y_pred", "id,gold,said")
            repository.commit(f"{n_wrong} wrong", **{"models/spam.csv": content})
        return repository

    def test_without_stored_baselines_those_of_gate_files(self, run, files):
        files.write(
            "models/bayesf1.yaml",
            """
        defaults: {rope: 0.01, measure: accuracy, columns: {y_true: gold, y_pred: said}}
        gates:
          spam: {baseline: spam.csv, candidate: new.csv}
          ham: {baseline: spam.csv, candidate: other.csv}
        """,
        )
        for shown in (run("history", "models", code=0), run("history", code=0)):
            assert shown.stdout.splitlines()[0] == "models/spam.csv"
            assert shown.stdout.count("≪ −5.0") == 1
        Path("empty").mkdir()
        assert "No stored baseline in empty" in run("history", "empty").stderr
        store(files, predicted(100))
        assert run("history", ".", "--rope", "0.01").stdout.splitlines()[0] == FILE

    def test_an_old_version_that_cannot_be_read_is_no_failure(self, run, files):
        files.commit("columns", **{"models/spam.csv": predictions(150)})
        assert run("history", "models/spam.csv", "--rope", "0.01", code=0).stdout.count("could not be read") == 2
