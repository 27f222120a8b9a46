"""The report files, written all or none."""

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path

from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports.render import html, markdown
from pytest_bayesf1.reports.report import Report


def write_report(report: Report, directory: Path) -> Path:
    """Write ``report.json``, ``report.md`` and ``report.html`` and return the path of the last.

    Everything is rendered and written under another name before the first older file is replaced.

    Raises
    ------
    RenderError
        When a file cannot be rendered or written; older files are then as they were.
    """
    texts = {"report.json": report.to_json(), "report.md": markdown(report), "report.html": html(report)}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        _replace_all({directory / name: text for name, text in texts.items()})
    except OSError as error:
        raise RenderError(f"{error.filename or directory}: {error.strerror or error}") from error
    return directory / "report.html"


def _replace_all(texts: dict[Path, str]) -> None:
    for path in texts:
        if path.is_dir():
            raise IsADirectoryError(0, "a directory is in the way", str(path))
    with ExitStack() as leftovers:
        written = {}
        for path, text in texts.items():
            written[path] = _write_beside(path, text)
            leftovers.callback(written[path].unlink, missing_ok=True)
        for path, temporary in written.items():
            temporary.replace(path)


def _write_beside(path: Path, text: str) -> Path:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    # a label may hold half of a surrogate pair, which UTF-8 cannot write
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(text)
    Path(temporary).chmod(0o666 & ~_umask())
    return Path(temporary)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
