"""The checkout, and the versions of a file, as git has them. Git is asked, never changed.

What counts is what a branch had, one commit after the other: of a merge what it changed there. Nothing is fetched.
"""

import json
import os
import posixpath
import re
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha1, sha256
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeAlias

from pytest_bayesf1.errors import BaselineError, command_line, printable

_MOST_LINKS = 40
_LINK = b"120000"
_SUBMODULE = b"160000"
"""git's modes of a symbolic link, and of a submodule."""


class CheckedOut:
    """The files in their folders."""

    def read(self, path: Path) -> bytes | None:
        """Return a file's content; None when there is no such file."""
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            if path.is_symlink():
                raise BaselineError.plain(str(path), "A link that leads to no file") from None
            return None
        except OSError as error:
            raise BaselineError.plain(str(path), f"Cannot read the file: {error.strerror or error}") from error

    committed = read

    def of_gate(self, *, is_new: bool) -> Self:  # noqa: ARG002
        """Return the same: any gate reads what is checked out."""
        return self

    def require(self, path: Path) -> None:
        """Accept any file."""

    def changed(self, path: Path) -> bool:  # noqa: ARG002
        """Say no: these are the files that are checked out."""
        return False

    def copy(self, path: Path) -> Path:
        """Return the path: it can be read from where it is."""
        return path

    def repository(self, path: Path) -> "Repository | None":
        """Return the repository that a file is in, with its history up to the commit that is checked out."""
        with suppress(BaselineError):
            return Repository.around(path)
        return None


