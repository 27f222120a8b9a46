"""GitHub in memory: the methods of `GitHubApi` that the Action calls."""

from dataclasses import dataclass, field, replace

from pytest_bayesf1.github.api import ApiError, Artefact, Comment

BOT = "github-actions[bot]"


@dataclass
class MemoryGitHub:
    """One repository: open pull requests of one branch, their comments, and the artefacts of one finished run."""

    pulls: dict[int, str] = field(default_factory=dict)
    login: str = BOT
    threads: dict[int, list[Comment]] = field(default_factory=dict)
    uploads: list[tuple[Artefact, bytes]] = field(default_factory=list)
    refusals: dict[str, ApiError] = field(default_factory=dict)
    """What a method raises, by its name."""
    called: list[str] = field(default_factory=list)

    def _call(self, method: str) -> None:
        self.called.append(method)
        if method in self.refusals:
            raise self.refusals[method]

    def upload(self, name: str, content: bytes) -> None:
        self.uploads.append((Artefact(name, "", len(self.uploads)), content))

    def bodies(self, number: int = 1) -> list[str]:
        return [each.body for each in self.threads.get(number, [])]

    def own_login(self) -> str:
        self._call("own_login")
        return self.login

    def comments(self, number: int) -> list[Comment]:
        self._call("comments")
        return list(self.threads.get(number, []))

    def create(self, number: int, body: str) -> str:
        self._call("create")
        thread = self.threads.setdefault(number, [])
        thread.append(Comment(101 + len(thread), self.login, body))
        return f"pull/{number}#{thread[-1].number}"

    def update(self, number: int, comment: int, body: str) -> str:
        self._call("update")
        self.threads[number] = [
            replace(each, body=body) if each.number == comment else each for each in self.threads[number]
        ]
        return f"pull/{number}#{comment}"

    def head(self, number: int) -> str:
        self._call("head")
        return self.pulls[number]

    def heads(self, owner: str, branch: str) -> dict[int, str]:
        self._call("heads")
        return self.pulls if (owner, branch) == ("stranger", "better") else {}

    def artefacts(self, run_id: int) -> list[Artefact]:
        self._call("artefacts")
        return [artefact for artefact, _ in self.uploads] if run_id == 99 else []

    def download(self, artefact: Artefact, most_bytes: int) -> bytes:
        self._call("download")
        content = dict(self.uploads)[artefact]
        assert len(content) <= most_bytes
        return content
