"""The fixture `github`: a GitHub on this machine, which notices requests that the real one would not understand."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from .fake_github import FakeGithub
from .faults import Fault
from .front_door import FrontDoor, Request, hide_redirect
from .github_state import State
from .prism import prism_before
from .serving import Answer, serve


class Github:
    """What a test sees: where to send requests, what is known there, what was asked, and what is to go wrong."""

    def __init__(self, fake: FakeGithub, door: FrontDoor) -> None:
        self._fake = fake
        self._door = door

    @property
    def url(self) -> str:
        """The base of the API, as GITHUB_API_URL has it."""
        return self._fake.api_url

    @property
    def state(self) -> State:
        return self._fake.state

    @property
    def requests(self) -> list[Request]:
        return self._door.requests

    def reset(self) -> None:
        self._fake.state = State()
        self._fake.mistakes = []
        self._door.reset()

    def fails(self, answer: Answer | None, method: str | None = None, path: str | None = None, times: int = 1) -> None:
        """Let the next requests meet a fault (see `faults`), all or those of a method and with a part of a path."""
        self._door.faults.append(Fault(answer, method, path, times))

    def take_violations(self) -> list[str]:
        """Tell what was wrong with the requests, or the answers, and forget it; what is left fails the test."""
        violations = [*self._door.violations, *self._fake.mistakes]
        self._door.violations, self._fake.mistakes = [], []
        return violations


@pytest.fixture(scope="session")
def _servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Github]:
    fake, door = FakeGithub(), FrontDoor()
    with ExitStack() as servers:
        upstream = servers.enter_context(serve(lambda question: hide_redirect(fake.answer(question))))
        door.validator = servers.enter_context(prism_before(upstream, tmp_path_factory.mktemp("prism")))
        fake.storage_url = servers.enter_context(serve(fake.answer_as_storage)).replace("127.0.0.1", "localhost")
        door.graphql = fake.answer
        fake.api_url = servers.enter_context(serve(door.answer))
        yield Github(fake, door)


@pytest.fixture
def github(_servers: Github) -> Iterator[Github]:
    """Give a GitHub that knows an empty repository; the test fails when a request violated GitHub's description."""
    _servers.reset()
    yield _servers
    if violations := _servers.take_violations():
        pytest.fail("\n".join(["GitHub would refuse this:", *violations]), pytrace=False)
