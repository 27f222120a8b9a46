"""The report files, written all or none."""

from collections.abc import Mapping
from pathlib import Path

from pytest_bayesf1.atomic import write_all
from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports.report import Report


def write_report(report: Report, where: Path) -> Path:
    """Write a report and return the path of the file for people.

    Parameters
    ----------
    where
        A directory for ``report.json``, ``report.md`` and ``report.html``; or a file that ends in ``.json``, for the
        JSON alone, which saves the time that rendering takes.

    Raises
    ------
    RenderError
        When a file cannot be rendered or written; older files are then as they were.
    """
    texts = {where: report.to_json()} if where.suffix == ".json" else _all_formats(report, where)
    write_texts(texts)
    return list(texts)[-1]


def _all_formats(report: Report, directory: Path) -> dict[Path, str]:
    from pytest_bayesf1.reports.html.render import html  # noqa: PLC0415
    from pytest_bayesf1.reports.markdown.render import markdown  # noqa: PLC0415 (JSON alone needs no template engine)

    texts = {"report.json": report.to_json(), "report.md": markdown(report), "report.html": html(report)}
    return {directory / name: text for name, text in texts.items()}


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write files, all or none; raise `RenderError` when one cannot be written."""
    try:
        write_all({path: encoded(text) for path, text in texts.items()})
    except OSError as error:
        raise RenderError(f"{error.filename or next(iter(texts)).parent}: {error.strerror or error}") from error


def encoded(text: str) -> bytes:
    """Write a text as UTF-8; of a label that holds half of a surrogate pair, which UTF-8 cannot write, the number."""
    return text.encode("utf-8", "backslashreplace")
