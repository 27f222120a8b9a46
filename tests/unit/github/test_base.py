"""The commit that baselines are read from, in real repositories."""

import subprocess
from dataclasses import replace

import pytest

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.github.action import baseline_ref
from pytest_bayesf1.github.api import Context, PullRequest, Token

TOKEN = Token("secret")


def git(folder, *arguments):
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(["git", "-C", folder, *names, *arguments], capture_output=True, text=True, check=True)  # noqa: S607
    return done.stdout.strip()


@pytest.fixture
def origin(tmp_path):
    folder = tmp_path / "origin"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    for text in ("old", "new"):
        (folder / "baseline.csv").write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "-qm", text)
    return folder


@pytest.fixture
def checkout(origin, tmp_path, monkeypatch):
    """A checkout of the last commit alone, as jobs have it."""
    folder = tmp_path / "checkout"
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{origin}", str(folder))
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def context(origin):
    return Context(
        event="pull_request",
        repository="origin",
        sha="",
        api_url="",
        server_url=f"file://{origin.parent}",
        run_url="",
        folder=".",
        pull_request=PullRequest(1, "", git(origin, "rev-parse", "HEAD~1")),
        finished_run=None,
    )


def test_the_pull_requests_base_is_fetched(checkout, context):
    base = context.pull_request.base_sha
    assert baseline_ref("auto", context, TOKEN) == base
    assert git(checkout, "show", f"{base}:baseline.csv") == "old"


def test_it_is_fetched_from_the_repository_where_no_remote_works(checkout, context):
    git(checkout, "remote", "remove", "origin")
    base = context.pull_request.base_sha
    assert baseline_ref("auto", context, TOKEN) == base
    assert git(checkout, "show", f"{base}:baseline.csv") == "old"


def test_a_branch_is_fetched_by_its_name(checkout, context, origin):
    git(origin, "branch", "release", "HEAD~1")
    base = baseline_ref("release", context, TOKEN)
    assert base == context.pull_request.base_sha
    assert git(checkout, "show", f"{base}:baseline.csv") == "old"


def test_a_commit_that_is_there_is_not_fetched(checkout, context, origin):
    origin.rename(origin.with_name("gone"))
    head = git(checkout, "rev-parse", "HEAD")
    assert baseline_ref(head, context, TOKEN) == head


def test_without_a_pull_request_files_are_read_as_checked_out(checkout, context):
    assert baseline_ref("auto", replace(context, pull_request=None), TOKEN) == ""
    assert baseline_ref("none", context, TOKEN) == ""


def test_what_cannot_be_fetched_is_an_error_that_does_not_tell_the_token(checkout, context):
    with pytest.raises(BaselineError, match="baseline-ref: expected a commit that can be fetched") as caught:
        baseline_ref("f" * 40, context, TOKEN)
    assert "baseline-ref: none" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "secret" not in repr(TOKEN)


def test_a_ref_is_never_taken_for_an_option(checkout, context):
    with pytest.raises(BaselineError):
        baseline_ref("--upload-pack=touch pwned", context, TOKEN)
    assert not (checkout / "pwned").exists()
