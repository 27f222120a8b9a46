"""Reports tell the commit that they are of, and what was noted."""

import json
import subprocess

import pytest

from pytest_bayesf1.reports.reading import load_report

TEST = """
    from pytest_bayesf1 import assert_not_worse
    from classifiers import BASELINE, EQUIVALENT

    def test_gate():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
"""


@pytest.fixture
def repository(pytester, monkeypatch):
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-05-02T12:00:00+00:00")
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    git = ["git", "-C", str(pytester.path), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q", "-b", "faster"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run([*git, *command], check=True)
    pytester.makepyfile(test_gates=TEST)
    said = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return said.stdout.strip()


def test_every_format_tells_commit_and_notes(pytester, repository, section):
    notes = ("--bayesf1-note=model=v3", "--bayesf1-note=why=<b>new & better</b>")
    result = pytester.runpytest("--bayesf1-report=out", *notes)
    result.assert_outcomes(passed=1)
    assert section(result)[-3:-1] == ["model=v3", "why=<b>new & better</b>"]
    found = {path.name: path.read_text("utf-8") for path in (pytester.path / "out").glob("report.*")}
    assert load_report(pytester.path / "out" / "report.json").run.text[0] == f"commit {repository[:7]}"
    assert json.loads(found["report.json"])["run"] == {
        "commit": repository,
        "branch": "faster",
        "date": "2026-05-02",
        "notes": {"model": "v3", "why": "<b>new & better</b>"},
    }
    shown = f"commit {repository[:7]} · branch faster · 2 May 2026 · model=v3 · why=&lt;b&gt;new &amp; better&lt;/b&gt;"
    assert shown in found["report.html"]
    assert "branch faster · 2 May 2026 · model=v3 · why=&lt;b&gt;new &amp; better" in found["report.md"]


@pytest.mark.long
def test_workers_change_nothing(pytester, repository):
    made = []
    for workers in ("0", "2"):
        pytester.runpytest("--bayesf1-report=out/report.json", "--bayesf1-note=model=v3", "-n", workers)
        made.append((pytester.path / "out" / "report.json").read_bytes())
    assert made[0] == made[1]
    assert repository.encode() in made[0]


def test_without_a_repository_nothing_is_told(pytester, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(pytester.path.parent))
    pytester.makepyfile(test_gates=TEST)
    pytester.runpytest("--bayesf1-report=out/report.json").assert_outcomes(passed=1)
    assert load_report(pytester.path / "out" / "report.json").run.text == ()


@pytest.mark.parametrize("note", ["model", "model=", "1=2"])
def test_a_note_that_is_none_stops_the_run(pytester, note):
    result = pytester.runpytest(f"--bayesf1-note={note}")
    result.stderr.fnmatch_lines([f"ERROR: --bayesf1-note: expected name=value, *got '{note}'"])
