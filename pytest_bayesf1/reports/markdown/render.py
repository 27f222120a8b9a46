"""`Report` -> Markdown, as much of it as fits: details drop first, those of the worst last, then rows."""

from itertools import accumulate

from pytest_bayesf1.reports.markdown.sections import Part, markdown_pieces
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.text import counted

_ROOM_FOR_NOTICES = 400


def markdown(report: Report, most_bytes: int | None = None) -> str:
    """Render Markdown as GitHub and others show it, of at most so many bytes in UTF-8 if told."""
    pieces = markdown_pieces(report)
    room = None if most_bytes is None else most_bytes - _size(pieces.head + pieces.foot) - _ROOM_FOR_NOTICES
    texts = [pieces.head]
    for part, what in ((pieces.rows, ""), (pieces.details, "Details of "), (pieces.others, "Figures of ")):
        text = _fitting(part, what, room)
        room = None if room is None else room - _size(text)
        texts.append(text)
    return "".join([*texts, pieces.foot])


def _fitting(part: Part, what: str, room: int | None) -> str:
    """Put the first pieces together, as many as there is room for, and say how many are left out."""
    kept = part.pieces if room is None else _first(part.pieces, room - _size(part.start + part.end))
    text = "".join([part.start, *kept, part.end]) if kept else ""
    if left := len(part.pieces) - len(kept):
        more = counted(left, f"{'' if what else 'more '}comparison")
        text += f"{what}{more} left out for want of room: see the whole report.\n\n"
    return text


def _first(pieces: list[str], room: int) -> list[str]:
    return [piece for piece, used in zip(pieces, accumulate(map(_size, pieces)), strict=True) if used <= room]


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
