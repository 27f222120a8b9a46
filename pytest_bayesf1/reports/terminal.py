"""One aligned line per comparison with a picture of its interval, for the end of a test run."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple
from itertools import zip_longest
from typing import TypeAlias

from pytest_bayesf1.comparison.sight import loss_told
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, ErrorEntry, EstimateEntry
from pytest_bayesf1.reports.gate_findings import findings_told
from pytest_bayesf1.reports.interval_picture import ASCII, UNICODE, Strokes, interval_picture
from pytest_bayesf1.reports.notices import changed_line, incomplete_line, never_true_told
from pytest_bayesf1.reports.plain_text import name_text, visible
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.results.amounts import Amounts
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.results import POWER
from pytest_bayesf1.text import counted, in_ascii, level

Line: TypeAlias = tuple[str, dict[str, bool]]
_Cells: TypeAlias = Sequence[str]
"""Of a row: verdict, symbol, number, interval, picture; those of an error end after the verdict."""

MARKUP = {
    "failed": {"red": True},
    "error": {"red": True},
    "warned": {"yellow": True},
    "undecided": {"cyan": True},
    "expected": {"yellow": True},
    "passed": {"green": True},
    "": {},
}

_ALIGN = (str.ljust, str.ljust, str.rjust, str.ljust, str.ljust)
_MOST_PASSED = 50


def prints_pictures(encoding: str) -> bool:
    """Tell whether an encoding has the symbols and the strokes of the pictures."""
    try:
        "".join(["≪≈≫", *astuple(UNICODE)]).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def report_lines(report: Report, *, ascii_only: bool = False) -> list[Line]:
    """Return each line and its markup: below a test's name its comparisons; at the end what is missing."""
    strokes = ASCII if ascii_only else UNICODE
    shown, left_out = _shown(report)
    lines = list(_table(shown, strokes))
    if left_out:
        n_undecided = sum(entry.verdict == "undecided" for entry in left_out)
        more = f", {n_undecided:,} of which could not tell," if n_undecided else ""
        lines.append((f"{counted(len(left_out), 'passed comparison')}{more} not listed", dict(MARKUP["passed"])))
    lines += [*_legend(shown, strokes), *_together(report), *_findings(report), *_never_true(report)]
    lines += [(name_text(note), {}) for note in report.run.told_notes]
    if report.changed:
        lines.append((changed_line(report, visible), {"yellow": True}))
    if not report.complete:
        lines.append((incomplete_line(report, visible), {"red": True, "bold": True}))
    return [(in_ascii(line), markup) for line, markup in lines] if ascii_only else lines


def _together(report: Report) -> Iterator[Line]:
    yield from ((sentence, {}) for sentence in report.together.told())


def _findings(report: Report) -> Iterator[Line]:
    for sentence, loosens, rows in findings_told(report):
        yield sentence, {"yellow": True, "bold": True} if loosens else {}
        yield from ((f"  {gate}: {told}", {"yellow": True} if loosens else {}) for gate, told in rows)


def _never_true(report: Report) -> Iterator[Line]:
    for sentence, rows in never_true_told(report):
        yield sentence, {"yellow": True}
        yield from ((f"  {test}: {told}", {}) for test, told in rows)


def _shown(report: Report) -> tuple[list[AnyEntry], list[AnyEntry]]:
    """Leave out what passed, of the undecided the parts of gates, where that is too much to read."""
    passed = [entry for entry in report.entries if _is_quiet(entry)]
    if len(passed) <= _MOST_PASSED:
        return list(report.entries), []
    return [entry for entry in report.entries if not _is_quiet(entry)], passed


def _is_quiet(entry: AnyEntry) -> bool:
    return entry.verdict in ("passed", "undecided") and not entry.needs_attention


def _table(entries: Sequence[AnyEntry], strokes: Strokes) -> Iterator[Line]:
    rows = [(entry, _cells(entry, strokes)) for entry in entries]
    widths = [max(map(len, column)) for column in zip_longest(*(cells for _, cells in rows), fillvalue="")]
    by_test: dict[str, list[Line]] = {}
    for entry, cells in rows:
        line = _line(cells, widths, _about(entry)), dict(MARKUP[entry.verdict])
        by_test.setdefault(entry.test, []).append(line)
    for test, lines in by_test.items():
        yield name_text(test), {"bold": True}
        yield from lines


def _line(cells: _Cells, widths: Sequence[int], text: str) -> str:
    aligned = (align(cell, width) for align, cell, width in zip(_ALIGN, cells, widths, strict=False))
    return "  " + "  ".join([*aligned, text])


def _cells(entry: AnyEntry, strokes: Strokes) -> _Cells:
    verdict = entry.verdict or strokes.line
    match entry:
        case ErrorEntry():
            return (verdict,)
        case EstimateEntry():
            return (verdict, "", *_of_score(entry, strokes))
    return (verdict, entry.decision.ascii if strokes is ASCII else entry.decision.value, *_of_change(entry, strokes))


def _of_change(entry: ComparisonEntry, strokes: Strokes) -> _Cells:
    amounts = Amounts.of(entry)
    mean, low, high = map(amounts.signed, (entry.mean, *entry.hdi))
    return mean, f"[{low}, {high}]", interval_picture(entry.mean, entry.hdi, entry.rope, strokes)


def _of_score(entry: EstimateEntry, strokes: Strokes) -> _Cells:
    score, floor = entry.score, entry.floor
    low, high = score.hdi
    picture = interval_picture(score.mean - floor, (low - floor, high - floor), None, strokes)
    return f"{score.mean:.3f}", f"[{low:.3f}, {high:.3f}]", picture


def _about(entry: AnyEntry) -> str:
    """Say what a row is about; long names stand last, where they push nothing aside."""
    part = f"{name_text(entry.part)}: " if entry.part else ""
    match entry:
        case ErrorEntry():
            return "no answer"
        case EstimateEntry():
            remark = f", floor {entry.floor:g}"
        case ComparisonEntry():
            remark = (", not in points" if entry.custom_measure else "") + _sees(entry)
    return f"{part}{name_text(entry.measure_words)}{remark}"


def _sees(entry: ComparisonEntry) -> str:
    """Say which losses a gate would have found where none was: a small test set finds none."""
    loss = entry.detectable_loss
    if entry.part or entry.decision not in (Decision.UNDECIDED, Decision.EQUIVALENT) or loss is None:
        return ""
    return f", sees {loss_told(entry, loss)}"


def _legend(entries: Sequence[AnyEntry], strokes: Strokes) -> list[Line]:
    if all(isinstance(entry, ErrorEntry) for entry in entries):
        return []
    told = f"{strokes.interval} HDI and mean   {strokes.rope} ROPE   {strokes.zero} 0, or the floor   changes in points"
    lines: list[Line] = [(told, {})]
    if any(isinstance(entry, ComparisonEntry) and _sees(entry) for entry in entries):
        lines.append((f"sees: it fails for a true loss of so much or more, on {level(POWER)} of such test sets", {}))
    return lines
