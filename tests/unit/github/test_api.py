"""What a job is told about itself."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_bayesf1.github.api import Context, FinishedRun, PullRequest
from pytest_bayesf1.reports.markdown import SourceCommit

PULL: dict[str, Any] = {
    "number": 7,
    "head": {"sha": "head" * 10, "repo": {"full_name": "team/spam"}},
    "base": {"sha": "base" * 10},
}


@pytest.fixture
def read(tmp_path):
    def read(event=None, **more):
        path = tmp_path / "event.json"
        path.write_text(json.dumps(event or {}))
        surroundings = {
            "GITHUB_EVENT_PATH": str(path),
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_REPOSITORY": "team/spam",
            "GITHUB_SHA": "merge" * 8,
            "GITHUB_RUN_ID": "42",
            "GITHUB_RUN_ATTEMPT": "3",
            "GITHUB_WORKSPACE": "/work",
        }
        return Context.read({**surroundings, **more})

    return read


def test_a_pull_request(read):
    context = read({"pull_request": PULL})
    head, base = "head" * 10, "base" * 10
    assert context == Context(
        event="pull_request",
        repository="team/spam",
        sha=head,
        api_url="https://api.github.com",
        server_url="https://github.com",
        run_url="https://github.com/team/spam/actions/runs/42",
        folder=".",
        pull_request=PullRequest(7, head, base),
        finished_run=None,
        run="42.3",
        tested=(head, "merge" * 8),
        base=base,
    )
    assert context.source == SourceCommit("https://github.com/team/spam", head, ".")
    assert Context.read({"GITHUB_RUN_ID": "42"}).run == "42.1"


@pytest.mark.parametrize("given", ["models/spam", "./models/spam/", "/work/models/spam"])
def test_the_folder_is_relative_to_the_repository(read, given):
    context = read(BAYESF1_FOLDER=given)
    assert context.folder == context.source.folder == str(Path("models", "spam"))


def test_an_enterprise_server(read):
    server = {"GITHUB_SERVER_URL": "https://git.example.org", "GITHUB_API_URL": "https://git.example.org/api/v3"}
    context = read(**server)
    assert (context.api_url, context.server_url) == ("https://git.example.org/api/v3", "https://git.example.org")
    assert context.run_url == "https://git.example.org/team/spam/actions/runs/42"


ZEROS, BEFORE, MAIN = "0" * 40, "b" * 40, {"repository": {"default_branch": "main"}}


@pytest.mark.parametrize(
    ("name", "event", "ref", "base"),
    [
        ("merge_group", {"merge_group": {"base_sha": BEFORE}}, "refs/heads/gh-readonly-queue/main/pr-7", BEFORE),
        ("push", {"before": BEFORE}, "refs/heads/main", BEFORE),
        ("push", {"before": ZEROS}, "refs/heads/main", ""),
        ("push", {"before": ZEROS}, "refs/heads/new", "refs/heads/main"),
        ("push", {"before": BEFORE, "forced": True}, "refs/heads/old", "refs/heads/main"),
        ("push", {"before": ZEROS}, "refs/tags/main", "refs/heads/main"),
        ("workflow_dispatch", {}, "refs/heads/new", "refs/heads/main"),
        ("workflow_dispatch", {}, "refs/heads/main", ""),
        ("schedule", {}, "refs/heads/main", ""),
    ],
)
def test_every_event_has_its_base_and_its_commit(read, name, event, ref, base):
    context = read({**MAIN, **event}, GITHUB_EVENT_NAME=name, GITHUB_REF=ref)
    assert (context.base, context.sha, context.tested) == (base, "merge" * 8, ("merge" * 8,))
    assert context.pull_request is context.finished_run is None


def test_a_finished_run(read):
    run = {
        "id": 99,
        "head_sha": "abc",
        "head_branch": "better",
        "html_url": "https://github.com/team/spam/actions/runs/99",
        "head_repository": {"owner": {"login": "stranger"}},
    }
    expected = FinishedRun(99, "abc", "better", "stranger", "https://github.com/team/spam/actions/runs/99")
    assert read({"workflow_run": run}).finished_run == expected
    again = {**run, "head_repository": None, "run_attempt": 4}
    assert read({"workflow_run": again}).finished_run == replace(expected, head_owner="", attempt=4)
