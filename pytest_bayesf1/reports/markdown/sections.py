"""`Report` -> the parts of which `markdown` makes a whole."""

from dataclasses import dataclass
from functools import cache

from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry
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
from pytest_bayesf1.reports.notices import changed_line, incomplete_line
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.reports.templating import Templates
from pytest_bayesf1.results.decision import Decision

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
    """Parts of a Markdown report: one row per gate, a fold for each that needs attention, and one for the others."""

    head: str
    rows: Part
    details: Part
    others: Part
    foot: str


def markdown_pieces(report: Report) -> MarkdownPieces:
    """Render every part."""
    rows = [entry for entry in report.entries if not (entry.part and _is_other(entry))]
    others = [entry for entry in report.entries if _is_other(entry)]
    attention = [entry for entry in report.entries if not _is_other(entry)]
    with markdown_templates().macros("report.md.j2") as piece:
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


def _is_other(entry: AnyEntry) -> bool:
    """Whether nothing need be done about it: it needs no attention, nor is it a whole open question."""
    is_open = isinstance(entry, ComparisonEntry) and entry.decision == Decision.UNDECIDED and not entry.part
    return not (entry.needs_attention or is_open)


@cache
def markdown_templates() -> Templates:
    """Return the Markdown template."""
    return Templates(
        as_markdown,
        {
            "agreement": words.of_agreement,
            "change": words.change,
            "change_of_class": words.change_of_class,
            "change_of_part": words.change_of_part,
            "changed": lambda report: Markdown(changed_line(report, escape_name)),
            "chart": posterior_chart,
            "closest": words.of_closest,
            "code": code_block,
            "commit": words.commit,
            "decision": words.decision,
            "incomplete": lambda report: Markdown(incomplete_line(report, escape_name)),
            "md": escape_markdown,
            "name_md": escape_name,
            "sentence": words.sentence,
            "sign": words.sign,
            "summary": escape_summary,
            "rope": words.rope,
            "rope_words": words.rope_words,
            "verdict": words.verdict,
            "worst_classes": words.worst_classes,
            "worst_parts": words.worst_parts,
        },
    )
