"""NPZ archives, as numpy.savez writes them."""

from collections.abc import Mapping
from math import prod
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any
from zipfile import ZipFile

import numpy as np
from numpy.lib import format as npy

from pytest_bayesf1._util import require_once
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.archives import DAMAGED, require_room
from pytest_bayesf1.files.content import Content
from pytest_bayesf1.files.plain_values import columns_content

_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_DAMAGED_ARRAYS: tuple[type[Exception], ...] = (*DAMAGED, SyntaxError, TokenError, TypeError)
"""What numpy raises for an archive that it cannot read."""


def read_npz(path: Path, names: Mapping[str, str]) -> Content:
    """Read columns of predictions, or counts, by the names of the arrays.

    Parameters
    ----------
    path
        The archive.
    names
        What the file calls its columns, where that is said.

    Raises
    ------
    InputError
        When it holds neither.
    """
    try:
        _require_room_for_arrays(path)
        with np.load(path, allow_pickle=False) as archive:
            require_once(archive.files)
            return columns_content({name: _array(archive, name) for name in archive.files}, names)
    except InputError:
        raise
    except _DAMAGED_ARRAYS:
        raise InputError("", "arrays as numpy.savez writes them", "a damaged file or another format") from None


def _require_room_for_arrays(path: Path) -> None:
    """Raise `InputError` for arrays that are too large, before numpy makes room for what they say that they hold."""
    total = 0
    with ZipFile(path) as archive:
        for member in archive.infolist():
            require_room(total + member.file_size, member.filename)
            with archive.open(member) as file:
                total += max(_declared_size(file), member.file_size)
            require_room(total, member.filename)


def _declared_size(file: IO[bytes]) -> int:
    """Return as many bytes as an array says that it has; 0 for something else."""
    start = file.read(npy.MAGIC_LEN)
    if not start.startswith(npy.MAGIC_PREFIX):
        return 0
    shape, _, dtype = _HEADERS[tuple(start[-2:])](file)  # type: ignore[index]
    return prod(max(abs(length), 1) for length in (*shape, dtype.itemsize))


def _array(archive: Mapping[str, Any], name: str) -> Any:
    try:
        array = np.asarray(archive[name])
    except ValueError as error:
        if "Object arrays" not in str(error):
            raise
        advice = "Save it with .astype(str), or as numbers."
        raise InputError(name, "an array of numbers or text", "Python objects", advice) from None
    return array.astype(str) if array.dtype.kind == "M" else array  # Python has no nanoseconds
