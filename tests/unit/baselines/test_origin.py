"""Which baseline the anchor is: what git and reproducible builds know of it, and how that is told."""

import subprocess
from dataclasses import replace

import pytest

from pytest_bayesf1.baselines.store import Origin

KNOWN = Origin("2026-05-02", "1a2b3c4d5e6f", 6)


def test_all_that_is_known_is_told():
    assert KNOWN.words == "2 May 2026, 1a2b3c4, 6 baselines ago"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"date": ""}, "1a2b3c4, 6 baselines ago"),
        ({"commit": "", "baselines_ago": 1}, "2 May 2026, 1 baseline ago"),
        ({"date": "", "commit": "", "baselines_ago": 0}, ""),
    ],
)
def test_what_nobody_knows_is_left_out(changes, words):
    assert replace(KNOWN, **changes).words == words


def test_outside_of_a_repository_nothing_is_known(tmp_path, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert Origin.here(tmp_path / "not" / "there") == Origin()
    monkeypatch.setenv("PATH", "")
    assert Origin.here(tmp_path) == Origin()


def test_the_commit_that_is_checked_out_and_its_day(tmp_path, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-05-02T12:00:00+00:00")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run([*git, *command], check=True)
    found = Origin.here(tmp_path / "__bayesf1__" / "test_spam")
    assert (found.date, len(found.commit), found.baselines_ago) == ("2026-05-02", 40, 0)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert Origin.here(tmp_path) == replace(found, date="1970-01-02")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    assert Origin.here(tmp_path) == found
