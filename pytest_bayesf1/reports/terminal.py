"""The report in pytest's terminal summary.

PYTEST_DONT_REWRITE
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import groupby, zip_longest
from operator import attrgetter
from textwrap import wrap
from typing import TypeAlias

from pytest_bayesf1._util import Interval, brief, counted, in_ascii, indented, level, prints_symbols
from pytest_bayesf1.reports.entry import (
    EXPECTED,
    MOST_PASSED,
    AnyEntry,
    ComparisonEntry,
    ErrorEntry,
    EstimateEntry,
    Report,
)
from pytest_bayesf1.reports.wording import (
    changed_line,
    format_accepted,
    format_caveats,
    format_findings,
    format_no_gate,
    incomplete_line,
)
from pytest_bayesf1.results.comparison import POWER, Decision
from pytest_bayesf1.results.formatting import (
    LONGEST_TEXT,
    Amounts,
    before_after,
    format_loss,
    name_text,
    shortened,
    spelt_out,
    visible,
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

    @property
    def interval(self) -> str:
        """An interval with its mean, for a legend."""
        return f"{self.start}{2 * self.line}{self.mean}{2 * self.line}{self.end}"


UNICODE = Strokes("├", "─", "┤", "╂", "▒", "│")
ASCII = Strokes("[", "-", "]", "+", "#", "|")


def interval_picture(mean: float, hdi: Interval, rope: Interval | None = None, strokes: Strokes = UNICODE) -> str:
    """Draw an HDI, its mean, the ROPE and 0; the scale is the picture's own.

    Examples
    --------
    >>> interval_picture(0.002, (-0.018, 0.022), (-0.01, 0.01))
    '  ├──▒▒▒▒▒│╂▒▒▒▒────┤'
    >>> interval_picture(-0.03, (-0.04, -0.02), (-0.01, 0.01), ASCII)
    '[-+--]  ##|##        '
    """
    reach = max(map(abs, (*hdi, *(rope or ())))) or 1.0
    start, middle, end = (_column(value, reach) for value in (hdi[0], mean, hdi[1]))
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
_Cells: TypeAlias = Sequence[str]
"""Of a row: verdict, symbol, number, interval, picture, scores; those of an error end after the verdict."""

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

_ALIGN = (str.ljust, str.ljust, str.rjust, str.ljust, str.ljust, str.ljust)
_NARROW, _WIDE = 5, 100
"""Cells of a row, unless it is known that there are so many columns."""

_SHORTEST_NAME = 10


def prints_pictures(encoding: str) -> bool:
    """Tell whether an encoding has the symbols and the strokes of the pictures."""
    return prints_symbols(encoding, "".join(astuple(UNICODE)))


def report_lines(report: Report, *, ascii_only: bool = False, width: int | None = None) -> list[Line]:
    """Tell a report, a row a comparison."""
    strokes = ASCII if ascii_only else UNICODE
    shown, left_out = _shown(report)
    prose: list[Line] = []
    if left_out:
        n_undecided = sum(entry.verdict == "undecided" for entry in left_out)
        more = f", {n_undecided:,} of which could not tell," if n_undecided else ""
        prose.append((f"{counted(len(left_out), 'passed comparison')}{more} not listed", dict(MARKUP["passed"])))
    prose += [*_legend(shown, strokes), *_next_steps(report), *((sentence, {}) for sentence in report.together.text())]
    prose += [*_findings(report), *_caveats(report), *((name_text(note), {}) for note in report.run.note_lines)]
    if report.changed:
        prose.append((changed_line(report, visible), {"yellow": True}))
    if not report.complete:
        prose.append((incomplete_line(report, visible), {"red": True, "bold": True}))
    first = (each for line in _accepted(report) for each in _wrapped(line, width))
    lines = [*first, *_table(shown, strokes, width), *(each for line in prose for each in _wrapped(line, width))]
    return [(in_ascii(line), markup) for line, markup in lines] if ascii_only else lines


def _wrapped(line: Line, width: int | None) -> Iterator[Line]:
    text, markup = line
    if width is None or len(text) <= width:
        yield line
        return
    indent = text[: len(text) - len(text.lstrip())]
    further = {"subsequent_indent": f"{indent}  ", "break_long_words": False, "break_on_hyphens": False}
    yield from ((each, markup) for each in wrap(text, width, **further))  # type: ignore[arg-type]


def _next_steps(report: Report) -> Iterator[Line]:
    """Say what looks like a success and is none, and what to do about it."""
    if report.counts.expected:
        yield f"expected: {EXPECTED[0].lower()}{EXPECTED[1:]}", dict(MARKUP["expected"])
    if report.entries and (text := format_no_gate(report)):
        yield text, {"yellow": True}


def _accepted(report: Report) -> Iterator[Line]:
    for sentence, rows in format_accepted(report):
        yield sentence, dict(MARKUP["accepted"]) | {"bold": True}
        yield from ((f"  {gate}: {text}", dict(MARKUP["accepted"])) for gate, text in rows)


def _findings(report: Report) -> Iterator[Line]:
    for sentence, loosens, rows in format_findings(report):
        yield sentence, {"yellow": True, "bold": True} if loosens else {}
        yield from ((f"  {gate}: {text}", {"yellow": True} if loosens else {}) for gate, text in rows)


def _caveats(report: Report) -> Iterator[Line]:
    for sentence, rows in format_caveats(report):
        yield sentence, {"yellow": True}
        yield from ((f"  {test}: {text}", {}) for test, text in rows)


def _shown(report: Report) -> tuple[list[AnyEntry], list[AnyEntry]]:
    """Leave out what passed, of the undecided the parts of gates, where that is too much to read."""
    passed = [entry for entry in report.entries if _is_quiet(entry)]
    if len(passed) <= MOST_PASSED:
        return list(report.entries), []
    return [entry for entry in report.entries if not _is_quiet(entry)], passed


def _is_quiet(entry: AnyEntry) -> bool:
    return entry.verdict in ("passed", "undecided") and not entry.needs_attention


def _table(entries: Sequence[AnyEntry], strokes: Strokes, width: int | None) -> Iterator[Line]:
    rows = [(entry, _cells(entry, strokes)) for entry in entries]
    if width is None or width < _WIDE:
        rows = [(entry, cells[:_NARROW]) for entry, cells in rows]
    widths = [max(map(len, column)) for column in zip_longest(*(cells for _, cells in rows), fillvalue="")]
    by_test: dict[str, list[Line]] = {}
    for entry, cells in rows:
        line = _line(cells, widths, entry, width), dict(MARKUP[entry.verdict])
        by_test.setdefault(entry.test, []).append(line)
    for test, lines in by_test.items():
        yield name_text(test), {"bold": True}
        yield from lines


def _line(cells: _Cells, widths: Sequence[int], entry: AnyEntry, width: int | None) -> str:
    aligned = [align(cell, most) for align, cell, most in zip(_ALIGN, cells, widths, strict=False)]
    figures, (name, remark) = "  ".join(["", *aligned, ""]), _about(entry)
    room = None if width is None else max(width - len(figures) - len(remark), _SHORTEST_NAME)
    return f"{figures}{name if room is None else brief(name, room)}{remark}"


def _cells(entry: AnyEntry, strokes: Strokes) -> _Cells:
    verdict = f"{'  ' if entry.part else ''}{entry.verdict or strokes.line}"
    match entry:
        case ErrorEntry():
            return (verdict,)
        case EstimateEntry():
            return (verdict, "", *_of_score(entry, strokes))
    return (verdict, entry.decision.ascii if strokes is ASCII else entry.decision.value, *_of_change(entry, strokes))


def _of_change(entry: ComparisonEntry, strokes: Strokes) -> _Cells:
    amounts = Amounts.of(entry)
    mean, low, high = map(amounts.signed, (entry.change, *entry.hdi))
    picture = interval_picture(entry.change, entry.hdi, entry.rope, strokes)
    return mean, f"[{low}, {high}]", picture, before_after(entry)


def _of_score(entry: EstimateEntry, strokes: Strokes) -> _Cells:
    score, floor = entry.score, entry.floor
    low, high = score.hdi
    picture = interval_picture(score.observed - floor, (low - floor, high - floor), None, strokes)
    return f"{score.observed:.3f}", f"[{low:.3f}, {high:.3f}]", picture, ""


def _about(entry: AnyEntry) -> tuple[str, str]:
    """Name what a row is about, last, where long names push nothing aside; and remark on it."""
    name = name_text(entry.part)
    match entry:
        case ErrorEntry():
            return "no answer", ""
        case EstimateEntry():
            return name_text(entry.measure_words), f", floor {entry.floor:g}"
        case ComparisonEntry():
            remark = (", not in points" if entry.custom_measure else "") + _sees(entry)
    return name or name_text(entry.measure_words), remark


def _sees(entry: ComparisonEntry) -> str:
    """Say which losses a gate would have found where none was: a small test set finds none."""
    loss = entry.detectable_loss
    if entry.part or entry.decision not in (Decision.UNDECIDED, Decision.EQUIVALENT) or loss is None:
        return ""
    return f", sees {format_loss(entry, loss)}"


def _legend(entries: Sequence[AnyEntry], strokes: Strokes) -> list[Line]:
    if all(isinstance(entry, ErrorEntry) for entry in entries):
        return []
    text = f"{strokes.interval} HDI and mean   {strokes.rope} ROPE   {strokes.zero} 0, or the floor   changes in points"
    lines: list[Line] = [(text, {})]
    if any(isinstance(entry, ComparisonEntry) and _sees(entry) for entry in entries):
        lines.append((f"sees: it fails for a true loss of so much or more, on {level(POWER)} of such test sets", {}))
    return lines


def text_lines(report: Report, *, ascii_only: bool = False, width: int | None = None) -> list[Line]:
    """Tell what was found and what to do where attention is needed; then one line per entry, and the tally."""
    rows = report_lines(report, ascii_only=ascii_only, width=width)
    return [*_attention(report), *rows, (report.tally(), {"bold": True})]


def _attention(report: Report) -> Iterator[Line]:
    """Tell together what is to be answered together: the classes and slices of one gate."""
    entries = [entry for entry in report.entries if entry.needs_attention]
    for (test, verdict, advice), group in groupby(entries, attrgetter("test", "verdict", "advice")):
        yield name_text(test), {"bold": True}
        notes: list[str] = []
        for entry in group:
            part = f"{name_text(entry.part)}: " if entry.part else ""
            yield from ((_text(line), dict(MARKUP[verdict])) for line in f"{part}{entry.headline}".splitlines())
            notes += () if isinstance(entry, ErrorEntry) else entry.notes
        for text in (*dict.fromkeys(notes), advice):
            yield from ((_text(line), {}) for line in indented(text).splitlines())
        yield "", {}


def _text(line: str) -> str:
    return shortened(spelt_out(line), LONGEST_TEXT)
