"""Where the baselines of a test module are kept: one file each, replaced atomically.

More than `MOST_AS_TEXT` examples are compressed, for nobody reviews a diff of that length: ``name.json.gz``.
"""

import gzip
import io
import os
import re
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from filelock import FileLock

from pytest_bayesf1._util import write_all
from pytest_bayesf1.baselines.baseline import Baseline, from_text, to_text
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.files.tables import Bounded
from pytest_bayesf1.git import CheckedOut, FileSource

MOST_AS_TEXT = 100_000
_SUFFIXES = (".json", ".json.gz")
_LONGEST_NAME = 100
_COMPRESSION = 6  # an eighth larger than at 9, in a fifth of the time
_LOCK_SECONDS = 60


@dataclass(frozen=True)
class Stored:
    """A baseline and the bytes that it was read from.

    Attributes
    ----------
    text
        The same content before it was compressed, whatever the ends of its lines in this checkout.
    """

    path: Path
    baseline: Baseline
    content: bytes
    text: str


@dataclass(frozen=True)
class BaselineStore:
    """The baselines of one test module, all in ``directory``; written there, but read from any ``files``."""

    directory: Path
    files: FileSource = CheckedOut()  # noqa: RUF009 (it has no state)

    def find(self, name: str) -> Stored | None:
        """Return the baseline of this name, if there is one.

        Parameters
        ----------
        name
            As the baseline itself has it: its file is named after it, in characters that every platform takes.

        Raises
        ------
        BaselineError
            When it cannot be read.
        """
        try:
            found = self._found(name, self.files)
        except OSError as error:
            raise BaselineError(str(self.directory), "a directory that can be read", str(error)) from error
        if not found:
            return None
        (path, content), *others = found.items()
        for other, _ in others:
            raise BaselineError(str(path), "one file per baseline", f"{other.name} too", "Delete the older one.")
        stored = _stored(path, content)
        if stored.baseline.name != name:
            another = f"that of {stored.baseline.name!r}"
            raise BaselineError(str(path), f"the baseline of {name!r}", another, "Pass check(..., name=...).")
        return stored

    def write(self, baseline: Baseline, replaces: Stored | None) -> Path | None:
        """Write a baseline in the place of the one that its candidate was compared with.

        Parameters
        ----------
        baseline
            The new one.
        replaces
            The old one; None when there is none.

        Returns
        -------
        Path or None
            The file; None when it holds the same already.

        Raises
        ------
        BaselineError
            When another process has written the baseline meanwhile, or the file cannot be written.
        """
        path, text = self.directory / _file_name(baseline), to_text(baseline)
        if replaces is not None and replaces.text == text:
            return None
        content = _encoded(text, path)
        try:
            with _locked(self.directory):
                now = self._found(baseline.name, CheckedOut())
                if now == {path: content}:
                    return None
                _require_unchanged(path, now, replaces)
                write_all({path: content})
                for other in set(now) - {path}:
                    other.unlink()
        except (OSError, TimeoutError) as error:
            raise BaselineError(str(path), "a file that can be written", str(error)) from error
        return path

    def _found(self, name: str, files: FileSource) -> dict[Path, bytes]:
        stem = file_stem(name)
        contents = {path: files.read(path) for path in (self.directory / f"{stem}{suffix}" for suffix in _SUFFIXES)}
        return {path: content for path, content in contents.items() if content is not None}


def read_baseline(path: Path, content: bytes | None = None) -> Stored:
    """Read a baseline.

    Parameters
    ----------
    path
        A file of a store, compressed or not.
    content
        What the file held in another version; None to read what it holds now.

    Raises
    ------
    BaselineError
        When it cannot be read.
    """
    return _stored(path, _content(path) if content is None else content)


def unpacked(path: Path, content: bytes | None = None) -> str:
    """Read a file's text.

    Parameters
    ----------
    path
        Compressed if it ends in ``.gz``.
    content
        What the file held in another version; None to read what it holds now.

    Returns
    -------
    str
        With line ends as they are written, whatever the checkout made of them.

    Raises
    ------
    BaselineError
        When it has no text.
    """
    return _text(path, _content(path) if content is None else content)


def _stored(path: Path, content: bytes) -> Stored:
    text = _text(path, content)
    return Stored(path, from_text(text, str(path)), content, text)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


def _text(path: Path, content: bytes) -> str:
    try:
        text = (_unpacked(content) if path.suffix == ".gz" else content).decode("utf-8", "surrogatepass")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, InputError) as error:
        raise _unreadable(path, error) from error
    return text.replace("\r\n", "\n")


def _unpacked(content: bytes) -> bytes:
    with gzip.open(io.BytesIO(content)) as file:
        return io.BufferedReader(Bounded(file)).read()


def _unreadable(path: Path, error: Exception) -> BaselineError:
    advice = "Restore the file from version control, or delete it and make it anew."
    return BaselineError(str(path), "a baseline that can be read", str(error), advice)


def _require_unchanged(path: Path, now: dict[Path, bytes], replaces: Stored | None) -> None:
    before = {} if replaces is None else {replaces.path: replaces.content}
    if now != before:
        raise BaselineError(
            str(path),
            "the baseline that the candidate was compared with",
            "one that another process has written meanwhile",
            "Run again; and give each test a baseline of its own: check(..., name=...).",
        )


def _encoded(text: str, path: Path) -> bytes:
    content = text.encode("utf-8", "surrogatepass")
    return gzip.compress(content, _COMPRESSION, mtime=0) if path.suffix == ".gz" else content


def _is_large(baseline: Baseline) -> bool:
    return baseline.counts.predictions is not None and baseline.counts.n_samples > MOST_AS_TEXT


def _file_name(baseline: Baseline) -> str:
    return file_stem(baseline.name) + _SUFFIXES[_is_large(baseline)]


def file_stem(name: str) -> str:
    """Make a file name that every platform takes of any name, and another one of every other name.

    Parameters
    ----------
    name
        Of a baseline.

    Returns
    -------
    str
        Without the suffix.
    """
    safe = re.sub(r"[^\w.,=+\[\]-]", "_", name, flags=re.ASCII)[:_LONGEST_NAME]
    return (
        safe
        if safe == name and safe.strip(".")
        else f"{safe}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    )


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other processes of this user from writing there; the lock leaves no trace beside the baselines."""
    user = os.path.expanduser("~")  # noqa: PTH111 (a user without a home has none in a path either, but no error)
    key = sha256(f"{user}\0{path.resolve()}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    with FileLock(Path(tempfile.gettempdir()) / f"bayesf1-{key}.lock", timeout=_LOCK_SECONDS):
        yield
