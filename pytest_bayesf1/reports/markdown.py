"""`Report` -> Markdown, as much of it as fits: details drop first, those of the worst last, then rows."""

from itertools import accumulate

from pytest_bayesf1.reports.markdown_pieces import markdown_pieces
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.stats.scalars import counted

_ROOM_FOR_NOTICES = 300


def markdown(report: Report, most_bytes: int | None = None) -> str:
    """Render Markdown as GitHub and others show it, of at most so many bytes in UTF-8 if told."""
    pieces = markdown_pieces(report)
    room = None if most_bytes is None else most_bytes - _size(pieces.head + pieces.table_head + pieces.foot)
    rows = _fitting(pieces.rows, room)
    details = _fitting(pieces.details, None if room is None else room - _size("".join(rows)))
    parts = [pieces.head, *([pieces.table_head, *rows] if rows else []), "\n"]
    if left := len(pieces.rows) - len(rows):
        parts.append(f"{counted(left, 'more comparison')} left out for want of room: see the whole report.\n\n")
    parts += details
    if left := len(rows) - len(details):
        parts.append(f"Details of {counted(left, 'comparison')} left out for want of room: see the whole report.\n\n")
    return "".join([*parts, pieces.foot])


def _fitting(pieces: list[str], room: int | None) -> list[str]:
    """Return the first pieces, as many as there is room for."""
    if room is None:
        return pieces
    return [
        piece
        for piece, used in zip(pieces, accumulate(map(_size, pieces)), strict=True)
        if used <= room - _ROOM_FOR_NOTICES
    ]


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
