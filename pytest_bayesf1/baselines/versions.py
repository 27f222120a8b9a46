"""Versions of a baseline as they can be compared: stored ones, and predictions or counts in any file."""

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from pytest_bayesf1.baselines.baseline import Baseline, is_baseline_text
from pytest_bayesf1.baselines.store import read_baseline, unpacked
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.files.tables import Reading
from pytest_bayesf1.git import Blobs, FileVersion, Repository
from pytest_bayesf1.settings import is_baseline

_POINTER = b"version https://git-lfs.github.com/spec/"
_AT_ONCE = 2


class VersionReader:
    """Reads versions of a file, of which it remembers the last two; to be used in a with block.

    Parameters
    ----------
    repository
        Whose history it is.
    reading
        How its versions are to be read that are no stored baseline.
    """

    def __init__(self, repository: Repository, reading: Reading) -> None:
        self._blobs, self._reading = Blobs(repository), reading
        self._folder = TemporaryDirectory(prefix="bayesf1-")
        self._of_blob = lru_cache(_AT_ONCE)(self._read)

    def __enter__(self) -> Self:
        """Let git begin when it is first asked."""
        self._blobs.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """Let git end, and leave no copy."""
        self._blobs.__exit__()
        self._folder.cleanup()

    def read(self, version: FileVersion) -> Baseline:
        """Read a version.

        Parameters
        ----------
        version
            One that is not deleted.

        Raises
        ------
        BaselineError, InputError
            When it is damaged, or not in this clone.
        """
        return self._of_blob(version.blob, Path(version.name).name)

    def read_file(self, path: Path, reading: Reading) -> Baseline:
        """Read a file that is checked out.

        Parameters
        ----------
        path
            A stored baseline, or predictions, or counts.
        reading
            How it is to be read where it is no stored baseline.

        Raises
        ------
        BaselineError, InputError
            When it cannot be read.
        """
        try:
            return self._parsed(path.name, path.read_bytes(), reading)
        except OSError as error:
            raise BaselineError(str(path), "a file that can be read", error.strerror or str(error)) from None

    def _read(self, blob: str, name: str) -> Baseline:
        content = self._blobs.read(blob)
        if content is None:
            found = "none: the clone is a partial one"
            raise BaselineError(name, "its content in this clone", found, "Fetch it: git fetch --refetch")
        if content.startswith(_POINTER):
            raise BaselineError(name, "predictions", "what Git LFS keeps in their place, of which git knows no history")
        return self._parsed(name, content, self._reading)

    def _parsed(self, name: str, content: bytes, reading: Reading) -> Baseline:
        place = Path(name)
        if is_baseline(name) and is_baseline_text(unpacked(place, content)):
            return read_baseline(place, content).baseline
        copy = Path(self._folder.name) / name
        copy.write_bytes(content)
        try:
            return Baseline("", read_side(copy, "version", reading).counts())
        except InputError as error:  # nobody knows the copy
            where = error.where.replace(str(copy), name)
            raise InputError(where, error.expected, error.found, error.advice) from None
