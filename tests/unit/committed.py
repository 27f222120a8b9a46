"""A real git repository, made commit by commit."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

_ISOLATED = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


@dataclass
class Committed:
    """A repository whose commits are a day apart, the first on 1 May 2026."""

    path: Path
    n_commits: int = 0

    @classmethod
    def new(cls, path):
        path.mkdir(parents=True, exist_ok=True)
        repository = cls(path)
        repository.git("init", "-q", "-b", "main")
        return repository

    def git(self, *arguments):
        date = f"2026-05-{self.n_commits + 1:02}T12:00:00+00:00"
        known = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, **_ISOLATED}
        command = ["git", "-C", self.path, "-c", "user.name=a", "-c", "user.email=a@example.org", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, check=True, env={**os.environ, **known})
        return done.stdout.decode().strip()

    def write(self, name, content):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def commit(self, subject="a commit", **contents):
        """Commit what is there; return the full hash."""
        for name, content in contents.items():
            self.write(name, content)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        self.n_commits += 1
        return self.git("rev-parse", "HEAD")

    def shallow_clone(self, path, depth=1):
        self.git("clone", "-q", "--depth", depth, self.path.as_uri(), path)
        return path
