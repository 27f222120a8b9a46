"""Where baselines are read from: the files that are checked out, or those of a commit that a change cannot reach."""

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pytest_bayesf1.errors import BaselineError


class Files(Protocol):
    """Files by path."""

    def read(self, path: Path) -> bytes | None:
        """Return a file's content; None when there is no such file."""
        ...

    def changed(self, path: Path) -> bool:
        """Whether the file that is checked out is another one."""
        ...

    def copy(self, path: Path) -> Path:
        """Return where the content can be read from; the path itself where there is no such file."""
        ...

    def deleted(self, patterns: Iterable[str]) -> list[Path]:
        """List the files with names of these patterns that are not checked out any more."""
        ...


class CheckedOut:
    """The files in their folders."""

    def read(self, path: Path) -> bytes | None:
        """Return a file's content; None when there is no such file."""
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def changed(self, path: Path) -> bool:  # noqa: ARG002
        """Never."""
        return False

    def copy(self, path: Path) -> Path:
        """Return the path."""
        return path

    def deleted(self, patterns: Iterable[str]) -> list[Path]:  # noqa: ARG002
        """None."""
        return []


@dataclass(frozen=True)
class Revision:
    """The files of a commit, and for those that it lacks the ones that are checked out.

    Attributes
    ----------
    commit
        Its full hash.
    top
        Root folder of the git repository.
    copies
        An empty folder for copies of files.
    """

    commit: str
    top: Path
    copies: Path

    @classmethod
    def of(cls, ref: str, folder: Path, copies: Path) -> "Revision":
        """Find a commit in the repository that a folder is in.

        Raises
        ------
        BaselineError
            When there is no such commit, or no repository.
        """
        found = _git(folder, "rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}")
        top = _git(folder, "rev-parse", "--show-toplevel")
        if found is None or top is None:
            advice = f"Fetch it first: git fetch --depth=1 origin {ref}"
            raise BaselineError("baseline-ref", "a commit that git knows here", repr(ref), advice)
        return cls(found.decode().strip(), Path(top.decode().strip()), copies)

    def read(self, path: Path) -> bytes | None:
        """Return a file's content in the commit, or else the one that is checked out."""
        committed = self._committed(path)
        return CheckedOut().read(path) if committed is None else committed

    def changed(self, path: Path) -> bool:
        """Whether the file that is checked out is another one than the commit's, or new."""
        return self._committed(path) != CheckedOut().read(path)

    def copy(self, path: Path) -> Path:
        """Return a copy of the commit's file, of the same name."""
        committed = self._committed(path)
        if committed is None:
            return path
        copy = self.copies / self._within(path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(committed)
        return copy

    def deleted(self, patterns: Iterable[str]) -> list[Path]:
        """List the commit's files with names of these patterns that are not checked out."""
        names = (_git(self.top, "ls-tree", "-r", "-z", "--name-only", self.commit) or b"").decode("utf-8", "replace")
        found = (self.top / name for name in names.split("\0") if name)
        return sorted(path for path in found if any(map(path.match, patterns)) and not path.exists())

    def _committed(self, path: Path) -> bytes | None:
        name = self._within(path).as_posix()
        if not _git(self.top, "ls-tree", "-z", self.commit, "--", f":(literal){name}"):
            return None
        # filters give what a checkout would: files kept by Git LFS, and the line ends of this platform
        content = _git(self.top, "cat-file", "--filters", f"{self.commit}:{name}")
        if content is None:
            raise BaselineError(str(path), f"a file that git can read in {self.commit}", "none")
        return content

    def _within(self, path: Path) -> Path:
        return path.resolve().relative_to(self.top.resolve())


def _git(folder: Path, *arguments: str) -> bytes | None:
    """Return what git says; None when it says no."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)  # noqa: S603, S607 (the user's own git, no shell)
    except FileNotFoundError:
        raise BaselineError("baseline-ref", "git", "no such command", "Install git.") from None
    return done.stdout if done.returncode == 0 else None
