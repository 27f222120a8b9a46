"""The bench that the Action's tests stand on: PyGithub talks to the fake like to GitHub."""

import io
import zipfile

import pytest
import requests
from github import Auth, Github, GithubException, RateLimitExceededException, UnknownObjectException

from .fake_github import LONGEST_BODY
from .faults import BAD_GATEWAY, DROPPED, FORBIDDEN, NOT_FOUND, SECONDARY_LIMIT, SERVER_ERROR, too_many
from .github_state import ACTIONS_BOT, Account, sha, zipped


@pytest.fixture
def client(github):
    """Give PyGithub without its patience: a fault reaches the test at once, and nothing waits."""
    patience = {"retry": None, "seconds_between_requests": None, "seconds_between_writes": None}
    with Github(auth=Auth.Token(github.state.token), base_url=github.url, per_page=100, **patience) as client:
        yield client


@pytest.fixture
def repository(client):
    return client.get_repo("octo/spam")


def _token(github):
    return {"Authorization": f"Bearer {github.state.token}"}


class TestComments:
    def test_many_come_in_pages(self, github, repository):
        github.state.add_pull()
        for number in range(250):
            github.state.add_comment(f"number {number}", user=Account("octocat"))
        bodies = [comment.body for comment in repository.get_issue(1).get_comments()]
        assert bodies == [f"number {number}" for number in range(250)]
        asked = [request.query for request in github.requests if request.path.endswith("/1/comments")]
        assert asked == [{"per_page": "100"}, {"page": "2", "per_page": "100"}, {"page": "3", "per_page": "100"}]

    def test_go_backwards_from_the_last_page(self, github, repository):
        github.state.add_pull()
        for number in range(101):
            github.state.add_comment(f"number {number}")
        assert repository.get_issue(1).get_comments().reversed[0].body == "number 100"

    def test_are_created_by_the_owner_of_the_token(self, github, repository):
        github.state.add_pull()
        created = repository.get_pull(1).create_issue_comment("new")
        assert (created.body, created.user.login, created.user.type) == ("new", "github-actions[bot]", "Bot")
        assert [(comment.body, comment.user) for comment in github.state.comments] == [("new", ACTIONS_BOT)]

    def test_are_updated(self, github, repository):
        github.state.add_pull()
        comment = github.state.add_comment("old")
        found = repository.get_pull(1).get_issue_comment(comment.id)
        found.edit("new")
        assert comment.body == found.body == "new"
        assert found.updated_at > found.created_at

    def test_of_a_deleted_account_have_no_user(self, github, repository):
        github.state.add_pull()
        github.state.add_comment("old", user=None)
        assert next(iter(repository.get_pull(1).get_issue_comments())).user is None

    @pytest.mark.parametrize(
        ("body", "message"),
        [("x" * (LONGEST_BODY + 1), "Body is too long (maximum is 65536 characters)"), (" ", "Body cannot be blank")],
    )
    def test_have_a_body_of_some_length(self, github, repository, body, message):
        github.state.add_pull()
        pull = repository.get_pull(1)
        pull.create_issue_comment("é" * LONGEST_BODY)
        with pytest.raises(GithubException) as caught:
            pull.create_issue_comment(body)
        assert caught.value.status == 422
        assert caught.value.data["errors"][0]["message"] == message


class TestPulls:
    def test_are_found_by_owner_and_branch(self, github, repository):
        github.state.add_pull()
        fork = github.state.add_pull(head_repository="guest/spam", head_sha=sha("guest"))
        (found,) = repository.get_pulls(head="guest:feature")
        assert (found.number, found.head.sha, found.head.label) == (2, fork.head_sha, "guest:feature")
        assert found.head.repo.full_name == "guest/spam"
        assert found.head.repo.fork
        assert found.base.repo.full_name == "octo/spam"

    def test_a_head_without_owner_is_ignored(self, github, repository):
        github.state.add_pull(head_ref="one")
        github.state.add_pull(head_ref="two")
        assert [pull.number for pull in repository.get_pulls(head="one")] == [2, 1]

    def test_closed_ones_are_told_on_demand(self, github, repository):
        github.state.add_pull(state="closed")
        assert list(repository.get_pulls()) == []
        assert [pull.state for pull in repository.get_pulls(state="all")] == ["closed"]

    def test_the_fork_may_be_gone(self, github, repository):
        github.state.add_pull(head_repository=None, head_owner="guest")
        assert repository.get_pull(1).head.repo is None
        assert next(iter(repository.get_pulls())).head.label == "guest:feature"


class TestRuns:
    def test_tell_where_they_come_from(self, github, repository):
        pull = github.state.add_pull()
        run = repository.get_workflow_run(github.state.add_run(pulls=(pull,)).id)
        assert (run.head_sha, run.head_branch, run.event) == (pull.head_sha, "feature", "pull_request")
        assert [each.number for each in run.pull_requests] == [1]
        assert repository.get_workflow_run(github.state.add_run(head_repository=None).id).head_repository is None

    def test_artifacts_are_downloaded_without_the_token(self, github, repository):
        run = github.state.add_run()
        github.state.add_artifact(run, "report", zipped({"report.json": "{}"}))
        github.state.add_artifact(github.state.add_run(), "of another run", b"")
        (artifact,) = repository.get_workflow_run(run.id).get_artifacts()
        status, headers, _ = repository.requester.requestJson("GET", artifact.archive_download_url)
        assert status == 302
        content = requests.get(headers["location"], timeout=10).content
        assert len(content) == artifact.size_in_bytes
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            assert archive.read("report.json") == b"{}"

    def test_storage_refuses_the_token(self, github, repository):
        artifact = github.state.add_artifact(github.state.add_run(), "report", b"")
        url = repository.get_artifact(artifact.id).archive_download_url
        location = repository.requester.requestJson("GET", url)[1]["location"]
        assert requests.get(location, headers=_token(github), timeout=10).status_code == 401
        assert github.take_violations() == [f"GET /{artifact.id}.zip: the token was sent to another host"]

    def test_expired_artifacts_are_gone(self, github, repository):
        artifact = github.state.add_artifact(github.state.add_run(), "report", b"", expired=True)
        found = repository.get_artifact(artifact.id)
        assert found.expired
        status, _, body = repository.requester.requestJson("GET", found.archive_download_url)
        assert (status, "Artifact has expired" in body) == (410, True)


