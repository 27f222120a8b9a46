"""Opened files: unpacked, decoded, and never more than so many bytes."""

import gzip
import io
import lzma
import struct
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TextIO, TypeAlias
from zipfile import BadZipFile

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.text import flowed

if sys.version_info >= (3, 14):
    from zipfile import BadZipFile as ZippedError
    from zipfile import ZipFile

    from compression import zstd
else:
    from backports import zstd
    from backports.zstd.zipfile import BadZipFile as ZippedError
    from backports.zstd.zipfile import ZipFile

Archive: TypeAlias = ZipFile
"""A zip file, whose members may be compressed with Zstandard."""

LARGEST = 2_000_000_000
"""Bytes that are read of one file once it is unpacked."""


_PACKERS_ERRORS = (ZippedError, zstd.ZstdError, lzma.LZMAError, zlib.error)
_PYTHONS_ERRORS = (BadZipFile, EOFError, LookupError, MemoryError, OverflowError, RuntimeError, ValueError)
DAMAGED: tuple[type[Exception], ...] = (*_PYTHONS_ERRORS, *_PACKERS_ERRORS, struct.error)
"""What zipfile raises for an archive that it cannot read, beside an `OSError`."""


@contextmanager
def whole(what: str, *signs: type[Exception]) -> Iterator[None]:
    """Raise `InputError` for a file that is not what its name says, or is damaged; some readers have more signs."""
    try:
        yield
    except InputError:
        raise
    except (*DAMAGED, *signs):
        raise InputError.plain("", f"Not {what}: it is damaged, or has another format") from None


class Bounded(io.RawIOBase):
    """The bytes of a file, up to `LARGEST` of them."""

    def __init__(self, file: IO[bytes] | io.BufferedIOBase) -> None:
        self._file, self._n_bytes = file, 0

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


def require_room(n_bytes: int, where: str = "") -> None:
    """Raise `InputError` for more bytes than are read of one file."""
    if n_bytes > LARGEST:
        advice = "Compare counts, or data frames, which stay where they are."
        raise InputError.plain(where, f"Larger than {LARGEST:,} bytes, once unpacked", advice)


PACKED = ".gz"
"""What the name of a compressed text file ends in."""


def _is_packed(path: Path) -> bool:
    return path.suffix.lower() == PACKED


def unpacked_name(path: Path) -> str:
    """Return a file's name without what says that it is compressed.

    Examples
    --------
    >>> unpacked_name(Path("out/new.CSV.gz")), unpacked_name(Path("new.csv"))
    ('new.CSV', 'new.csv')
    """
    return path.stem if _is_packed(path) else path.name


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """Open a text file, with or without a byte order mark, that may be compressed."""
    opened: Any = gzip.open if _is_packed(path) else Path.open
    try:
        with opened(path, "rb") as file:
            buffered = io.BufferedReader(Bounded(file))
            yield io.TextIOWrapper(buffered, encoding="utf-8-sig", newline="")
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError.plain("", f"Not a whole gzip file: {flowed(error)}") from None
    except UnicodeDecodeError as error:
        raise InputError.plain("", f"Not UTF-8: the byte 0x{error.object[error.start]:02x}", _SAVE_AS) from None


_SAVE_AS = "Save the file as UTF-8."
