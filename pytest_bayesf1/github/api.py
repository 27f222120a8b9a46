"""GitHub's REST API, the event of a run, and its comment on a pull request. The only importer of PyGithub."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any

import requests
from github import Auth, Github, GithubException, GithubRetry

from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import SourceCommit, escape_markdown, markdown
from pytest_bayesf1.results.run import github_run

MOST_BYTES = 60_000  # GitHub takes 65,536 characters


class When(StrEnum):
    """When to comment."""

    AUTO = "auto"
    """When something failed, warned, is undecided, missing or loosened; and to update a comment that is there."""
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True)
class Comment:
    """A comment that is there."""

    number: int
    author: str
    body: str


@dataclass(frozen=True)
class Stamp:
    """The first line of a comment, which readers do not see.

    Attributes
    ----------
    key
        Names the job.
    run
        Which run it is about, and which attempt: "12.1".
    """

    key: str
    run: str

    @property
    def line(self) -> str:
        """The line without its end."""
        return f"<!-- pytest-bayesf1 {self.key} run {self.run} -->"


_STAMP = re.compile(r"<!-- pytest-bayesf1 (?P<key>\S{1,80}) run (?P<run>\S*) -->")


@dataclass(frozen=True)
class Draft:
    """A comment to write.

    Attributes
    ----------
    number
        Of the pull request.
    key, run
        As in its `Stamp`.
    source
        What was tested.
    run_url, artefact_url
        Pages of the workflow run and of the report's files; empty when there are none.
    """

    number: int
    report: Report
    key: str
    run: str
    source: SourceCommit
    run_url: str = ""
    artefact_url: str = ""


def key_of(*names: str) -> str:
    """Make a key of names, another one of other names."""
    text = "-".join(filter(None, names))
    safe = re.sub(r"[^\w.-]+", "-", text, flags=re.ASCII)[:60]
    return safe if safe and safe == text else f"{safe}-{sha256(text.encode('utf-8', 'replace')).hexdigest()[:6]}"


def body(draft: Draft) -> str:
    """Write the comment: the report as far as it fits, and where it comes from."""
    pages = {"workflow run": draft.run_url, "report with figures": draft.artefact_url}
    links = [f"[{name}]({url})" for name, url in pages.items() if url]
    head = f"{Stamp(draft.key, draft.run).line}\n\n"
    foot = f"\n\n<sub>{' · '.join([escape_markdown(draft.key), *links])}</sub>\n"
    shown = markdown(draft.report, MOST_BYTES - len((head + foot).encode()), draft.source)
    return f"{head}{shown}{foot}".encode("utf-8", "replace").decode()


def stamped(comments: Iterable[Comment], author: str, key: str) -> dict[int, Stamp]:
    """Find the comments of a job, with their stamps: those by us alone, for anybody can write a stamp."""
    found = {each.number: _STAMP.match(each.body) for each in comments if each.author == author}
    stamps = {number: Stamp(**match.groupdict()) for number, match in found.items() if match}
    return {number: stamp for number, stamp in stamps.items() if stamp.key == key}


def is_worth(when: When, report: Report, existing: Stamp | None) -> bool:
    """Decide whether to write the comment."""
    if when is When.NEVER:
        return False
    problem = (
        report.verdict != "passed"
        or any(entry.needs_attention for entry in report.entries)
        or bool(report.changed)
        or any(finding.gate for finding in report.findings)
    )
    return problem or existing is not None or when is not When.AUTO


_LOGIN_OF_JOBS = "github-actions[bot]"
_WITHOUT_GRAPHQL = (400, 403, 404)
_SECONDS = 30
_RETRY = GithubRetry(total=5, backoff_factor=2, max_rate_limit_wait=300)
"""After 5xx, 429 and rate limits."""


@dataclass(frozen=True)
class Token:
    """A secret that does not show itself."""

    value: str = field(repr=False)


class ApiError(Exception):
    """GitHub refuses, or cannot be reached.

    Attributes
    ----------
    status
        Of the HTTP answer; 0 when there was none.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{message} (HTTP {status})" if status else message)
        self.status = status


