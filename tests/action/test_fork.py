"""A fork's pull request: its own run may only read, and the run after it trusts nothing of it."""

import json
from dataclasses import replace

import pytest

from pytest_bayesf1.reports.entry import Report
from tests.unit.made_up import comparison, entry

from .github_markdown import as_github_shows
from .github_state import sha, zipped
from .project import Project

HEAD = sha("fork")
SCRIPT = "<script>alert(1)</script> @everyone | [x](https://evil.example)"


@pytest.fixture
def fork(github, tmp_path):
    """Two pull requests, of which the second is from the fork whose run has just finished."""
    github.state.add_pull(head_ref="other", head_sha=sha("other"))
    github.state.add_pull(head_ref="better", head_repository="stranger/spam", head_sha=HEAD)
    project = Project(tmp_path / "spam", github)
    project.start()
    project.commit()

    def finish(content, head_sha=HEAD):
        run = github.state.add_run("better", "stranger/spam", head_sha, conclusion="failure")
        github.state.add_artifact(run, "bayesf1-report-model-0", content)
        told = {
            "id": run.id,
            "head_sha": head_sha,
            "head_branch": "better",
            "html_url": f"https://github.com/octo/spam/actions/runs/{run.id}",
            "head_repository": {"owner": {"login": "stranger"}},
        }
        return project.run({"workflow_run": told}, mode="comment")

    return finish


def report(**changes):
    entries = [replace(entry(comparison(), "failed", test="tests/test_a.py::test_f1"), **changes)]
    return Report.of(entries).to_json()


def test_the_report_is_posted_on_the_forks_pull_request(fork, github):
    result = fork(zipped({"report.json": report(), "report.md": "# Forged"}))
    assert result.conclusion == "success"
    (comment,) = github.state.comments
    assert comment.issue == 2
    assert result.outputs["comment-url"].endswith(str(comment.id))
    assert "## ❌ Undecided: " in comment.body
    assert "Forged" not in comment.body
    assert f"/commit/{HEAD})" in comment.body


def test_names_in_the_report_are_data(fork, github):
    fork(
        zipped(
            {"report.json": report(test=SCRIPT, measure=SCRIPT, headline=SCRIPT, advice=SCRIPT, model_reason=SCRIPT)}
        )
    )
    shown = as_github_shows(github.state.comments[0].body)
    assert "<script" not in shown
    assert 'href="https://evil.example' not in shown


def document(**changes):
    return json.dumps({**json.loads(report()), **changes})


HOSTILE = {
    "a pull request number of its own": zipped({"report.json": document(pull_request=1)}),
    "an oversized report": zipped({"report.json": " " * 60_000_000}),
    "another schema": zipped({"report.json": report(mean="<script>")}),
    "a path": zipped({"../../report.json": report()}),
    "no zip": b"PK\x03\x04 but no zip",
    "markdown": zipped({"report.json": "# All is well"}),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.one_of_many
def test_a_malicious_artefact_posts_nothing(fork, github, content):
    result = fork(content)
    assert result.conclusion == "success"
    assert github.state.comments == []
    assert any("The report of the finished run cannot be used" in message for _, message in result.messages)


def test_a_run_of_an_older_commit_posts_nothing(fork, github):
    result = fork(zipped({"report.json": report()}), head_sha=sha("old"))
    assert github.state.comments == []
    assert any("No open pull request ends with the commit" in message for _, message in result.messages)