class TestFaults:
    @pytest.mark.parametrize(
        ("fault", "error", "status", "message"),
        [
            (FORBIDDEN, GithubException, 403, "Resource not accessible by integration"),
            (NOT_FOUND, UnknownObjectException, 404, "Not Found"),
            (too_many(retry_after=7), GithubException, 429, "API rate limit exceeded for installation."),
            (SECONDARY_LIMIT, RateLimitExceededException, 403, "You have exceeded a secondary rate limit."),
            (SERVER_ERROR, GithubException, 500, "Server Error"),
            (BAD_GATEWAY, GithubException, 502, "502 Bad Gateway"),
        ],
    )
    def test_reach_the_client_once(self, github, client, fault, error, status, message):
        github.fails(fault)
        with pytest.raises(error) as caught:
            client.get_repo("octo/spam")
        assert caught.value.status == status
        assert message in str(caught.value.data)
        assert caught.value.headers.get("retry-after") == ("7" if status == 429 else None)
        assert client.get_repo("octo/spam").full_name == "octo/spam"
        assert [request.status for request in github.requests] == [status, 200]

    def test_a_connection_is_dropped(self, github, client):
        github.fails(DROPPED, times=2)
        for _ in range(2):
            with pytest.raises(requests.ConnectionError):
                client.get_repo("octo/spam")
        assert client.get_repo("octo/spam").full_name == "octo/spam"
        assert [request.status for request in github.requests] == [None, None, 200]

    def test_strike_where_they_are_told_to(self, github, repository):
        github.state.add_pull()
        github.fails(FORBIDDEN, "POST", "/comments$")
        assert list(repository.get_issue(1).get_comments()) == []
        with pytest.raises(GithubException, match="403"):
            repository.get_issue(1).create_comment("refused")
        assert github.state.comments == []


class TestRequests:
    def test_are_recorded_without_the_token(self, github, repository):
        github.state.add_pull()
        repository.get_pull(1).create_issue_comment("new")
        recorded = github.requests[-1]
        assert (recorded.method, recorded.path) == ("POST", "/repos/octo/spam/issues/1/comments")
        assert (recorded.json, recorded.status) == ({"body": "new"}, 201)
        assert recorded.headers["authorization"] == "token ***"
        assert github.state.token not in str(github.requests)

    def test_without_the_token_are_refused(self, github):
        assert requests.get(f"{github.url}/repos/octo/spam", timeout=10).status_code == 401

    def test_for_another_repository_find_nothing(self, client):
        with pytest.raises(UnknownObjectException):
            client.get_repo("octo/eggs")

    @pytest.mark.parametrize("body", [{}, {"body": 1}])
    def test_that_are_malformed_are_violations(self, github, body):
        github.state.add_pull()
        path = "/repos/octo/spam/issues/1/comments"
        assert requests.post(f"{github.url}{path}", json=body, headers=_token(github), timeout=10).status_code == 422
        (violation,) = github.take_violations()
        assert violation.startswith(f"POST {path}: UNPROCESSABLE_ENTITY")
        assert "body" in violation
        assert github.state.comments == []

    def test_that_are_not_json_are_violations(self, github):
        path = "/repos/octo/spam/issues/1/comments"
        assert not requests.post(f"{github.url}{path}", data=b"{", headers=_token(github), timeout=10).ok
        assert f"POST {path}: the body is not JSON" in github.take_violations()

    def test_for_what_github_does_not_have_are_violations(self, github):
        answer = requests.get(f"{github.url}/repos/octo/spam/coments", headers=_token(github), timeout=10)
        assert answer.status_code == 404
        (violation,) = github.take_violations()
        assert "NO_PATH_MATCHED_ERROR" in violation

    def test_for_what_the_fake_does_not_know_are_violations(self, github, repository):
        with pytest.raises(GithubException, match="500"):
            list(repository.get_pulls(sort="updated"))
        (violation,) = github.take_violations()
        assert "the fake does not know how: NotImplementedError(\"query ['sort']\")" in violation

    def test_that_are_violations_fail_the_test(self, pytester):
        pytester.makepyfile("""
            import requests

            def test_misspelt(github):
                requests.get(github.url + "/repos/octo/spam/coments", timeout=10)

            def test_the_next(github):
                assert github.requests == []
        """)
        result = pytester.runpytest_inprocess("-p", "tests.action.github_api", "-p", "no:randomly")
        result.assert_outcomes(passed=2, errors=1)
        result.stdout.fnmatch_lines(
            ["GitHub would refuse this:", "GET /repos/octo/spam/coments: NO_PATH_MATCHED_ERROR*"]
        )
