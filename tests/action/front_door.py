"""Where a client knocks: every request is recorded, goes to the validator in front of the fake, or meets a fault."""

import http.client
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from .faults import Fault
from .serving import Answer, ComparisonTask

_OF_ONE_CONNECTION = {"connection", "content-length", "date", "host", "keep-alive", "server", "transfer-encoding"}
HIDDEN_LOCATION = "x-hidden-location"


@dataclass(frozen=True)
class Request:
    """What a client asked, without the token, and the status that it was answered (None: dropped)."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    json: Any
    status: int | None


class FrontDoor:
    def __init__(self) -> None:
        self.validator = ""  # its URL
        self.graphql: Callable[[ComparisonTask], Answer] | None = None  # which the description leaves out
        self.reset()

    def reset(self) -> None:
        self.requests: list[Request] = []
        self.violations: list[str] = []
        self.faults: list[Fault] = []

    def answer(self, question: ComparisonTask) -> Answer | None:
        fault = next((each for each in self.faults if each.strikes(question)), None)
        answer = self._forward(question) if fault is None else fault.answer
        self._record(question, answer)
        return answer

    def _forward(self, question: ComparisonTask) -> Answer:
        if self.graphql is not None and question.path == "/graphql":
            return self.graphql(question)
        validator = urlsplit(self.validator)
        connection = http.client.HTTPConnection(validator.hostname or "", validator.port, timeout=30)
        try:
            headers = {name: value for name, value in question.headers.items() if name not in _OF_ONE_CONNECTION}
            connection.request(question.method, question.target, question.body or None, headers)
            response = connection.getresponse()
            answer = Answer(response.status, response.read(), _relayed(response.getheaders()))
        finally:
            connection.close()
        if answer.headers.get("content-type", "").startswith("application/problem+json"):
            self.violations.append(f"{question.method} {question.target}: {_problem(answer)}")
        return answer

    def _record(self, question: ComparisonTask, answer: Answer | None) -> None:
        headers = dict(question.headers)
        if "authorization" in headers:
            headers["authorization"] = f"{headers['authorization'].split()[0]} ***"
        try:
            sent = question.json
        except ValueError:
            self.violations.append(f"{question.method} {question.target}: the body is not JSON")
            sent = None
        status = answer.status if answer else None
        self.requests.append(Request(question.method, question.path, question.query, headers, sent, status))


def hide_redirect(answer: Answer) -> Answer:
    """Rename the header of a redirect, which the validator would follow by itself."""
    renamed = {HIDDEN_LOCATION if name == "location" else name: value for name, value in answer.headers.items()}
    return Answer(answer.status, answer.body, renamed)


def _relayed(headers: list[tuple[str, str]]) -> dict[str, str]:
    lowered = {name.lower(): value for name, value in headers if name.lower() not in _OF_ONE_CONNECTION}
    return {"location" if name == HIDDEN_LOCATION else name: value for name, value in lowered.items()}


def _problem(answer: Answer) -> str:
    problem = json.loads(answer.body)
    found = [f"{'.'.join(map(str, each['location']))}: {each['message']}" for each in problem.get("validation", ())]
    return "; ".join([f"{problem['type'].rpartition('#')[2]} ({problem['detail'] or problem['title']})", *found])
