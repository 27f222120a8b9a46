"""The page of a report: what the run came to, all gates in tables, what to do, and what to know."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from pytest_bayesf1.figures.pictures import Row as Bar
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, ErrorEntry, EstimateEntry, Gate, Report, VerdictName
from pytest_bayesf1.reports.page import (
    Advice,
    Block,
    Column,
    Fold,
    Notes,
    Page,
    Paragraph,
    Span,
    Style,
    Verdict,
    Words,
    table,
)
from pytest_bayesf1.reports.wording import (
    NO_GATE,
    about,
    advice_of,
    allowance,
    before_and_after,
    change_and_interval,
    changed_line,
    failed_parts,
    fitted,
    glyph,
    headline,
    incomplete_line,
    lacking,
    loosened_line,
    measure_of,
    not_as_listed_line,
    short_names,
    tally,
    with_commands,
    worst_parts,
)
from pytest_bayesf1.results.formatting import LONGEST_TEXT, Amounts, likely, name_text, scaled, shortened
from pytest_bayesf1.text import POINTS, first_few, one_line

_MOST_ADVICE, _MOST_NAMES = 3, 3
_LONGEST_MESSAGE = 300


@dataclass(frozen=True, kw_only=True)
class Extent:
    """How much of a report a format has room for; None is all of it.

    Attributes
    ----------
    rows
        Gates in the first table, the worst ones; a fold has the others.
    parts
        Classes and slices below a gate.
    lists_all
        Whether that table has the gates that passed and the parts that did not fail, too.
    notes, longest_note
        What is said about single gates.
    longest_name
        Columns of a gate's name.
    """

    rows: int | None = None
    parts: int | None = None
    lists_all: bool = False
    notes: int | None = 20
    longest_note: int = LONGEST_TEXT
    longest_name: int | None = None


TERMINAL = Extent(rows=25, parts=0, notes=3, longest_note=300)
VERBOSE = Extent(lists_all=True, notes=None)


@dataclass(frozen=True)
class _Line:
    """A gate, or a part of one, as a row of a table."""

    entry: AnyEntry
    verdict: Verdict
    name: Words
    said: Words = ""
    parts: tuple["_Line", ...] = ()

    @property
    def known(self) -> ComparisonEntry | EstimateEntry:
        """What has figures."""
        assert not isinstance(self.entry, ErrorEntry)
        return self.entry


def _columns(measure: str, likely: str) -> tuple[Column[_Line], ...]:
    return (
        Column("verdict", lambda line: line.verdict, "verdict"),
        Column(measure or "gate", lambda line: line.name, "name", order="name"),
        Column("before → after", lambda line: before_and_after(line.known)),
        Column("change", lambda line: Span(change_and_interval(line.known)[0], Style.STRONG), order="change"),
        Column(likely, lambda line: Span(change_and_interval(line.known)[1], Style.WHOLE), joined=True),
        Column("allow", lambda line: allowance(line.known), "number"),
        Column("in points; shaded: allowed", lambda line: _bar(line.known), "picture", drop_below=100),
    )


def _bar(entry: ComparisonEntry | EstimateEntry) -> Bar | None:
    """Draw changes in points; scores, and changes in other units, have another scale."""
    if isinstance(entry, EstimateEntry) or entry.custom_measure:
        return None
    factor = POINTS.factor
    return Bar(factor * entry.change, scaled(entry.hdi, factor), scaled(entry.rope, factor))


def page_of(report: Report, extent: Extent, link: Callable[[Gate], str] = lambda _: "") -> Page:
    """Put a report on a page; ``link`` says where a gate's name leads to."""
    gates, names = report.gates, short_names(gate.test for gate in report.gates)
    return Page(
        title=headline(report),
        verdict=report.verdict,
        tally=tuple(tally(report)) if len(gates) > 1 else (),
        run=report.run,
        accepted=tuple(_accepted(report, extent)),
        notes=(*_findings(report, extent), *_caveats(report, extent)),
        notices=tuple(_notices(report)),
        advice=tuple(_advice(report, names)),
        gates=tuple(_tables(report, names, extent, link)),
        sections=(),
    )


def _advice(report: Report, names: Mapping[str, str]) -> Iterator[Advice]:
    advised = advice_of(report.gates)
    for each in advised[:_MOST_ADVICE]:
        text, commands = with_commands(each.text)
        yield Advice(text, commands, about(each, names) if len(advised) > 1 else "")
    if report.verdict == "none":
        yield Advice(NO_GATE)


def _accepted(report: Report, extent: Extent) -> Iterator[Notes]:
    losses = [(each.name, f"{_loss(each)}. {each.advice}") for each in report.accepted]
    if losses:
        yield _notes(f"{len(losses):,} accepted loss{'' if len(losses) == 1 else 'es'}", losses, extent, "accepted")


