"""A GitHub on this machine that answers as a test wants, and remembers what it was asked."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass
class TinyGitHub:
    """Answers by method and path; several answers are given in turn, and the last one again and again."""

    answers: dict[str, list[tuple[int, Any]]]
    url: str = ""
    asked: list[tuple[str, Any]] = field(default_factory=list)
    """Method and path, and the body."""
    queries: list[str] = field(default_factory=list)
    tokens: list[str | None] = field(default_factory=list)

    def answer(self, request: str) -> tuple[int, Any]:
        answers = self.answers.get(request, [(404, {"message": "Not Found"})])
        return answers.pop(0) if len(answers) > 1 else answers[0]


@contextmanager
def tiny_github(answers: dict[str, list[tuple[int, Any]]]) -> Iterator[TinyGitHub]:
    """Serve on a free port of this machine; a body is JSON, bytes, or of a status of 3xx the place to look at."""
    github = TinyGitHub(answers)

    class Handler(BaseHTTPRequestHandler):
        def _handle(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            path, _, query = self.path.partition("?")
            request = f"{self.command} {path}"
            github.asked.append((request, json.loads(content) if content else None))
            github.queries.append(query)
            github.tokens.append(self.headers.get("Authorization"))
            status, body = github.answer(request)
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", body)
            if status == 429:
                self.send_header("Retry-After", "0")
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

        do_GET = do_POST = do_PATCH = _handle  # noqa: N815

        def log_message(self, *_: Any) -> None:
            """Keep the terminal for the tests."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        github.url = f"http://127.0.0.1:{server.server_port}"
        yield github
        server.shutdown()