@dataclass(frozen=True)
class Revision:
    """The files of a commit; one that it lacks is an error, unless it is a new gate's.

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
    for_new_gate
        Whether the files that it lacks are read as they are checked out.
    """

    commit: str
    top: Path
    copies: Path
    for_new_gate: bool = False

    @classmethod
    def of(cls, ref: str, folder: Path, copies: Path) -> "Revision":
        """Find a commit in the repository that a folder is in."""
        commit, place = commit_of(ref, folder), _place(folder)
        if place is None:
            problem = f"{folder.resolve()} is in no git repository, which would know the commit {ref!r}"
            raise BaselineError.plain("", problem, "Run in a clone, or leave the option out.")
        if commit is None:
            advice = f"Fetch it first: {_command_to_fetch(ref)}"
            raise BaselineError.plain("", f"git knows no commit {ref!r} here", advice)
        if _is_submodule(place.top):
            problem = "The folder is a submodule of another repository, which a change may point anywhere"
            raise BaselineError.plain(str(place.top), problem)
        found = cls(commit, place.top, copies)
        if link := found._new_link_to(folder.resolve()):
            problem = f"A symbolic link leads here in the place of what the commit {commit[:10]} has of that name"
            raise BaselineError.plain(link, problem, "Run in the folder itself.")
        return found

    def _new_link_to(self, folder: Path) -> str:
        """Return a link in the place of something else in the commit, through which one may come to a folder."""
        changed = git(self.top, "diff-index", "--cached", "--raw", "-z", "--no-renames", self.commit) or b""
        fields = changed.split(b"\0")
        names = [os.fsdecode(name) for about, name in zip(fields[::2], fields[1::2], strict=False) if _LINK in about]
        leads_here = (name for name in names if (self.top / name).resolve() in (folder, *folder.parents))
        return next((name for name in leads_here if name in self._listed(name)), "")

    def of_gate(self, *, is_new: bool) -> Self:
        """Return the files for a gate that the commit lists, or for a new one."""
        return replace(self, for_new_gate=is_new)

    def repository(self, path: Path) -> "Repository":  # noqa: ARG002
        """Return the repository with its history up to the commit."""
        return Repository(self.top, self.commit)

    def read(self, path: Path) -> bytes | None:
        """Return a file's content in the commit, or for a new gate the one that is checked out."""
        committed = self.committed(path)
        if committed is not None:
            return committed
        self.require(path)
        return CHECKED_OUT.read(path)

    def require(self, path: Path) -> None:
        """Raise `BaselineError` for a file that is checked out, but that git keeps no version of to compare with."""
        if not os.path.lexists(path) or self.committed(path) is not None:
            return
        name, commit = self._name(path), self.commit[:10]
        there = f":(literal){os.path.relpath(path.resolve(), self.top.resolve())}"
        holds_it_soon = bool(git(self.top, "ls-files", "--cached", "--others", "--exclude-standard", "--", there))
        if not (self.for_new_gate and holds_it_soon):
            problem = f"git does not hold this file in the base commit {commit}, so a change could replace it unseen"
            how = "Add it" if self.for_new_gate else "First merge a change that adds it"
            advice = f"{how} to git, or to Git LFS: {command_line('git', 'add', '--force', name)}"
            raise BaselineError.plain(os.path.relpath(path), problem, advice)

    def changed(self, path: Path) -> bool:
        """Whether the file that is checked out is another one than the commit's, or new; line ends are git's matter."""
        committed = self.committed(path)
        try:
            now = CHECKED_OUT.read(path)
        except BaselineError:  # something else is in its place
            return True
        return _with_plain_line_ends(committed) != _with_plain_line_ends(now)

    def copy(self, path: Path) -> Path:
        """Return a copy of the commit's file, of the same name."""
        committed = self.committed(path)
        if committed is None:
            self.require(path)
            return path
        copy = self.copies / self._name(path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(committed)
        return copy

    def name_of(self, path: Path) -> str:
        """Name a file as the commit has it, whose links are followed; `BaselineError` where they lead nowhere."""
        name = self._name(path)
        for _ in range(_MOST_LINKS):
            link = self._link_on_the_way(name)
            if link is None:
                return name
            content = git(self.top, "cat-file", "blob", f"{self.commit}:{link}") or b""
            target = posixpath.join(posixpath.dirname(link), os.fsdecode(content))
            name = posixpath.normpath(posixpath.join(target, posixpath.relpath(name, link)))
            if posixpath.isabs(name) or name.split("/")[0] == "..":
                break
        raise BaselineError.plain(str(path), f"A link that leads to no file of the commit {self.commit[:10]}")

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

    def committed(self, path: Path) -> bytes | None:
        """Return a file's content in the commit; None where it has no such file."""
        name = self.name_of(path)
        if name not in self._listed(name):
            return None
        # as it is: filters would follow the attributes that are checked out, not those of the commit
        content = git(self.top, "cat-file", "blob", f"{self.commit}:{name}")
        if content is None:
            raise BaselineError.plain(str(path), f"git cannot read it in the commit {self.commit[:10]}")
        return self._kept_by_lfs(content, path) if is_lfs_pointer(content) else content

    def _kept_by_lfs(self, pointer: bytes, path: Path) -> bytes:
        """Return what a pointer stands for: the checked out file, if it is the same, or what Git LFS has fetched."""
        wanted = _LFS_OBJECT.search(pointer)
        place = _place(self.top)
        if wanted is not None and place is not None:
            digest = wanted[1].decode()
            stored = place.common / "lfs" / "objects" / digest[:2] / digest[2:4] / digest
            for each in (path, stored):
                with suppress(OSError):
                    content = each.read_bytes() if each.is_file() else b""
                    if sha256(content).hexdigest() == digest:
                        return content
        advice = f"Fetch it first: git lfs fetch origin {self.commit}"
        raise BaselineError.plain(str(path), f"Git LFS has not fetched its content in {self.commit[:10]}", advice)

    def _name(self, path: Path) -> str:
        """Name a file as the repository does: of the links on the way only those outside of it are followed."""
        named, top = Path(os.path.abspath(path)), self.top.resolve()  # noqa: PTH100 (resolve() would follow all links)
        root = next((folder for folder in reversed(named.parents) if folder.resolve() == top), None)
        if root is None:
            raise BaselineError.plain(str(path), f"The file is outside of the repository {top}")
        return named.relative_to(root).as_posix()


CHECKED_OUT = CheckedOut()
FileSource: TypeAlias = CheckedOut | Revision
"""Files by path."""


def _command_to_fetch(ref: str) -> str:
    """Return the command after which a clone with few commits or branches knows a commit by this name.

    Examples
    --------
    >>> print(_command_to_fetch("origin/dev"), _command_to_fetch("HEAD~1"), sep="; ")
    git fetch --depth=1 origin dev:refs/remotes/origin/dev; git fetch --deepen=100
    """
    if "~" in ref or "^" in ref:
        return "git fetch --deepen=100"
    branch = ref.removeprefix("origin/")
    to = f":refs/{'remotes' if branch != ref else 'heads'}/{ref}" if re.fullmatch(r"\w[\w./-]*", ref) else ""
    is_hash = re.fullmatch("[0-9a-f]{40}", ref) is not None
    return command_line("git", "fetch", "--depth=1", "origin", ref if is_hash else f"{branch}{to}")


def commit_of(ref: str, folder: Path) -> str | None:
    """Return the full hash of the commit that a name stands for; None where git knows none."""
    found = git(folder, "rev-parse", "--quiet", "--verify", "--end-of-options", f"{ref}^{{commit}}")
    return None if found is None else found.decode().strip()


_POINTER = b"version https://git-lfs.github.com/spec/"
_LFS_OBJECT = re.compile(rb"^oid sha256:([0-9a-f]{64})$", re.MULTILINE)


def is_lfs_pointer(content: bytes) -> bool:
    """Whether a content only says which file Git LFS keeps in another place."""
    return content.startswith(_POINTER)


def _with_plain_line_ends(content: bytes | None) -> bytes | None:
    return content if content is None or b"\0" in content else content.replace(b"\r\n", b"\n")


class _Place(NamedTuple):
    """Where a repository is: what git writes, and the root folder of the files."""

    git_dir: Path
    top: Path

    @property
    def common(self) -> Path:
        """What all worktrees of the repository share."""
        shared = CHECKED_OUT.read(self.git_dir / "commondir") or b"."
        return self.git_dir / os.fsdecode(shared.rstrip(b"\n"))


_SETTINGS = (
    "safe.bareRepository=explicit",
    "core.fsmonitor=",
    f"core.hooksPath={os.devnull}",
    "core.pager=cat",
    "core.askPass=",
    "credential.helper=",
    "log.showSignature=false",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "maintenance.auto=false",
    "gc.auto=0",
)
"""What keeps git from running another program, and from looking into other repositories."""

_SAFELY = ("git", "--no-pager", *(word for setting in _SETTINGS for word in ("-c", setting)))


def _command(folder: Path, *arguments: str) -> list[str] | None:
    """Make the command line of git for the repository around a folder; None where there is no repository."""
    place = _place(folder)
    if place is None:
        return None
    return [*_SAFELY, "-C", str(place.top), f"--git-dir={place.git_dir}", f"--work-tree={place.top}", *arguments]


def _place(folder: Path) -> _Place | None:
    """Find the repository that a folder is in."""
    here = folder.resolve()
    ceilings = {Path(each) for each in os.environ.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep) if each}
    for top in (here, *here.parents):
        if top != here and top in ceilings:
            break
        # git commits nothing of this name; a committed folder may look like a bare repository, which git would take
        if (top / ".git").is_file() or (top / ".git" / "HEAD").is_file():
            return _Place(_git_dir(top), top)
    return None