def _loss(entry: ComparisonEntry) -> str:
    amounts = Amounts.of(entry)
    change = f"{name_text(entry.measure_words)} {amounts.with_unit(entry.change)}"
    return f"{change} ({likely(entry)} {amounts.interval(entry.hdi)})"


def _findings(report: Report, extent: Extent) -> Iterator[Notes]:
    """Yield how the gates differ from those of the manifest: first what loosens them."""
    if loosened := [(each.gate, each.text) for each in report.loosened]:
        yield _notes(loosened_line(report), loosened, extent, "loosened")
    others = [each for each in report.findings if not each.loosens]
    if others:
        yield _notes(not_as_listed_line(others), [(each.gate, each.text) for each in others], extent)


def _caveats(report: Report, extent: Extent) -> Iterator[Notes]:
    """Yield what to know of the test sets."""
    known = [each for each in report.entries if not isinstance(each, ErrorEntry) and not each.part and each.caveats]
    if rows := {each.test: " ".join(each.caveats) for each in known}:
        yield _notes("About the test sets:", list(rows.items()), extent)


def _notes(
    title: str, rows: Sequence[tuple[str, str]], extent: Extent, kind: Literal["", "loosened", "accepted"] = ""
) -> Notes:
    shown = [(name_text(name), shortened(one_line(text), extent.longest_note)) for name, text in rows[: extent.notes]]
    return Notes(title, tuple(shown), len(rows) - len(shown), kind)


def _notices(report: Report) -> Iterator[Paragraph]:
    if report.changed:
        yield Paragraph(changed_line(report), "notice")
    if not report.complete:
        yield Paragraph(incomplete_line(report), "failed")


_SEEN: tuple[VerdictName, ...] = ("failed", "error", "accepted", "warned", "expected")
_QUIET: Mapping[VerdictName, str] = {"undecided": "could not tell", "passed": "passed", "": "without a gate"}


def _tables(report: Report, names: Mapping[str, str], extent: Extent, link: Callable[[Gate], str]) -> Iterator[Block]:
    """Yield a table of the gates that somebody should see, and folds with the others."""
    gates = report.gates
    if extent.longest_name:
        names = dict(zip(names, fitted(names.values(), extent.longest_name), strict=True))
    measure, of_gate = measure_of(gates)
    level = next((likely(each) for each in report.entries if not isinstance(each, ErrorEntry)), "likely")

    def of(found: Sequence[Gate]) -> Block:
        lines = [_line(gate, Span(names[gate.test], Style.TITLE, link(gate)), of_gate(gate), extent) for gate in found]
        return table(
            "All gates",
            _columns(measure, level),
            lines,
            said=lambda line: line.said,
            row_kind=lambda line: line.verdict.name or "none",
            parts=lambda line: line.parts,
            kind="gates",
            noun="gate",
        )

    seen = gates if extent.lists_all or len(gates) == 1 else [gate for gate in gates if gate.verdict in _SEEN]
    if seen:
        yield of(seen[: extent.rows])
    if rest := seen[len(seen[: extent.rows]) :]:
        yield Fold(f"{len(rest):,} more", (of(rest),), rest[0].verdict, kind="quiet")
    for verdict, words in _QUIET.items():
        if quiet := [gate for gate in gates if gate.verdict == verdict and seen is not gates]:
            lacks = [f"{names[gate.test]} {lacking(gate.worst)}".rstrip() for gate in quiet if verdict == "undecided"]
            summary = f"{len(quiet):,} {words}{': ' if lacks else ''}{first_few(lacks, _MOST_NAMES)}"
            yield Fold(summary, (of(quiet),), verdict, kind="quiet")


def _line(gate: Gate, name: Span, measure: str, extent: Extent) -> _Line:
    whole = gate.whole
    aside = "; ".join(filter(None, (measure, lacking(gate.worst))))
    parts = gate.parts if extent.lists_all else gate.shown_parts
    said = ""
    if isinstance(whole, ErrorEntry):
        said = shortened(one_line(whole.headline), _LONGEST_MESSAGE)
    elif extent.parts == 0 and gate.worst.part:
        said = worst_parts(gate)
    return _Line(
        whole,
        Verdict(gate.verdict, glyph(gate.worst)),
        (name, failed_parts([gate]), Span(aside, Style.ASIDE)),
        said,
        tuple(_of_part(part) for part in islice(parts, extent.parts)),
    )


def _of_part(part: AnyEntry) -> _Line:
    is_error = isinstance(part, ErrorEntry)
    name = part.part or (part.test if isinstance(part, ErrorEntry) else part.measure_words)
    said = name_text(part.headline) if is_error else ""
    return _Line(part, Verdict(part.verdict), Span(name_text(name), Style.NAME), said)
