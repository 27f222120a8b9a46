"""One comment, however often the workflow runs and whatever GitHub answers."""

from dataclasses import replace

import pytest

from pytest_bayesf1.github.action import Draft, publish
from pytest_bayesf1.github.api import ApiError, GitHubApi, Patience, Token
from pytest_bayesf1.github.comment import Origin, When, marker
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import Source
from tests.unit.made_up import comparison, entry

from .faults import BAD_GATEWAY, DROPPED, FORBIDDEN, INVALID, NOT_FOUND, SECONDARY_LIMIT, SERVER_ERROR, too_many
from .github_state import Account, sha, zipped

NO_WAITING = Patience(tries=3, backoff_seconds=0.01, rate_limit_seconds=0.01, seconds_between_requests=0)


def draft(*verdicts, number=1):
    made = entry(comparison())
    entries = [replace(made, verdict=verdict, test=f"test_{n}") for n, verdict in enumerate(verdicts or ("failed",))]
    return Draft(
        Report.of(entries),
        "default",
        Origin(Source("https://github.com/octo/spam", f"{number:040}"), "https://github.com/octo/spam/actions/runs/1"),
    )


@pytest.fixture
def api(github):
    github.state.add_pull()
    return GitHubApi(Token(github.state.token), github.url, "octo/spam", NO_WAITING)


def bodies(github):
    return [comment.body for comment in github.state.comments]


def test_the_first_run_creates_and_the_next_ones_update(github, api):
    urls = {publish(api, 1, When.AUTO, draft(verdict, number=n)).url for n, verdict in enumerate(("failed", "passed"))}
    (comment,) = github.state.comments
    assert urls == {f"https://github.com/octo/spam/pull/1#issuecomment-{comment.id}"}
    assert comment.body.startswith(marker("default"))
    assert "## ✅ Undecided: " in comment.body
    assert f"/commit/{1:040})" in comment.body


def test_it_is_found_behind_hundreds_of_others(github, api):
    for number in range(120):
        github.state.add_comment(f"number {number}", user=Account("octocat"))
    publish(api, 1, When.ALWAYS, draft())
    for number in range(120):
        github.state.add_comment(f"later {number}", user=None)
    publish(api, 1, When.ALWAYS, draft("passed"))
    assert sum(body.startswith(marker("default")) for body in bodies(github)) == 1


def test_the_marker_in_somebody_elses_comment_is_left_alone(github, api):
    forged = github.state.add_comment(f"{marker('default')}\nforged", user=Account("stranger"))
    publish(api, 1, When.AUTO, draft())
    assert forged.body.endswith("forged")
    assert len(github.state.comments) == 2


def test_a_token_of_a_person_finds_the_persons_comment(github, api):
    github.state.actor = Account("octocat")
    publish(api, 1, When.AUTO, draft())
    publish(api, 1, When.AUTO, draft("passed"))
    (comment,) = github.state.comments
    assert comment.user.login == "octocat"


def test_duplicates_of_runs_at_the_same_time_are_removed(github, api):
    for _ in range(3):
        github.state.add_comment(f"{marker('default')}\nold")
    publish(api, 1, When.AUTO, draft())
    assert len(github.state.comments) == 1


def test_a_read_only_token_is_a_notice(github, api):
    github.fails(FORBIDDEN, "POST", "/comments")
    published = publish(api, 1, When.AUTO, draft())
    assert published.problem.startswith(
        "The report could not be posted as a comment, for the job's token can only read"
    )
    assert "forks" in published.problem


@pytest.mark.parametrize(
    "fault", [SERVER_ERROR, BAD_GATEWAY, too_many(0), SECONDARY_LIMIT], ids=["500", "502", "429", "secondary limit"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_passes_is_tried_again(github, api, fault, method):
    github.fails(fault, method, "/issues/1")
    assert publish(api, 1, When.AUTO, draft()).url
    assert len(github.state.comments) == 1


@pytest.mark.parametrize("fault", [SERVER_ERROR, DROPPED, NOT_FOUND], ids=["500", "dropped", "404"])
def test_what_does_not_pass_is_told(github, api, fault):
    github.fails(fault, path="/issues/1", times=50)
    published = publish(api, 1, When.AUTO, draft())
    assert published.url == ""
    assert published.problem.startswith("The report could not be posted: ")
    assert github.state.token not in published.problem


def test_a_comment_that_is_gone_meanwhile_is_written_anew(github, api):
    old = github.state.add_comment(f"{marker('default')}\nold")
    github.then("GET", "/issues/1/comments$", lambda: github.state.comments.remove(old))
    assert publish(api, 1, When.AUTO, draft()).url
    assert len(github.state.comments) == 1
    assert old not in github.state.comments


def test_a_comment_that_github_finds_too_long_is_shortened(github, api):
    github.fails(INVALID, "POST", "/comments")
    assert publish(api, 1, When.AUTO, draft(*["failed"] * 100)).url
    assert len(bodies(github)[0].encode()) <= 15_000


def test_the_longest_comment_is_not_too_long(github, api):
    assert publish(api, 1, When.AUTO, draft(*["failed"] * 2_000)).url


def test_nothing_is_asked_when_nothing_is_to_be_said(github, api):
    publish(api, 1, When.NEVER, draft())
    assert github.requests == []


def test_heads_artefacts_and_a_download_without_the_token(github, api):
    github.state.add_pull(head_ref="better", head_repository="stranger/spam", head_sha=sha("new"))
    github.state.add_pull(head_ref="better", head_repository="other/spam")
    run = github.state.add_run(head_branch="better", head_repository="stranger/spam")
    content = zipped({"report.json": "{}"})
    github.state.add_artifact(run, "bayesf1-report-x", content)
    github.state.add_artifact(run, "old", content, expired=True)
    (head,) = api.heads("stranger", "better")
    assert (head.number, head.sha) == (2, sha("new"))
    (artefact,) = api.artefacts(run.id)
    assert artefact.name == "bayesf1-report-x"
    assert api.download(artefact, 1_000) == content
    with pytest.raises(ApiError, match="bayesf1-report-x is larger than 10 bytes"):
        api.download(artefact, 10)
