"""Files that are written whole or not at all, a cache of results, and what JSON and CSV look like."""

import csv
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from io import StringIO
from json import JSONEncoder
from json.encoder import encode_basestring
from math import inf, isfinite
from pathlib import Path
from stat import S_ISREG
from typing import Any, Generic, TypeVar

from pytest_bayesf1 import __version__


def encoded(text: str) -> bytes:
    """Write a text as UTF-8; of a label that holds half of a surrogate pair, which UTF-8 cannot write, the number."""
    return text.encode("utf-8", "backslashreplace")


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write files, all or none; folders that lack are made.

    Everything is written under another name before the first older file is replaced.
    """
    for path in contents:
        _require_no_link(path)
        make_folder(path.parent)
        if path.is_dir():
            raise IsADirectoryError(0, "a directory is in the way", str(path))
    with ExitStack() as leftovers:
        written = {}
        for path, content in contents.items():
            written[path] = _write_beside(path, content, leftovers)
        for path, temporary in written.items():
            temporary.replace(path)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; raise `OSError` that names a file instead of one."""
    if file := next((each for each in (folder, *folder.parents) if each.is_file()), None):
        raise NotADirectoryError(0, "a file is in the way", str(file))
    folder.mkdir(parents=True, exist_ok=True)


def _require_no_link(path: Path) -> None:
    """Refuse links, which would be replaced, or lead out of the repository: of folders all below its root."""
    here, absolute = Path.cwd(), Path(os.path.abspath(path))  # noqa: PTH100 (resolve would follow the links)
    top = next((each for each in (here, *here.parents) if (each / ".git").exists()), here)
    for each in (absolute, *absolute.parents):
        if each.is_symlink() and (each == absolute or top in each.parents):
            raise FileExistsError(0, "a symbolic link is in the way: write to what it names", str(each))


def _write_beside(path: Path, content: bytes, leftovers: ExitStack) -> Path:
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=_UNFINISHED)
    except OSError as error:
        error.filename = str(path)  # not the temporary name
        raise
    temporary = Path(name)
    leftovers.callback(temporary.unlink, missing_ok=True)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    temporary.chmod(0o666 & ~_umask())
    return temporary


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


_UNFINISHED = ".bayesf1"
"""How the names of locks and of files that are being written end; all begin with a dot."""