@dataclass(frozen=True)
class Artefact:
    """An uploaded artefact of a run."""

    name: str
    url: str
    number: int = 0
    """Newer ones have larger numbers."""


class GitHubApi:
    """One repository on GitHub or on an Enterprise server."""

    def __init__(self, token: Token, api_url: str, repository: str) -> None:
        self._github = Github(
            base_url=api_url, auth=Auth.Token(token.value), retry=_RETRY, timeout=_SECONDS, per_page=100, lazy=True
        )
        self._token = token
        with _text():
            self._repository = self._github.get_repo(repository)

    def own_login(self) -> str:
        """Return who writes the comments; REST tells it to people only, not to an App or a job."""
        try:
            with _text():
                _, answer = self._github.requester.graphql_query("query { viewer { login } }", {})
        except ApiError as error:
            if error.status in _WITHOUT_GRAPHQL:
                return _LOGIN_OF_JOBS
            raise
        return str(answer["data"]["viewer"]["login"])

    def comments(self, number: int) -> list[Comment]:
        """List all comments of a pull request, oldest first."""
        with _text():
            found = self._repository.get_issue(number).get_comments()
            return [Comment(each.id, each.user.login if each.user else "", each.body or "") for each in found]

    def create(self, number: int, body: str) -> str:
        """Write a new comment and return its address."""
        with _text():
            return self._repository.get_issue(number).create_comment(body).html_url

    def update(self, number: int, comment: int, body: str) -> str:
        """Rewrite a comment and return its address."""
        with _text():
            found = self._repository.get_issue(number).get_comment(comment)
            found.edit(body)
            return found.html_url

    def head(self, number: int) -> str:
        """Return the newest commit of a pull request."""
        with _text():
            return self._repository.get_pull(number).head.sha

    def heads(self, owner: str, branch: str) -> dict[int, str]:
        """List the pull requests from a branch, by number, each with its newest commit."""
        with _text():
            found = self._repository.get_pulls(state="open", head=f"{owner}:{branch}")
            return {each.number: each.head.sha for each in found}

    def artefacts(self, run_id: int) -> list[Artefact]:
        """List the artefacts of a workflow run that are still there."""
        with _text():
            found = self._repository.get_workflow_run(run_id).get_artifacts()
            return [Artefact(each.name, each.archive_download_url, each.id) for each in found if not each.expired]

    def download(self, artefact: Artefact, most_bytes: int) -> bytes:
        """Download a zip file of at most so many bytes; the token stays with GitHub, wherever the file is kept."""
        headers = {"Authorization": f"Bearer {self._token.value}", "Accept": "application/vnd.github+json"}
        with _text(), requests.get(artefact.url, headers=headers, timeout=_SECONDS, stream=True) as answer:
            if not answer.ok:
                raise ApiError(answer.status_code, f"cannot download {artefact.name}")
            content = b""
            for chunk in answer.iter_content(65_536):
                content += chunk
                if len(content) > most_bytes:
                    raise ApiError(0, f"{artefact.name} is larger than {most_bytes:,} bytes")
            return content


@contextmanager
def _text() -> Iterator[None]:
    """Turn whatever goes wrong into an `ApiError`."""
    try:
        yield
    except GithubException as error:
        data = error.data if isinstance(error.data, dict) else {}
        raise ApiError(error.status, str(data.get("message") or error)) from None
    except requests.exceptions.RetryError as error:
        limited = re.search(r"too many (403|429) error", str(error))  # of all refusals only these are tried again
        said = "You have exceeded a secondary rate limit" if limited else "GitHub failed again and again"
        raise ApiError(int(limited[1]) if limited else 0, said) from None
    except requests.RequestException as error:
        raise ApiError(0, f"Cannot reach GitHub: {type(error).__name__}") from None


