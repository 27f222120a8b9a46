"""The manifest of gates: a run says which of them are missing or looser than listed."""

import json
import subprocess

import pytest

from pytest_bayesf1.settings import baselines_below

SPAM = """
    from classifiers import BASELINE, EQUIVALENT
    from pytest_bayesf1 import assert_not_worse

    def test_spam():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
"""
HAM = """
    from classifiers import BASELINE, EQUIVALENT
    from pytest_bayesf1 import assert_at_least, assert_not_worse

    def test_ham():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure="accuracy")
        assert_at_least(BASELINE, 0.7)
"""


@pytest.fixture
def manifest(pytester):
    return lambda: json.loads((pytester.path / "__bayesf1__" / "gates.json").read_text("utf-8"))["gates"]


@pytest.fixture
def listed(pytester):
    """A project whose three gates are listed."""
    pytester.makepyfile(test_spam=SPAM, test_ham=HAM)
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=2)


@pytest.fixture
def findings(pytester, document):
    """Run pytest, and read what differs: gate, kind, what is told."""

    def findings(*arguments, **outcomes):
        result = pytester.runpytest("--bayesf1-report=out", *arguments)
        if outcomes:
            result.assert_outcomes(**outcomes)
        return [(each["gate"], each["kind"], each["told"]) for each in document()["findings"]]

    return findings


def change(pytester, file, old, new):
    path = pytester.path / f"{file}.py"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_without_a_manifest_nothing_is_said(pytester, findings):
    pytester.makepyfile(test_spam=SPAM)
    assert findings(passed=1) == []
    assert not (pytester.path / "__bayesf1__").exists()


@pytest.mark.parametrize("distribution", [["-n0"], ["-n2"]], ids=["here", "xdist"])
def test_an_update_lists_every_gate(pytester, manifest, distribution):
    pytester.makepyfile(test_spam=SPAM, test_ham=HAM)
    result = pytester.runpytest("--bayesf1-update", *distribution)
    result.stdout.fnmatch_lines(["gates: __bayesf1__?gates.json"])
    assert {test: [each["policy"] for each in gates] for test, gates in manifest().items()} == {
        "test_ham.py::test_ham": ["not_worse", "at_least"],
        "test_spam.py::test_spam": ["not_worse"],
    }
    assert manifest()["test_spam.py::test_spam"][0]["rope"] == [-0.02, 0.02]


def test_what_is_listed_is_no_finding(pytester, listed, findings):
    assert findings(passed=2) == []


def test_a_looser_gate_is_told_and_changes_no_exit_code(pytester, listed, findings, section):
    change(pytester, "test_spam", "rope=0.02", "rope=0.1")
    assert findings(passed=2) == [
        ("test_spam.py::test_spam", "looser", "you tolerated 2 points, this run tolerates 10 points")
    ]
    result = pytester.runpytest()
    assert result.ret == 0
    assert section(result)[-3:-1] == [
        "1 gate is missing, looser or another than listed in gates.json.",
        "  test_spam.py::test_spam: you tolerated 2 points, this run tolerates 10 points",
    ]


def test_settings_of_the_project_count_too(pytester, listed, findings):
    pytester.makeini("[pytest]\nbayesf1_hdi_prob = 0.8\nbayesf1_prior = jeffreys\n")
    found = findings(passed=2)
    assert ("test_spam.py::test_spam", "looser", "you judged by a 95% HDI, this run judges by a 80% HDI") in found
    assert ("test_spam.py::test_spam", "other", "you took the auto prior, this run takes the jeffreys one") in found
    assert len(found) == 6


@pytest.mark.parametrize(
    ("old", "new", "kind", "why"),
    [
        ("def test_spam", "def test_renamed", "missing", "no test of this name ran"),
        ("def test_spam", "def look", "missing", "no test of this name ran"),
        ("    assert_not_worse(", "    __import__('pytest_bayesf1').compare(", "missing", "its test ran without it"),
        ("    assert_not_worse(", "    import pytest; pytest.skip()\n    assert_not_worse(", "missing",
         "its test was skipped"),
        ("    assert_not_worse(", "    assert not BASELINE\n    assert_not_worse(", "missing",
         "its test failed before it"),
        ("def test_spam", "@__import__('pytest').mark.xfail(strict=False)\ndef test_spam", "looser",
         "its test is expected to fail (xfail)"),
    ],
    ids=["renamed", "deleted", "compared only", "skipped", "failed before", "xfail"],
)  # fmt: skip
@pytest.mark.one_of_many
def test_a_gate_that_cannot_fail_the_run_any_more(pytester, findings, old, new, kind, why):
    pytester.makepyfile(test_spam=SPAM, test_ham=HAM)
    pytester.runpytest("--bayesf1-update=new")
    change(pytester, "test_spam", old, new)
    (found,) = [each for each in findings() if each[0] == "test_spam.py::test_spam"]
    assert found[1] == kind
    assert found[2].startswith(why)


