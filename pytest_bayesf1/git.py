"""git, and where files are read from: those that are checked out, or those of a commit that a change cannot reach."""

import os
import posixpath
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Protocol

from pytest_bayesf1.errors import BaselineError

_MOST_LINKS = 40
_LINK = b"120000"
"""git's mode of a symbolic link."""


class FileSource(Protocol):
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
        """Say no: these are the files that are checked out."""
        return False

    def copy(self, path: Path) -> Path:
        """Return the path: it can be read from where it is."""
        return path

    def deleted(self, patterns: Iterable[str]) -> list[Path]:  # noqa: ARG002
        """List none: what is deleted is not checked out."""
        return []


@dataclass(frozen=True)
class Revision:
    """The files of a commit, and for those that it lacks the ones that are checked out.

    Files are found by the paths that name them, and links are followed as the commit has them: a link that is checked
    out in the place of a file or folder of the commit leads nowhere.

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
        commit, top = commit_of(ref, folder), git(folder, "rev-parse", "--show-toplevel")
        if commit is None or top is None:
            advice = f"Fetch it first: git fetch --depth=1 origin {ref}"
            raise BaselineError("baseline-ref", "a commit that git knows here", repr(ref), advice)
        return cls(commit, Path(top.decode().strip()), copies)

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
        copy = self.copies / self._name(path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(committed)
        return copy

    def deleted(self, patterns: Iterable[str]) -> list[Path]:
        """List the commit's files with names of these patterns that are not checked out."""
        names = (git(self.top, "ls-tree", "-r", "-z", "--name-only", self.commit) or b"").decode("utf-8", "replace")
        found = (self.top / name for name in names.split("\0") if name)
        return sorted(path for path in found if any(map(path.match, patterns)) and not path.exists())

    def _committed(self, path: Path) -> bytes | None:
        return self._content(path, self.name_of(path))

    def name_of(self, path: Path) -> str:
        """Name a file as the commit has it, whose links are followed; `BaselineError` where they lead nowhere."""
        name = self._name(path)
        for _ in range(_MOST_LINKS):
            link = self._link_on_the_way(name)
            if link is None:
                return name
            target = posixpath.join(posixpath.dirname(link), self._target(link))
            name = posixpath.normpath(posixpath.join(target, posixpath.relpath(name, link)))
            if posixpath.isabs(name) or name.split("/")[0] == "..":
                break
        raise BaselineError(str(path), f"a file of the commit {self.commit[:10]}", "a link that leads to none")

    def _link_on_the_way(self, name: str) -> str | None:
        """Return the first link that a path of the commit leads to, itself included; None where there is none."""
        prefixes = list(accumulate(name.split("/"), posixpath.join))
        listed = self._listed(*prefixes)
        return next((prefix for prefix in prefixes if listed.get(prefix) == _LINK), None)

    def _listed(self, *names: str) -> dict[str, bytes]:
        """Return the modes of entries by their names, those of others beside them among them."""
        listed = git(self.top, "ls-tree", "-z", self.commit, "--", *(f":(literal){name}" for name in names))
        entries = (line.partition(b"\t") for line in (listed or b"").split(b"\0") if line)
        return {os.fsdecode(name): about.split()[0] for about, _, name in entries}

    def _target(self, link: str) -> str:
        return os.fsdecode(git(self.top, "cat-file", "blob", f"{self.commit}:{link}") or b"")

    def _content(self, path: Path, name: str) -> bytes | None:
        if name not in self._listed(name):
            return None
        # filters give what a checkout would: files kept by Git LFS, and the line ends of this platform
        content = git(self.top, "cat-file", "--filters", f"{self.commit}:{name}")
        if content is None:
            raise BaselineError(str(path), f"a file that git can read in {self.commit}", "none")
        return content

    def _name(self, path: Path) -> str:
        """Name a file as the repository does: of the links on the way only those outside of it are followed."""
        named, top = Path(os.path.abspath(path)), self.top.resolve()  # noqa: PTH100 (resolve() would follow all links)
        root = next((folder for folder in reversed(named.parents) if folder.resolve() == top), None)
        if root is None:
            raise BaselineError(str(path), f"a file inside the repository {top}", "one outside of it")
        return named.relative_to(root).as_posix()


def commit_of(ref: str, folder: Path) -> str | None:
    """Return the full hash of the commit that a name stands for; None where git knows none.

    Parameters
    ----------
    ref
        A hash, a branch, a tag or another name, never taken for an option.
    folder
        In the repository.
    """
    found = git(folder, "rev-parse", "--quiet", "--verify", "--end-of-options", f"{ref}^{{commit}}")
    return None if found is None else found.decode().strip()


def git(folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> bytes | None:
    """Run git, which asks nobody for a password.

    Parameters
    ----------
    folder
        Where it runs.
    environment
        Variables beside those of this process.

    Returns
    -------
    bytes or None
        What git says; None when it says no.

    Raises
    ------
    BaselineError
        When git is not installed.
    """
    command = ["git", "-C", str(folder), *arguments]
    surroundings = {**os.environ, "GIT_TERMINAL_PROMPT": "0", **(environment or {})}
    try:
        done = subprocess.run(command, capture_output=True, check=False, env=surroundings)  # noqa: S603 (the user's own git, no shell)
    except FileNotFoundError:
        raise BaselineError("baseline-ref", "git", "no such command", "Install git.") from None
    return done.stdout if done.returncode == 0 else None
