"""`Report` -> plain text."""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from pytest_bayesf1._util import indented
from pytest_bayesf1.reports.entry import ErrorEntry
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.reports.terminal import MARKUP, Line, report_lines
from pytest_bayesf1.results.formatting import LONGEST_TEXT, name_text, shortened, spelt_out


def text_lines(report: Report, *, ascii_only: bool = False, width: int | None = None) -> list[Line]:
    """Tell what was found and what to do where attention is needed; then one line per entry, and the tally.

    Parameters
    ----------
    report
        Of a run.
    ascii_only, width
        As in `report_lines`.
    """
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
            yield from ((_told(line), dict(MARKUP[verdict])) for line in f"{part}{entry.headline}".splitlines())
            notes += () if isinstance(entry, ErrorEntry) else entry.notes
        for text in (*dict.fromkeys(notes), advice):
            yield from ((_told(line), {}) for line in indented(text).splitlines())
        yield "", {}


def _told(line: str) -> str:
    return shortened(spelt_out(line), LONGEST_TEXT)
