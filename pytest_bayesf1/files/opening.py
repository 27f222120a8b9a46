"""Opened files: unpacked, decoded, and never more than so many bytes."""

import bz2
import gzip
import io
import lzma
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, TextIO, TypeAlias
from zipfile import BadZipFile

from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.text import first_few, flowed
from pytest_bayesf1.writing import wide_text

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
_CUT: tuple[type[Exception], ...] = (BadZipFile, EOFError, gzip.BadGzipFile, *_PACKERS_ERRORS)
"""What is raised where a compressed file is damaged or cut."""


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


@contextmanager
def _member(path: Path) -> Iterator[IO[bytes]]:
    """Open the only file in an archive."""
    with Archive(path) as archive:
        try:
            with archive.open(_only_name(archive)) as file:
                yield file
        except NotImplementedError:
            raise InputError.plain("", "Python cannot read the compression of this archive", _BY_HAND) from None
        except RuntimeError as error:  # encrypted
            raise InputError.plain("", f"Cannot read the archive: {flowed(error)}", _BY_HAND) from None


_BY_HAND = "Unpack it first."


def _only_name(archive: ZipFile) -> str:
    names = [each.filename for each in archive.infolist() if not each.is_dir()]
    kept = [name for name in names if not any(part.startswith((".", "__MACOSX")) for part in name.split("/"))]
    if len(kept) != 1:
        found = first_few(map(shown, kept)) or "none"
        raise InputError("", "an archive with one file", found, "Unpack it, and name the file to read.")
    return kept[0]


_PACKED: dict[str, tuple[bytes, Callable[[Path], Any]]] = {
    ".gz": (b"\x1f\x8b", gzip.open),
    ".bz2": (b"BZh", bz2.open),
    ".xz": (b"\xfd7zXZ\0", lzma.open),
    ".zip": (b"PK\3\4", _member),
    ".zst": (b"\x28\xb5\x2f\xfd", zstd.open),
}
"""By suffix how a compressed file begins, and what opens it."""
PACKED = tuple(_PACKED)
_CALLED = MappingProxyType({".gz": "gzip", ".bz2": "bzip2", ".xz": "XZ", ".zip": "zip", ".zst": "Zstandard"})


def packed(path: Path) -> str:
    """Return the suffix that says how a file is compressed, such as ``.gz``; empty where none does."""
    suffix = path.suffix.lower()
    return suffix if suffix in _PACKED else ""


def unpacked_name(path: Path) -> str:
    """Return a file's name without what says that it is compressed; of an archive without any other the member's.

    Examples
    --------
    >>> unpacked_name(Path("out/new.CSV.gz")), unpacked_name(Path("new.csv"))
    ('new.CSV', 'new.csv')
    """
    if not packed(path):
        return path.name
    if packed(path) == ".zip" and not Path(path.stem).suffix and path.is_file():
        with _told(".zip"), Archive(path) as archive:
            return Path(_only_name(archive)).name
    return path.stem


@contextmanager
def _told(suffix: str) -> Iterator[None]:
    """Raise `InputError` for a compressed file that is damaged or cut."""
    try:
        yield
    except _CUT as error:
        raise InputError.plain("", f"Not a whole {_CALLED[suffix]} file: {flowed(error)}") from None


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """Open a text file, with or without a byte order mark, that may be compressed."""
    suffix = packed(path)
    with path.open("rb") as file:
        head = file.read(8)
    begins = next((each for each, (magic, _) in _PACKED.items() if head.startswith(magic)), "")
    if begins != suffix and begins:
        name = f"{path.stem if suffix else path.name}{begins}"
        problem = f"The content is compressed with {_CALLED[begins]}, which the name does not say"
        raise InputError.plain("", problem, f"Rename it to {name}.")
    opened = _PACKED[suffix][1](path) if suffix else path.open("rb")
    try:
        with _told(suffix), opened as file:
            buffered = io.BufferedReader(Bounded(file))
            if wide := wide_text(buffered.peek(4)[:4]):
                raise InputError.plain("", f"Not UTF-8, but {wide}", _SAVE_AS)
            yield io.TextIOWrapper(buffered, encoding="utf-8-sig", newline="")
    except UnicodeDecodeError as error:
        raise InputError.plain("", f"Not UTF-8: the byte 0x{error.object[error.start]:02x}", _SAVE_AS) from None


_SAVE_AS = "Save the file as UTF-8."
