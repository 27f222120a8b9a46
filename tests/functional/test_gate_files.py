"""Gate files are collected like tests, and pass, warn and fail like tests."""

import json
from xml.etree import ElementTree as ET

import pytest

from .gates import write_gates, write_matrices

# the filters of the outer run hold inside an inner one, and they turn warnings into errors
pytestmark = pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")


@pytest.fixture(autouse=True)
def _matrices(pytester):
    write_matrices(pytester.path)


@pytest.fixture(params=["-n0", pytest.param("-n1", marks=pytest.mark.long)])
def workers(request):
    return request.param


def test_a_gate_passes_without_any_python(pytester, workers, rows):
    write_gates(pytester.path, spam="EQUIVALENT")
    result = pytester.runpytest(workers, "-v")
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.OK
    assert "bayesf1.yaml::spam" in result.stdout.str()
    ((name, row),) = rows(result)
    assert name == "bayesf1.yaml::spam"
    assert row.startswith("passed  ≈  ")
    assert row.endswith("  macro-F1, sees 3.3")


def test_a_gate_fails_with_what_to_know_and_to_do_and_no_traceback(pytester, workers, has_no_package_frames):
    write_gates(pytester.path, spam="MUCH_WORSE", ham="BETTER")
    result = pytester.runpytest(workers)
    result.assert_outcomes(failed=1, passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "*_ gate spam _*",
            "≪ macro-F1 −10.0 points (you tolerate 2): 0.900 → 0.800",
            "  Do: Find what changed (data, features, labels) before merging: *",
            "  decision    significantly worse: 95% HDI −11.0 to −9.0, P(worse) 100%",
            "  more        pytest -v, or --bayesf1-report=DIR for a page of pictures",
            "FAILED bayesf1.yaml::spam - ≪ macro-F1 −10.0 points (you tolerate 2): *",
        ]
    )
    assert has_no_package_frames(result)
    assert "Traceback" not in result.stdout.str()


def test_a_slightly_worse_candidate_warns_at_the_line_of_its_gate(pytester, workers):
    write_gates(pytester.path, ham="BETTER", spam="WORSE")
    result = pytester.runpytest(workers)
    result.assert_outcomes(passed=2, warnings=1)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*bayesf1.yaml:3: SlightlyWorseWarning: < macro-F1 −*"])


def test_the_warning_can_be_turned_into_a_failure(pytester, workers, has_no_package_frames):
    write_gates(pytester.path, spam="WORSE")
    result = pytester.runpytest(workers, "-W", "error::pytest_bayesf1.BayesF1Warning")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*_ gate spam _*", "< macro-F1 −*", "  Do: Test on more *"])
    assert has_no_package_frames(result)


@pytest.mark.parametrize(("fail_on", "failed"), [("<<", 1), ("<", 2), ("?", 3)])
def test_what_the_file_says_fails_the_gate(pytester, fail_on, failed):
    candidates = ("MUCH_WORSE", "WORSE", "UNDECIDED", "EQUIVALENT", "BETTER", "MUCH_BETTER")
    write_gates(pytester.path, **{name: {"candidate": name, "fail_on": fail_on} for name in candidates})
    pytester.runpytest().assert_outcomes(failed=failed, passed=6 - failed, warnings=int(fail_on == "<<"))


def test_a_missing_baseline_names_the_command_that_makes_it(pytester, workers, has_no_package_frames):
    write_gates(pytester.path, spam={"candidate": "BETTER", "baseline": "baselines/spam.json"})
    result = pytester.runpytest(workers)
    result.assert_outcomes(failed=1)
    told = (
        "bayesf1.yaml:2: gates.spam.baseline: expected a file, got none at baselines/spam.json. To make the candidate"
    )
    command = "run: bayesf1 baseline update bayesf1.yaml --gate spam --new"
    result.stdout.fnmatch_lines(["*_ gate spam _*", f"{told} the baseline, {command}"])
    assert has_no_package_frames(result)


def test_a_missing_candidate_is_told(pytester, has_no_package_frames):
    write_gates(pytester.path, spam="missing")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["candidate (*missing.json): expected a file, got no such file"])
    assert has_no_package_frames(result)


