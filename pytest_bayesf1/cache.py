"""Results that take long to compute, kept for the next time where the platform keeps such things: safe to delete."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, TypeVar

from pytest_bayesf1 import __version__
from pytest_bayesf1.atomic import write_all

_VARIABLE = "BAYESF1_CACHE"
_FOLDER = "pytest-bayesf1"
T = TypeVar("T")


def cache_folder() -> Path | None:
    """Return where results are kept; None where nothing is to be, or nobody has a home.

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

    Parameters
    ----------
    kind
        Of results, each of which has a folder of its own.
    revision
        Counts up when the same would be computed otherwise.
    folder
        Where they are kept; None to keep none.
    parsed
        Makes a result of what JSON knows of it; raises ValueError where it is none.
    """

    def __init__(self, kind: str, revision: int, folder: Path | None, parsed: Callable[[Any], T]) -> None:
        self._folder = None if folder is None else folder / kind
        self._package, self._parsed = [__version__, revision], parsed

    def find(self, origin: Mapping[str, Any]) -> T | None:
        """Return a result; None where it is not there, or cannot be read.

        Parameters
        ----------
        origin
            All that it was computed from.
        """
        path = self._path(origin)
        with suppress(OSError, ValueError, RecursionError):
            return None if path is None else self._parsed(json.loads(path.read_bytes()))
        return None

    def keep(self, origin: Mapping[str, Any], result: Any) -> None:
        """Keep a result; where that cannot be done it is computed again the next time.

        Parameters
        ----------
        origin
            As of `find`.
        result
            As JSON knows it.
        """
        path = self._path(origin)
        with suppress(OSError):
            if path is not None:
                write_all({path: json.dumps(result).encode()})

    def _path(self, origin: Mapping[str, Any]) -> Path | None:
        if self._folder is None:
            return None
        digest = sha256(json.dumps({"package": self._package, **origin}, sort_keys=True).encode()).hexdigest()
        return self._folder / digest[:2] / f"{digest[2:]}.json"
