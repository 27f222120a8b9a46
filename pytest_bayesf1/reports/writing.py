"""The report files, written all or none."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from pytest_bayesf1._util import write_all
from pytest_bayesf1.errors import RenderError
from pytest_bayesf1.reports.card import verdict_card
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.settings import PICTURES


def write_report(report: Report, where: Path) -> Path:
    """Write a report and return the path of the file for people.

    Parameters
    ----------
    where
        A directory for ``report.json``, ``report.md`` and ``report.html``, and for ``card.svg`` and ``card.png`` of the
        worst entry, if there is any; or a file that ends in ``.json``, for the JSON alone, which saves the time that
        rendering takes.

    Raises
    ------
    RenderError
        When a file cannot be rendered or written; older files are then as they were.
    """
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
    from pytest_bayesf1.reports.html.render import html  # noqa: PLC0415
    from pytest_bayesf1.reports.markdown.render import markdown  # noqa: PLC0415 (JSON alone needs no template engine)

    texts = {"report.json": report.to_json(), "report.md": markdown(report), "report.html": html(report)}
    return {directory / name: text for name, text in texts.items()}


def _pictures(report: Report, cards: Iterable[Path]) -> dict[Path, bytes]:
    if report.worst is None:
        return {}
    from pytest_bayesf1.figures.verdict_card import verdict_card_figure  # noqa: PLC0415 (it takes half a second)

    drawn = verdict_card_figure(verdict_card(report.worst, report.run), "card")
    return {path: drawn.file(path.suffix) for path in cards}