_LOCK_SECONDS = 60


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes from writing into a folder, and remove what processes that were killed left there.

    The lock is in the folder itself, so that all processes meet there, whatever their home and temporary directory.
    """
    from filelock import FileLock, SoftFileLock, Timeout  # noqa: PLC0415 (runs that write nothing need none)

    _require_no_link(folder)
    make_folder(folder)
    path = folder / f".lock{_UNFINISHED}"
    lock = FileLock(path)
    try:
        held = lock.acquire(timeout=_LOCK_SECONDS)
    except Timeout:
        found = f"one that another process has locked for {_LOCK_SECONDS} seconds"
        raise TimeoutError(f"{found} (wait until it has ended, or end it)") from None
    with held:
        removes_itself = isinstance(lock, SoftFileLock)  # where the file system knows no locks
        for left in {*folder.glob(f".*{_UNFINISHED}")} - {path}:
            with suppress(OSError):
                left.unlink()
        try:
            yield
        finally:
            if not removes_itself:
                with suppress(OSError):  # Windows: filelock removes it
                    path.unlink()  # before its release, so that those who wait see that it is gone, and make another


def seen_from(folder: Path, path: Path | str) -> str:
    """Name a file as one sees it from a folder, whatever the system writes between folders.

    Examples
    --------
    >>> seen_from(Path("gates"), Path("data/spam.csv"))
    '../data/spam.csv'
    """
    return Path(os.path.relpath(path, folder)).as_posix()


def fingerprint(parts: Iterable[str]) -> str:
    """Return a checksum of texts."""
    digest = sha256()
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\n")
    return f"sha256:{digest.hexdigest()[:32]}"


def short_fingerprint(parts: Iterable[str]) -> str:
    """Return the beginning of a checksum, enough to tell two apart."""
    return fingerprint(parts).removeprefix("sha256:")[:12]


_VARIABLE = "BAYESF1_CACHE"

_FOLDER = "pytest-bayesf1"

T = TypeVar("T")


def cache_folder() -> Path | None:
    """Return where results are kept; None where nothing is to be kept, or there is no home folder.

    The environment variable ``BAYESF1_CACHE`` names another folder; where it is empty nothing is kept.
    """
    chosen = os.environ.get(_VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    with suppress(RuntimeError):
        return _platform_folder() / _FOLDER
    return None


def _platform_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


class Cache(Generic[T]):
    """Results by what they were computed from, and by the version of this package that did it.

    Each entry holds a digest of itself and its origin. This finds damage, and entries that are not of this origin; it
    is no signature. Whoever may write into the folder may forge an entry, so only the user may (mode 0700). CI keeps
    nothing between runs unless a workflow restores the folder, and should then do so from trusted branches only.
    """

    def __init__(self, kind: str, revision: int, folder: Path | None, parsed: Callable[[Any], T]) -> None:
        self._folder = None if folder is None else folder / kind
        self._package, self._parsed = [__version__, revision], parsed

    def find(self, origin: Mapping[str, Any]) -> T | None:
        """Return a result; None where it is not there, or is not what was kept."""
        path = self._path(origin)
        with suppress(OSError, ValueError, RecursionError, TypeError, LookupError, AttributeError):
            if path is not None and S_ISREG(path.lstat().st_mode):
                entry = json.loads(path.read_bytes())
                if entry["digest"] == self._digest(origin, entry["result"]):
                    return self._parsed(entry["result"])
        return None

    def keep(self, origin: Mapping[str, Any], result: Any) -> None:
        """Keep a result; where that cannot be done it is computed again the next time."""
        path = self._path(origin)
        with suppress(OSError):
            if path is not None:
                for folder in (*reversed(path.parent.parents), path.parent):
                    folder.mkdir(mode=0o700, exist_ok=True)
                write_all({path: json.dumps({"digest": self._digest(origin, result), "result": result}).encode()})

    def _path(self, origin: Mapping[str, Any]) -> Path | None:
        if self._folder is None:
            return None
        digest = self._digest(origin)
        return self._folder / digest[:2] / f"{digest[2:]}.json"

    def _digest(self, origin: Mapping[str, Any], *result: Any) -> str:
        content = json.dumps([{"package": self._package, **origin}, *result], sort_keys=True)
        return sha256(content.encode()).hexdigest()


_NUMBERS = {int, float}

_SHORT = {str, int, float}
"""What is written without the time that an encoder takes to begin."""

_DIGITS = 12
"""The last ones change with versions of Python and numpy."""

_on_one_line = JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def json_text(document: Any, default: Callable[[Any], Any] | None = None, *, levels: float = inf) -> str:
    """Write a document of dicts, lists and tuples; raise `ValueError` for a number that is none.

    What lies deeper than so many levels is written on one line.
    """

    def short(value: str | float) -> str:
        if isinstance(value, float):
            return repr(float(f"{value:.{_DIGITS}g}")) if isfinite(value) else _on_one_line(value)
        return repr(value) if isinstance(value, int) else encode_basestring(value)

    def written(value: Any, depth: int) -> str:
        if type(value) in _SHORT:
            return short(value)
        end, begin, space = f"\n{' ' * depth}", f"\n{' ' * (depth + 1)}", " "
        if depth >= levels:
            end, begin, space = "", "", ""
        if isinstance(value, dict) and value:
            lines = [f"{encode_basestring(key)}:{space}{written(each, depth + 1)}" for key, each in value.items()]
            return f"{{{begin}{f',{begin}'.join(lines)}{end}}}"
        if isinstance(value, list | tuple) and value:
            if {*map(type, value)} <= _NUMBERS:
                return f"[{space}{f',{space}'.join(map(short, value))}{space}]"
            return f"[{begin}{f',{begin}'.join([written(each, depth + 1) for each in value])}{end}]"
        if default is None or value is None or isinstance(value, str | int | float | dict | list | tuple):
            return _on_one_line(value)
        return written(default(value), depth)

    return written(document, 0) + "\n"


_RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Write a table; no cell of it is one that a spreadsheet would run as a formula."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(_harmless, row) for row in rows)
    return text.getvalue()


def without_apostrophe(text: str) -> str:
    """Read a cell that `csv_text` wrote.

    Examples
    --------
    >>> without_apostrophe("'-1"), without_apostrophe("'tis")
    ('-1', "'tis")
    """
    return text[1:] if text.startswith("'") and text[1:].startswith(_RUN_BY_SPREADSHEETS) else text


def _harmless(value: Any) -> Any:
    """Put an apostrophe before a text that a spreadsheet would run as a formula; numbers are none."""
    if value is None or isinstance(value, int | float):
        return value
    text = str(value)
    return f"'{text}" if text.startswith(_RUN_BY_SPREADSHEETS) else text
