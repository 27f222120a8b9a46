"""Whatever happens to pytest, there is an outcome."""

import sys
from dataclasses import replace

import pytest

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.github.action import Demands, Outcome, outcome_of, pytest_command, run
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.writing import write_report
from pytest_bayesf1.results.findings import Finding, FindingKind
from tests.unit.made_up import comparison, entry


def made(verdict, **more):
    return replace(entry(comparison(), verdict, **more), file="test_a.py")


def test_arguments_are_split_but_no_shell_sees_them(tmp_path):
    command = pytest_command("tests 'my gates.yaml' -k \"a and b\" $(rm) `x`", tmp_path, Demands(), "")
    assert command[:3] == [sys.executable, "-m", "pytest"]
    assert command[3:] == [
        "tests", "my gates.yaml", "-k", "a and b", "$(rm)", "`x`", f"--bayesf1-report={tmp_path}",
    ]  # fmt: skip


def test_warnings_fail_when_asked_and_baselines_come_from_the_commit(tmp_path):
    command = pytest_command("", tmp_path, Demands(warned=True), "abc", "def")
    assert command[3:-1] == [
        "-W", "error::pytest_bayesf1.BayesF1Warning", "--bayesf1-baseline-ref=abc", "--bayesf1-gates-ref=def",
    ]  # fmt: skip


def test_a_quotation_mark_that_is_never_closed(tmp_path):
    with pytest.raises(InputError, match="args: expected arguments as for a shell"):
        pytest_command("tests 'x", tmp_path, Demands(), "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verdicts", "code", "expected"),
    [
        (["passed"], 0, "passed"),
        (["passed", "warned"], 0, "warned"),
        (["warned", "failed"], 1, "failed"),
        (["passed", "undecided"], 0, "undecided"),
        (["warned", "undecided"], 0, "warned"),
        ([], 0, "none"),
        ([""], 0, "none"),
        ([], 5, "none"),
    ],
)
def test_a_run_with_a_report(tmp_path, verdicts, code, expected):
    write_report(Report.of([made(verdict) for verdict in verdicts]), tmp_path)
    outcome = outcome_of(code, tmp_path)
    assert (outcome.report.verdict, outcome.exit_code, len(outcome.report.entries)) == (expected, code, len(verdicts))


def test_a_class_that_cannot_tell_leaves_a_run_passed(tmp_path):
    write_report(Report.of([made("passed"), made("undecided", part="class ham")]), tmp_path)
    assert outcome_of(0, tmp_path).report.verdict == "passed"


LOOSER = Finding("test_a.py::test_f1", FindingKind.LOOSER, "rope", "you tolerated 1 point, this run 5")
NEW = Finding("test_a.py::test_f1", FindingKind.UNLISTED, "", "gates.json does not list it")


@pytest.mark.parametrize(
    ("fail_on", "allowed", "verdicts", "findings", "code", "expected"),
    [
        ("failed", "false", ["passed"], [], 0, 0),
        ("failed", "false", ["failed"], [], 1, 1),
        ("failed", "false", ["passed"], [LOOSER], 0, 0),
        ("loosened", "false", ["passed"], [LOOSER], 0, 1),
        ("loosened", "false", ["passed"], [NEW], 0, 0),
        ("loosened", "false", ["failed"], [], 1, 1),
        ("warned, loosened", "false", ["passed"], [LOOSER], 0, 1),
        ("failed", "false", [], [], 0, 1),
        ("failed", "false", [""], [], 0, 1),
        ("failed", "false", [], [], 5, 1),
        ("failed", "true", [], [], 5, 0),
        ("failed", "true", [""], [], 0, 0),
        ("loosened", "true", [], [LOOSER], 5, 1),
        ("failed", "true", [], [], 3, 3),
        ("never", "false", [], [LOOSER], 1, 0),
    ],
)
def test_what_makes_the_job_fail(fail_on, allowed, verdicts, findings, code, expected):
    report = Report.of([made(verdict) for verdict in verdicts], findings=findings)
    assert Demands.of(fail_on, allowed).exit_code(Outcome(code, report)) == expected


@pytest.mark.parametrize(
    ("fail_on", "allowed", "told"),
    [
        ("failed,looser", "false", "fail-on: expected one of failed, warned, loosened, never, got 'looser'"),
        ("", "false", "fail-on: expected one of"),
        ("never, loosened", "false", "fail-on: expected never alone"),
        ("failed", "yes", "allow-no-gates: expected one of true, false"),
    ],
)
def test_inputs_that_are_none_of_the_choices(fail_on, allowed, told):
    with pytest.raises(InputError, match=told):
        Demands.of(fail_on, allowed)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (0, "There is no report, so nothing is known of the candidate."),
        (3, "pytest ended with an internal error. There is no report"),
        (5, "pytest collected no test."),
        (-11, "pytest ended with exit code -11."),
    ],
)
def test_a_run_without_a_report_never_passes(tmp_path, code, told):
    outcome = outcome_of(code, tmp_path)
    assert outcome.exit_code != 0
    assert outcome.report.verdict == "error"
    (error,) = outcome.report.entries
    assert error.headline.startswith(told)


@pytest.mark.slow
def test_a_report_of_an_interrupted_run_tells_both(tmp_path):
    write_report(Report.of([made("passed")], missing=["test_b.py"]), tmp_path)
    outcome = outcome_of(2, tmp_path)
    assert [each.kind for each in outcome.report.entries] == ["error", "comparison"]
    assert outcome.report.missing == ("test_b.py",)


def test_a_report_that_cannot_be_read(tmp_path):
    (tmp_path / "report.json").write_text("{")
    outcome = outcome_of(0, tmp_path)
    assert outcome.exit_code == 1
    assert "The report cannot be read" in outcome.report.entries[0].headline


def test_an_older_report_does_not_pass_for_this_runs(tmp_path, capfd):
    write_report(Report.of([made("passed")]), tmp_path)
    outcome = run([sys.executable, "-c", "print('::error::forged')"], tmp_path)
    assert outcome.report.verdict == "error"
    assert capfd.readouterr().out.splitlines()[0].startswith("::stop-commands::")


def test_secrets_stay_with_the_step(tmp_path, monkeypatch):
    monkeypatch.setenv("BAYESF1_TOKEN", "secret")
    code = "import os, sys; sys.exit(7 if 'BAYESF1_TOKEN' in os.environ else 1)"
    assert run([sys.executable, "-c", code], tmp_path).exit_code == 1
