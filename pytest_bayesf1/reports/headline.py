"""A whole report in one sentence."""

from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.stats.scalars import counted, one_line


def headline(report: Report) -> str:
    """Say what came out, and of what went wrong the worst."""
    said = _said(report)
    return said if report.complete else f"Incomplete. {said}"


def _said(report: Report) -> str:
    counts = report.counts()
    if not report.entries:
        return "No comparison was made."
    first = report.entries[0]
    if first["kind"] == "error":
        return f"{counted(counts['error'], 'gate')} of {counts['total']} without an answer."
    if len(report.entries) == 1:
        return f"{one_line(first['headline'])}."
    if counts["failed"]:
        return f"{counts['failed']} of {counted(counts['total'], 'comparison')} failed. {one_line(first['headline'])}."
    if counts["error"] or counts["warned"]:
        return f"None of {counted(counts['total'], 'comparison')} failed: {report.tally()}."
    return f"All {counted(counts['passed'], 'comparison')} passed."
