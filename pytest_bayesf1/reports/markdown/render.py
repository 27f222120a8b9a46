"""`Report` -> Markdown, as much of it as fits: what passed drops first, explanations of the worst last."""

from itertools import accumulate

from pytest_bayesf1._util import counted
from pytest_bayesf1.reports.markdown.sections import Part, markdown_pieces
from pytest_bayesf1.reports.markdown.source import Source
from pytest_bayesf1.reports.report import Report

_ROOM_FOR_NOTICES = 400


def markdown(report: Report, most_bytes: int | None = None, source: Source | None = None) -> str:
    """Render Markdown as GitHub and others show it.

    Parameters
    ----------
    report
        Of any run.
    most_bytes
        Of the text in UTF-8; by default all that fits on a page.
    source
        Where its tests and gates can be read, if they are to be links.
    """
    pieces = markdown_pieces(report, source)
    room = None if most_bytes is None else most_bytes - _size(pieces.head + pieces.foot) - _ROOM_FOR_NOTICES
    texts = [pieces.head]
    for part in pieces.parts:
        text = _fitting(part, room)
        room = None if room is None else room - _size(text)
        texts.append(text)
    return "".join([*texts, pieces.foot])


def _fitting(part: Part, room: int | None) -> str:
    """Put the first pieces together, as many as there is room for, and say how many are left out."""
    kept = part.pieces
    if room is not None:
        kept = _first(kept, int(part.share * room) - _size(part.start + part.end))
    text = "".join([part.start, *kept, part.end]) if kept else ""
    left = len(part.pieces) - len(kept) + part.left_out
    if left:
        text += f"{counted(left, f'more {part.noun}')} in report.html.\n\n"
    return text


def _first(pieces: list[str], room: int) -> list[str]:
    return [piece for piece, used in zip(pieces, accumulate(map(_size, pieces)), strict=True) if used <= room]


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
