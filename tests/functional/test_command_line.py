"""The command beside pytest: the same answers from the same files, and what it finds out about a project."""

import json
import sys

import pytest

from tests.functional.classifiers import BASELINE, BETTER, MUCH_WORSE, UNDECIDED

GATES = """
    defaults: {rope: 0.02}
    gates:
      better: {baseline: old.csv, candidate: better.csv}
      worse: {baseline: old.csv, candidate: much_worse.csv, per_class: true}
      strict: {baseline: old.csv, candidate: undecided.csv, fail_on: "?"}
      new: {baseline: no.csv, candidate: better.csv}
"""


@pytest.fixture
def bayesf1(pytester):
    """Run the command in a process of its own."""
    return lambda *arguments: pytester.run(
        sys.executable, "-c", "from pytest_bayesf1.cli.main import main; main(prog_name='bayesf1')", *arguments
    )


@pytest.fixture
def gates(pytester):
    for name, counts in {"old": BASELINE, "better": BETTER, "much_worse": MUCH_WORSE, "undecided": UNDECIDED}.items():
        (pytester.path / f"{name}.csv").write_text("".join(f"{a},{b}\n" for a, b in counts))
    pytester.makefile(".yaml", bayesf1=GATES)


@pytest.mark.usefixtures("gates")
@pytest.mark.long
def test_gates_get_the_report_that_pytest_writes(pytester, bayesf1):
    pytester.runpytest_subprocess("-p", "bayesf1", "--bayesf1-report=out").assert_outcomes(passed=1, failed=3)
    result = bayesf1("gate", "--json", "--report", "json")
    assert result.ret == 4
    written = (pytester.path / "out" / "report.json").read_bytes()
    assert result.stdout.str().encode() + b"\n" == written
    assert len(json.loads(written)["entries"]) == 6
    for name in ("report.json", "report.md", "report.html"):
        assert (pytester.path / "json" / name).read_bytes() == (pytester.path / "out" / name).read_bytes()


@pytest.mark.usefixtures("gates")
@pytest.mark.parametrize(("gate", "code"), [("better", 0), ("worse", 1), ("strict", 3), ("new", 4)])
@pytest.mark.one_of_many
def test_the_exit_code_reaches_the_shell(bayesf1, gate, code):
    assert bayesf1("gate", "--gate", gate).ret == code


@pytest.mark.usefixtures("gates")
def test_a_report_is_rendered_again_as_it_was(pytester, bayesf1):
    bayesf1("gate", "--report", "out")
    assert bayesf1("report", "out/report.json", "--format", "html", "-o", "again.html").ret == 0
    assert (pytester.path / "again.html").read_bytes() == (pytester.path / "out" / "report.html").read_bytes()


@pytest.mark.usefixtures("gates")
def test_a_pipe_gets_neither_colours_nor_progress(bayesf1):
    result = bayesf1("gate")
    assert "\x1b" not in result.stdout.str()
    assert result.errlines == []
    assert result.outlines[-1] == "4 failed, 1 without an answer, 0 warned, 1 passed"


class TestDoctor:
    def test_a_project_in_order(self, pytester, bayesf1):
        pytester.makeini("[pytest]\nbayesf1_rope = 0.02\nbayesf1_baselines = kept")
        result = bayesf1("doctor")
        assert result.ret == 0
        result.stdout.fnmatch_lines(
            [
                "versions",
                "  python          3.*",
                "pytest",
                "  plugin         active",
                f"  root           {pytester.path}",
                f"  configuration  {pytester.path / 'tox.ini'}",
                "  gate files     none",
                "settings",
                "  bayesf1_rope       *0.02*",
                f"  bayesf1_baselines  {pytester.path / 'kept'}",
                "Everything is in order.",
            ]
        )

    def test_json(self, pytester, bayesf1):
        pytester.makeini("[pytest]\nbayesf1_seed = 3\nbayesf1_warn_undecided = true")
        pytester.makefile(".yaml", bayesf1=GATES)
        found = json.loads(bayesf1("doctor", "--json").stdout.str())
        assert list(found) == ["versions", "pytest", "settings", "problems"]
        assert found["pytest"]["plugin"] == "active"
        assert found["pytest"]["gate files"] == ["bayesf1.yaml"]
        assert found["settings"] == {"bayesf1_seed": "3", "bayesf1_warn_undecided": "true"}
        assert found["problems"] == []

    @pytest.mark.long
    def test_a_plugin_that_is_turned_off(self, pytester, bayesf1):
        pytester.makeini("[pytest]\naddopts = -p no:bayesf1")
        result = bayesf1("doctor")
        assert result.ret == 2
        result.stdout.fnmatch_lines(["  plugin         not active", "Problem: pytest does not load the plugin. *"])
        assert "-p no:bayesf1 stand in addopts" in result.stdout.str()

    @pytest.mark.long
    def test_plugins_that_are_not_loaded_by_themselves(self, bayesf1, monkeypatch):
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        monkeypatch.delenv("PYTEST_ADDOPTS")
        assert bayesf1("doctor").ret == 2

    def test_a_setting_that_cannot_be_used(self, pytester, bayesf1):
        pytester.makeini("[pytest]\nbayesf1_hdi_prob = 95")
        result = bayesf1("doctor")
        assert result.ret == 2
        told = "bayesf1_hdi_prob: hdi_prob: expected a probability between 0 and 1, got 95.0. The usual value is 0.95."
        assert result.outlines[-1] == f"Problem: {told}"

    def test_a_gate_file_that_cannot_be_used(self, pytester, bayesf1):
        pytester.makefile(".yaml", bayesf1="gates: {a: {baseline: a.csv, candidate: b.csv}}")
        result = bayesf1("doctor")
        assert result.ret == 2
        assert result.outlines[-1].startswith("Problem: bayesf1.yaml:1: gates.a.rope: expected the largest difference")

    def test_options_that_pytest_does_not_know(self, pytester, bayesf1):
        pytester.makeini("[pytest]\naddopts = --no-such-option")
        result = bayesf1("doctor", "--json")
        assert result.ret == 2
        found = json.loads(result.stdout.str())
        assert found["pytest"]["plugin"] == "unknown"
        assert found["problems"] == ["pytest itself stops with exit code 4: run it to see why"]
        assert "--no-such-option" in result.stderr.str()
