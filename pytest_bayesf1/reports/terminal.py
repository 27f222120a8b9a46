"""One aligned line a comparison, for the end of a test run."""

from pytest_bayesf1.reports.notices import changed_line, incomplete_line
from pytest_bayesf1.reports.report import Entry, Report, name_of
from pytest_bayesf1.stats.decision import Decision
from pytest_bayesf1.stats.scalars import one_line

Line = tuple[str, dict[str, bool]]

MARKUP = {
    "failed": {"red": True},
    "error": {"red": True},
    "warned": {"yellow": True},
    "passed": {"green": True},
    "": {},
}


def report_lines(report: Report, ascii_only: bool = False) -> list[Line]:
    """Return each line and its markup; the last says what is missing, if anything is."""
    rows = [_cells(entry, ascii_only) for entry in report.entries]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(5)]
    lines = [
        (
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            + "  "
            + one_line(name_of(entry)),
            dict(MARKUP[entry["verdict"]]),
        )
        for row, entry in zip(rows, report.entries, strict=True)
    ]
    if report.changed:
        lines.append((changed_line(report), {"yellow": True}))
    return lines if report.complete else [*lines, (incomplete_line(report), {"red": True, "bold": True})]


def _cells(entry: Entry, ascii_only: bool) -> tuple[str, str, str, str, str]:
    if entry["kind"] == "error":
        return entry["verdict"], "", "", "", "no answer"
    return _figures(entry, ascii_only)


def _figures(entry: Entry, ascii_only: bool) -> tuple[str, str, str, str, str]:
    if entry["kind"] == "estimate":
        low, high = entry["score"]["hdi"]
        interval = f"[{low:.4f}, {high:.4f}] floor {entry['floor']:g}"
        return entry["verdict"], "", one_line(entry["measure"]), f"{entry['score']['mean']:.4f}", interval
    low, high = entry["hdi"]
    decision = Decision(entry["decision"])
    symbol = decision.ascii if ascii_only else decision.value
    interval = f"[{low:+z.4f}, {high:+z.4f}] {entry['model']}"
    return entry["verdict"], symbol, one_line(entry["measure"]), f"{entry['mean']:+z.4f}", interval