def _is_submodule(top: Path) -> bool:
    """Whether a repository is a submodule of the one around it."""
    around = _place(top.parent)
    if around is None:
        return False
    name = top.resolve().relative_to(around.top.resolve()).as_posix()
    listed = git(around.top, "ls-files", "--stage", "-z", "--", f":(literal){name}") or b""
    return listed.startswith(_SUBMODULE)


@cache
def _git_dir(top: Path) -> Path:
    """Let git follow what is there, and refuse a repository of another user: one that is named it would not check."""
    done = _run([*_SAFELY, "-C", str(top), "rev-parse", "--absolute-git-dir"])
    if done.returncode == 0:
        return Path(os.fsdecode(done.stdout.removesuffix(b"\n")))
    said = done.stderr.decode("utf-8", "replace").strip()
    trust = command_line("git", "config", "--global", "--add", "safe.directory", str(top))
    advice = f"If you trust it, run: {trust}" if "dubious ownership" in said else ""
    raise BaselineError.plain(str(top), f"git refuses this repository: {printable(said.partition(chr(10))[0])}", advice)


def git(folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> bytes | None:
    """Run git in the repository around a folder; None where there is none, or git fails."""
    command = _command(folder, *arguments)
    return None if command is None else _output(command, environment)


def _output(command: list[str], environment: Mapping[str, str] | None = None) -> bytes | None:
    done = _run(command, environment)
    return done.stdout if done.returncode == 0 else None


def _run(command: list[str], environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(command, capture_output=True, check=False, env=_surroundings(environment))  # noqa: S603 (the user's own git, no shell)
    except FileNotFoundError:
        raise BaselineError.plain("", "The command git is not there", "Install git.") from None


def _surroundings(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables that git sees: of its own none that could lead it to another repository or object."""
    known = {name: value for name, value in os.environ.items() if not _leads_astray(name)}
    return {**known, "GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1", **(more or {})}


def _leads_astray(name: str) -> bool:
    return name.startswith("GIT_") and not name.startswith("GIT_CONFIG")


@dataclass(frozen=True)
class Checkout:
    """What is checked out; what is unknown is empty.

    Attributes
    ----------
    commit
        Its full hash: of a pull request its last commit, not GitHub's merge of it.
    branch
        Or the tag.
    date
        The day of the commit as ISO 8601 writes it. No clock has a part in it: the same commit makes the same report.
    target
        The branch that a pull request is to be merged into.
    """

    commit: str = ""
    branch: str = ""
    date: str = ""
    target: str = ""

    @classmethod
    def of(cls, folder: Path, environment: Mapping[str, str] = os.environ) -> "Checkout":
        """Look at what is checked out now."""
        there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.is_dir())
        reported = _checkout_of_github(environment)
        commit, _, day = _said(there, "log", "-1", "--format=%H %cs").partition(" ")
        if reported.commit and reported.commit != commit:
            commit, day = reported.commit, _said(there, "log", "-1", "--format=%cs", reported.commit, "--") or day
        branch = reported.branch or _said(there, "symbolic-ref", "--quiet", "--short", "HEAD")
        return cls(commit, branch, day, reported.target)


def _said(folder: Path, *arguments: str) -> str:
    with suppress(BaselineError):  # without git nothing is known
        return (git(folder, *arguments) or b"").decode("utf-8", "replace").strip()
    return ""


def _checkout_of_github(environment: Mapping[str, str]) -> Checkout:
    if not environment.get("GITHUB_ACTIONS"):
        return Checkout()
    commit = _head_of_pull_request(environment) or environment.get("GITHUB_SHA", "")
    branch = environment.get("GITHUB_HEAD_REF") or environment.get("GITHUB_REF_NAME", "")
    return Checkout(commit, branch, target=environment.get("GITHUB_BASE_REF", ""))


def _head_of_pull_request(environment: Mapping[str, str]) -> str:
    """Return the commit that GitHub merged for a run on a pull request; empty in other runs."""
    try:
        event: Any = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_bytes())
        return str(event["pull_request"]["head"]["sha"])
    except (LookupError, OSError, RecursionError, TypeError, ValueError):
        return ""


_LOCALLY = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
"""Keep git from fetching what a partial clone lacks: newer versions by the first, older ones by the second."""

_FILE = ("100644", "100755")
_COMMIT, _END = "\x01", "\x1f"
_LOG = (
    *("log", "--first-parent", "-m", "--follow", "--raw", "--no-abbrev", "-z", "--encoding=UTF-8"),
    *("--no-ext-diff", "--no-textconv"),
    *("--no-show-signature", f"--format={_COMMIT}%H{_END}%cs{_END}%s"),
)
_LENGTH_OF_SHA1 = 40


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
        """Find the repository that a file is in, whether or not the file is still there."""
        there = next(each for each in path.absolute().parents if each.is_dir())
        commit, place = commit_of(ref, there), _place(there)
        if commit is None or place is None:
            raise BaselineError.plain(str(path), f"The file is in no git repository with the commit {ref!r}")
        return cls(place.top, commit)

    @property
    def has_parents(self) -> bool:
        """Whether there is any commit before it."""
        return commit_of(f"{self.commit}^", self.top) is not None

    @property
    def is_shallow(self) -> bool:
        """Whether older commits were left out when it was cloned."""
        return (git(self.top, "rev-parse", "--is-shallow-repository") or b"").strip() == b"true"

    def hash_of(self, content: bytes) -> str:
        """Return the hash that git knows a content by."""
        algorithm = sha1 if len(self.commit) == _LENGTH_OF_SHA1 else sha256
        return algorithm(b"blob %d\0%b" % (len(content), content)).hexdigest()

    def content(self, version: FileVersion) -> bytes:
        """Return the content of a file's version; raise `BaselineError` where this repository does not hold it."""
        content, name = git(self.top, "cat-file", "blob", version.blob, environment=_LOCALLY), Path(version.name).name
        if content is None:
            advice = "Fetch it: git fetch --refetch"
            raise BaselineError.plain(name, "This clone is a partial one, and lacks the content", advice)
        if is_lfs_pointer(content):
            raise BaselineError.plain(name, "It is in Git LFS, whose history git does not know")
        return content

    def versions(self, path: Path) -> list[FileVersion]:
        """List the versions of a file, the oldest first, also those of the names that it had before.

        Links are followed as the commit has them.
        """
        name = Revision(self.commit, self.top, Path()).name_of(path)
        found = git(self.top, *_LOG, self.commit, "--", f":(literal){name}", environment=_LOCALLY)
        newest_first = []
        commit = date = subject = ""
        parts = iter((found or b"").split(b"\0"))
        for part in parts:
            text = part.decode("utf-8", "replace").removeprefix("\n")
            if text.startswith(_COMMIT):
                commit, date, subject = text.removeprefix(_COMMIT).split(_END, 2)
            elif text.startswith(":"):
                _, mode, _, blob, status = text.split()
                is_new_name = status.startswith(("R", "C"))
                names = [next(parts) for _ in range(1 + is_new_name)]  # which may look like anything
                version = FileVersion(commit, date, subject, os.fsdecode(names[-1]), blob if mode in _FILE else "")
                newest_first.append(version)
                if status.startswith("C"):
                    break  # a copy: what it was made of is there still, and another file
        return newest_first[::-1]
