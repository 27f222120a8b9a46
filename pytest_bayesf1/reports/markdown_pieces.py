"""`Report` -> the parts of which `markdown` makes a whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pytest_bayesf1.numerals import p_value
from pytest_bayesf1.reports.escaping import escape_markdown, escape_summary
from pytest_bayesf1.reports.notices import changed_line, incomplete_line
from pytest_bayesf1.reports.render import macros, template_errors
from pytest_bayesf1.reports.report import Report, name_of
from pytest_bayesf1.reports.wording import TESTED, factor_of

_TEMPLATE = "report.md.j2"


@dataclass(frozen=True)
class MarkdownPieces:
    """Parts of a Markdown report, one row and one fold of details an entry."""

    head: str
    table_head: str
    rows: list[str]
    details: list[str]
    foot: str


def markdown_pieces(report: Report) -> MarkdownPieces:
    """Render every part."""
    with template_errors(_TEMPLATE):
        piece = _macros()
        return MarkdownPieces(
            head=piece.head(report),
            table_head=piece.table_head(),
            rows=[piece.row(entry) for entry in report.entries],
            details=[piece.details(entry) for entry in report.entries],
            foot=piece.foot(report),
        )


@cache
def _macros() -> Any:
    return macros(
        _TEMPLATE,
        md=escape_markdown,
        name=name_of,
        summary=escape_summary,
        incomplete=lambda report: incomplete_line(report, escape_markdown),
        changed=lambda report: changed_line(report, escape_markdown),
        signed=lambda value: f"{value:+z.4f}",
        rope=_rope,
        score=lambda value: f"{value:.4f}",
        percent=lambda value: f"{100 * value:.1f}%",
        factor=factor_of,
        p_value=p_value,
        tested=TESTED.__getitem__,
    )


def _rope(rope: Sequence[float]) -> str:
    low, high = rope
    return f"±{high:g}" if -low == high else f"[{low:+g},&nbsp;{high:+g}]"
