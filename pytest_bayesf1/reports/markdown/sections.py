"""`Report` -> the parts of which `markdown` makes a whole."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

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
from pytest_bayesf1.reports.markdown.source import Source
from pytest_bayesf1.reports.markdown.top import Top
from pytest_bayesf1.reports.notices import changed_line, incomplete_line
from pytest_bayesf1.reports.order import badness, by_gate
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.reports.templating import Templates
from pytest_bayesf1.reports.wording import bound, demanded
from pytest_bayesf1.results.comparison import Decision

_SHOWN = 8
"""Rows outside of folds, and results that are explained: while all folds are closed, three screens of a telephone."""


@dataclass(frozen=True)
class Part:
    """A list of pieces that may be cut short.

    Attributes
    ----------
    pieces
        One an entry, the worst first.
    noun
        What one more of them is called.
    start, end
        What stands around them if any is left.
    share
        How much of the room that is left when their turn comes they may take.
    left_out
        How many more there would be, whatever the room.
    """

    pieces: list[str]
    noun: str
    start: str = ""
    end: str = ""
    share: float = 1.0
    left_out: int = 0


@dataclass(frozen=True)
class MarkdownPieces:
    """A report in parts: the verdict card, those in the order in which they get their room, and where it comes from."""

    head: str
    parts: list[Part]
    foot: str


def markdown_pieces(report: Report, source: Source | None) -> MarkdownPieces:
    """Render every part.

    Parameters
    ----------
    report
        Of any run.
    source
        Where its tests and gates can be read; None where that is unknown.
    """
    top = Top.of(report)
    explained = [entry for entry in report.entries if not _is_quiet(entry)]
    if not explained and top.entry is not None:
        explained = [top.entry]
    told = [(top.entry, False)]
    troubled, quiet = ([] if rows == told else rows for rows in _rows(report))
    with markdown_templates().macros("report.md.j2") as piece:

        def rows(told: Iterable[Row]) -> list[str]:
            return [piece.row(entry, is_below, _url(source, entry)) for entry, is_below in told]

        def fold(told: list[Row]) -> Part:
            entries = [entry for entry, _ in told]
            start = piece.fold(min(entries, key=badness), words.tally(entries)) if entries else ""
            return Part(rows(told), "comparison", start, "\n</details>\n\n")

        explanations = [piece.details(entry, entry is top.entry) for entry in explained[:_SHOWN]]
        return MarkdownPieces(
            head=piece.head(report, top, source, _url(source, top.entry)),
            parts=[
                Part(rows(troubled[:_SHOWN]), "comparison", piece.table_head(), "\n"),
                Part(explanations, "explanation", share=0.75, left_out=len(explained[_SHOWN:])),
                fold([(entry, is_below and n > 0) for n, (entry, is_below) in enumerate(troubled[_SHOWN:])]),
                fold(quiet),
            ],
            foot=piece.foot(report),
        )


Row: TypeAlias = tuple[AnyEntry, bool]
"""An entry, and whether it is told below its gate."""


def _rows(report: Report) -> tuple[list[Row], list[Row]]:
    """Take apart which rows somebody should see, with the gates that they are parts of, and the others."""
    troubled: list[Row] = []
    quiet: list[Row] = []
    for gate in by_gate(report.entries):
        seen = [entry for entry in gate[1:] if not _is_quiet(entry)]
        if seen or not _is_quiet(gate[0]):
            troubled += _told_as_one([gate[0], *seen])
            quiet += _told_as_one(entry for entry in gate[1:] if _is_quiet(entry))
        else:
            quiet += _told_as_one(gate)
    return troubled, quiet


def _told_as_one(entries: Iterable[AnyEntry]) -> Iterator[Row]:
    return ((entry, place > 0) for place, entry in enumerate(entries))


def _is_quiet(entry: AnyEntry) -> bool:
    """Whether nothing need be done about it: it needs no attention, nor is it a whole open question."""
    is_open = isinstance(entry, ComparisonEntry) and entry.decision == Decision.UNDECIDED and not entry.part
    return not (entry.needs_attention or is_open)


def _url(source: Source | None, entry: AnyEntry | None) -> Markdown:
    return Markdown("" if source is None or entry is None else source.line_url(entry))


@cache
def markdown_templates() -> Templates:
    """Return the Markdown template."""
    return Templates(
        as_markdown,
        {
            "agreement": words.of_agreement,
            "before_after": words.before_after_cell,
            "bound": bound,
            "breakable": words.breakable,
            "change": words.change,
            "change_of_class": words.change_of_class,
            "change_of_part": words.change_of_part,
            "change_or_interval": words.change_or_interval,
            "changed": lambda report: Markdown(changed_line(report, escape_name)),
            "chart": posterior_chart,
            "closest": words.of_closest,
            "code": code_block,
            "commit": words.commit,
            "demanded": demanded,
            "examples": words.examples,
            "incomplete": lambda report: Markdown(incomplete_line(report, escape_name)),
            "md": escape_markdown,
            "name_md": escape_name,
            "sentence": words.sentence,
            "sign": words.sign,
            "summary": escape_summary,
            "rope": words.rope,
            "tally": words.tally,
            "worst_classes": words.worst_classes,
            "worst_parts": words.worst_parts,
        },
    )
