"""What `GitHubApi` asks of GitHub, and what it makes of the answers."""

from contextlib import nullcontext
from urllib.parse import parse_qs

import pytest

from pytest_bayesf1.github.api import ApiError, Artefact, Comment, GitHubApi, Token
from tests.unit.github.server import tiny_github

PULL = "GET /repos/octo/spam/pulls/1"
THREAD = "/repos/octo/spam/issues/1/comments"
HEAD = {"number": 1, "head": {"sha": "a" * 40}}
LIMIT = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: None)


@pytest.fixture
def github():
    with tiny_github({}) as github:
        yield github


@pytest.fixture
def api(github):
    return GitHubApi(Token("secret"), github.url, "octo/spam")


def test_a_comment_is_listed_created_and_updated(github, api):
    user, page = {"login": "octocat"}, {"html_url": "https://github.com/octo/spam/pull/1#7"}
    github.answers |= {
        f"GET {THREAD}": [(200, [{"id": 7, "user": user, "body": "hello"}, {"id": 8, "user": None, "body": None}])],
        f"POST {THREAD}": [(201, page)],
        "GET /repos/octo/spam/issues/comments/7": [(200, {"url": f"{github.url}/repos/octo/spam/issues/comments/7"})],
        "PATCH /repos/octo/spam/issues/comments/7": [(200, page)],
    }
    assert api.comments(1) == [Comment(7, "octocat", "hello"), Comment(8, "", "")]
    assert api.create(1, "new") == page["html_url"]
    assert api.update(1, 7, "newer") == page["html_url"]
    assert [body for _, body in github.asked if body] == [{"body": "new"}, {"body": "newer"}]
    assert set(github.tokens) <= {"token secret", "Bearer secret"}


def test_heads_and_artefacts(github, api):
    kept = {"name": "bayesf1-report", "archive_download_url": "https://x/zip", "id": 5, "expired": False}
    github.answers |= {
        PULL: [(200, HEAD)],
        "GET /repos/octo/spam/pulls": [(200, [HEAD])],
        "GET /repos/octo/spam/actions/runs/99": [(200, {"artifacts_url": f"{github.url}/artifacts"})],
        "GET /artifacts": [(200, {"total_count": 2, "artifacts": [kept, {**kept, "name": "old", "expired": True}]})],
    }
    assert api.head(1) == "a" * 40
    assert api.heads("stranger", "better") == {1: "a" * 40}
    assert parse_qs(github.queries[-1]) == {"state": ["open"], "head": ["stranger:better"], "per_page": ["100"]}
    assert api.artefacts(99) == [Artefact("bayesf1-report", "https://x/zip", 5)]


@pytest.mark.parametrize(
    ("answer", "login"),
    [
        ((200, {"data": {"viewer": {"login": "octocat"}}}), "octocat"),
        *(((status, {"message": "No"}), "github-actions[bot]") for status in (400, 403, 404)),
        ((401, {"message": "Bad credentials"}), None),
    ],
)
def test_who_writes_the_comments(github, api, answer, login):
    """No user, where the token is wrong."""
    github.answers["POST /graphql"] = [answer]
    with nullcontext() if login else pytest.raises(ApiError, match="Bad credentials"):
        assert api.own_login() == login


@pytest.mark.parametrize("fault", [(500, {}), (502, b"<html>"), (429, LIMIT), (403, LIMIT)])
def test_what_passes_is_tried_again(github, api, fault):
    github.answers[PULL] = [fault, (200, HEAD)]
    assert api.head(1) == "a" * 40
    github.answers[f"POST {THREAD}"] = [fault, (201, {"html_url": "page"})]
    assert api.create(1, "text") == "page"


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        ((422, {"message": "Validation Failed"}), 422, "Validation Failed"),
        ((500, {}), 0, "GitHub failed again and again"),
        ((429, LIMIT), 429, "You have exceeded a secondary rate limit"),
    ],
)
def test_what_does_not_pass_is_told(github, api, answer, status, message):
    github.answers[PULL] = [answer]
    with pytest.raises(ApiError, match=message) as caught:
        api.head(1)
    assert caught.value.status == status


def test_a_github_that_cannot_be_reached():
    with tiny_github({}) as gone:
        pass
    with pytest.raises(ApiError, match="Cannot reach GitHub: ") as caught:
        GitHubApi(Token("secret"), gone.url, "octo/spam").head(1)
    assert "secret" not in str(caught.value)


def test_a_download_takes_the_token_nowhere_else_and_has_a_limit(github, api):
    storage = github.url.replace("127.0.0.1", "localhost")
    github.answers |= {"GET /zip": [(302, f"{storage}/kept")], "GET /kept": [(200, b"content")]}
    artefact = Artefact("bayesf1-report", f"{github.url}/zip")
    assert api.download(artefact, 7) == b"content"
    assert github.tokens == ["Bearer secret", None]
    with pytest.raises(ApiError, match="bayesf1-report is larger than 6 bytes"):
        api.download(artefact, 6)
    with pytest.raises(ApiError, match="cannot download gone") as caught:
        api.download(Artefact("gone", f"{github.url}/gone"), 6)
    assert caught.value.status == 404
