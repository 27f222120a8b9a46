"""Writing a report in all chosen formats, and changed examples as CSV."""

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from pathlib import Path

from pytest_bayesf1.comparison.changes import Changes
from pytest_bayesf1.errors import RenderError, attempted, reason
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.writing import csv_text, encoded, write_all


def write_report(report: Report, where: Path) -> Path:
    """Write a report and return the path of the file for people.

    What cannot be rendered loses nothing else: a page says why, and `RenderError` is raised when all else is written.
    """
    if where.suffix == ".json":
        write_files({where: report.to_json()})
        return where
    pages = {where / name: attempted(partial(make, report)) for name, make in _PAGES.items()}
    texts = {path: _instead_of(page) if isinstance(page, Exception) else page for path, page in pages.items()}
    write_files({where / "report.json": report.to_json(), **texts})
    problems = [f"{path.name}: {reason(error)}" for path, error in pages.items() if isinstance(error, Exception)]
    if problems:
        raise RenderError(f"{'; '.join(problems)}. The other files are in {where}")
    return where / "report.html"


def write_files(contents: Mapping[Path, str]) -> None:
    """Write files, all or none; raise `RenderError` when that cannot be done."""
    try:
        write_all({path: encoded(text) for path, text in contents.items()})
    except OSError as error:
        raise RenderError(f"{error.filename or next(iter(contents)).parent}: {error.strerror or error}") from error


def _html(report: Report) -> str:
    from pytest_bayesf1.reports.html import html  # noqa: PLC0415 (JSON alone needs no template engine)

    return html(report)


def _markdown(report: Report) -> str:
    from pytest_bayesf1.reports.markdown import markdown  # noqa: PLC0415

    return markdown(report)


_PAGES: Mapping[str, Callable[[Report], str]] = {"report.md": _markdown, "report.html": _html}


def _instead_of(error: Exception) -> str:
    """Write a page that says why it is missing, in HTML that Markdown takes as it is."""
    said = f"Could not render this page: {reason(error)}. The results are in report.json."
    return f'<meta charset="utf-8">\n<pre>{escape(said)}</pre>\n'


def changes_csv(changes: Changes) -> str:
    """Write every example that changed, a row each; raise `InputError` where they are not known."""
    columns = changes.columns()
    return csv_text(list(columns), zip(*columns.values(), strict=True))
