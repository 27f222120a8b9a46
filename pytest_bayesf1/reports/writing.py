"""Writing a report in all chosen formats, and changed examples as CSV.

PYTEST_DONT_REWRITE
"""

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from pytest_bayesf1._util import csv_text, write_all
from pytest_bayesf1.comparison.changes import Changes
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.verdict_card import verdict_card
from pytest_bayesf1.settings import PICTURES


def write_report(report: Report, where: Path) -> Path:
    """Write a report and return the path of the file for people."""
    if where.suffix == ".json":
        write_files({where: report.to_json()})
        return where
    cards = [where / f"card{suffix}" for suffix in PICTURES]
    write_files({**_texts(report, where), **_pictures(report, cards)}, outdated=() if report.worst else cards)
    return where / "report.html"


def write_files(contents: Mapping[Path, str | bytes], outdated: Iterable[Path] = ()) -> None:
    """Write files, all or none, and remove what is outdated; raise `RenderError` when that cannot be done."""
    try:
        write_all({path: encoded(text) if isinstance(text, str) else text for path, text in contents.items()})
        for path in outdated:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise RenderError(f"{error.filename or next(iter(contents)).parent}: {error.strerror or error}") from error


def encoded(text: str) -> bytes:
    """Write a text as UTF-8; of a label that holds half of a surrogate pair, which UTF-8 cannot write, the number."""
    return text.encode("utf-8", "backslashreplace")


def _texts(report: Report, directory: Path) -> dict[Path, str]:
    from pytest_bayesf1.reports.html import html  # noqa: PLC0415
    from pytest_bayesf1.reports.markdown import markdown  # noqa: PLC0415 (JSON alone needs no template engine)

    texts = {"report.json": report.to_json(), "report.md": markdown(report), "report.html": html(report)}
    return {directory / name: text for name, text in texts.items()}


def _pictures(report: Report, cards: Iterable[Path]) -> dict[Path, bytes]:
    if report.worst is None:
        return {}
    from pytest_bayesf1.figures.card import verdict_card_figure  # noqa: PLC0415 (it takes half a second)

    drawn = verdict_card_figure(verdict_card(report.worst, report.run), "card")
    return {path: drawn.file(path.suffix) for path in cards}


_LONGEST_NAME = 100


def changes_csv(changes: Changes) -> str:
    """Write every example that changed, a row each; raise `InputError` where they are not known."""
    columns = changes.columns()
    return csv_text(list(columns), zip(*columns.values(), strict=True))


def changes_path(directory: Path, test: str, number: int) -> Path:
    """Name the file of a gate's changes."""
    readable = re.sub(r"[^\w.=-]+", "-", test).strip("-.")[:_LONGEST_NAME]
    digits = sha256(test.encode("utf-8", "backslashreplace")).hexdigest()[:8]
    return directory / f"{readable}-{digits}{f'-{number}' if number > 1 else ''}.csv"


def write_changes(result: object, path: Path) -> None:
    """Write the examples that changed, where they are known; raise `RenderError` when the file cannot be written."""
    changes = result.known_changes if isinstance(result, Comparison) else None
    if changes is not None and changes.knows_examples:
        write_files({path: changes_csv(changes)})
