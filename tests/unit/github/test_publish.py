"""One comment on a pull request, however often the workflow runs and whatever GitHub answers."""

import re

import pytest

from pytest_bayesf1.github.action import publish
from pytest_bayesf1.github.api import ApiError, Draft, When
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import SourceCommit
from tests.unit.github.memory import MemoryGitHub
from tests.unit.made_up import comparison, entry

HEAD = "a" * 40


@pytest.fixture
def github():
    return MemoryGitHub({7: HEAD})


def draft(verdict="failed", run="1.1", key="gates"):
    report = Report.of([entry(comparison(), verdict)])
    return Draft(7, report, key, run, SourceCommit("https://github.com/octo/spam", HEAD))


def icons(github):
    return [re.search("## (.)", body)[1] for body in github.bodies(7)]


def test_the_first_run_creates_and_the_next_ones_update(github):
    github.login = "octocat"
    runs = {"1.1": "failed", "1.2": "warned", "2.1": "passed"}
    urls = {publish(github, When.AUTO, draft(verdict, run))[0] for run, verdict in runs.items()}
    assert urls == {"pull/7#101"}
    assert icons(github) == ["✅"]


def test_jobs_of_one_name_in_one_run_do_not_replace_each_other(github):
    """Calls of one reusable workflow have the same workflow, job and place."""
    for run in ("1.1", "2.1"):
        for verdict in ("failed", "passed"):
            publish(github, When.ALWAYS, draft(verdict, run))
        assert icons(github) == ["❌", "✅"]


def test_a_slow_run_of_an_older_commit_leaves_the_comment_alone(github):
    publish(github, When.AUTO, draft())
    github.pulls = {7: "b" * 40}
    _, problem = publish(github, When.AUTO, draft("passed", "2.1"))
    assert icons(github) == ["❌"]
    assert problem.startswith("The report is about aaaaaaaaaa, but the pull request now ends with bbbbbbbbbb")


def test_nothing_is_written_when_nothing_is_to_be_said_and_nothing_asked_when_never(github):
    assert publish(github, When.AUTO, draft("passed")) == ("", "")
    assert github.called.pop() == "own_login"
    github.called.clear()
    publish(github, When.NEVER, draft())
    assert github.called == []


@pytest.mark.parametrize(
    ("status", "message", "told"),
    [
        (403, "Unable to create comment because issue is locked.", "issue is locked"),
        (403, "Resource not accessible by integration", "needs the permission pull-requests: write"),
        (404, "Not Found", "Not Found"),
    ],
)
def test_a_refusal_is_told_in_the_words_of_github(github, status, message, told):
    github.refusals["create"] = ApiError(status, message)
    url, problem = publish(github, When.AUTO, draft())
    assert url == ""
    assert problem.startswith(f"Could not post the report as a comment: {message} (HTTP {status})")
    assert told in problem
    assert ("pull-requests: write" in problem) == ("not accessible" in message)