@dataclass(frozen=True)
class PullRequest:
    """The pull request that a job is about.

    Attributes
    ----------
    head_sha, base_sha
        Its last commit, and the commit that it is to be merged into.
    """

    number: int
    head_sha: str
    base_sha: str


@dataclass(frozen=True)
class FinishedRun:
    """The workflow run that started this one (``on: workflow_run``), with what GitHub itself says of it."""

    run_id: int
    head_sha: str
    head_branch: str
    head_owner: str
    url: str
    attempt: int = 1


@dataclass(frozen=True)
class Context:
    """A job's surroundings.

    Attributes
    ----------
    repository
        ``owner/name``.
    sha
        The commit to tell people of: of a pull request its last one, not GitHub's merge of it.
    tested
        The commits of which one is to be checked out.
    base
        The commit or branch that baselines are read from; empty where the event has none.
    api_url, server_url
        GitHub's own, or those of an Enterprise server.
    run_url
        The page of this workflow run.
    folder
        Where pytest runs, relative to the repository.
    """

    event: str
    repository: str
    sha: str
    api_url: str
    server_url: str
    run_url: str
    folder: str
    pull_request: PullRequest | None
    finished_run: FinishedRun | None
    run: str = ""
    """The number of this workflow run and of its attempt."""
    tested: tuple[str, ...] = ()
    base: str = ""

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Context":
        """Read it off the environment variables of a job."""
        path = environment.get("GITHUB_EVENT_PATH", "")
        event = json.loads(Path(path).read_bytes()) if path else {}
        workspace = Path(environment.get("GITHUB_WORKSPACE", "."))
        server = environment.get("GITHUB_SERVER_URL", "https://github.com")
        repository = environment.get("GITHUB_REPOSITORY", "")
        pull_request = _pull_request(event.get("pull_request"))
        merged_or_pushed = environment.get("GITHUB_SHA", "")
        sha = pull_request.head_sha if pull_request else merged_or_pushed
        return cls(
            event=environment.get("GITHUB_EVENT_NAME", ""),
            repository=repository,
            sha=sha,
            api_url=environment.get("GITHUB_API_URL", "https://api.github.com"),
            server_url=server,
            run_url=github_run(environment),
            folder=os.path.relpath(workspace / environment.get("BAYESF1_FOLDER", "."), workspace),
            pull_request=pull_request,
            finished_run=_finished_run(event.get("workflow_run")),
            run=f"{environment.get('GITHUB_RUN_ID', '')}.{environment.get('GITHUB_RUN_ATTEMPT', '1')}",
            tested=tuple(filter(None, dict.fromkeys([sha, merged_or_pushed]))),
            base=pull_request.base_sha if pull_request else _base(event, environment.get("GITHUB_REF", "")),
        )

    @property
    def source(self) -> SourceCommit:
        """The commit to tell people of, for links to its files."""
        return SourceCommit(f"{self.server_url}/{self.repository}", self.sha, Path(self.folder).as_posix())


def _pull_request(pull: Mapping[str, Any] | None) -> PullRequest | None:
    return None if pull is None else PullRequest(pull["number"], pull["head"]["sha"], pull["base"]["sha"])


def _finished_run(run: Mapping[str, Any] | None) -> FinishedRun | None:
    if run is None:
        return None
    home = run.get("head_repository") or {"owner": {"login": ""}}  # the fork may have been deleted
    branch = run.get("head_branch") or ""
    owner, attempt = home["owner"]["login"], run.get("run_attempt") or 1
    return FinishedRun(run["id"], run["head_sha"], branch, owner, run.get("html_url", ""), attempt)


def _base(event: Mapping[str, Any], ref: str) -> str:
    """Return what a merge queue adds to, what a push to the default branch replaces, or elsewhere that branch."""
    if "merge_group" in event:
        return str(event["merge_group"]["base_sha"])
    branch = (event.get("repository") or {}).get("default_branch")
    if branch and ref and ref != f"refs/heads/{branch}":
        return f"refs/heads/{branch}"
    before = event.get("before") or ""
    return before if before.strip("0") else ""  # zeros: there was no such branch
