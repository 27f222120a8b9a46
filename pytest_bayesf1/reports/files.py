"""The report files, written all or none."""

from collections.abc import Mapping
from pathlib import Path

from pytest_bayesf1.atomic import write_all
from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.render import html
from pytest_bayesf1.reports.report import Report


def write_report(report: Report, directory: Path) -> Path:
    """Write ``report.json``, ``report.md`` and ``report.html`` and return the path of the last.

    Raises
    ------
    RenderError
        When a file cannot be rendered or written; older files are then as they were.
    """
    texts = {"report.json": report.to_json(), "report.md": markdown(report), "report.html": html(report)}
    write_texts({directory / name: text for name, text in texts.items()})
    return directory / "report.html"


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write files, all or none; raise `RenderError` when one cannot be written."""
    try:
        write_all({path: encoded(text) for path, text in texts.items()})
    except OSError as error:
        raise RenderError(f"{error.filename or next(iter(texts)).parent}: {error.strerror or error}") from error


def encoded(text: str) -> bytes:
    """Write a text as UTF-8; of a label that holds half of a surrogate pair, which UTF-8 cannot write, the number."""
    return text.encode("utf-8", "backslashreplace")
