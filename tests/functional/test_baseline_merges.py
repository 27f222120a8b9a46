"""Baselines under version control: branches that both changed one are in conflict, and line ends do not matter."""

import shutil
import subprocess

import pytest

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

FILE = "__bayesf1__/test_spam/test_gate.json"
N = 60


@pytest.fixture
def git(pytester, monkeypatch):
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "somebody")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "somebody@example.org")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")

    def run(*arguments, check=True):
        return subprocess.run(
            ["git", *arguments],  # noqa: S607
            cwd=pytester.path,
            check=check,
            capture_output=True,
            text=True,
        )

    run("init", "-q", "-b", "main")
    return run


@pytest.fixture
def update(pytester, git):
    """Commit the baseline of a candidate that is wrong about some examples."""

    def run(*wrong):
        pytester.makepyfile(
            test_spam=f"""
            from pytest_bayesf1 import ConfusionMatrix

            def test_gate(bayes_regression):
                y_true = ["a", "b"] * {N // 2}
                y_pred = [("b" if label == "a" else "a") if i in {wrong!r} else label for i, label in enumerate(y_true)]
                candidate = ConfusionMatrix.from_predictions(y_true, y_pred, ids=range({N}))
                bayes_regression.check(candidate, rope=(0.3, "wide"))
            """
        )
        result = pytester.runpytest("--bayesf1-update=force", "-p", "no:cacheprovider")
        result.assert_outcomes(passed=1)
        git("add", "__bayesf1__")
        git("commit", "-q", "-m", "baseline")

    return run


@pytest.fixture
def merged(git, update):
    """Merge two branches that changed the predictions of examples far apart."""
    update(30)
    git("branch", "other")
    update(30, 2)
    git("checkout", "-q", "-f", "other")
    update(30, 57)
    return git("merge", "main", check=False)


def test_branches_that_changed_different_lines_are_in_conflict(merged, git, pytester):
    assert merged.returncode == 1
    assert f"CONFLICT (content): Merge conflict in {FILE}" in merged.stdout
    assert git("diff", "--name-only", "--diff-filter=U").stdout.split() == [FILE]
    result = pytester.runpytest("--bayesf1-update=force")
    result.assert_outcomes(failed=1)
    advice = "Keep the side of the branch that you merge into, then update the baseline."
    result.stdout.fnmatch_lines([f"E *{FILE}: expected a baseline, got an unresolved merge conflict. {advice}"])


@pytest.mark.usefixtures("merged")
def test_the_advice_about_a_conflict_works(git, pytester, baselines):
    git("checkout", "--ours", FILE)
    pytester.runpytest().assert_outcomes(passed=1)
    result = pytester.runpytest("--bayesf1-update")
    result.assert_outcomes(passed=1)
    assert baselines(result) == []


@pytest.mark.usefixtures("merged")
def test_a_merge_of_the_lines_is_no_baseline(git, pytester):
    git("merge", "--abort")
    git("merge", "-X", "ours", "main")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *expected the content that was written, got another: it was edited, or merged *"])


def test_a_branch_that_alone_changed_a_baseline_merges(git, update, pytester):
    update(30)
    git("checkout", "-q", "-b", "other")
    update(30, 2)
    git("checkout", "-q", "main")
    git("merge", "--no-ff", "other")
    pytester.runpytest().assert_outcomes(passed=1)


def test_the_diff_shows_the_examples_that_changed(git, update):
    update(30)
    update(30, 2)
    diff = git("diff", "-U0", "HEAD~1", "--", FILE).stdout.splitlines()
    changed = [line for line in diff if line[0] in "+-" and line[:3] not in ("+++", "---")]
    assert [line[:10] for line in changed[:2]] == ['-"scores":', '+"scores":']
    assert changed[2].startswith('+"anchor": {"baselines_ago": 1, ')
    assert changed[3:5] == ['-[2, "a", "a"],', '+[2, "a", "b", "a"],']
    assert [line[:12] for line in changed[5:]] == ['-"checksum":', '+"checksum":']


def test_a_checkout_with_the_line_ends_of_windows(git, update, pytester, baselines):
    update(30)
    (pytester.path / ".gitattributes").write_text("*.json text eol=crlf")
    (pytester.path / FILE).unlink()
    git("checkout", FILE)
    assert b"\r\n" in (pytester.path / FILE).read_bytes()
    result = pytester.runpytest("--bayesf1-update")
    result.assert_outcomes(passed=1)
    assert baselines(result) == []
    assert git("status", "--porcelain", "--", "__bayesf1__").stdout == ""
