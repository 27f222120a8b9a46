"""The commit that is checked out, as git and services of continuous integration tell it."""

import json
import subprocess

import pytest

from pytest_bayesf1.git import SERVICES, Checkout

MERGE, HEAD = "a" * 40, "b" * 40


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return tmp_path


@pytest.fixture
def commit(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-05-02T12:00:00+00:00")

    def git(*arguments):
        command = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    git("init", "-q", "-b", "faster-model")
    git("commit", "-q", "--allow-empty", "-m", "first")
    first = git("rev-parse", "HEAD")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-05-03T12:00:00+00:00")
    git("commit", "-q", "--allow-empty", "-m", "second")
    return first, git("rev-parse", "HEAD"), git


def test_git_tells_commit_branch_and_day(tmp_path, commit):
    _, second, git = commit
    assert Checkout.of(tmp_path / "not" / "yet", {}) == Checkout(second, "faster-model", "2026-05-03")
    git("checkout", "-q", "--detach")
    assert Checkout.of(tmp_path, {}) == Checkout(second, "", "2026-05-03")


def test_without_a_repository_and_without_git_nothing_is_known(nowhere, monkeypatch):
    assert Checkout.of(nowhere, {}) == Checkout()
    monkeypatch.setenv("PATH", "")
    assert Checkout.of(nowhere, {}) == Checkout()


def test_the_day_may_be_given(nowhere):
    assert Checkout.of(nowhere, {"SOURCE_DATE_EPOCH": "86400"}) == Checkout(date="1970-01-02")
    assert Checkout.of(nowhere, {"SOURCE_DATE_EPOCH": "today"}) == Checkout()


@pytest.mark.parametrize(
    "environment",
    [
        {"GITHUB_ACTIONS": "true", "GITHUB_SHA": HEAD, "GITHUB_REF_NAME": "faster"},
        {"GITHUB_ACTIONS": "true", "GITHUB_SHA": HEAD, "GITHUB_REF_NAME": "7/merge", "GITHUB_HEAD_REF": "faster"},
        {"GITLAB_CI": "true", "CI_COMMIT_SHA": HEAD, "CI_COMMIT_REF_NAME": "faster"},
        {
            "GITLAB_CI": "true",
            "CI_COMMIT_SHA": MERGE,
            "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": HEAD,
            "CI_COMMIT_REF_NAME": "refs/merge-requests/1/merge",
            "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": "faster",
        },
        {"JENKINS_URL": "https://ci.example", "GIT_COMMIT": HEAD, "GIT_BRANCH": "origin/faster"},
        {"JENKINS_URL": "https://ci.example", "GIT_COMMIT": HEAD, "BRANCH_NAME": "PR-7", "CHANGE_BRANCH": "faster"},
        {"TF_BUILD": "True", "BUILD_SOURCEVERSION": HEAD, "BUILD_SOURCEBRANCH": "refs/heads/faster"},
        {
            "TF_BUILD": "True",
            "BUILD_SOURCEVERSION": MERGE,
            "SYSTEM_PULLREQUEST_SOURCECOMMITID": HEAD,
            "BUILD_SOURCEBRANCH": "refs/pull/7/merge",
            "SYSTEM_PULLREQUEST_SOURCEBRANCH": "refs/heads/faster",
        },
        {"CIRCLECI": "true", "CIRCLE_SHA1": HEAD, "CIRCLE_BRANCH": "faster"},
        {"BUILDKITE": "true", "BUILDKITE_COMMIT": HEAD, "BUILDKITE_BRANCH": "faster"},
        {"BITBUCKET_BUILD_NUMBER": "3", "BITBUCKET_COMMIT": HEAD, "BITBUCKET_BRANCH": "faster"},
    ],
    ids=lambda environment: next(iter(environment)),
)
def test_services_tell_commit_and_branch(nowhere, environment):
    assert next(iter(environment)) in SERVICES
    assert Checkout.of(nowhere, environment) == Checkout(HEAD, "faster")


def test_of_a_pull_request_on_github_the_last_commit_counts_not_the_merge(nowhere):
    event = nowhere / "event.json"
    environment = {"GITHUB_ACTIONS": "true", "GITHUB_SHA": MERGE, "GITHUB_EVENT_PATH": str(event)}
    event.write_text(json.dumps({"pull_request": {"head": {"sha": HEAD}}}))
    assert Checkout.of(nowhere, environment).commit == HEAD
    for other in ('{"pull_request": null}', "{}", "[]", "", "[" * 100_000):
        event.write_text(other)
        assert Checkout.of(nowhere, environment).commit == MERGE
    event.unlink()
    assert Checkout.of(nowhere, environment).commit == MERGE


def test_the_day_is_that_of_the_commit_that_the_service_names(tmp_path, commit):
    first, _, _ = commit
    environment = {"CIRCLECI": "true", "CIRCLE_SHA1": first}
    assert Checkout.of(tmp_path, environment) == Checkout(first, "faster-model", "2026-05-02")
    unknown = {"CIRCLECI": "true", "CIRCLE_SHA1": HEAD}  # as in a shallow clone
    assert Checkout.of(tmp_path, unknown) == Checkout(HEAD, "faster-model", "2026-05-03")
