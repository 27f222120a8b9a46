"""The report files, each written whole or not at all."""

import os
import tempfile
from pathlib import Path

from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports.render import html, markdown
from pytest_bayesf1.reports.report import Report


def write_report(report: Report, directory: Path) -> Path:
    """Write ``report.json``, ``report.md`` and ``report.html`` and return the path of the last.

    All three are rendered before the first is written, so that a failure leaves older files as they are.

    Raises
    ------
    RenderError
        When a file cannot be rendered or written.
    """
    texts = {"report.json": report.to_json(), "report.md": markdown(report), "report.html": html(report)}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            _write_atomically(directory / name, text)
    except OSError as error:
        raise RenderError(f"{directory}: {error.strerror or error}") from error
    return directory / "report.html"


def _write_atomically(path: Path, text: str) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
