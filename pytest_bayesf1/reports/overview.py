"""The page of a report: what the run came to, all gates in tables, what to do, and what to know."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal, NamedTuple
from urllib.parse import quote

from pytest_bayesf1.figures.pictures import Bar
from pytest_bayesf1.reports import wording
from pytest_bayesf1.reports.entry import VERDICTS, Answered, AnyEntry, ComparisonEntry, Judged, Report, VerdictName
from pytest_bayesf1.reports.page import (
    Advice,
    Block,
    Column,
    Extent,
    Fold,
    Notes,
    Page,
    Paragraph,
    Span,
    Style,
    VerdictMark,
    Words,
    grid,
)
from pytest_bayesf1.reports.parts import bar_of
from pytest_bayesf1.reports.section import anchor, article, folded, lead
from pytest_bayesf1.text import begun, counted, first_few, flowed
from pytest_bayesf1.words.amounts import Amounts, likely, name_text, shortened
from pytest_bayesf1.words.results import allows, change_and_interval, observed

_MOST_ADVICE, _MOST_NAMES = 3, 3
_LONGEST_MESSAGE = 500
_MOST_OPEN, _FEWEST_TO_GROUP, _MOST_GROUPS = 50, 30, 40


@dataclass(frozen=True)
class _Line:
    """A gate, or a part of one, as a row of a table."""

    entry: AnyEntry
    verdict: VerdictMark
    name: Words
    said: Words = ""
    parts: tuple["_Line", ...] = ()

    @property
    def known(self) -> Answered:
        """What has figures."""
        assert self.entry.answered is not None
        return self.entry.answered

    @cached_property
    def change(self) -> tuple[str, str]:
        """The change and its interval."""
        return change_and_interval(self.known)


def _columns(measure: str, likely: str) -> tuple[Column[_Line], ...]:
    return (
        Column("verdict", lambda line: line.verdict, "verdict"),
        Column(measure or "gate", lambda line: line.name, "name", order="name"),
        Column("before → after", lambda line: observed(line.known)),
        Column("change", lambda line: Span(line.change[0], Style.STRONG), order="change"),
        Column(likely, lambda line: Span(line.change[1], Style.WHOLE)),
        Column("allow", lambda line: allows(line.known, line.entry.demanded) if line.entry.verdict else "", "number"),
        Column("in points; shaded: allowed", lambda line: _bar(line.entry), "picture", drop_below=100),
    )


def _bar(entry: AnyEntry) -> Bar | None:
    """Draw changes in points; scores, and changes in other units, have another scale."""
    return bar_of(entry) if isinstance(entry, ComparisonEntry) and not entry.custom_measure else None


def page_of(report: Report, extent: Extent, link: Callable[[Judged], str] = lambda _: "") -> Page:
    """Put a report on a page; ``link`` says where the name of a gate leads to that has no section on the page."""
    gates, names = report.gates, wording.short_names(gate.test for gate in report.gates)
    explained, left = _explained(gates, extent)
    anchors = {gate.test: f"#{anchor(gate)}" for gate in explained if extent.is_file}

    def leads_to(gate: Judged) -> str:
        return anchors.get(gate.test) or link(gate)

    alone = len(gates) == 1 and extent.sections > 0
    tables: Iterable[Block] = _tables(report, names, extent, leads_to)
    if alone:
        tables = lead(gates[0], (Span(names[gates[0].test], Style.TITLE, leads_to(gates[0])), ": "))
    return Page(
        title=wording.headline(report),
        sign=_sign(report),
        verdict=report.verdict,
        n_gates=len(gates),
        tally=tuple(wording.tally(gates)) if len(gates) > 1 else (),
        run=report.run,
        versions=tuple(report.versions.items()),
        accepted=tuple(_accepted(report, extent)),
        notes=tuple(_findings(report, extent)),
        caveats=tuple(_caveats(report, extent)),
        notices=tuple(_notices(report)),
        advice=tuple(_advice(report, () if alone and extent.is_file else wording.by_advice(gates), names, extent)),
        gates=() if alone and extent.is_file else tuple(tables),
        sections=tuple(_sections(explained, names, report, extent)),
        unexplained=left,
    )


def _sign(report: Report) -> str:
    """Show how the run came out."""
    match report.verdict:
        case "none" | "loosened":
            return "⚠️"
        case "passed":
            return VERDICTS["undecided" if any(gate.needs_attention for gate in report.gates) else "passed"].sign
        case verdict:
            return VERDICTS[verdict].sign


def _explained(gates: Sequence[Judged], extent: Extent) -> tuple[list[Judged], int]:
    """Return the gates that are explained, and how many more there is no room for."""
    if len(gates) == 1 or extent.is_file:
        grave = [gate for gate in gates if gate.verdict not in ("passed", "undecided")][: extent.sections]
        chosen = {gate.test for gate in (*grave, *_in_full(gates, extent))}
        return [gate for gate in gates if gate.test in chosen], 0
    found = [gate for gate in gates if gate.verdict in ("failed", "accepted", "warned")]
    found += [gate for gate in gates if gate.verdict == "passed" and (gate.needs_attention or _lacks_trend(gate))]
    known = [gate for gate in found if gate.whole.answered]
    return known[: extent.sections], len(known[extent.sections :])


def _in_full(gates: Sequence[Judged], extent: Extent) -> list[Judged]:
    """Return those with figures: first the ones that somebody should look at."""
    return sorted(gates, key=lambda gate: not gate.needs_attention)[: extent.in_full]


def _lacks_trend(gate: Judged) -> bool:
    trend = gate.whole.trend
    return trend is not None and bool(trend.problem)


def _sections(gates: Sequence[Judged], names: Mapping[str, str], report: Report, extent: Extent) -> Iterator[Block]:
    alone = len(report.gates) == 1
    if not extent.is_file:
        known = (gate for gate in gates if gate.whole.answered)
        yield from (folded(gate, names[gate.test], extent, alone=alone) for gate in known)
        return
    full = {gate.test for gate in _in_full(report.gates, extent)}
    advised_once = wording.by_advice(report.gates)[:_MOST_ADVICE]
    once = {gate.test for alike in advised_once for gate in alike if not alone}
    for gate in gates:
        is_full, advised = gate.test in full, gate.test not in once
        yield article(gate, names[gate.test], extent, in_full=is_full, advised=advised, alone=alone)


def _advice(
    report: Report, advised: Sequence[Sequence[Judged]], names: Mapping[str, str], extent: Extent
) -> Iterator[Advice]:
    """Yield what to do, once for all gates with the same advice; that of one gate is in its section."""
    for gates in advised[:_MOST_ADVICE]:
        yield Advice(*wording.to_do(gates, names), wording.about(gates, names) if len(advised) > 1 else "")
    if commands := wording.commands_to_accept(report.loosened):
        yield Advice(
            "To loosen a gate on purpose, accept the change and commit gates.json:", commands, "loosened gates"
        )
    if report.verdict == "none" and (report.entries or extent.sections):
        yield Advice(wording.NO_GATE)


def _accepted(report: Report, extent: Extent) -> Iterator[Notes]:
    if changes := [(each.gate, f"{each.text}. Accepted: {each.accepted}") for each in report.loosened_as_wanted]:
        yield _notes(f"{begun(wording.loosened(report.loosened_as_wanted))}.", changes, extent, "accepted")
    losses = [(each.name, f"{_loss(each)}. {each.advice}") for each in report.accepted]
    if losses:
        yield _notes(counted(len(losses), "accepted loss"), losses, extent, "accepted")


def _loss(entry: ComparisonEntry) -> str:
    amounts = Amounts.of(entry)
    change = f"{name_text(entry.measure_words)} {amounts.with_unit(entry.change)}"
    return f"{change} ({likely(entry)} {amounts.interval(entry.hdi)})"


def _findings(report: Report, extent: Extent) -> Iterator[Notes]:
    """Yield how the gates differ from those of the manifest: first what loosens them."""
    if loosened := [(each.gate, each.text) for each in report.loosened]:
        yield _notes(f"{begun(wording.loosened(report.loosened))}.", loosened, extent, "loosened")
    others = [each for each in report.findings if each.gate and not each.is_looser]
    if others:
        yield _notes(wording.not_as_listed_line(others), [(each.gate, each.text) for each in others], extent)


def _caveats(report: Report, extent: Extent) -> Iterator[Notes]:
    """Yield what to know of the test sets."""
    known = [each for each in report.entries if not each.part and each.caveats]
    if rows := {each.test: " ".join(each.caveats) for each in known}:
        yield _notes("About the test sets:", list(rows.items()), extent)


def _notes(
    title: str, rows: Sequence[tuple[str, str]], extent: Extent, kind: Literal["", "loosened", "accepted"] = ""
) -> Notes:
    shown = [(name_text(name), shortened(flowed(text), extent.longest_note)) for name, text in rows[: extent.notes]]
    return Notes(title, tuple(shown), len(rows) - len(shown), kind)


def _notices(report: Report) -> Iterator[Paragraph]:
    if report.changed:
        yield Paragraph(wording.changed_line(report), "notice")
    yield from (Paragraph(finding.text, "notice") for finding in report.findings if not finding.gate)
    if line := wording.attempts_line(report):
        yield Paragraph(line, "notice")
    if not report.complete:
        yield Paragraph(wording.incomplete_line(report), "failed")


_SEEN: tuple[VerdictName, ...] = ("failed", "error", "accepted", "warned", "expected")
_QUIET: Mapping[VerdictName, str] = {"undecided": "could not tell", "passed": "passed", "": "without a gate"}


def _tables(report: Report, names: Mapping[str, str], extent: Extent, link: Callable[[Judged], str]) -> Iterator[Block]:
    """Yield a table of the gates that somebody should see, and folds with the others."""
    gates = report.gates
    if extent.longest_name:
        names = dict(zip(names, wording.fitted(names.values(), extent.longest_name), strict=True))
    measure, of_gate = wording.measure_of(gates)
    level = next((likely(known) for each in report.entries if (known := each.answered)), "likely")

    def of(found: Sequence[Judged]) -> Block:
        lines = [
            _line(first, Span(_named([first, *others], names), Style.TITLE, link(first)), of_gate(first), extent)
            for first, *others in (_alike(found) if extent.sections == 0 else [[gate] for gate in found])
        ]
        return grid(
            "All gates",
            _columns(measure, level),
            lines,
            said=lambda line: line.said,
            verdict=lambda line: line.verdict.name,
            parts=lambda line: line.parts,
            kind="gates",
            noun="gate",
        )

    def inside(found: Sequence[Judged]) -> tuple[Block, ...]:
        return (of(found),) if extent.sections else ()  # a terminal shows no more than the summary

    if extent.is_file:
        yield from _groups(gates)
    seen = gates if extent.lists_all or len(gates) == 1 else [gate for gate in gates if gate.verdict in _SEEN]
    if seen:
        yield of(seen[: extent.gates])
    if rest := seen[len(seen[: extent.gates]) :]:
        yield Fold(counted(len(rest), "more gate"), inside(rest), rest[0].verdict, kind="quiet")
    for verdict, words in _QUIET.items():
        if quiet := [gate for gate in gates if gate.verdict == verdict and seen is not gates]:
            lacks = [
                f"{names[gate.test]} {wording.lacking(gate.worst)}".rstrip() for gate in quiet if verdict == "undecided"
            ]
            summary = f"{len(quiet):,} {words}{': ' if lacks else ''}{first_few(lacks, _MOST_NAMES, 'gate')}"
            is_open = len(quiet) == len(gates) <= _MOST_OPEN
            yield Fold(summary, inside(quiet), verdict, is_open, kind="quiet")


def _alike(gates: Iterable[Judged]) -> list[list[Judged]]:
    """Put gates together that have the same error; any other is alone."""
    found: dict[str, list[Judged]] = {}
    for gate in gates:
        found.setdefault(gate.whole.problem or gate.test, []).append(gate)
    return [*found.values()]


def _named(gates: Sequence[Judged], names: Mapping[str, str]) -> str:
    return first_few((names[gate.test] for gate in gates), _MOST_NAMES, "gate")


class _Group(NamedTuple):
    name: str
    gates: list[Judged]


def _group_name(group: _Group) -> Span:
    return Span(name_text(group.name), Style.NAME, f"#all&q={quote(group.name, errors='replace')}")


_GROUPS = (
    Column("file or prefix", _group_name, "name"),
    Column[_Group]("gates", lambda group: f"{len(group.gates):,}", "number"),
    Column[_Group]("came to", lambda group: ", ".join(text for _, text in wording.tally(group.gates)), "words"),
)


def _groups(gates: Sequence[Judged]) -> Iterator[Block]:
    """Count very many gates by file or prefix, the worst first."""
    files = {gate.test.partition("::")[0] for gate in gates}
    found: dict[str, list[Judged]] = {}
    for gate in gates:
        file, _, name = gate.test.partition("::")
        key = file if len(files) > 1 else re.split(r"[-_/.:\[ ]", name or file, maxsplit=1)[0]
        found.setdefault(key, []).append(gate)
    if len(gates) > _FEWEST_TO_GROUP and len(found) > 1:
        groups = [_Group(name, each) for name, each in found.items()][:_MOST_GROUPS]
        yield Fold("By file or prefix", (grid("Gates by file or prefix", _GROUPS, groups),), kind="groups")


def _line(gate: Judged, name: Span, measure: str, extent: Extent) -> _Line:
    whole = gate.whole
    aside = "; ".join(filter(None, (measure, wording.lacking(gate.worst))))
    parts = gate.parts if extent.lists_all else gate.shown_parts
    said = ""
    if not whole.answered:
        said = shortened(flowed(whole.headline), _LONGEST_MESSAGE)
    elif extent.parts == 0 and gate.worst.part:
        said = wording.worst_parts(gate)
    return _Line(
        whole,
        VerdictMark(gate.verdict, gate.worst.glyph),
        (name, wording.failed_parts([gate]), Span(aside, Style.ASIDE)),
        said,
        tuple(_of_part(part) for part in islice(parts, extent.parts)),
    )


def _of_part(part: AnyEntry) -> _Line:
    said = "" if part.answered else name_text(part.headline)
    return _Line(part, VerdictMark(part.verdict), Span(name_text(part.title), Style.NAME), said)
