import json
from pathlib import Path

import pytest

from pytest_bayesf1.gates import history as module
from pytest_bayesf1.gates.acceptance import Acceptance, keep_failures
from pytest_bayesf1.project import manifest_path
from tests.unit.baselines.versioned import FILE, predicted, store
from tests.unit.committed import Committed
from tests.unit.gates.test_history import csv as predictions


class TestUpdate:
    def test_a_significantly_worse_candidate_is_refused_unless_forced(self, run, gates):
        gates("much_worse")
        refused, why = run("baseline", "update", code=1).stdout.splitlines()
        assert refused == "refused   much_worse: old.json"
        assert why.endswith("To write it all the same, pass --force.")
        gates(much_worse="", better="baseline: same.json, anchor: old.json")
        assert run("baseline", "update", code=1).stdout.count("pass --anchor to restart the count") == 1
        gates("much_worse")
        assert run("baseline", "update", "--force", code=0).stdout == "replaced  much_worse: old.json\n"

    def test_a_candidate_whose_loss_was_accepted_is_written(self, run, gates, folder, monkeypatch):
        monkeypatch.setenv("BAYESF1_CACHE", str(folder / "cache"))
        path = gates("much_worse")
        wide = "  wide: {baseline: old.json, candidate: much_worse.json, rope: [0.2, wide]}\n"
        path.write_text(path.read_text().replace("gates:\n", f"gates:\n{wide}"))
        run("gate", code=1)
        run("accept", "bayesf1.yaml::much_worse", "--reason", "half the size", code=0)
        assert run("baseline", "update", code=0).stdout == "replaced  wide, much_worse: old.json\n"

    @pytest.mark.parametrize(
        ("command", "where"),
        [
            ("baseline update --new", "bayesf1 baseline update"),
            ("accept x --reason why", "bayesf1 accept"),
            ("gate --update-manifest", "--update-manifest"),
        ],
    )
    def test_nothing_is_written_in_ci(self, run, gates, monkeypatch, command, where):
        gates(x="baseline: x.json")
        monkeypatch.setenv("CI", "true")
        shown = run(*command.split(), code=2)
        problem = "No one reviews or commits what a run writes in CI (CI=true). Run it on your own machine"
        assert shown.stderr.startswith(f"Error: {where}: {problem}")
        assert not [*Path().glob("x.json"), *Path().glob("__bayesf1__")]

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


class TestHistory:
    @pytest.fixture
    def repository(self, folder):
        repository = Committed.new(folder)
        for n_wrong in (100, 150):
            store(repository, predicted(n_wrong))
        return repository

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

    def test_stored_baselines_come_before_those_of_gate_files(self, run, repository):
        repository.write("bayesf1.yaml", "gates: {spam: {baseline: spam.csv, candidate: new.csv, rope: 0.01}}")
        repository.commit("a file", **{"spam.csv": predictions(100)})
        shown = run("history", "--rope", "0.01", code=0).stdout
        assert shown.splitlines()[0] == FILE
        assert "spam.csv\n" not in shown

    def test_an_old_version_that_cannot_be_read_is_no_failure(self, run, repository):
        for content in ("damaged", predictions(100)):
            repository.commit("a file", **{"spam.csv": content})
        assert run("history", "spam.csv", "--rope", "0.01", code=0).stdout.count("could not be read") == 1
