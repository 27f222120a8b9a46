from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from pydantic import TypeAdapter, ValidationError

from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.html import html
from pytest_bayesf1.results.run import UNKNOWN_RUN, FileUse, Finding, FindingKind, RunIdentity, Use
from pytest_bayesf1.results.schema import plain
from tests.unit.committed import Committed

RUN = RunIdentity(commit="1a2b3c4d5e6f", branch="main", date="2026-05-02", about="2 of 14 tasks worse.")


def test_all_that_is_known_is_told():
    assert RUN.text == ("commit 1a2b3c4", "branch main", "2 May 2026", "2 of 14 tasks worse.")
    assert replace(RUN, branch="", date="", about="").text == ("commit 1a2b3c4",)
    base = replace(RUN, base_commit="5e6f7a8b9c", base_branch="main", about="")
    assert base.lines_without_commit[-1] == "compared with 5e6f7a8 of main"
    assert UNKNOWN_RUN.text == ()


def test_a_run_is_read_back():
    assert TypeAdapter(RunIdentity).validate_python(plain(RUN)) == RUN
    for date in ("May", "2026-13-01"):
        with pytest.raises(ValidationError, match="a day, such as 2026-05-02, or nothing"):
            TypeAdapter(RunIdentity).validate_python({**plain(RUN), "date": date})


def test_where_nothing_is_known_nothing_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert RunIdentity.of(tmp_path) == UNKNOWN_RUN


@pytest.mark.parametrize(
    ("target", "ref", "branch"),
    [("", "main", "main"), ("", "HEAD", "HEAD"), ("", "hash", ""), ("trunk", "hash", "trunk"), ("trunk", None, "")],
)
def test_the_commit_that_baselines_are_read_from_is_named(tmp_path, monkeypatch, target, ref, branch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_BASE_REF", target)
    commit = Committed.new(tmp_path).commit()
    run = RunIdentity.of(tmp_path, commit[:12] if ref == "hash" else ref)
    assert (run.base_commit, run.base_branch) == (commit if ref else "", branch)


@pytest.mark.parametrize(("said", "attempt"), [("3", 3), ("", 1), ("0", 1), ("x", 1)])
def test_github_says_which_attempt_it_is(tmp_path, monkeypatch, said, attempt):
    monkeypatch.setenv("GITHUB_RUN_ATTEMPT", said)
    assert RunIdentity.of(tmp_path).attempt == attempt


@pytest.mark.parametrize(
    ("said", "url"),
    [
        ({"GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "7"}, "https://github.com/o/r/actions/runs/7"),
        ({"CI_JOB_URL": "https://gitlab.com/o/r/-/jobs/7"}, "https://gitlab.com/o/r/-/jobs/7"),
        ({"CI_JOB_URL": "javascript:alert(1)"}, ""),
        ({}, ""),
    ],
)
def test_ci_says_where_it_shows_the_run(tmp_path, monkeypatch, said, url):
    for name in ("GITHUB_REPOSITORY", "GITHUB_RUN_ID", "GITHUB_SERVER_URL", "CI_JOB_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    assert RunIdentity.of(tmp_path).url == url
    assert f'href="{url}"' in html(Report.of([], run=replace(UNKNOWN_RUN, url=url))) or not url


@pytest.mark.parametrize(
    ("changed", "committed", "checked_out", "read"),
    [
        (True, b"", False, ["base"]),
        (True, b"", True, ["checked out"]),
        (True, None, True, ["new"]),
        (False, b"", False, []),
    ],
)
def test_which_of_two_versions_of_a_file_counts(changed, committed, checked_out, read):
    files = SimpleNamespace(changed=lambda _: changed, committed=lambda _: committed)
    found = FileUse.differing(files, Path("a.csv"), checked_out=checked_out)
    assert [(each.use, each.path, each.read) for each in found] == [(Use.DIFFERS, "a.csv", each) for each in read]


@pytest.mark.parametrize("kind", FindingKind)
def test_what_is_looser_is_so_until_it_is_accepted(kind):
    found = Finding("a", kind, "rope", "was 1, is 5")
    wanted = replace(found, accepted="agreed")
    assert found.is_looser == wanted.is_looser == found.loosens == (kind is not FindingKind.OUTDATED)
    assert not wanted.loosens
