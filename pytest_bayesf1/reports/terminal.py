"""The report in pytest's terminal summary."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import accumulate, takewhile
from textwrap import wrap
from typing import TypeAlias

from pytest_bayesf1.reports.entry import EXPECTED, AnyEntry, ComparisonEntry, ErrorEntry, EstimateEntry, Gate, Report
from pytest_bayesf1.reports.wording import (
    about,
    advice_of,
    allowance,
    before_and_after,
    change_and_interval,
    changed_line,
    failed_parts,
    fitted,
    format_accepted,
    format_caveats,
    format_findings,
    format_no_gate,
    headline,
    incomplete_line,
    lacking,
    measure_of,
    observed_line,
    short_names,
    tally,
    verdict_sentence,
    worst_parts,
)
from pytest_bayesf1.results.formatting import likely, name_text, scaled, shortened
from pytest_bayesf1.text import (
    POINTS,
    Interval,
    brief,
    cut,
    display_width,
    first_few,
    in_ascii,
    one_line,
    prints_symbols,
)

WIDTH = 21
_MIDDLE = WIDTH // 2


@dataclass(frozen=True)
class Strokes:
    """The characters that a picture is made of."""

    start: str
    line: str
    end: str
    mean: str
    rope: str
    zero: str


UNICODE = Strokes("├", "─", "┤", "╂", "▒", "│")
ASCII = Strokes("[", "-", "]", "+", "#", "|")


@dataclass(frozen=True)
class Bar:
    """What a picture shows, in points: the observed change, its interval, and what is allowed."""

    change: float
    interval: Interval
    rope: Interval | None = None

    @property
    def reach(self) -> float:
        """How far from 0 there is something to see; of what is allowed no more than twice as far as the interval."""
        ends = max(map(abs, (*self.interval, self.change)))
        return max(ends, *(min(abs(end), 2 * ends) for end in self.rope or (0.0,)))


def interval_picture(bar: Bar, reach: float, strokes: Strokes = UNICODE) -> str:
    """Draw a bar on a scale from ``-reach`` to ``reach``.

    Examples
    --------
    >>> interval_picture(Bar(0.2, (-1.8, 2.2), (-1.0, 1.0)), 2.2)
    '  ├──▒▒▒▒▒│╂▒▒▒▒────┤'
    >>> interval_picture(Bar(-3.0, (-4.0, -2.0), (-1.0, 1.0)), 4.0, ASCII)
    '[-+--]  ##|##        '
    """
    start, middle, end = (_column(value, reach) for value in (bar.interval[0], bar.change, bar.interval[1]))
    rope = bar.rope
    cells = [" "] * WIDTH
    _paint(cells, range(start, end + 1), strokes.line)
    if rope is not None:
        _paint(cells, range(_column(rope[0], reach), _column(rope[1], reach) + 1), strokes.rope)
    _paint(cells, [_MIDDLE], strokes.zero)
    _paint(cells, [start], strokes.start)
    _paint(cells, [end], strokes.end)
    _paint(cells, [middle], strokes.mean)
    return "".join(cells)


def _column(value: float, reach: float) -> int:
    return _MIDDLE + round(_MIDDLE * min(max(value / reach, -1), 1))


def _paint(cells: list[str], columns: Iterable[int], stroke: str) -> None:
    for column in columns:
        cells[column] = stroke


Line: TypeAlias = tuple[str, dict[str, bool]]

MARKUP = {
    "failed": {"red": True},
    "error": {"red": True},
    "accepted": {"purple": True},
    "warned": {"yellow": True},
    "undecided": {"cyan": True},
    "expected": {"yellow": True},
    "passed": {"green": True},
    "": {},
}
_WORDS = {"failed": "FAILED", "error": "ERROR", "": "no gate"}
_WIDE = 100
"""From so many columns on there is room for pictures."""

_MOST_ROWS, _MOST_NAMES, _MOST_NOTES = 25, 3, 3
_LONGEST_NAME = 40
_LONGEST_NOTE, _LONGEST_TITLE, _SHORTEST_TITLE = 300, 60, 12


def prints_pictures(encoding: str) -> bool:
    """Tell whether an encoding has the symbols and the strokes of the pictures."""
    return prints_symbols(encoding, "".join(astuple(UNICODE)))


def report_lines(
    report: Report, *, ascii_only: bool = False, width: int | None = None, verbose: bool = False
) -> list[Line]:
    """Tell a report: what the run came to, a line per gate that failed or warned, the others in a line, what to do.

    With ``verbose`` no gate, class, slice or note is left out.
    """
    if not (report.entries or report.missing or report.findings or report.changed):
        return []
    lines = [_first(report), *_of_rows(format_accepted(report), MARKUP["accepted"], verbose)]
    lines += [*_table(report, ASCII if ascii_only else UNICODE, width, verbose), *_quiet(report, verbose)]
    lines += _next_steps(report)
    for sentence, loosens, rows in format_findings(report):
        lines += _of_rows([(sentence, rows)], MARKUP["warned"] if loosens else {}, verbose)
    lines += _of_rows(format_caveats(report), {}, verbose)
    lines += ((name_text(note), {}) for note in report.run.note_lines)
    if report.changed:
        lines.append((changed_line(report, one_line), dict(MARKUP["warned"])))
    if not report.complete:
        lines.append((incomplete_line(report, one_line), MARKUP["failed"] | {"bold": True}))
    wrapped = [each for line in lines for each in _wrapped(line, width)]
    return [(in_ascii(line), markup) for line, markup in wrapped] if ascii_only else wrapped


def brief_lines(report: Report, *, ascii_only: bool = False) -> list[Line]:
    """Tell the one gate of a report in at most six lines: its verdict, the figures, what to do, where there is more."""
    (gate,) = report.gates
    entry, facts = gate.worst, {}
    if not isinstance(entry, ErrorEntry):
        advice = _first_sentence(entry.advice or gate.whole.advice)
        known = () if isinstance(gate.whole, ErrorEntry) else gate.whole.caveats
        facts = {
            "observed": observed_line(entry),
            likely(entry): change_and_interval(entry)[1],
            "do": advice or "Nothing: this passes.",
            "note": shortened(one_line(" ".join(known)), _LONGEST_NOTE),
            "more": "-v for every figure; --report DIR for a page",
        }
    lines: list[Line] = [(verdict_sentence(gate), MARKUP[gate.verdict] | {"bold": True})]
    lines += ((f"  {name:<11} {text}", {}) for name, text in facts.items() if text)
    return [(in_ascii(line), markup) for line, markup in lines] if ascii_only else lines


def _first_sentence(text: str) -> str:
    first, end, _ = one_line(text).partition(". ")
    return f"{first}{end.strip()}"


def _first(report: Report) -> Line:
    """Say what the run came to, and how many gates came to anything else."""
    counts = tally(report)
    gravest = next((verdict for verdict, _ in counts if verdict), "")
    others = [counted for verdict, counted in counts if verdict != gravest]
    return " · ".join([headline(report), *filter(None, [", ".join(others)])]), MARKUP.get(report.verdict, {}) | {
        "bold": True
    }


def _wrapped(line: Line, width: int | None) -> Iterator[Line]:
    text, markup = line
    if width is None or display_width(text) <= width:
        yield line
        return
    indent = text[: len(text) - len(text.lstrip())]
    further = {"subsequent_indent": f"{indent}  ", "break_long_words": False, "break_on_hyphens": False}
    yield from ((each, markup) for each in wrap(text, width, **further))  # type: ignore[arg-type]


def _of_rows(
    parts: Iterable[tuple[str, Sequence[tuple[str, str]]]], markup: dict[str, bool], verbose: bool
) -> Iterator[Line]:
    """Yield sentences, each with the first of the rows below it."""
    for sentence, rows in parts:
        yield sentence, markup | {"bold": True} if markup else {}
        shown = rows if verbose else rows[:_MOST_NOTES]
        yield from ((f"  {name}: {text if verbose else _note(text)}", dict(markup)) for name, text in shown)
        if len(shown) < len(rows):
            yield f"  and {len(rows) - len(shown):,} more (-v lists them)", dict(markup)


def _note(text: str) -> str:
    return shortened(one_line(text), _LONGEST_NOTE)


def _next_steps(report: Report) -> Iterator[Line]:
    """Say what to do, once about all gates; and what looks like a success and is none."""
    advised, names = advice_of(report.gates), short_names(gate.test for gate in report.gates)
    for advice in advised[:_MOST_NAMES]:
        first, *rest = advice.text.splitlines()
        yield f"do: {f'{about(advice, names)}: ' if len(advised) > 1 else ''}{_note(first)}", {}
        yield from ((f"{'    ' if line.startswith(' ') else '  '}{_note(line)}", {}) for line in rest)
    if report.counts.expected:
        yield f"expected: {EXPECTED[0].lower()}{EXPECTED[1:]}", dict(MARKUP["expected"])
    if report.entries and (text := format_no_gate(report)):
        yield text, dict(MARKUP["warned"])


def _quiet(report: Report, verbose: bool) -> Iterator[Line]:
    """Tell in a line each how many gates could not tell, and which, and how many passed."""
    names = short_names(gate.test for gate in report.gates)
    open_gates = [gate for gate in report.gates if gate.verdict == "undecided"]
    if open_gates:
        lacks = (f"{brief(names[gate.test], _LONGEST_NAME)} {lacking(gate.worst)}".rstrip() for gate in open_gates)
        yield f"could not tell: {first_few(lacks, len(open_gates) if verbose else _MOST_NAMES)}", MARKUP["undecided"]
    if report.counts.passed and not _lists_all(report, verbose):
        yield f"{report.counts.passed:,} passed (-v lists them)", MARKUP["passed"]


def _lists_all(report: Report, verbose: bool) -> bool:
    return verbose or len(report.gates) == 1


@dataclass(frozen=True)
class _Row:
    """A line of the table: of a gate, or of an entry below it."""

    verdict: str
    title: str
    cells: tuple[str, ...]
    """Scores, change, interval, what is allowed; or a message alone."""
    bar: Bar | None = None
    suffixes: tuple[str, ...] = ()
    """What follows the title where it has room."""

    def titled(self, room: int) -> str:
        """Write the title and what follows it, as far as there is room for."""
        longer = accumulate(self.suffixes, initial=self.title)
        return max(takewhile(lambda each: display_width(each) <= room, longer), key=len, default=self.title)


def _rows(gate: Gate, name: str, measure: str, in_full: bool) -> Iterator[_Row]:
    """Yield the row of a gate, and in full those of its parts."""
    suffixes = failed_parts([gate]), measure
    if gate.worst.part and not isinstance(gate.worst, ErrorEntry):
        yield _Row(gate.verdict, name, (worst_parts(gate),), suffixes=suffixes)
    else:
        yield replace(_row(gate.worst, gate.verdict, name), suffixes=suffixes)
    if in_full:
        yield from (_row(part, part.verdict, f"- {name_text(part.part)}") for part in gate.parts if part.part)


def _row(entry: AnyEntry, verdict: str, title: str) -> _Row:
    if isinstance(entry, ErrorEntry):
        return _Row(verdict, title, (_note(entry.headline),))
    cells = (before_and_after(entry), *change_and_interval(entry), allowance(entry))
    return _Row(verdict, title, cells, _bar(entry))


def _bar(entry: ComparisonEntry | EstimateEntry) -> Bar | None:
    """Draw changes in points; scores, and changes in other units, have another scale."""
    if isinstance(entry, EstimateEntry) or entry.custom_measure:
        return None
    factor = POINTS.factor
    return Bar(factor * entry.change, scaled(entry.hdi, factor), scaled(entry.rope, factor))


def _table(report: Report, strokes: Strokes, width: int | None, verbose: bool) -> Iterator[Line]:
    """Yield a line per gate that failed or warned, or per gate and part, with pictures on one scale."""
    in_full, gates = _lists_all(report, verbose), report.gates
    listed = gates if in_full else [each for each in gates if each.verdict in ("failed", "error", "warned", "expected")]
    names, (shared, of_gate) = short_names(gate.test for gate in gates), measure_of(listed)
    shown = listed if verbose else listed[:_MOST_ROWS]
    rows = [row for gate in shown for row in _rows(gate, names[gate.test], of_gate(gate), verbose)]
    head = ("before → after", "change", _interval_head(report), "allow")
    columns = [
        max(len(row[place]) for row in (head, *(row.cells for row in rows if len(row.cells) > 1))) for place in range(4)
    ]
    bars, wide = [row.bar for row in rows if row.bar], width is None or width >= _WIDE
    reach = max((bar.reach for bar in bars), default=0.0) or 1.0
    taken = 10 + sum(columns) + 2 * len(columns) + (WIDTH + 2 if wide and bars else 0)
    room = _LONGEST_TITLE if width is None else max(width - taken, _SHORTEST_TITLE)
    fitting = fitted((row.title for row in rows), room)
    titles = [replace(row, title=title).titled(room) for row, title in zip(rows, fitting, strict=True)]
    longest = max(map(display_width, (shared, *titles)))
    if any(len(row.cells) > 1 for row in rows):
        yield f"{'':10}{shared:<{longest}}  {'  '.join(map(str.rjust, head, columns))}".rstrip(), {}
    for row, title in zip(rows, titles, strict=True):
        cells = map(str.rjust, row.cells, columns) if len(row.cells) > 1 else row.cells
        drawn = f"  {interval_picture(row.bar, reach, strokes)}" if wide and row.bar else ""
        padded = f"{title}{' ' * (longest - display_width(title))}"
        line = f"{_WORDS.get(row.verdict, row.verdict):<10}{padded}  {'  '.join(cells)}{drawn}".rstrip()
        yield line if width is None else _cut(line, width), dict(MARKUP[row.verdict])
    if len(shown) < len(listed):
        yield f"and {len(listed) - len(shown):,} more that failed or warned (-v lists them)", {}


def _cut(line: str, width: int) -> str:
    return line if display_width(line) <= width else f"{cut(line, width - 1)}…"


def _interval_head(report: Report) -> str:
    known = (entry for entry in report.entries if not isinstance(entry, ErrorEntry))
    return next(map(likely, known), "likely")
