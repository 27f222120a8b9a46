"""Every version of a file that git's history holds, and the contents of many of them at once.

What counts is what a branch had, one commit after the other: of a merge what it changed there. Nothing is fetched.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Self

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.git import Revision, commit_of, git

_LOCALLY = MappingProxyType({"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"})
"""Keep git from fetching what a partial clone lacks: newer versions by the first, older ones by the second."""

_FILE = ("100644", "100755")
_COMMIT, _END = "\x01", "\x1f"
_LOG = (
    *("log", "--first-parent", "-m", "--raw", "--no-renames", "--no-abbrev", "-z", "--encoding=UTF-8"),
    *("--no-show-signature", f"--format={_COMMIT}%H{_END}%cs{_END}%s"),
)
_RENAMES = ("diff-tree", "-r", "-M", "-z", "--raw", "--no-abbrev", "--no-commit-id", "--diff-filter=RD")
_PACKED = ".gz"
_WORDS_BEFORE_CONTENT = 3  # hash, type, size; of what is missing there are two


@dataclass(frozen=True)
class FileVersion:
    """A file as one commit left it.

    Attributes
    ----------
    commit
        Full hash.
    date
        Day of the commit, as ISO 8601 writes it.
    subject
        First line of its message.
    name
        Of the file in that commit, below the repository's root folder.
    blob
        Hash of the content; empty where the commit deleted the file, or put something else in its place.
    """

    commit: str
    date: str
    subject: str
    name: str
    blob: str


@dataclass(frozen=True)
class _Change:
    """What a commit did to a path; ``status`` is git's letter."""

    version: FileVersion
    status: str


@dataclass(frozen=True)
class Repository:
    """A repository's history up to a commit.

    Attributes
    ----------
    top
        Root folder.
    commit
        Full hash.
    """

    top: Path
    commit: str

    @classmethod
    def around(cls, path: Path, ref: str = "HEAD") -> "Repository":
        """Find the repository that a file is in, whether or not the file is still there.

        Raises
        ------
        BaselineError
            When there is none, or it has no such commit.
        """
        there = next(each for each in path.absolute().parents if each.is_dir())
        commit, top = commit_of(ref, there), git(there, "rev-parse", "--show-toplevel")
        if commit is None or top is None:
            raise BaselineError(str(path), "a file in a git repository", f"a folder without the commit {ref}")
        return cls(Path(os.fsdecode(top.removesuffix(b"\n"))), commit)

    @property
    def has_parents(self) -> bool:
        """Whether there is any commit before it."""
        return commit_of(f"{self.commit}^", self.top) is not None

    @property
    def is_shallow(self) -> bool:
        """Whether older commits were left out when it was cloned."""
        return (git(self.top, "rev-parse", "--is-shallow-repository") or b"").strip() == b"true"

    def versions(self, path: Path) -> list[FileVersion]:
        """List the versions of a file, the oldest first, also those of the names that it had before.

        Links are followed as the commit has them.

        Raises
        ------
        BaselineError
            When the file lies outside of the repository, or a link leads to none.
        """
        name = Revision(self.commit, self.top, Path()).name_of(path)
        return list(self._backwards(name))[::-1]

    def _backwards(self, name: str) -> Iterator[FileVersion]:
        start: str | None = self.commit
        while start is not None:
            now, start = start, None
            for change in self._changes(now, name):
                yield change.version
                former = self._former_name(change.version) if change.status == "A" else None
                if former is not None:
                    start, name = f"{change.version.commit}^", former
                    break

    def _changes(self, start: str, name: str) -> Iterator[_Change]:
        """List what commits did to a path, the newest first."""
        found = git(self.top, *_LOG, start, "--", f":(literal){name}", environment=_LOCALLY)
        commit = date = subject = ""
        parts = iter((found or b"").split(b"\0"))
        for part in parts:
            text = part.decode("utf-8", "replace").removeprefix("\n")
            if text.startswith(_COMMIT):
                commit, date, subject = text.removeprefix(_COMMIT).split(_END, 2)
            elif text.startswith(":"):
                next(parts)  # the name, which may look like anything
                _, mode, _, blob, status = text.split()
                version = FileVersion(commit, date, subject, name, blob if mode in _FILE else "")
                yield _Change(version, status[0])

    def _former_name(self, version: FileVersion) -> str | None:
        """Return the name that a commit renamed a file from: one that is gone, of much the same content or stem."""
        before = f"{version.commit}^"
        found = git(self.top, *_RENAMES, before, version.commit, environment=_LOCALLY) or b""
        parts = iter(os.fsdecode(found).split("\0"))
        deleted = []
        for part in parts:
            status = part[-4:].rpartition(" ")[2]
            if status.startswith("R"):
                old, new = next(parts), next(parts)
                if new == version.name:
                    return old
            elif status == "D":
                deleted.append(next(parts))
        return next((old for old in deleted if _stem(old) == _stem(version.name)), None)


def _stem(name: str) -> PurePosixPath:
    """Return a file's name without the suffix that says that it is compressed."""
    return PurePosixPath(name.removesuffix(_PACKED))


class Blobs:
    """Contents by their hashes, read by one process of git that ends with the block."""

    def __init__(self, repository: Repository) -> None:
        self._top = repository.top
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Begin; git itself begins with the first content that is asked for."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        if self._process is not None:
            with suppress(BrokenPipeError):
                self._process.communicate()
            self._process = None

    def read(self, blob: str) -> bytes | None:
        """Return a content; None where the repository lacks it."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.write(f"{blob}\n".encode())
            process.stdin.flush()
        head = process.stdout.readline().split()
        if not head:  # git gave up on a content that it would have to fetch
            self.__exit__()
        if len(head) != _WORDS_BEFORE_CONTENT:
            return None
        size = int(head[-1])
        return process.stdout.read(size + 1)[:size]

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            command = ["git", "-C", str(self._top), "cat-file", "--batch"]
            self._process = subprocess.Popen(  # noqa: S603 (the user's own git, no shell)
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_LOCALLY},
            )
        return self._process
