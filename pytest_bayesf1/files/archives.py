"""Zip archives and compressed files, which may be damaged, or small and yet endless once they are unpacked."""

import io
import struct
import zlib
from contextlib import suppress
from importlib import import_module
from lzma import LZMAError
from pathlib import Path
from typing import IO
from zipfile import BadZipFile, ZipFile

from pytest_bayesf1.errors import InputError

LARGEST = 2_000_000_000
"""Bytes that are read of one file once it is unpacked."""


def _with_zstandard() -> tuple[type[ZipFile], tuple[type[Exception], ...]]:
    """Return what opens archives, and its own errors; Python knows Zstandard from 3.14 on, before it an extra."""
    with suppress(ImportError):
        return ZipFile, (import_module("compression.zstd").ZstdError,)
    with suppress(ImportError):
        backport = import_module("backports.zstd.zipfile")
        return backport.ZipFile, (import_module("backports.zstd").ZstdError, backport.BadZipFile)
    return ZipFile, ()


_ZIP_FILE, _OWN_ERRORS = _with_zstandard()

DAMAGED: tuple[type[Exception], ...] = (
    BadZipFile,
    EOFError,
    LZMAError,
    LookupError,
    MemoryError,
    OverflowError,
    RuntimeError,
    ValueError,
    struct.error,
    zlib.error,
    *_OWN_ERRORS,
)
"""What zipfile raises for an archive that it cannot read, beside an `OSError`."""


class Bounded(io.RawIOBase):
    """The bytes of a file, up to `LARGEST` of them.

    Raises
    ------
    InputError
        On reading more.
    """

    def __init__(self, file: IO[bytes] | io.BufferedIOBase) -> None:
        self._file = file
        self._n_bytes = 0

    def readable(self) -> bool:
        """Tell that it can be read, as it always can."""
        return True

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override]
        """Read as many bytes as there is room for, or are left."""
        found = self._file.read(len(buffer))
        buffer[: len(found)] = found
        self._n_bytes += len(found)
        require_room(self._n_bytes)
        return len(found)


def open_zip(path: Path) -> ZipFile:
    """Open an archive; where nothing unpacks Zstandard, reading it is a `NotImplementedError`."""
    return _ZIP_FILE(path)


def require_room(n_bytes: int, where: str = "") -> None:
    """Raise `InputError` for more bytes than are read of one file."""
    if n_bytes > LARGEST:
        advice = "Compare counts, or data frames, which are counted where they are."
        raise InputError(where, f"at most {LARGEST:,} bytes once unpacked", "more", advice)
