"""The page of a report: what the run came to, all gates in tables, what to do, and what to know."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Literal, NamedTuple
from urllib.parse import quote

from pytest_bayesf1.errors import command_line
from pytest_bayesf1.figures.pictures import Bar
from pytest_bayesf1.reports.entry import VERDICTS, Answered, AnyEntry, ComparisonEntry, Judged, Report, VerdictName
from pytest_bayesf1.reports.page import (
    Advice,
    Block,
    Column,
    Extent,
    Fold,
    Grid,
    Notes,
    Page,
    Paragraph,
    Span,
    Style,
    VerdictMark,
    Words,
    grid,
)
from pytest_bayesf1.reports.section import anchor, article, bar_of, folded, lead
from pytest_bayesf1.results.run import Finding, FindingKind, ReadFrom
from pytest_bayesf1.text import begun, counted, first_few, fitted, flowed
from pytest_bayesf1.words.amounts import amount_needed, likely, name_text, shortened
from pytest_bayesf1.words.results import allows, change_and_interval, change_of_measure, observed

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
        Column("in points; shaded: allowed", lambda line: _bar(line.entry), "picture"),
    )


def _bar(entry: AnyEntry) -> Bar | None:
    """Draw changes in points; scores, and changes in other units, have another scale."""
    return bar_of(entry) if isinstance(entry, ComparisonEntry) and not entry.custom_measure else None


def page_of(report: Report, extent: Extent, link: Callable[[Judged], str] = lambda _: "") -> Page:
    """Put a report on a page; ``link`` says where the name of a gate leads to that has no section on the page."""
    gates, names = report.gates, _short_names(gate.test for gate in report.gates)
    explained = _explained(gates, extent)
    anchors = {gate.test: f"#{anchor(gate)}" for gate in explained if extent.is_file}

    def leads_to(gate: Judged) -> str:
        return anchors.get(gate.test) or link(gate)

    alone = len(gates) == 1 and extent.sections > 0
    tables: Iterable[Block] = _tables(report, names, extent, leads_to)
    if alone:
        tables = lead(gates[0], (Span(names[gates[0].test], Style.TITLE, leads_to(gates[0])), ": "))
    return Page(
        title=headline(report),
        sign=_sign(report),
        verdict=report.verdict,
        n_gates=len(gates),
        tally=tuple(_tally(gates)) if len(gates) > 1 else (),
        run=report.run,
        versions=tuple(report.versions.items()),
        accepted=tuple(_accepted(report, extent)),
        notes=tuple(_findings(report, extent)),
        caveats=tuple(_caveats(report, extent)),
        notices=tuple(_notices(report)),
        advice=tuple(_advice(report, () if extent.is_file else _by_advice(gates), names, extent)),
        gates=() if alone and extent.is_file else tuple(tables),
        sections=tuple(_sections(explained, names, report, extent)),
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


def _explained(gates: Sequence[Judged], extent: Extent) -> list[Judged]:
    """Return the gates that are explained."""
    if len(gates) == 1 or extent.is_file:
        grave = [gate for gate in gates if gate.verdict not in ("passed", "undecided")][: extent.sections]
        chosen = {gate.test for gate in (*grave, *_in_full(gates, extent))}
        return [gate for gate in gates if gate.test in chosen]
    found = [gate for gate in gates if gate.verdict in ("failed", "accepted", "warned")]
    found += [gate for gate in gates if gate.verdict == "passed" and (gate.needs_attention or _lacks_trend(gate))]
    return [gate for gate in found if gate.whole.answered][: extent.sections]


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
    for gate in gates:
        advice = [Advice(*_to_do([gate], {}), titled=gate.verdict != "accepted")] if gate.worst.advice else []
        yield article(gate, names[gate.test], extent, advice, in_full=gate.test in full, alone=alone)


def _advice(
    report: Report, advised: Sequence[Sequence[Judged]], names: Mapping[str, str], extent: Extent
) -> Iterator[Advice]:
    """Yield what to do, once for all gates with the same advice; on a page it is in their sections."""
    for gates in advised[:_MOST_ADVICE]:
        yield Advice(*_to_do(gates, names), _about(gates, names) if len(advised) > 1 else "")
    if commands := _commands_to_accept(report.loosened, extent.root):
        yield Advice(
            "To loosen a gate on purpose, accept the change and commit gates.json:", commands, "loosened gates"
        )
    if report.verdict == "none" and (report.entries or extent.sections):
        yield Advice(_NO_GATE)


def _accepted(report: Report, extent: Extent) -> Iterator[Notes]:
    if changes := [(each.gate, f"{each.text}. Accepted: {each.accepted}") for each in report.loosened_as_wanted]:
        yield _notes(f"{begun(_loosened(report.loosened_as_wanted))}.", changes, extent, "accepted")
    losses = [(each.name, f"{change_of_measure(each)}. {each.advice}") for each in report.accepted]
    if losses:
        yield _notes(counted(len(losses), "accepted loss"), losses, extent, "accepted")


def _findings(report: Report, extent: Extent) -> Iterator[Notes]:
    """Yield how the gates differ from those of the manifest: first what loosens them."""
    if loosened := [(each.gate, each.text) for each in report.loosened]:
        yield _notes(f"{begun(_loosened(report.loosened))}.", loosened, extent, "loosened")
    others = [each for each in report.findings if each.gate and not each.is_looser]
    if others:
        number = len({each.gate for each in others})
        title = (
            f"{counted(number, 'gate')} {'is' if number == 1 else 'are'} not as listed in gates.json, but no looser."
        )
        yield _notes(title, [(each.gate, each.text) for each in others], extent)


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
        yield Paragraph(_changed_line(report), "notice")
    yield from (Paragraph(finding.text, "notice") for finding in report.findings if not finding.gate)
    if line := _attempts_line(report):
        yield Paragraph(line, "notice")
    if not report.complete:
        lacking = f"{counted(len(report.missing), 'test')} did not finish: {_first_names(report.missing)}"
        yield Paragraph(f"Incomplete: {lacking}", "failed")


_SEEN: tuple[VerdictName, ...] = ("failed", "error", "accepted", "warned", "expected")
_QUIET: tuple[VerdictName, ...] = ("undecided", "passed", "")


def _tables(report: Report, names: Mapping[str, str], extent: Extent, link: Callable[[Judged], str]) -> Iterator[Block]:
    """Yield a table of what failed, warned or is clearly better, and folds with the other gates."""
    gates = report.gates
    if extent.longest_name:
        names = dict(zip(names, fitted(names.values(), extent.longest_name), strict=True))
    measure, of_gate = _measure_of(gates)
    level = next((likely(known) for each in report.entries if (known := each.answered)), "likely")

    def of(found: Sequence[Judged]) -> Grid:
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
        if extent.sections == 0:  # no more than the summary
            return ()
        shown = found[: extent.folded]
        return (replace(of(shown), left=len(found) - len(shown)),)

    if extent.is_file:
        yield from _groups(gates)
    lists_all = extent.lists_all or len(gates) == 1
    seen = [gate for gate in gates if lists_all or gate.verdict in _SEEN or gate.is_better]
    if seen:
        yield of(seen[: extent.gates])
    if rest := seen[len(seen[: extent.gates]) :]:
        n_better = sum(gate.is_better for gate in rest)
        better = f", {n_better:,} clearly better" if n_better else ""
        yield Fold(f"{counted(len(rest), 'more gate')}{better}", inside(rest), rest[0].verdict, kind="quiet")
    for verdict in _QUIET:
        if quiet := [gate for gate in gates if gate.verdict == verdict and not (lists_all or gate.is_better)]:
            lacks = [f"{names[gate.test]} {_lacking(gate.worst)}".rstrip() for gate in quiet if verdict == "undecided"]
            follows = verdict == "passed" and any(gate.is_better for gate in seen)
            number = f"{len(quiet):,} more passed" if follows else VERDICTS[verdict].counted(len(quiet))
            summary = f"{number}{': ' if lacks else ''}{first_few(lacks, _MOST_NAMES, 'gate')}"
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
    Column[_Group]("came to", lambda group: ", ".join(text for _, text in _tally(group.gates)), "words"),
)


def _groups(gates: Sequence[Judged]) -> Iterator[Block]:
    """Count very many gates by file or prefix, the worst first."""
    files = {gate.test.partition("::")[0] for gate in gates}
    found: dict[str, list[Judged]] = {}
    for gate in gates:
        file, _, name = gate.test.partition("::")
        key = file if len(files) > 1 else re.split(r"[-_/.:\[ ]", name or file, maxsplit=1)[0]
        found.setdefault(key, []).append(gate)
    if len(gates) > _FEWEST_TO_GROUP and 1 < len(found) < len(gates):
        groups = [_Group(name, each) for name, each in found.items()][:_MOST_GROUPS]
        yield Fold(
            "By file or prefix", (grid("Gates by file or prefix", _GROUPS, groups),), is_open=True, kind="groups"
        )


def _line(gate: Judged, name: Span, measure: str, extent: Extent) -> _Line:
    whole = gate.whole
    aside = "; ".join(filter(None, (measure, _lacking(gate.worst))))
    parts = gate.parts if extent.lists_all else gate.shown_parts
    said = ""
    if not whole.answered:
        said = shortened(flowed(whole.headline), _LONGEST_MESSAGE)
    elif extent.parts == 0 and gate.worst.part:
        said = _worst_parts(gate)
    return _Line(
        whole,
        VerdictMark(gate.verdict, gate.worst.glyph),
        (name, _failed_parts([gate]), Span(aside, Style.ASIDE)),
        said,
        tuple(_of_part(part) for part in islice(parts, extent.parts)),
    )


def _of_part(part: AnyEntry) -> _Line:
    said = "" if part.answered else name_text(part.headline)
    return _Line(part, VerdictMark(part.verdict), Span(name_text(part.title), Style.NAME), said)


_NO_GATE = (
    "No gate ran, so nothing can have failed, and nothing has passed. A comparison becomes a gate by assert_not_worse, "
    "bayes_regression or a gate file."
)


def headline(report: Report) -> str:
    """Say in a line what the run came to: ``3 of 20 gates failed (5 of 60 classes) · blocks merge``."""
    clauses = [_outcome(report)]
    if report.loosened and report.verdict == "loosened":
        clauses.insert(0, _loosened(report.loosened))
    if report.loosened_as_wanted:
        clauses.insert(0, f"{_loosened(report.loosened_as_wanted)}, as accepted")
    text = "; ".join(clauses)
    if not report.complete:
        text = f"incomplete, {counted(len(report.missing), 'test')} did not finish: {text}"
    blocks = report.counts.failed or report.counts.error or not report.complete
    return f"{begun(text)} · blocks merge" if blocks else begun(text)


def _outcome(report: Report) -> str:
    """Say how the gates came out, as pytest counts them; classes and slices in brackets: a clause."""
    counts = report.counts
    if counts.judged == 0:
        looked = f": {counted(counts.total, 'comparison')} without a gate" if counts.total else ""
        return f"no gate ran{looked}"
    gravest = next(verdict for verdict in VERDICTS if verdict and getattr(counts, verdict))
    number = getattr(counts, gravest)
    if gravest == "passed":
        return "the gate passed" if counts.judged == 1 else f"all {counts.judged:,} gates passed"
    gates = "the gate" if counts.judged == 1 else f"{number:,} of {counts.judged:,} gates"
    return f"{gates} {VERDICTS[gravest].of_gates}{_failed_parts(report.gates)}"


def _failed_parts(gates: Sequence[Judged]) -> str:
    """Count the classes and slices that failed, in brackets; nothing where none did."""
    texts = []
    for noun, gate in (("class", "per_class"), ("slice", "slices")):
        parts = [part for each in gates for part in each.parts if part.gate == gate]
        failed = sum(part.verdict == "failed" for part in parts)
        texts += [f"{failed:,} of {counted(len(parts), noun)}"] if failed else []
    return f" ({', '.join(texts)})" if texts else ""


def _tally(gates: Iterable[Judged]) -> list[tuple[VerdictName, str]]:
    """Count gates by what they came to, the gravest first."""
    number = Counter(gate.verdict for gate in gates)
    return [(verdict, shown.counted(number[verdict])) for verdict, shown in VERDICTS.items() if number[verdict]]


def _loosened(findings: Sequence[Finding]) -> str:
    """Say how many gates are loosened or altered, and by what where that is the same of all: a clause."""
    said = [f"check {name_text(gate)}" for gate in _gates_of(findings, FindingKind.FILE)]
    looser = _gates_of(findings, FindingKind.MISSING, FindingKind.LOOSENED)
    others = [gate for gate in _gates_of(findings, FindingKind.CHANGED) if gate not in looser]
    does = [
        f"{verb} {counted(len(gates), 'gate')}" for verb, gates in (("loosens", looser), ("alters", others)) if gates
    ]
    texts = {finding.text for finding in findings}
    why = f": {flowed(*texts)}" if len(texts) == 1 and len(looser + others) > 1 else ""
    return "; ".join([*said, *([f"this change {' and '.join(does)}{why}"] if does else [])])


def _gates_of(findings: Sequence[Finding], *kinds: FindingKind) -> list[str]:
    return list(dict.fromkeys(finding.gate for finding in findings if finding.kind in kinds))


_MOST_COMMANDS = 5


def _commands_to_accept(findings: Sequence[Finding], root: str) -> str:
    """Return the commands that accept the first changes, one for each gate."""
    options = [] if root == "." else ["--root", root]
    changes = {finding.gate: finding.change for finding in findings if finding.change}
    commands = [
        command_line("bayesf1", "accept", gate, "--loosened", change, *options, "--reason", ...)
        for gate, change in changes.items()
    ]
    return "\n".join(commands[:_MOST_COMMANDS])


def _short_names(tests: Iterable[str]) -> dict[str, str]:
    """Name every test without its file, where that tells it from the others."""
    names = {test: test.partition("::")[2] or test for test in tests}
    number = Counter(names.values())
    return {test: name_text(name if number[name] == 1 else test) for test, name in names.items()}


_LONGEST_TITLE = 40


def _about(gates: Iterable[Judged], names: Mapping[str, str]) -> str:
    """Name the first of the gates that an advice is about."""
    return first_few(fitted((names[gate.test] for gate in gates), _LONGEST_TITLE), _MOST_NAMES, "gate")


def _by_advice(gates: Iterable[Judged]) -> list[list[Judged]]:
    """Put the gates together of which the same is to be done."""
    by_text: dict[str, list[Judged]] = {}
    for gate in gates:
        if gate.worst.verdict in ("failed", "error", "warned", "expected") and gate.worst.advice:
            by_text.setdefault(gate.worst.advice, []).append(gate)
    return [*by_text.values()]


def _to_do(gates: Sequence[Judged], names: Mapping[str, str]) -> tuple[str, str]:
    """Say what to do about gates of which that is the same, and the command that does it for the first of them."""
    advice = gates[0].worst.advice
    gate = next((gate for gate in gates if gate.worst.command), None)
    if gate is None:
        return advice, ""
    of_one = f". For {names[gate.test]}" if len(gates) > 1 else ""
    return f"{advice}\n{gate.worst.way_out}{of_one}:", gate.worst.command


_READ: Mapping[ReadFrom, str] = {
    "base": "The base commit's version counts",
    "checked out": "Read as this change has them, so review them",
    "new": "The base commit has none, so these new gates use this change's own",
}


def _changed_line(report: Report) -> str:
    """Name the first of the files that were changed, and say which version counted."""
    by_version = {read: [name for name in report.changed if report.changed[name] == read] for read in _READ}
    found = [(_READ[read], names) for read, names in by_version.items() if names]
    told = [f"{what}{f': {_first_names(names)}' if len(found) > 1 else ''}." for what, names in found]
    changed = f"{counted(len(report.changed), 'baseline or gate file')} changed: {_first_names(report.changed)}."
    return " ".join([changed, *told])


def _attempts_line(report: Report) -> str:
    """Say how often the run, and tests of it, were tried; nothing where each was tried once."""
    of_tests = _first_names(f"{test} ({number} times)" for test, number in report.attempts.items())
    texts = [f"This is attempt {report.run.attempt} of the workflow's run."] if report.run.attempt > 1 else []
    texts += [f"Tried again until they had an answer: {of_tests}."] if of_tests else []
    return " ".join(texts)


def _first_names(names: Iterable[str]) -> str:
    return first_few(map(name_text, names), 10)


def _lacking(entry: AnyEntry) -> str:
    """Say how many more examples would settle what could not be told; nothing where that is not known."""
    if entry.verdict != "undecided" or not isinstance(entry, ComparisonEntry):
        return ""
    n = entry.examples_needed.of(entry.demanded)
    if n is not None:
        return f"needs {amount_needed(entry, entry.demanded)}" if n else ""
    if entry.judge is not None:
        return "needs more answers, graded by people and the judge"
    if entry.pool is None:
        return "no number of examples is likely to settle it"
    return "needs a larger pool" if entry.pool.n_labelled == entry.pool.n_pool else "may need a larger pool"


def _measure_of(gates: Sequence[Judged]) -> tuple[str, Callable[[Judged], str]]:
    """Return the measure of all gates, or else what to write behind the name of each."""
    words = {gate.test: name_text(gate.whole.measure_words) for gate in gates}
    shared = set(filter(None, words.values()))
    if len(shared) == 1:
        return shared.pop(), lambda _: ""
    return "", lambda gate: words[gate.test]


def _worst_parts(gate: Judged) -> str:
    """Write the observed scores of the parts that failed a gate."""
    parts = (part for each in gate.parts if (part := each.answered) and part.verdict == gate.verdict)
    texts = (f"{name_text(part.part)}: {observed(part)}" for part in parts)
    return first_few(texts, 2, "part")