def test_a_gate_that_fails_is_not_missing(pytester, listed, findings):
    change(pytester, "test_ham", "BASELINE, EQUIVALENT, rope", "BASELINE, MUCH_WORSE, rope")
    change(pytester, "test_ham", "BASELINE, EQUIVALENT\n", "BASELINE, MUCH_WORSE\n")
    assert findings(passed=1, failed=1) == []


@pytest.mark.parametrize("selection", [["-k", "spam"], ["test_spam.py"], ["test_spam.py::test_spam"]], ids=" ".join)
def test_selecting_on_purpose_is_an_alarm_in_ci_only(pytester, listed, findings, monkeypatch, selection):
    assert findings(*selection) == []
    monkeypatch.setenv("CI", "true")
    assert {gate for gate, *_ in findings(*selection)} == {
        "test_ham.py::test_ham (gate 1)", "test_ham.py::test_ham (gate 2)",
    }  # fmt: skip


def test_a_partial_update_drops_nothing_and_a_full_one_what_is_gone(pytester, listed, manifest):
    (pytester.path / "test_ham.py").unlink()
    change(pytester, "test_spam", "rope=0.02", "rope=0.05")
    pytester.runpytest("--bayesf1-update", "test_spam.py").assert_outcomes(passed=1)
    assert len(manifest()) == 2
    assert manifest()["test_spam.py::test_spam"][0]["rope"] == [-0.05, 0.05]
    pytester.runpytest("--bayesf1-update").assert_outcomes(passed=1)
    assert list(manifest()) == ["test_spam.py::test_spam"]


def test_only_new_gates_are_added(pytester, listed, manifest, findings):
    change(pytester, "test_spam", "rope=0.02", "rope=0.05")
    pytester.makepyfile(test_eggs=SPAM.replace("test_spam", "test_eggs"))
    assert [kind for _, kind, _ in findings()] == ["looser", "unlisted"]
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=3)
    assert manifest()["test_spam.py::test_spam"][0]["rope"] == [-0.02, 0.02]
    assert "test_eggs.py::test_eggs" in manifest()


def test_a_test_that_fails_is_not_listed_otherwise(pytester, listed, manifest):
    before = manifest()
    change(pytester, "test_spam", "BASELINE, EQUIVALENT, rope=0.02", "BASELINE, [[1, 9], [9, 1]], rope=0.5")
    pytester.runpytest("--bayesf1-update").assert_outcomes(passed=1, failed=1)
    assert manifest() == before


def test_a_first_baseline_is_listed_before_there_is_anything_to_compare_with(pytester, manifest):
    pytester.makepyfile("def test_a(bayes_regression):\n    bayes_regression.check([[48, 2], [3, 47]], rope=0.01)\n")
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1)
    ((gates,),) = manifest().values()
    assert (gates["policy"], gates["rope"]) == ("not_worse", [-0.01, 0.01])


def test_of_a_test_that_is_run_again_the_last_attempt_counts(pytester, manifest):
    pytester.makepyfile("""
        from pathlib import Path
        from classifiers import BASELINE, EQUIVALENT
        from pytest_bayesf1 import assert_not_worse

        def test_flaky():
            assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
            first = not Path("seen").exists()
            Path("seen").touch()
            assert not first
    """)
    pytester.runpytest("--bayesf1-update", "--reruns=1")
    ((only,),) = manifest().values()
    assert only["policy"] == "not_worse"


def test_gate_files_are_listed_with_their_parts(pytester, manifest, findings):
    gate = {"baseline": "a.json", "candidate": "a.json", "rope": 0.01, "fail_on": "<", "per_class": True}
    (pytester.path / "a.json").write_text("[[450, 50], [50, 450]]")
    (pytester.path / "bayesf1.yaml").write_text(json.dumps({"gates": {"spam": gate}}))
    pytester.runpytest("--bayesf1-update=new", "bayesf1.yaml")
    ((listed,),) = manifest().values()
    assert (listed["policy"], listed["per_class"], listed["slices"]) == ("not_even_slightly_worse", True, [])
    (pytester.path / "bayesf1.yaml").write_text(json.dumps({"gates": {"spam": {**gate, "fail_on": "<<"}}}))
    assert findings() == [
        ("bayesf1.yaml::spam", "looser", "you demanded not even slightly worse, this run demands not worse")
    ]  # fmt: skip


def test_no_baseline_is_taken_for_a_manifest_nor_a_manifest_for_a_baseline(pytester, listed, baselines):
    folder = pytester.path / "__bayesf1__"
    assert list(baselines_below(pytester.path)) == []
    (folder / "test_spam").mkdir()
    (folder / "test_spam" / "gates.json").write_text("{}")
    assert list(baselines_below(pytester.path)) == [folder / "test_spam" / "gates.json"]
    (folder / "test_spam" / "gates.json").unlink()
    assert baselines(pytester.runpytest()) == []


def test_a_damaged_manifest_is_an_alarm(pytester, listed, findings):
    (pytester.path / "__bayesf1__" / "gates.json").write_text("<<<<<<< ours")
    ((gate, kind, told),) = findings(passed=2)
    assert (gate, kind) == ("gates.json", "missing")
    assert "a manifest of gates, got text that is damaged" in told