def test_an_invalid_file_is_a_collection_error_that_names_every_problem(pytester, workers):
    text = "defaults: {rope: 0.01, mesure: f1}\ngates:\n  spam:\n    baseline: a.csv\n    fail_on: worse\n"
    (pytester.path / "bayesf1.yaml").write_text(text)
    result = pytester.runpytest(workers)
    result.assert_outcomes(errors=1)
    assert result.ret == (pytest.ExitCode.INTERRUPTED if workers == "-n0" else pytest.ExitCode.TESTS_FAILED)
    result.stdout.fnmatch_lines(
        [
            "*_ ERROR collecting bayesf1.yaml _*",
            "bayesf1.yaml:1: defaults.mesure: expected one of *, got 'mesure'. Did you mean 'measure'?",
            "bayesf1.yaml:3: gates.spam.candidate: expected a value, got nothing",
            "bayesf1.yaml:5: gates.spam.fail_on: expected '<<', '<' or '?', got 'worse'",
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_options_and_ini_keys_of_the_project_do_not_change_a_gate(pytester, entries):
    write_gates(pytester.path, spam="WORSE")
    pytester.makeini("[pytest]\nbayesf1_rope = 0.5\nbayesf1_hdi_prob = 0.6\nbayesf1_seed = 7")
    options = ["--bayesf1-measure=accuracy", "--bayesf1-prior=jeffreys", "--bayesf1-rope=0.4"]
    pytester.runpytest(*options, "--bayesf1-report=changed").assert_outcomes(passed=1, warnings=1)
    pytester.makeini("[pytest]")
    pytester.runpytest("--bayesf1-report=plain").assert_outcomes(passed=1, warnings=1)
    assert entries("changed") == entries("plain")


def test_classes_stand_in_the_report_and_in_junit_as_parts(pytester, workers, entries):
    write_gates(pytester.path, spam={"candidate": "MUCH_WORSE", "per_class": True})
    pytester.runpytest(workers, "--bayesf1-report=out/report.json", "--junit-xml=junit.xml").assert_outcomes(failed=1)
    told = [tuple(entry[key] for key in ("test", "part", "gate", "measure", "verdict")) for entry in entries()]
    assert sorted(told) == [
        ("bayesf1.yaml::spam", "", 'fail_on "<<"', "f1_macro", "failed"),
        ("bayesf1.yaml::spam", "class 0", "per_class", "f1[0]", "failed"),
        ("bayesf1.yaml::spam", "class 1", "per_class", "f1[1]", "failed"),
    ]
    (overall,) = (entry for entry in entries() if not entry["part"])
    assert any(note.startswith("2 of 2 comparisons of single classes or slices failed") for note in overall["notes"])
    (case,) = ET.parse(pytester.path / "junit.xml").iter("testcase")  # noqa: S314
    properties = {each.get("name"): each.get("value") for each in case.iter("property")}
    assert (case.get("classname"), case.get("name")) == ("bayesf1.yaml", "spam")
    assert [properties[f"bayesf1.{number}.gate"] for number in (1, 2, 3)] == ['fail_on "<<"', "per_class", "per_class"]
    assert [properties[f"bayesf1.{number}.measure"] for number in (1, 2, 3)] == ["f1_macro", "f1[0]", "f1[1]"]
    assert {properties[f"bayesf1.{number}.decision"] for number in (1, 2, 3)} == {"≪"}


def test_slices_whose_values_hold_anything(pytester, entries):
    examples = [("ham", "ham"), ("ham", "spam"), ("spam", "spam"), ("spam", "ham")] * 20
    languages = ["de", "two\nlines", "a|b", "\u202e"]
    rows = [
        {"id": number, "y_true": true, "y_pred": predicted, "the language": languages[number // 4 % 4]}
        for number, (true, predicted) in enumerate(examples)
    ]
    for name in ("a", "b"):
        (pytester.path / f"{name}.json").write_text(json.dumps(rows))
    write_gates(pytester.path, spam={"baseline": "a.json", "candidate": "b", "slices": ["the language"]})
    pytester.runpytest("--bayesf1-report=out/report.json").assert_outcomes(passed=1)
    parts = {entry["part"] for entry in entries()}
    assert parts == {"", "the language=de", "the language=two lines", "the language=a|b", "the language=\u202e"}


def test_a_loss_within_the_chance_of_its_family_warns_in_every_format(pytester, workers, entries):
    (pytester.path / "LOST.json").write_text("[[4345, 655], [655, 4345]]")
    write_gates(pytester.path, **{f"spam-{number}": "LOST" for number in range(2)})
    file = pytester.path / "bayesf1.yaml"
    alone = file.read_text()
    pytester.runpytest(workers).assert_outcomes(failed=2)
    file.write_text(f"{alone}\nfamilies:\n  all: {{gates: ['spam-*'], level: 0.001}}\n")
    result = pytester.runpytest(workers, "--bayesf1-report=out")
    result.assert_outcomes(passed=2, warnings=2)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "*bayesf1.yaml:2: SlightlyWorseWarning: ≪ macro-F1 −*",
            "*Worse on its own, but within the chance of the family all of 2 gates:*",
        ]
    )
    document = json.loads((pytester.path / "out" / "report.json").read_text())
    assert (document["verdict"], [each["verdict"] for each in entries("out")]) == ("warned", ["warned"] * 2)
    assert "Worse on its own" in (pytester.path / "out" / "report.md").read_text("utf-8")
