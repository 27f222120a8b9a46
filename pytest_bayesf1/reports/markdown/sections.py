"""`Report` -> the parts of which `markdown` makes a whole."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from pytest_bayesf1.reports.gate_findings import NO_GATE, findings_told
from pytest_bayesf1.reports.headline import headline
from pytest_bayesf1.reports.markdown import words
from pytest_bayesf1.reports.markdown.escaping import (
    Markdown,
    as_markdown,
    code_block,
    escape_markdown,
    escape_name,
    escape_summary,
)
from pytest_bayesf1.reports.markdown.mermaid import posterior_chart
from pytest_bayesf1.reports.notices import changed_line, incomplete_line, never_true_told
from pytest_bayesf1.reports.redo import python_call, redo
from pytest_bayesf1.reports.render import macros, template_errors
from pytest_bayesf1.reports.report import Entry, Report, name_of, needs_attention
from pytest_bayesf1.reports.wording import factor_of, of_outcomes, tested
from pytest_bayesf1.text import counted, level, p_value, percent

_TEMPLATE = "report.md.j2"
_MOST_CHARTS = 10
"""Each is a page of its own for whoever reads the document on GitHub."""


@dataclass(frozen=True)
class Part:
    """A list of pieces that may be cut short, and what stands around it if any piece is left."""

    start: str
    pieces: list[str]
    end: str


@dataclass(frozen=True)
class MarkdownPieces:
    """Parts of a Markdown report: one row a gate, a fold for each that needs attention, and one for the others."""

    head: str
    rows: Part
    details: Part
    others: Part
    foot: str


def markdown_pieces(report: Report) -> MarkdownPieces:
    """Render every part."""
    rows = [entry for entry in report.entries if not (entry["part"] and _is_other(entry))]
    others = [entry for entry in report.entries if _is_other(entry)]
    attention = [entry for entry in report.entries if not _is_other(entry)]
    with template_errors(_TEMPLATE):
        piece = _macros()
        return MarkdownPieces(
            head=piece.head(report),
            rows=Part(piece.table_head(), [piece.row(entry) for entry in rows], "\n"),
            details=Part("", [piece.details(entry, n < _MOST_CHARTS) for n, entry in enumerate(attention)], ""),
            others=Part(
                piece.others_head(len(others), len(attention)),
                [piece.other(entry) for entry in others],
                "\n</details>\n\n",
            ),
            foot=piece.foot(report),
        )


def _is_other(entry: Entry) -> bool:
    """Whether nothing need be done about it: it needs no attention, nor is it a whole open question."""
    is_open = entry.get("decision") == "?" and not entry["part"]
    return not (needs_attention(entry) or is_open)


@cache
def _macros() -> Any:
    return macros(
        _TEMPLATE,
        as_markdown,
        agreement=words.of_agreement,
        change=words.change,
        changed=lambda report: Markdown(changed_line(report, escape_name)),
        chart=posterior_chart,
        closest=words.of_closest,
        code=code_block,
        count=lambda number: f"{number:,}",
        counted=counted,
        decision=words.decision,
        factor=factor_of,
        findings=findings_told,
        headline=headline,
        incomplete=lambda report: Markdown(incomplete_line(report, escape_name)),
        level=level,
        md=escape_markdown,
        name=name_of,
        name_md=escape_name,
        outcomes=of_outcomes,
        never_true=never_true_told,
        no_gate=lambda report: NO_GATE if report.verdict == "none" else "",
        p_value=p_value,
        percent=percent,
        python_call=python_call,
        redo=redo,
        score=lambda value: f"{value:.3f}",
        sentence=words.sentence,
        sign=words.sign,
        summary=escape_summary,
        tested=tested,
        tolerated=words.tolerated,
        tolerated_words=words.tolerated_words,
        verdict=words.verdict,
        worst_classes=words.worst_classes,
    )