def test_an_update_that_cannot_read_the_manifest_fails_the_run(pytester, listed):
    (pytester.path / "__bayesf1__" / "gates.json").write_text("<<<<<<< ours")
    result = pytester.runpytest("--bayesf1-update")
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    result.stdout.fnmatch_lines(["gates NOT written: *gates.json: expected a manifest of gates*"])


@pytest.fixture
def commit(pytester):
    def commit():
        for arguments in (["init", "-q"], ["add", "--all"], ["commit", "-qm", "x"]):
            command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
            subprocess.run(command, cwd=pytester.path, capture_output=True, check=True)

    return commit


@pytest.mark.parametrize("distribution", [["-n0"], ["-n1"]], ids=["here", "xdist"])
def test_the_manifest_of_the_base_commit_counts(pytester, listed, commit, findings, distribution):
    commit()
    change(pytester, "test_spam", "rope=0.02", "rope=0.1")
    (pytester.path / "test_ham.py").unlink()
    pytester.runpytest("--bayesf1-update")
    assert findings() == []
    told = [(kind, words) for _, kind, words in findings("--bayesf1-baseline-ref=HEAD", *distribution)]
    gone = "no test of this name ran: it was deleted, renamed or not selected"
    assert told == [
        ("missing", gone),
        ("missing", gone),
        ("looser", "you tolerated 2 points, this pull request tolerates 10 points"),
    ]


def test_a_change_cannot_move_the_root_folder_away_from_the_manifest(pytester, listed, commit, findings):
    commit()
    tests = pytester.mkdir("tests")
    (tests / "pytest.ini").write_text("[pytest]\n")
    (pytester.path / "classifiers.py").rename(tests / "classifiers.py")
    (pytester.path / "test_spam.py").rename(tests / "test_spam.py")
    found = findings("--bayesf1-baseline-ref=HEAD", "tests")
    assert ("test_spam.py::test_spam", "missing") not in [each[:2] for each in found]
    assert ("test_ham.py::test_ham (gate 1)", "missing") in [each[:2] for each in found]


@pytest.fixture
def gate_files(pytester, commit):
    """A base commit with two gate files, of which one is deleted since, and the other looser."""

    def write(file, rope):
        gate = {"baseline": "good.json", "candidate": "bad.json", "rope": rope}
        (pytester.path / file).write_text(json.dumps({"gates": {"spam": gate}}))

    (pytester.path / "good.json").write_text("[[450, 50], [50, 450]]")
    (pytester.path / "bad.json").write_text("[[300, 200], [200, 300]]")
    write("bayesf1.yaml", 0.01)
    write("bayesf1-old.yaml", 0.01)
    commit()
    write("bayesf1.yaml", [0.9, "wide"])
    write("bayesf1-new.yaml", [0.9, "wide"])
    (pytester.path / "bayesf1-old.yaml").unlink()


@pytest.mark.parametrize(
    "arguments",
    [[], ["."], ["bayesf1.yaml", "bayesf1-old.yaml", "bayesf1-new.yaml"], ["-n1", "."]],
    ids=["all", "a folder", "by name", "xdist"],
)
@pytest.mark.one_of_many
def test_gate_files_of_a_commit(pytester, gate_files, document, arguments):
    pytester.runpytest().assert_outcomes(passed=2)
    result = pytester.runpytest("--bayesf1-gates-ref=HEAD", "--bayesf1-report=out", *arguments)
    result.assert_outcomes(passed=1, failed=2)
    verdicts = {entry["test"]: entry["verdict"] for entry in document()["entries"]}
    assert verdicts == {
        "bayesf1.yaml::spam": "failed",
        "bayesf1-old.yaml::spam": "failed",
        "bayesf1-new.yaml::spam": "passed",
    }
    assert document()["changed"] == ["bayesf1-new.yaml", "bayesf1-old.yaml", "bayesf1.yaml"]


def test_a_deleted_gate_file_obeys_a_selection(pytester, gate_files):
    pytester.runpytest("--bayesf1-gates-ref=HEAD", "bayesf1-old.yaml").assert_outcomes(failed=1)
    pytester.runpytest("--bayesf1-gates-ref=HEAD", "bayesf1.yaml").assert_outcomes(failed=1)
    pytester.runpytest("--bayesf1-gates-ref=HEAD", "-k", "old").assert_outcomes(failed=1, deselected=2)


def test_deleted_gate_files_run_where_testpaths_names_other_folders(pytester, gate_files):
    pytester.mkdir("tests").joinpath("test_a.py").write_text("def test_a(): pass\n")
    pytester.makeini("[pytest]\ntestpaths = tests\n")
    pytester.runpytest("--bayesf1-gates-ref=HEAD").assert_outcomes(passed=2, failed=2)


def test_a_commit_of_gate_files_that_is_none(pytester, gate_files):
    result = pytester.runpytest("--bayesf1-gates-ref=nope")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*expected a commit that git knows here, got 'nope'*"])
