"""Files written whole or not at all: a run that fails leaves the older files as they were."""

import os
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write files, all or none; folders that lack are made.

    Everything is written under another name before the first older file is replaced.

    Raises
    ------
    OSError
        When a file cannot be written; older files are then as they were.
    """
    for path in contents:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(0, "a directory is in the way", str(path))
    with ExitStack() as leftovers:
        written = {}
        for path, content in contents.items():
            written[path] = _write_beside(path, content, leftovers)
        for path, temporary in written.items():
            temporary.replace(path)


def _write_beside(path: Path, content: bytes, leftovers: ExitStack) -> Path:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
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
