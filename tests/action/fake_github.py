"""A GitHub of one repository: what its REST API answers, as far as an Action needs it to publish a report."""

import math
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlencode

from .github_json import GithubJson
from .github_state import Artifact, Comment, Pull, Run, State
from .serving import Answer, ComparisonTask

Found = TypeVar("Found")
LONGEST_BODY = 65_536
DOCUMENTATION = "https://docs.github.com/rest"


def refusal(status: int, message: str, **more: Any) -> Answer:
    """Refuse as GitHub does."""
    return Answer.of(status, {"message": message, **more, "documentation_url": DOCUMENTATION, "status": str(status)})


class _RefusalError(Exception):
    def __init__(self, answer: Answer) -> None:
        super().__init__(answer)
        self.answer = answer


def _refuse(status: int, message: str, **more: Any) -> NoReturn:
    raise _RefusalError(refusal(status, message, **more))


class FakeGithub:
    """Answers as GitHub at `api_url`, and as the storage of its artifacts at `storage_url`, which is another host."""

    def __init__(self) -> None:
        self.api_url = self.storage_url = ""
        self.mistakes: list[str] = []  # of the client or of this fake; a test that made any is to fail
        self.state = State()
        self._lock = threading.Lock()
        self._routes: list[tuple[str, str, Callable[..., Answer]]] = [
            ("GET", "", self._repository),
            ("GET", r"/issues/(\d+)", self._issue),
            ("GET", r"/issues/(\d+)/comments", self._comments),
            ("POST", r"/issues/(\d+)/comments", self._create_comment),
            ("GET", r"/issues/comments/(\d+)", self._comment),
            ("PATCH", r"/issues/comments/(\d+)", self._update_comment),
            ("GET", "/pulls", self._pulls),
            ("GET", r"/pulls/(\d+)", self._pull),
            ("GET", r"/actions/runs/(\d+)", self._run),
            ("GET", r"/actions/runs/(\d+)/artifacts", self._artifacts),
            ("GET", r"/actions/artifacts/(\d+)", self._artifact),
            ("GET", r"/actions/artifacts/(\d+)/zip", self._archive),
        ]

    def answer(self, question: ComparisonTask) -> Answer:
        with self._lock:
            try:
                return self._route(question)
            except _RefusalError as refused:
                return refused.answer
            except Exception as error:  # noqa: BLE001 - the test is to fail, not a thread of the server
                self.mistakes.append(f"{question.method} {question.target}: the fake does not know how: {error!r}")
                return refusal(500, "Server Error")

    def answer_as_storage(self, question: ComparisonTask) -> Answer:
        """Hand out an archive to whoever has the link; like the real one, refuse a token on top of it."""
        if "authorization" in question.headers:
            self.mistakes.append(f"{question.method} {question.path}: the token was sent to another host")
            return Answer(401, b"<Error><Code>InvalidAuthenticationInfo</Code></Error>")
        found = [each for each in self.state.artifacts if question.path == f"/{each.id}.zip"]
        return Answer(200, found[0].content, {"content-type": "application/zip"}) if found else Answer(404)

    @property
    def _json(self) -> GithubJson:
        return GithubJson(self.api_url, self.state)

    def _route(self, question: ComparisonTask) -> Answer:
        if question.headers.get("authorization") not in {f"{kind} {self.state.token}" for kind in ("token", "Bearer")}:
            _refuse(401, "Bad credentials")
        if (question.method, question.path) == ("POST", "/graphql"):
            return Answer.of(200, {"data": {"viewer": {"login": self.state.actor.login}}})
        repository = re.match(r"/repos/[^/]+/[^/]+", question.path)
        if repository is None or repository[0] != f"/repos/{self.state.repository}":
            _refuse(404, "Not Found")
        rest = question.path[repository.end() :]
        for method, path, answer in self._routes:
            if method == question.method and (match := re.fullmatch(path, rest)):
                return answer(question, *map(int, match.groups()))
        raise NotImplementedError(question.path)

    def _repository(self, _: ComparisonTask) -> Answer:
        return Answer.of(200, self._json.repository(self.state.repository))

    def _issue(self, _: ComparisonTask, number: int) -> Answer:
        return Answer.of(200, self._json.issue(self._find_pull(number)))

    def _comments(self, question: ComparisonTask, number: int) -> Answer:
        self._find_pull(number)
        comments = [comment for comment in self.state.comments if comment.issue == number]
        shown, headers = self._page(question, comments)
        return Answer.of(200, [self._json.comment(comment) for comment in shown], headers)

    def _comment(self, _: ComparisonTask, id_: int) -> Answer:
        return Answer.of(200, self._json.comment(self._find_comment(id_)))

    def _create_comment(self, question: ComparisonTask, number: int) -> Answer:
        self._find_pull(number)
        comment = self.state.add_comment(self._body(question), number, self.state.actor)
        return Answer.of(201, self._json.comment(comment))

    def _update_comment(self, question: ComparisonTask, id_: int) -> Answer:
        comment = self._find_comment(id_)
        comment.body = self._body(question)
        comment.updated_at = self.state.now()
        return Answer.of(200, self._json.comment(comment))

    def _pulls(self, question: ComparisonTask) -> Answer:
        asked = {"state": "open", "head": "", "base": "", **question.query}
        pulls = [
            pull
            for pull in reversed(self.state.pulls)
            if asked["state"] in {pull.state, "all"}
            and (":" not in asked["head"] or asked["head"] == pull.label)  # without an owner GitHub ignores it
            and asked["base"] in {pull.base_ref, ""}
        ]
        shown, headers = self._page(question, pulls, "state", "head", "base")
        return Answer.of(200, [self._json.pull(pull) for pull in shown], headers)

    def _pull(self, _: ComparisonTask, number: int) -> Answer:
        return Answer.of(200, self._json.whole_pull(self._find_pull(number)))

    def _run(self, _: ComparisonTask, id_: int) -> Answer:
        return Answer.of(200, self._json.run(self._find_run(id_)))

    def _artifacts(self, question: ComparisonTask, id_: int) -> Answer:
        run = self._find_run(id_)
        artifacts = [
            each
            for each in reversed(self.state.artifacts)
            if each.run is run and each.name == question.query.get("name", each.name)
        ]
        shown, headers = self._page(question, artifacts, "name")
        listed = [self._json.artifact(artifact) for artifact in shown]
        return Answer.of(200, {"total_count": len(artifacts), "artifacts": listed}, headers)

    def _artifact(self, _: ComparisonTask, id_: int) -> Answer:
        return Answer.of(200, self._json.artifact(self._find_artifact(id_)))

    def _archive(self, _: ComparisonTask, id_: int) -> Answer:
        if self._find_artifact(id_).expired:
            _refuse(410, "Artifact has expired")
        return Answer(302, headers={"location": f"{self.storage_url}/{id_}.zip"})

    def _find_comment(self, id_: int) -> Comment:
        return _only(comment for comment in self.state.comments if comment.id == id_)

    def _find_pull(self, number: int) -> Pull:
        return _only(pull for pull in self.state.pulls if pull.number == number)

    def _find_run(self, id_: int) -> Run:
        return _only(run for run in self.state.runs if run.id == id_)

    def _find_artifact(self, id_: int) -> Artifact:
        return _only(artifact for artifact in self.state.artifacts if artifact.id == id_)

    def _body(self, question: ComparisonTask) -> str:
        body: str = question.json["body"]
        if not body.strip():
            problem = "Body cannot be blank"
        elif len(body) > LONGEST_BODY:
            problem = f"Body is too long (maximum is {LONGEST_BODY} characters)"
        else:
            return body
        error = {"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": problem}
        _refuse(422, "Validation Failed", errors=[error])

    def _page(
        self, question: ComparisonTask, items: Sequence[Any], *filters: str
    ) -> tuple[Sequence[Any], dict[str, str]]:
        """Cut out the page that was asked for, and link to the others."""
        asked = question.query
        if unknown := asked.keys() - {"page", "per_page", *filters}:
            raise NotImplementedError(f"query {sorted(unknown)}")
        size = min(int(asked.get("per_page", 30)), 100)
        page, last = int(asked.get("page", 1)), math.ceil(len(items) / size)
        others = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        links = [
            f'<{self.api_url}{question.path}?{urlencode({**asked, "page": other})}>; rel="{name}"'
            for name, other in others.items()
            if (1 <= other < page if name in {"prev", "first"} else page < other <= last)
        ]
        return items[(page - 1) * size : page * size], {"link": ", ".join(links)} if links else {}


def _only(found: Iterable[Found]) -> Found:
    """Take the first, or refuse for want of any."""
    for each in found:
        return each
    _refuse(404, "Not Found")
