"""Baselines of another commit: a change cannot loosen its own gate."""

import json
import subprocess

import pytest

GOOD = "[[450, 50], [50, 450]]"
BAD = "[[300, 200], [200, 300]]"


@pytest.fixture
def git(pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)

    def git(*arguments):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
        subprocess.run(command, cwd=pytester.path, capture_output=True, check=True)

    git("init", "-q")
    return git


@pytest.fixture
def loosened(pytester, git):
    """A project whose change makes the candidate worse, and the baselines too."""

    def candidate(counts):
        pytester.makepyfile(
            test_spam=f"def test_spam(bayes_regression):\n    bayes_regression.check({counts}, rope=0.01)\n"
        )
        (pytester.path / "candidate.json").write_text(counts)

    gate = {"baseline": "baseline.json", "candidate": "candidate.json", "rope": 0.01}
    (pytester.path / "bayesf1.yaml").write_text(json.dumps({"gates": {"spam": gate}}))
    candidate(GOOD)
    (pytester.path / "baseline.json").write_text(GOOD)
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=2)
    git("add", ".")
    git("commit", "-qm", "good")
    candidate(BAD)
    (pytester.path / "baseline.json").write_text(BAD)
    pytester.runpytest("--bayesf1-update=force").assert_outcomes(passed=2, warnings=1)
    git("add", ".")
    git("commit", "-qm", "bad")


def test_without_it_the_change_passes(pytester, loosened):
    pytester.runpytest().assert_outcomes(passed=2)


@pytest.mark.parametrize("distribution", [["-n0"], ["-n1"]], ids=["here", "xdist"])
def test_with_it_the_change_fails_and_is_named(pytester, loosened, section, distribution):
    result = pytester.runpytest("--bayesf1-baseline-ref=HEAD~1", "--bayesf1-report=out", *distribution)
    result.assert_outcomes(failed=2)
    changed = ["__bayesf1__/test_spam/test_spam.json", "baseline.json"]
    told = (
        f"2 baseline or gate files changed: {', '.join(changed)}. Baselines were read as they are in the base commit."
    )
    assert told in " ".join(line.strip() for line in section(result))
    assert json.loads((pytester.path / "out" / "report.json").read_text())["changed"] == changed
    assert told in (pytester.path / "out" / "report.html").read_text("utf-8")


def test_the_same_commit_changes_nothing(pytester, loosened):
    result = pytester.runpytest("--bayesf1-baseline-ref=HEAD")
    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("*changed*")


def test_a_gate_file_that_was_changed_is_named(pytester, loosened, git):
    text = (pytester.path / "bayesf1.yaml").read_text()
    (pytester.path / "bayesf1.yaml").write_text(text.replace("0.01", "0.5"))
    result = pytester.runpytest("--bayesf1-baseline-ref=HEAD", "bayesf1.yaml")
    result.stdout.fnmatch_lines(["1 baseline or gate file changed: bayesf1.yaml. *"])


def test_a_commit_that_is_none_passes_nothing(pytester, loosened):
    result = pytester.runpytest("--bayesf1-baseline-ref=nope")
    assert result.parseoutcomes().get("passed", 0) == 0
    result.stdout.fnmatch_lines(["*baseline-ref: expected a commit that git knows here, got 'nope'. Fetch it first:*"])


def test_it_writes_nothing(pytester, loosened):
    result = pytester.runpytest("--bayesf1-baseline-ref=HEAD", "--bayesf1-update=new")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--bayesf1-baseline-ref: expected no --bayesf1-update beside it, got both"])
