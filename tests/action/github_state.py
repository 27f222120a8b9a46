"""What the fake GitHub knows of its one repository: plain data, which tests set up and look at."""

import io
import itertools
import secrets
import zipfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any


@dataclass(frozen=True)
class Account:
    login: str
    type: str = "User"


ACTIONS_BOT = Account("github-actions[bot]", "Bot")


@dataclass
class Comment:
    id: int
    issue: int
    body: str
    user: Account | None  # None once the account was deleted
    created_at: datetime
    updated_at: datetime


@dataclass
class Pull:
    number: int
    head_ref: str
    head_sha: str
    head_owner: str
    head_repository: str | None  # None once the fork was deleted
    base_ref: str
    state: str
    created_at: datetime

    @property
    def label(self) -> str:
        return f"{self.head_owner}:{self.head_ref}"


@dataclass
class Run:
    id: int
    head_sha: str
    head_branch: str
    event: str
    head_repository: str | None
    conclusion: str
    pulls: list[Pull]  # GitHub tells none for a fork
    created_at: datetime


@dataclass
class Artifact:
    id: int
    run: Run
    name: str
    content: bytes
    expired: bool
    created_at: datetime


def zipped(files: dict[str, str]) -> bytes:
    """Zip files, given as their texts by name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def sha(text: str) -> str:
    """Make up the hash of a commit."""
    return (text.encode().hex() + "0" * 40)[:40]


@dataclass
class State:
    repository: str = "octo/spam"
    token: str = field(default_factory=lambda: f"ghs_{secrets.token_hex(18)}")
    actor: Account = ACTIONS_BOT  # whose token it is
    comments: list[Comment] = field(default_factory=list)
    pulls: list[Pull] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)
    _ids: Any = field(default_factory=lambda: itertools.count(1001))
    _now: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        """Tell the time, a second later each time that it is asked for."""
        self._now += timedelta(seconds=1)
        return self._now

    def add_comment(self, body: str, issue: int = 1, user: Account | None = ACTIONS_BOT) -> Comment:
        now = self.now()
        self.comments.append(Comment(next(self._ids), issue, body, user, now, now))
        return self.comments[-1]

    def add_pull(
        self,
        head_ref: str = "feature",
        head_repository: str | None = "octo/spam",
        head_sha: str = sha("head"),
        head_owner: str | None = None,
        base_ref: str = "main",
        state: str = "open",
    ) -> Pull:
        owner = head_owner or (head_repository or "ghost/spam").split("/")[0]
        number = len(self.pulls) + 1
        self.pulls.append(Pull(number, head_ref, head_sha, owner, head_repository, base_ref, state, self.now()))
        return self.pulls[-1]

    def add_run(
        self,
        head_branch: str = "feature",
        head_repository: str | None = "octo/spam",
        head_sha: str = sha("head"),
        event: str = "pull_request",
        conclusion: str = "success",
        pulls: tuple[Pull, ...] = (),
    ) -> Run:
        run = Run(next(self._ids), head_sha, head_branch, event, head_repository, conclusion, list(pulls), self.now())
        self.runs.append(run)
        return run

    def add_artifact(self, run: Run, name: str, content: bytes, expired: bool = False) -> Artifact:
        self.artifacts.append(Artifact(next(self._ids), run, name, content, expired, self.now()))
        return self.artifacts[-1]
